import type { Random } from "../random.ts";
import type { Interval } from "./concurrent.ts";
import { Gate } from "./gate.ts";
import type { Era } from "./streams-changes.ts";
import { StreamReader } from "./streams-reader.ts";
import type { Surroundings } from "./streams-surroundings.ts";
import { streamTables } from "./streams-tables.ts";

/** Reads all streams. When it is started anew it has forgotten its iterators, but not its checkpoints. */
export class Consumer {
  readonly readers = new Map<string, StreamReader>();
  readonly #surroundings: Surroundings;
  readonly #gate = new Gate();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  step(random: Random): Promise<void> {
    return this.#gate.together(async () => {
      if (this.readers.size === 0) await this.#list(random);
      else if (random.chance(0.05)) await this.#list(random, random.pick(streamTables).name);
      await random.pick([...this.readers.values()]).step(random);
      if (random.chance(0.05)) this.#restart();
    });
  }

  #restart(): void {
    for (const { shards } of this.readers.values()) {
      for (const shard of shards.values()) shard.iterator = undefined;
    }
  }

  /** Finds the streams of a table, or of all. */
  async #list(random: Random, table?: string): Promise<void> {
    let start: unknown;
    do {
      const page = await this.#surroundings.run.expect("ListStreams", {
        ...(table !== undefined && { TableName: table }),
        ...(random.chance(0.5) && { Limit: random.between(1, 5) }),
        ...(start !== undefined && { ExclusiveStartStreamArn: start }),
      });
      for (const { StreamArn: arn } of (page?.Streams ?? []) as { StreamArn: string }[]) {
        if (!this.readers.has(arn)) {
          this.readers.set(arn, new StreamReader(this.#surroundings, arn));
        }
      }
      start = page?.LastEvaluatedStreamArn;
    } while (start !== undefined);
  }

  /** Reads all that is there; nobody writes meanwhile. */
  catchUp(random: Random): Promise<void> {
    return this.#gate.alone(async () => {
      await this.#list(random);
      for (const reader of this.readers.values()) await reader.finish(random);
    });
  }
}

export interface Visit {
  readonly era: Era;
  readonly reader: StreamReader;
  readonly arrived: Interval;
  left?: Interval & { readonly at: number };
}

/** The part of the stream that was read. */
export const partOf = ({ era, arrived, left }: Visit): Era => ({
  ...era,
  on: arrived,
  ...(left && { off: era.off !== undefined && era.off.start < left.start ? era.off : left }),
});

/** Those who begin with what comes now, stay for a while and go; one after the other. */
export class Visitors {
  readonly visits: Visit[] = [];
  readonly #surroundings: Surroundings;
  #isHere = false;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  step(random: Random): Promise<void> {
    const { time, changes } = this.#surroundings;
    return time.together(async () => {
      const now = changes.eras.filter(({ off }) => off === undefined);
      if (this.#isHere) await this.visits.at(-1)?.reader.step(random);
      else if (now.length > 0 && random.chance(0.1)) await this.#arrive(random.pick(now), random);
    });
  }

  async #arrive(era: Era, random: Random): Promise<void> {
    const { run } = this.#surroundings;
    const reader = new StreamReader(this.#surroundings, era.arn);
    const start = run.tick();
    await reader.beginLatest(random);
    this.visits.push({ era, reader, arrived: { start, end: run.tick() } });
    this.#isHere = true;
  }

  /** Iterators are about to expire; nobody writes meanwhile. */
  async leave(random: Random): Promise<void> {
    const visit = this.visits.at(-1);
    if (!this.#isHere || visit === undefined) return;
    const { run, target } = this.#surroundings;
    this.#isHere = false;
    const start = run.tick();
    await visit.reader.finish(random);
    visit.left = { start, end: run.tick(), at: target.clock.now() };
  }
}
