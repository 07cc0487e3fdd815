import type { TransferFailure } from "../api/errors/transfer-failures.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { metaKey } from "../engine/layout.ts";
import type { ExportFormat } from "../formats/export-lines.ts";
import type { InputFormat } from "../formats/record-reader.ts";
import type { Bytes, KeyRange, Store, Write } from "../storage/store.ts";
import type { Compression } from "./object-store.ts";

export type TransferKind = "export" | "import";

export type TransferStatus = "IN_PROGRESS" | "COMPLETED" | "FAILED";

/** All that is known of an export or import; stored as JSON, replaced as a whole. */
interface TransferRecord {
  /** When it began, and something to tell it from others: the end of its ARN. */
  readonly id: string;
  readonly namespace: string;
  readonly account: string;
  readonly region: string;
  /** What was asked for, with which the answers begin. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly token: string | undefined;
  readonly status: TransferStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly failure?: TransferFailure;
  /** The process that does it, and when it last said so. */
  readonly runner: string;
  readonly aliveAt: number;
}

export interface ExportRecord extends TransferRecord {
  readonly kind: "export";
  readonly tableName: string;
  readonly tableUuid: string;
  /** Its past stays as it is until the export has ended. */
  readonly hold: {
    readonly jobId: number;
    readonly number: number;
    readonly tableId: number;
    readonly historyId: number;
  };
  readonly bucket: string;
  readonly bucketOwner?: string;
  readonly prefix?: string;
  readonly format: ExportFormat;
  readonly encryption: "AES256" | "KMS";
  readonly encryptionKey?: string;
  readonly time: ExportTime;
  readonly filter?: ExportFilter;
  readonly result?: {
    readonly items: number;
    readonly billedBytes: number;
    readonly manifest: string;
  };
}

/** The table as it was then, or what changed from one time to before another. Milliseconds. */
export type ExportTime =
  | { readonly kind: "full"; readonly at: number }
  | {
      readonly kind: "incremental";
      readonly from: number;
      readonly to: number;
      readonly view: "NEW_IMAGE" | "NEW_AND_OLD_IMAGES";
    };

export interface ExportFilter {
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, object>>;
}

export interface ImportRecord extends TransferRecord {
  readonly kind: "import";
  /** The table to be made; its ids are 0 until it is. */
  readonly table: TableDescriptor;
  readonly bucket: string;
  readonly bucketOwner?: string;
  readonly prefix: string;
  readonly format: InputFormat;
  readonly csv?: { readonly delimiter?: string; readonly header?: readonly string[] };
  readonly compression: Compression;
  readonly result?: ImportCounts;
}

export interface ImportCounts {
  readonly processed: number;
  readonly imported: number;
  readonly errors: number;
  /** Of the source, uncompressed. */
  readonly bytes: number;
}

export interface RecordOf {
  readonly export: ExportRecord;
  readonly import: ImportRecord;
}

/** What a token stands for, and until when. */
interface TokenRow {
  readonly id: string;
  /** Of what was asked for with it. */
  readonly payload: string;
  readonly expiresAt: number;
}

const recordKey = (kind: TransferKind, namespace: string, id: string): Bytes =>
  metaKey(`${kind}/${namespace}\0${id}`);
const tokenKey = (kind: TransferKind, namespace: string, token: string): Bytes =>
  metaKey(`${kind}-token/${namespace}\0${token}`);

const rangeOf = (kind: TransferKind, namespace: string): KeyRange => ({
  start: metaKey(`${kind}/${namespace}\0`),
  end: metaKey(`${kind}/${namespace}\x01`),
});
const wholeRange = (kind: TransferKind): KeyRange => ({
  start: metaKey(`${kind}/`),
  end: metaKey(`${kind}0`),
});

const chunk = 1_000;

