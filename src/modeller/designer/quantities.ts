import type { Model } from "../../model/model.ts";
import type { Entity, Pattern, Relation } from "../../model/requirements.ts";

/** A number of the requirements that could be another one. */
export interface Quantity {
  /** As it is tried out: `7.rps.average`. */
  readonly path: string;
  readonly value: number;
  /** There are no halves of it. */
  readonly whole: boolean;
  /** The most that it can be. */
  readonly most: number;
  /** In words, beyond a value: `Pattern 7 above 500 a second`. */
  readonly words: (value: string, direction: "above" | "below") => string;
  /** The requirements if it were another number. */
  readonly changed: (value: number) => Model;
  /** The pattern whose cost grows with it, if that is all that it changes in prices; "nothing" if it changes none. */
  readonly scales: string | "nothing" | undefined;
  /** How far it is followed, as factors: the nearest first. */
  readonly steps: readonly number[];
}

const near: readonly number[] = [1.5, 2, 4, 10];
const far: readonly number[] = [1_000];
const farInSteps: readonly number[] = [2, 5, 20, 100, 1_000];

/** The numbers of some entities and their patterns that a design may hang on. */
export function quantitiesOf(
  model: Model,
  entities: readonly string[],
  patterns: readonly Pattern[],
): readonly Quantity[] {
  return [
    ...patterns.flatMap((one) => rateOf(model, one)),
    ...entities.flatMap((name) => sizeOf(model, model.entities.get(name))),
    ...model.relations
      .filter(({ from, to }) => entities.includes(from) || entities.includes(to))
      .flatMap((one) => averageOf(model, one)),
    ...patterns.flatMap((one) => skewOf(model, one)),
  ];
}

function rateOf(model: Model, pattern: Pattern): readonly Quantity[] {
  const { id, rps } = pattern;
  const value = rps.average?.value ?? 0;
  if (value === 0) return [];
  return [
    {
      path: `${id}.rps.average`,
      value,
      whole: false,
      most: Number.POSITIVE_INFINITY,
      words: (text, direction) => `Pattern ${id} ${direction} ${text} a second`,
      changed: (average) =>
        withPattern(model, {
          ...pattern,
          rps: { ...rps, average: { value: average, assumed: false } },
        }),
      scales: id,
      // Prices are straight lines, so a design that is the best at two rates is the best between them; a peak that
      // follows the average is not.
      steps: rps.peak === undefined ? farInSteps : far,
    },
  ];
}

/** The largest attribute of an entity that is always as large: what others hold is mostly in its shadow. */
function sizeOf(model: Model, entity: Entity | undefined): readonly Quantity[] {
  const sizes = [...(entity?.attributes.values() ?? [])].flatMap(({ name, size, elements }) => {
    const isTold = size?.from !== "derived" && elements === undefined;
    if (size?.distribution.kind !== "fixed" || !isTold || entity?.id.includes(name)) return [];
    return [{ name, bytes: size.distribution.bytes }];
  });
  const [largest] = sizes.toSorted((a, b) => b.bytes - a.bytes);
  if (entity === undefined || largest === undefined || largest.bytes === 0) return [];
  const { name, bytes } = largest;
  return [
    {
      path: `${entity.name}.${name}.bytes`,
      value: bytes,
      whole: true,
      most: 400_000,
      words: (text, direction) => `${entity.name}.${name} ${direction} ${text} bytes`,
      changed: (other) => withSize(model, entity, name, other),
      scales: undefined,
      steps: near,
    },
  ];
}

function averageOf(model: Model, relation: Relation): readonly Quantity[] {
  const { from, to, average } = relation;
  if (average === undefined || average.value === 0) return [];
  return [
    {
      path: `${from}->${to}.average`,
      value: average.value,
      whole: false,
      most: relation.max?.value ?? Number.POSITIVE_INFINITY,
      words: (text, direction) => `${to} for each ${from} ${direction} ${text}`,
      changed: (value) => ({
        ...model,
        relations: model.relations.map((one) =>
          one === relation ? { ...one, average: { value, assumed: false } } : one,
        ),
      }),
      scales: undefined,
      steps: near,
    },
  ];
}

function skewOf(model: Model, pattern: Pattern): readonly Quantity[] {
  const { id, skew } = pattern;
  if (skew === undefined || skew.value.value === 0) return [];
  const isShare = skew.kind === "hottest";
  return [
    {
      path: `${id}.skew.${skew.kind}`,
      value: skew.value.value,
      whole: false,
      most: isShare ? 1 : 3,
      words: (text, direction) =>
        isShare
          ? `Pattern ${id} with one ${skew.key} in ${direction === "above" ? "more" : "less"} than ${text} of its runs`
          : `Pattern ${id} with ${skew.key} by Zipf's law ${direction} ${text}`,
      changed: (value) =>
        withPattern(model, { ...pattern, skew: { ...skew, value: { value, assumed: false } } }),
      scales: "nothing",
      steps: near,
    },
  ];
}

function withPattern(model: Model, pattern: Pattern): Model {
  const patterns = new Map(model.patterns);
  return { ...model, patterns: patterns.set(pattern.id, pattern) };
}

function withSize(model: Model, entity: Entity, name: string, bytes: number): Model {
  const attribute = entity.attributes.get(name);
  if (attribute === undefined) return model;
  const attributes = new Map(entity.attributes);
  const entities = new Map(model.entities);
  attributes.set(name, {
    ...attribute,
    size: { distribution: { kind: "fixed", bytes }, from: "given" },
  });
  return { ...model, entities: entities.set(entity.name, { ...entity, attributes }) };
}
