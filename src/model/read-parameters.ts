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
  readonly isList: boolean;
}

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
  path: Path,
  entities: ReadonlyMap<string, Entity>,
): void {
  const compared = [
    ...actions.flatMap((action) => comparisons(action, entities)),
    ...together.flatMap(({ entity, where }, i) =>
      where.flatMap((one) => usesOf(one, entities.get(entity), [...path, "together", i, "where"])),
    ),
  ];
  // Others can be renamed, so these come first: the names of what is appended are those of attributes.
  const uses = [
    ...actions.flatMap((action) => namedByAttributes(action, entities)),
    ...compared.filter(({ isList }) => isList),
    ...compared.filter(({ isList }) => !isList),
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
  return a.isList !== b.isList || !a.types.some((type) => b.types.includes(type));
}

function describe({ isList, types }: Use): string {
  const [type, ...more] = types;
  if (more.length > 0) return "an element of a list";
  return `${isList ? "a list of values" : "one value"} of type ${type}`;
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
      : [{ parameter: name, at, types: [attribute.type], isList: false }];
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
      : parameterUses([to], [...path, "changes"], [described.type], false);
  });
}

function comparisons(
  { entity, where, condition, path }: Action,
  entities: ReadonlyMap<string, Entity>,
): readonly Use[] {
  const asked = condition?.kind === "where" ? condition.predicates : [];
  const described = entities.get(entity);
  return [
    ...where.flatMap((one) => usesOf(one, described, [...path, "where"])),
    ...asked.flatMap((one) => usesOf(one, described, [...path, "condition"])),
  ];
}

function usesOf(
  { attribute: name, operator, operands }: Predicate,
  entity: Entity | undefined,
  path: Path,
): readonly Use[] {
  const attribute = entity?.attributes.get(name);
  if (attribute === undefined) return [];
  const types = typesOf(attribute, operator);
  return parameterUses(operands, [...path, name], types, operator === "one-of");
}

function typesOf({ type }: Attribute, operator: Predicate["operator"]): readonly AttributeType[] {
  return (operator === "contains" && elementTypes[type]) || [type];
}

function parameterUses(
  operands: readonly Operand[],
  at: Path,
  types: readonly AttributeType[],
  isList: boolean,
): readonly Use[] {
  return operands.flatMap((one) =>
    one.kind === "parameter" ? [{ parameter: one.name, at, types, isList }] : [],
  );
}
