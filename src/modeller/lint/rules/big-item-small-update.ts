import { textSize } from "../../../item/size.ts";
import type { StoredRecord } from "../../records/record.ts";
import { attributeBytes } from "../../sizes/attribute-size.ts";
import type { LintContext } from "../lint-context.ts";
import { money, monthly } from "../money.ts";
import type { Finding, Rule } from "../rule.ts";
import { changedBy, type PatternAction } from "../traffic.ts";
import { bytesText, listText, numberText } from "../words.ts";

/** Less than this is not worth another item. */
const dollarsMin = 5;
const smallShare = 0.25;

export const bigItemSmallUpdate: Rule = {
  id: "big-item-small-update",
  severity: "warning",
  title: "A small part of a large item changes often, and each change pays for the whole item.",
  topic: "vertical-split",
  *check(context) {
    for (const record of context.facts.records) {
      if (record.role !== "item") continue;
      for (const update of context.writesOf(record.entity.name)) {
        const finding = update.action.kind === "update" && findingOf(context, record, update);
        if (finding) yield finding;
      }
    }
  },
};

function findingOf(
  context: LintContext,
  record: StoredRecord,
  { pattern, action }: PatternAction,
): Finding | undefined {
  const changed = changedBy(action);
  const item = context.facts.sizes.item(record);
  const rate = pattern.rps.average;
  if (item === undefined || rate === undefined) return undefined;
  let [changing, staying] = [0, 0];
  for (const { name, content } of record.attributes) {
    if (content.kind !== "attribute" || record.entity.id.includes(content.attribute.name)) continue;
    const { attribute } = content;
    const bytes =
      (textSize(name) + (attributeBytes(attribute)?.mean ?? 0)) * attribute.present.value;
    if (changed.includes(attribute.name)) changing += bytes;
    else staying += bytes;
  }
  // Its own item would have the key and what changes.
  const small = item.mean - staying;
  if (changing === 0 || small > smallShare * item.mean) return undefined;
  const units = item.expectedUnits(1_024);
  const saved = (units - Math.ceil(small / 1_024)) * (pattern.transaction ? 2 : 1);
  const times = rate.value * action.average.value * (pattern.batch?.value ?? 1);
  const perMonth =
    monthly(context.prices, record.table, { writes: saved * times }) -
    monthly(context.prices, record.table, { reads: 0.5 * readsOfBoth(context, record, changed) });
  if (perMonth < dollarsMin) return undefined;
  return {
    path: action.path,
    message: `Pattern ${pattern.id} changes ${listText(changed)} of ${record.entity.name} and pays for the whole item.`,
    evidence: `The item has ${bytesText(item.mean)} on average, ${numberText(units)} write units; what changes would have ${bytesText(small)} with its key, and it changes ${numberText(times)} times per second${rate.assumed ? " (assumed)" : ""}.`,
    price: money(perMonth, rate.assumed),
    cure: `Store ${listText(changed)} in an item of ${changed.length === 1 ? "its" : "their"} own in the same collection (split); a query still reads both at once.`,
  };
}

/** Reads per second that would have to take two items instead of one. */
function readsOfBoth(
  context: LintContext,
  record: StoredRecord,
  changed: readonly string[],
): number {
  return context
    .readsOf(record.entity.name)
    .filter(({ action: { returns } }) => {
      const some = returns.some((name) => changed.includes(name));
      return some && returns.some((name) => !changed.includes(name));
    })
    .reduce((sum, { pattern }) => sum + (pattern.rps.average?.value ?? 0), 0);
}
