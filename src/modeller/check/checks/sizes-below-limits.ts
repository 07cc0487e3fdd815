import { itemCollectionBytesMax, itemSizeBytesMax } from "../../../api/limits.ts";
import { bytesText, counted, listText, numberText } from "../../lint/words.ts";
import type { StoredRecord } from "../../records/record.ts";
import { keyBytesMax, longKeysOf } from "../../sizes/key-limits.ts";
import { transactionOverflow } from "../../units/transaction-limits.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";

export const sizesBelowLimits: Check = {
  id: "sizes-below-limits",
  title: "Items, keys, collections and transactions stay below the service's limits",
  run(context) {
    const { records } = context.facts;
    if (records.length === 0) return notApplicable("There are no items yet.");
    const findings = new Findings();
    let largest: { readonly name: string; readonly bytes: number } | undefined;
    for (const record of records) {
      const bytes = items(context, findings, record);
      if (bytes !== undefined && bytes > (largest?.bytes ?? 0)) {
        largest = { name: record.name, bytes };
      }
      keys(findings, record);
    }
    collections(context, findings);
    transactions(context, findings);
    findings.saw(
      `${counted(records.length, "kind")} of items${largest === undefined ? "" : `; the largest is ${largest.name} with up to ${bytesText(largest.bytes)} of ${bytesText(itemSizeBytesMax)}`}.`,
    );
    return findings.outcome();
  },
};

/** The most that an item can have, as far as it is bounded. */
function items(
  { facts, model }: CheckContext,
  findings: Findings,
  record: StoredRecord,
): number | undefined {
  const { entity, table, name, role } = record;
  if (role === "item") {
    for (const { content } of record.attributes) {
      if (content.kind === "attribute") {
        const { elements, path, name: own } = content.attribute;
        if (elements !== undefined && elements.max === undefined) {
          findings.open(
            path,
            `How many elements can ${entity.name}.${own} have? Without a bound an item outgrows ${bytesText(itemSizeBytesMax)}. (elements.max)`,
          );
        }
      } else if (content.kind === "embedded") {
        const inner = content.entity.name;
        const relation = model.relations.find(
          ({ from, to }) => from === entity.name && to === inner,
        );
        if (relation?.max === undefined && relation?.kind !== "one-to-one") {
          findings.open(
            relation?.path ?? content.entity.path,
            `How many ${inner} can one ${entity.name} hold? They lie inside its item. (max)`,
          );
        }
      }
    }
  }
  const size = facts.sizes.item(record);
  if (size === undefined) return undefined;
  const most = size.max + grown(record);
  if (most > itemSizeBytesMax) {
    const share = size.probabilityAbove(itemSizeBytesMax);
    findings.wrong(
      entity.path,
      `${name} in ${table.name} can have ${bytesText(most)} (${bytesText(size.mean)} on average${share > 0 ? `; ${numberText(share * 100)} % are too large` : ""}); an item has at most ${bytesText(itemSizeBytesMax)}.`,
    );
  }
  return most;
}

/** What lists can have beyond their average. */
function grown({ attributes }: StoredRecord): number {
  return attributes.reduce((sum, { content }) => {
    if (content.kind !== "attribute") return sum;
    const { elements, size } = content.attribute;
    if (elements?.max === undefined || size === undefined) return sum;
    const { distribution: one } = size;
    const bytes =
      one.kind === "fixed"
        ? one.bytes
        : one.kind === "uniform"
          ? one.max
          : Math.max(...one.shares.map((share) => share.bytes));
    return sum + Math.max(0, elements.max.value - elements.average.value) * (bytes + 1);
  }, 0);
}

function keys(findings: Findings, record: StoredRecord): void {
  for (const { role, index, bytes } of longKeysOf(record)) {
    const own = record.key[role === "partition" ? 0 : 1];
    const membership = record.memberships.find((one) => one.index.name === index);
    const parts = membership?.[role] ?? [];
    const names =
      membership === undefined ? own?.attribute : parts.map(({ attribute }) => attribute.name);
    const where = index === undefined ? "" : ` in ${index}`;
    findings.wrong(
      membership?.index.path ?? own?.path ?? record.table.path,
      `${listText([names ?? []].flat())} of ${record.name}${where} can have ${bytesText(bytes)}; at most ${bytesText(keyBytesMax[role])} are allowed.`,
    );
  }
}

/** With a local index, all items under one partition key stay below 10 GB. */
function collections({ tables, facts }: CheckContext, findings: Findings): void {
  for (const table of tables) {
    if (![...table.indexes.values()].some(({ local }) => local)) continue;
    for (const record of facts.records) {
      if (record.table !== table) continue;
      const [partition] = record.key;
      const names = partition?.text.segments.flatMap((one) =>
        one.kind === "attribute" ? [one.attribute] : [],
      );
      const per = facts.cardinality.itemsPer(record.entity, names ?? []);
      const size = facts.sizes.item(record);
      if (per === undefined || size === undefined) continue;
      const bytes = per.value * size.mean * (1 + record.memberships.length);
      const says = `The ${record.name} under one key of ${table.name} have ${bytesText(bytes)}`;
      if (bytes > itemCollectionBytesMax) {
        findings.wrong(
          table.path,
          `${says}; with a local index at most ${bytesText(itemCollectionBytesMax)}.`,
        );
      } else
        findings.saw(`${says} of ${bytesText(itemCollectionBytesMax)} that a local index allows.`);
    }
  }
}

function transactions(context: CheckContext, findings: Findings): void {
  for (const pattern of context.served) {
    for (const request of context.writes(pattern)) {
      const over = transactionOverflow(context.facts, request);
      if (over === undefined) continue;
      const { what, amount, most } = over;
      findings.wrong(
        pattern.path,
        what === "items"
          ? `${patternName(pattern)} writes ${numberText(amount)} items at once; a transaction has at most ${most}.`
          : `${patternName(pattern)} writes ${bytesText(amount)} at once; a transaction has at most ${bytesText(most)}.`,
      );
    }
  }
}
