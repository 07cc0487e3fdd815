import { attributesOf } from "../../model/key-text.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import type { Ask } from "./ask.ts";
import { heldBy, isImplied, leavesOut, partsOf } from "./index-contents.ts";
import { type KeyMatch, matchKey, matchNothing } from "./match-key.ts";
import {
  type Binding,
  type Bindings,
  type Link,
  noRemainder,
  type ReadRequest,
  type Rejection,
  type Remainder,
  structureName,
  type Times,
} from "./plan.ts";
import { besideOf, expectedOf, firstAsk, spanUnits } from "./read-numbers.ts";
import { type Structure, structuresOf, tableStructure } from "./structures.ts";

/**
 * Enumerates the access paths of a question: all ways to read it by the key of a table or an index, by a unique item, or by
 * a Scan. No other file knows them. It does not choose: `read-plan.ts` does.
 */

/** One access path: what finds the rows, and what is left to do after that. */
export interface AccessPath {
  /** `Shop` or `Shop.GSI1`. */
  readonly name: string;
  readonly structure: Structure;
  readonly match: KeyMatch;
  /** Values that are known besides the conditions: the id, where a unique item is read first. */
  readonly known: Bindings;
  /** A unique item that is read first: it has the id. */
  readonly lookup: ReadRequest | undefined;
  /** The request that finds the rows. */
  readonly request: ReadRequest;
  /** Attributes that are needed and that the table or index does not hold: they are fetched by key. */
  readonly missing: readonly string[];
  /** What needs a missing attribute and waits for the fetch, with everything after it: filter, sort, limit. */
  readonly late: Remainder | undefined;
  readonly notes: readonly string[];
}

export interface AccessPaths {
  readonly paths: readonly AccessPath[];
  /** Tables and indexes that cannot be used, and why. */
  readonly rejected: readonly Rejection[];
}

/** By the key of an item or of an index, or reading all of it. */
export type Method = "key" | "scan";

/** All access paths of one method. `first` is the place of the first request in the plan. */
export function accessPaths(facts: Facts, ask: Ask, method: Method, first: number): AccessPaths {
  const all = structuresFor(facts, ask);
  const stated = ask.via === undefined ? [] : all.filter(({ index }) => index === ask.via);
  const paths: AccessPath[] = [];
  const rejected: Rejection[] = [];
  for (const structure of stated.length > 0 ? stated : all) {
    const path = accessPath(facts, structure, ask, method);
    if (typeof path !== "string") paths.push(path);
    else rejected.push({ structure: structureName(structure.table, structure.index), why: path });
  }
  if (method === "key" && stated.length === 0) paths.push(...lookups(facts, ask, first));
  return { paths, rejected };
}

/** The tables and indexes that hold the entity, or that hold what it is embedded in. */
function structuresFor(facts: Facts, ask: Ask): readonly Structure[] {
  const records = facts.records.filter((record) => {
    if (record.entity.name !== ask.entity) return false;
    if (record.role === "split") return isPartEnough(record, ask);
    return record.role === "latest" && wantsLatest(ask, record);
  });
  const split = records.filter(({ role }) => role === "split");
  const latest = records.filter(({ role }) => role === "latest");
  const own = facts.itemsOf(ask.entity);
  return [...own, ...split, ...latest, ...facts.hostsOf(ask.entity)].flatMap(structuresOf);
}

/** A part of an item is enough if it holds all that is asked for, and if every item that is asked for has it. */
function isPartEnough({ entity, attributes }: StoredRecord, ask: Ask): boolean {
  const held = heldBy(attributes);
  const needed = [...ask.returns, ...[...ask.where, ...ask.order].map((one) => one.attribute)];
  const isHeld = needed.every((name) => held.has(name) || entity.id.includes(name));
  const isThere = [...held].some(
    (name) =>
      !entity.id.includes(name) &&
      (entity.attributes.get(name)?.isOptional === false ||
        ask.where.some(
          (one) => one.attribute === name && (one.operator !== "exists" || one.exists),
        )),
  );
  return isHeld && isThere;
}

/** Only the newest version of all is asked for, so its copy answers: it may not be the newest that fulfils something. */
function wantsLatest(ask: Ask, { table, entity: { id } }: StoredRecord): boolean {
  const version = table.versioning?.attribute;
  const [order] = ask.order;
  const isNewest = order?.attribute === version && order?.direction === "descending";
  const isOfAll = ask.where.every(
    ({ attribute, operator }) =>
      operator === "equals" && attribute !== version && id.includes(attribute),
  );
  return ask.limit === 1 && isNewest && isOfAll;
}

