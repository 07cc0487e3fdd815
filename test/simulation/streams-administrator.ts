import type { Random } from "../random.ts";
import type { Client } from "./concurrent.ts";
import type { Gate } from "./gate.ts";
import type { Era } from "./streams-changes.ts";
import type { Surroundings } from "./streams-surroundings.ts";
import { createBody, streamTables, type ViewType, viewTypes } from "./streams-tables.ts";

const minute = 60_000;
const hour = 60 * minute;
const shardsMax = 24;

export interface Others {
  /** Is told of tables that are made anew. */
  remade(table: string): void;
  /** Lets the consumer read all that there is. */
  catchUp(): Promise<void>;
  /** Sends away those who have nothing but iterators. */
  leave(): Promise<void>;
}

/** Shards split and roll, streams go off and on, tables are made anew, servers stop, and time passes. */
export class Administrator implements Client {
  readonly #surroundings: Surroundings;
  /** More than a day may pass. */
  readonly #trims: boolean;
  readonly #others: Others;
  #caughtUpAt: number;
  #units = 1_000;

  constructor(surroundings: Surroundings, trims: boolean, others: Others) {
    this.#surroundings = surroundings;
    this.#trims = trims;
    this.#others = others;
    this.#caughtUpAt = surroundings.beganAt;
  }

  async prepare(random: Random): Promise<void> {
    const views = random.sample(viewTypes, viewTypes.length);
    for (const [i, { name }] of streamTables.entries())
      await this.#create(name, views[i] as ViewType);
  }

  async step(random: Random): Promise<void> {
    const { name } = random.pick(streamTables);
    const { target } = this.#surroundings;
    switch (
      random.weighted({
        split: 30,
        moment: 15,
        minutes: 8,
        roll: 8,
        day: this.#trims ? 10 : 0,
        toggle: 8,
        remake: 2,
        capacity: 6,
        reopen: 8,
        keep: this.#trims ? 8 : 3,
      })
    ) {
      case "split":
        return this.#split(random, name);
      case "moment":
        return this.#pass(random.between(1, 5_000));
      case "minutes":
        return this.#pass(random.pick([5, 14, 16]) * minute);
      case "roll":
        return this.#pass(4 * hour);
      case "day":
        return this.#pass(random.pick([20, 24, 25]) * hour);
      case "toggle":
        return this.#toggle(random, name);
      case "remake":
        return this.#remake(random, name);
      case "capacity":
        return this.#grow(random, name);
      case "reopen":
        return target.reopen();
      case "keep":
        return target.keep();
    }
  }

  /**
   * No more than a day passes between two times at which the consumer has read everything: so it must
   * have seen all in the end. Whoever comes later finds what is left.
   */
  #pass(milliseconds: number): Promise<void> {
    const { target, time, beganAt } = this.#surroundings;
    return time.alone(async () => {
      const now = target.clock.now();
      const left = this.#trims ? milliseconds : beganAt + 23 * hour - now;
      const passing = Math.max(0, Math.min(milliseconds, left));
      if (now + passing >= this.#caughtUpAt + 23 * hour) {
        await this.#others.catchUp();
        this.#caughtUpAt = now;
      }
      if (passing >= minute) await this.#others.leave();
      target.advance(passing);
    });
  }

  async #split(random: Random, table: string): Promise<void> {
    const { run, target } = this.#surroundings;
    const arn = this.#era(table)?.arn;
    if (arn === undefined) return;
    const body = { StreamArn: arn, ...(random.chance(0.5) && { Limit: 1 + random.few(99) }) };
    const description = (await run.expect("DescribeStream", body))?.StreamDescription as {
      Shards: readonly { ShardId: string; SequenceNumberRange: Record<string, string> }[];
    };
    const open = (description?.Shards ?? []).filter(
      ({ SequenceNumberRange: range }) => range.EndingSequenceNumber === undefined,
    );
    if (open.length === 0 || open.length >= shardsMax) return;
    const answer = await target.split(table, random.pick(open).ShardId);
    // It may have been rolled meanwhile, or the stream may be off.
    if ("error" in answer && answer.error !== "ResourceNotFoundException") {
      run.problem(`a split of ${table} answered ${answer.error}`);
    }
  }

  /** Off, and after a while on again, mostly while others write. */
  async #toggle(random: Random, table: string): Promise<void> {
    const { run, tables } = this.#surroundings;
    const gate = tables.get(table) as Gate;
    const calmly = (work: () => Promise<void>) => (random.chance(0.3) ? gate.alone(work) : work());
    await calmly(async () => {
      await this.#end(table, () =>
        run.expect("UpdateTable", {
          TableName: table,
          StreamSpecification: { StreamEnabled: false },
        }),
      );
    });
    for (let turns = random.few(80); turns > 0; turns -= 1) await new Promise(setImmediate);
    await calmly(() => {
      const StreamViewType = random.pick(viewTypes);
      return this.#begin(table, StreamViewType, () =>
        run.expect("UpdateTable", {
          TableName: table,
          StreamSpecification: { StreamEnabled: true, StreamViewType },
        }),
      );
    });
  }

  /** Nobody writes meanwhile: an item that was there is gone without a record. */
  async #remake(random: Random, table: string): Promise<void> {
    const { run, tables } = this.#surroundings;
    await (tables.get(table) as Gate).alone(async () => {
      await this.#end(table, () => run.expect("DeleteTable", { TableName: table }));
      this.#others.remade(table);
      await this.#create(table, random.pick(viewTypes));
    });
  }

  #create(table: string, viewType: ViewType): Promise<void> {
    const { run } = this.#surroundings;
    return this.#begin(table, viewType, () =>
      run.expect("CreateTable", createBody(table, viewType)),
    );
  }

  async #begin(
    table: string,
    viewType: ViewType,
    request: () => Promise<Record<string, unknown> | undefined>,
  ): Promise<void> {
    const { run, changes } = this.#surroundings;
    const start = run.tick();
    const answer = await request();
    const end = run.tick();
    const description = (answer?.Table ?? answer?.TableDescription) as
      | { LatestStreamArn: string }
      | undefined;
    if (description === undefined) return;
    const arn = description.LatestStreamArn;
    changes.eras.push({ table, viewType, arn, on: { start, end } });
  }

  async #end(table: string, request: () => Promise<unknown>): Promise<void> {
    const { run, target } = this.#surroundings;
    const era = this.#era(table);
    const start = run.tick();
    const at = target.clock.now();
    await request();
    if (era !== undefined) era.off = { start, end: run.tick(), at };
  }

  #era(table: string): Era | undefined {
    return this.#surroundings.changes.eras.findLast((era) => era.table === table && !era.off);
  }

  /** More throughput wants more partitions. */
  async #grow(random: Random, table: string): Promise<void> {
    if (this.#units >= 9_000) return;
    this.#units += random.between(300, 1_500);
    const units = { ReadCapacityUnits: 100, WriteCapacityUnits: this.#units };
    await this.#surroundings.run.expect("UpdateTable", {
      TableName: table,
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: units,
      ...(table === "fresh" && {
        GlobalSecondaryIndexUpdates: [
          { Update: { IndexName: "byGroup", ProvisionedThroughput: units } },
        ],
      }),
    });
  }
}
