import { randomUUID } from "node:crypto";
import { transferBroken } from "../api/errors/transfer-failures.ts";
import { transferDays } from "../api/limits.ts";
import type { Database } from "../engine/database.ts";
import { releasePast, runExport } from "./export-job.ts";
import { Stopped } from "./import-items.ts";
import { abandon, runImport } from "./import-job.ts";
import type { ObjectStore } from "./object-store.ts";
import {
  type ExportRecord,
  type ImportCounts,
  type ImportRecord,
  type RecordOf,
  type TransferKind,
  TransferRecords,
} from "./transfer-records.ts";

/** A process that is at work says so that often; one that has not for so long is taken to be gone. */
const aliveEveryMs = 10_000;
const goneAfterMs = 60_000;

/** Exports and imports: what is known of them, and the work, which goes on behind the answers. */
export class Transfers {
  readonly records: TransferRecords;
  /** What stands for Amazon S3, if there is something. */
  readonly objects: ObjectStore | undefined;
  readonly #database: Database;
  readonly #runner = randomUUID();
  readonly #running = new Map<string, Promise<void>>();
  readonly #counts = new Map<string, () => ImportCounts>();
  #lastId = { now: 0, suffix: 0 };
  #stopped = false;

  constructor(database: Database, objects: ObjectStore | undefined) {
    this.#database = database;
    this.objects = objects;
    this.records = new TransferRecords(database.store);
  }

  /** An id as the service makes them: the time, and something to tell it from others; the later, the greater. */
  newId(now: number): string {
    const sameTime = this.#lastId.now === now && this.#lastId.suffix < 0xffffffff;
    const suffix = sameTime
      ? this.#lastId.suffix + 1
      : Number.parseInt(randomUUID().slice(0, 8), 16);
    this.#lastId = { now, suffix };
    return `${String(now).padStart(14, "0")}-${suffix.toString(16).padStart(8, "0")}`;
  }

  /** What a new record says of who is at work. */
  get runner(): string {
    return this.#runner;
  }

  /** Takes up what an earlier process left, and what another one left that is gone. */
  async resume(): Promise<void> {
    const kinds = ["export", "import"] as const;
    for (const kind of kinds) {
      for (const record of await this.records.list(kind)) await this.#takeOver(kind, record);
    }
  }

  /** The record, as somebody asks for it who waits for the end. */
  async describe<K extends TransferKind>(
    kind: K,
    namespace: string,
    id: string,
  ): Promise<RecordOf[K] | undefined> {
    const record = await this.records.find(kind, namespace, id);
    if (record !== undefined && this.#database.store.watch !== undefined) {
      await this.#takeOver(kind, record);
    }
    return record;
  }

  async #takeOver<K extends TransferKind>(kind: K, { namespace, id }: RecordOf[K]): Promise<void> {
    const taken = await this.records.change(kind, namespace, id, (record) => {
      if (!this.#isOrphan(record)) return undefined;
      return { ...record, runner: this.#runner, aliveAt: this.#database.clock.now() };
    });
    if (taken !== undefined) this.start(taken);
  }

  /** A store that only one process has open has no other at work. */
  #isOrphan({ status, runner, aliveAt }: ExportRecord | ImportRecord): boolean {
    if (status !== "IN_PROGRESS" || runner === this.#runner) return false;
    const { store, clock } = this.#database;
    return store.watch === undefined || clock.now() - aliveAt > goneAfterMs;
  }

  /** The record must have been written. */
  start(record: ExportRecord | ImportRecord): void {
    const stillHere = setInterval(() => this.#sayAlive(record), aliveEveryMs);
    stillHere.unref();
    const work = this.#run(record)
      .catch((error: unknown) => this.#broken(record, error))
      // If even that fails, the record stays as it is, and the next process takes it up.
      .catch(() => {})
      .finally(() => {
        clearInterval(stillHere);
        this.#running.delete(record.id);
        this.#counts.delete(record.id);
      });
    this.#running.set(record.id, work);
  }

  #sayAlive({ kind, namespace, id }: ExportRecord | ImportRecord): void {
    this.records
      .change(kind, namespace, id, (record) =>
        record.status === "IN_PROGRESS"
          ? { ...record, aliveAt: this.#database.clock.now() }
          : undefined,
      )
      // The next time will do.
      .catch(() => {});
  }

  async #run(record: ExportRecord | ImportRecord): Promise<void> {
    const { objects } = this;
    const stopped = (): boolean => this.#stopped;
    if (record.kind === "import") {
      return runImport(
        {
          database: this.#database,
          objects,
          stopped,
          counts: (counts) => this.#counts.set(record.id, counts),
        },
        record,
      );
    }
    return runExport({ database: this.#database, records: this.records, objects, stopped }, record);
  }

  /** What fails, fails for good: the service, too, does not begin again by itself. */
  async #broken(
    { kind, namespace, id }: ExportRecord | ImportRecord,
    error: unknown,
  ): Promise<void> {
    if (error instanceof Stopped || this.#stopped) return;
    const failure = transferBroken(error);
    if (kind === "import") {
      const record = await this.records.find("import", namespace, id);
      if (record !== undefined) await abandon(this.#database, record, failure);
    } else {
      const endedAt = this.#database.clock.now();
      await this.records.change("export", namespace, id, (record) => ({
        ...record,
        status: "FAILED",
        endedAt,
        failure,
      }));
      const record = await this.records.find("export", namespace, id);
      if (record !== undefined) await releasePast(this.#database, record);
    }
  }

  /** How far an import is that this process is at work on. */
  progress(id: string): ImportCounts | undefined {
    return this.#counts.get(id)?.();
  }

  /** Forgets what is so old that the service no longer tells of it. */
  async forgetOld(kind: TransferKind, namespace: string): Promise<void> {
    const oldest = this.#database.clock.now() - transferDays * 86_400_000;
    const old = (await this.records.list(kind, namespace)).filter(
      ({ status, startedAt }) => status !== "IN_PROGRESS" && startedAt < oldest,
    );
    if (old.length > 0) await this.records.remove(old);
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** What is not done stays recorded; who opens the data next goes on with it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.idle();
  }
}
