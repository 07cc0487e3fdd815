import { assert } from "../base/assert.ts";
import type { Item } from "../item/attribute-value.ts";
import { itemsEqual } from "../item/compare.ts";
import { itemSize } from "../item/size.ts";
import type { Bytes } from "../storage/store.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { tableKeyOf } from "./keys.ts";
import type { StoredItem } from "./stored-item.ts";
import type { StreamViewType } from "./stream-descriptor.ts";

/**
 * What lies in a shard's log. A record: kind, event, time (8 bytes), SizeBytes, then the lengths of three
 * JSON texts (4 bytes each) and the texts: keys, new image, old image, ready to be spliced into an
 * answer. The log begins and, when the shard is closed, ends with a mark: kind and time.
 */
const kinds = { record: 1, opened: 2, closed: 3 };

const events = ["INSERT", "MODIFY", "REMOVE"] as const;
const expiredFlag = 0x80;
const markBytes = 9;
const textsAt = 26;

export type StreamEvent = (typeof events)[number];

export type LogEntry =
  | { readonly kind: "opened" | "closed"; readonly at: number }
  | ({ readonly kind: "record" } & StreamRecord);

export interface StreamRecord {
  readonly event: StreamEvent;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** As the service counts: the keys and the images that are in the record. */
  readonly size: number;
  /** The item was deleted because its time was over. */
  readonly expired: boolean;
  readonly keys: Bytes;
  readonly newImage: Bytes | undefined;
  readonly oldImage: Bytes | undefined;
}

/** The record of a change, as it is stored; nothing if the item is what it was. */
export function recordOf(
  table: TableDescriptor,
  viewType: StreamViewType,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
  at: number,
  expired: boolean,
): Bytes | undefined {
  if (isUnchanged(before, after)) return undefined;
  const key: Item = tableKeyOf(table, ((after ?? before) as StoredItem).item);
  const keys = Buffer.from(JSON.stringify(key));
  const withNew = viewType === "NEW_IMAGE" || viewType === "NEW_AND_OLD_IMAGES";
  const withOld = viewType === "OLD_IMAGE" || viewType === "NEW_AND_OLD_IMAGES";
  const newImage = withNew ? after : undefined;
  const oldImage = withOld ? before : undefined;
  const newJson = newImage?.json;
  const oldJson = oldImage?.json;
  const newLength = newJson?.length ?? 0;
  const oldLength = oldJson?.length ?? 0;
  const bytes = Buffer.allocUnsafe(textsAt + keys.length + newLength + oldLength);
  bytes[0] = kinds.record;
  bytes[1] = eventOf(before, after) | (expired ? expiredFlag : 0);
  bytes.writeDoubleBE(at, 2);
  bytes.writeUInt32BE(itemSize(key) + (newImage?.size ?? 0) + (oldImage?.size ?? 0), 10);
  bytes.writeUInt32BE(keys.length, 14);
  bytes.writeUInt32BE(newLength, 18);
  bytes.writeUInt32BE(oldLength, 22);
  bytes.set(keys, textsAt);
  if (newJson !== undefined) bytes.set(newJson, textsAt + keys.length);
  if (oldJson !== undefined) bytes.set(oldJson, textsAt + keys.length + newLength);
  return bytes;
}

/** The same bytes are mostly all there is to see; equal items of other bytes are of the same size. */
function isUnchanged(before: StoredItem | undefined, after: StoredItem | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  if (before.size !== after.size) return false;
  return Buffer.compare(before.bytes, after.bytes) === 0 || itemsEqual(before.item, after.item);
}

function eventOf(before: StoredItem | undefined, after: StoredItem | undefined): number {
  if (before === undefined) return 0;
  return after === undefined ? 2 : 1;
}

export function mark(kind: "opened" | "closed", at: number): Bytes {
  const bytes = Buffer.allocUnsafe(markBytes);
  bytes[0] = kinds[kind];
  bytes.writeDoubleBE(at, 1);
  return bytes;
}

export function isClosingMark(value: Bytes): boolean {
  return value[0] === kinds.closed;
}

/** When the entry was written; nothing more of it is looked at. */
export function timeOf(value: Bytes): number {
  return view(value).readDoubleBE(value[0] === kinds.record ? 2 : 1);
}

export function readEntry(value: Bytes): LogEntry {
  const bytes = view(value);
  if (bytes[0] !== kinds.record) {
    assert(bytes[0] === kinds.opened || bytes[0] === kinds.closed, "an unknown kind of log entry");
    assert(bytes.length === markBytes, "a mark of the wrong length");
    return { kind: bytes[0] === kinds.opened ? "opened" : "closed", at: bytes.readDoubleBE(1) };
  }
  const newAt = textsAt + bytes.readUInt32BE(14);
  const oldAt = newAt + bytes.readUInt32BE(18);
  const end = oldAt + bytes.readUInt32BE(22);
  assert(end === bytes.length, "a record of the wrong length");
  const event = events[(bytes[1] as number) & ~expiredFlag];
  assert(event !== undefined, "a record of an unknown event");
  return {
    kind: "record",
    event,
    at: bytes.readDoubleBE(2),
    size: bytes.readUInt32BE(10),
    expired: ((bytes[1] as number) & expiredFlag) !== 0,
    keys: bytes.subarray(textsAt, newAt),
    newImage: oldAt > newAt ? bytes.subarray(newAt, oldAt) : undefined,
    oldImage: end > oldAt ? bytes.subarray(oldAt, end) : undefined,
  };
}

function view(bytes: Bytes): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
