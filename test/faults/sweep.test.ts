import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { long, seedsOf, timeout } from "../simulation/settings.ts";
import {
  type CallKind,
  callKinds,
  type Fault,
  faultAt,
  type Plan,
  randomFaults,
  reads,
} from "../storage/faulty-store.ts";
import { runScenario, type Scenario, type Start, startOf } from "./run.ts";
import { scenarios } from "./scenarios.ts";
import { emptyWorld } from "./world.ts";

/** Ways to fail at the nth call, one after the other until there is no nth call. */
interface Mode {
  readonly name: string;
  readonly plan: (n: number) => Plan;
}

/** A read that begins late is a late request, no more. */
const writes = callKinds.filter((kind) => !reads.includes(kind));
const single = (name: string, fault: Fault, kinds = callKinds as readonly CallKind[]): Mode => ({
  name,
  plan: (n) => faultAt(n, fault, kinds),
});

const modes: readonly Mode[] = [
  single("fails", { do: "fail" }),
  single("throws", { do: "fail", at: "once" }, reads),
  single("is carried out, but its answer is lost", { do: "lose" }),
  single("begins late", { do: "delay", before: 40 }, writes),
  single("is answered late", { do: "delay", after: 40 }),
  single("stops half-way", { do: "tear" }, ["clear"]),
  single("is the last before the process dies", { do: "die" }),
  {
    name: "is the last of several under way when the process dies",
    plan: (n) => {
      const death = faultAt(n, { do: "die" });
      return (call) => death(call) ?? { do: "delay", before: 3 };
    },
  },
];

const anyFault: readonly Fault[] = [
  { do: "fail" },
  { do: "fail", at: "once" },
  { do: "lose" },
  { do: "lose" },
  { do: "tear" },
  { do: "delay", before: 2, after: 2 },
  { do: "delay", before: 30 },
  { do: "delay", after: 30 },
  { do: "die" },
];

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));
beforeEach(() => void unhandled.splice(0));

async function sweep(scenario: Scenario, start: Start, { plan }: Mode): Promise<number> {
  for (let n = 1; ; n += 1) {
    // Another seed for another place, so that what is under way at a death meets different fates.
    const store = await runScenario(scenario, start, plan(n), n).catch((error: unknown) => {
      throw new Error(`with the fault at call ${n}: ${(error as Error).message}`, { cause: error });
    });
    expect(unhandled, `unhandled with the fault at call ${n}`).toEqual([]);
    const fired = store.met.some(({ fault }) => fault.do !== "delay" || fault.before !== 3);
    if (!fired) return n - 1;
  }
}

describe.each(scenarios)("$name", (scenario) => {
  let start: Start;
  beforeAll(async () => {
    start = await startOf(scenario, emptyWorld);
  });

  test.for(modes)("whichever call $name", async (mode) => {
    const places = await sweep(scenario, start, mode);
    if (mode.name !== "stops half-way") expect(places).toBeGreaterThan(4);
  });

  test("many calls fail at random", { timeout }, async () => {
    for (const seed of seedsOf(long ? 2_000 : 6)) {
      // Rarely enough that what is tried again a few times succeeds.
      const plan = randomFaults(seed, 0.06, anyFault);
      await runScenario(scenario, start, plan, seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      });
      expect(unhandled, `unhandled with seed ${seed}`).toEqual([]);
    }
  });
});
