// What a stream costs its table's writes, and what reading it costs: node scripts/run-ts.mjs bench/streams.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plain, responseBytes } from "../src/api/response-json.ts";
import { openWorkbench, type Workbench } from "../src/workbench/workbench.ts";
import { microsecondsSince } from "./cpu-time.ts";
import { figure, renderTable, times } from "./table.ts";
import { answerTasks, Rivals } from "./take-turns.ts";
import { type Call, type OperationName, Workload } from "./workload.ts";

const stores = ["memory", "relaxed"] as const;
type StoreName = (typeof stores)[number];

const views = ["none", "KEYS_ONLY", "NEW_AND_OLD_IMAGES"] as const;
type View = (typeof views)[number];

/** `read`: a hundred records of the stream, next to a query of a hundred items. */
const tasks = ["put", "update", "batchwrite", "transact", "read"] as const;
type Task = (typeof tasks)[number];

const rounds = 5;
const pieces = 10;
/** Under way at once, as in a server with so many connections. */
const width = 8;
const turns = 20;
const pageRecords = 100;
const caller = { account: "000000000000", region: "us-east-1" };

/** Runs what is asked for, from the text of a request to that of its answer. */
class Subject {
  readonly #workbench: Workbench;
  readonly #workload: Workload;
  readonly #view: View;
  #iterator: string | undefined;

  constructor(workbench: Workbench, workload: Workload, view: View) {
    this.#workbench = workbench;
    this.#workload = workload;
    this.#view = view;
  }

  async fill(): Promise<void> {
    const { operation, body } = this.#workload.createTable();
    const StreamSpecification = { StreamEnabled: true, StreamViewType: this.#view };
    const table = this.#view === "none" ? body : { ...body, StreamSpecification };
    await this.#send(textOf({ operation, body: table }));
    for (const call of this.#workload.fill()) await this.#send(textOf(call));
  }

  /** CPU microseconds for one request. */
  async measure(task: Task): Promise<number> {
    return task === "read" && this.#view !== "none"
      ? this.#readRecords()
      : this.#requests(task === "read" ? "query" : task);
  }

  async #requests(operation: OperationName): Promise<number> {
    // Made anew each time: a write that changes nothing leaves no record.
    const requests = Array.from({ length: turns * width }, () =>
      textOf(this.#workload.call(operation)),
    );
    const before = process.cpuUsage();
    for (let turn = 0; turn < turns; turn += 1) {
      const now = requests.slice(turn * width, (turn + 1) * width);
      await Promise.all(now.map((request) => this.#send(request)));
    }
    return microsecondsSince(before) / requests.length;
  }

  /** One reader, as a shard has, from the beginning to the end and again. */
  async #readRecords(): Promise<number> {
    const before = process.cpuUsage();
    let pages = 0;
    while (pages < turns * width) {
      const ShardIterator = this.#iterator ?? (await this.#begin());
      const body = { ShardIterator, Limit: pageRecords };
      const answer = await this.#workbench.execute("GetRecords", body, caller);
      responseBytes(answer);
      const page = answer as { Records: readonly unknown[]; NextShardIterator?: string };
      const isFull = page.Records.length === pageRecords;
      this.#iterator = isFull ? page.NextShardIterator : undefined;
      if (isFull) pages += 1;
    }
    return microsecondsSince(before) / pages;
  }

  async #begin(): Promise<string> {
    const ask = async <T>(operation: string, body: object): Promise<T> =>
      plain<T>(await this.#workbench.execute(operation, body, caller));
    const TableName = this.#workload.table;
    const { Table } = await ask<{ Table: { LatestStreamArn: string } }>("DescribeTable", {
      TableName,
    });
    const StreamArn = Table.LatestStreamArn;
    const { StreamDescription } = await ask<{
      StreamDescription: { Shards: readonly { ShardId: string }[] };
    }>("DescribeStream", { StreamArn });
    const { ShardIterator } = await ask<{ ShardIterator: string }>("GetShardIterator", {
      StreamArn,
      ShardId: StreamDescription.Shards[0]?.ShardId,
      ShardIteratorType: "TRIM_HORIZON",
    });
    return ShardIterator;
  }

  async #send({ operation, text }: Request): Promise<void> {
    const answer = await this.#workbench.execute(operation, JSON.parse(text), caller);
    responseBytes(answer);
  }
}

interface Request {
  readonly operation: string;
  readonly text: string;
}

const textOf = ({ operation, body }: Call): Request => ({ operation, text: JSON.stringify(body) });

async function serve(store: StoreName, view: View): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "keywright-bench-streams-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.on("SIGTERM", () => process.exit());
  const workbench = await openWorkbench(
    store === "memory" ? {} : { data: folder, durability: "relaxed" },
  );
  const workload = new Workload({ table: "Streams", items: 20_000, itemBytes: 430 });
  workload.reseed(1);
  const subject = new Subject(workbench, workload, view);
  await subject.fill();
  workload.reseed(2);
  answerTasks((task: Task) => subject.measure(task));
}

async function compare(store: StoreName): Promise<void> {
  const rivals = await Rivals.start<Task>(views.map((view) => `${store}/${view}`));
  try {
    const rows: string[][] = [];
    for (const task of tasks) {
      const figures = await rivals.measure(task, rounds, pieces);
      const [none = 0, keys = 0, images = 0] = figures;
      rows.push([task, ...figures.map(figure), times(keys / none), times(images / none)]);
    }
    const heads = ["operation", ...views, "keys / none", "images / none"];
    process.stdout.write(`${store}\n\n${renderTable(heads, rows)}\n\n`);
  } finally {
    rivals.stop();
  }
}

const [store, view] = (process.argv[2] ?? "").split("/");
if (view !== undefined) await serve(store as StoreName, view as View);
else {
  process.stdout.write(`CPU µs per request without HTTP, median of ${rounds} rounds\n\n`);
  for (const one of stores) await compare(one);
}
