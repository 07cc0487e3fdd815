import { attributesOf } from "../../model/key-text.ts";
import type { Entity, Predicate, Together } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { readUnitsOf } from "../units/read-units.ts";
import type { Ask } from "./ask.ts";
import { linkOf } from "./links.ts";
import {
  type Binding,
  type Bindings,
  noRemainder,
  type ReadRequest,
  type Rejection,
  type Remainder,
  structureName,
} from "./plan.ts";
import { attributeName, type Candidate, candidateOf, partsOf } from "./read-candidate.ts";
import { scanOf } from "./scan.ts";
import { type Structure, structuresOf, tableStructure } from "./structures.ts";
import { collectionOf } from "./together.ts";

export interface ReadPlan {
  readonly requests: readonly ReadRequest[];
  readonly notes: readonly string[];
  readonly rejected: readonly Rejection[];
  readonly problem: string | undefined;
}

/** The cheapest way to read what is asked for, and what else is wanted with it. */
export function planRead(
  facts: Facts,
  stated: Ask,
  together: readonly Together[] = [],
  first = 0,
): ReadPlan {
  const ask = withLinks(facts, stated, together);
  const all = structuresFor(facts, ask);
  const forced = facts.only && all.filter(({ index }) => index === facts.only);
  const structures = forced?.length ? forced : all;
  if (structures.length === 0) {
    return { requests: [], notes: [], rejected: [], problem: `${ask.entity} is in no table` };
  }
  const rejected: Rejection[] = [];
  const ways: Way[] = [];
  for (const structure of structures) {
    const name = structureName(structure.table, structure.index);
    const candidate = candidateOf(facts, structure, ask);
    if (typeof candidate === "string") rejected.push({ structure: name, why: candidate });
    else ways.push(wayOf(facts, candidate, ask, together, first, name));
  }
  if (structures === all) ways.push(...lookups(facts, ask, together, first));
  // What lies inside of others is not looked for in all of them.
  const own = structures.filter(({ record }) => record.entity.name === ask.entity);
  if (ways.length === 0 && ask.transaction) {
    const problem = `a transaction reads ${ask.entity} by its whole key, which is not known`;
    return { requests: [], notes: [], rejected, problem };
  }
  const scan = ways.length === 0 ? scanWay(facts, own, ask, together, first) : undefined;
  if (scan !== undefined) ways.push(scan);
  const whole = ways.filter(({ problem }) => problem === undefined);
  const [best, ...others] = (whole.length > 0 ? whole : ways).toSorted(byWorth);
  if (best?.problem !== undefined) {
    return { requests: [], notes: best.notes, rejected, problem: best.problem };
  }
  if (best === undefined) {
    const [host] = structures;
    const problem =
      host === undefined || own.length > 0
        ? "no way was found"
        : `which ${host.record.entity.name} holds the ${ask.entity} cannot be told`;
    return { requests: [], notes: [], rejected, problem };
  }
  for (const { name, units } of others) {
    rejected.push({
      structure: name,
      why: `takes ${round(units)} read units instead of ${round(best.units)}`,
    });
  }
  return { requests: best.requests, notes: best.notes, rejected, problem: undefined };
}

/** What tells the others that are wanted has to be in the answer, whether it is asked for or not. */
function withLinks(facts: Facts, ask: Ask, together: readonly Together[]): Ask {
  const links = together.flatMap((one) => linksTo(facts, ask, one));
  const added = [...new Set(links)].filter((name) => !ask.returns.includes(name));
  return added.length === 0 ? ask : { ...ask, returns: [...ask.returns, ...added] };
}

/** The attributes of what is found that tell which others are wanted with it. */
function linksTo(facts: Facts, ask: Ask, { entity }: Together): readonly string[] {
  const [own, other] = [facts.model.entities.get(ask.entity), facts.model.entities.get(entity)];
  if (own === undefined || other === undefined) return [];
  const known = linkOf(facts, own, other, ask.where, ask.known, 0);
  return [...known.values()].flatMap((one) => (one.kind === "result" ? [one.attribute] : []));
}

interface Way {
  readonly name: string;
  /** Why an entity that is wanted with the rows cannot be read. */
  readonly problem?: string | undefined;
  readonly requests: readonly ReadRequest[];
  readonly notes: readonly string[];
  readonly units: number;
}

