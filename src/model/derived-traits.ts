/** What the whole document states of an attribute, beside its own members: that it is optional, that it can be negative. */
import type { PatternDocument, StepDocument } from "./document-requirements.ts";
import type { ModelDocument } from "./model-document.ts";
import { quantity } from "./quantities.ts";
import { entriesOf } from "./reading.ts";

/** Names of attributes, such as `Order.note`. */
export interface Traits {
  /** Some items do not have it. */
  readonly optional: ReadonlySet<string>;
  /** A negative value of it is stated. */
  readonly negative: ReadonlySet<string>;
}

export function traitsIn(document: ModelDocument): Traits {
  const optional = new Set<string>();
  const negative = new Set<string>();
  for (const [, pattern] of entriesOf(document.patterns)) {
    if (pattern.status === "declined" || pattern.status === "alternative") continue;
    for (const step of [pattern, ...(pattern.transaction ?? [])]) {
      for (const name of step.removes ?? []) optional.add(`${step.update}.${name}`);
    }
    for (const place of negativeIn(pattern)) negative.add(place);
  }
  const copies: (readonly [string, string])[] = [];
  const references: (readonly [string, string])[] = [];
  for (const [entity, { attributes }] of entriesOf(document.entities)) {
    for (const [name, { type, present, values, copyOf, refersTo }] of entriesOf(attributes)) {
      const place = `${entity}.${name}`;
      if (present !== undefined && quantity(present).value < 1) optional.add(place);
      const listed = Array.isArray(values) ? values : Object.keys(values ?? {});
      if (type === "N" && listed.some((value) => Number(value) < 0)) negative.add(place);
      if (copyOf !== undefined) copies.push([place, copyOf]);
      if (refersTo !== undefined) references.push([place, refersTo]);
    }
  }
  addCopies(optional, copies);
  addCopies(negative, [...copies, ...references]);
  return { optional, negative };
}

/** A copy may repeat a copy, so this is done until nothing is added. */
function addCopies(
  places: Set<string>,
  copies: readonly (readonly [copy: string, source: string])[],
): void {
  const isNew = ([copy, source]: readonly [string, string]): boolean =>
    places.has(source) && !places.has(copy);
  for (let next = copies.find(isNew); next !== undefined; next = copies.find(isNew)) {
    places.add(next[0]);
  }
}

/** Attributes that a pattern compares with a negative number or sets to one. */
function negativeIn({ together = [], transaction = [], ...own }: PatternDocument) {
  const parents = together.flatMap((one) => (typeof one === "string" ? [] : [one]));
  const places = [own, ...transaction].flatMap((step): readonly (readonly [string, unknown])[] =>
    [step.where, step.condition, step.changes].map((one) => [entityOf(step), one] as const),
  );
  return [...places, ...parents.map(({ entity, where }) => [entity, where] as const)].flatMap(
    ([entity, stated]) =>
      typeof stated === "object" && stated !== null
        ? Object.entries(stated).flatMap(([name, value]) =>
            hasNegative(value) ? [`${entity}.${name}`] : [],
          )
        : [],
  );
}

function entityOf({ read, create, update, delete: deleted, ...step }: StepDocument): string {
  return read ?? create ?? update ?? deleted ?? step.check ?? "";
}

function hasNegative(value: unknown): boolean {
  if (typeof value === "number") return value < 0;
  return typeof value === "object" && value !== null && Object.values(value).some(hasNegative);
}
