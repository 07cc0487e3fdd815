import { itemSizeBytesMax } from "../../api/limits.ts";
import { textSize } from "../../item/size.ts";
import type { Entity, Pattern, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { linkOf } from "../plans/links.ts";
import { attributeBytes } from "../sizes/attribute-size.ts";

/** The lists that a read pattern returns, from the requirements: a design only offloads large attributes to another service. */
export interface List {
  readonly entity: Entity;
  readonly limit: number | "all" | undefined;
  /** Items in one answer, if the limit were `all`. */
  readonly items: number;
  readonly bytes: number;
}

/** One item in an answer is no list, and nothing is known of entities without a count. */
export function listsOf(
  facts: Facts,
  { actions, together, matches, batch }: Pattern,
): readonly List[] {
  const list = (
    {
      entity: name,
      where,
      returns,
      limit,
    }: Pattern["actions"][number] | Pattern["together"][number],
    links: readonly string[],
    stated?: number,
  ): readonly List[] => {
    const entity = facts.model.entities.get(name);
    const items = stated ?? (entity && itemsOf(facts, entity, where, links));
    if (entity === undefined || items === undefined || items <= 1) return [];
    const names = returns.filter((one) => !isOffloaded(facts, entity, one));
    return [{ entity, limit, items, bytes: items * bytesOf(entity, names) }];
  };
  const [main] = actions;
  const host = facts.model.entities.get(main?.entity ?? "");
  return [
    ...actions.flatMap((action, i) => {
      const times = batch?.value ?? 1;
      const items = i === 0 ? matches?.value : undefined;
      return list(action, [], items).map((one) =>
        items === undefined ? { ...one, items: one.items * times, bytes: one.bytes * times } : one,
      );
    }),
    ...together.flatMap((one) => {
      const entity = facts.model.entities.get(one.entity);
      if (main === undefined || host === undefined || entity === undefined) return [];
      return list(one, [...linkOf(facts, host, entity, main.where, new Map(), 0).keys()]);
    }),
  ];
}

/** How many items have the linked values and fulfil the conditions. */
function itemsOf(
  facts: Facts,
  entity: Entity,
  where: readonly Predicate[],
  links: readonly string[],
): number | undefined {
  const per = facts.cardinality.itemsPer(entity, links)?.value;
  return per === undefined ? undefined : per * facts.passing(entity, links, where).value;
}

/** An attribute that another service stores, by the design or because no item can hold it. */
function isOffloaded({ model }: Facts, entity: Entity, name: string): boolean {
  const attribute = entity.attributes.get(name);
  if (attribute && (attributeBytes(attribute)?.mean ?? 0) > itemSizeBytesMax) return true;
  return [...(model.design?.tables.values() ?? [])].some(({ placements }) =>
    placements.get(entity.name)?.elsewhere.some((one) => one.attribute === name),
  );
}

/** The mean size of what an item shows. */
function bytesOf({ attributes }: Entity, names: readonly string[]): number {
  return names.reduce((sum, name) => {
    const attribute = attributes.get(name);
    if (attribute === undefined) return sum;
    const bytes = textSize(name) + (attributeBytes(attribute)?.mean ?? 0);
    return sum + bytes * attribute.present.value;
  }, 0);
}
