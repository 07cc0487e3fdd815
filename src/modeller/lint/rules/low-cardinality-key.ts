import { componentsOf, fitOf } from "../key-fit.ts";
import type { EntityKey } from "../keys.ts";
import type { LintContext } from "../lint-context.ts";
import type { Rule } from "../rule.ts";
import { rateText, sumOf } from "../traffic.ts";
import { counted, shareText } from "../words.ts";

/** Fewer different keys than this do not spread anything. */
const fewKeys = 100;
/** A third of what one key can take: below that, few keys do no harm. */
const writesMax = 300;
const readsMax = 1_000;

export const lowCardinalityKey: Rule = {
  id: "low-cardinality-key",
  severity: "warning",
  title: "A partition key has so few values that single keys get much of the traffic.",
  topic: "partition-key",
  *check(context) {
    for (const key of context.keys) {
      const spread = spreadOf(context, key);
      if (spread === undefined || spread.keys >= fewKeys) continue;
      const { entity, partition, what, path } = key;
      const writes = sumOf(context.writesOf(entity.name)).peak;
      const reads = sumOf(
        context.readsOf(entity.name).filter(({ action }) => fitOf(key, action.where).partition),
      ).peak;
      const hot = { writes: writes.value * spread.hottest, reads: reads.value * spread.hottest };
      if (hot.writes <= writesMax && hot.reads <= readsMax) continue;
      yield {
        path: partition[0]?.path ?? path,
        message: `The partition key in ${what} has only ${counted(spread.keys, "value")}${spread.assumed ? " (assumed)" : ""}.`,
        evidence: `The most frequent value has ${shareText(spread.hottest)} of the items: at peak ${rateText({ ...writes, value: hot.writes })} are written and ${rateText({ ...reads, value: hot.reads })} are read under it, where 1,000 and 3,000 units are the most.`,
        cure: "Put an attribute with many values into the partition key, or spread each value with a shard such as {shard:10}.",
      };
    }
  },
};

/** How many keys there are and how much the most frequent has, where every part of it is known. */
function spreadOf(
  { facts }: LintContext,
  { entity, partition }: EntityKey,
): { keys: number; hottest: number; assumed: boolean } | undefined {
  let [keys, hottest, assumed] = [1, 1, false];
  const parts = componentsOf(partition);
  if (parts.length === 0) return undefined;
  for (const { attribute: name, transforms } of parts) {
    const attribute = entity.attributes.get(name);
    const distinct = attribute && facts.cardinality.distinct(entity, attribute);
    if (attribute === undefined || distinct === undefined) return undefined;
    if (transforms.some(({ kind }) => kind === "truncate")) return undefined;
    keys *= distinct.value;
    assumed ||= distinct.assumed;
    const shares = attribute.values?.map(({ share }) => share);
    const skew = attribute.skew?.kind === "hottest" ? attribute.skew.value.value : undefined;
    hottest *= skew ?? (shares === undefined ? 1 / distinct.value : Math.max(...shares));
  }
  for (const { text } of partition) {
    for (const segment of text.segments) {
      if (segment.kind !== "shard") continue;
      keys *= segment.count;
      hottest /= segment.count;
    }
  }
  return { keys, hottest, assumed };
}
