import { attributeNames } from "../../model/key-text.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { needsValue } from "../records/shares.ts";
import type { Ask } from "./ask.ts";
import { heldBy, isImplied, leavesOut, partsOf } from "./index-contents.ts";
import { equalKey, matchKey } from "./match-key.ts";
import {
  type Link,
  noRemainder,
  type ReadRequest,
  type Rejection,
  type Remainder,
  resultBindings,
  structureName,
  type Times,
} from "./plan.ts";
import { besideOf, type Candidate, callsOf, expectedOf, spanUnits } from "./read-numbers.ts";
import { type Structure, structuresOf, tableStructure } from "./structures.ts";

/**
 * Enumerates the access paths of a question: all ways to read it by the key of a table or an index, by a unique item, or by
 * a Scan. No other file knows them. It does not choose: `read-plan.ts` does.
 */

/** One access path: what finds the rows, and what is left to do after that. Of a unique item that is read first, the id is known. */
export interface AccessPath extends Candidate {
  /** `Shop` or `Shop.GSI1`. */
  readonly name: string;
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
  const enough = (role: StoredRecord["role"], isEnough: typeof isPartEnough) =>
    facts.records.filter(
      (one) => one.role === role && one.entity.name === ask.entity && isEnough(one, ask),
    );
  const copies = [...enough("split", isPartEnough), ...enough("latest", isLatestEnough)];
  const [items, hosts] = [facts.itemsOf(ask.entity), facts.hostsOf(ask.entity)];
  return [...items, ...copies, ...hosts].flatMap(structuresOf);
}

/** A part of an item is enough if it holds all that is asked for, and if every item that is asked for has it. */
function isPartEnough({ entity, attributes }: StoredRecord, ask: Ask): boolean {
  const held = heldBy(attributes);
  const needed = [...ask.returns, ...[...ask.where, ...ask.order].map((one) => one.attribute)];
  const isAlways = (name: string): boolean =>
    entity.attributes.get(name)?.isOptional === false ||
    ask.where.some((one) => one.attribute === name && needsValue(one));
  return (
    needed.every((name) => held.has(name) || entity.id.includes(name)) &&
    [...held].some((name) => !entity.id.includes(name) && isAlways(name))
  );
}

/** Only the newest version of all is asked for, so its copy answers: it may not be the newest that fulfils something. */
function isLatestEnough({ table, entity: { id } }: StoredRecord, ask: Ask): boolean {
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
  const outside = membership && leavesOut(membership, ask);
  if (outside?.refused !== undefined) return outside.refused;
  const isScan = method === "scan";
  const match = matchKey(isScan ? { ...structure, partition: [], sort: [] } : structure, ask);
  if (typeof match === "string") return match;
  if (ask.transaction && !match.whole) return "a transaction reads items by their whole keys";
  const candidate = { facts, structure, ask, match };
  // One item is in any order. A batch and a list of values find several.
  const isSeveral = (ask.batch ?? 1) > 1 || match.times.some(({ why }) => why === "values");
  const isIdentified = match.whole || record.entity.id.every((name) => match.fixed.includes(name));
  const sortsInClient = match.forward === undefined && (isSeveral || !isIdentified);
  const left: Remainder = {
    links: linksLeft(candidate),
    // What an item has by being in the index need not be looked at again.
    filter: match.rest.filter((predicate) => !isImplied(predicate, membership)),
    order: sortsInClient ? ask.order : [],
    limit: ask.limit,
  };
  const division = divide(candidate, left);
  if (typeof division === "string") return division;
  const { filter, late, fetches, missing } = division;
  const times = timesOf(candidate, left.filter);
  const isPushed = !isScan && !sortsInClient && !match.whole && left.links.length === 0;
  const draft = {
    kind: "read",
    part: ask.part,
    completes: undefined,
    remainder: late === undefined ? { ...left, filter: [] } : noRemainder,
    operation: operationOf(candidate, times),
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
    limit: isPushed && late === undefined ? ask.limit : undefined,
    sortsInClient,
    merges: ask.order.length > 0 && !sortsInClient && isSeveralLists(candidate, times),
    consistent: ask.consistent,
    returns: ask.returns,
    fetches,
    times,
  } as const;
  const name = structureName(table, index);
  return {
    ...candidate,
    name,
    lookup: undefined,
    request: { ...draft, expected: expectedOf(candidate, draft, late) },
    missing,
    late,
    notes: [isScan ? `No key answers it: all of ${name} is read.` : [], outside?.note ?? []].flat(),
  };
}

function operationOf({ ask, match }: Candidate, times: readonly Times[]): ReadRequest["operation"] {
  if (ask.transaction) return "TransactGetItems";
  if (!match.whole) return match.partition.length === 0 ? "Scan" : "Query";
  return callsOf(times) > 1 ? "BatchGetItem" : "GetItem";
}

