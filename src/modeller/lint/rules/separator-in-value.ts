import type { Attribute, Entity } from "../../../model/requirements.ts";
import type { Rule } from "../rule.ts";

export const separatorInValue: Rule = {
  id: "separator-in-value",
  severity: "warning",
  title: "A free text stands before a separator that it may contain itself.",
  topic: "composite-sort-key",
  *check({ keys }) {
    for (const { entity, partition, sort, what } of keys) {
      for (const side of [...partition, ...sort]) {
        const { segments } = side.text;
        for (const [i, segment] of segments.entries()) {
          const [separator, next] = [segments[i + 1], segments[i + 2]];
          if (segment.kind !== "attribute" || separator?.kind !== "text") continue;
          const attribute = entity.attributes.get(segment.attribute);
          if (next?.kind !== "attribute" || !isFree(attribute, entity)) continue;
          const follower = entity.attributes.get(next.attribute);
          if (!isOpenEnded(follower, next.transforms.length > 0)) continue;
          yield {
            path: side.path,
            message: `${attribute.name} in ${what} may contain '${separator.text}', which ends it there.`,
            evidence: `${attribute.name} is free text, and ${next.attribute} behind it has no fixed length: 'a${separator.text}b' with 'c' and 'a' with 'b${separator.text}c' make the same key.`,
            cure: `Put ${attribute.name} last, escape '${separator.text}' in it, or use an index with several key attributes.`,
          };
        }
      }
    }
  },
};

/** Nobody has said what can be in it. Ids are given out or checked by whoever makes them. */
function isFree(attribute: Attribute | undefined, { id }: Entity): attribute is Attribute {
  if (attribute?.type !== "S" || attribute.format !== undefined) return false;
  if (attribute.values !== undefined || attribute.distinct !== undefined) return false;
  return attribute.personal || !id.includes(attribute.name);
}

function isOpenEnded(attribute: Attribute | undefined, isTransformed: boolean): boolean {
  if (attribute === undefined || attribute.format !== undefined) return false;
  if (attribute.values !== undefined || attribute.distinct !== undefined) return false;
  return attribute.type === "S" || !isTransformed;
}
