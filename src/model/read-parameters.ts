import { type Path, pathText } from "../document/path.ts";
import type { AttributeType } from "./document-requirements.ts";
import type { Reading } from "./reading.ts";
import type { Action, Attribute, Entity, Operand, Predicate, Together } from "./requirements.ts";

/** Checks that a parameter is the same wherever a pattern names it: one value or a list of values, of one type. */

interface Use {
  readonly parameter: string;
  readonly at: Path;
  /** The types that the value, or each value of the list, may have. */
  readonly types: readonly AttributeType[];
  readonly shape: Shape;
}

/**
 * `alternatives`: the values of `one-of`. `items`: a value for each item of a step with several, or one for all of them.
 * `named`: what an item equals; it takes the values that another step has for its items, one after the other.
 */
type Shape = "value" | "named" | "items" | "alternatives";

const elementTypes: Readonly<Partial<Record<AttributeType, readonly AttributeType[]>>> = {
  L: ["S", "N", "B", "BOOL", "NULL", "M"],
  SS: ["S"],
  NS: ["N"],
  BS: ["B"],
};

export function refuseUnlikeUses(
  reading: Reading,
  actions: readonly Action[],
  together: readonly Together[],
  batch: number,
  path: Path,
  entities: ReadonlyMap<string, Entity>,
): void {
  const compared = [
    ...actions.flatMap((action) => comparisons(action, batch, entities)),
    ...together.flatMap(({ entity, where }, i) =>
      where.flatMap((one) =>
        usesOf(one, entities.get(entity), [...path, "together", i, "where"], "value"),
      ),
    ),
  ];
  // Others can be renamed, so these come first: the names of what is appended are those of attributes.
  const uses = [
    ...actions.flatMap((action) => namedByAttributes(action, entities)),
    ...compared.filter(isList),
    ...compared.filter((one) => !isList(one)),
    ...actions.flatMap((action) => changesIn(action, entities)),
  ];
  for (const [i, use] of uses.entries()) {
    const other = uses
      .slice(0, i)
      .find((one) => one.parameter === use.parameter && isUnlike(one, use));
    if (other === undefined) continue;
    const place = `${use.parameter}' is ${describe(other)} in ${pathText(other.at.slice(path.length))}`;
    reading.say(use.at, `takes ${describe(use)}, and '$${place}; name another parameter`);
  }
}

function isUnlike(a: Use, b: Use): boolean {
  const [one, other] = [a.shape, b.shape];
  const isAlike =
    one === other ||
    (one === "named" && other !== "alternatives") ||
    (other === "named" && one !== "alternatives");
  return !isAlike || !a.types.some((type) => b.types.includes(type));
}

function isList({ shape }: Use): boolean {
  return shape === "alternatives" || shape === "items";
}

function describe(use: Use): string {
  const [type, ...more] = use.types;
  if (more.length > 0) return "an element of a list";
  return `${isList(use) ? "a list of values" : "one value"} of type ${type}`;
}

/** Parameters that have the name of their attribute, whatever the document states. */
function namedByAttributes(
  { entity, appends, condition, path }: Action,
  entities: ReadonlyMap<string, Entity>,
): readonly Use[] {
  const attributes = entities.get(entity)?.attributes;
  const useOf = (name: string, at: Path): readonly Use[] => {
    const attribute = attributes?.get(name);
    return attribute === undefined
      ? []
      : [{ parameter: name, at, types: [attribute.type], shape: "value" }];
  };
  return [
    ...appends.flatMap((name) => useOf(name, [...path, "appends"])),
    ...(condition?.kind === "version" ? useOf(condition.attribute, [...path, "condition"]) : []),
  ];
}

function changesIn(
  { entity, changes, path }: Action,
  entities: ReadonlyMap<string, Entity>,
): readonly Use[] {
  return changes.flatMap(({ attribute, to }) => {
    const described = entities.get(entity)?.attributes.get(attribute);
    return described === undefined
      ? []
      : parameterUses([to], [...path, "changes"], [described.type], "value");
  });
}

function comparisons(
  { entity, kind, average, where, condition, path }: Action,
  batch: number,
  entities: ReadonlyMap<string, Entity>,
): readonly Use[] {
  const isMany = (kind === "read" ? 1 : average.value) * batch > 1 && !hasAlternatives(where);
  const named = isMany ? "items" : "named";
  const asked = condition?.kind === "where" ? condition.predicates : [];
  const described = entities.get(entity);
  return [
    ...where.flatMap((one) => usesOf(one, described, [...path, "where"], named)),
    ...asked.flatMap((one) => usesOf(one, described, [...path, "condition"], "named")),
  ];
}

function usesOf(
  { attribute: name, operator, operands }: Predicate,
  entity: Entity | undefined,
  path: Path,
  equal: Shape,
): readonly Use[] {
  const attribute = entity?.attributes.get(name);
  if (attribute === undefined) return [];
  const types = typesOf(attribute, operator);
  const shape =
    operator === "one-of" ? "alternatives" : operator === "equals" ? equal : ("value" as const);
  return parameterUses(operands, [...path, name], types, shape);
}

/** Beside a parameter of `one-of`, each parameter that something equals is a single value. */
function hasAlternatives(where: readonly Predicate[]): boolean {
  return where.some(
    ({ operator, operands }) =>
      operator === "one-of" && operands.some(({ kind }) => kind === "parameter"),
  );
}

function typesOf({ type }: Attribute, operator: Predicate["operator"]): readonly AttributeType[] {
  return (operator === "contains" && elementTypes[type]) || [type];
}

function parameterUses(
  operands: readonly Operand[],
  at: Path,
  types: readonly AttributeType[],
  shape: Shape,
): readonly Use[] {
  return operands.flatMap((one) =>
    one.kind === "parameter" ? [{ parameter: one.name, at, types, shape }] : [],
  );
}
