import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Attribute } from "../../model/requirements.ts";
import type { InnerWrite, WriteAction } from "../plans/plan.ts";
import { mapOf, nameInside } from "../values/embedded.ts";
import { boundValue, type Sources } from "./combinations.ts";
import { allOf, type Placeholders, type UpdateStep } from "./expression.ts";
import { MissingValueError } from "./given.ts";
import { predicateText } from "./predicate.ts";
import type { Found } from "./run.ts";
import { linksIn } from "./update.ts";

/** Where something lies inside of an item. */
export function innerPath(
  { as, by, entity }: InnerWrite,
  sources: Sources,
  from: Found | undefined,
): readonly string[] {
  if (by === undefined) return [as];
  const attribute = entity.attributes.get(by.attribute) as Attribute;
  const value = boundValue(attribute, by.binding, sources, from);
  if (value === undefined) throw new MissingValueError(`${by.attribute} is not given`);
  return [as, nameInside(value)];
}

/** The change of an item that writes something inside of it. */
export function innerUpdateSteps(
  action: WriteAction,
  inner: InnerWrite,
  sources: Sources,
  from: Found | undefined,
): readonly UpdateStep[] {
  const path = innerPath(inner, sources, from);
  const { kind, entity, changes } = inner;
  if (kind === "delete") return [{ kind: "remove", name: path }];
  if (kind === "create") {
    const links = linksIn(action);
    const told = [...(sources.item ?? [])].filter(([name]) => !links.has(name));
    return [{ kind: "set", name: path, value: { M: mapOf(new Map(told)) } }];
  }
  const newValue = (attribute: string, to: Parameters<typeof boundValue>[1]): AttributeValue => {
    const described = entity.attributes.get(attribute) as Attribute;
    const value = boundValue(described, to, sources, from);
    if (value === undefined) throw new MissingValueError(`the new ${attribute} is not given`);
    return value;
  };
  return [
    ...changes.sets.map(({ attribute, to }): UpdateStep => {
      return { kind: "set", name: [...path, attribute], value: newValue(attribute, to) };
    }),
    ...changes.adds.map(({ attribute, amount }): UpdateStep => {
      const value = { N: String(amount) };
      return { kind: "raise", name: [...path, attribute], value };
    }),
    ...changes.appends.map((attribute): UpdateStep => {
      const [value] = sources.given.parameters.get(attribute) ?? [];
      if (value === undefined)
        throw new MissingValueError(`what is appended to ${attribute} is not given`);
      return { kind: "append", name: [...path, attribute], value };
    }),
    ...changes.removes.map((attribute): UpdateStep => {
      return { kind: "remove", name: [...path, attribute] };
    }),
  ];
}

/** What must hold for it: the item is there, and what lies inside of it is or is not. */
export function innerConditionText(
  { record }: WriteAction,
  inner: InnerWrite,
  sources: Sources,
  from: Found | undefined,
  placeholders: Placeholders,
): string | undefined {
  const { kind, entity, condition, also } = inner;
  const { given } = sources;
  const path = innerPath(inner, sources, from);
  const parts = [`attribute_exists(${placeholders.name(record.table.partition.name)})`];
  if (condition?.kind === "absent") parts.push(`attribute_not_exists(${placeholders.name(path)})`);
  else if (kind === "update" || condition?.kind === "exists") {
    parts.push(`attribute_exists(${placeholders.name(path)})`);
  }
  if (condition?.kind === "version") {
    const [version] = given.parameters.get(condition.attribute) ?? [];
    if (version === undefined) {
      throw new MissingValueError(`the parameter '${condition.attribute}' is not given`);
    }
    const name = placeholders.name([...path, condition.attribute]);
    parts.push(`${name} = ${placeholders.value(version)}`);
  }
  const where = condition?.kind === "where" ? condition.predicates : [];
  for (const predicate of [...also, ...where]) {
    const attribute = entity.attributes.get(predicate.attribute) as Attribute;
    const name = [...path, predicate.attribute];
    parts.push(predicateText(predicate, attribute, name, given, placeholders));
  }
  return allOf(parts);
}
