import { rmSync } from "node:fs";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { Catalog } from "../../src/engine/catalog.ts";
import { StreamKeeper } from "../../src/engine/stream-keeper.ts";
import { Streams } from "../../src/engine/streams.ts";
import { openLmdbStore } from "../../src/storage/lmdb/lmdb-store.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import type { Durability, Store } from "../../src/storage/store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import { Random } from "../random.ts";
import { Gate } from "./gate.ts";
import type { Answer } from "./oracle.ts";
import { slowStore } from "./slow-store.ts";
import { caller, errorAnswer, type Target, temporaryFolder } from "./target.ts";

/** A target with streams: one front end or several on the same data, each request to any of them. */
export interface StreamsTarget extends Target {
  readonly clock: ManualClock;
  split(table: string, shardId: string): Promise<Answer>;
  /** What is done behind the answers from time to time: shards roll, and what is old goes. */
  keep(): Promise<void>;
}

export interface Place {
  readonly name: string;
  readonly frontEnds: number;
  open(): Promise<Store>;
  dispose(): Promise<void>;
}

interface FrontEnd {
  store: Store;
  workbench: Workbench;
  /** Nobody is inside while it is closed and opened again. */
  readonly gate: Gate;
}

export async function streamsTarget(place: Place, seed: number): Promise<StreamsTarget> {
  const clock = new ManualClock();
  const random = new Random(seed);
  const options = { clock, ...(random.chance(0.3) && { enforceCapacity: { scale: 1e6 } }) };
  const openFrontEnd = async () => {
    const store = await place.open();
    return { store, workbench: await workbenchOn(store, options) };
  };
  const frontEnds: FrontEnd[] = [];
  while (frontEnds.length < place.frontEnds) {
    frontEnds.push({ ...(await openFrontEnd()), gate: new Gate() });
  }
  const ask = async (work: (frontEnd: FrontEnd) => unknown): Promise<Answer> => {
    const frontEnd = random.pick(frontEnds);
    return frontEnd.gate.together(async () => {
      try {
        return { answer: plain<Record<string, unknown>>((await work(frontEnd)) as object) };
      } catch (error) {
        return errorAnswer(error);
      }
    });
  };
  return {
    name: place.name,
    clock,
    send: ({ operation, body }) =>
      ask(({ workbench }) => workbench.execute(operation, structuredClone(body), caller)),
    split: (table, shardId) =>
      ask(async ({ workbench }) => {
        await workbench.splitShard(table, shardId, caller);
        return {};
      }),
    keep: () => {
      const { store, gate } = random.pick(frontEnds);
      return gate.together(() => {
        const catalog = new Catalog(store);
        const streams = new Streams(store, catalog, clock, () => [0]);
        return new StreamKeeper(store, catalog, streams, clock).keep();
      });
    },
    idle: async () => {
      for (const { workbench } of frontEnds) await workbench.idle();
    },
    verify: async () => (await (frontEnds[0] as FrontEnd).workbench.verify()).problems,
    reopen: async () => {
      const frontEnd = random.pick(frontEnds);
      await frontEnd.gate.alone(async () => {
        await frontEnd.workbench.close();
        Object.assign(frontEnd, await openFrontEnd());
      });
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    close: async () => {
      for (const { workbench } of frontEnds) await workbench.close();
      await place.dispose();
    },
  };
}

/** What is in memory stays there when it is closed: it is what a server finds again on a disk. */
export function memoryPlace(): Place {
  const inner = openMemoryStore();
  const open = async (): Promise<Store> => ({
    get: (keys) => inner.get(keys),
    scan: (range, options) => inner.scan(range, options),
    commit: (readKeys, decide) => inner.commit(readKeys, decide),
    totals: (counter) => inner.totals(counter),
    dropTotals: (counter) => inner.dropTotals(counter),
    clear: (range) => inner.clear(range),
    horizon: () => inner.horizon(),
    close: async () => {},
  });
  return { name: "memory", frontEnds: 1, open, dispose: () => inner.close() };
}

export function slowPlace(): Place {
  const inner = openMemoryStore();
  let openings = 0;
  const open = async (): Promise<Store> => {
    openings += 1;
    return slowStore(inner, openings);
  };
  return { name: "slow", frontEnds: 1, open, dispose: () => inner.close() };
}

export function lmdbPlace(durability: Durability): Place {
  const path = temporaryFolder();
  return {
    name: `lmdb-${durability}`,
    frontEnds: 1,
    open: async () => openLmdbStore({ path, durability }),
    dispose: async () => rmSync(path, { recursive: true, force: true }),
  };
}
