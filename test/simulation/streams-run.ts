import { Random } from "../random.ts";
import type { Client } from "./concurrent.ts";
import { Administrator } from "./streams-administrator.ts";
import { dayMs } from "./streams-changes.ts";
import { checkStream, checkTransactions } from "./streams-check.ts";
import { Consumer, partOf, Visitors } from "./streams-consumers.ts";
import { ContendedWriter } from "./streams-contended-writer.ts";
import { SerialWriter } from "./streams-serial-writer.ts";
import { Surroundings } from "./streams-surroundings.ts";
import { type Place, streamsTarget } from "./streams-target.ts";

const writersEach = 4;

export interface StreamsOutcome {
  readonly operations: number;
  readonly changes: number;
  readonly streams: number;
  readonly shards: number;
  /** Consumers that have begun with what came then. */
  readonly visits: number;
  /** Read by the consumer that was there all along, and by the one that came at the end. */
  readonly records: readonly [number, number];
  readonly problems: readonly string[];
}

/**
 * Writers, an administrator and a consumer at the same time; `steps` of each writer. Then another
 * consumer reads all that is left, and what both have seen is held against what was acknowledged.
 */
export async function simulateStreams(
  place: Place,
  seed: number,
  steps: number,
): Promise<StreamsOutcome> {
  const target = await streamsTarget(place, seed);
  try {
    const surroundings = new Surroundings(target);
    const { run, changes } = surroundings;
    const random = (n: number) => new Random(seed * 1_000 + n);
    const serial = Array.from({ length: writersEach }, (_, n) => new SerialWriter(surroundings, n));
    const writers: Client[] = [
      ...serial,
      ...Array.from({ length: writersEach }, (_, n) => new ContendedWriter(surroundings, n)),
    ];
    const consumer = new Consumer(surroundings);
    const visitors = new Visitors(surroundings);
    const quiet = random(7);
    const administrator = new Administrator(surroundings, random(0).chance(0.4), {
      remade: (table) => {
        for (const writer of serial) writer.forget(table);
      },
      catchUp: () => consumer.catchUp(quiet),
      leave: () => visitors.leave(quiet),
    });
    await administrator.prepare(random(1));
    let writing = writers.length;
    const write = async (writer: Client, own: Random): Promise<void> => {
      for (let step = 0; step < steps && run.problems.length === 0; step += 1) {
        await writer.step(own);
        // Lets others in between, also where a store answers at once.
        if (own.chance(0.5)) await turn();
      }
      writing -= 1;
    };
    const administer = async (own: Random): Promise<void> => {
      while (writing > 0) {
        const next = run.operations + own.few(25);
        while (writing > 0 && run.operations < next) await turn();
        await administrator.step(own);
      }
    };
    const consume = async (reading: Client, own: Random): Promise<void> => {
      while (writing > 0) {
        await reading.step(own);
        await turn();
      }
    };
    await Promise.all([
      ...writers.map((writer, n) => write(writer, random(100 + n))),
      administer(random(2)),
      consume(consumer, random(3)),
      consume(visitors, random(8)),
    ]);
    if (random(4).chance(0.5)) await target.reopen();
    await visitors.leave(quiet);
    const late = new Consumer(surroundings);
    await consumer.catchUp(random(5));
    await late.catchUp(random(6));
    const count = { shards: 0, records: [0, 0] as [number, number] };
    const goneAt = target.clock.now() - dayMs;
    const views = [
      { who: "all along", readers: consumer.readers, goneAt: 0 },
      { who: "at the end", readers: late.readers, goneAt },
    ];
    for (const era of changes.eras) {
      for (const [i, { who, readers, goneAt }] of views.entries()) {
        const reader = readers.get(era.arn);
        if (reader === undefined && !(era.off !== undefined && era.off.at <= goneAt)) {
          run.problem(`${who}, ${era.arn} is not listed`);
        }
        const view = { changes, era, reader, goneAt };
        const problem = (text: string) => run.problem(`${who}, ${text}`);
        checkTransactions({ ...view, problem }, checkStream({ ...view, problem }));
        const shards = [...(reader?.shards.values() ?? [])];
        count.records[i as 0 | 1] += shards.reduce((sum, { records }) => sum + records.length, 0);
        if (i === 0) count.shards += shards.length;
      }
    }
    for (const visit of visitors.visits) {
      const { reader } = visit;
      const problem = (text: string) => run.problem(`for a while, ${text}`);
      checkStream({ changes, era: partOf(visit), reader, goneAt: 0, problem });
    }
    return {
      operations: run.operations,
      changes: changes.count,
      streams: changes.eras.length,
      visits: visitors.visits.length,
      ...count,
      problems: [...run.problems, ...(await target.verify())],
    };
  } finally {
    await target.close();
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
