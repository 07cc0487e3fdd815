import type { AttributeValue } from "../../item/attribute-value.ts";
import { addNumbers } from "../../item/number.ts";
import { compareMembers, type SetType } from "../../item/set.ts";
import type { Attribute } from "../../model/requirements.ts";
import { remadeKeys } from "../plans/index-keys.ts";
import { touchedBy, type WriteAction } from "../plans/plan.ts";
import { mapOf } from "../values/embedded.ts";
import { isInIndex } from "../values/item-of.ts";
import { type EntityValues, renderKey } from "../values/render-key.ts";
import { boundValue, type Sources } from "./combinations.ts";
import type { StoredPath, UpdateStep } from "./expression.ts";
import { MissingValueError } from "./given.ts";
import type { Added } from "./members.ts";
import { innerPath, storedName } from "./stored-names.ts";

/** What an update adds to each number. */
export function addedBy(
  { record, inner, ...own }: Pick<WriteAction, "record" | "inner" | "changes">,
  sources: Sources,
): Added {
  const { attributes } = (inner ?? record).entity;
  const sums = new Map<string, string>();
  for (const { attribute, amount, by } of (inner ?? own).changes.adds) {
    const value = by && boundValue(attributes.get(attribute) as Attribute, by, sources);
    // A value that is missing counts as nothing.
    if (by !== undefined && value === undefined) continue;
    const before = sums.get(attribute);
    sums.set(attribute, sumOf(before === undefined ? undefined : { N: before }, amount, value).N);
  }
  return sums;
}

/** What an update does: its changes, and the keys of indexes that follow from them. */
export function updateSteps(
  action: WriteAction,
  known: EntityValues,
  sources: Sources,
  added: Added = addedBy(action, sources),
): readonly UpdateStep[] {
  const { record, inner } = action;
  if (inner !== undefined) {
    const path = innerPath(inner, sources);
    if (inner.kind === "delete") return [{ kind: "remove", name: path }];
    if (inner.kind === "create") {
      return [{ kind: "set", name: path, value: mapInside(action, sources.item ?? new Map()) }];
    }
    return changeSteps(action, sources, added, (attribute) => [...path, attribute]);
  }
  const steps = [
    ...changeSteps(action, sources, added, (name) => storedName(record, name) ?? name),
  ];
  for (const mark of partMarks(action)) {
    const value = "text" in mark ? { S: mark.text } : known.get(mark.id);
    if (value !== undefined) steps.push({ kind: "set", name: mark.name, value });
  }
  for (const { name, value } of indexKeys(
    action,
    changed(action, known, sources, added),
    sources,
  )) {
    steps.push(value === undefined ? { kind: "remove", name } : { kind: "set", name, value });
  }
  return steps;
}

/** The changes that a pattern states, of an item or of what lies inside of it. */
function changeSteps(
  action: WriteAction,
  sources: Sources,
  added: Added,
  placeOf: (attribute: string) => StoredPath,
): readonly UpdateStep[] {
  const { inner, record } = action;
  const { sets, appends, removes } = (inner ?? action).changes;
  const { attributes } = (inner ?? record).entity;
  return [
    ...sets.map(({ attribute, to }): UpdateStep => {
      const value = boundValue(attributes.get(attribute) as Attribute, to, sources);
      if (value === undefined) throw new MissingValueError(`the new ${attribute} is not given`);
      return { kind: "set", name: placeOf(attribute), value };
    }),
    ...[...added].map(([attribute, N]): UpdateStep => {
      // Inside of an attribute nothing can be added by the word.
      const kind = inner === undefined ? "add" : "raise";
      return { kind, name: placeOf(attribute), value: { N } };
    }),
    ...appends.map((attribute): UpdateStep => {
      const value = appended(action, attribute, sources);
      return { kind: "L" in value ? "append" : "add", name: placeOf(attribute), value };
    }),
    ...removes.map((attribute): UpdateStep => ({ kind: "remove", name: placeOf(attribute) })),
  ];
}

/** What a part says of itself besides its key: its kind, or a part of the id of what it belongs to. */
export type PartMark =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly id: string };

/**
 * A part that is not there yet is made by its first change, so a change of one also says what it is: its kind, and the
 * id of what it is a part of.
 */
