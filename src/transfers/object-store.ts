export type Compression = "NONE" | "GZIP" | "ZSTD";

/** What stands for Amazon S3: buckets of objects by key. */
export interface ObjectStore {
  hasBucket(bucket: string): Promise<boolean>;
  /** Why the store cannot hold an object of that key, if it cannot. */
  refusal(key: string): string | undefined;
  /** The objects whose keys begin so, in the order of their keys. */
  list(bucket: string, prefix: string): Promise<readonly StoredObject[]>;
  /** The content of an object; throws UnreadableError if it is not compressed like that, or not to its end. */
  read(bucket: string, key: string, compression: Compression): AsyncIterable<Uint8Array>;
  /** Nobody sees the object before it is finished. */
  write(bucket: string, key: string, compression: "NONE" | "GZIP"): Promise<ObjectWriter>;
  /** Adds lines to a log, which stands for CloudWatch. */
  log(stream: string, lines: readonly string[]): Promise<void>;
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

export interface ObjectWriter {
  write(text: string | Uint8Array): Promise<void>;
  finish(): Promise<WrittenObject>;
  /** Leaves nothing behind. */
  abandon(): Promise<void>;
}

export interface WrittenObject {
  readonly bytes: number;
  /** Of what is stored. */
  readonly md5: Uint8Array;
}
