import { memoized } from "../../base/memoized.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Membership, StoredAttribute, StoredRecord } from "../records/record.ts";
import { constantsIn, holdsFor, needsValue } from "../records/shares.ts";
import type { Ask } from "./ask.ts";

/** What an item or an index entry holds of an entity, and which items a sparse index leaves out. */

/** The entity's attributes that a stored attribute holds as they are. */
export function attributeName({ content }: StoredAttribute): readonly string[] {
  if (content.kind === "attribute") return [content.attribute.name];
  return content.kind === "key" && content.text.native !== undefined ? [content.text.native] : [];
}

/** The attributes of the entity that some stored attributes hold. Every access path asks this of the same lists. */
export const heldBy = memoized(
  (attributes: readonly StoredAttribute[]): ReadonlySet<string> =>
    new Set(attributes.flatMap(attributeName)),
);

/** The items that attributes of an entity were split out into. */
export function partsOf(
  facts: Facts,
  { entity, table, role }: StoredRecord,
): readonly StoredRecord[] {
  if (role !== "item") return [];
  return facts.records.filter(
    (one) => one.role === "split" && one.entity === entity && one.table === table,
  );
}

/** Whether a sparse index leaves out items that are asked for. */
export function leavesOut(
  { only, optional, index }: Membership,
  ask: Ask,
): { readonly refused?: string; readonly note?: string } {
  const about = (name: string): readonly Predicate[] =>
    ask.where.filter((one) => one.attribute === name && needsValue(one));
  for (const { name } of optional) {
    if (about(name).length === 0 && !ask.known.has(name)) {
      return { refused: `leaves out items without ${name}` };
    }
  }
  let note: string | undefined;
  for (const condition of only) {
    const asked = about(condition.attribute);
    if (asked.some((predicate) => implies(predicate, condition))) continue;
    const byParameter = asked.some(
      ({ operator, operands }) =>
        (operator === "equals" || operator === "one-of") &&
        operands.every(({ kind }) => kind === "parameter"),
    );
    if (!byParameter) return { refused: `holds only items with a certain ${condition.attribute}` };
    const values = constantsIn(condition.operands).join(", ");
    note = `${index.name} answers only for ${condition.attribute} ${values}.`;
  }
  return note === undefined ? {} : { note };
}

/** Whether every value that fulfils the first predicate fulfils the second one. */
function implies(asked: Predicate, condition: Predicate): boolean {
  if (condition.operator === "exists") return condition.exists && needsValue(asked);
  const holds = holdsFor(condition);
  if (holds === undefined) return false;
  const values = constantsIn(asked.operands);
  const isListed = asked.operator === "equals" || asked.operator === "one-of";
  if (isListed) return values.length === asked.operands.length && values.every(holds);
  return JSON.stringify(asked) === JSON.stringify(condition);
}

/** A condition that every entry of the index fulfils. */
export function isImplied(predicate: Predicate, membership: Membership | undefined): boolean {
  if (membership === undefined) return false;
  if (predicate.operator === "exists" && predicate.exists) {
    if (membership.optional.some(({ name }) => name === predicate.attribute)) return true;
  }
  return membership.only.some((condition) => implies(condition, predicate));
}
