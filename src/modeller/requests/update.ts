import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Attribute } from "../../model/requirements.ts";
import { remadeKeys } from "../plans/index-keys.ts";
import { touchedBy, type WriteAction } from "../plans/plan.ts";
import { isInIndex } from "../values/item-of.ts";
import { type EntityValues, renderKey } from "../values/render-key.ts";
import { boundValue, type Sources } from "./combinations.ts";
import type { Placeholders, StoredPath } from "./expression.ts";
import { MissingValueError } from "./given.ts";
import type { Found, Run } from "./run.ts";
import { storedName } from "./stored-names.ts";
import { changed, signed } from "./write.ts";

/** One change of an attribute, by its name in the table. */
export type UpdateStep<V> =
  | { readonly kind: "set"; readonly name: StoredPath; readonly value: V }
  | { readonly kind: "add"; readonly name: string; readonly value: V }
  /** The same inside of an attribute, where nothing can be added by the word. */
  | { readonly kind: "raise"; readonly name: StoredPath; readonly zero: V; readonly value: V }
  /** A list gets more elements, or is begun. */
  | { readonly kind: "append"; readonly name: StoredPath; readonly empty: V; readonly value: V }
  | { readonly kind: "remove"; readonly name: StoredPath };

/** Changes as the service writes them. */
export function updateExpression<V>(
  steps: readonly UpdateStep<V>[],
  placeholders: Placeholders<V>,
): string {
  const sets: string[] = [];
  const adds: string[] = [];
  const removes: string[] = [];
  for (const step of steps) {
    const name = placeholders.name(step.name);
    if (step.kind === "remove") removes.push(name);
    else if (step.kind === "add") adds.push(`${name} ${placeholders.value(step.value)}`);
    else if (step.kind === "set") sets.push(`${name} = ${placeholders.value(step.value)}`);
    else if (step.kind === "raise") {
      const zero = placeholders.value(step.zero);
      const value = placeholders.value(step.value);
      sets.push(`${name} = if_not_exists(${name}, ${zero}) + ${value}`);
    } else {
      const empty = placeholders.value(step.empty);
      const value = placeholders.value(step.value);
      sets.push(`${name} = list_append(if_not_exists(${name}, ${empty}), ${value})`);
    }
  }
  return [
    ...(sets.length === 0 ? [] : [`SET ${sets.join(", ")}`]),
    ...(removes.length === 0 ? [] : [`REMOVE ${removes.join(", ")}`]),
    ...(adds.length === 0 ? [] : [`ADD ${adds.join(", ")}`]),
  ].join(" ");
}

/** What is added to an aggregate. */
export interface CountStep {
  readonly kind: "add";
  readonly name: string;
  readonly value: { readonly N: string };
}

/** What an update adds to numbers. */
export function countSteps(
  { record, changes }: WriteAction,
  sources: Sources,
  from: Found | undefined,
): readonly CountStep[] {
  return changes.adds.map(({ attribute, amount, by }) => {
    const described = record.entity.attributes.get(attribute) as Attribute;
    const step = by && boundValue(described, by, sources, from);
    // A value that is not there counts as nothing.
    const isMissing = by !== undefined && step === undefined;
    const number =
      step !== undefined && "N" in step ? signed(step.N, amount) : String(isMissing ? 0 : amount);
    return { kind: "add", name: storedName(record, attribute) ?? attribute, value: { N: number } };
  });
}

/** What an update does: its changes, and the keys of indexes that follow from them. */
export function updateSteps(
  action: WriteAction,
  known: EntityValues,
  sources: Sources,
  from: Found | undefined,
  run: Run,
): readonly UpdateStep<AttributeValue>[] {
  const { record, changes } = action;
  const { attributes } = record.entity;
  const steps: UpdateStep<AttributeValue>[] = [];
  const nameOf = (attribute: string): string => storedName(record, attribute) ?? attribute;
  for (const { attribute, to } of changes.sets) {
    const value = boundValue(attributes.get(attribute) as Attribute, to, sources, from);
    if (value === undefined) throw new MissingValueError(`the new ${attribute} is not given`);
    steps.push({ kind: "set", name: nameOf(attribute), value });
  }
  steps.push(...countSteps(action, sources, from));
  for (const attribute of changes.appends) {
    const value = appended(action, attribute, sources);
    const name = attributes.has(attribute) ? nameOf(attribute) : attribute;
    if ("L" in value) steps.push({ kind: "append", name, empty: { L: [] }, value });
    else steps.push({ kind: "add", name, value });
  }
  for (const attribute of changes.removes) steps.push({ kind: "remove", name: nameOf(attribute) });
  for (const mark of partMarks(action)) {
    const value = "text" in mark ? { S: mark.text } : known.get(mark.id);
    if (value !== undefined) steps.push({ kind: "set", name: mark.name, value });
  }
  const keys = indexKeys(action, changed(action, known, sources, from), run);
  for (const { name, value } of keys) {
    if (value === undefined) steps.push({ kind: "remove", name });
    else steps.push({ kind: "set", name, value });
  }
  return steps;
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
  const { of, record } = action;
  const [value] = given.parameters.get(attribute) ?? [];
  if (value !== undefined) return value;
  if (item !== undefined && of !== record.entity.name) {
    const links = linksIn(action);
    return { L: [{ M: Object.fromEntries([...item].filter(([name]) => !links.has(name))) }] };
  }
  throw new MissingValueError(`what is appended to ${attribute} is not given`);
}

/** Key attributes of indexes that change with the item: their new values, or nothing if they go. */
function indexKeys(
  { record, changes }: WriteAction,
  after: EntityValues,
  { given: { writing } }: Run,
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
