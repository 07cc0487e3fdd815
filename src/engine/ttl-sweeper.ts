import { expiredYearsMax } from "../api/limits.ts";
import { alarm, type Clock } from "../base/clock.ts";
import { Pace } from "../base/pace.ts";
import type { Store } from "../storage/store.ts";
import type { Catalog } from "./catalog.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { hashOfDataKey, queueRange } from "./layout.ts";
import { type QueueEntry, queueEntryOf } from "./ttl-queue.ts";
import { StaleTableError, type WriteAction, type WriteOutcome, write } from "./write.ts";

/** Called after the service has deleted items of a table; outcomes without `before` are of items that it left. */
export type Expired = (
  table: TableDescriptor,
  actions: readonly WriteAction[],
  outcomes: readonly WriteOutcome[],
) => void;

export interface SweeperOptions {
  readonly clock: Clock;
  /** How many seconds after its expiry an item is deleted. */
  readonly delaySeconds: number;
  readonly expired?: Expired | undefined;
}

/** What is known of the items of one table that wait for their end. */
interface Queue {
  readonly id: number;
  readonly namespace: string;
  readonly name: string;
  /** Nothing in it expires before this second. */
  next: number;
}

const never = Number.POSITIVE_INFINITY;
const expiredSecondsMax = expiredYearsMax * 365 * 86_400;

/** One commit deletes so many items at most, and fewer if they are large: others wait as long as it takes. */
const deletesMax = 10;
const deletedBytesMax = 32 * 1024;

/** A share of the time that others hardly notice. */
const pace = { restPerWork: 3, restMsMin: 1, restMsMax: 4 };

/** After a failure of the store. */
const retryMs = 1_000;

/**
 * On a store that several processes write, each sweeps what it knows of. What a process that died knew of,
 * the others find when they look again.
 */
const lookAgainSeconds = 60;
/** Another process is deleting the same items: it is left to it. */
const leaveSeconds = 5;

/**
 * Deletes items whose time is over. It sleeps until the first second at which one is, which writers tell it;
 * nothing is searched for. What it deletes goes through the same commits as all writes, on the condition
 * that the item has not been changed to live longer.
 */
export class Sweeper {
  readonly #store: Store;
  readonly #catalog: Catalog;
  readonly #options: SweeperOptions;
  readonly #queues = new Map<number, Queue>();
  readonly #pace = new Pace(pace);
  /** False until all tables have been looked at. */
  #complete = false;
  #started = false;
  #stopped = false;
  #held = 0;
  #deletes = 4;
  #running: Promise<void> | undefined;
  #failure: { readonly error: unknown; readonly retry: NodeJS.Timeout } | undefined;
  #disarm: (() => void) | undefined;

  constructor(store: Store, catalog: Catalog, options: SweeperOptions) {
    this.#store = store;
    this.#catalog = catalog;
    this.#options = options;
  }

  start(): void {
    this.#started = true;
    this.#arm();
  }

  /** Some table or other may have changed. */
  lookAtAll(): void {
    this.#complete = false;
    this.#arm();
  }

  /** A table as it is now. */
  follow(table: TableDescriptor): void {
    const { timeToLive } = table;
    if (timeToLive !== undefined && !this.#queues.has(timeToLive.queueId)) this.expect(table, 0);
  }

  /** An item of the table expires after this second. */
  expect(table: TableDescriptor, seconds: number): void {
    const id = table.timeToLive?.queueId;
    if (id === undefined) return;
    const queue = this.#queues.get(id);
    if (queue === undefined) {
      const { namespace, name } = table;
      this.#queues.set(id, { id, namespace, name, next: seconds });
    } else {
      if (queue.next <= seconds) return;
      queue.next = seconds;
    }
    this.#arm();
  }

  /** Resolves when nothing that should be deleted is left; rejects if the store fails again. */
  async idle(): Promise<void> {
    await this.#pace.hurry(async () => {
      while (this.#running !== undefined) await this.#running;
      for (;;) {
        this.#forgetFailure();
        this.#arm();
        if (this.#running === undefined) return;
        while (this.#running !== undefined) await this.#running;
        if (this.#failure !== undefined) throw (this.#failure as { error: unknown }).error;
      }
    });
  }

  /** Deletes nothing while something else is done. */
  async hold<T>(meanwhile: () => Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      await this.#running;
      return await meanwhile();
    } finally {
      this.#held -= 1;
      this.#arm();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#disarm?.();
    this.#forgetFailure();
    await this.#pace.hurry(async () => this.#running);
  }

  get #isAwake(): boolean {
    return this.#started && !this.#stopped && this.#held === 0;
  }

  /** Begins if there is something to do, or waits until there is. */
  #arm(): void {
    this.#disarm?.();
    this.#disarm = undefined;
    if (!this.#isAwake || this.#running !== undefined || this.#failure !== undefined) return;
    const { clock } = this.#options;
    const at = this.#complete ? this.#dueAt(this.#first()?.next ?? never) : clock.now();
    if (at > clock.now()) {
      if (at < never) this.#disarm = alarm(clock, at, () => this.#arm());
      return;
    }
    this.#running = this.#sweep()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = undefined;
        this.#arm();
      });
  }