/**
 * The order of a key beats sorting by the caller, who would have to read all there is; then fewer units, fewer
 * requests, and an item by its key before a range of one.
 */
function byWorth(a: Way, b: Way): number {
  const sorts = ({ requests }: Way): number => Number(requests.some((one) => one.sortsInClient));
  const ranges = ({ requests }: Way): number =>
    requests.filter(({ operation }) => operation === "Query").length;
  return (
    sorts(a) - sorts(b) ||
    a.units - b.units ||
    a.requests.length - b.requests.length ||
    ranges(a) - ranges(b)
  );
}

/**
 * Whether somebody who plans takes requests that read by an index rather than those that were taken without it. Everything
 * else comes before an index among equals, but for a look-up by an item that guards a value.
 */
export function isPreferred(
  facts: Facts,
  byIndex: readonly ReadRequest[],
  others: readonly ReadRequest[],
): boolean {
  const asWay = (requests: readonly ReadRequest[]): Way => {
    const units = requests.reduce((sum, request) => sum + readUnitsOf(facts, request).total, 0);
    return { name: "", notes: [], requests, units };
  };
  const one = asWay(byIndex);
  const other = asWay(others);
  const isScan = ({ requests: [first] }: Way): boolean => first?.operation === "Scan";
  if (isScan(one) !== isScan(other)) return isScan(other);
  if (isScan(one)) return one.units < other.units;
  const order = byWorth(one, other);
  return order < 0 || (order === 0 && others[0]?.record.role === "unique");
}

/** By an item that guards a unique value: it tells the id, and that tells the key. */
function lookups(
  facts: Facts,
  ask: Ask,
  together: readonly Together[],
  first: number,
): readonly Way[] {
  if (ask.transaction || ask.batch !== undefined) return [];
  return facts.records.flatMap((guard) => {
    if (guard.role !== "unique" || guard.entity.name !== ask.entity) return [];
    const named = new Set(
      guard.key.flatMap(({ text }) => attributesOf(text).map((one) => one.attribute)),
    );
    const look = candidateOf(facts, tableStructure(guard), {
      ...ask,
      where: ask.where.filter(({ attribute }) => named.has(attribute)),
      order: [],
      limit: undefined,
      returns: guard.entity.id,
      matches: undefined,
    });
    if (typeof look === "string" || !look.match.whole || look.request.expected.calls > 1) return [];
    const known = new Map<string, Binding>(
      guard.entity.id.map((attribute) => [
        attribute,
        { kind: "result", request: first, attribute },
      ]),
    );
    const found = { value: 1, assumed: false };
    const then = facts.itemsOf(ask.entity).flatMap((record) => {
      const item = candidateOf(facts, tableStructure(record), { ...ask, known, matches: found });
      return typeof item === "string" || !item.match.whole ? [] : [item];
    });
    return then.map((item): Way => {
      const name = structureName(guard.table, undefined);
      const way = wayOf(facts, item, { ...ask, known }, together, first + 1, name);
      const units = way.units + readUnitsOf(facts, look.request).total;
      // The guard's key has told that the value is the one that is asked for.
      const [item0, ...more] = way.requests;
      const main = item0 && {
        ...item0,
        filter: item0.filter.filter(({ attribute }) => !named.has(attribute)),
      };
      return {
        ...way,
        requests: [look.request, ...(main === undefined ? [] : [main]), ...more],
        units,
      };
    });
  });
}

/** Items of the entity, and of those inside of which it lies. */
function structuresFor(facts: Facts, ask: Ask): readonly Structure[] {
  const own = [...facts.itemsOf(ask.entity)];
  const latest = facts.records.filter(
    ({ role, entity, table }) =>
      role === "latest" &&
      entity.name === ask.entity &&
      wantsLatest(ask, entity, table.versioning?.attribute),
  );
  // A part of an item is enough if it holds all that is asked for, and if every item that is asked for has it.
  const parts = facts.records.filter(({ role, entity, attributes }) => {
    if (role !== "split" || entity.name !== ask.entity) return false;
    const held = new Set(attributes.flatMap(attributeName));
    const needed = [...ask.returns, ...[...ask.where, ...ask.order].map((one) => one.attribute)];
    const isHeld = needed.every((name) => held.has(name) || entity.id.includes(name));
    const isThere = [...held].some(
      (name) =>
        !entity.id.includes(name) &&
        (entity.attributes.get(name)?.present.value === 1 ||
          ask.where.some(
            (one) => one.attribute === name && (one.operator !== "exists" || one.exists),
          )),
    );
    return isHeld && isThere;
  });
  return [...own, ...parts, ...latest, ...facts.hostsOf(ask.entity)].flatMap(structuresOf);
}

