import { cartesianProduct } from "../../base/cartesian-product.ts";
import type { Item, KeyValue } from "../../item/attribute-value.ts";
import { attributeNames } from "../../model/key-text.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { ReadRequest } from "../plans/plan.ts";
import { structureOf } from "../plans/structures.ts";
import { gatheredKeys, type Known } from "../values/render-key.ts";
import { type Combination, combinationsOf, listedIn } from "./combinations.ts";
import { allOf, Placeholders } from "./expression.ts";
import { comparedLists, type Given, givenAt, passes } from "./given.ts";
import { rangeText } from "./key-range.ts";
import { kindOf } from "./kinds.ts";
import { tablesOf } from "./periods.ts";
import { predicateText } from "./predicate.ts";
import { type Found, type Run, send, sendAll } from "./run.ts";
import { keyIn, placeOf, storedName, valuesIn } from "./stored-names.ts";

/**
 * Carries out reads of a plan that are one step: a single one, with all its pages, shards and keys; or those of one transaction,
 * which see all items as they are at one moment. What was found is in the order of the reads.
 */
export async function runReads(
  run: Run,
  requests: readonly ReadRequest[],
): Promise<readonly (readonly Found[])[]> {
  const [first] = requests;
  if (first === undefined) return [];
  const isRange = first.operation === "Query" || first.operation === "Scan";
  if (isRange) return [await query(run, first)];
  const wanted = requests.map((request) => keysFor(run, request));
  // No request may name an item twice, so what several combinations or steps name is read once.
  const unique = new Map(wanted.flat().map((one) => [placeOf(one.table, one.key), one]));
  const items = await itemsAt(run, first, [...unique.values()]);
  return requests.map((request, i) =>
    (wanted[i] ?? []).flatMap((one) =>
      foundAt(run, request, one, items.get(placeOf(one.table, one.key))),
    ),
  );
}

/** Every combination of values that a request's key is made of. */
function combinationsFor(run: Run, request: ReadRequest): readonly Combination[] {
  const { bindings, partition, sort, record, of } = request;
  const known = [...partition, ...sort].map(({ text, segments }) => ({
    text: { ...text, segments: text.segments.slice(0, segments) },
  }));
  const segments = known.flatMap(({ text }) => text.segments);
  const names = new Set(attributeNames(known));
  const isOfItem = [...bindings.values()].some(({ kind }) => kind === "item");
  if (!isOfItem) return combinationsOf(record.entity, bindings, names, segments, run);
  // What is there in the place of each item that is created.
  return run.given.items(of ?? record.entity.name).flatMap((item, at) => {
    const all = combinationsOf(record.entity, bindings, names, segments, { ...run, item });
    return all.map((one) => ({ ...one, at }));
  });
}

interface Page {
  readonly Items?: readonly Item[];
  readonly LastEvaluatedKey?: Item;
}

/** Sends a Query for each combination of values, table and shard; of a Scan, which has no key, one for each table. */
async function query(run: Run, request: ReadRequest): Promise<readonly Found[]> {
  const { merges, sortsInClient, limit, record } = request;
  const combinations = combinationsFor(run, request);
  const found: Found[] = [];
  // What is not sorted afterwards comes in the order of asking, so nobody asks for more than is wanted.
  const isCut = !merges && !sortsInClient && combinations.every(({ from }) => from === undefined);
  for (const [i, { values, from, at }] of combinations.entries()) {
    const narrowed = { ...run, given: givenFor(run, request, at) };
    const known: Known = { entity: record.entity, values };
    const keys = request.partition.map(({ text }) => gatheredKeys(text, known) ?? []);
    for (const table of tablesOf(run, request, values)) {
      for (const partition of cartesianProduct(keys)) {
        const wanted = isCut && limit !== undefined ? limit - found.length : limit;
        if (wanted === 0) return found;
        const rows = await queryOne(narrowed, request, table, partition, known, wanted);
        found.push(...rows.map((row) => ({ ...row, combination: i, at, parent: from })));
      }
    }
  }
  return found;
}