/** Values of the parent that the key does not fix; it may have the attribute from a condition. */
function linksLeft({ ask, match: { fixed, bindings } }: Candidate): readonly Link[] {
  return [...ask.known].flatMap(([attribute, binding]) =>
    binding.kind === "result" && (!fixed.includes(attribute) || bindings.get(attribute) !== binding)
      ? [{ attribute, request: binding.request, of: binding.attribute }]
      : [],
  );
}

interface Division extends Pick<AccessPath, "missing" | "late"> {
  /** Predicates that are checked where the items are read. */
  readonly filter: Remainder["filter"];
  /** A local index takes what it lacks from the table by itself. */
  readonly fetches: boolean;
}

/**
 * What can be checked and sorted where the items are read, of all that the key leaves. As soon as one step needs an attribute
 * that is not held there, it and all after it wait for the fetch: a limit before a late filter would cut the wrong rows.
 */
function divide({ facts, structure, ask, match }: Candidate, left: Remainder): Division | string {
  const { record, membership, index } = structure;
  const isScan = match.partition.length === 0;
  const needed = [...left.links, ...left.filter, ...left.order].map(({ attribute }) => attribute);
  const own = heldBy(record.attributes);
  const here = heldBy(membership?.attributes ?? record.attributes);
  const wanted = [...new Set([...needed, ...ask.returns])];
  // A Scan takes from a local index only what its entries hold.
  const fetches =
    !isScan && index?.local === true && wanted.some((name) => own.has(name) && !here.has(name));
  const available = fetches ? own : here;
  const parts = partsOf(facts, record).map(({ attributes }) => heldBy(attributes));
  // All of an index is not read for entries that have to be fetched before anything is known of them.
  const lacking = needed.find((name) =>
    own.has(name) ? isScan && !here.has(name) : !parts.some((held) => held.has(name)),
  );
  if (lacking !== undefined) {
    const isOrder = left.order.some(({ attribute }) => attribute === lacking);
    return `does not hold ${lacking}, which is ${isOrder ? "sorted by" : "asked about"}`;
  }
  const filter = left.filter.filter(({ attribute }) => available.has(attribute));
  const isLate = needed.some((name) => !available.has(name));
  const late = { ...left, filter: left.filter.filter((one) => !filter.includes(one)) };
  const missing = wanted.filter((name) => !available.has(name));
  return { filter, late: isLate ? late : undefined, fetches, missing };
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
  const isOpen = `has ${ask.entity} inside of ${name}, whose key is not known`;
  // Reading all hosts for what may be embedded in some of them is not done.
  if (method === "scan") return isOpen;
  if (index !== undefined || ask.transaction || isListed) {
    return `has ${ask.entity} inside of ${name}, which is read by its own key`;
  }
  const known = new Map([...ask.known].filter(([attribute]) => id.includes(attribute)));
  const asked = { ...ask, entity: name, where, order: [], limit: undefined, returns: id, known };
  const found = accessPath(facts, structure, asked);
  if (typeof found === "string") return found;
  if (!found.match.whole) return isOpen;
  const request = { ...found.request, returns: ask.returns, remainder: noRemainder };
  return { ...found, ask, request, missing: [], late: undefined };
}

/** Whether there may be several calls, each with rows in an order of its own; on average it may be one nevertheless. */
function isSeveralLists({ match, ask, structure }: Candidate, times: readonly Times[]): boolean {
  const { periods } = structure.table;
  if (match.whole) return false;
  if (times.some(({ why, count }) => why === "span" || why === "values" || count > 1)) return true;
  // Tables are asked in the order of their periods, which may be that of the rows.
  return (
    periods !== undefined &&
    ask.order[0]?.attribute !== periods.attribute &&
    !match.fixed.includes(periods.attribute)
  );
}

/** In words, why a request is sent several times, or names several keys. */
const timesTexts: Readonly<Record<Times["why"], (count: number) => string>> = {
  shards: (count) => `${count} shards`,
  values: (count) => `${count} values`,
  span: () => "each unit of the span",
  results: () => "each result",
  batch: (count) => `${count} keys`,
  periods: (count) => `${count} tables of periods`,
};

function timesOf(candidate: Candidate, filter: Remainder["filter"]): readonly Times[] {
  const { match, ask, structure } = candidate;
  // One Scan reads all, whatever is asked for.
  if (match.partition.length === 0) return [];
  const { periods } = structure.table;
  const { batch, matches, order, limit, where } = ask;
  const times = match.times.flatMap((one) => {
    if (one.why === "values" && batch !== undefined) return [];
    if (one.why !== "span" || matches === undefined) return [one];
    return [{ ...one, count: spanUnits(candidate, filter, matches.value) }];
  });
  if (batch !== undefined && batch > 1) times.push({ count: batch, why: "batch", assumed: false });
  const isOfResults = [...match.bindings].some(
    ([name, { kind }]) => kind === "result" && match.fixed.includes(name),
  );
  if (isOfResults && matches !== undefined) {
    // What is read for each result of a request before: its number was handed in.
    times.push({ count: matches.value, why: "results", assumed: matches.assumed });
  }
  const { attribute, keep = 1 } = periods ?? {};
  const isTold =
    match.bindings.has(attribute ?? "") || where.some((one) => one.attribute === attribute);
  const isNewest = order[0]?.attribute === attribute && limit !== undefined;
  if (keep > 1 && !isTold && !isNewest) {
    times.push({ count: keep, why: "periods", assumed: false });
  }
  return times.map((one) => ({ ...one, text: timesTexts[one.why](one.count) }));
}

