import type { Position } from "./checkpoints.ts";
import type {
  IteratorPosition,
  StreamHandle,
  StreamRecord,
  StreamSource,
} from "./stream-source.ts";

/** As many as the service answers at a time. */
const recordsMax = 1_000;

export interface ReaderOptions {
  readonly source: Pick<StreamSource, "iterator" | "records">;
  readonly stream: StreamHandle;
}

export interface ShardPage {
  readonly records: readonly StreamRecord[];
  /** There was nothing to read, for now. */
  readonly isEmpty: boolean;
  /** Nothing will come after these. */
  readonly isEnd: boolean;
}

/** Reads one shard from a position on, and finds its way again when an iterator has expired. */
export class ShardReader {
  readonly #options: ReaderOptions;
  readonly #shard: string;
  readonly #from: Position;
  #iterator: string | undefined;
  #last: string | undefined;
  /** The end of the shard, as it is now, is where to begin. */
  #isAtLatest: boolean;
  #isTrimmed = false;

  /** `isNew`: nobody has read the shard for this trigger before. */
  constructor(options: ReaderOptions, shard: string, from: Position, isNew: boolean) {
    this.#options = options;
    this.#shard = shard;
    this.#from = from;
    this.#isAtLatest = isNew && from.kind === "since";
  }

  /** The last record that was read. */
  get last(): string | undefined {
    return this.#last;
  }

  async next(): Promise<ShardPage> {
    const { source, stream } = this.#options;
    try {
      this.#iterator ??= await this.#open();
      const { records, next } = await source.records(stream, this.#iterator, recordsMax);
      this.#iterator = next;
      this.#last = records.at(-1)?.dynamodb.SequenceNumber ?? this.#last;
      return {
        records: records.filter((record) => this.#isWanted(record)),
        isEmpty: records.length === 0,
        isEnd: next === undefined,
      };
    } catch (error) {
      const name = error instanceof Error ? error.name : "";
      if (name === "ResourceNotFoundException") {
        return { records: [], isEmpty: true, isEnd: true };
      }
      if (name !== "ExpiredIteratorException" && name !== "TrimmedDataAccessException") throw error;
      // What was trimmed cannot be had any more: it goes on with the oldest that there is.
      this.#isTrimmed = name === "TrimmedDataAccessException";
      this.#iterator = undefined;
      return this.next();
    }
  }

  async #open(): Promise<string> {
    const { source, stream } = this.#options;
    const iterator = await source.iterator(stream, this.#shard, this.#place());
    this.#isAtLatest = false;
    return iterator;
  }

  #place(): IteratorPosition {
    if (this.#isTrimmed) return { kind: "start" };
    if (this.#last !== undefined) return { kind: "after", sequence: this.#last };
    if (this.#isAtLatest) return { kind: "latest" };
    const from = this.#from;
    return from.kind === "at" || from.kind === "after" ? from : { kind: "start" };
  }

  /** Of a shard that is read from its start for want of a better place, what came since then. */
  #isWanted({ dynamodb: { ApproximateCreationDateTime } }: StreamRecord): boolean {
    if (this.#from.kind !== "since") return true;
    return ApproximateCreationDateTime >= Math.floor(this.#from.since / 1_000);
  }
}