/** The access path by one table or index; a sentence if there is none. */
export function accessPath(
  facts: Facts,
  structure: Structure,
  ask: Ask,
  method: Method = "key",
): AccessPath | string {
  const { index, membership, record, table } = structure;
  if (record.entity.name !== ask.entity) return hostPath(facts, structure, ask, method);
  if (ask.consistent && index !== undefined && !index.local) {
    return "a global index cannot be read with strong consistency";
  }
  const left = membership === undefined ? undefined : leavesOut(membership, ask);
  if (left?.refused !== undefined) return left.refused;
  const isScan = method === "scan";
  const match = isScan
    ? matchNothing(ask.where, ask.order, ask.known)
    : matchKey(structure, ask.where, ask.order, ask.known, ask.batch);
  if (typeof match === "string") return match;
  if (ask.transaction && !match.whole) return "a transaction reads items by their whole keys";
  // What an item has by being in the index need not be looked at again.
  const rest = match.rest.filter((predicate) => !isImplied(predicate, membership));
  // One item is in any order. A batch and a list of values find several.
  const isSeveral = (ask.batch ?? 1) > 1 || match.times.some(({ why }) => why === "values");
  const isIdentified = match.whole || record.entity.id.every((name) => match.fixed.includes(name));
  const sortsInClient = match.forward === undefined && !(isIdentified && !isSeveral);
  const links = linksLeft(ask, match);
  const order = sortsInClient ? ask.order : [];
  const division = divide(facts, structure, ask, { links, rest, order, isScan });
  if (typeof division === "string") return division;
  const { filter, late, fetches, missing } = division;
  const found = firstAsk(facts, structure, match, ask, late);
  const times = isScan
    ? []
    : timesOf(match, ask, structure).map((one) => {
        if (one.why !== "span" || ask.matches === undefined) return one;
        return { ...one, count: spanUnits(facts, structure, match, rest, ask.matches.value) };
      });
  const isPushed = !isScan && !sortsInClient && !match.whole && links.length === 0;
  const draft = {
    kind: "read",
    part: ask.part,
    completes: undefined,
    remainder: late === undefined ? { links, filter: [], order, limit: ask.limit } : noRemainder,
    operation: isScan ? "Scan" : operationOf(ask, match, times),
    table,
    index,
    record,
    together: [],
    beside: match.whole ? [] : besideOf(facts, structure, match),
    partition: match.partition,
    sort: match.sort,
    bindings: match.bindings,
    filter,
    forward: match.forward ?? true,
    limit: isPushed ? found.limit : undefined,
    sortsInClient,
    merges: isSeveralLists(match, ask, structure, times) && ask.order.length > 0 && !sortsInClient,
    consistent: ask.consistent,
    returns: ask.returns,
    fetches,
    times,
  } as const;
  const expected = expectedOf(facts, structure, match, draft, found, late !== undefined);
  const name = structureName(table, index);
  return {
    name,
    structure,
    match,
    known: ask.known,
    lookup: undefined,
    request: { ...draft, expected },
    missing,
    late,
    notes: [
      ...(isScan ? [`No key answers it: all of ${name} is read.`] : []),
      ...(left?.note === undefined ? [] : [left.note]),
    ],
  };
}

function operationOf(
  ask: Ask,
  { whole }: KeyMatch,
  times: readonly Times[],
): ReadRequest["operation"] {
  if (ask.transaction) return "TransactGetItems";
  if (!whole) return "Query";
  return times.reduce((product, { count }) => product * count, 1) > 1 ? "BatchGetItem" : "GetItem";
}

interface Division {
  /** Predicates that are checked where the items are read. */
  readonly filter: readonly Predicate[];
  readonly late: Remainder | undefined;
  /** A local index takes what it lacks from the table by itself. */
  readonly fetches: boolean;
  readonly missing: readonly string[];
}

/** What the key leaves open. */
interface Remaining extends Pick<Remainder, "links" | "order"> {
  readonly rest: readonly Predicate[];
  /** A Scan takes from a local index only what its entries hold. */
  readonly isScan: boolean;
}

/** Values of the parent that the key does not fix; it may have the attribute from a condition. */
function linksLeft({ known }: Ask, { fixed, bindings }: KeyMatch): readonly Link[] {
  return [...known].flatMap(([attribute, binding]) =>
    binding.kind === "result" && (!fixed.includes(attribute) || bindings.get(attribute) !== binding)
      ? [{ attribute, request: binding.request, of: binding.attribute }]
      : [],
  );
}

/**
 * What can be checked and sorted where the items are read. As soon as one step needs an attribute that is not held there, it
 * and all after it wait for the fetch: a limit before a late filter would cut the wrong rows.
 */
