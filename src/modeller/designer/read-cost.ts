import { attributesOf } from "../../model/key-text.ts";
import type { BillLine } from "../cost/bill.ts";
import type { Load } from "../cost/load.ts";
import type { Background } from "../plans/background.ts";
import type { Plan, PlannedRequest, ReadRequest } from "../plans/plan.ts";
import { rankOf } from "../plans/read-plan.ts";
import type { Layout } from "./drafts.ts";

/** What a pattern's reads cost in the tables of one layout. */
export interface ReadCost {
  readonly dollars: number;
  readonly trips: number;
  /** Whoever plans prefers what is sorted by a key to what the caller sorts, and both to a scan. */
  readonly rank: number;
  /** The indexes that it reads. */
  readonly uses: readonly string[];
  /** It takes longer than the pattern allows. */
  readonly late: boolean;
  /** It lists what lies under keys that its caller is not bound to. */
  readonly outside: boolean;
}

/** What tables and indexes cost by being there, in dollars a month. */
export interface Upkeep {
  readonly storage: number;
  /** By the pattern that writes. */
  readonly writes: ReadonlyMap<string, number>;
}

export function upkeepSum({ storage, writes }: Upkeep): number {
  return [...writes.values()].reduce((sum, one) => sum + one, storage);
}

/** What some lines of a bill come to, by who pays. */
export function upkeepOf(lines: readonly BillLine[]): Upkeep {
  let storage = 0;
  const writes = new Map<string, number>();
  for (const { pattern, dollars } of lines) {
    if (pattern === undefined) storage += dollars.average;
    else writes.set(pattern, (writes.get(pattern) ?? 0) + dollars.average);
  }
  return { storage, writes };
}

export function upkeepDifference(a: Upkeep, b: Upkeep): Upkeep {
  return {
    storage: a.storage - b.storage,
    writes: new Map(
      [...a.writes.keys(), ...b.writes.keys()].map((id) => [
        id,
        (a.writes.get(id) ?? 0) - (b.writes.get(id) ?? 0),
      ]),
    ),
  };
}

/**
 * Sorting what was read is work for the caller; it counts as a part of a round trip. So does a filter, which is a risk:
 * it may have to throw more away than anybody has thought.
 */
const sortingTrips = 0.01;
const filterTrips = 0.001;

export const scanRank = 2;

export function readsOf({ requests }: Pick<Plan, "requests">): readonly ReadRequest[] {
  return requests.filter((one): one is ReadRequest => one.kind === "read");
}

/** A page of a scan is so large, and is taken to take so long. */
const pageBytes = 1_048_576;
const pageMs = 10;

/** Whether somebody who waits so long would have to wait longer: nothing may match, so a scan goes to the end. */
export function isLate(
  requests: readonly ReadRequest[],
  latencyMs: number | undefined,
  loads: readonly Load[],
): boolean {
  if (latencyMs === undefined) return false;
  return requests.some(({ operation, table, index }) => {
    if (operation !== "Scan") return false;
    const load = loads.find((one) => one.table === table.name && one.index === index?.name);
    return Math.ceil((load?.storageBytes ?? 0) / pageBytes) * pageMs > latencyMs;
  });
}

/**
 * Whether a list goes beyond what a caller is bound to: rights can be bound to values of the partition key alone. Who
 * reads one item can be checked against it.
 */
export function isOutside(requests: readonly ReadRequest[], scope: readonly string[]): boolean {
  return requests.some(({ operation, partition, record }) => {
    const isList = operation === "Query" || operation === "Scan";
    if (!isList || !scope.some((name) => record.entity.attributes.has(name))) return false;
    const named = partition.flatMap(({ text }) => attributesOf(text));
    return !named.some(({ attribute }) => scope.includes(attribute));
  });
}

/** How a plan reads in the tables of a layout, for so many dollars a month. */
export function readCost(
  plan: Plan,
  layout: Layout,
  loads: readonly Load[],
  dollars: number,
): ReadCost {
  const { pattern, requests } = plan;
  const here = readsIn(requests, layout);
  return {
    ...costOf(here, pattern.rps.average?.value ?? 0, dollars),
    late: isLate(here, pattern.latencyMs, loads),
    outside: isOutside(here, pattern.scope),
  };
}

/** The same of what a design does by itself: nobody waits for it. */
export function backgroundCost(
  { requests, rate }: Background,
  layout: Layout,
  dollars: number,
): ReadCost {
  const cost = costOf(readsIn(requests, layout), rate?.average ?? 0, dollars);
  return { ...cost, late: false, outside: false };
}

export function readsIn(
  requests: readonly PlannedRequest[],
  { tables }: Layout,
): readonly ReadRequest[] {
  return requests.filter(
    (one): one is ReadRequest => one.kind === "read" && tables.has(one.table.name),
  );
}

function costOf(
  here: readonly ReadRequest[],
  perSecond: number,
  dollars: number,
): Omit<ReadCost, "late" | "outside"> {
  const rank = rankOf(here);
  const filters = here.filter(({ filter }) => filter.length > 0).length;
  const trips = here.length + rank * sortingTrips + filters * filterTrips;
  return {
    dollars,
    trips: trips * perSecond,
    rank,
    uses: here.flatMap(({ index }) => (index === undefined ? [] : [index.name])),
  };
}
