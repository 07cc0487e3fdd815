import type { Random } from "../random.ts";
import {
  type Client,
  type Interval,
  listOf,
  numberOf,
  type Run,
  type Scenario,
  simpleTable,
} from "./concurrent.ts";
import type { Item } from "./values.ts";

interface Append extends Interval {
  readonly entry: string;
  /** Undefined: refused, or the condition failed. */
  readonly version: number | undefined;
}

interface Reading extends Interval {
  readonly log: readonly string[];
}

const table = "logs";
const keys = ["a", "b", "c"];

/**
 * Every client appends to the same few logs and reads them. A log that only grows shows the order in
 * which its writes took effect; so it can be held against what each client saw, and when.
 */
export class Logs implements Scenario {
  readonly #run: Run;
  readonly #appends = new Map<string, Append[]>(keys.map((key) => [key, []]));
  readonly #readings = new Map<string, Reading[]>(keys.map((key) => [key, []]));

  constructor(run: Run) {
    this.#run = run;
  }

  async prepare(): Promise<void> {
    await this.#run.expect("CreateTable", simpleTable(table));
  }

  client(number: number): Client {
    let count = 0;
    return {
      step: async (random) => {
        const key = random.pick(keys);
        if (random.chance(0.35)) return this.#read(key, random);
        count += 1;
        return this.#append(key, `${number}.${count}`, random);
      },
    };
  }

  async #append(key: string, entry: string, random: Random): Promise<void> {
    const run = this.#run;
    const start = run.tick();
    const update = {
      TableName: table,
      Key: { id: { S: key } },
      UpdateExpression:
        "SET entries = list_append(if_not_exists(entries, :none), :one) ADD version :n",
      ExpressionAttributeValues: {
        ":none": { L: [] },
        ":one": { L: [{ S: entry }] },
        ":n": { N: "1" },
      },
    };
    // Some know the version that they write after, as optimistic locking does.
    if (random.chance(0.4)) {
      const found = await run.expect("GetItem", { TableName: table, Key: update.Key });
      const version = numberOf(found?.Item as Item | undefined, "version");
      const condition = version === 0 ? "attribute_not_exists(version)" : "version = :v";
      const values = version === 0 ? {} : { ":v": { N: String(version) } };
      const answer = await run.expect(
        "UpdateItem",
        {
          ...update,
          ConditionExpression: condition,
          ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...values },
          ReturnValues: "UPDATED_NEW",
        },
        "ConditionalCheckFailedException",
      );
      this.#record(key, entry, start, answer);
      if (answer !== undefined) {
        const now = numberOf(answer.Attributes as Item, "version");
        run.check(now === version + 1, () => `${entry} was to follow ${version} and became ${now}`);
      }
      return;
    }
    const answer = await run.expect("UpdateItem", { ...update, ReturnValues: "ALL_NEW" });
    this.#record(key, entry, start, answer);
    const log = listOf(answer?.Attributes as Item | undefined, "entries");
    run.check(log.at(-1) === entry, () => `${entry} is not the end of what its update returned`);
  }

  #record(
    key: string,
    entry: string,
    start: number,
    answer: Record<string, unknown> | undefined,
  ): void {
    const version = answer && numberOf(answer.Attributes as Item, "version");
    this.#appends.get(key)?.push({ entry, version, start, end: this.#run.tick() });
  }

  async #read(key: string, random: Random): Promise<void> {
    const start = this.#run.tick();
    const Key = { id: { S: key } };
    let item: Item | undefined;
    if (random.chance(0.5)) {
      const body = { TableName: table, Key, ConsistentRead: true };
      item = (await this.#run.expect("GetItem", body))?.Item as Item | undefined;
    } else {
      const body = {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: "id = :id",
        ExpressionAttributeValues: { ":id": Key.id },
      };
      item = ((await this.#run.expect("Query", body))?.Items as Item[] | undefined)?.[0];
    }
    const log = listOf(item, "entries");
    this.#readings.get(key)?.push({ log, start, end: this.#run.tick() });
  }

  async check(): Promise<void> {
    for (const key of keys) {
      const body = { TableName: table, Key: { id: { S: key } }, ConsistentRead: true };
      const item = (await this.#run.expect("GetItem", body))?.Item as Item | undefined;
      const log = listOf(item, "entries");
      const appends = this.#appends.get(key) ?? [];
      this.#checkLog(key, log, appends);
      for (const reading of this.#readings.get(key) ?? []) {
        this.#checkReading(key, log, appends, reading);
      }
    }
  }

  /** Each acknowledged entry once, at the version that was answered, in an order that time allows. */
  #checkLog(key: string, log: readonly string[], appends: readonly Append[]): void {
    const run = this.#run;
    const done = appends.filter(({ version }) => version !== undefined);
    run.check(
      log.length === done.length,
      () => `log ${key}: ${log.length} entries of ${done.length}`,
    );
    for (const { entry, version } of done) {
      run.check(
        log[(version ?? 0) - 1] === entry,
        () => `log ${key}: ${entry} is not at ${version}`,
      );
    }
    const byEntry = new Map(done.map((append) => [append.entry, append]));
    let latestStart = 0;
    for (const entry of log) {
      const append = byEntry.get(entry);
      run.check(append !== undefined, () => `log ${key}: nobody was told that ${entry} is written`);
      if (append === undefined) continue;
      run.check(
        append.end > latestStart,
        () => `log ${key}: ${entry} ended before an earlier began`,
      );
      latestStart = Math.max(latestStart, append.start);
    }
  }

  /** A prefix of the log, with all that was acknowledged before and nothing that came after. */
  #checkReading(
    key: string,
    log: readonly string[],
    appends: readonly Append[],
    { log: seen, start, end }: Reading,
  ): void {
    const run = this.#run;
    const isPrefix = seen.every((entry, i) => log[i] === entry);
    run.check(isPrefix, () => `log ${key}: a reading of ${seen.length} entries is no prefix`);
    const known = new Set(seen);
    for (const append of appends) {
      if (append.version === undefined) continue;
      if (append.end < start) {
        run.check(
          known.has(append.entry),
          () => `log ${key}: a later reading misses ${append.entry}`,
        );
      }
      if (append.start > end) {
        run.check(!known.has(append.entry), () => `log ${key}: ${append.entry} was read too early`);
      }
    }
  }
}
