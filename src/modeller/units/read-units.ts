import { transactionFactor } from "../../capacity/metering.ts";
import type { Facts } from "../facts.ts";
import type { ReadRequest } from "../plans/plan.ts";
import { type Structure, sameStructure, tableStructure } from "../plans/structures.ts";
import type { StoredRecord } from "../records/record.ts";
import { ByteDistribution } from "../sizes/distribution.ts";

const unitBytes = 4_096;
const pageBytes = 1_048_576;

export interface ReadUnits {
  /** Of the table or index that is read. */
  readonly own: number;
  /** Of the table, for what a local index fetches from it. */
  readonly fetched: number;
  readonly total: number;
  readonly bytes: number;
  /** API calls: pages of queries, batches of a hundred keys. */
  readonly calls: number;
  /** Sizes that nobody has told, so that an item counts as if it were empty. */
  readonly unknown: readonly string[];
}

/** The read units of a request, as a mean over what it finds. */
export function readUnitsOf(facts: Facts, request: ReadRequest): ReadUnits {
  const { operation, consistent, expected } = request;
  const factor = operation === "TransactGetItems" ? transactionFactor : consistent ? 1 : 0.5;
  const unknown = new Set<string>();
  const sizeOf = (record: StoredRecord): ByteDistribution => {
    const size = sizeIn(facts, request, record);
    if (size === undefined) unknown.add(record.name);
    return size ?? ByteDistribution.fixed(0);
  };
  const bytes = expected.evaluated.reduce(
    (sum, { record, count }) => sum + sizeOf(record).mean * count,
    0,
  );
  if (operation !== "Query" && operation !== "Scan") {
    const [{ record, count } = { record: request.record, count: 1 }] = expected.evaluated;
    const found = sizeOf(record).expectedUnits(unitBytes) * count;
    // A key without an item costs the least there is.
    const missing = Math.max(0, expected.calls - count);
    const own = (found + missing) * factor;
    const calls = operation === "BatchGetItem" ? Math.ceil(expected.calls / 100) : 1;
    return { own, fetched: 0, total: own, bytes, calls, unknown: [...unknown] };
  }
  const perCall = ByteDistribution.sum(
    expected.evaluated.map(({ record, count }) => sizeOf(record).times(count / expected.calls)),
  );
  const pages = pagesOf(request, perCall.mean);
  // Every page is rounded up by itself.
  const own = (perCall.expectedUnits(unitBytes) + (pages - 1) / 2) * expected.calls * factor;
  const fetched = request.fetches ? fetchedUnits(facts, request, factor) : 0;
  return {
    own,
    fetched,
    total: own + fetched,
    bytes,
    calls: pages * expected.calls,
    unknown: [...unknown],
  };
}

/** A page holds a megabyte; with a filter and a limit, pages are asked for until enough have passed. */
function pagesOf({ expected, limit, filter }: ReadRequest, bytes: number): number {
  const bySize = Math.max(1, Math.ceil(bytes / pageBytes));
  if (limit === undefined || filter.length === 0) return bySize;
  const items = expected.evaluated.reduce((sum, { count }) => sum + count, 0) / expected.calls;
  return Math.max(bySize, Math.ceil(items / limit));
}

function fetchedUnits(facts: Facts, { record, expected }: ReadRequest, factor: number): number {
  const size = facts.sizes.item(record) ?? ByteDistribution.fixed(0);
  const own = expected.evaluated.find((one) => one.record === record)?.count ?? 0;
  return size.expectedUnits(unitBytes) * own * factor;
}

/** The size of what is read there: an item, or its entry in the index. */
function sizeIn(
  facts: Facts,
  { table, index }: ReadRequest,
  record: StoredRecord,
): ByteDistribution | undefined {
  if (index === undefined) return facts.sizes.item(record);
  const structure: Structure = { ...tableStructure(record), table, index };
  const membership = sameStructure(structure, record)?.membership;
  return membership && facts.sizes.entry(record, membership);
}