/** What is given for one of several things that a request names. */
export function givenFor({ given }: Run, { bindings }: ReadRequest, at: number | undefined): Given {
  return at === undefined ? given : givenAt(given, listedIn(given, bindings), at);
}

type Row = Pick<Found, "record" | "item" | "values">;

async function queryOne(
  run: Run,
  request: ReadRequest,
  table: string,
  partition: readonly KeyValue[],
  known: Known,
  wanted: number | undefined,
): Promise<readonly Row[]> {
  const { operation, record, index, forward, limit, consistent } = request;
  const { attributes } = record.entity;
  const placeholders = new Placeholders();
  const equals = (name: string, value: KeyValue | undefined): string =>
    `${placeholders.name(name)} = ${placeholders.value(value as KeyValue)}`;
  const conditions = request.partition.map(({ attribute }, i) =>
    equals(attribute.name, partition[i]),
  );
  const filter = [...request.filter];
  for (const condition of request.sort) {
    if (condition.kind === "equals") {
      conditions.push(equals(condition.attribute.name, gatheredKeys(condition.text, known)?.[0]));
      continue;
    }
    const range = rangeText(condition, known, attributes, run.given, placeholders);
    conditions.push(range.text);
    if (range.isLoose && condition.predicate !== undefined) filter.push(condition.predicate);
  }
  const keys = allOf(conditions);
  const filters = filterTexts(run, { ...request, filter }, placeholders);
  const size = limit ?? run.given.pageSize;
  const input = {
    TableName: table,
    ...(index !== undefined && { IndexName: index.name }),
    ...(keys !== undefined && { KeyConditionExpression: keys }),
    ...(filters !== undefined && { FilterExpression: filters }),
    ...placeholders.members(),
    ...(operation === "Query" && !forward && { ScanIndexForward: false }),
    ...(size !== undefined && { Limit: size }),
    ...(consistent && { ConsistentRead: true }),
    // What a local index does not hold comes from its table only if it is asked for.
    ...(request.fetches && { Select: "ALL_ATTRIBUTES" }),
  };
  return pages(run, request, input, wanted);
}

/** Asks for pages until there are no more, or as many items as are wanted have come. */
async function pages(
  run: Run,
  request: ReadRequest,
  input: object,
  limit: number | undefined,
): Promise<readonly Row[]> {
  const { operation, record } = request;
  const wanted = [record, ...request.together];
  const kinds = [...wanted, ...request.beside];
  // An expression compares each list by itself; which values belong together only the caller can compare.
  const isZipped = comparedLists(run.given, request.filter).length > 1;
  const byCaller = request.filter.filter((one) => isZipped || !isPushed(request, one));
  const isMeant = ({ record: kind, values }: Row): boolean =>
    wanted.includes(kind) &&
    (kind !== record || passes(run.given, record.entity.attributes, byCaller, values));
  const found: Row[] = [];
  let start: Item | undefined;
  do {
    const page: Page = await send(run, operation, {
      ...input,
      ...(start !== undefined && { ExclusiveStartKey: start }),
    });
    const rows = (page.Items ?? []).flatMap((item): readonly Row[] => {
      const kind = kindOf(item, kinds);
      return kind === undefined ? [] : [{ record: kind, item, values: valuesIn(kind, item) }];
    });
    found.push(...rows.filter(isMeant));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && (limit === undefined || found.length < limit));
  return found.slice(0, limit);
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
  const { operation, record, together } = request;
  const stored = storedName(record, attribute);
  // A FilterExpression would leave out the other kinds of items that are wanted from the same range.
  if (together.length > 0) return false;
  if (operation !== "Query" || stored === undefined) return operation === "Scan";
  const { partition = [], sort = [] } = structureOf(request) ?? {};
  return ![...partition, ...sort].some((made) => made.attribute.name === stored);
}

/** A key that is asked for, and where. */
interface WantedKey extends Combination {
  readonly table: string;
  readonly key: Item;
  readonly combination: number;
}

