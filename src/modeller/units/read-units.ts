import { transactionFactor } from "../../capacity/metering.ts";
import type { Attribute } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { ReadRequest } from "../plans/plan.ts";
import { type Structure, sameStructure, tableStructure } from "../plans/structures.ts";
import type { Membership, StoredRecord } from "../records/record.ts";
import { attributeBytes } from "../sizes/attribute-size.ts";
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

/** The read units of a request, as a mean over what it finds; worked out once for who plans, compares and sums up. */
export function readUnitsOf(facts: Facts, request: ReadRequest): ReadUnits {
  const { sizes } = facts;
  const known = unitsOfRequests.get(request);
  if (known?.sizes === sizes) return known.units;
  const units = workOut(facts, request);
  unitsOfRequests.set(request, { sizes, units });
  return units;
}

/** A request costs the same as long as items are as large. */
const unitsOfRequests = new WeakMap<
  ReadRequest,
  { readonly sizes: Facts["sizes"]; readonly units: ReadUnits }
>();

function workOut(facts: Facts, request: ReadRequest): ReadUnits {
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
  // Where nothing can be found, nothing is asked.
  if (expected.calls === 0) {
    return { own: 0, fetched: 0, total: 0, bytes: 0, calls: 0, unknown: [...unknown] };
  }
  const perCall =
    operation === "Query"
      ? inQuery(facts, request, sizeOf)
      : ByteDistribution.sum(
          expected.evaluated.map(({ record, count }) =>
            sizeOf(record).times(count / expected.calls),
          ),
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

/** What one query reads: what its keys are compared with is the same in all its items, so their sizes do not even out. */
function inQuery(
  facts: Facts,
  request: ReadRequest,
  sizeOf: (record: StoredRecord) => ByteDistribution,
): ByteDistribution {
  const { expected } = request;
  const parts: ByteDistribution[] = [];
  const shared = new Map<string, { attribute: Attribute; times: number }>();
  for (const { record, count } of expected.evaluated) {
    const perCall = count / expected.calls;
    const membership = membershipOf(request, record);
    const split =
      request.index !== undefined && membership === undefined
        ? undefined
        : facts.sizes.alike(record, membership, fixedIn(request, record, membership));
    if (split === undefined || perCall <= 1) {
      parts.push(sizeOf(record).times(perCall));
      continue;
    }
    parts.push(split.own.times(perCall));
    for (const [name, times] of split.shared) {
      const attribute = record.entity.attributes.get(name) as Attribute;
      const before = shared.get(name)?.times ?? 0;
      shared.set(name, { attribute, times: before + times * perCall });
    }
  }
  for (const { attribute, times } of shared.values()) {
    const bytes = attributeBytes(attribute) ?? ByteDistribution.fixed(0);
    parts.push(bytes.scaled(Math.round(times)));
  }
  return ByteDistribution.sum(parts);
}

/** Attributes of which all that a query reads of a kind has the same values. */
function fixedIn(
  { record: asked, partition, sort }: ReadRequest,
  record: StoredRecord,
  membership: Membership | undefined,
): readonly string[] {
  // Of others that lie there, too, it is only known that the partition is the same.
  const keys =
    record === asked
      ? [...partition, ...sort].map(({ text, segments }) => text.segments.slice(0, segments))
      : (membership?.partition ?? record.key.slice(0, 1)).map(({ text }) => text.segments);
  return keys
    .flat()
    .flatMap((one) =>
      one.kind === "attribute" && !one.transforms.some(({ kind }) => kind === "truncate")
        ? [one.attribute]
        : [],
    );
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
  request: ReadRequest,
  record: StoredRecord,
): ByteDistribution | undefined {
  if (request.index === undefined) return facts.sizes.item(record);
  const membership = membershipOf(request, record);
  return membership && facts.sizes.entry(record, membership);
}

function membershipOf({ table, index }: ReadRequest, record: StoredRecord): Membership | undefined {
  if (index === undefined) return undefined;
  const structure: Structure = { ...tableStructure(record), table, index };
  return sameStructure(structure, record)?.membership;
}
