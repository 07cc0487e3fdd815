import type { Caller } from "../workbench/workbench.ts";

/** A stream of a table, current or former. */
export interface StreamHandle {
  readonly arn: string;
  /** Whose table it is. */
  readonly caller: Caller;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface StreamDescription {
  /** False when no record will come any more. */
  readonly isOpen: boolean;
  /** The attribute by which a table's items are spread. */
  readonly partitionKey: string;
  readonly shards: readonly ShardDescription[];
}

export interface ShardDescription {
  readonly id: string;
  readonly parent: string | undefined;
  readonly isClosed: boolean;
}

/** A record as GetRecords answers it. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: string;
  readonly eventVersion: string;
  readonly eventSource: string;
  readonly awsRegion: string;
  readonly dynamodb: {
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Readonly<Record<string, unknown>>;
    readonly SequenceNumber: string;
  };
  readonly userIdentity?: { readonly Type: string; readonly PrincipalId: string };
}

/** Where to read a shard from. */
export type IteratorPosition =
  | { readonly kind: "start" }
  | { readonly kind: "latest" }
  | { readonly kind: "at" | "after"; readonly sequence: string };

export interface RecordsPage {
  readonly records: readonly StreamRecord[];
  /** None: the shard is closed, and this was its end. */
  readonly next: string | undefined;
}

/** The streams of a server, as far as triggers look at them. Failures have the service's names. */
export interface StreamSource {
  /** Who has, or lately had, a table of that name. */
  owners(table: string): Promise<readonly Caller[]>;
  /** The streams of such a table, the oldest first. */
  streams(table: string, caller: Caller): Promise<readonly StreamHandle[]>;
  describe(stream: StreamHandle): Promise<StreamDescription>;
  iterator(stream: StreamHandle, shard: string, position: IteratorPosition): Promise<string>;
  records(stream: StreamHandle, iterator: string, limit: number): Promise<RecordsPage>;
  /** Calls back when tables of that name, or their streams, may have changed; until it is told to stop. */
  follow(table: string, changed: (what: "table" | "records") => void): () => void;
}

/** Small texts that survive a restart, as far as the data does. */
export interface Notes {
  read(name: string): Promise<string | undefined>;
  /** No text: forgets it. */
  write(name: string, text: string | undefined): Promise<void>;
  /** The names that begin so. */
  names(prefix: string): Promise<readonly string[]>;
}
