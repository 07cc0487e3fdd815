import type { Bytes, Entry, KeyRange, Store } from "../storage/store.ts";
import type { TableDescriptor, TimeToLive } from "./descriptor.ts";
import type { Job } from "./jobs.ts";
import { allJobs, allQueues, queueIdOf, queueKey, queueRange } from "./layout.ts";
import { StoredItem } from "./stored-item.ts";
import { expiryOf, queueEntryOf } from "./ttl-queue.ts";

type Problem = (text: string) => void;

const all = { limit: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER };

/** Compares items with the queues in which they wait for the end of their time. */
export class QueueCheck {
  readonly #store: Store;
  readonly #problem: Problem;
  /** Queues that are being filled or removed: what they hold is not known. */
  readonly #unsettled: ReadonlySet<number>;

  private constructor(store: Store, problem: Problem, unsettled: ReadonlySet<number>) {
    this.#store = store;
    this.#problem = problem;
    this.#unsettled = unsettled;
  }

  static async begin(store: Store, problem: Problem): Promise<QueueCheck> {
    const { entries } = await store.scan(allJobs, all);
    const unsettled = new Set<number>();
    for (const { value } of entries) {
      const job = JSON.parse(Buffer.from(value).toString()) as Job;
      const isOfQueue = job.kind === "clear" || job.kind === "fill-queue";
      if (isOfQueue && job.queueId !== undefined) unsettled.add(job.queueId);
    }
    return new QueueCheck(store, problem, unsettled);
  }

  /** Every item that expires is in the queue. */
  async items(
    table: TableDescriptor,
    items: readonly { readonly entry: Entry; readonly item: StoredItem | undefined }[],
  ): Promise<void> {
    const { timeToLive } = table;
    if (timeToLive === undefined || this.#unsettled.has(timeToLive.queueId)) return;
    const wanted: { readonly item: Bytes; readonly key: Bytes; readonly seconds: number }[] = [];
    for (const { entry, item } of items) {
      const seconds = item === undefined ? undefined : expiryOf(timeToLive, item.item);
      if (seconds === undefined) continue;
      const key = queueKey(timeToLive.queueId, seconds, entry.key);
      wanted.push({ item: entry.key, key, seconds });
    }
    const found = await this.#store.get(wanted.map(({ key }) => key));
    wanted.forEach(({ item, seconds }, i) => {
      if (found[i] === undefined) {
        this.#problem(
          `${table.name}: the item at ${hex(item)} expires at ${seconds}, but is not queued for it.`,
        );
      }
    });
  }

  /** Everything in the queue is an item that expires then. */
  async queue(
    table: TableDescriptor,
    chunks: (range: KeyRange, where: string) => AsyncIterable<readonly Entry[]>,
  ): Promise<void> {
    const { timeToLive } = table;
    if (timeToLive === undefined) return;
    const where = `${table.name} queue of ${timeToLive.attribute}`;
    for await (const entries of chunks(queueRange(timeToLive.queueId), where)) {
      const queued = entries.map(({ key }) => queueEntryOf(table, key));
      const values = await this.#store.get(queued.map(({ item }) => item));
      queued.forEach(({ item, seconds }, i) => {
        if (!expiresThen(timeToLive, values[i], seconds)) {
          this.#problem(
            `${table.name}: the item at ${hex(item)} does not expire at ${seconds}, but is queued for it.`,
          );
        }
      });
    }
  }

  /** There are no queues but those of tables. */
  async others(tables: readonly TableDescriptor[]): Promise<void> {
    const known = new Set(tables.map(({ timeToLive }) => timeToLive?.queueId));
    let { start } = allQueues;
    for (;;) {
      const { entries } = await this.#store.scan(
        { start, end: allQueues.end },
        { limit: 1, bytesMax: 1 },
      );
      const [first] = entries;
      if (first === undefined) return;
      const id = queueIdOf(first.key);
      if (!known.has(id) && !this.#unsettled.has(id)) {
        this.#problem(`The queue ${id} of items that expire belongs to no table.`);
      }
      start = queueRange(id).end;
    }
  }
}

function expiresThen(timeToLive: TimeToLive, value: Bytes | undefined, seconds: number): boolean {
  if (value === undefined) return false;
  try {
    return expiryOf(timeToLive, StoredItem.read(value).item) === seconds;
  } catch {
    // That it cannot be read is told where items are.
    return true;
  }
}

function hex(bytes: Bytes): string {
  return Buffer.from(bytes).toString("hex");
}
