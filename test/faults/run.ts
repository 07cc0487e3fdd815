import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { counterName } from "../../src/engine/layout.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import type { Store, Write } from "../../src/storage/store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";
import { FaultyStore, InjectedFault, type Plan, turns } from "../storage/faulty-store.ts";
import { type Event, worldsAfter } from "./history.ts";
import { idsGiven, leftoversOf, shownBy } from "./inspect.ts";
import type { Answer, Step } from "./steps.ts";
import { hour, picture, swept, textOf, type World } from "./world.ts";

/**
 * Steps one after the other, or lanes of steps at once, or a wait for the jobs, or an hour in which what has
 * expired is deleted.
 */
export type Part = Step | readonly (readonly Step[])[] | "settle" | "an hour";

export interface Scenario {
  readonly name: string;
  /** Run without faults, once for all runs. */
  readonly before: readonly Part[];
  readonly script: readonly Part[];
  /** Run without faults, after the store was opened again. */
  readonly after: readonly Step[];
}

const caller = { account: "000000000000", region: "us-east-1" };
const attemptsMax = 6;
/** Nothing here waits for a clock or a disk: what takes so many turns of the event loop hangs. */
const patience = 20_000;
const everything = { limit: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER };

/** What a scenario begins with. */
export interface Start {
  readonly writes: readonly Write[];
  readonly world: World;
}

export async function startOf(scenario: Scenario, empty: World): Promise<Start> {
  const store = openMemoryStore();
  const clock = clockAt(empty);
  const process_ = new Process(new FaultyStore(store, () => undefined), clock, [empty]);
  await process_.open();
  for (const part of scenario.before) await process_.run(part);
  await process_.workbench.idle();
  const { entries } = await store.scan(
    { start: Buffer.from([0]), end: Buffer.from([255]) },
    everything,
  );
  const writes: Write[] = entries.map(({ key, value }) => ({ kind: "put", key, value }));
  for (const id of await idsGiven(store)) {
    writes.push({
      kind: "add",
      counter: counterName(id),
      ...(await store.totals(counterName(id))),
    });
  }
  return { writes, world: process_.onlyWorld() };
}

/** Runs the scenario under the plan; throws if anything is not as promised. */
export async function runScenario(
  scenario: Scenario,
  start: Start,
  plan: Plan,
  seed: number,
): Promise<FaultyStore> {
  const inner = openMemoryStore();
  await inner.commit([], () => ({ writes: start.writes, result: undefined }));
  const store = new FaultyStore(inner, plan, seed);
  const clock = clockAt(start.world);
  const first = new Process(store, clock, [start.world]);
  await first.open();
  for (const part of scenario.script) await first.run(part);
  await first.close();

  const second = new Process(new FaultyStore(inner, () => undefined), clock, first.worlds);
  await second.open();
  await second.compare(inner);
  for (const step of scenario.after) await second.run(step);
  await second.compare(inner);
  const { problems } = await second.workbench.verify();
  if (problems.length > 0) throw new Error(`verify finds: ${problems.join(" ")}`);
  await second.close();
  return store;
}

const clockAt = ({ now }: World): ManualClock => new ManualClock(now * 1_000);

/** One process of the database on a store, until it ends or dies, and what its clients know. */
class Process {
  readonly #store: FaultyStore;
  readonly #clock: ManualClock;
  #workbench: Workbench | undefined;
  #dead = false;
  #unsettled = false;
  worlds: readonly World[];

  constructor(store: FaultyStore, clock: ManualClock, worlds: readonly World[]) {
    this.#store = store;
    this.#clock = clock;
    this.worlds = worlds;
    void store.death.then(() => {
      this.#dead = true;
    });
  }

