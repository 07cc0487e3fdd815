import { own } from "../../base/record.ts";
import type { Item, KeyValue } from "../../item/attribute-value.ts";
import { attributesOf, type Segment } from "../../model/key-text.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { KeyCondition, ReadRequest } from "../plans/plan.ts";
import { tableStructure } from "../plans/structures.ts";
import { gatheredKeys, type Known } from "../values/render-key.ts";
import { type Combination, combinationsOf, listedIn } from "./combinations.ts";
import { allOf, Placeholders } from "./expression.ts";
import { givenAt, passes } from "./given.ts";
import { rangeText } from "./key-range.ts";
import { kindOf } from "./kinds.ts";
import { tablesOf } from "./periods.ts";
import { predicateText } from "./predicate.ts";
import { type Found, type Run, send } from "./run.ts";
import { storedName, valuesIn } from "./stored-names.ts";

/** Carries out one read of a plan, with all its pages, shards and keys. */
export async function runRead(run: Run, request: ReadRequest): Promise<readonly Found[]> {
  if (request.operation === "Scan") return scan(run, request);
  if (request.operation === "Query") return query(run, request, combinationsFor(run, request));
  return byKeys(run, request);
}

/** Every combination of values that a request's key is made of. */
function combinationsFor(run: Run, request: ReadRequest): readonly Combination[] {
  const conditions = [...request.partition, ...request.sort];
  const segments = conditions.flatMap(knownSegments);
  const names = new Set(segments.flatMap(namesIn));
  const { entity } = request.record;
  const isOfItem = [...request.bindings.values()].some(({ kind }) => kind === "item");
  if (!isOfItem) return combinationsOf(entity, request.bindings, names, segments, run);
  // What is there in the place of each item that is created.
  return run.given.items(request.of ?? entity.name).flatMap((item, at) => {
    const all = combinationsOf(entity, request.bindings, names, segments, { ...run, item });
    return all.map((one) => ({ ...one, at }));
  });
}

/**
 * Reads of one transaction: all items as they are at one moment, so they are in one request. It must not name an item twice, so
 * what several steps name is read once and handed to each of them.
 */
export async function runTogether(
  run: Run,
  requests: readonly ReadRequest[],
): Promise<readonly (readonly Found[])[]> {
  const wanted = requests.map((request) => keysFor(run, request));
  const all = new Map(wanted.flat().map((one) => [placeOf(one.table, one.key), one]));
  const input = {
    TransactItems: [...all.values()].map(({ table, key }) => ({
      Get: { TableName: table, Key: key },
    })),
  };
  const { Responses: answers = [] }: Answer =
    all.size === 0 ? {} : await send(run, "TransactGetItems", input);
  const items = answers as readonly { readonly Item?: Item }[];
  const found = new Map([...all.keys()].map((place, at) => [place, items[at]?.Item]));
  return requests.map((request, i) =>
    (wanted[i] ?? []).flatMap((one) =>
      foundAt(run, request, one, found.get(placeOf(one.table, one.key))),
    ),
  );
}

function placeOf(table: string, key: Item): string {
  return JSON.stringify([table, sorted(key)]);
}

/** The segments of a condition whose values are known. */
function knownSegments({ text, kind, segments }: KeyCondition): readonly Segment[] {
  return kind === "equals" ? text.segments : text.segments.slice(0, segments);
}

function namesIn(segment: Segment): readonly string[] {
  return attributesOf({ text: "", segments: [segment], offsets: [0], native: undefined }).map(
    ({ attribute }) => attribute,
  );
}

interface Page {
  readonly Items?: readonly Item[];
  readonly LastEvaluatedKey?: Item;
}

