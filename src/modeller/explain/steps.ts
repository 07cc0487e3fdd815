import { partitionsFor } from "../../capacity/throughput.ts";
import type { Facts } from "../facts.ts";
import { bytesText, counted, listText, numberText } from "../lint/words.ts";
import { type ReadRequest, structureName, type WriteRequest } from "../plans/plan.ts";
import type { RequestEstimate } from "../units/estimate.ts";
import { writeUnitsOf } from "../units/write-units.ts";
import { keyRange } from "./key-range.ts";

/** One request: where it goes, what it finds there, and what that costs. */
export interface Step {
  readonly operation: string;
  /** Tables and indexes, the one that is asked first. */
  readonly places: readonly string[];
  /** The kinds of items that it is about. */
  readonly items: readonly string[];
  readonly range: string | undefined;
  readonly condition: string | undefined;
  readonly filter: number;
  /** Partitions that it touches in one run, in words; the number, where it is known. */
  readonly partitions: number;
  readonly partitionsText: string;
  readonly evaluated: number;
  readonly returned: number;
  readonly bytes: number;
  readonly calls: number;
  readonly read: number;
  readonly write: number;
  /** Units by table and index. */
  readonly arms: readonly {
    readonly place: string;
    readonly read: number;
    readonly write: number;
  }[];
  /** Of writes: what each action does. */
  readonly actions: readonly string[];
}

export function stepOf(facts: Facts, estimate: RequestEstimate, tableBytes: TableBytes): Step {
  const { request } = estimate;
  return request.kind === "read"
    ? readStep(request, estimate, tableBytes)
    : writeStep(facts, request, estimate);
}

/** The bytes of a table or index, for how many partitions a Scan goes through. */
export type TableBytes = (table: string, index: string | undefined) => number;

function armsOf({ arms }: RequestEstimate): Step["arms"] {
  return arms.map(({ table, index, read, write }) => ({
    place: structureName(table, index),
    read,
    write,
  }));
}

function readStep(request: ReadRequest, estimate: RequestEstimate, tableBytes: TableBytes): Step {
  const { operation, table, index, record, together, expected, times, filter } = request;
  const isScan = operation === "Scan";
  const partitions = isScan ? scanned(request, tableBytes) : Math.max(1, expected.calls);
  const range = keyRange(request);
  const each = times.map(({ text }) => text);
  return {
    operation,
    places: [structureName(table, index)],
    items: [record, ...together].map(({ name }) => name),
    range: range?.words,
    condition: range?.condition,
    filter: filter.length,
    partitions,
    partitionsText: isScan
      ? `all, at least ${counted(partitions, "partition")}`
      : partitions === 1
        ? "one partition"
        : `up to ${counted(Math.ceil(partitions), "partition")}${each.length === 0 ? "" : ` (${each.join(" × ")})`}`,
    evaluated: expected.evaluated.reduce((sum, { count }) => sum + count, 0),
    returned: expected.returned,
    bytes: estimate.bytes,
    calls: estimate.calls,
    read: estimate.read,
    write: 0,
    arms: armsOf(estimate),
    actions: [],
  };
}

/** As many as carry the throughput that a new table has, or as the bytes need. */
function scanned({ table, index }: ReadRequest, tableBytes: TableBytes): number {
  const gigabytes = tableBytes(table.name, index?.name) / 1_024 ** 3;
  const settings =
    table.billing.mode === "on-demand"
      ? ({ mode: "on-demand" } as const)
      : ({ mode: "provisioned", provisioned: table.billing.provisioned } as const);
  return Math.max(partitionsFor(settings), Math.ceil(gigabytes / 10));
}

function writeStep(facts: Facts, request: WriteRequest, estimate: RequestEstimate): Step {
  const units = writeUnitsOf(facts, request);
  const items = request.actions.reduce((sum, { count }) => sum + count, 0);
  const entries = units.reduce(
    (sum, { action, indexes }) =>
      sum + indexes.filter(({ membership }) => !membership.index.local).length * action.count,
    0,
  );
  const bytes = request.actions.reduce(
    (sum, { record, count }) => sum + (facts.sizes.item(record)?.mean ?? 0) * count,
    0,
  );
  const arms = armsOf(estimate);
  return {
    operation: request.operation,
    places: arms.map(({ place }) => place),
    items: [...new Set(request.actions.map(({ record }) => record.name))],
    range: undefined,
    condition: undefined,
    filter: 0,
    partitions: items + entries,
    partitionsText: `up to ${counted(Math.ceil(items + entries), "partition")}: ${numberText(items)} of items${entries === 0 ? "" : `, ${numberText(entries)} of index entries`}`,
    evaluated: items,
    returned: 0,
    bytes,
    calls: estimate.calls,
    read: 0,
    write: estimate.write,
    arms,
    actions: units.map(({ action, table, indexes }) => {
      const { kind, record, count, because, changes } = action;
      const often = count === 1 ? "" : `${numberText(count)} × `;
      const key = record.key.map(({ attribute, text }) => `${attribute} = ${text.text}`).join(", ");
      const all = [
        `${record.table.name} ${numberText(table)}`,
        ...indexes.map(
          ({ membership, units: own }) => `${membership.index.name} ${numberText(own)}`,
        ),
      ];
      const why = because === undefined ? "" : ` (${because})`;
      const sets = [
        ...changes.sets.map(({ attribute }) => attribute),
        ...changes.adds.map(({ attribute }) => attribute),
        ...changes.appends,
        ...changes.removes,
      ];
      const what = sets.length === 0 ? "" : `, changes ${listText(sets)}`;
      const size = facts.sizes.item(record)?.mean;
      const bytesEach = size === undefined ? "" : `, ${bytesText(size)}`;
      return `${often}${kind} ${record.name} at ${key}${what}${bytesEach}: ${all.join(", ")}${why}`;
    }),
  };
}
