import type { Attribute } from "../../../model/requirements.ts";
import type { KeyComponent } from "../key-fit.ts";
import { componentsOf } from "../key-fit.ts";
import type { Rule } from "../rule.ts";
import { rateText, sumOf } from "../traffic.ts";

/** So many writes per second any key takes. */
const quietRate = 50;

export const monotonicPartitionKey: Rule = {
  id: "monotonic-partition-key",
  severity: "warning",
  title: "A partition key is a date alone, so all writes of the present go to one key.",
  topic: "monotonic-keys",
  *check(context) {
    for (const { entity, partition, what, path, kind } of context.keys) {
      const parts = componentsOf(partition);
      const [part] = parts;
      const isSharded = partition.some(({ text }) =>
        text.segments.some((segment) => segment.kind === "shard"),
      );
      if (part === undefined || isSharded || kind === "unique") continue;
      if (!parts.every((one) => isPeriod(one, entity.attributes.get(one.attribute)))) continue;
      const { peak, whole } = sumOf(
        context.writesOf(entity.name).filter(({ action }) => action.kind === "create"),
      );
      if (whole && peak.value < quietRate) continue;
      yield {
        path: part.side.path ?? path,
        severity: whole ? "warning" : "hint",
        message: `The partition key in ${what} is the period of ${part.attribute} alone.`,
        evidence: `At peak ${rateText(peak)}${whole ? "" : " or more (not all rates are known)"} are created, all under the key of the present period; one key takes at most 1,000 write units per second.`,
        cure: `Put what the items belong to before the period, or spread it with a shard such as {${part.attribute}|day}#{shard:10}.`,
      };
    }
  },
};

/** A time that many items have in common. */
function isPeriod({ transforms }: KeyComponent, attribute: Attribute | undefined): boolean {
  return attribute?.format === "iso-date" || transforms.some(({ kind }) => kind === "truncate");
}