async function query(
  run: Run,
  request: ReadRequest,
  combinations: readonly Combination[],
): Promise<readonly Found[]> {
  const found: Found[] = [];
  // What is not sorted afterwards comes in the order of asking, so nobody asks for more than is wanted.
  const isOneList =
    !request.merges &&
    !request.sortsInClient &&
    combinations.every(({ from }) => from === undefined);
  for (const [i, { values, from, at }] of combinations.entries()) {
    const narrowed = runAt(run, request, at);
    const known: Known = { entity: request.record.entity, values };
    for (const table of tablesOf(run, request, values)) {
      for (const partition of partitionsOf(request.partition, known)) {
        const wanted =
          isOneList && request.limit !== undefined ? request.limit - found.length : request.limit;
        if (wanted === 0) return found;
        const rows = await queryOne(narrowed, request, table, partition, known, i, wanted);
        found.push(
          ...rows.map((row) => ({ ...row, at, ...(from !== undefined && { parent: from }) })),
        );
      }
    }
  }
  return found;
}

/** The run with what one of several things is given that the request names. */
function runAt(run: Run, { bindings }: ReadRequest, at: number | undefined): Run {
  if (at === undefined) return run;
  return { ...run, given: givenAt(run.given, listedIn(run.given, bindings), at) };
}

/** Every value that the partition key can have: one for each shard. */
function partitionsOf(
  conditions: readonly KeyCondition[],
  known: Known,
): readonly (readonly KeyValue[])[] {
  let all: readonly (readonly KeyValue[])[] = [[]];
  for (const { text } of conditions) {
    const keys = gatheredKeys(text, known) ?? [];
    all = all.flatMap((before) => keys.map((key) => [...before, key]));
  }
  return all;
}

async function queryOne(
  run: Run,
  request: ReadRequest,
  table: string,
  partition: readonly KeyValue[],
  known: Known,
  combination: number,
  wanted: number | undefined,
): Promise<readonly Found[]> {
  const { record, index, forward, limit, consistent } = request;
  const { attributes } = record.entity;
  const placeholders = new Placeholders();
  const conditions = request.partition.map(({ attribute }, i) => {
    return `${placeholders.name(attribute.name)} = ${placeholders.value(partition[i] as KeyValue)}`;
  });
  let filter = request.filter;
  for (const condition of request.sort) {
    if (condition.kind === "equals") {
      const [key] = gatheredKeys(condition.text, known) ?? [];
      const name = placeholders.name(condition.attribute.name);
      conditions.push(`${name} = ${placeholders.value(key as KeyValue)}`);
      continue;
    }
    const range = rangeText(condition, known, attributes, run.given, placeholders);
    conditions.push(range.text);
    if (range.isLoose && condition.predicate !== undefined)
      filter = [...filter, condition.predicate];
  }
  const filters = filterTexts(run, { ...request, filter }, placeholders);
  const size = limit ?? run.given.pageSize;
  const input = {
    TableName: table,
    ...(index !== undefined && { IndexName: index.name }),
    KeyConditionExpression: conditions.join(" AND "),
    ...(filters !== undefined && { FilterExpression: filters }),
    ...placeholders.members(),
    ...(!forward && { ScanIndexForward: false }),
    ...(size !== undefined && { Limit: size }),
    ...(consistent && { ConsistentRead: true }),
    // What a local index does not hold comes from its table only if it is asked for.
    ...(request.fetches && { Select: "ALL_ATTRIBUTES" }),
  };
  return pages(run, request, "Query", input, combination, wanted);
}

/** Asks for pages until there are no more, or as many items as are wanted have come. */
async function pages(
  run: Run,
  request: ReadRequest,
  operation: "Query" | "Scan",
  input: object,
  combination: number,
  limit = request.limit,
): Promise<readonly Found[]> {
  const kinds = [request.record, ...request.together, ...request.beside];
  const { attributes } = request.record.entity;
  const byCaller = request.filter.filter((predicate) => !isPushed(request, predicate));
  const meant = new Set([request.record, ...request.together]);
  const found: Found[] = [];
  let start: Item | undefined;
  do {
    const page: Page = await send(run, operation, {
      ...input,
      ...(start !== undefined && { ExclusiveStartKey: start }),
    });
    for (const item of page.Items ?? []) {
      const record = kindOf(item, kinds);
      if (record === undefined || !meant.has(record)) continue;
      const values = valuesIn(record, item);
      if (record === request.record && !passes(run.given, attributes, byCaller, values)) continue;
      found.push({ record, item, values, combination });
    }
    start = page.LastEvaluatedKey;
  } while (start !== undefined && (limit === undefined || found.length < limit));
  return limit === undefined ? found : found.slice(0, limit);
}

