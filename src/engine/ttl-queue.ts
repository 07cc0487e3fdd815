import { attribute, type Item } from "../item/attribute-value.ts";
import type { Bytes, Write } from "../storage/store.ts";
import type { TableDescriptor, TimeToLive } from "./descriptor.ts";
import { itemKeyOfQueueKey, queueKey, secondsOfQueueKey } from "./layout.ts";

/** The end of the year 9999: what expires later never does, milliseconds taken for seconds among it. */
const secondsMax = 253_402_300_799;
const digitsMax = 12;

/**
 * The second after which the item is expired: a number at its top level. Fractions are cut off: whether a
 * number is less than a whole number of seconds does not depend on them. Nothing if the item never expires.
 */
export function expiryOf({ attribute: name }: TimeToLive, item: Item): number | undefined {
  const value = attribute(item, name);
  if (value === undefined || !("N" in value)) return undefined;
  // In normal form: no exponent, no needless zeros.
  const text = value.N;
  const dot = text.indexOf(".");
  const whole = dot < 0 ? text : text.slice(0, dot);
  if (whole.length > digitsMax || text.startsWith("-")) return undefined;
  const seconds = Number(whole);
  return seconds <= secondsMax ? seconds : undefined;
}

export interface QueueEntry {
  readonly seconds: number;
  /** The key of the item. */
  readonly item: Bytes;
}

export function queueEntryOf({ id }: TableDescriptor, key: Bytes): QueueEntry {
  return { seconds: secondsOfQueueKey(key), item: itemKeyOfQueueKey(id, key) };
}

/**
 * Keeps the queue in step with an item that changes, in the commit that changes it. The old entry may not be
 * there yet, while the queue is being filled: to delete what is not there is no harm. `expiry` is set if the
 * item was found in the queue: an entry that leads to nothing is removed.
 */
export function addQueueWrites(
  timeToLive: TimeToLive,
  key: Bytes,
  before: Item | undefined,
  after: Item | undefined,
  expiry: number | undefined,
  writes: Write[],
): void {
  const { queueId } = timeToLive;
  const old = before === undefined ? expiry : expiryOf(timeToLive, before);
  const now = after === undefined ? undefined : expiryOf(timeToLive, after);
  if (old === now) return;
  if (old !== undefined) writes.push({ kind: "delete", key: queueKey(queueId, old, key) });
  if (now !== undefined) {
    writes.push({ kind: "put", key: queueKey(queueId, now, key), value: nothing });
  }
}

export const nothing: Bytes = Buffer.alloc(0);