  #failed(error: unknown): void {
    const retry = setTimeout(() => {
      this.#forgetFailure();
      this.#arm();
    }, retryMs);
    retry.unref();
    this.#failure = { error, retry };
  }

  #forgetFailure(): void {
    clearTimeout(this.#failure?.retry);
    this.#failure = undefined;
  }

  #first(): Queue | undefined {
    let first: Queue | undefined;
    for (const queue of this.#queues.values()) {
      if (first === undefined || queue.next < first.next) first = queue;
    }
    return first;
  }

  /** An item is expired when the second that it names is over. */
  #dueAt(seconds: number): number {
    return (seconds + 1 + this.#options.delaySeconds) * 1_000;
  }

  /** What names an earlier second is to be deleted. */
  #dueBefore(): number {
    return Math.floor(this.#options.clock.now() / 1_000 - this.#options.delaySeconds);
  }

  async #sweep(): Promise<void> {
    if (!this.#complete) {
      this.#complete = true;
      try {
        for (const table of await this.#catalog.all()) this.follow(table);
      } catch (error) {
        this.#complete = false;
        throw error;
      }
    }
    while (this.#isAwake) {
      const queue = this.#first();
      if (queue === undefined || queue.next >= this.#dueBefore()) return;
      await this.#pace.work(() => this.#sweepQueue(queue));
    }
  }

  async #sweepQueue(queue: Queue): Promise<void> {
    const table = await this.#tableOf(queue);
    if (table === undefined) {
      this.#queues.delete(queue.id);
      return;
    }
    const known = queue.next;
    // What is written from here on is told.
    queue.next = never;
    try {
      await this.#deleteSome(queue, table);
    } catch (error) {
      queue.next = Math.min(queue.next, known);
      if (!(error instanceof StaleTableError)) throw error;
      await this.#catalog.reload(queue.namespace, queue.name);
    }
  }

  /** The table of the queue, unless it is gone or has another queue by now. */
  async #tableOf({ id, namespace, name }: Queue): Promise<TableDescriptor | undefined> {
    const known = await this.#catalog.find(namespace, name);
    if (known?.timeToLive?.queueId === id) return known;
    const table = await this.#catalog.reload(namespace, name);
    return table?.timeToLive?.queueId === id ? table : undefined;
  }

  async #deleteSome(queue: Queue, table: TableDescriptor): Promise<void> {
    const before = this.#dueBefore();
    const now = Math.floor(this.#options.clock.now() / 1_000);
    // What expired too long ago is passed over, and stays in the queue.
    const { entries, more } = await this.#store.scan(
      queueRange(queue.id, Math.max(0, now - expiredSecondsMax)),
      { limit: this.#deletes, bytesMax: Number.MAX_SAFE_INTEGER },
    );
    const found = entries.map(({ key }) => queueEntryOf(table, key));
    const due = found.filter(({ seconds }) => seconds < before);
    const deleted = due.length === 0 ? 0 : await this.#delete(table, due);
    let next = found[due.length]?.seconds ?? (more ? before - 1 : never);
    if (this.#store.watch !== undefined) {
      const left = deleted * 2 < due.length && !this.#pace.isHurried;
      next = left ? before + leaveSeconds : Math.min(next, before + lookAgainSeconds);
    }
    queue.next = Math.min(queue.next, next);
    if (queue.next === never) this.#queues.delete(queue.id);
  }

  /** Deletes those that have not changed meanwhile; answers how many. */
  async #delete(table: TableDescriptor, due: readonly QueueEntry[]): Promise<number> {
    const actions = due.map(({ item, seconds }) => ({
      kind: "delete" as const,
      table,
      address: { key: item, hash: hashOfDataKey(item) },
      expiry: seconds,
    }));
    const outcomes = await write(this.#store, actions, { atomic: false }, this.#options.clock);
    let deleted = 0;
    let bytes = 0;
    for (const { before } of outcomes) {
      if (before === undefined) continue;
      deleted += 1;
      bytes += before.size;
    }
    const fitting = Math.floor((deletedBytesMax * due.length) / Math.max(bytes, 1));
    this.#deletes = Math.max(1, Math.min(deletesMax, 2 * this.#deletes, fitting));
    this.#options.expired?.(table, actions, outcomes);
    return deleted;
  }
}
