import { partitionBytesMax } from "../../capacity/throughput.ts";
import type { Facts } from "../facts.ts";
import { unitsKept } from "../plans/read-numbers.ts";
import { sameStructure, tableStructure } from "../plans/structures.ts";
import type { StoredRecord } from "../records/record.ts";
import type { KeyFamily } from "./key-load.ts";

/** What lies under one partition key. */
export interface CollectionSize {
  readonly average: number;
  /** If relations say how many there are at most. */
  readonly max: number | undefined;
}

export const collectionBytesMax = partitionBytesMax;

/** Bytes under one key: of all kinds of items that lie there, with their entries in local indexes. */
export function collectionOf(facts: Facts, family: KeyFamily): CollectionSize | undefined {
  const [first] = family.touches;
  if (first === undefined) return undefined;
  const records = new Set(family.touches.map(({ record }) => record));
  let [average, max] = [0, 0];
  let hasMax = false;
  for (const record of records) {
    const bytes = bytesOf(facts, record, first.index?.name);
    if (bytes === undefined) return undefined;
    const per = itemsPerKey(facts, record, first.index?.name);
    if (per === undefined) return undefined;
    const most = maxPerKey(facts, record, first.index?.name);
    hasMax ||= most !== undefined;
    average += bytes * per;
    max += bytes * Math.max(per, most ?? per);
  }
  return { average, max: hasMax ? max : undefined };
}

function bytesOf(
  facts: Facts,
  record: StoredRecord,
  index: string | undefined,
): number | undefined {
  if (index !== undefined) {
    const membership = record.memberships.find((one) => one.index.name === index);
    return membership && facts.sizes.entry(record, membership)?.mean;
  }
  const own = facts.sizes.item(record)?.mean;
  if (own === undefined) return undefined;
  return record.memberships
    .filter((one) => one.index.local)
    .reduce((sum, membership) => {
      const entry = facts.sizes.entry(record, membership)?.mean ?? 0;
      return sum + entry * facts.shareIn(record.entity, membership).value;
    }, own);
}

function partitionOf(record: StoredRecord, index: string | undefined) {
  const structure = tableStructure(record);
  if (index === undefined) return structure;
  const own = record.table.indexes.get(index);
  return sameStructure({ ...structure, index: own }, record) ?? structure;
}

function itemsPerKey(
  facts: Facts,
  record: StoredRecord,
  index: string | undefined,
): number | undefined {
  const { partition, membership } = partitionOf(record, index);
  const segments = partition.flatMap(({ text }) => text.segments);
  let divisor = 1;
  const names: string[] = [];
  for (const segment of segments) {
    if (segment.kind === "shard") divisor *= segment.count;
    if (segment.kind !== "attribute") continue;
    const cut = segment.transforms.find(({ kind }) => kind === "truncate");
    if (cut?.kind === "truncate")
      divisor *= unitsKept(record.entity.retentionMs, cut.unit, [], record.entity.name);
    else names.push(segment.attribute);
  }
  const per =
    names.length === 0 ? facts.count(record) : facts.cardinality.itemsPer(record.entity, names);
  const share = membership === undefined ? 1 : facts.shareIn(record.entity, membership).value;
  return per && (per.value * share) / divisor;
}

/** How many there are at most for one value, if the key holds the id of another entity and a relation says it. */
function maxPerKey(
  facts: Facts,
  record: StoredRecord,
  index: string | undefined,
): number | undefined {
  const { partition } = partitionOf(record, index);
  const segments = partition.flatMap(({ text }) => text.segments);
  if (segments.some(({ kind }) => kind === "shard")) return undefined;
  const names = segments.flatMap((one) => (one.kind === "attribute" ? [one.attribute] : []));
  const [only, ...others] = names;
  if (only === undefined || others.length > 0) return undefined;
  const parent = facts.cardinality.parentOf(record.entity, only);
  const found = facts.model.relations.find(
    ({ from, to, via }) => from === parent?.name && (via ?? to) === record.entity.name,
  );
  return found?.max?.value;
}
