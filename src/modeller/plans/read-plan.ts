import type { Together } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { readUnitsOf } from "../units/read-units.ts";
import { type AccessPath, accessPaths, requestsOf } from "./access-paths.ts";
import { type Ask, limitOf } from "./ask.ts";
import { collectionOf } from "./collection.ts";
import { equalities, linkedFrom, linksBetween } from "./links.ts";
import type { Bindings, Planned, ReadRequest } from "./plan.ts";

/** Chooses the access path of a question, and reads the other entities that are wanted with its rows. */

export type ReadPlan = Planned<ReadRequest>;

/** An access path with the children of its rows. */
interface Choice extends Pick<ReadPlan, "requests" | "notes" | "problem"> {
  readonly name: string;
  /** The requests without those for the children. */
  readonly rows: readonly ReadRequest[];
  readonly units: number;
}

/** The best access path for what is asked, and what else is wanted with it. */
export function planRead(
  facts: Facts,
  stated: Ask,
  together: readonly Together[] = [],
  first = 0,
): ReadPlan {
  const ask = withLinks(facts, stated, together);
  const { paths, rejected } = accessPaths(facts, ask, "key", first);
  const refused = (problem: string | undefined, notes: readonly string[] = []): ReadPlan => {
    return { requests: [], notes, rejected, problem };
  };
  if (paths.length === 0 && rejected.length === 0) return refused(`${ask.entity} is in no table`);
  if (paths.length === 0 && ask.transaction) {
    const isKnown = (name: string): boolean =>
      ask.where.some(({ attribute, operator }) => attribute === name && operator === "equals");
    const missing = facts.model.entities.get(ask.entity)?.id.filter((name) => !isKnown(name)) ?? [];
    const more = missing.length > 0 ? missing.join(", ") : "the rest of the key";
    return refused(
      `a transaction reads ${ask.entity} by its whole key, and ${more} is not known: state it with equals, or read ${ask.entity} outside of the transaction`,
    );
  }
  const choices = (list: readonly AccessPath[]): readonly Choice[] =>
    list.map((path) => choiceOf(path, together, first));
  const keyed = choices(paths);
  // No Scan ranks before a path by a key, and few rank with it.
  const isServed = keyed.some(({ rows }) => rankOf(rows) < 2);
  const scans = isServed ? undefined : accessPaths(facts, ask, "scan", first);
  const all = [...keyed, ...choices(scans?.paths ?? [])];
  const possible = all.filter(({ problem }) => problem === undefined);
  const [best, ...others] = (possible.length > 0 ? possible : all).toSorted(compareChoices);
  const [table] = scans?.rejected ?? [];
  if (best === undefined) return refused(`${table?.structure} ${table?.why}`);
  const { requests, notes, problem } = best;
  if (problem !== undefined) return refused(problem, notes);
  const dearer = others
    .filter((one) => keyed.includes(one))
    .map(({ name, units }) => ({
      structure: name,
      why: `takes ${round(units)} read units instead of ${round(best.units)}`,
    }));
  return { requests, notes, rejected: [...rejected, ...dearer], problem };
}

/**
 * How far the requests answer the question by themselves: 0 if the rows come as they are wanted; 1 if the caller sorts all that
 * is under a key; 2 if a table or index is read to its end, or each entry under a key of an index is fetched before
 * it can be filtered.
 */
export function rankOf(requests: readonly ReadRequest[]): 0 | 1 | 2 {
  const isAll = (request: ReadRequest): boolean =>
    request.operation === "Scan" || (isLateFetch(request) && request.remainder.filter.length > 0);
  if (requests.some(isAll)) return 2;
  return requests.some(({ sortsInClient }) => sortsInClient) ? 1 : 0;
}

/** Fetches the items behind the entries of an index, which are filtered or sorted only then. */
export function isLateFetch({ completes, record, remainder }: ReadRequest): boolean {
  const { filter, order } = remainder;
  return completes !== undefined && record.role === "item" && filter.length + order.length > 0;
}

/** The one order of access paths: rank, units, requests, and an item by its key before a range of one. */
function compareChoices(a: Choice, b: Choice): number {
  const ranges = ({ requests }: Choice): number =>
    requests.filter(({ operation }) => operation === "Query").length;
  return (
    rankOf(a.requests) - rankOf(b.requests) ||
    a.units - b.units ||
    a.requests.length - b.requests.length ||
    ranges(a) - ranges(b)
  );
}

/** An access path, the fetches that complete its rows, and the other entities that are wanted with them. */
function choiceOf(path: AccessPath, together: readonly Together[], first: number): Choice {
  const { facts, ask } = path;
  const collected = together.length === 0 ? undefined : collectionOf(path, together);
  const requests = [...requestsOf(collected?.path ?? path, first)];
  // A collection returns more than the rows that are asked for.
  const main = collected === undefined ? (requests.at(-1) ?? path.request) : path.request;
  const count = main.expected.returned;
  const source = first + requests.length - 1;
  const rows = [...requests];
  let problem: string | undefined;
  for (const child of collected?.left ?? together) {
    // A fetch of a part adds to the rows, so what is embedded in the item is still in them.
    if (rows.some((request) => isInside(request, child.entity))) continue;
    const part = ask.childPart + together.indexOf(child);
    const plan = planChild(facts, child, { ...ask, part }, count, source, first + requests.length);
    problem ??= plan.problem;
    requests.push(...plan.requests);
  }
  const units = requests.reduce((sum, request) => sum + readUnitsOf(facts, request).total, 0);
  return { name: path.name, problem, requests, rows, notes: path.notes, units };
}

/** An entity that is embedded in what is read comes with it. */
function isInside({ record, index }: ReadRequest, name: string): boolean {
  const entry = record.memberships.find((one) => one.index === index);
  return (entry ?? record).attributes.some(
    ({ content }) => content.kind === "embedded" && content.entity.name === name,
  );
}

/** The links to the children have to be in the answer, whether the pattern asks for them or not. */
function withLinks(facts: Facts, ask: Ask, together: readonly Together[]): Ask {
  const links = together.flatMap(({ entity }) => linkedFrom(childLinks(facts, ask, entity, 0)));
  return { ...ask, returns: [...new Set([...ask.returns, ...links])] };
}

/** What is known of a child of each row. In a batch, parameters are lists and not the same for all rows. */
function childLinks(
  facts: Facts,
  { entity: own, where, known, batch }: Ask,
  other: string,
  source: number,
): Bindings {
  const shared = where.filter(
    ({ operands }) => batch === undefined || operands.every(({ kind }) => kind === "constant"),
  );
  return linksBetween({ facts, own, other }, shared, known, source);
}

/** Another entity that is wanted with the rows, by requests of its own. */
function planChild(
  facts: Facts,
  child: Together,
  ask: Ask,
  rows: number,
  source: number,
  next: number,
): ReadPlan {
  const { entity, where, order, returns } = child;
  const known = childLinks(facts, ask, entity, source);
  const isOfRows = linkedFrom(known).length > 0;
  // What ties the two together holds wherever it is read, also if no key has it.
  const asked = new Set(where.map((predicate) => JSON.stringify(predicate)));
  const ties = equalities(known).filter((one) => !asked.has(JSON.stringify(one)));
  const childAsk: Ask = {
    ...ask,
    entity,
    where: [...where, ...ties],
    order,
    limit: limitOf(child),
    returns,
    known,
    matches: isOfRows ? { value: rows, assumed: false } : undefined,
    batch: undefined,
  };
  return planRead(facts, childAsk, [], next);
}

const round = (units: number): string => String(Number(units.toPrecision(3)));
