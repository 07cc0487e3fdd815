import { indexWriteUnits, tableWriteUnits, writeUnits } from "../capacity/metering.ts";
import type { Charge } from "../capacity/table-throughput.ts";
import type { IndexChange } from "../engine/index-entries.ts";
import { hashAt, restOfDataKey } from "../engine/layout.ts";
import type { WriteAction, WriteOutcome } from "../engine/write.ts";
import { hashOfBytes, noSort, type Position, spaceStart } from "../partitions/position.ts";
import type { Bytes } from "../storage/store.ts";

const hashBytes = 6;

/** Where a stored key lies among the partitions of its table or index; a range may start without a hash. */
export function positionOf(key: Bytes): Position {
  if (key.length < hashAt + hashBytes) return spaceStart;
  const rest = restOfDataKey(key);
  // Positions are kept for a while, the block of memory that a key is part of should not be.
  return {
    hash: hashOfBytes(key, hashAt),
    sort: rest.length === 0 ? noSort : new Uint8Array(rest),
  };
}

/** Only the partition: the sort keys of a local index are not those of its table. */
export function collectionOf(key: Bytes): Position {
  if (key.length < hashAt + hashBytes) return spaceStart;
  return { hash: hashOfBytes(key, hashAt), sort: noSort };
}

/** How much of what it did a write pays for. */
export interface Price {
  /** The table's part is multiplied with it. */
  readonly factor: number;
  /** Nothing was written, so no index was. */
  readonly onlyTable: boolean;
}

/**
 * What writes that stand or fall together pay for: all, once the table's part is doubled in a
 * transaction; only the looking where a condition failed; nothing for what was not valid.
 */
export function priceOf(outcomes: readonly WriteOutcome[], factor: number): Price | undefined {
  let failed = false;
  for (const { refusal, conditionFailed } of outcomes) {
    if (refusal === undefined) continue;
    if (conditionFailed !== true) return undefined;
    failed = true;
  }
  if (failed) return lookedAt;
  return factor === 1 ? single : { factor, onlyTable: false };
}

const lookedAt: Price = { factor: 1, onlyTable: true };
export const single: Price = { factor: 1, onlyTable: false };

/** The units of one write, where they fall. Local indexes use the throughput of their table. */
export function writeCharges(
  { address }: WriteAction,
  { before, after, indexes, refusal }: WriteOutcome,
  { factor, onlyTable }: Price,
): Charge[] {
  let units = factor * tableWriteUnits(before?.size, after?.size);
  const written = refusal === undefined && !onlyTable;
  let bytes = written ? (after?.size ?? 0) - (before?.size ?? 0) : 0;
  if (!onlyTable) {
    for (const change of indexes) {
      if (change.index.kind === "global") continue;
      units += indexWriteUnits(change);
      bytes += (change.after?.size ?? 0) - (change.before?.size ?? 0);
    }
  }
  const charges: Charge[] = [{ index: undefined, position: positionOf(address.key), units, bytes }];
  if (!onlyTable) {
    for (const change of indexes) {
      if (change.index.kind === "global") addIndexCharges(charges, change);
    }
  }
  return charges;
}

/** An entry that moves is deleted in one place and inserted in another. */
function addIndexCharges(charges: Charge[], change: IndexChange): void {
  const { index, before, after, sameKey } = change;
  if (sameKey && before !== undefined && after !== undefined) {
    const bytes = after.size - before.size;
    const units = indexWriteUnits(change);
    charges.push({ index: index.name, position: positionOf(after.key), units, bytes });
    return;
  }
  if (before !== undefined) {
    const units = writeUnits(before.size);
    charges.push({
      index: index.name,
      position: positionOf(before.key),
      units,
      bytes: -before.size,
    });
  }
  if (after !== undefined) {
    const units = writeUnits(after.size);
    charges.push({ index: index.name, position: positionOf(after.key), units, bytes: after.size });
  }
}
