import { logKey, logNumberBytes, numberOfLogKey } from "../storage/log-keys.ts";
import type { Bytes, KeyRange } from "../storage/store.ts";

/**
 * How the engine divides one ordered key space. The first byte says what a key is; data keys then name
 * the table or index by its id, so that one table or index is one range.
 */
export const formatVersion = 1;

const tag = {
  meta: 0,
  catalog: 1,
  version: 2,
  data: 3,
  token: 4,
  job: 5,
  collection: 6,
  expiry: 7,
  stream: 8,
  shard: 9,
  log: 10,
  trimmed: 11,
  timeToLive: 12,
  undo: 13,
  undoOrder: 14,
  historyMark: 15,
  backup: 16,
};

const hashBytes = 16;
const dataHead = 5;

function tagged(kind: number, rest: string): Buffer {
  const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(rest));
  bytes[0] = kind;
  bytes.write(rest, 1);
  return bytes;
}

function numbered(kind: number, id: number, extraBytes = 0): Buffer {
  const bytes = Buffer.allocUnsafe(dataHead + extraBytes);
  bytes[0] = kind;
  bytes.writeUInt32BE(id, 1);
  return bytes;
}

export const metaKey = (name: string): Bytes => tagged(tag.meta, name);

/** Names and namespaces hold no NUL, so one separates them. */
export const catalogKey = (namespace: string, table: string): Bytes =>
  tagged(tag.catalog, `${namespace}\0${table}`);

export function catalogRange(namespace: string): KeyRange {
  return {
    start: tagged(tag.catalog, `${namespace}\0`),
    end: tagged(tag.catalog, `${namespace}\x01`),
  };
}

export const wholeCatalog: KeyRange = {
  start: Buffer.from([tag.catalog]),
  end: Buffer.from([tag.catalog + 1]),
};

export const versionKey = (tableId: number): Bytes => numbered(tag.version, tableId);

export const counterName = (id: number): Bytes => numbered(tag.data, id);

export const jobKey = (id: number): Bytes => numbered(tag.job, id);

export const allJobs: KeyRange = { start: Buffer.from([tag.job]), end: Buffer.from([tag.job + 1]) };

export const tokenKey = (namespace: string, token: string): Bytes =>
  tagged(tag.token, `${namespace}\0${token}`);

export function tokenExpiryKey(expiresAt: number, token: Bytes): Bytes {
  const bytes = Buffer.allocUnsafe(9 + token.length);
  bytes[0] = tag.expiry;
  bytes.writeBigUInt64BE(BigInt(expiresAt), 1);
  bytes.set(token, 9);
  return bytes;
}

export function tokenOfExpiryKey(key: Bytes): Bytes {
  return key.subarray(9);
}

export function expiredTokens(now: number): KeyRange {
  const end = Buffer.allocUnsafe(9);
  end[0] = tag.expiry;
  end.writeBigUInt64BE(BigInt(now), 1);
  return { start: Buffer.from([tag.expiry]), end };
}

/** id | hash of the partition key | sort key | in an index: hash of the base key. */
export function dataKey(id: number, hash: Bytes, sort?: Bytes, baseHash?: Bytes): Buffer {
  const sortBytes = sort === undefined ? 0 : sort.length;
  const bytes = numbered(
    tag.data,
    id,
    hashBytes + sortBytes + (baseHash === undefined ? 0 : hashBytes),
  );
  bytes.set(hash, dataHead);
  if (sort !== undefined) bytes.set(sort, dataHead + hashBytes);
  if (baseHash !== undefined) bytes.set(baseHash, dataHead + hashBytes + sortBytes);
  return bytes;
}

export function dataRange(id: number): KeyRange {
  return { start: numbered(tag.data, id), end: numbered(tag.data, id + 1) };
}

/** One of `total` equal slices of the hash space. */
export function segmentRange(id: number, segment: number, total: number): KeyRange {
  return { start: segmentBound(id, segment, total), end: segmentBound(id, segment + 1, total) };
}

function segmentBound(id: number, segment: number, total: number): Bytes {
  if (segment === total) return numbered(tag.data, id + 1);
  const bytes = numbered(tag.data, id, 8);
  bytes.writeBigUInt64BE((BigInt(segment) << 64n) / BigInt(total), dataHead);
  return bytes;
}

