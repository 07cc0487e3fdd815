import { latin1Of } from "../base/bytes.ts";
import { numberOfLogKey } from "../storage/log-keys.ts";
import type { Bytes, Store } from "../storage/store.ts";
import { type HistoryPoint, imageOfEntry, isAfter, timeOfEntry } from "./history.ts";
import {
  beyondPlace,
  dataRange,
  placeKey,
  placeOf,
  placeOfUndoKey,
  undoLog,
  undoRange,
} from "./layout.ts";

/** Items to be read: as they are, or as they were. */
export interface ItemSource {
  /** The id of a table, or of what a backup holds. */
  readonly dataId: number;
  /** Absent: nothing changes what is there. */
  readonly history?: { readonly id: number; readonly point: HistoryPoint };
}

export interface PlacedItem {
  /** What follows the id in the item's key: the same wherever the item is kept. */
  readonly place: Bytes;
  /** The item as `StoredItem` reads it. */
  readonly value: Bytes;
}

export interface ItemsChunk {
  /** In the order of keys. May be empty though there is more. */
  readonly items: readonly PlacedItem[];
  /** Where the next chunk begins, also in another process; nothing if this was the last. */
  readonly next: Bytes | undefined;
}

export interface ChunkLimits {
  /** So many items, and of so many bytes, are in a chunk at the most; one always fits. */
  readonly limit: number;
  readonly bytesMax: number;
}

const nowhere: Bytes = Buffer.alloc(0);

/**
 * The items from a place on, as they were. What is there now is read first and the log after it: whatever
 * is changed in between is then found in the log, with what it was.
 */
export async function itemsAt(
  store: Store,
  { dataId, history }: ItemSource,
  from: Bytes = nowhere,
  limits: ChunkLimits,
): Promise<ItemsChunk> {
  const { entries, more } = await store.scan(
    { start: placeKey(dataId, from), end: dataRange(dataId).end },
    limits,
  );
  const now = entries.map(({ key, value }) => ({ place: placeOf(key), value }));
  const last = now.at(-1);
  const end = more && last !== undefined ? beyondPlace(last.place) : undefined;
  if (history === undefined) return { items: now, next: end };
  const { changes, next } = await firstChanges(store, history, from, end, limits);
  return { items: merged(now, changes, next), next };
}

/** Both are in order of places; what was changed counts as it was. */
function merged(
  now: readonly PlacedItem[],
  changes: readonly Change[],
  end: Bytes | undefined,
): readonly PlacedItem[] {
  const items: PlacedItem[] = [];
  let at = 0;
  const takeUpTo = (place: Bytes | undefined): void => {
    for (; at < now.length; at += 1) {
      const item = now[at] as PlacedItem;
      if (place !== undefined && Buffer.compare(item.place, place) >= 0) return;
      items.push(item);
    }
  };
  for (const { place, image } of changes) {
    takeUpTo(place);
    const item = now[at];
    if (item !== undefined && Buffer.compare(item.place, place) === 0) at += 1;
    if (image !== undefined) items.push({ place, value: image });
  }
  takeUpTo(end);
  return items;
}

/** What happened to an item first after some moment. */
interface Change {
  readonly place: Bytes;
  /** What it was before. */
  readonly image: Bytes | undefined;
  readonly time: number;
  readonly number: number;
}

/** The first change of each item between two places, as far as the limits allow. */
async function firstChanges(
  store: Store,
  { id, point }: { readonly id: number; readonly point: HistoryPoint },
  from: Bytes,
  end: Bytes | undefined,
  limits: ChunkLimits,
): Promise<{ readonly changes: readonly Change[]; readonly next: Bytes | undefined }> {
  const changes: Change[] = [];
  let bytes = 0;
  let start = undoLog(id, from);
  const stop = end === undefined ? undoRange(id).end : undoLog(id, end);
  let found: Bytes | undefined;
  for (;;) {
    const page = await store.scan({ start, end: stop }, limits);
    for (const { key, value } of page.entries) {
      const place = placeOfUndoKey(key);
      if (found !== undefined && Buffer.compare(place, found) === 0) continue;
      const time = timeOfEntry(value);
      const number = numberOfLogKey(key);
      if (!isAfter(point, time, number)) continue;
      found = place;
      changes.push({ place, image: imageOfEntry(value), time, number });
      bytes += value.length;
      if (changes.length >= limits.limit || bytes >= limits.bytesMax) {
        return { changes, next: beyondPlace(place) };
      }
    }
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return { changes, next: end };
    // Later changes of the same item say nothing more.
    const lastPlace = placeOfUndoKey(last.key);
    const isFound = found !== undefined && Buffer.compare(lastPlace, found) === 0;
    start = isFound ? undoLog(id, beyondPlace(lastPlace)) : Buffer.concat([last.key, zero]);
    if (Buffer.compare(start, stop) >= 0) return { changes, next: end };
  }
}

const zero = Buffer.from([0]);

/** An item that was changed between two moments: what it was at the first and at the second. */
export interface ItemChange {
  readonly place: Bytes;
  /** Undefined: there was no such item. */
  readonly before: Bytes | undefined;
  readonly after: Bytes | undefined;
}

export interface ChangesChunk {
  /** In the order of keys. May be empty though there is more. */
  readonly changes: readonly ItemChange[];
  readonly next: Bytes | undefined;
}

/**
 * What was changed after one moment and not after another, from a place on. The history must be held, and
 * both moments have the number of that mark.
 */
export async function changesBetween(
  store: Store,
  source: { readonly dataId: number; readonly historyId: number },
  moments: { readonly from: HistoryPoint; readonly to: HistoryPoint },
  from: Bytes = nowhere,
  limits: ChunkLimits,
): Promise<ChangesChunk> {
  const { dataId, historyId: id } = source;
  const first = await firstChanges(store, { id, point: moments.from }, from, undefined, limits);
  const changed = first.changes.filter(({ time, number }) => !isAfter(moments.to, time, number));
  // As in `itemsAt`: what is there now is read before what was changed later.
  const values = await store.get(changed.map(({ place }) => placeKey(dataId, place)));
  const then = await firstChanges(store, { id, point: moments.to }, from, first.next, limits);
  const later = new Map(then.changes.map((change) => [latin1Of(change.place), change]));
  const changes: ItemChange[] = [];
  for (const [i, { place, image }] of changed.entries()) {
    if (then.next !== undefined && Buffer.compare(place, then.next) >= 0) break;
    const next = later.get(latin1Of(place));
    const after = next === undefined ? values[i] : next.image;
    changes.push({ place, before: image, after });
  }
  return { changes, next: then.next };
}