function divide(
  facts: Facts,
  { record, membership, index }: Structure,
  ask: Ask,
  { links, rest, order, isScan }: Remaining,
): Division | string {
  const needed = [...links, ...rest, ...order].map(({ attribute }) => attribute);
  const own = heldBy(record.attributes);
  const here = heldBy(membership?.attributes ?? record.attributes);
  const wanted = [...needed, ...ask.returns];
  const fetches =
    !isScan && index?.local === true && wanted.some((name) => own.has(name) && !here.has(name));
  const available = fetches ? own : here;
  const parts = partsOf(facts, record).map(({ attributes }) => heldBy(attributes));
  // All of an index is not read for entries that have to be fetched before anything is known of them.
  const lacking = needed.find((name) =>
    own.has(name) ? isScan && !here.has(name) : !parts.some((held) => held.has(name)),
  );
  if (lacking !== undefined) {
    const use = order.some(({ attribute }) => attribute === lacking) ? "sorted by" : "asked about";
    return `does not hold ${lacking}, which is ${use}`;
  }
  const filter = rest.filter(({ attribute }) => available.has(attribute));
  const isLate = needed.some((name) => !available.has(name));
  const late = isLate
    ? { links, filter: rest.filter((one) => !filter.includes(one)), order, limit: ask.limit }
    : undefined;
  const missing = [...new Set(wanted)].filter((name) => !available.has(name));
  return { filter, late, fetches, missing };
}

/** An embedded entity is found by the key of its host, and the caller looks through what that holds. */
function hostPath(
  facts: Facts,
  structure: Structure,
  ask: Ask,
  method: Method,
): AccessPath | string {
  const { index, record } = structure;
  const { name, id } = record.entity;
  const where = ask.where.filter(({ attribute }) => id.includes(attribute));
  const isListed = ask.batch !== undefined && where.length < ask.where.length;
  // Reading all hosts for what may be embedded in some of them is not done.
  if (method === "scan") return `has ${ask.entity} inside of ${name}, whose key is not known`;
  if (index !== undefined || ask.transaction || isListed) {
    return `has ${ask.entity} inside of ${name}, which is read by its own key`;
  }
  const found = accessPath(facts, structure, {
    ...ask,
    entity: name,
    where,
    order: [],
    limit: undefined,
    returns: id,
    known: new Map([...ask.known].filter(([attribute]) => id.includes(attribute))),
  });
  if (typeof found === "string") return found;
  if (!found.match.whole) return `has ${ask.entity} inside of ${name}, whose key is not known`;
  const request = { ...found.request, returns: ask.returns, remainder: noRemainder };
  return { ...found, request, missing: [], late: undefined };
}

/** Whether there may be several calls, each with rows in an order of its own; on average it may be one nevertheless. */
function isSeveralLists(
  match: KeyMatch,
  ask: Ask,
  { table: { periods } }: Structure,
  times: readonly Times[],
): boolean {
  if (match.whole) return false;
  if (times.some(({ why, count }) => why === "span" || why === "values" || count > 1)) return true;
  if (periods === undefined) return false;
  // Tables are asked in the order of their periods, which may be that of the rows.
  const isInOrder = ask.order[0]?.attribute === periods.attribute;
  return !isInOrder && !match.fixed.includes(periods.attribute);
}

function timesOf(match: KeyMatch, ask: Ask, { table }: Structure): readonly Times[] {
  const times: Times[] = match.times
    .filter(({ why }) => !(why === "values" && ask.batch !== undefined))
    .map((one) => ({ ...one, text: timesText(one) }));
  if (ask.batch !== undefined && ask.batch > 1) {
    times.push({ count: ask.batch, why: "batch", text: `${ask.batch} keys`, assumed: false });
  }
  const results = [...match.bindings].filter(
    ([name, { kind }]) => kind === "result" && match.fixed.includes(name),
  );
  if (results.length > 0 && ask.matches !== undefined) {
    // What is read for each result of a request before: its number was handed in.
    times.push({
      count: ask.matches.value,
      why: "results",
      text: "each result",
      assumed: ask.matches.assumed,
    });
  }
  const { periods } = table;
  if (periods !== undefined && (periods.keep ?? 1) > 1) {
    const { attribute, keep = 1 } = periods;
    const told =
      match.bindings.has(attribute) || ask.where.some((one) => one.attribute === attribute);
    const newest = ask.order[0]?.attribute === attribute && ask.limit !== undefined;
    if (!told && !newest) {
      times.push({
        count: keep,
        why: "periods",
        text: `${keep} tables of periods`,
        assumed: false,
      });
    }
  }
  return times;
}

function timesText({ count, why }: Omit<Times, "text">): string {
  if (why === "shards") return `${count} shards`;
  if (why === "values") return `${count} values`;
  return "each unit of the span";
}

