import type { AccessBase, GetInput, ListInput, PageOptions } from "./access.ts";
import { type BatchKey, batchGet } from "./batch.ts";
import { type GatherSource, gatherItems, gatherPage } from "./gather.ts";
import { allItems, type ListPage, listPage, type PageSend } from "./pages.ts";
import { mapBounded } from "./parallel.ts";
import { isExpired } from "./ttl.ts";
import { type Attributes, keyIdentity, ownOf, pickAttributes } from "./values.ts";

/** Reads of functions that are generated from a model. */

export interface ReadOptions {
  /** The attribute of time to live: what has expired and was not deleted yet is left out. */
  readonly expires?: string | undefined;
}

/** One item, or nothing. */
export async function getItem(
  access: AccessBase,
  input: GetInput,
  { expires }: ReadOptions = {},
): Promise<Attributes | undefined> {
  const { Item: item } = await access.send.get(input);
  return item === undefined || isOver(access, item, expires) ? undefined : item;
}

export interface KeysOptions extends ReadOptions {
  readonly consistent?: boolean;
}

/** The items of many keys, each in the place of its key. */
export async function getItems(
  access: AccessBase,
  keys: readonly BatchKey[],
  { consistent = false, expires }: KeysOptions = {},
): Promise<readonly (Attributes | undefined)[]> {
  const found = await batchGet(access.send.batchGet, keys, {
    ...access.backoff,
    consistent,
    concurrency: access.concurrency,
  });
  return found.map((item) =>
    item === undefined || isOver(access, item, expires) ? undefined : item,
  );
}

/** The same for few keys: one is asked for alone. */
export async function getFew(
  access: AccessBase,
  keys: readonly BatchKey[],
  options: KeysOptions = {},
): Promise<readonly (Attributes | undefined)[]> {
  const [first, second] = keys;
  if (first === undefined || second !== undefined) return getItems(access, keys, options);
  const { table, key } = first;
  const input = { TableName: table, Key: key };
  return [
    await getItem(
      access,
      options.consistent === true ? { ...input, ConsistentRead: true } : input,
      options,
    ),
  ];
}

/** All of them as they are at one moment. A transaction must not name an item twice, so each is read once. */
export async function getTogether(
  access: AccessBase,
  keys: readonly BatchKey[],
  { expires }: ReadOptions = {},
): Promise<readonly (Attributes | undefined)[]> {
  const identities = keys.map(({ table, key }) => JSON.stringify([table, keyIdentity(key)]));
  const distinctKeys = new Map(keys.map((one, place) => [identities[place] ?? "", one]));
  if (distinctKeys.size === 0) return [];
  const { Responses: answers = [] } = await access.send.transactGet({
    TransactItems: [...distinctKeys.values()].map(({ table, key }) => ({
      Get: { TableName: table, Key: key },
    })),
  });
  const places = [...distinctKeys.keys()];
  return identities.map((identity) => {
    const item = answers[places.indexOf(identity)]?.Item;
    return item === undefined || isOver(access, item, expires) ? undefined : item;
  });
}

function isOver(access: AccessBase, item: Attributes, expires: string | undefined): boolean {
  return expires !== undefined && isExpired(item, expires, access.now());
}

export interface ListOptions extends ReadOptions {
  /** Each of them is a Scan, not a Query. */
  readonly scans?: boolean;
  /** Only these items are meant; others lie between them. */
  readonly keep?: (item: Attributes) => boolean;
  /** The order of the whole, where several requests make one list. Each of them answers in this order. */
  readonly order?: (a: Attributes, b: Attributes) => number;
  /** How many items are wanted. */
  readonly limit?: number;
}

/**
 * All items that some requests find, or as many as are wanted: in their common order, or those of one
 * request after those of another.
 */
export async function listItems(
  access: AccessBase,
  inputs: readonly ListInput[],
  options: ListOptions = {},
): Promise<readonly Attributes[]> {
  const { order, limit } = options;
  const { concurrency, pageSize } = access;
  const sends = inputs.map((input) => sendOf(access, input, options));
  if (limit !== undefined) {
    const { items } = await gatherPage(named(sends), {
      limit,
      compare: order,
      concurrency,
      scope: "",
      // There is no token, so nobody asks for the key.
      keyOf: () => ({}),
    });
    return items;
  }
  if (order === undefined || inputs.length < 2) {
    const lists = await mapBounded(sends, concurrency, (send) => allItems(send, { pageSize }));
    return lists.flat();
  }
  const found: Attributes[] = [];
  for await (const item of gatherItems(named(sends), { compare: order, concurrency, pageSize })) {
    found.push(item);
  }
  return found;
}