function keysFor(run: Run, request: ReadRequest): readonly WantedKey[] {
  return combinationsFor(run, request).flatMap((one, combination) => {
    const tables = tablesOf(run, request, one.values);
    return keysOf(request, one.values, one.from).flatMap((key) =>
      tables.map((table) => ({ ...one, table, key, combination })),
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
  const given = givenFor(run, request, at);
  const isMeant = passes(given, record.entity.attributes, filter, values);
  return isMeant ? [{ record, item, values, combination, at, parent: from }] : [];
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
  const { record, bindings } = request;
  const items = new Map(found.map((one) => [placeOf("", keyIn(record, one.item)), one]));
  // What the key is made of besides the values of the rows.
  const others = new Map([...bindings].filter(([, { kind }]) => kind !== "result"));
  const [combination] = combinationsFor(run, { ...request, bindings: others });
  return sources.flatMap((source): readonly Found[] => {
    if (source.record.entity !== record.entity) return [];
    const values = new Map([...(combination?.values ?? []), ...source.values]);
    const fetched = keysOf(request, values, source)
      .map((key) => items.get(placeOf("", key)))
      .find((one) => one !== undefined);
    const isOwn = record.role === "item";
    if (fetched === undefined) return isOwn ? [] : [source];
    const row = isOwn ? fetched : source;
    const all = new Map([...source.values, ...fetched.values]);
    return [{ ...source, record: row.record, item: row.item, values: all }];
  });
}

interface Answer {
  readonly Item?: Item;
  readonly Responses?:
    | Readonly<Record<string, readonly Item[]>>
    | readonly { readonly Item?: Item }[];
}

/** The items at some keys, by their places. */
async function itemsAt(
  run: Run,
  { operation, consistent, record }: ReadRequest,
  keys: readonly WantedKey[],
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  const note = (table: string, item: Item): unknown =>
    found.set(placeOf(table, keyIn(record, item)), item);
  const strong = consistent && { ConsistentRead: true };
  const named = keys.map(({ table, key }) => ({ TableName: table, Key: key }));
  const [first] = named;
  if (first === undefined) return found;
  if (operation === "TransactGetItems") {
    const TransactItems = named.map((Get) => ({ Get }));
    const { Responses = [] }: Answer = await send(run, operation, { TransactItems });
    for (const [i, { table, key }] of keys.entries()) {
      const item = (Responses as readonly Answer[])[i]?.Item;
      if (item !== undefined) found.set(placeOf(table, key), item);
    }
  } else if (operation === "GetItem" && named.length === 1) {
    const { Item: item }: Answer = await send(run, operation, { ...first, ...strong });
    if (item !== undefined) note(first.TableName, item);
  } else {
    for (let at = 0; at < keys.length; at += 100) {
      const asked = new Map<string, Item[]>();
      for (const { table, key } of keys.slice(at, at + 100)) {
        asked.set(table, [...(asked.get(table) ?? []), key]);
      }
      const requests = [...asked].map(([table, Keys]) => [table, { Keys, ...strong }] as const);
      const answers = await sendAll<Answer>(run, "BatchGetItem", Object.fromEntries(requests));
      for (const [table, items] of answers.flatMap(({ Responses }) =>
        Object.entries(Responses ?? {}),
      )) {
        for (const item of items as readonly Item[]) note(table, item);
      }
    }
  }
  return found;
}

/** The keys of a combination: one for each shard; as it was read, if an index told it. */
function keysOf(
  { record }: ReadRequest,
  values: Combination["values"],
  from: Found | undefined,
): readonly Item[] {
  if (from !== undefined && from.record === record) return [keyIn(record, from.item)];
  const known: Known = { entity: record.entity, values };
  const lists = record.key.map(({ attribute, text }) =>
    (gatheredKeys(text, known) ?? []).map((key) => [attribute, key] as const),
  );
  return cartesianProduct(lists).map((key): Item => Object.fromEntries(key));
}
