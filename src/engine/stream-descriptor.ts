import type { KeySchema } from "./descriptor.ts";

export type StreamViewType = "KEYS_ONLY" | "NEW_IMAGE" | "OLD_IMAGE" | "NEW_AND_OLD_IMAGES";

/** A shard that takes records: those of the items whose hashes lie from `start` to the next shard's. */
export interface OpenShard {
  /** Within its stream; names the shard's log and is never used again. */
  readonly number: number;
  readonly id: string;
  readonly parent?: string;
  /** The first 48 bits of a hash. */
  readonly start: number;
  readonly openedAt: number;
}

/** The stream of a table: what a write has to know of it. */
export interface StreamDescriptor {
  /** Names its logs; never used again. */
  readonly id: number;
  readonly label: string;
  readonly viewType: StreamViewType;
  readonly createdAt: number;
  /** It reports ENABLING until then. */
  readonly settledAt?: number;
  readonly nextShard: number;
  /** By `start`; together they hold all hashes. */
  readonly shards: readonly OpenShard[];
}

/**
 * A stream, as it is found by its table's name and its label. It is written with the stream and stays
 * for a day after the stream was disabled, whatever has become of the table.
 */
export interface StreamRow {
  readonly id: number;
  readonly namespace: string;
  readonly table: string;
  readonly label: string;
  readonly viewType: StreamViewType;
  readonly createdAt: number;
  readonly key: KeySchema;
  readonly disabledAt?: number;
  /** It reports DISABLING until then. */
  readonly settledAt?: number;
  /** Its day is over, and its logs are being cleared. */
  readonly dropped?: true;
}

/** A shard that takes no more records; its row stays as long as they do. */
export interface ClosedShard extends OpenShard {
  /** Where its hashes end. */
  readonly end: number;
  readonly closedAt: number;
  /** Its day is over, and its log is being cleared. */
  readonly dropped?: true;
}

export type Shard = OpenShard | ClosedShard;

export function isClosed(shard: Shard): shard is ClosedShard {
  return "closedAt" in shard;
}