/** By a unique item: its key is the value that is asked for, and it has the id. */
function lookups(facts: Facts, ask: Ask, first: number): readonly AccessPath[] {
  if (ask.transaction || ask.batch !== undefined) return [];
  return facts.records.flatMap((guard) => {
    if (guard.role !== "unique" || guard.entity.name !== ask.entity) return [];
    const { id } = guard.entity;
    const named = attributeNames(guard.key);
    const where = ask.where.filter(({ attribute }) => named.includes(attribute));
    const asked = { ...ask, where, order: [], limit: undefined, returns: id, matches: undefined };
    const look = accessPath(facts, tableStructure(guard), asked);
    if (typeof look === "string" || !look.match.whole || look.match.times.length > 0) return [];
    // What is asked for by its value need not be taken from the guard.
    const open = id.filter((name) => look.match.bindings.get(name) === undefined);
    const known = resultBindings(open, first);
    const matches = { value: 1, assumed: false };
    return facts.itemsOf(ask.entity).flatMap((record): readonly AccessPath[] => {
      const item = accessPath(facts, tableStructure(record), { ...ask, known, matches });
      if (typeof item === "string" || !item.match.whole) return [];
      // The guard's key has the value that is asked for.
      const filter = item.request.filter.filter(({ attribute }) => !named.includes(attribute));
      const request = { ...item.request, filter };
      const { name } = guard.table;
      return [{ ...item, name, ask: { ...ask, known }, lookup: look.request, request }];
    });
  });
}

/** The requests of an access path, in their order: look-up, rows, fetches. What is late is done after the last one. */
export function requestsOf(path: AccessPath, first: number): readonly ReadRequest[] {
  const found = path.lookup === undefined ? [path.request] : [path.lookup, path.request];
  return [...found, ...fetchesOf(path, first + found.length - 1)];
}

/** Requests by key for what the first request does not hold: the item behind an index entry, and its parts. */
function fetchesOf(path: AccessPath, first: number): readonly ReadRequest[] {
  const { facts, structure, request, ask, missing, late } = path;
  const { record } = structure;
  const own = heldBy(record.attributes);
  const isWanted = ({ attributes, entity }: StoredRecord): boolean => {
    const held = heldBy(attributes);
    return missing.some((name) => held.has(name) && !entity.id.includes(name));
  };
  const records = [
    ...(missing.some((name) => own.has(name)) ? [record] : []),
    ...partsOf(facts, record).filter(isWanted),
  ];
  return records.map((one, i) => {
    const fetch = fetchOf(path, one, first);
    if (late === undefined || i < records.length - 1) return fetch;
    const share = facts.passing(record.entity, [], late.filter).value;
    const passing = ask.matches?.value ?? request.expected.returned * share;
    const returned = Math.min(late.limit ?? passing, passing);
    return { ...fetch, remainder: late, expected: { ...fetch.expected, returned } };
  });
}

/** Reads the item of each row that an earlier request found, by its key. */
function fetchOf(
  { facts, ask, request: from }: AccessPath,
  record: StoredRecord,
  request: number,
): ReadRequest {
  const { partition, sort } = tableStructure(record);
  const names = attributeNames([...partition, ...sort]);
  // The key of a single item whose id is given does not depend on the rows of the earlier request.
  const isKnown =
    from.operation !== "Scan" &&
    names.every((name) => (from.bindings.get(name)?.kind ?? "span") !== "span");
  const isOne = isKnown && from.times.length === 0;
  const count = isKnown ? from.expected.calls : from.expected.returned;
  const text = timesTexts.results(count);
  return {
    ...from,
    completes: request,
    remainder: noRemainder,
    operation: ask.transaction ? "TransactGetItems" : isOne ? "GetItem" : "BatchGetItem",
    index: undefined,
    record,
    together: [],
    beside: [],
    partition: partition.map(equalKey),
    sort: sort.map(equalKey),
    bindings: isKnown ? from.bindings : resultBindings(names, request),
    filter: [],
    limit: undefined,
    merges: false,
    sortsInClient: false,
    fetches: false,
    returns: ask.returns,
    times: isKnown ? from.times : [{ count, why: "results", text, assumed: false }],
    expected: {
      calls: count,
      evaluated: [{ record, count: count * facts.presence(record) }],
      returned: count,
      assumptions: [],
    },
  };
}