async function scan(run: Run, request: ReadRequest): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const table of tablesOf(run, request, new Map())) {
    const placeholders = new Placeholders();
    const filter = filterTexts(run, request, placeholders);
    const input = {
      TableName: table,
      ...(request.index !== undefined && { IndexName: request.index.name }),
      ...(filter !== undefined && { FilterExpression: filter }),
      ...placeholders.members(),
      ...(request.consistent && { ConsistentRead: true }),
      ...(run.given.pageSize !== undefined && { Limit: run.given.pageSize }),
    };
    found.push(...(await pages(run, request, "Scan", input, 0)));
  }
  return found;
}

function filterTexts(
  run: Run,
  request: ReadRequest,
  placeholders: Placeholders,
): string | undefined {
  const { record, filter } = request;
  const parts = filter.flatMap((predicate) => {
    if (!isPushed(request, predicate)) return [];
    const attribute = record.entity.attributes.get(predicate.attribute);
    const stored = storedName(record, predicate.attribute);
    if (attribute === undefined || stored === undefined) return [];
    return [predicateText(predicate, attribute, stored, run.given, placeholders)];
  });
  return allOf(parts);
}

/** Whether a predicate can be part of the FilterExpression: a Query does not filter by the key attributes that it reads by. */
export function isPushed(request: ReadRequest, { attribute }: Predicate): boolean {
  const { operation, record, table, index } = request;
  const stored = storedName(record, attribute);
  // A FilterExpression would leave out the other kinds of items that are wanted from the same range.
  if (request.together.length > 0) return false;
  if (operation !== "Query" || stored === undefined) return operation === "Scan";
  const membership = record.memberships.find((one) => one.index === index);
  const keys =
    index === undefined
      ? [table.partition, ...(table.sort === undefined ? [] : [table.sort])]
      : [...(membership?.partition ?? []), ...(membership?.sort ?? [])].map((one) => one.attribute);
  return !keys.some(({ name }) => name === stored);
}

interface Answer {
  readonly Item?: Item;
  readonly Responses?:
    | Readonly<Record<string, readonly Item[]>>
    | readonly { readonly Item?: Item }[];
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys: readonly Item[] }>>;
}

/** A key that is asked for, and where. */
interface WantedKey {
  readonly table: string;
  readonly key: Item;
  readonly combination: number;
  readonly from: Found | undefined;
  readonly at: number | undefined;
}

function keysFor(run: Run, request: ReadRequest): readonly WantedKey[] {
  return combinationsFor(run, request).flatMap(({ values, from, at }, combination) => {
    const tables = tablesOf(run, request, values);
    return keysOf(request, values, from).flatMap((key) =>
      tables.map((table) => ({ table, key, combination, from, at })),
    );
  });
}

/** An item that came for a key, if it is what was asked for. */
function foundAt(
  run: Run,
  request: ReadRequest,
  { combination, from, at }: WantedKey,
  item: Item | undefined,
): readonly Found[] {
  const { record, filter } = request;
  if (item === undefined) return [];
  const values = valuesIn(record, item);
  // A single item has no filter: what was asked beyond its key is looked at here.
  const { given } = runAt(run, request, at);
  const isMeant = passes(given, record.entity.attributes, filter, values);
  if (!isMeant) return [];
  return [{ record, item, values, combination, at, ...(from !== undefined && { parent: from }) }];
}

/**
 * The rows of an earlier request with what a fetch brought for each of them. A row whose own item is gone is left out; a part
 * that is not stored has nothing to add. The combination of a row is its place among the rows of the earlier request.
 */