/** Exports and imports are kept apart from their tables, which they outlive. */
export class TransferRecords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find<K extends TransferKind>(
    kind: K,
    namespace: string,
    id: string,
  ): Promise<RecordOf[K] | undefined> {
    const [bytes] = await this.#store.get([recordKey(kind, namespace, id)]);
    return bytes === undefined ? undefined : parse<RecordOf[K]>(bytes);
  }

  /** The latest first. */
  async list<K extends TransferKind>(kind: K, namespace?: string): Promise<RecordOf[K][]> {
    const range = namespace === undefined ? wholeRange(kind) : rangeOf(kind, namespace);
    const found: RecordOf[K][] = [];
    let { start } = range;
    for (;;) {
      const page = await this.#store.scan(
        { start, end: range.end },
        { limit: chunk, bytesMax: Number.MAX_SAFE_INTEGER },
      );
      for (const { value } of page.entries) found.push(parse<RecordOf[K]>(value));
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) break;
      start = Buffer.concat([last.key, Buffer.from([0])]);
    }
    return found.reverse();
  }

  put(record: ExportRecord | ImportRecord): Promise<void> {
    const key = recordKey(record.kind, record.namespace, record.id);
    return this.#store.commit([key], () => ({ writes: [recordWrite(record)], result: undefined }));
  }

  /** Replaces a record, if it is still there and `change` has something to say. */
  change<K extends TransferKind>(
    kind: K,
    namespace: string,
    id: string,
    change: (record: RecordOf[K]) => RecordOf[K] | undefined,
  ): Promise<RecordOf[K] | undefined> {
    return this.#store.commit([recordKey(kind, namespace, id)], ([bytes]) => {
      const changed = bytes === undefined ? undefined : change(parse<RecordOf[K]>(bytes));
      return {
        writes: changed === undefined ? [] : [recordWrite(changed)],
        result: changed,
      };
    });
  }

  /**
   * Adds a record, unless its token already stands for another, which is answered then with what it was
   * asked for. A token whose time is over stands for nothing.
   */
  async add<K extends TransferKind>(
    record: RecordOf[K],
    payload: string,
    expiresAt: number,
    now: number,
  ): Promise<{ readonly id: string; readonly payload: string } | undefined> {
    const { kind, namespace, token } = record;
    if (token === undefined) {
      await this.put(record);
      return undefined;
    }
    const key = tokenKey(kind, namespace, token);
    return this.#store.commit([key], ([bytes]) => {
      const row = bytes === undefined ? undefined : parse<TokenRow>(bytes);
      if (row !== undefined && row.expiresAt > now) return { writes: [], result: row };
      const value: TokenRow = { id: record.id, payload, expiresAt };
      return {
        writes: [
          { kind: "put", key, value: Buffer.from(JSON.stringify(value)) },
          recordWrite(record),
        ],
        result: undefined,
      };
    });
  }

  async findToken(
    kind: TransferKind,
    namespace: string,
    token: string,
    now: number,
  ): Promise<{ readonly id: string; readonly payload: string } | undefined> {
    const [bytes] = await this.#store.get([tokenKey(kind, namespace, token)]);
    const row = bytes === undefined ? undefined : parse<TokenRow>(bytes);
    return row !== undefined && row.expiresAt > now ? row : undefined;
  }

  /** Removes records, with their tokens. */
  remove(records: readonly (ExportRecord | ImportRecord)[]): Promise<void> {
    return this.#store.commit([], () => ({
      writes: records.flatMap(({ kind, namespace, id, token }): Write[] => [
        { kind: "delete", key: recordKey(kind, namespace, id) },
        ...(token === undefined
          ? []
          : [{ kind: "delete" as const, key: tokenKey(kind, namespace, token) }]),
      ]),
      result: undefined,
    }));
  }
}

export function recordWrite(record: ExportRecord | ImportRecord): Write {
  return {
    kind: "put",
    key: recordKey(record.kind, record.namespace, record.id),
    value: Buffer.from(JSON.stringify(record)),
  };
}

function parse<T>(bytes: Bytes): T {
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as T;
}