export function partMarks({ record, changes }: WriteAction): readonly PartMark[] {
  if (record.role !== "split") return [];
  const keys = new Set(record.key.map(({ attribute }) => attribute));
  const touched = touchedBy(changes);
  return record.attributes.flatMap(({ name, content }): readonly PartMark[] => {
    if (keys.has(name)) return [];
    if (content.kind === "text") return [{ name, text: content.text }];
    if (content.kind !== "attribute" || touched.has(content.attribute.name)) return [];
    const isId = record.entity.id.includes(content.attribute.name);
    return isId ? [{ name, id: content.attribute.name }] : [];
  });
}

/** Attributes of what goes into a list that say whose it is: inside of it that need not be said. */
export function linksIn({ bindings }: WriteAction): ReadonlySet<string> {
  return new Set(
    [...bindings.values()].flatMap((one) => (one.kind === "item" ? [one.attribute] : [])),
  );
}

/** What is appended: a parameter with the attribute's name, or the entity that goes into the list. */
function appended(
  action: WriteAction,
  attribute: string,
  { given, item }: Sources,
): AttributeValue {
  const [value] = given.parameters.get(attribute) ?? [];
  if (value !== undefined) return value;
  if (item !== undefined && action.of !== action.record.entity.name) {
    return { L: [mapInside(action, item)] };
  }
  throw new MissingValueError(`what is appended to ${attribute} is not given`);
}

/** An entity as it lies inside of an item. */
function mapInside(action: WriteAction, values: EntityValues): AttributeValue {
  const links = linksIn(action);
  return { M: mapOf([...values].filter(([name]) => !links.has(name))) };
}

/** Key attributes of indexes that change with the item: their new values, or nothing if they go. */
function indexKeys(
  { record, changes }: WriteAction,
  after: EntityValues,
  { given: { writing } }: Sources,
): readonly { readonly name: string; readonly value: AttributeValue | undefined }[] {
  const { entity } = record;
  return remadeKeys(record, changes).flatMap(({ membership, made, texts, isDecided }) => {
    const isIn = isInIndex(entity, membership.only, texts, after, writing);
    if (!isIn && !isDecided) return [];
    return made.map(({ name, text }) => ({
      name,
      value: isIn ? renderKey(text, { entity, values: after, writing }) : undefined,
    }));
  });
}

/** The values after a change, for items that are put anew. */
export function changed(
  action: WriteAction,
  before: EntityValues,
  sources: Sources,
  added: Added = addedBy(action, sources),
): EntityValues {
  const { changes, record } = action;
  const after = new Map(before);
  const { attributes } = record.entity;
  for (const { attribute, to } of changes.sets) {
    const value = boundValue(attributes.get(attribute) as Attribute, to, sources);
    if (value !== undefined) after.set(attribute, value);
  }
  for (const [attribute, N] of added) {
    after.set(attribute, sumOf(after.get(attribute), 1, { N }));
  }
  for (const attribute of changes.appends.filter((one) => attributes.has(one))) {
    after.set(attribute, joined(after.get(attribute), appended(action, attribute, sources)));
  }
  for (const attribute of changes.removes) after.delete(attribute);
  return after;
}

/** A list with more elements at its end, or a set with more members. */
function joined(before: AttributeValue | undefined, more: AttributeValue): AttributeValue {
  if (before === undefined) return more;
  if ("L" in before && "L" in more) return { L: [...before.L, ...more.L] };
  const merged = (type: SetType, one: readonly string[], other: readonly string[]) => [
    ...one,
    ...other.filter((member) => one.every((known) => compareMembers(type, known, member) !== 0)),
  ];
  if ("SS" in before && "SS" in more) return { SS: merged("SS", before.SS, more.SS) };
  if ("NS" in before && "NS" in more) return { NS: merged("NS", before.NS, more.NS) };
  if ("BS" in before && "BS" in more) return { BS: merged("BS", before.BS, more.BS) };
  return more;
}

/** A number and so often another one. */
export function sumOf(
  before: AttributeValue | undefined,
  amount: number,
  step: AttributeValue | undefined,
): { readonly N: string } {
  const start = before !== undefined && "N" in before ? before.N : "0";
  const by = step !== undefined && "N" in step ? signed(step.N, amount) : String(amount);
  const sum = addNumbers(start, by);
  if (typeof sum !== "string") throw new MissingValueError(`${start} and ${by} cannot be added`);
  return { N: sum };
}

/** Amounts beside a value are 1 or -1: it comes or goes. */
function signed(number: string, amount: number): string {
  if (amount >= 0) return number;
  return number.startsWith("-") ? number.slice(1) : `-${number}`;
}
