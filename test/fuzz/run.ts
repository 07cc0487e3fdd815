import { randomOf } from "../random.ts";
import { type Case, drawCase, operationCase } from "./cases.ts";
import { caseOf, keepFailure, readCorpus } from "./corpus.ts";
import { type Fixture, fixtures } from "./fixtures.ts";
import { Client, type Exchange } from "./http.ts";
import { judge, type Verdict } from "./oracle.ts";
import { roundTrip, roundTripTable } from "./round-trip.ts";
import { ServerProcess } from "./server-process.ts";

/** No request may take longer, whatever it asks for. */
const answerMs = 10_000;
const failuresMax = 20;
const roundTripEvery = 40;
const refreshEvery = 400;

export interface MemorySample {
  readonly requests: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly resources: number;
}

/** One run against one server: what was sent, how it ended, what went wrong. */
export class FuzzRun {
  readonly outcomes = new Map<string, number>();
  readonly failures: string[] = [];
  readonly memory: MemorySample[] = [];
  readonly roundTrips = { taken: 0, refused: 0 };
  /** Per operation: how many plain requests it had, and how many of them it carried out. */
  readonly accepted = new Map<string, { requests: number; done: number }>();
  requests = 0;
  slowestMs = 0;
  slowest = "";
  readonly #data: string | undefined;
  readonly #kinds = new Set<string>();
  #server: ServerProcess;
  #client: Client;
  #seen = 0;

  private constructor(server: ServerProcess, data: string | undefined) {
    this.#server = server;
    this.#client = new Client(server.port, answerMs);
    this.#data = data;
  }

  static async start(data?: string): Promise<FuzzRun> {
    const run = new FuzzRun(await ServerProcess.start(data), data);
    await run.refresh();
    return run;
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.#server.stop();
  }

  /** The kept cases, each with the ending that it must have. */
  async replay(): Promise<void> {
    for (const [file, cases] of readCorpus()) {
      for (const kept of cases) {
        const { outcome, complaint } = await this.check(caseOf(kept));
        const wanted = kept.expect ?? outcome;
        if (complaint === undefined && outcome === wanted) continue;
        const problem = complaint ?? `ends in "${outcome}" instead of "${wanted}"`;
        this.failures.push(`corpus/${file}, "${kept.name}": ${problem}`);
        await this.#revive();
      }
    }
  }

  /** Requests number `from` to `to` of a seed. */
  async draw(seed: number, from: number, to: number, sampleEvery: number): Promise<void> {
    for (let index = from; index < to && this.failures.length < failuresMax; index += 1) {
      if (index % refreshEvery === 0) await this.refresh();
      if (index % sampleEvery === 0) await this.sample();
      const random = randomOf(seed, index);
      const name = `found-${seed}-${index}`;
      if (index % roundTripEvery === 0) await this.#roundTrip(seed, index, name);
      else {
        const drawn = drawCase(random);
        const { complaint } = await this.check(drawn);
        if (complaint !== undefined) this.#fail(drawn, complaint, name, seed, index);
      }
      await this.#revive();
    }
  }

  /** Sends one case and judges its answers and the health of the server. */
  async check(sent: Case): Promise<Verdict> {
    return (await this.#ask(sent)).verdict;
  }

  async #ask(sent: Case): Promise<{ verdict: Verdict; exchange: Exchange }> {
    const exchange = await this.#client.send(sent.sending);
    this.requests += 1;
    if (exchange.ms > this.slowestMs) {
      this.slowestMs = exchange.ms;
      this.slowest = sent.label;
    }
    const judged = judge(sent, exchange);
    const sickness = this.#sickness();
    const verdict = sickness === undefined ? judged : { outcome: "sick", complaint: sickness };
    this.outcomes.set(verdict.outcome, (this.outcomes.get(verdict.outcome) ?? 0) + 1);
    if (sent.operation !== undefined) this.#count(sent.operation, verdict.outcome === "200");
    return { verdict, exchange };
  }