export function completed(
  run: Run,
  request: ReadRequest,
  sources: readonly Found[],
  found: readonly Found[],
): readonly Found[] {
  const items = new Map(found.map((one) => [placeIn(request, one.item), one]));
  const [combination] = combinationsFor(run, { ...request, bindings: parametersIn(request) });
  return sources.flatMap((source): readonly Found[] => {
    if (source.record.entity !== request.record.entity) return [];
    const values = new Map([...(combination?.values ?? []), ...source.values]);
    const fetched = keysOf(request, values, source)
      .map((key) => items.get(JSON.stringify(sorted(key))))
      .find((one) => one !== undefined);
    const isOwn = request.record.role === "item";
    if (fetched === undefined) return isOwn ? [] : [source];
    const { record, item } = isOwn ? fetched : source;
    const all = new Map([...source.values, ...fetched.values]);
    return [{ ...source, record, item, values: all }];
  });
}

/** The bindings of a request that do not depend on rows. */
function parametersIn({ bindings }: ReadRequest): ReadRequest["bindings"] {
  return new Map([...bindings].filter(([, { kind }]) => kind !== "result"));
}

function placeIn(request: ReadRequest, item: Item): string {
  return JSON.stringify(sorted(keyIn(request, item)));
}

async function byKeys(run: Run, request: ReadRequest): Promise<readonly Found[]> {
  const { consistent, operation } = request;
  const keys = keysFor(run, request);
  const strong = consistent && { ConsistentRead: true };
  const found = new Map<string, Item>();
  const note = (table: string, item: Item): void => {
    found.set(placeOf(table, keyIn(request, item)), item);
  };
  if (operation === "GetItem" && keys.length <= 1) {
    for (const { table, key } of keys) {
      const { Item: item }: Answer = await send(run, "GetItem", {
        TableName: table,
        Key: key,
        ...strong,
      });
      if (item !== undefined) note(table, item);
    }
  } else {
    const unique = [...new Map(keys.map((one) => [placeOf(one.table, one.key), one])).values()];
    for (let at = 0; at < unique.length; at += 100) {
      await batch(run, unique.slice(at, at + 100), strong, note);
    }
  }
  return keys.flatMap((key) => foundAt(run, request, key, found.get(placeOf(key.table, key.key))));
}

async function batch(
  run: Run,
  keys: readonly { readonly table: string; readonly key: Item }[],
  strong: object | false,
  note: (table: string, item: Item) => void,
): Promise<void> {
  const asked = new Map<string, Item[]>();
  for (const { table, key } of keys) asked.set(table, [...(asked.get(table) ?? []), key]);
  let left: Answer["UnprocessedKeys"] = Object.fromEntries(
    [...asked].map(([table, list]) => [table, { Keys: list, ...strong }]),
  );
  while (left !== undefined && Object.keys(left).length > 0) {
    const answer: Answer = await send(run, "BatchGetItem", { RequestItems: left });
    for (const [table, items] of Object.entries(answer.Responses ?? {})) {
      for (const item of items as readonly Item[]) note(table, item);
    }
    left = answer.UnprocessedKeys;
  }
}

/** The keys of a combination: one for each shard; as it was read, if an index told it. */
function keysOf(
  request: ReadRequest,
  values: Combination["values"],
  from: Found | undefined,
): readonly Item[] {
  if (from !== undefined && from.record === request.record) return [keyIn(request, from.item)];
  const structure = tableStructure(request.record);
  const known: Known = { entity: request.record.entity, values };
  let all: readonly Item[] = [{}];
  for (const { attribute, text } of [...structure.partition, ...structure.sort]) {
    const keys = gatheredKeys(text, known) ?? [];
    all = all.flatMap((before) => keys.map((key) => ({ ...before, [attribute.name]: key })));
  }
  return all;
}

/** The table's key of an item. */
function keyIn({ table }: ReadRequest, item: Item): Item {
  const names = [table.partition.name, ...(table.sort === undefined ? [] : [table.sort.name])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = own(item, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function sorted(key: Item): readonly (readonly [string, unknown])[] {
  return Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
