import type { Attribute } from "../../../model/requirements.ts";
import type { KeySide } from "../keys.ts";
import type { Rule } from "../rule.ts";

export const unpaddedNumber: Rule = {
  id: "unpadded-number",
  severity: "warning",
  title: "A number stands in a sort key of text without zeros before it, so 10 comes before 2.",
  topic: "sorting",
  *check({ keys }) {
    for (const { sort, entity, what } of keys) {
      for (const side of sort) {
        if (side.text.native !== undefined) continue;
        for (const segment of side.text.segments) {
          if (segment.kind !== "attribute" || segment.transforms.length > 0) continue;
          const attribute = entity.attributes.get(segment.attribute);
          if (attribute?.type !== "N") continue;
          if (hasOneLength(attribute)) continue;
          const digits = attribute.digits ?? 10;
          const known = attribute.digits === undefined ? "(assumed)" : "(given)";
          yield {
            path: side.path,
            message: `${attribute.name} in ${what} is a number in a text without zeros before it.`,
            evidence: `Texts are compared byte by byte, so 10 comes before 2; ${attribute.name} has up to ${digits} digits ${known}.`,
            cure: attribute.canBeNegative
              ? `Make ${attribute.name} a sort key of type N by itself: a number that can be negative is not padded.`
              : `Write {${attribute.name}|pad:${digits}}, with as many digits as the largest number ever has.`,
            fix: attribute.canBeNegative ? undefined : fixOf(side, attribute.name, digits),
          };
        }
      }
    }
  },
};

/** All epochs of our time have as many digits; so may the only values that there are. */
function hasOneLength({ format, digits, values }: Attribute): boolean {
  if (format !== undefined || digits === 1) return true;
  return (
    values !== undefined && new Set(values.map(({ value }) => String(value).length)).size === 1
  );
}

function fixOf(side: KeySide, name: string, digits: number) {
  if (!side.written) return undefined;
  const value = side.text.text.replaceAll(`{${name}}`, `{${name}|pad:${digits}}`);
  return {
    what: `pads ${name} to ${digits} digits`,
    edits: [{ kind: "set" as const, path: side.path, value }],
  };
}
