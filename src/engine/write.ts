import { conditionalCheckFailed, itemTooLarge, updatedItemTooLarge } from "../api/errors/item.ts";
import { ServiceError } from "../api/errors/service-error.ts";
import { itemSizeBytesMax } from "../api/limits.ts";
import type { Clock } from "../base/clock.ts";
import { evaluate } from "../expressions/evaluate.ts";
import { evaluateExistence } from "../expressions/existence.ts";
import type { Condition, Update } from "../expressions/tree.ts";
import { applyUpdate } from "../expressions/update-apply.ts";
import type { Item } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import type { Bytes, Decision, Store, Write } from "../storage/store.ts";
import { versionMatches } from "./catalog.ts";
import { hasLocalIndex, type TableDescriptor } from "./descriptor.ts";
import { addUndo } from "./history.ts";
import { type IndexChange, indexChanges } from "./index-entries.ts";
import { type CollectionPlan, Collections } from "./item-collections.ts";
import { checkUpdatedIndexKeys } from "./key-checks.ts";
import { type ItemAddress, indexEntryKey } from "./keys.ts";
import { collectionKey, counterName, versionKey } from "./layout.ts";
import { StoredItem } from "./stored-item.ts";
import { addRecord } from "./stream-append.ts";
import { addQueueWrites, expiryOf } from "./ttl-queue.ts";

interface ActionBase {
  readonly table: TableDescriptor;
  readonly address: ItemAddress;
  readonly condition?: Condition | undefined;
}

export type WriteAction =
  | (ActionBase & { readonly kind: "put"; readonly item: StoredItem })
  | (ActionBase & {
      readonly kind: "update";
      /** The key attributes, for an item that is not there yet. */
      readonly key: Item;
      readonly update: Update;
    })
  | (ActionBase & {
      readonly kind: "delete";
      /** The service deletes the item, which a stream tells, and only if it still expires then. */
      readonly expiry?: number;
    })
  | (ActionBase & { readonly kind: "check" });

/** What one action found and did, with all that metering and answers need. */
export interface WriteOutcome {
  readonly before: StoredItem | undefined;
  readonly after: StoredItem | undefined;
  readonly indexes: readonly IndexChange[];
  /** Bytes of the item collection after the write; only on tables with a local index. */
  readonly collectionBytes?: number;
  /** Why the action was refused: nothing was written. */
  readonly refusal?: ServiceError;
  /** The refusal is a condition that did not hold. */
  readonly conditionFailed?: boolean;
  /** The refusal is a lack of throughput. */
  readonly throttled?: boolean;
}

/** A descriptor that a commit used was changed meanwhile: read it again and start over. */
export class StaleTableError extends Error {
  readonly table: TableDescriptor;

  constructor(table: TableDescriptor) {
    super(`table ${table.name} has changed`);
    this.table = table;
  }
}

export interface TokenWrites {
  readonly readKey: Bytes;
  /** Called with the token's row; answers a replay by returning it, or nothing to go on. */
  readonly found: (row: Bytes | undefined) => readonly WriteOutcome[] | undefined;
  readonly record: (outcomes: readonly WriteOutcome[]) => readonly Write[];
}

export interface WriteOptions {
  /** All or none; otherwise each action stands for itself. */
  readonly atomic: boolean;
  readonly token?: TokenWrites;
  /**
   * Asked when it is known what the actions would do, before any of it is done: why each of them must
   * not go on, nothing if all may. A retry asks again and is to be told the same.
   */
  readonly admit?: (
    actions: readonly WriteAction[],
    outcomes: readonly WriteOutcome[],
  ) => readonly (ServiceError | undefined)[] | undefined;
}

/** Carries out actions on distinct items in one commit of the store. */
export async function write(
  store: Store,
  actions: readonly WriteAction[],
  options: WriteOptions,
  clock: Clock,
): Promise<readonly WriteOutcome[]> {
  for (;;) {
    const building = actions.some(({ table }) => table.indexes.some((index) => !index.ready));
    const guess = building ? await guessEntries(store, actions) : undefined;
    const plan = planReads(actions, options.token, guess);
    try {
      return await store.commit(
        plan.readKeys,
        (values) => decide(plan, actions, options, clock, values),
        plan.tables.length,
      );
    } catch (error) {
      if (!(error instanceof WrongGuess)) throw error;
    }
  }
}

/**
 * While an index is being built, the entry of the item that a write replaces may be there or not. So
 * the write reads it too; it must guess beforehand which one, and start over if the guess was wrong.
 */
