import { type BackoffOptions, restedFor } from "./backoff.ts";
import { isThrottled, PatternError } from "./errors.ts";
import { Placeholders } from "./expression.ts";
import { mapBounded } from "./parallel.ts";
import { type Attributes, bareRecord, keyIdentity, ownOf, pickAttributes } from "./values.ts";

/** Batches of any length: cut up, sent side by side, and what the service left undone is sent again after a rest. */

const keysMax = 100;
const writesMax = 25;

/** What was still undone after the last attempt. */
export class UnprocessedError<T> extends PatternError {
  override readonly name = "UnprocessedError";
  readonly unprocessed: readonly T[];

  constructor(unprocessed: readonly T[]) {
    super(`${unprocessed.length} of a batch are still undone after the last attempt`);
    this.unprocessed = unprocessed;
  }
}

export interface BatchOptions extends BackoffOptions {
  /** How many requests are under way at once; 4 if nothing is said. */
  readonly concurrency?: number | undefined;
}

export interface BatchKey {
  readonly table: string;
  readonly key: Attributes;
}

interface KeysOfTable {
  Keys: Record<string, unknown>[];
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
}

export interface BatchGetInput {
  RequestItems: Record<string, KeysOfTable>;
}

export interface BatchGetOutput {
  readonly Responses?: Readonly<Record<string, readonly Attributes[]>> | undefined;
  readonly UnprocessedKeys?:
    | Readonly<Record<string, { readonly Keys?: readonly Attributes[] | undefined }>>
    | undefined;
}

export interface BatchGetOptions extends BatchOptions {
  readonly consistent?: boolean | undefined;
  /** The attributes that are wanted, beside those of the key. All if nothing is said. */
  readonly projection?: readonly string[] | undefined;
}

/**
 * The items of many keys, each in the place of its key, or nothing where there is none. A key that comes
 * twice is asked for once.
 */
export async function batchGet(
  send: (input: BatchGetInput) => Promise<BatchGetOutput>,
  keys: readonly BatchKey[],
  options: BatchGetOptions = {},
): Promise<(Record<string, unknown> | undefined)[]> {
  const wanted = new Map(keys.map((one) => [placeOfKey(one.table, one.key), one]));
  const found = new Map<string, Attributes>();
  await mapBounded(chunksOf([...wanted.values()], keysMax), options.concurrency ?? 4, (chunk) =>
    untilProcessed(chunk, options, async (left) => {
      const input = getInput(left, options);
      const answer = await send(input);
      for (const [table, items] of Object.entries(answer.Responses ?? {})) {
        const names = namesOfKeys(ownOf(input.RequestItems, table)?.Keys ?? []);
        for (const item of items) found.set(placeOfKey(table, pickAttributes(item, names)), item);
      }
      return Object.entries(answer.UnprocessedKeys ?? {}).flatMap(
        ([table, { Keys: undone = [] }]) => undone.map((key) => ({ table, key })),
      );
    }),
  );
  return keys.map(({ table, key }) => found.get(placeOfKey(table, key)));
}

function placeOfKey(table: string, key: Attributes): string {
  return JSON.stringify([table, keyIdentity(key)]);
}

function namesOfKeys(keys: readonly Attributes[]): readonly string[] {
  const [first] = keys;
  return first === undefined ? [] : Object.keys(first);
}

function getInput(
  keys: readonly BatchKey[],
  { consistent, projection }: BatchGetOptions,
): BatchGetInput {
  const tables = bareRecord<KeysOfTable>();
  for (const [table, list] of byTable(keys)) {
    const own = list.map(({ key }) => ({ ...key }));
    tables[table] = {
      Keys: own,
      ...(consistent === true && { ConsistentRead: true }),
      ...(projection !== undefined && projected([...namesOfKeys(own), ...projection])),
    };
  }
  return { RequestItems: tables };
}