/** The same for each of several lists of requests: a list of items for each of them. */
export async function listEach(
  access: AccessBase,
  inputs: readonly (readonly ListInput[])[],
  options: ListOptions = {},
): Promise<readonly (readonly Attributes[])[]> {
  return mapBounded(inputs, access.concurrency, (some) => listItems(access, some, options));
}

/** What is made of each group of items. `start` is the place of its first item among all items of all groups. */
export function ofGroups<T>(
  groups: readonly (readonly Attributes[])[],
  make: (items: readonly Attributes[], start: number, group: number) => readonly T[],
): readonly T[] {
  let start = 0;
  return groups.flatMap((items, group) => {
    const made = make(items, start, group);
    start += items.length;
    return made;
  });
}

function named(sends: readonly PageSend<Attributes>[]): readonly GatherSource<Attributes>[] {
  return sends.map((send, place) => ({ name: String(place), send }));
}

export interface PagedOptions extends ListOptions {
  readonly limit: number;
  /** The key attributes of the table and of the index. */
  readonly keyNames: readonly string[];
  /** What is listed, and for whom: the token of another list is refused. */
  readonly scope: string;
}

/** A page of what some requests find, and the token of the next one. */
export async function pageItems(
  access: AccessBase,
  inputs: readonly ListInput[],
  options: PagedOptions,
  { limit = options.limit, token }: PageOptions = {},
): Promise<ListPage<Attributes>> {
  const { keyNames, scope, order } = options;
  const keyOf = (item: Attributes): Attributes => pickAttributes(item, keyNames);
  const shared = { limit, scope, token, keyOf, pageSize: limit };
  const [first, second] = inputs;
  if (first !== undefined && second === undefined) {
    return listPage(sendOf(access, first, options), shared);
  }
  const sources = named(inputs.map((input) => sendOf(access, input, options)));
  return gatherPage(sources, { ...shared, compare: order, concurrency: access.concurrency });
}

function sendOf(
  access: AccessBase,
  input: ListInput,
  { scans = false, keep, expires }: ListOptions,
): PageSend<Attributes> {
  const send = scans ? access.send.scan : access.send.query;
  return async (page) => {
    const { Items: items = [], LastEvaluatedKey } = await send({ ...input, ...page });
    const wanted = items.filter(
      (item) => (keep === undefined || keep(item)) && !isOver(access, item, expires),
    );
    return { Items: wanted, LastEvaluatedKey };
  };
}

/** The items, or entities, that there are. */
export function thereOf<T>(items: readonly (T | undefined)[]): readonly T[] {
  const there: T[] = [];
  for (const item of items) if (item !== undefined) there.push(item);
  return there;
}

/** The entities that have a value for each of these attributes. */
export function withValues<T extends object, K extends keyof T & string>(
  entities: readonly T[],
  names: readonly K[],
): readonly (T & Required<Pick<T, K>>)[] {
  const hasAll = (one: T): one is T & Required<Pick<T, K>> =>
    names.every((name) => one[name] !== undefined);
  return entities.filter(hasAll);
}

/** Items, or entities, without those whose key is that of one before. */
export function distinct<T extends object>(
  items: readonly T[],
  key: readonly string[],
): readonly T[] {
  const known = new Set<string>();
  return items.filter((item) => {
    const identity = keyIdentity(pickAttributes(item as Attributes, key));
    if (known.has(identity)) return false;
    known.add(identity);
    return true;
  });
}

/** The maps in a list of an item, in a map of them, or the only one that there may be. */
export function mapsIn(
  item: Attributes,
  name: string,
  shape: "list" | "map" | "one" = "list",
): Attributes[] {
  const held = ownOf(item, name);
  if (shape === "list") return Array.isArray(held) ? [...(held as readonly Attributes[])] : [];
  if (typeof held !== "object" || held === null) return [];
  return shape === "one" ? [held as Attributes] : Object.values(held as Record<string, Attributes>);
}

/** The items of each kind, by the first test that holds; what is of no kind is left out. */
export function sortedOut(
  items: readonly Attributes[],
  kinds: readonly ((item: Attributes) => boolean)[],
): readonly (readonly Attributes[])[] {
  const lists = kinds.map((): Attributes[] => []);
  for (const item of items) lists[kindAt(item, kinds)]?.push(item);
  return lists;
}

/** The place of the first test that holds; -1 if none does. */
export function kindAt(
  item: Attributes,
  kinds: readonly ((item: Attributes) => boolean)[],
): number {
  return kinds.findIndex((is) => is(item));
}

/** What is listed and for whom, as one text: the name of the list and what it is asked for. */
export function scopeOf(list: string, input: Attributes): string {
  const asked = Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([list, asked], (_, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    return value instanceof Set ? [...value] : value;
  });
}
