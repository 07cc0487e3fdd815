import type { Attribute } from "../../../model/requirements.ts";
import type { StoredRecord } from "../../records/record.ts";
import { attributeBytes } from "../../sizes/attribute-size.ts";
import type { LintContext } from "../lint-context.ts";
import { money, monthly } from "../money.ts";
import type { Rule } from "../rule.ts";
import { bytesText, numberText, shareText } from "../words.ts";

/** A read unit more for everybody who does not want it. */
const largeBytes = 4_096;
const seldom = 0.2;
const dollarsMin = 1;

export const blobInItem: Rule = {
  id: "blob-in-item",
  severity: "warning",
  title: "A large value that few readers want makes all reads of its item dear.",
  topic: "large-items",
  *check(context) {
    for (const record of context.facts.records) {
      if (record.role !== "item") continue;
      for (const { content } of record.attributes) {
        if (content.kind !== "attribute") continue;
        const { attribute } = content;
        const bytes = attributeBytes(attribute)?.mean ?? 0;
        if (bytes < largeBytes) continue;
        const { wanted, all, units, assumed } = readsOf(context, record, attribute);
        if (all === 0 || wanted / all > seldom) continue;
        const perMonth = monthly(context.prices, record.table, {
          reads: ((units * bytes) / 4_096) * attribute.present.value,
        });
        if (perMonth < dollarsMin) continue;
        yield {
          path: attribute.path,
          message: `${record.entity.name}.${attribute.name} is large and seldom wanted, and lies in ${record.table.name} with the rest.`,
          evidence: `It has ${bytesText(bytes)} where it is there, ${shareText(wanted / all)} of the reads want it, and the other ${numberText(all - wanted)} per second read it along${assumed ? " (partly assumed)" : ""}.`,
          price: money(perMonth, assumed),
          cure: `Store ${attribute.name} in an item of its own beside it (split), or in S3 with its key in the item (elsewhere).`,
        };
      }
    }
  },
};

/** Items per second that are read with the attribute in them, and by whom. */
function readsOf(context: LintContext, record: StoredRecord, { name }: Attribute) {
  let [wanted, all, units, assumed] = [0, 0, 0, false];
  for (const pattern of context.served) {
    const rate = pattern.rps.average;
    if (rate === undefined) continue;
    for (const request of context.plans.get(pattern.id)?.requests ?? []) {
      if (request.kind !== "read") continue;
      const found = request.expected.evaluated.find((one) => one.record === record);
      const entry = record.memberships.find(({ index }) => index === request.index);
      const isThere = request.index === undefined || has(entry?.attributes, name);
      if (found === undefined || found.count === 0 || !isThere) continue;
      assumed ||= rate.assumed;
      all += rate.value;
      const asked =
        (request.record === record && request.returns.includes(name)) ||
        request.together.includes(record);
      if (asked) wanted += rate.value;
      else units += rate.value * found.count * (request.consistent ? 1 : 0.5);
    }
  }
  return { wanted, all, units, assumed };
}

function has(attributes: StoredRecord["attributes"] | undefined, name: string): boolean {
  return (attributes ?? []).some(
    ({ content }) => content.kind === "attribute" && content.attribute.name === name,
  );
}
