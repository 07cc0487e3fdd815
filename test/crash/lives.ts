import { plain } from "../../src/api/response-json.ts";
import type { Store } from "../../src/storage/store.ts";
import { workbenchOn } from "../../src/workbench/workbench.ts";
import { type Random, randomOf } from "../random.ts";
import { caller, checkStore } from "./check.ts";
import { Ledger, type Note } from "./ledger.ts";
import { mainStream, StreamCheck } from "./stream-check.ts";
import { createMain } from "./tables.ts";
import { EmbeddedVictim, type Place, runVerify, ServerVictim, type Victim } from "./victim.ts";
import { Writer, type WriterOptions } from "./writer.ts";

const clients = 12;
/** A writer that is told nothing for so long is stuck; no healthy run comes near. */
const stuckMs = 60_000;

export interface Surroundings {
  readonly place: Place;
  readonly seed: number;
  readonly kills: number;
  /** The program of `EmbeddedVictim`. */
  readonly script: string;
  open(): Promise<Store>;
  /** What else dies with the process, or before it; answers whether acknowledged writes may be gone. */
  disaster?(random: Random, kill: () => Promise<void>): Promise<{ readonly lossy: boolean }>;
}

export interface Tally {
  kills: number;
  /** Of processes that were still starting. */
  starting: number;
  embedded: number;
  /** Acknowledged requests, and the items and numbers that they wrote. */
  acknowledged: number;
  writes: number;
  /** Of the stream, as they were read after the kills. */
  records: number;
  /** Requests without an answer when the process died. */
  open: number;
}

/**
 * One store goes through many lives: each writes and ends by SIGKILL, and then all that was acknowledged
 * must be there. Throws at the first problem.
 */
export async function liveAndDie(surroundings: Surroundings): Promise<Tally> {
  const { place, seed, kills } = surroundings;
  const ledger = new Ledger();
  const stream = new StreamCheck();
  const tally: Tally = {
    kills: 0,
    starting: 0,
    embedded: 0,
    acknowledged: 0,
    writes: 0,
    records: 0,
    open: 0,
  };
  const workbench = await workbenchOn(await surroundings.open());
  plain(await workbench.execute("CreateTable", { ...createMain, ...mainStream }, caller));
  await workbench.close();
  for (let life = 0; life < kills; life++) {
    const where = `seed ${seed}, kill ${life + 1}`;
    const random = randomOf(seed, life);
    const lossy = await liveOnce(surroundings, random, life, ledger, tally).catch((error) => {
      throw new Error(`${where}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    });
    tally.kills += 1;
    tally.open += ledger.open().length;
    if (life % 10 === 5) {
      const { code, text } = await runVerify(place);
      if (code !== 0) throw new Error(`${where}: keywright verify ended with ${code}: ${text}`);
    }
    const problems = await checkStore(await surroundings.open(), ledger, { lossy, stream });
    if (problems.length > 0) throw new Error(`${where}:\n${problems.slice(0, 20).join("\n")}`);
  }
  tally.acknowledged = ledger.acknowledged;
  tally.writes = ledger.acknowledgedWrites;
  tally.records = stream.records;
  return tally;
}

async function liveOnce(
  surroundings: Surroundings,
  random: Random,
  life: number,
  ledger: Ledger,
  tally: Tally,
): Promise<boolean> {
  const { place, script } = surroundings;
  const firstId = life * 1_000_000 + 1;
  const seed = random.between(0, 2 ** 31);
  const target = ledger.acknowledged + random.few(500);
  if (random.chance(0.1)) {
    tally.starting += 1;
    return withVictim(new ServerVictim(place, clients), async (victim) => {
      await sleep(random.between(0, 400));
      return end(surroundings, random, victim);
    });
  }
  if (random.chance(0.3)) {
    tally.embedded += 1;
    const options = { server: place, seed, clients, firstId };
    const writer = new EmbeddedVictim(script, options, (note) => ledger.note(note));
    return withVictim(writer, async (victim) => {
      // One at least: without a database it does not start.
      await reach(ledger, target + 1, victim);
      await sleep(random.unit() * 10);
      return end(surroundings, random, victim);
    });
  }
  return withVictim(new ServerVictim(place, clients), async (victim) => {
    await victim.ready();
    const options = { seed, clients, firstId, note: (note: Note) => ledger.note(note) };
    return write(victim, options, async () => {
      await reach(ledger, target, victim);
      await sleep(random.unit() * 10);
      return end(surroundings, random, victim);
    });
  });
}

/** Nothing survives a failure. */
async function withVictim<V extends Victim, T>(
  victim: V,
  work: (victim: V) => Promise<T>,
): Promise<T> {
  try {
    return await work(victim);
  } catch (error) {
    await victim.kill().catch(() => {});
    throw error;
  }
}

/** Death, in the way that these surroundings have; answers whether acknowledged writes may be gone. */
async function end({ disaster }: Surroundings, random: Random, victim: Victim): Promise<boolean> {
  if (disaster !== undefined) return (await disaster(random, () => victim.kill())).lossy;
  await victim.kill();
  return false;
}

/** Keeps the server busy from this process until `meanwhile` has ended. */
async function write<T>(
  victim: ServerVictim,
  options: Pick<WriterOptions, "seed" | "clients" | "firstId" | "note">,
  meanwhile: () => Promise<T>,
): Promise<T> {
  let stopped = false;
  const writer = new Writer({
    ...options,
    send: (operation, body) => victim.send(operation, body),
    stopped: () => stopped,
  });
  const written = writer.run();
  try {
    // A writer ends before it is stopped only by failing.
    return await Promise.race([meanwhile(), written.then(() => Promise.reject())]);
  } finally {
    stopped = true;
    await written.catch(() => {});
  }
}

/** Resolves when so many requests were acknowledged. */
async function reach(ledger: Ledger, target: number, victim: Victim): Promise<void> {
  const began = performance.now();
  while (ledger.acknowledged < target) {
    if (!victim.alive) throw new Error("the process has ended by itself");
    if (performance.now() - began > stuckMs) throw new Error("nothing is acknowledged any more");
    await sleep(1);
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
