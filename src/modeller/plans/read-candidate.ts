import type { Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Membership, StoredAttribute, StoredRecord } from "../records/record.ts";
import { holdsFor } from "../records/shares.ts";
import type { Ask } from "./ask.ts";
import { type KeyMatch, matchKey } from "./match-key.ts";
import { type Link, noRemainder, type ReadRequest, type Remainder, type Times } from "./plan.ts";
import { besideOf, expectedOf, spanUnits } from "./read-numbers.ts";
import type { Structure } from "./structures.ts";

/** One request that finds rows, and what it leaves to the fetches and to the caller. */
export interface Candidate {
  readonly structure: Structure;
  readonly match: KeyMatch;
  readonly request: ReadRequest;
  /** Attributes that are needed and not in the table or index that is read: they are fetched by key. */
  readonly missing: readonly string[];
  /** What waits for the fetch because it needs what is missing; undefined if nothing does. */
  readonly late: Remainder | undefined;
  readonly notes: readonly string[];
}

/** Tries a table or index; answers with a sentence if it cannot be used. */
export function candidateOf(facts: Facts, structure: Structure, ask: Ask): Candidate | string {
  const { index, membership, record, table } = structure;
  if (record.entity.name !== ask.entity) return hostCandidate(facts, structure, ask);
  if (ask.consistent && index !== undefined && !index.local) {
    return "a global index cannot be read with strong consistency";
  }
  const left = membership === undefined ? undefined : leavesOut(membership, ask);
  if (left?.refused !== undefined) return left.refused;
  const match = matchKey(structure, ask.where, ask.order, ask.known, ask.batch);
  if (typeof match === "string") return match;
  if (ask.transaction && !match.whole) return "a transaction reads items by their whole keys";
  // What an item has by being in the index need not be looked at again.
  const rest = match.rest.filter((predicate) => !isImplied(predicate, membership));
  // One item is in any order. A batch and a list of values find several.
  const isSeveral = (ask.batch ?? 1) > 1 || match.times.some(({ why }) => why === "values");
  const isIdentified = match.whole || record.entity.id.every((name) => match.fixed.includes(name));
  const isOne = isIdentified && !isSeveral;
  const sortsInClient = match.forward === undefined && !isOne;
  const links = linksLeft(ask, match.fixed);
  const division = divide(facts, structure, ask, { links, rest, sortsInClient });
  if (typeof division === "string") return division;
  const { filter, late, fetches, missing } = division;
  const found = estimatedAsk(facts, structure, match, ask, late);
  const times = timesOf(match, ask, structure).map((one) => {
    if (one.why !== "span" || ask.matches === undefined) return one;
    return { ...one, count: spanUnits(facts, structure, match, rest, ask.matches.value) };
  });
  const single = match.whole;
  const calls = times.reduce((product, { count }) => product * count, 1);
  const operation = ask.transaction
    ? "TransactGetItems"
    : single
      ? calls > 1
        ? "BatchGetItem"
        : "GetItem"
      : "Query";
  const order = sortsInClient ? ask.order : [];
  const isPushed = !sortsInClient && !single && links.length === 0;
  const draft = {
    kind: "read",
    part: ask.part,
    completes: undefined,
    remainder: late === undefined ? { links, filter: [], order, limit: ask.limit } : noRemainder,
    operation,
    table,
    index,
    record,
    together: [],
    beside: single ? [] : besideOf(facts, structure, match),
    partition: match.partition,
    sort: match.sort,
    bindings: match.bindings,
    filter,
    forward: match.forward ?? true,
    limit: isPushed ? found.limit : undefined,
    sortsInClient,
    merges: !single && isSpread(times) && ask.order.length > 0 && !sortsInClient,
    consistent: ask.consistent,
    returns: ask.returns,
    fetches,
    times,
  } as const;
  const expected = expectedOf(facts, structure, match, draft, found);
  return {
    structure,
    match,
    request: { ...draft, expected },
    missing,
    late,
    notes: left?.note === undefined ? [] : [left.note],
  };
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
interface Remaining {
  readonly links: readonly Link[];
  readonly rest: readonly Predicate[];
  readonly sortsInClient: boolean;
  /** A Scan takes from a local index only what its entries hold. */
  readonly isScan?: boolean;
}

/** Values of the parent that the key does not fix. */
export function linksLeft({ known }: Ask, fixed: readonly string[]): readonly Link[] {
  return [...known].flatMap(([attribute, binding]) =>
    binding.kind === "result" && !fixed.includes(attribute)
      ? [{ attribute, request: binding.request, of: binding.attribute }]
      : [],
  );
}

/** What can be checked and sorted where the items are read, and what has to wait for a fetch of missing attributes. */
export function divide(
  facts: Facts,
  { record, membership, index }: Structure,
  ask: Ask,
  { links, rest, sortsInClient, isScan = false }: Remaining,
): Division | string {
  const sorted = sortsInClient ? ask.order.map(({ attribute }) => attribute) : [];
  const needed = [...links, ...rest].map(({ attribute }) => attribute).concat(sorted);
  const own = heldBy(record.attributes);
  const here = heldBy(membership?.attributes ?? record.attributes);
  const wanted = [...needed, ...ask.returns];
  const fetches =
    !isScan && index?.local === true && wanted.some((name) => own.has(name) && !here.has(name));
  const available = fetches ? own : here;
  const stored = new Set([
    ...own,
    ...partsOf(facts, record).flatMap(({ attributes }) => [...heldBy(attributes)]),
  ]);
  // Parts are fetched before a filter or a sort. Items behind an index are fetched only after both.
  const lacking = needed.find((name) => (own.has(name) ? !available.has(name) : !stored.has(name)));
  if (lacking !== undefined) {
    const use = sorted.includes(lacking) ? "sorted by" : "asked about";
    return `does not hold ${lacking}, which is ${use}`;
  }
  const filter = rest.filter(({ attribute }) => available.has(attribute));
  const isLate = needed.some((name) => !available.has(name));
  const late = isLate
    ? {
        links,
        filter: rest.filter((predicate) => !filter.includes(predicate)),
        order: sortsInClient ? ask.order : [],
        limit: ask.limit,
      }
    : undefined;
  const missing = [...new Set(wanted)].filter((name) => !available.has(name));
  return { filter, late, fetches, missing };
}

/** The attributes of the entity that some stored attributes hold. */
function heldBy(attributes: readonly StoredAttribute[]): ReadonlySet<string> {
  return new Set(attributes.flatMap(attributeName));
}

/** The items that attributes of an entity were split out into. */
export function partsOf(
  facts: Facts,
  { entity, table, role }: StoredRecord,
): readonly StoredRecord[] {
  if (role !== "item") return [];
  return facts.records.filter(
    (one) => one.role === "split" && one.entity === entity && one.table === table,
  );
}

/** How many rows the first request has to find, before the late predicates have taken their share. */
function estimatedAsk(
  facts: Facts,
  { record }: Structure,
  { fixed }: KeyMatch,
  ask: Ask,
  late: Remainder | undefined,
): Ask {
  if (late === undefined) return ask;
  const share = facts.passing(record.entity, fixed, late.filter).value;
  const matches =
    ask.matches === undefined || share <= 0
      ? undefined
      : { ...ask.matches, value: ask.matches.value / share };
  return { ...ask, limit: undefined, matches };
}

/** What lies inside of an item is found by the key of that item, and looked through by who reads it. */
function hostCandidate(facts: Facts, structure: Structure, ask: Ask): Candidate | string {
  const { index, record } = structure;
  const { name, id } = record.entity;
  const where = ask.where.filter(({ attribute }) => id.includes(attribute));
  const isListed = ask.batch !== undefined && where.length < ask.where.length;
  if (index !== undefined || ask.transaction || isListed) {
    return `has ${ask.entity} inside of ${name}, which is read by its own key`;
  }
  const found = candidateOf(facts, structure, {
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

/** Whether there may be several calls; on average it may be one nevertheless. */
function isSpread(times: readonly Times[]): boolean {
  return times.some(({ why, count }) => why === "span" || why === "values" || count > 1);
}

/** The entity's attributes that a stored attribute holds as they are. */
export function attributeName({ content }: StoredAttribute): readonly string[] {
  if (content.kind === "attribute") return [content.attribute.name];
  return content.kind === "key" && content.text.native !== undefined ? [content.text.native] : [];
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

/** Whether a sparse index leaves out items that are asked for. */
export function leavesOut(
  { only, optional, index }: Membership,
  ask: Ask,
): { readonly refused?: string; readonly note?: string } {
  const about = (name: string): readonly Predicate[] =>
    ask.where.filter(
      ({ attribute, operator, exists }) => attribute === name && (operator !== "exists" || exists),
    );
  for (const { name } of optional) {
    if (about(name).length === 0 && !ask.known.has(name)) {
      return { refused: `leaves out items without ${name}` };
    }
  }
  let note: string | undefined;
  for (const condition of only) {
    const asked = about(condition.attribute);
    if (asked.some((predicate) => implies(predicate, condition))) continue;
    const byParameter = asked.some(
      ({ operator, operands }) =>
        (operator === "equals" || operator === "one-of") &&
        operands.every(({ kind }) => kind === "parameter"),
    );
    if (!byParameter) return { refused: `holds only items with a certain ${condition.attribute}` };
    const values = condition.operands.flatMap((one) =>
      one.kind === "constant" ? [String(one.value)] : [],
    );
    note = `${index.name} answers only for ${condition.attribute} ${values.join(", ")}.`;
  }
  return note === undefined ? {} : { note };
}

/** Whether whatever fulfils the one fulfils the other. */
function implies(asked: Predicate, condition: Predicate): boolean {
  if (condition.operator === "exists")
    return condition.exists && (asked.operator !== "exists" || asked.exists);
  const bounds = condition.operands.flatMap((one) => (one.kind === "constant" ? [one.value] : []));
  const holds =
    bounds.length === condition.operands.length ? holdsFor(condition.operator, bounds) : undefined;
  if (holds === undefined) return false;
  const values = asked.operands.flatMap((one) => (one.kind === "constant" ? [one.value] : []));
  const listed = asked.operator === "equals" || asked.operator === "one-of";
  if (listed) return values.length === asked.operands.length && values.every(holds);
  return JSON.stringify(asked) === JSON.stringify(condition);
}

/** A condition that every entry of the index fulfils. */
export function isImplied(predicate: Predicate, membership: Membership | undefined): boolean {
  if (membership === undefined) return false;
  if (predicate.operator === "exists" && predicate.exists) {
    if (membership.optional.some(({ name }) => name === predicate.attribute)) return true;
  }
  return membership.only.some((condition) => implies(condition, predicate));
}