async function guessEntries(
  store: Store,
  actions: readonly WriteAction[],
): Promise<readonly (readonly Bytes[])[]> {
  const values = await store.get(actions.map(({ address }) => address.key));
  return actions.map(({ table }, i) => {
    const value = values[i];
    if (value === undefined) return [];
    const { item } = StoredItem.read(value);
    const keys: Bytes[] = [];
    for (const index of table.indexes) {
      const key = index.ready ? undefined : indexEntryKey(table, index, item);
      if (key !== undefined) keys.push(key);
    }
    return keys;
  });
}

class WrongGuess extends Error {}

interface ReadPlan extends CollectionPlan {
  readonly tables: readonly TableDescriptor[];
  readonly tokenAt: number;
  /** Per action the positions of entries in indexes that are being built. */
  readonly entriesAt: readonly (readonly number[])[] | undefined;
}

/** The keys of a commit: table versions first, then the items, collection rows, and the token. */
function planReads(
  actions: readonly WriteAction[],
  token: TokenWrites | undefined,
  guess: readonly (readonly Bytes[])[] | undefined,
): ReadPlan {
  const tables: TableDescriptor[] = [];
  const readKeys: Bytes[] = [];
  for (const { table } of actions) {
    if (tables.includes(table)) continue;
    tables.push(table);
    readKeys.push(versionKey(table.id));
  }
  for (const { address } of actions) readKeys.push(address.key);
  let collectionAt: number[] | undefined;
  if (tables.some(hasLocalIndex)) {
    const seen = new Map<string, number>();
    collectionAt = actions.map(({ table, address }) => {
      if (!hasLocalIndex(table)) return -1;
      const key = collectionKey(table.id, address.hash);
      const name = Buffer.from(key).toString("latin1");
      let at = seen.get(name);
      if (at === undefined) {
        at = readKeys.push(key) - 1;
        seen.set(name, at);
      }
      return at;
    });
  }
  const tokenAt = token === undefined ? -1 : readKeys.push(token.readKey) - 1;
  const entriesAt = guess?.map((keys) => keys.map((key) => readKeys.push(key) - 1));
  return { readKeys, tables, collectionAt, tokenAt, entriesAt };
}

function decide(
  plan: ReadPlan,
  actions: readonly WriteAction[],
  options: WriteOptions,
  clock: Clock,
  values: readonly (Bytes | undefined)[],
): Decision<readonly WriteOutcome[]> {
  const { tables } = plan;
  for (let i = 0; i < tables.length; i += 1) {
    const table = tables[i] as TableDescriptor;
    if (!versionMatches(table, values[i])) throw new StaleTableError(table);
  }
  const replay = options.token?.found(values[plan.tokenAt]);
  if (replay !== undefined) return { writes: [], result: replay };

  let collections = new Collections(plan, values);
  const outcomes: WriteOutcome[] = [];
  let refused = false;
  for (let i = 0; i < actions.length; i += 1) {
    const bytes = values[tables.length + i];
    const action = actions[i] as WriteAction;
    let found = carryOut(action, bytes === undefined ? undefined : StoredItem.read(bytes));
    if (plan.entriesAt !== undefined) found = withFoundEntries(plan, i, found, values);
    const outcome = collections.weigh(i, found);
    if (outcome.refusal !== undefined) refused = true;
    outcomes.push(outcome);
  }
  const held = options.admit?.(actions, outcomes);
  if (held !== undefined) {
    refused = true;
    // Collections do not grow by what is held back.
    collections = new Collections(plan, values);
    for (let i = 0; i < actions.length; i += 1) {
      const refusal = held[i];
      outcomes[i] =
        refusal === undefined
          ? collections.weigh(i, outcomes[i] as WriteOutcome)
          : { before: undefined, after: undefined, indexes: [], refusal, throttled: true };
    }
  }
  if (options.atomic && refused) return { writes: [], result: outcomes };

  const writes: Write[] = [];
  let now: number | undefined;
  const totals = new Map<number, { count: number; bytes: number }>();
  for (let i = 0; i < actions.length; i += 1) {
    const outcome = outcomes[i] as WriteOutcome;
    if (outcome.refusal === undefined) {
      const action = actions[i] as WriteAction;
      writesOf(action, outcome, writes, totals);
      const { stream, history } = action.table;
      if (stream !== undefined) addRecord(action, stream, outcome, writes, clock);
      if (history !== undefined && action.kind !== "check") {
        // One moment for all that is done together.
        now ??= clock.now();
        addUndo(history, action.address.key, outcome.before, outcome.after, now, writes);
      }
    }
  }
  collections.addWrites(writes);
  for (const [id, { count, bytes }] of totals) {
    if (count !== 0 || bytes !== 0) {
      writes.push({ kind: "add", counter: counterName(id), count, bytes });
    }
  }
  if (options.token !== undefined) writes.push(...options.token.record(outcomes));
  return { writes, result: outcomes };
}

