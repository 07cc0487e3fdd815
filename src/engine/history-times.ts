import { numberOfLogKey } from "../storage/log-keys.ts";
import type { Bytes, Store } from "../storage/store.ts";
import { type HistoryPoint, isAfter, timeOfEntry } from "./history.ts";
import { beyondPlace, undoLog } from "./layout.ts";

const chunk = { limit: 50, bytesMax: 1024 * 1024, reverse: true };

/** When an item was changed last before some moment was over; undefined if the history knows of no change. */
export async function lastChangedAt(
  store: Store,
  historyId: number,
  place: Bytes,
  until: HistoryPoint,
): Promise<number | undefined> {
  const start = undoLog(historyId, place);
  let end = undoLog(historyId, beyondPlace(place));
  for (;;) {
    const page = await store.scan({ start, end }, chunk);
    for (const { key, value } of page.entries) {
      const time = timeOfEntry(value);
      if (!isAfter(until, time, numberOfLogKey(key))) return time;
    }
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return undefined;
    end = last.key;
  }
}