  #count(operation: string, done: boolean): void {
    const counts = this.accepted.get(operation) ?? { requests: 0, done: 0 };
    counts.requests += 1;
    if (done) counts.done += 1;
    this.accepted.set(operation, counts);
  }

  #sickness(): string | undefined {
    const { written, exited } = this.#server;
    const news = written.slice(this.#seen).join("");
    this.#seen = written.length;
    if (exited) return `the server ended: ${news.slice(0, 1_000)}`;
    return news === "" ? undefined : `the server wrote: ${news.slice(0, 1_000)}`;
  }

  async #roundTrip(seed: number, index: number, name: string): Promise<void> {
    let last: Case | undefined;
    try {
      const taken = await roundTrip(randomOf(seed, index), async (sent) => {
        last ??= sent;
        const { verdict, exchange } = await this.#ask(sent);
        if (verdict.complaint !== undefined) throw new Error(verdict.complaint);
        const [reply] = exchange.replies;
        return {
          status: reply?.status ?? 0,
          json: JSON.parse(reply?.body.toString() ?? "{}") as Record<string, unknown>,
        };
      });
      this.roundTrips[taken ? "taken" : "refused"] += 1;
    } catch (error) {
      if (last === undefined) throw error;
      this.#fail(last, `round trip: ${(error as Error).message}`, name, seed, index);
      await this.#recreate(roundTripTable);
    }
  }

  /** Each kind of failure is told once. */
  #fail(sent: Case, complaint: string, name: string, seed: number, index: number): void {
    const kind = complaint.replace(/[0-9A-V]{52}|\d+/g, "#").slice(0, 300);
    if (this.#kinds.has(kind)) return;
    this.#kinds.add(kind);
    const file = keepFailure(name, sent, `${sent.label}: ${complaint.split("\n")[0]}`);
    this.failures.push(
      [
        `${sent.label}: ${complaint}`,
        `  request: ${shown(sent)}`,
        `  kept in ${file}; seed ${seed}, number ${index}`,
        `  replay: KEYWRIGHT_FUZZ_SEED=${seed} KEYWRIGHT_FUZZ_COUNT=${index + 1} npx vitest run --project unit test/fuzz`,
      ].join("\n"),
    );
  }

  /** A server that is gone or stuck is replaced, so that the run finds more than its first failure. */
  async #revive(): Promise<void> {
    if (!this.#server.exited && (this.outcomes.get("trouble") ?? 0) === 0) return;
    if (!this.#server.exited && (await this.#answers())) return;
    await this.stop();
    this.#server = await ServerProcess.start(this.#data);
    this.#client = new Client(this.#server.port, answerMs);
    this.#seen = 0;
    await this.refresh();
  }

  async #answers(): Promise<boolean> {
    const probe = operationCase("probe", "ListTables", Buffer.from("{}"));
    const { trouble } = await this.#client.send({ ...probe.sending, fresh: true });
    return trouble === undefined;
  }

  /** The fixtures are there again, whatever requests have done to them. */
  async refresh(): Promise<void> {
    for (const fixture of [...fixtures, roundTripTable]) {
      const ask = { TableName: fixture.name };
      const found = await this.#plain("DescribeTable", ask);
      if (found.status === 200 && sameKeys(found.json, fixture)) continue;
      await this.#recreate(fixture);
    }
  }

  async #recreate({ name, creation }: Fixture): Promise<void> {
    await this.#plain("UpdateTable", { TableName: name, DeletionProtectionEnabled: false });
    await this.#plain("DeleteTable", { TableName: name });
    await this.#server.report("memory");
    const { status, json } = await this.#plain("CreateTable", JSON.parse(creation) as object);
    if (status !== 200) throw new Error(`${name} cannot be created: ${JSON.stringify(json)}`);
  }

  /** An everyday request. */
  async #plain(operation: string, body: object) {
    const sent = operationCase("plain", operation, Buffer.from(JSON.stringify(body)));
    const { replies, trouble } = await this.#client.send(sent.sending);
    const [reply] = replies;
    if (reply === undefined) throw new Error(`${operation} was not answered: ${trouble}`);
    return {
      status: reply.status,
      json: JSON.parse(reply.body.toString()) as Record<string, unknown>,
    };
  }

  /** How much memory an empty server takes by now. */
  async sample(): Promise<void> {
    for (;;) {
      const { json } = await this.#plain("ListTables", {});
      const names = json.TableNames as string[];
      for (const TableName of names) {
        await this.#plain("UpdateTable", { TableName, DeletionProtectionEnabled: false });
        await this.#plain("DeleteTable", { TableName });
      }
      if (names.length === 0) break;
      await this.#server.report("memory");
    }
    const { heapBytes, residentBytes, resources } = await this.#server.report("memory");
    this.memory.push({ requests: this.requests, heapBytes, residentBytes, resources });
    await this.refresh();
  }

  /** After all that: a put, a get, and nothing wrong in the store. */
  async finish(): Promise<string[]> {
    await this.refresh();
    const Item = { pk: { S: "after all" }, x: { S: "x" } };
    const put = await this.#plain("PutItem", { TableName: "fuzz.simple", Item });
    const get = await this.#plain("GetItem", { TableName: "fuzz.simple", Key: { pk: Item.pk } });
    const problems = [...(await this.#server.report("verify")).problems];
    if (put.status !== 200) problems.push(`PutItem: ${put.status}`);
    if (JSON.stringify(get.json.Item) !== JSON.stringify(Item)) problems.push("GetItem is wrong");
    const sickness = this.#sickness();
    return sickness === undefined ? problems : [...problems, sickness];
  }
}

function sameKeys(json: Record<string, unknown>, { creation }: Fixture): boolean {
  const { KeySchema } = json.Table as { KeySchema: unknown };
  const { KeySchema: wanted } = JSON.parse(creation) as { KeySchema: unknown };
  const { TableStatus } = json.Table as { TableStatus: unknown };
  return TableStatus === "ACTIVE" && JSON.stringify(KeySchema) === JSON.stringify(wanted);
}

function shown({ sending }: Case): string {
  const bytes = Buffer.concat(sending.pieces);
  const text = bytes
    .subarray(0, 1_500)
    .toString("latin1")
    .replace(/^[\s\S]*?\r\n\r\n/, "");
  return `${JSON.stringify(text.slice(0, 800))}${bytes.length > 1_500 ? ` … ${bytes.length} bytes` : ""}`;
}
