import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type RunningServer, startServer } from "../../src/index.ts";
import type { Settled } from "../../src/storage/lmdb/direct-writer.ts";
import type { WriteBatch } from "../../src/storage/write-batch.ts";
import { call, send } from "../server/wire-support.ts";

type Fate = "written" | Error;

/** A disk that does nothing until it is told how its next write shall end. */
class SlowDisk {
  /** Off: writes pass. */
  held = false;
  readonly waiting: ((fate: Fate) => void)[] = [];

  release(): void {
    this.held = false;
    for (const settle of this.waiting.splice(0)) settle("written");
  }

  /** Resolves when a write has begun; then ends it. */
  async end(fate: Fate): Promise<void> {
    await expect.poll(() => this.waiting.length).toBe(1);
    this.waiting.shift()?.(fate);
  }
}

let disk: SlowDisk;
// How the store hands batches of commits to the thread that writes; the one place that knows.
vi.mock("../../src/storage/lmdb/writer-thread.ts", async (original) => {
  const real = await original<typeof import("../../src/storage/lmdb/writer-thread.ts")>();
  type Options = ConstructorParameters<typeof real.WriterThread>[0];

  /** As the thread does, takes all that has gathered into the next transaction. */
  class WriterThread extends real.WriterThread {
    readonly #settled: Settled;
    #queue: WriteBatch[] = [];
    #writing = false;

    constructor(options: Options, settled: Settled) {
      super(options, settled);
      this.#settled = settled;
    }

    override submit(batch: WriteBatch): boolean {
      if (!disk.held && this.#queue.length === 0 && !this.#writing) return super.submit(batch);
      this.#queue.push(batch);
      if (!this.#writing) this.#begin();
      return true;
    }

    #begin(): void {
      const transaction = this.#queue;
      this.#queue = [];
      this.#writing = true;
      const end = (fate: Fate) => {
        this.#writing = false;
        if (fate instanceof Error) {
          this.#queue = [];
          this.#settled(transaction.length, fate);
        } else {
          for (const batch of transaction) expect(super.submit(batch)).toBe(true);
          if (this.#queue.length > 0) this.#begin();
        }
      };
      if (disk.held) disk.waiting.push(end);
      else end("written");
    }
  }
  return { ...real, WriterThread };
});

const table = "slow-disk";
let data: string;
let server: RunningServer;

beforeEach(async () => {
  disk = new SlowDisk();
  data = await mkdtemp(join(tmpdir(), "keywright-flush-"));
  server = await startServer({ data });
  await ask("CreateTable", {
    TableName: table,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
  });
});
afterEach(async () => {
  disk.release();
  await server.close();
  await rm(data, { recursive: true, force: true });
});

const ask = (operation: string, body: object) =>
  send(server.port, { headers: call(operation), body: JSON.stringify(body) });

/** Sends writes of several kinds at once; `answers` fills as they are answered. */
function sendWrites(count: number): { answers: number[]; all: Promise<number[]> } {
  const answers: number[] = [];
  const requests = Array.from({ length: count }, async (_, n) => {
    const Item = { pk: { S: `item ${n}` } };
    const { status } = await [
      () => ask("PutItem", { TableName: table, Item }),
      () => ask("UpdateItem", { TableName: table, Key: Item }),
      () => ask("BatchWriteItem", { RequestItems: { [table]: [{ PutRequest: { Item } }] } }),
      () => ask("TransactWriteItems", { TransactItems: [{ Put: { TableName: table, Item } }] }),
    ][n % 4]!();
    answers.push(status);
    return status;
  });
  return { answers, all: Promise.all(requests) };
}

/** The server goes on answering meanwhile, so an acknowledgement would have arrived too. */
async function letTimePass(): Promise<void> {
  for (let n = 0; n < 5; n++) expect((await ask("ListTables", {})).status).toBe(200);
}

const count = async () =>
  (JSON.parse((await ask("Scan", { TableName: table, Select: "COUNT" })).text) as { Count: number })
    .Count;

test("no write is acknowledged before the disk has it, and all are when it has", async () => {
  disk.held = true;
  let answered = false;
  const first = ask("PutItem", { TableName: table, Item: { pk: { S: "first" } } });
  void first.then(() => {
    answered = true;
  });
  await expect.poll(() => disk.waiting.length).toBe(1);
  await letTimePass();
  const later = sendWrites(8);
  await letTimePass();
  expect(answered).toBe(false);
  await disk.end("written");
  expect((await first).status).toBe(200);
  // Those that came while it was being written do not ride on its flush.
  await letTimePass();
  expect(later.answers).toEqual([]);
  await disk.end("written");
  expect(await later.all).toEqual(Array(8).fill(200));
  expect(await count()).toBe(9);
});

test("a read or a refusal that rests on an unwritten item waits for it too", async () => {
  disk.held = true;
  const claim = {
    TableName: table,
    Item: { pk: { S: "claimed" } },
    ConditionExpression: "attribute_not_exists(pk)",
  };
  const statuses: number[] = [];
  const winner = ask("PutItem", claim).then(({ status }) => statuses.push(status));
  await expect.poll(() => disk.waiting.length).toBe(1);
  const loser = ask("PutItem", claim).then(({ status }) => statuses.push(status));
  await letTimePass();
  expect(statuses).toEqual([]);
  await disk.end("written");
  await Promise.all([winner, loser]);
  expect(statuses.toSorted()).toEqual([200, 400]);
  disk.held = false;
});

test("a disk that fails: nobody is told that it was done, nothing is there, and life goes on", async () => {
  const logged = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  disk.held = true;
  const writes = sendWrites(8);
  let open = true;
  void writes.all.then(() => {
    open = false;
  });
  while (open) {
    await expect.poll(() => !open || disk.waiting.length === 1).toBe(true);
    disk.waiting.shift()?.(new Error("the disk is full"));
  }
  expect(await writes.all).toEqual(Array(8).fill(500));
  disk.held = false;
  logged.mockRestore();
  expect(await count()).toBe(0);
  expect(await sendWrites(4).all).toEqual(Array(4).fill(200));
  expect(await count()).toBe(4);
  expect((await server.workbench.verify()).problems).toEqual([]);
});