/** Only the newest version of all is asked for, so its copy answers: it may not be the newest that fulfils something. */
function wantsLatest(ask: Ask, { id }: Entity, version: string | undefined): boolean {
  const [order] = ask.order;
  const isNewest = order?.attribute === version && order?.direction === "descending";
  const isOfAll = ask.where.every(
    ({ attribute, operator }) =>
      operator === "equals" && attribute !== version && id.includes(attribute),
  );
  return ask.limit === 1 && isNewest && isOfAll;
}

/** A request that finds rows, the fetches that complete them, and the other entities that are wanted with them. */
function wayOf(
  facts: Facts,
  candidate: Candidate,
  ask: Ask,
  together: readonly Together[],
  first: number,
  name: string,
): Way {
  const isScan = candidate.request.operation === "Scan";
  const collected =
    together.length === 0 || isScan || candidate.late !== undefined
      ? undefined
      : collectionOf(facts, candidate, ask, together);
  const main = collected?.request ?? candidate.request;
  const requests: ReadRequest[] = [
    main,
    ...fetchesOf(facts, { ...candidate, request: main }, ask, first),
  ];
  const last = requests.at(-1) ?? main;
  const source = first + requests.length - 1;
  const rows = [...requests];
  let problem: string | undefined;
  for (const one of collected === undefined ? together : collected.left) {
    // A fetch of a part adds to the rows, so what is embedded in the item is still in them.
    if (rows.some((request) => isInside(request, one.entity))) continue;
    const part = ask.childPart + together.indexOf(one);
    const plan = alongside(facts, one, part, ask, last, source, first + requests.length);
    problem ??= plan.problem;
    requests.push(...plan.requests);
  }
  const units = requests.reduce((sum, request) => sum + readUnitsOf(facts, request).total, 0);
  return { name, problem, requests, notes: [...candidate.notes], units };
}

function scanWay(
  facts: Facts,
  structures: readonly Structure[],
  ask: Ask,
  together: readonly Together[],
  first: number,
): Way | undefined {
  const ways = structures
    .filter(({ index }) => index === undefined || !ask.consistent || index.local)
    .flatMap((structure): Way[] => {
      const scan = scanOf(facts, structure, ask);
      if (scan === undefined) return [];
      const name = structureName(structure.table, structure.index);
      const way = wayOf(facts, scan, ask, together, first, name);
      return [{ ...way, notes: [`No key answers it: all of ${name} is read.`, ...scan.notes] }];
    });
  return ways.toSorted((a, b) => a.units - b.units)[0];
}

/**
 * Requests by key for what the first request does not hold: the item behind an index entry, and its parts. What has to wait
 * for them (filter, sort, limit) is done after the last one.
 */
function fetchesOf(
  facts: Facts,
  { structure, request, missing, late }: Candidate,
  ask: Ask,
  first: number,
): readonly ReadRequest[] {
  const { record } = structure;
  if (missing.length === 0) return [];
  const own = new Set(record.attributes.flatMap(attributeName));
  const isWanted = (one: StoredRecord): boolean => {
    const names = new Set(one.attributes.flatMap(attributeName));
    return missing.some((name) => names.has(name) && !one.entity.id.includes(name));
  };
  const records = [
    ...(missing.some((name) => own.has(name)) ? [record] : []),
    ...partsOf(facts, record).filter(isWanted),
  ];
  const returned = lateReturned(facts, request, ask, late);
  return records.map((one, i) => {
    const isLast = i === records.length - 1;
    const fetch = fetchOf(facts, one, request, ask, first);
    if (late === undefined || !isLast) return fetch;
    return { ...fetch, remainder: late, expected: { ...fetch.expected, returned } };
  });
}