/** By a unique item: its key is the value that is asked for, and it has the id. */
function lookups(facts: Facts, ask: Ask, first: number): readonly AccessPath[] {
  if (ask.transaction || ask.batch !== undefined) return [];
  return facts.records.flatMap((guard) => {
    if (guard.role !== "unique" || guard.entity.name !== ask.entity) return [];
    const named = new Set(
      guard.key.flatMap(({ text }) => attributesOf(text).map(({ attribute }) => attribute)),
    );
    const look = accessPath(facts, tableStructure(guard), {
      ...ask,
      where: ask.where.filter(({ attribute }) => named.has(attribute)),
      order: [],
      limit: undefined,
      returns: guard.entity.id,
      matches: undefined,
    });
    if (typeof look === "string" || !look.match.whole || look.match.times.length > 0) return [];
    // What is asked for by its value need not be taken from the guard.
    const open = guard.entity.id.filter((name) => look.match.bindings.get(name) === undefined);
    const known = resultsOf(open, first);
    const matches = { value: 1, assumed: false };
    return facts.itemsOf(ask.entity).flatMap((record): readonly AccessPath[] => {
      const item = accessPath(facts, tableStructure(record), { ...ask, known, matches });
      if (typeof item === "string" || !item.match.whole) return [];
      // The guard's key has the value that is asked for.
      const filter = item.request.filter.filter(({ attribute }) => !named.has(attribute));
      const request = { ...item.request, filter };
      return [{ ...item, name: guard.table.name, lookup: look.request, request }];
    });
  });
}

function resultsOf(names: readonly string[], request: number): Bindings {
  return new Map(names.map((attribute) => [attribute, { kind: "result", request, attribute }]));
}

/** The requests of an access path, in their order: look-up, rows, fetches. What is late is done after the last one. */
export function requestsOf(
  facts: Facts,
  path: AccessPath,
  ask: Ask,
  first: number,
): readonly ReadRequest[] {
  const { lookup, request } = path;
  const before = lookup === undefined ? [] : [lookup];
  return [...before, request, ...fetchesOf(facts, path, ask, first + before.length)];
}

/** Requests by key for what the first request does not hold: the item behind an index entry, and its parts. */
function fetchesOf(
  facts: Facts,
  { structure, request, missing, late }: AccessPath,
  ask: Ask,
  first: number,
): readonly ReadRequest[] {
  const { record } = structure;
  if (missing.length === 0) return [];
  const own = heldBy(record.attributes);
  const isWanted = (one: StoredRecord): boolean => {
    const names = heldBy(one.attributes);
    return missing.some((name) => names.has(name) && !one.entity.id.includes(name));
  };
  const records = [
    ...(missing.some((name) => own.has(name)) ? [record] : []),
    ...partsOf(facts, record).filter(isWanted),
  ];
  return records.map((one, i) => {
    const fetch = fetchOf(facts, one, request, ask, first);
    if (late === undefined || i < records.length - 1) return fetch;
    const share = facts.passing(record.entity, [], late.filter).value;
    const passing = ask.matches?.value ?? request.expected.returned * share;
    const returned = Math.min(late.limit ?? passing, passing);
    return { ...fetch, remainder: late, expected: { ...fetch.expected, returned } };
  });
}

/** Reads the item of each row that an earlier request found, by its key. */
function fetchOf(
  facts: Facts,
  record: StoredRecord,
  from: ReadRequest,
  ask: Ask,
  request: number,
): ReadRequest {
  const { partition, sort } = tableStructure(record);
  const names = new Set(
    [...partition, ...sort].flatMap(({ text }) => attributesOf(text)).map((one) => one.attribute),
  );
  // The key of a single item whose id is given does not depend on the rows of the earlier request.
  const isKnown =
    from.operation !== "Scan" &&
    [...names].every((name) => (from.bindings.get(name)?.kind ?? "span") !== "span");
  const isBatch = !isKnown || from.times.length > 0;
  const count = isKnown ? from.expected.calls : from.expected.returned;
  const equal = (made: (typeof partition)[number]) => ({
    ...made,
    kind: "equals" as const,
    segments: made.text.segments.length,
  });
  return {
    ...from,
    completes: request,
    remainder: noRemainder,
    operation: ask.transaction ? "TransactGetItems" : isBatch ? "BatchGetItem" : "GetItem",
    index: undefined,
    record,
    together: [],
    beside: [],
    partition: partition.map(equal),
    sort: sort.map(equal),
    bindings: isKnown
      ? from.bindings
      : new Map(
          [...names].map((attribute): [string, Binding] => [
            attribute,
            { kind: "result", request, attribute },
          ]),
        ),
    filter: [],
    limit: undefined,
    merges: false,
    sortsInClient: false,
    fetches: false,
    returns: ask.returns,
    times: isKnown ? from.times : [{ count, why: "results", text: "each result", assumed: false }],
    expected: {
      calls: count,
      evaluated: [{ record, count: count * facts.presence(record) }],
      returned: count,
      assumptions: [],
    },
  };
}