function projected(
  names: readonly string[],
): Pick<KeysOfTable, "ProjectionExpression" | "ExpressionAttributeNames"> {
  const place = new Placeholders();
  const texts = [...new Set(names)].map((name) => place.name(name));
  const { ExpressionAttributeNames: known = {} } = place.members();
  return { ProjectionExpression: texts.join(", "), ExpressionAttributeNames: known };
}

/** One write of a batch: an item that is put, or the key of one that goes. */
export type BatchWrite =
  | { readonly table: string; readonly put: Attributes }
  | { readonly table: string; readonly delete: Attributes };

interface WriteOfTable {
  PutRequest?: { Item: Record<string, unknown> };
  DeleteRequest?: { Key: Record<string, unknown> };
}

export interface BatchWriteInput {
  RequestItems: Record<string, WriteOfTable[]>;
}

export interface BatchWriteOutput {
  readonly UnprocessedItems?:
    | Readonly<
        Record<
          string,
          readonly {
            readonly PutRequest?: { readonly Item?: Attributes | undefined } | undefined;
            readonly DeleteRequest?: { readonly Key?: Attributes | undefined } | undefined;
          }[]
        >
      >
    | undefined;
}

export interface BatchWriteOptions extends BatchOptions {
  /** The names of the key's attributes, for all tables or for each: two writes to one item cannot be in one batch. */
  readonly keyNames: readonly string[] | ((table: string) => readonly string[]);
}

/** Puts and deletes many items. Of several writes to one item the last one counts; the others are not sent. */
export async function batchWrite(
  send: (input: BatchWriteInput) => Promise<BatchWriteOutput>,
  writes: readonly BatchWrite[],
  options: BatchWriteOptions,
): Promise<void> {
  const { keyNames } = options;
  const namesFor = typeof keyNames === "function" ? keyNames : () => keyNames;
  const last = new Map<string, BatchWrite>();
  for (const write of writes) {
    const item = "put" in write ? write.put : write.delete;
    const place = placeOfKey(write.table, pickAttributes(item, namesFor(write.table)));
    last.delete(place);
    last.set(place, write);
  }
  await mapBounded(chunksOf([...last.values()], writesMax), options.concurrency ?? 4, (chunk) =>
    untilProcessed(chunk, options, async (left) => {
      const { UnprocessedItems: undone = {} } = await send(writeInput(left));
      return Object.entries(undone).flatMap(([table, list]) =>
        list.flatMap(({ PutRequest: put, DeleteRequest: gone }): BatchWrite[] => {
          if (put?.Item !== undefined) return [{ table, put: put.Item }];
          return gone?.Key === undefined ? [] : [{ table, delete: gone.Key }];
        }),
      );
    }),
  );
}

function writeInput(writes: readonly BatchWrite[]): BatchWriteInput {
  const tables = bareRecord<WriteOfTable[]>();
  for (const [table, list] of byTable(writes)) {
    tables[table] = list.map((write) =>
      "put" in write
        ? { PutRequest: { Item: { ...write.put } } }
        : { DeleteRequest: { Key: { ...write.delete } } },
    );
  }
  return { RequestItems: tables };
}

/** Sends until nothing is left undone. An attempt that got something done does not count. */
async function untilProcessed<T>(
  all: readonly T[],
  options: BackoffOptions,
  send: (left: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  let left = all;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    const before = left;
    left = await sendOrLeave(left, send);
    if (left.length === 0) return;
    if (left.length < before.length) attempt = 0;
    if (!(await restedFor(attempt, options))) throw new UnprocessedError(left);
  }
}

/** A batch of which the service could do nothing at all is refused as throttled: all of it is left. */
async function sendOrLeave<T>(
  left: readonly T[],
  send: (left: readonly T[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await send(left);
  } catch (error) {
    if (isThrottled(error)) return left;
    throw error;
  }
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}

function byTable<T extends { readonly table: string }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const tables = new Map<string, T[]>();
  for (const item of items) {
    const list = tables.get(item.table);
    if (list === undefined) tables.set(item.table, [item]);
    else list.push(item);
  }
  return tables;
}