export function hashOfDataKey(key: Bytes): Bytes {
  return key.subarray(dataHead, dataHead + hashBytes);
}

/** Where the hash begins in the key of an item or index entry. */
export const hashAt = dataHead;

/** What follows the hash: the sort key and, in an index, the hash of the base key. */
export function restOfDataKey(key: Bytes): Bytes {
  return key.subarray(dataHead + hashBytes);
}

export function collectionKey(tableId: number, hash: Bytes): Bytes {
  const bytes = numbered(tag.collection, tableId, hashBytes);
  bytes.set(hash, dataHead);
  return bytes;
}

export function collectionRange(tableId: number): KeyRange {
  return { start: numbered(tag.collection, tableId), end: numbered(tag.collection, tableId + 1) };
}

/** Streams by the name of their table, which may be gone, and their label. */
export const streamKey = (namespace: string, table: string, label: string): Bytes =>
  tagged(tag.stream, `${namespace}\0${table}\0${label}`);

export function streamsOfTable(namespace: string, table: string): KeyRange {
  return {
    start: tagged(tag.stream, `${namespace}\0${table}\0`),
    end: tagged(tag.stream, `${namespace}\0${table}\x01`),
  };
}

export function streamsRange(namespace: string): KeyRange {
  return {
    start: tagged(tag.stream, `${namespace}\0`),
    end: tagged(tag.stream, `${namespace}\x01`),
  };
}

export const allStreams: KeyRange = {
  start: Buffer.from([tag.stream]),
  end: Buffer.from([tag.stream + 1]),
};

/** A closed shard. */
export const shardKey = (streamId: number, shard: number): Bytes =>
  numberedTwice(tag.shard, streamId, shard);

export function shardsRange(streamId: number): KeyRange {
  return { start: numbered(tag.shard, streamId), end: numbered(tag.shard, streamId + 1) };
}

/** What begins the keys of a shard's log; the store puts the number of the entry behind it. */
export const logName = (streamId: number, shard: number): Bytes =>
  numberedTwice(tag.log, streamId, shard);

/** The entries of a shard with numbers from the first to before the second. */
export function logRange(streamId: number, shard: number, from = 0, to?: number): KeyRange {
  const log = logName(streamId, shard);
  const end = to === undefined ? logName(streamId, shard + 1) : logKey(log, to);
  return { start: logKey(log, from), end };
}

export function logsRange(streamId: number): KeyRange {
  return { start: numbered(tag.log, streamId), end: numbered(tag.log, streamId + 1) };
}

export const allLogs: KeyRange = { start: Buffer.from([tag.log]), end: Buffer.from([tag.log + 1]) };

export interface LogPlace {
  readonly streamId: number;
  readonly shard: number;
  readonly number: number;
}

export function placeOfLogKey(key: Bytes): LogPlace {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return {
    streamId: bytes.readUInt32BE(1),
    shard: bytes.readUInt32BE(dataHead),
    number: numberOfLogKey(key),
  };
}

/** Up to which number a shard's entries are gone. */
export const trimmedKey = (streamId: number, shard: number): Bytes =>
  numberedTwice(tag.trimmed, streamId, shard);

export function trimmedRange(streamId: number): KeyRange {
  return { start: numbered(tag.trimmed, streamId), end: numbered(tag.trimmed, streamId + 1) };
}

function numberedTwice(kind: number, id: number, second: number, extraBytes = 0): Buffer {
  const bytes = numbered(kind, id, 4 + extraBytes);
  bytes.writeUInt32BE(second, dataHead);
  return bytes;
}

const secondsBytes = 8;
const queueHead = dataHead + secondsBytes;

/**
 * The items of a table in the order in which they expire: id of the queue (never used again) | second | what
 * follows the table's id in the key of the item. So an entry needs no value to lead to its item.
 */
export function queueKey(queueId: number, seconds: number, itemKey: Bytes): Bytes {
  const bytes = numbered(tag.timeToLive, queueId, secondsBytes + itemKey.length - dataHead);
  bytes.writeBigUInt64BE(BigInt(seconds), dataHead);
  bytes.set(itemKey.subarray(dataHead), queueHead);
  return bytes;
}

