import type { Action, Entity, Pattern } from "../../../model/requirements.ts";
import { isEquality } from "../key-fit.ts";
import type { Rule } from "../rule.ts";
import { numberText } from "../words.ts";

/** DynamoDB deletes what has expired within a few days: of what is kept for long, that is little. */
const longMs = 7 * 86_400_000;

export const ttlTrusted: Rule = {
  id: "ttl-trusted",
  severity: "warning",
  title: "A read trusts that expired items are gone, but DynamoDB deletes them days later.",
  topic: "ttl",
  *check(context) {
    for (const { ttl, name: table } of context.tables) {
      for (const entityName of ttl?.entities ?? []) {
        const entity = context.model.entities.get(entityName);
        if (ttl === undefined || entity === undefined || isLong(entity)) continue;
        for (const { pattern, action } of context.readsOf(entityName)) {
          const looks = action.where.some(({ attribute }) => attribute === ttl.attribute);
          if (looks || mentions(pattern, ttl.attribute)) continue;
          yield {
            path: action.path,
            // Whoever asks for one item asks whether it is valid; in a list it is one among many.
            severity: isLookUp(entity, action) ? "warning" : "hint",
            message: `Pattern ${pattern.id} reads ${entityName} of ${table} without a look at ${ttl.attribute}.`,
            evidence: `${kept(entity)}; DynamoDB deletes expired items some time later, commonly within two days, and until then reads find them.`,
            cure: `Compare ${ttl.attribute} with the time of the read: as a condition in where, or in the code, which a consideration of the pattern should then say.`,
          };
        }
      }
    }
  },
};

function isLookUp({ id }: Entity, { where }: Action): boolean {
  return id.every((name) => where.some((one) => one.attribute === name && isEquality(one)));
}

function isLong({ retentionMs }: Entity): boolean {
  return retentionMs !== undefined && retentionMs > longMs;
}

function kept({ name, retentionMs }: Entity): string {
  if (retentionMs === undefined) return `Nothing says how long a ${name} is valid`;
  return `A ${name} is kept for ${numberText(retentionMs / 3_600_000)} hours`;
}

/** Somebody has thought of it and said so. */
function mentions({ considerations, requirements }: Pattern, attribute: string): boolean {
  return [...considerations, ...requirements].some(
    (text) => text.includes(attribute) || /expir/i.test(text),
  );
}
