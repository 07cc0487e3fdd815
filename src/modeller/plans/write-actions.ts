import type { Aggregate } from "../../model/design.ts";
import type { Action, Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { linkOf } from "./links.ts";
import { matchKey } from "./match-key.ts";
import { type Binding, type Bindings, type Changes, noChanges, type WriteAction } from "./plan.ts";
import { tableStructure } from "./structures.ts";

/** The items that belong to an entity's own item: parts of it, values that it guards, the copy of its newest. */
export function companionsOf(facts: Facts, record: StoredRecord): readonly StoredRecord[] {
  return facts.records.filter(
    (one) =>
      one.entity === record.entity &&
      one.role !== "item" &&
      (one.role === "unique" || one.table === record.table),
  );
}

/** The key of an item from what is known; nothing if something is missing. */
export function keyFrom(
  record: StoredRecord,
  where: readonly Predicate[],
  known: Bindings,
):
  | { readonly bindings: Bindings; readonly rest: readonly Predicate[]; readonly shards: boolean }
  | undefined {
  const match = matchKey(tableStructure(record), where, [], known);
  if (typeof match === "string" || !match.whole) return undefined;
  const { bindings, rest, times } = match;
  return { bindings, rest, shards: times.some(({ why }) => why === "shards") };
}

/** Every attribute of an entity, as the item that is written has it. */
export function itemBindings(entity: Entity): Bindings {
  return new Map(
    [...entity.attributes.keys()].map((attribute): [string, Binding] => [
      attribute,
      { kind: "item", attribute },
    ]),
  );
}

export function write(
  kind: WriteAction["kind"],
  record: StoredRecord,
  bindings: Bindings,
  more: Partial<Omit<WriteAction, "kind" | "record" | "bindings">> = {},
): WriteAction {
  return {
    kind,
    record,
    bindings,
    of: record.entity.name,
    count: 1,
    countAssumed: false,
    condition: undefined,
    also: [],
    changes: noChanges,
    because: undefined,
    ...more,
  };
}

/** How many items of a kind go with one own item. */
export function companionShare(facts: Facts, record: StoredRecord): number {
  if (record.role === "unique") {
    const name = record.name.slice(record.entity.name.length + 1);
    return record.entity.attributes.get(name)?.present.value ?? 1;
  }
  return facts.presence(record);
}

/** Numbers that are kept in the same transaction as what they count. */
export function transactionalAggregates(facts: Facts, entity: string): readonly Aggregate[] {
  return [...(facts.model.design?.tables.values() ?? [])].flatMap(({ aggregates }) =>
    aggregates.filter(({ of, by }) => of === entity && by === "transaction"),
  );
}

/** The attributes of what is counted that tell whose number it is in, and how much it is. */
export function countedNames(facts: Facts, { of, into, attribute }: Aggregate): readonly string[] {
  const [own, holder] = [facts.model.entities.get(of), facts.model.entities.get(into.entity)];
  if (own === undefined || holder === undefined) return [];
  const links = [...linkOf(facts, own, holder, [], new Map(), 0).values()];
  return [
    ...links.flatMap((one) => (one.kind === "result" ? [one.attribute] : [])),
    ...(attribute === undefined ? [] : [attribute]),
  ];
}

/** The update that keeps a number; nothing if the item that holds it cannot be told from what is counted. */
export function aggregateUpdate(
  facts: Facts,
  aggregate: Aggregate,
  known: Bindings,
  sign: 1 | -1,
  count: number,
): WriteAction | undefined {
  const { of, into, what, attribute } = aggregate;
  const [own, holder] = [facts.model.entities.get(of), facts.model.entities.get(into.entity)];
  if (own === undefined || holder === undefined) return undefined;
  const links = linkOf(facts, own, holder, [], known, 0);
  for (const target of facts.itemsOf(into.entity)) {
    const key = keyFrom(target, [], links);
    if (key === undefined) continue;
    const changes: Changes =
      what === "count" || what === "sum"
        ? {
            ...noChanges,
            adds: [
              {
                attribute: into.attribute,
                amount: sign,
                ...(what === "sum" && { by: known.get(attribute ?? "") ?? item(attribute ?? "") }),
              },
            ],
          }
        : {
            ...noChanges,
            sets: [{ attribute: into.attribute, to: item(attribute ?? "") }],
          };
    return write("update", target, key.bindings, {
      of,
      count,
      changes,
      counts: true,
      because: `keeps ${into.entity}.${into.attribute}`,
    });
  }
  return undefined;
}

/** What an action does to attributes. */
export function changesOf(action: Action): Changes {
  const { changes, adds, appends, removes, condition } = action;
  const raised = condition?.kind === "version" ? [condition.attribute] : [];
  const known = new Set([
    ...changes.map((one) => one.attribute),
    ...adds.map((one) => one.attribute),
  ]);
  return {
    sets: changes.map(({ attribute, to }) => ({ attribute, to })),
    adds: [
      ...adds,
      ...raised.filter((one) => !known.has(one)).map((attribute) => ({ attribute, amount: 1 })),
    ],
    appends,
    removes,
  };
}

/** The part of some changes that concerns the attributes of one item. */
export function changesIn(record: StoredRecord, changes: Changes): Changes {
  const held = new Set(
    record.attributes.flatMap(({ content }) =>
      content.kind === "attribute"
        ? [content.attribute.name]
        : content.kind === "key" && content.text.native !== undefined
          ? [content.text.native]
          : [],
    ),
  );
  return {
    sets: changes.sets.filter(({ attribute }) => held.has(attribute)),
    adds: changes.adds.filter(({ attribute }) => held.has(attribute)),
    appends: changes.appends.filter((one) => held.has(one)),
    removes: changes.removes.filter((one) => held.has(one)),
  };
}

const item = (attribute: string): Binding => ({ kind: "item", attribute });
