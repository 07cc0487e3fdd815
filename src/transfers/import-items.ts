import { ServiceError } from "../api/errors/service-error.ts";
import { latin1Of } from "../base/bytes.ts";
import type { Database } from "../engine/database.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { breath } from "../engine/job-steps.ts";
import type { WriteAction } from "../engine/write.ts";
import { UnreadableError } from "../formats/unreadable.ts";
import { putOf, readerFor } from "./incoming-item.ts";
import type { ObjectStore } from "./object-store.ts";
import type { ImportCounts, ImportRecord } from "./transfer-records.ts";

const batchItems = 100;
const batchBytes = 1024 * 1024;
const batchesAtOnce = 4;

/** After so many bytes others get a turn. */
const breathBytes = 64 * 1024;

/** Of so many errors the log tells. */
const loggedMax = 10_000;

export class Stopped extends Error {}

/** Reads the objects of an import and writes what is in them into its table, which nobody else sees yet. */
export class ItemImport {
  readonly #database: Database;
  readonly #objects: ObjectStore;
  readonly #record: ImportRecord;
  readonly #table: TableDescriptor;
  readonly #stopped: () => boolean;
  #batch: WriteAction[] = [];
  #batchBytes = 0;
  #keys = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  #failure: unknown;
  #processed = 0;
  #imported = 0;
  #errors = 0;
  #bytes = 0;
  #log: string[] = [];
  #logged = 0;

  constructor(
    database: Database,
    objects: ObjectStore,
    record: ImportRecord,
    table: TableDescriptor,
    stopped: () => boolean,
  ) {
    this.#database = database;
    this.#objects = objects;
    this.#record = record;
    // An import is not told in the table's stream.
    const { stream: _, ...silent } = table;
    this.#table = silent;
    this.#stopped = stopped;
  }

  get counts(): ImportCounts {
    return {
      processed: this.#processed,
      imported: this.#imported,
      errors: this.#errors,
      bytes: this.#bytes,
    };
  }

  async run(): Promise<ImportCounts> {
    const { bucket, prefix } = this.#record;
    for (const { key } of await this.#objects.list(bucket, prefix)) await this.#object(key);
    await this.#flush();
    while (this.#writing.size > 0) await Promise.all(this.#writing);
    this.#check();
    await this.#tell();
    return this.counts;
  }

  /** What cannot be read ends the object, not the import; what is no good item is left out. */
  async #object(key: string): Promise<void> {
    const { bucket, compression } = this.#record;
    const reader = readerFor(this.#record);
    let index = 0;
    let sinceBreath = 0;
    const take = async (records: Iterable<unknown>): Promise<void> => {
      for (const raw of records) {
        this.#processed += 1;
        try {
          await this.#add(putOf(this.#table, raw));
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          await this.#problem(key, index, error.message);
        }
        index += 1;
      }
    };
    try {
      for await (const piece of this.#objects.read(bucket, key, compression)) {
        this.#check();
        this.#bytes += piece.length;
        await take(reader.push(piece));
        // What was compressed well comes in many pieces, at once.
        sinceBreath += piece.length;
        if (sinceBreath < breathBytes) continue;
        sinceBreath = 0;
        await breath(this.#database.store);
      }
      await take(reader.end());
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.#processed += 1;
      await this.#problem(key, index, error.message);
    }
  }

  async #add(action: Extract<WriteAction, { kind: "put" }>): Promise<void> {
    const identity = latin1Of(action.address.key);
    // A commit writes an item once.
    if (this.#keys.has(identity)) await this.#flush();
    this.#keys.add(identity);
    this.#batch.push(action);
    this.#batchBytes += action.item.size;
    if (this.#batch.length >= batchItems || this.#batchBytes >= batchBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    const actions = this.#batch;
    if (actions.length === 0) return;
    this.#batch = [];
    this.#batchBytes = 0;
    this.#keys = new Set();
    const write = this.#write(actions)
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#writing.delete(write));
    this.#writing.add(write);
    while (this.#writing.size >= batchesAtOnce) await Promise.race(this.#writing);
    this.#check();
  }

  async #write(actions: readonly WriteAction[]): Promise<void> {
    const outcomes = await this.#database.write(() => actions, { atomic: false });
    this.#database.store.stepDone?.();
    for (const { refusal } of outcomes) {
      if (refusal === undefined) this.#imported += 1;
      else await this.#problem(undefined, undefined, refusal.message);
    }
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#stopped()) throw new Stopped();
  }

  async #problem(
    key: string | undefined,
    itemIndex: number | undefined,
    message: string,
  ): Promise<void> {
    this.#errors += 1;
    if (this.#logged >= loggedMax) return;
    this.#logged += 1;
    const { bucket, account, region, table, id } = this.#record;
    const entry = {
      itemS3Pointer: { bucket, key, itemIndex },
      importArn: `arn:aws:dynamodb:${region}:${account}:table/${table.name}/import/${id}`,
      errorMessages: [message],
    };
    this.#log.push(JSON.stringify(entry));
    if (this.#log.length >= 100) await this.#tell();
  }

  async #tell(): Promise<void> {
    const lines = this.#log;
    this.#log = [];
    if (lines.length > 0) await this.#objects.log(`${this.#record.id}/error`, lines);
  }
}