export const queueIdOf = (key: Bytes): number => idOf(key);

export function secondsOfQueueKey(key: Bytes): number {
  const view = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return Number(view.readBigUInt64BE(dataHead));
}

export function itemKeyOfQueueKey(tableId: number, key: Bytes): Bytes {
  const bytes = numbered(tag.data, tableId, key.length - queueHead);
  bytes.set(key.subarray(queueHead), dataHead);
  return bytes;
}

/** From a second on to the end. */
export function queueRange(queueId: number, fromSeconds = 0): KeyRange {
  const start = numbered(tag.timeToLive, queueId, secondsBytes);
  start.writeBigUInt64BE(BigInt(fromSeconds), dataHead);
  return { start, end: numbered(tag.timeToLive, queueId + 1) };
}

export const allQueues: KeyRange = {
  start: Buffer.from([tag.timeToLive]),
  end: Buffer.from([tag.timeToLive + 1]),
};

/** What follows the id in the key of an item: the same wherever the item is kept. */
export const placeOf = (itemKey: Bytes): Bytes => itemKey.subarray(dataHead);

/** The key of what lies at a place of a table, or of what a backup holds. */
export const placeKey = (id: number, place: Bytes): Bytes => placed(tag.data, id, place);

/**
 * Behind everything at a place and before every other: no place begins another one, and the numbers of log
 * entries begin with a zero.
 */
export function beyondPlace(place: Bytes): Bytes {
  const bytes = Buffer.allocUnsafe(place.length + 1);
  bytes.set(place);
  bytes[place.length] = 0xff;
  return bytes;
}

/** What an item was before its changes, in their order: a log for each item, named by its place. */
export const undoLog = (historyId: number, place: Bytes): Bytes =>
  placed(tag.undo, historyId, place);

export function undoRange(historyId: number): KeyRange {
  return { start: numbered(tag.undo, historyId), end: numbered(tag.undo, historyId + 1) };
}

export const placeOfUndoKey = (key: Bytes): Bytes =>
  key.subarray(dataHead, key.length - logNumberBytes);

/** Which items were changed, in the order of all changes: where what is too old is found. */
export const undoOrderLog = (historyId: number): Bytes => numbered(tag.undoOrder, historyId);

export function undoOrderRange(historyId: number): KeyRange {
  return { start: numbered(tag.undoOrder, historyId), end: numbered(tag.undoOrder, historyId + 1) };
}

export const allHistories: readonly KeyRange[] = [tag.undo, tag.undoOrder].map((kind) => ({
  start: Buffer.from([kind]),
  end: Buffer.from([kind + 1]),
}));

export const idOfHistoryKey = (key: Bytes): number => idOf(key);

/** A log of one entry, whose number tells earlier changes from later ones. */
export const historyMarkLog = (holdId: number): Bytes => numbered(tag.historyMark, holdId);

export function historyMarkRange(holdId: number): KeyRange {
  return { start: numbered(tag.historyMark, holdId), end: numbered(tag.historyMark, holdId + 1) };
}

export const allHistoryMarks: KeyRange = {
  start: Buffer.from([tag.historyMark]),
  end: Buffer.from([tag.historyMark + 1]),
};

/** Backups by the name of their table, which may be gone, and their id, which begins with their time. */
export const backupKey = (namespace: string, table: string, id: string): Bytes =>
  tagged(tag.backup, `${namespace}\0${table}\0${id}`);

export function backupsOfTable(namespace: string, table: string): KeyRange {
  return {
    start: tagged(tag.backup, `${namespace}\0${table}\0`),
    end: tagged(tag.backup, `${namespace}\0${table}\x01`),
  };
}

export function backupsRange(namespace: string): KeyRange {
  return {
    start: tagged(tag.backup, `${namespace}\0`),
    end: tagged(tag.backup, `${namespace}\x01`),
  };
}

export const allBackups: KeyRange = {
  start: Buffer.from([tag.backup]),
  end: Buffer.from([tag.backup + 1]),
};

function placed(kind: number, id: number, place: Bytes): Buffer {
  const bytes = numbered(kind, id, place.length);
  bytes.set(place, dataHead);
  return bytes;
}

const idOf = (key: Bytes): number =>
  Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUInt32BE(1);
