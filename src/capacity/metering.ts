/** What requests cost, in capacity units. Pure arithmetic on sizes in bytes. */

const readUnitBytes = 4_096;
const writeUnitBytes = 1_024;

/** A transaction pays the table's part of every read and write twice. */
export const transactionFactor = 2;

/** Units of one read, rounded up; reading nothing costs the minimum. */
export function readUnits(bytes: number, consistent: boolean): number {
  const units = Math.max(1, Math.ceil(bytes / readUnitBytes));
  return consistent ? units : units / 2;
}

export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / writeUnitBytes));
}

/** The table's part of a write: the larger image counts, and touching nothing costs the minimum. */
export function tableWriteUnits(before: number | undefined, after: number | undefined): number {
  return writeUnits(Math.max(before ?? 0, after ?? 0));
}

/** Sizes of an index entry before and after a write, which differ. */
export interface EntryChange {
  readonly before: { readonly size: number } | undefined;
  readonly after: { readonly size: number } | undefined;
  readonly sameKey: boolean;
}

/** An index's part of a write. A moved entry is deleted here and inserted there. */
export function indexWriteUnits({ before, after, sameKey }: EntryChange): number {
  if (before === undefined) return after === undefined ? 0 : writeUnits(after.size);
  if (after === undefined) return writeUnits(before.size);
  const [old, now] = [writeUnits(before.size), writeUnits(after.size)];
  return sameKey ? Math.max(old, now) : old + now;
}