/** The rows that are left after the late predicates and the limit. */
function lateReturned(
  facts: Facts,
  { record, expected }: ReadRequest,
  ask: Ask,
  late: Remainder | undefined,
): number {
  if (late === undefined) return expected.returned;
  const share = facts.passing(record.entity, [], late.filter).value;
  const passing = ask.matches?.value ?? expected.returned * share;
  return Math.min(late.limit ?? passing, passing);
}

/** Reads the item of each row that an earlier request found, by its key. */
function fetchOf(
  facts: Facts,
  record: StoredRecord,
  from: ReadRequest,
  ask: Ask,
  request: number,
): ReadRequest {
  const structure = tableStructure(record);
  const keys = [...structure.partition, ...structure.sort];
  const names = new Set(
    keys.flatMap(({ text }) => attributesOf(text).map(({ attribute }) => attribute)),
  );
  // The key of a single item whose id is given does not depend on the rows of the earlier request.
  const isKnown = [...names].every((name) => from.bindings.has(name)) && from.operation !== "Scan";
  const bindings: Bindings = isKnown
    ? from.bindings
    : new Map(
        [...names].map((attribute): [string, Binding] => [
          attribute,
          { kind: "result", request, attribute },
        ]),
      );
  const isBatch = !isKnown || from.times.length > 0;
  const count = isKnown ? from.expected.calls : from.expected.returned;
  const found = count * facts.presence(record);
  const whole = keys.map((made) => ({
    ...made,
    kind: "equals" as const,
    segments: made.text.segments.length,
  }));
  const partitions = structure.partition.length;
  return {
    ...from,
    completes: request,
    remainder: noRemainder,
    operation: ask.transaction ? "TransactGetItems" : isBatch ? "BatchGetItem" : "GetItem",
    index: undefined,
    record,
    together: [],
    beside: [],
    partition: whole.slice(0, partitions),
    sort: whole.slice(partitions),
    bindings,
    filter: [],
    limit: undefined,
    merges: false,
    sortsInClient: false,
    fetches: false,
    returns: ask.returns,
    times: isKnown ? from.times : [{ count, why: "results", text: "each result", assumed: false }],
    expected: {
      calls: count,
      evaluated: [{ record, count: found }],
      returned: count,
      assumptions: [],
    },
  };
}

/** An entity that lies inside of what is read comes with it. */
function isInside({ record, index }: ReadRequest, name: string): boolean {
  const entry = record.memberships.find((one) => one.index === index);
  return (entry ?? record).attributes.some(
    ({ content }) => content.kind === "embedded" && content.entity.name === name,
  );
}

/** Another entity that is wanted with the first, by requests of its own. */
function alongside(
  facts: Facts,
  child: Together,
  part: number,
  ask: Ask,
  main: ReadRequest,
  source: number,
  next: number,
): Pick<ReadPlan, "requests" | "problem"> {
  const { entity, where, order, limit, returns } = child;
  const other = facts.model.entities.get(entity);
  const own = facts.model.entities.get(ask.entity);
  if (other === undefined || own === undefined) return { requests: [], problem: undefined };
  const known = linkOf(facts, own, other, ask.where, ask.known, source);
  const results = [...known.values()].some(({ kind }) => kind === "result");
  // What ties the two together holds wherever it is read, also if no key has it.
  const ties = [...known].flatMap(([attribute, one]): Predicate[] =>
    one.kind === "parameter" || one.kind === "constant"
      ? [{ attribute, operator: "equals", operands: [one], exists: true }]
      : [],
  );
  return planRead(
    facts,
    {
      ...ask,
      entity,
      where: [...where, ...ties.filter(({ attribute }) => !isAsked(where, attribute))],
      order,
      limit: typeof limit === "number" ? limit : undefined,
      returns,
      known,
      matches: results ? { value: main.expected.returned, assumed: false } : undefined,
      batch: undefined,
      part,
    },
    [],
    next,
  );
}

const isAsked = (where: readonly Predicate[], name: string): boolean =>
  where.some(({ attribute }) => attribute === name);

const round = (units: number): string => String(Number(units.toPrecision(3)));