/** Drops old entries that the building of an index has not reached yet. */
function withFoundEntries(
  plan: ReadPlan,
  action: number,
  outcome: WriteOutcome,
  values: readonly (Bytes | undefined)[],
): WriteOutcome {
  const at = plan.entriesAt?.[action] ?? [];
  const indexes: IndexChange[] = [];
  for (const change of outcome.indexes) {
    if (change.index.ready || change.before === undefined) {
      indexes.push(change);
      continue;
    }
    const { key } = change.before;
    const position = at.find((i) => Buffer.compare(plan.readKeys[i] as Bytes, key) === 0);
    if (position === undefined) throw new WrongGuess();
    if (values[position] !== undefined) indexes.push(change);
    else if (change.after !== undefined) {
      indexes.push({ ...change, before: undefined, sameKey: false });
    }
  }
  return { ...outcome, indexes };
}

/** Condition, change, limits: what the action would do to the item it found. */
function carryOut(action: WriteAction, before: StoredItem | undefined): WriteOutcome {
  const none: readonly IndexChange[] = [];
  if (action.condition !== undefined && !holds(action.condition, action.table, before)) {
    return {
      before,
      after: action.kind === "put" ? action.item : undefined,
      indexes: none,
      refusal: conditionalCheckFailed(),
      conditionFailed: true,
    };
  }
  if (action.kind === "check") return { before, after: before, indexes: none };
  if (isSpared(action, before)) return { before: undefined, after: undefined, indexes: none };
  let after: StoredItem | undefined;
  try {
    after = changed(action, before);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { before, after: undefined, indexes: none, refusal: error };
  }
  const indexes =
    action.table.indexes.length === 0
      ? none
      : indexChanges(action.table, before?.item, after?.item);
  return { before, after, indexes };
}

/** The service would have deleted the item, but it is gone or expires at another time by now. */
function isSpared(action: WriteAction, before: StoredItem | undefined): boolean {
  if (action.kind !== "delete" || action.expiry === undefined) return false;
  const { timeToLive } = action.table;
  return (
    timeToLive === undefined ||
    before === undefined ||
    expiryOf(timeToLive, before.item) !== action.expiry
  );
}

function holds(
  condition: Condition,
  { key }: TableDescriptor,
  before: StoredItem | undefined,
): boolean {
  const isKey = (name: string) => key.hash[0]?.name === name || key.range[0]?.name === name;
  return (
    evaluateExistence(condition, isKey, before !== undefined) ?? evaluate(condition, before?.item)
  );
}

function changed(
  action: Exclude<WriteAction, { kind: "check" }>,
  before: StoredItem | undefined,
): StoredItem | undefined {
  switch (action.kind) {
    case "put":
      if (action.item.size > itemSizeBytesMax) throw itemTooLarge();
      return action.item;
    case "delete":
      return undefined;
    case "update": {
      const { item, touched } = applyUpdate(action.update, before?.item, action.key);
      if (item === undefined) return undefined;
      const size = itemSize(item);
      if (size > itemSizeBytesMax) throw updatedItemTooLarge();
      checkUpdatedIndexKeys(action.table, item, touched);
      return StoredItem.make(item, size);
    }
  }
}

function writesOf(
  action: WriteAction,
  { before, after, indexes }: WriteOutcome,
  writes: Write[],
  totals: Map<number, { count: number; bytes: number }>,
): void {
  if (action.kind === "check") return;
  if (after !== undefined) {
    writes.push({ kind: "put", key: action.address.key, value: after.bytes });
  } else if (before !== undefined) {
    writes.push({ kind: "delete", key: action.address.key });
  }
  const { timeToLive } = action.table;
  if (timeToLive !== undefined) {
    const expiry = action.kind === "delete" ? action.expiry : undefined;
    addQueueWrites(timeToLive, action.address.key, before?.item, after?.item, expiry, writes);
  }
  addTotals(totals, action.table.id, before?.size, after?.size);
  for (const change of indexes) {
    if (change.before !== undefined && !change.sameKey) {
      writes.push({ kind: "delete", key: change.before.key });
    }
    if (change.after !== undefined) {
      const value = StoredItem.make(change.after.item, change.after.size).bytes;
      writes.push({ kind: "put", key: change.after.key, value });
    }
    addTotals(totals, change.index.id, change.before?.size, change.after?.size);
  }
}

function addTotals(
  totals: Map<number, { count: number; bytes: number }>,
  id: number,
  before: number | undefined,
  after: number | undefined,
): void {
  const count = (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
  const bytes = (after ?? 0) - (before ?? 0);
  if (count === 0 && bytes === 0) return;
  const sum = totals.get(id);
  if (sum === undefined) totals.set(id, { count, bytes });
  else {
    sum.count += count;
    sum.bytes += bytes;
  }
}
