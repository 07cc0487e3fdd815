import { transactionActionsMax } from "../../api/limits.ts";
import type { Aggregate } from "../../model/design.ts";
import type { Condition, Entity, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { heldBy, partsOf } from "./index-contents.ts";
import { linksBetween } from "./links.ts";
import { matchKey } from "./match-key.ts";
import {
  type Binding,
  type Bindings,
  type Changes,
  needsItem,
  noChanges,
  type Planned,
  type WriteAction,
  type WriteRequest,
} from "./plan.ts";
import { keyAttributes } from "./stored-changes.ts";
import { tableStructure } from "./structures.ts";

/** The key of an item from what is known; nothing if something is missing. */
export function keyFrom(
  record: StoredRecord,
  where: readonly Predicate[],
  known: Bindings,
):
  | { readonly bindings: Bindings; readonly rest: readonly Predicate[]; readonly shards: boolean }
  | undefined {
  const match = matchKey(tableStructure(record), { where, known });
  if (typeof match === "string" || !match.whole) return undefined;
  const { bindings, rest, times } = match;
  return { bindings, rest, shards: times.some(({ why }) => why === "shards") };
}

/** Every attribute of an entity, as the item that is written has it. */
export function itemBindings({ attributes }: Entity): Bindings {
  return new Map(
    [...attributes.keys()].map((attribute) => [attribute, { kind: "item", attribute }]),
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

export type Guard = Pick<WriteAction, "condition" | "also" | "equal">;

/** What a step asks for, and that there is something if it depends on old values: conditions may hold for nothing. */
export function guardOf({ condition, also }: Guard, isNeeded: boolean): Guard {
  if (!isNeeded || needsItem({ condition, also: [] })) return { condition, also };
  const predicates = condition?.kind === "where" ? condition.predicates : [];
  return { condition: { kind: "exists" }, also: [...also, ...predicates] };
}

/** What must hold for an entity, by the item that stores the attributes: its own item or one of its parts. */
export function guardsOf(
  facts: Facts,
  own: StoredRecord,
  { condition, also, equal = [] }: Guard,
): ReadonlyMap<StoredRecord, Guard> {
  const parts = partsOf(facts, own);
  const guards = new Map<StoredRecord, Guard>();
  for (const record of [own, ...parts]) {
    const isHere = ({ attribute }: { readonly attribute: string }): boolean =>
      record === (parts.find((part) => isHeld(part, attribute)) ?? own);
    const linked = equal.filter((attribute) => isHere({ attribute }));
    const guard = {
      condition: conditionOn(condition, isHere, record === own),
      also: also.filter(isHere),
      ...(linked.length > 0 && { equal: linked }),
    };
    const isEmpty = guard.condition === undefined && guard.also.length + linked.length === 0;
    if (!isEmpty) guards.set(record, guard);
  }
  return guards;
}

function isHeld({ entity, attributes }: StoredRecord, name: string): boolean {
  return !entity.id.includes(name) && heldBy(attributes).has(name);
}

function conditionOn(
  condition: Condition | undefined,
  isHere: (one: { readonly attribute: string }) => boolean,
  isOwn: boolean,
): Condition | undefined {
  if (condition?.kind === "version") return isHere(condition) ? condition : undefined;
  if (condition?.kind !== "where") return isOwn ? condition : undefined;
  const predicates = condition.predicates.filter(isHere);
  return predicates.length === 0 ? undefined : { ...condition, predicates };
}

/** What is read before a write: the attributes of one stored item that the write depends on. */
export interface ReadBefore {
  readonly record: StoredRecord;
  readonly request: number;
  readonly attributes: readonly string[];
}

/** The actions of a change with all that must hold: what the step asks for and what was read first. */
export function guarded(
  {
    before,
    count,
    more,
  }: Pick<WriteAction, "count"> & {
    readonly before: Bindings;
    readonly more: Partial<WriteAction>;
  },
  planned: readonly WriteAction[],
  asked: ReadonlyMap<StoredRecord, Guard>,
  reads: readonly ReadBefore[],
): readonly WriteAction[] {
  const actions = [...planned];
  const add = (record: StoredRecord, guard: Partial<WriteAction>): void => {
    const at = actions.findIndex((one) => one.record === record);
    const action = actions[at];
    if (action !== undefined) actions[at] = { ...action, ...guard };
    else actions.unshift(write("check", record, before, { ...more, count, ...guard }));
  };
  for (const { record, request, attributes } of reads) {
    add(record, { asRead: { request, attributes } });
  }
  for (const [record, guard] of asked) add(record, guard);
  return actions;
}

/** Numbers that are kept in the same transaction as what they count. */
export function transactionalAggregates(facts: Facts, entity: string): readonly Aggregate[] {
  return [...(facts.model.design?.tables.values() ?? [])].flatMap(({ aggregates }) =>
    aggregates.filter(({ of, by }) => of === entity && by === "transaction"),
  );
}

export type Holder = Required<Pick<WriteAction, "record" | "bindings" | "equal">>;

/** The item that holds an aggregate, what links it, and which of that is not its key; undefined if what is counted does not name it. */
export function holderOf(
  facts: Facts,
  { of, into }: Aggregate,
  counted: Bindings,
): Holder | undefined {
  const links = linksBetween({ facts, own: of, other: into.entity }, [], counted);
  for (const record of facts.itemsOf(into.entity)) {
    const key = keyFrom(record, [], links);
    if (key === undefined) continue;
    const inKey = new Set(keyAttributes(record));
    const equal = [...links.keys()].filter((name) => !inKey.has(name));
    return { record, bindings: new Map([...links, ...key.bindings]), equal };
  }
  return undefined;
}

/** What is added to an aggregate, or taken off it, for one entity. */
export function aggregateChanges(
  { into, what, attribute = "" }: Aggregate,
  counted: Bindings,
  sign: 1 | -1,
  amount?: number,
): Changes {
  const value: Binding = counted.get(attribute) ?? { kind: "item", attribute };
  if (what === "max" || what === "min") {
    return { ...noChanges, sets: [{ attribute: into.attribute, to: value }] };
  }
  const by = what === "sum" && amount === undefined ? { by: value } : {};
  return {
    ...noChanges,
    adds: [{ attribute: into.attribute, amount: sign * (amount ?? 1), ...by }],
  };
}

/** The update of an aggregate by work that follows a write. */
export function aggregateUpdate(
  facts: Facts,
  aggregate: Aggregate,
  counted: Bindings,
): WriteAction | undefined {
  const holder = holderOf(facts, aggregate, counted);
  if (holder === undefined) return undefined;
  const { of, into } = aggregate;
  const because = `keeps ${into.entity}.${into.attribute}`;
  const changes = aggregateChanges(aggregate, counted, 1);
  return write("update", holder.record, holder.bindings, { of, changes, counts: true, because });
}

/** Why an item is written that the pattern does not name. */
export function becauseOf(record: StoredRecord): string {
  if (record.role === "unique") return `keeps ${record.name} unique`;
  return record.role === "latest" ? "the copy of the newest" : `a part of ${record.entity.name}`;
}

/** Changes that happen at once. */
export function bothChanges(a: Changes, b: Changes): Changes {
  return {
    sets: [...a.sets, ...b.sets],
    adds: [...a.adds, ...b.adds],
    appends: [...a.appends, ...b.appends],
    removes: [...a.removes, ...b.removes],
  };
}

const operations = {
  put: "PutItem",
  delete: "DeleteItem",
  update: "UpdateItem",
  check: "UpdateItem",
} as const;

/** The requests that send some actions, all of them together if `isAtomic`. */
export function writesOf(
  actions: readonly WriteAction[],
  isAtomic: boolean,
): Omit<Planned<WriteRequest>, "rejected"> {
  const sent = (operation: WriteRequest["operation"], ...notes: readonly string[]) => {
    return {
      requests: [{ kind: "write", operation, actions } as const],
      notes,
      problem: undefined,
    };
  };
  const [only] = actions;
  if (only === undefined) return { requests: [], notes: [], problem: undefined };
  const alone = operations[only.kind];
  const total = actions.reduce((sum, { count }) => sum + count, 0);
  // What lies inside of an item needs no transaction to be written with it.
  const isOne = actions.length === 1 && total <= 1;
  if (isOne && (!isAtomic || only.holding !== undefined)) return sent(alone);
  const isPlain = actions.every(
    ({ kind, condition, also, asRead }) =>
      (kind === "put" || kind === "delete") &&
      condition === undefined &&
      also.length === 0 &&
      asRead === undefined,
  );
  if (!isAtomic && isPlain) return sent("BatchWriteItem");
  if (!isAtomic && actions.length === 1) {
    return sent(alone, "Each item is written by a request of its own.");
  }
  const twice = actions.find(
    ({ inner, record }) =>
      inner !== undefined && actions.filter((one) => one.record === record).length > 1,
  );
  const notes =
    total > transactionActionsMax
      ? [`A transaction has at most ${transactionActionsMax} actions.`]
      : [];
  const problem = twice && `a transaction writes ${twice.record.name} once`;
  return { ...sent("TransactWriteItems", ...notes), problem };
}