  get workbench(): Workbench {
    if (this.#workbench === undefined) throw new Error("the workbench is not open");
    return this.#workbench;
  }

  onlyWorld(): World {
    const [world] = this.worlds;
    if (world === undefined || this.worlds.length > 1) throw new Error("several worlds are left");
    return world;
  }

  /** A start that fails is tried again, as its user would. */
  async open(): Promise<void> {
    for (let attempt = 1; this.#workbench === undefined && !this.#dead; attempt += 1) {
      try {
        this.#workbench = await this.#orDeath(
          "opening",
          workbenchOn(this.#store, { clock: this.#clock }),
        );
      } catch (error) {
        if (!(error instanceof InjectedFault) || attempt === attemptsMax) throw error;
      }
    }
  }

  async run(part: Part): Promise<void> {
    if (this.#dead) return;
    if (part === "settle") return this.#settle();
    if (part === "an hour") return this.#passHour();
    const lanes = Array.isArray(part) ? (part as readonly (readonly Step[])[]) : [[part as Step]];
    const events = await Promise.all(lanes.map((lane) => this.#runLane(lane)));
    const after = worldsAfter(this.worlds, events);
    if (after.length === 0) throw new Error(unexplained(events, this.worlds));
    this.worlds = after;
  }

  async #runLane(lane: readonly Step[]): Promise<Event[]> {
    const events: Event[] = [];
    for (const step of lane) {
      for (let attempt = 1; attempt <= attemptsMax && !this.#dead; attempt += 1) {
        if (step.makesIndex === true) this.#unsettled = true;
        const told = await this.#ask(step);
        events.push({ step, told, unsettled: this.#unsettled });
        const failed = told !== undefined && "error" in told && told.error instanceof InjectedFault;
        if (!failed || step.again !== true) break;
      }
    }
    return events;
  }

  async #ask({ operation, request }: Step): Promise<Event["told"]> {
    try {
      const answer = await this.#orDeath(
        operation,
        (async () => this.workbench.execute(operation, request, caller))(),
      );
      return answer === undefined ? undefined : { answer: plain<Answer>(answer) };
    } catch (error) {
      return { error };
    }
  }

  async #passHour(): Promise<void> {
    this.#clock.advance(hour * 1_000);
    // If the process dies of it, the next one does what is left to do.
    this.worlds = this.worlds.map((world) => swept({ ...world, now: world.now + hour }));
    do await this.#settle();
    while (this.#unsettled && !this.#dead);
  }

  /** Waits for the jobs, which after a failure are taken up again. */
  async #settle(): Promise<void> {
    this.#unsettled = true;
    for (let attempt = 1; attempt <= attemptsMax && !this.#dead; attempt += 1) {
      try {
        await this.#orDeath("settling", this.workbench.idle());
        this.#unsettled = false;
        return;
      } catch (error) {
        if (!(error instanceof InjectedFault)) throw error;
      }
    }
  }

  /** What the promise answers; undefined if the process dies first. */
  async #orDeath<T>(what: string, promise: Promise<T>): Promise<T | undefined> {
    let waiting = true;
    const impatience = (async () => {
      for (let turn = 0; waiting && turn < patience; turn += 1) await turns(1);
      if (waiting) throw new Error(`${what} is never answered`);
      return undefined;
    })();
    try {
      return await Promise.race([promise, this.#store.death.then(() => undefined), impatience]);
    } finally {
      waiting = false;
    }
  }

  async close(): Promise<void> {
    await this.#settle();
    if (!this.#dead) await this.#orDeath("closing", this.workbench.close());
  }

  /** Nothing is left over in the store, and what it shows is one of the possible worlds. */
  async compare(inner: Store): Promise<void> {
    await this.workbench.idle();
    this.worlds = this.worlds.map(swept);
    const leftovers = await leftoversOf(inner);
    if (leftovers.length > 0) throw new Error(`left over: ${leftovers.join(", ")}`);
    const ask = async (operation: string, request: object) =>
      plain<Answer>(await this.workbench.execute(operation, request, caller));
    const shown = JSON.stringify(await shownBy(ask));
    const fitting = this.worlds.filter((world) => JSON.stringify(picture(world)) === shown);
    if (fitting.length === 0) {
      const wanted = this.worlds.map(textOf).join("\n or ");
      throw new Error(`the database shows\n    ${shown}\n but it should show\n    ${wanted}`);
    }
    this.worlds = fitting;
  }
}

/** What no order of the events explains. */
function unexplained(lanes: readonly (readonly Event[])[], worlds: readonly World[]): string {
  const told = lanes.flat().map(({ step, told: answer }) => {
    const request = `${step.operation} ${JSON.stringify(step.request)}`;
    if (answer === undefined) return `${request}: no answer`;
    if ("answer" in answer) return `${request}: ${JSON.stringify(answer.answer)}`;
    const { error } = answer;
    return `${request}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  });
  return ["nothing explains", ...told, "on", ...worlds.map(textOf)].join("\n    ");
}
