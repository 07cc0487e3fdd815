import { latin1Of } from "../base/bytes.ts";
import type { Clock } from "../base/clock.ts";
import type { Bytes, Store, Write } from "../storage/store.ts";
import type { Backups } from "./backups.ts";
import type { Catalog } from "./catalog.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { earliestOf, type Histories } from "./histories.ts";
import { placeOfOrderEntry, timeOfEntry } from "./history.ts";
import { beyondPlace, undoLog, undoOrderRange } from "./layout.ts";
import { Rounds } from "./rounds.ts";

/** Pasts are kept for days: it is no matter if they are cleared some minutes later. */
const roundMs = 10 * 60_000;
/** How long a request may go on with what it found before it was gone. */
const graceMs = 5 * 60_000;
const chunk = { limit: 200, bytesMax: 1024 * 1024 };

/** Clears behind the answers what tables no longer need of their past, and backups whose time is over. */
export class HistoryKeeper {
  readonly #store: Store;
  readonly #catalog: Catalog;
  readonly #histories: Histories;
  readonly #backups: Backups;
  readonly #clock: Clock;
  readonly #rounds: Rounds;
  #held = 0;

  constructor(
    store: Store,
    catalog: Catalog,
    histories: Histories,
    backups: Backups,
    clock: Clock,
  ) {
    this.#store = store;
    this.#catalog = catalog;
    this.#histories = histories;
    this.#backups = backups;
    this.#clock = clock;
    this.#rounds = new Rounds(clock, roundMs, () => this.#keepAll());
  }

  /** From now on, until it is stopped. */
  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Clears nothing while something else is done. */
  async hold<T>(meanwhile: () => Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      await this.#rounds.settled();
      return await meanwhile();
    } finally {
      this.#held -= 1;
    }
  }

  /** Does what is due; one round at a time. */
  keep(): Promise<void> {
    return this.#rounds.run();
  }

  async #keepAll(): Promise<void> {
    // What is due now still is in the next round.
    if (this.#held > 0) return;
    for (const table of await this.#catalog.all()) {
      if (this.#rounds.stopped) return;
      await this.#trim(table);
    }
    await this.#histories.releaseOld();
    await this.#backups.removeExpired();
  }

  /**
   * Entries are found in the order of their time, and each leads to the first of its item's log. Whoever
   * reads the past holds it: then nothing is cleared. Who begins to after this look reads nothing that is
   * older than the table says.
   */
  async #trim({ history }: TableDescriptor): Promise<void> {
    if (history?.recovery === undefined || history.holds !== undefined) return;
    const goneAt = earliestOf(history.recovery, this.#clock.now()) - graceMs;
    while (!this.#rounds.stopped) {
      const page = await this.#store.scan(undoOrderRange(history.id), chunk);
      const gone: { readonly key: Bytes; readonly place: Bytes }[] = [];
      for (const { key, value } of page.entries) {
        if (timeOfEntry(value) > goneAt) break;
        gone.push({ key, place: placeOfOrderEntry(value) });
      }
      if (gone.length === 0) return;
      await this.#remove(history.id, gone);
    }
  }

  async #remove(
    historyId: number,
    gone: readonly { readonly key: Bytes; readonly place: Bytes }[],
  ): Promise<void> {
    const places = new Map<string, { readonly place: Bytes; count: number }>();
    for (const { place } of gone) {
      const name = latin1Of(place);
      const known = places.get(name);
      if (known === undefined) places.set(name, { place, count: 1 });
      else known.count += 1;
    }
    const writes: Write[] = gone.map(({ key }) => ({ kind: "delete", key }));
    for (const { place, count } of places.values()) {
      let { start, end } = {
        start: undoLog(historyId, place),
        end: undoLog(historyId, beyondPlace(place)),
      };
      for (let left = count; left > 0; ) {
        const page = await this.#store.scan(
          { start, end },
          { limit: left, bytesMax: chunk.bytesMax },
        );
        for (const { key } of page.entries) writes.push({ kind: "delete", key });
        const last = page.entries.at(-1);
        if (last === undefined || !page.more) break;
        left -= page.entries.length;
        start = Buffer.concat([last.key, Buffer.from([0])]);
      }
    }
    await this.#store.commit([], () => ({ writes, result: undefined }));
  }
}
