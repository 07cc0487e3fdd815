import type { MaybePromise } from "../../src/base/maybe-promise.ts";
import type { Bytes, KeyRange, ScanOptions, Store } from "../../src/storage/store.ts";
import { Random } from "../random.ts";

export const callKinds = [
  "get",
  "scan",
  "commit",
  "totals",
  "dropTotals",
  "clear",
  "horizon",
] as const;
export type CallKind = (typeof callKinds)[number];
export const reads: readonly CallKind[] = ["get", "scan", "totals", "horizon"];

/** One call of the store, as a plan sees it: both numbers count from 1. */
export interface StoreCall {
  readonly kind: CallKind;
  /** Among the calls of its kind. */
  readonly nth: number;
  /** Among all calls. */
  readonly number: number;
}

export type Fault =
  /** The call fails and nothing has happened; at once, as an embedded store does, or by a rejection. */
  | { readonly do: "fail"; readonly at?: "once" }
  /** The call is carried out, but its answer is lost. */
  | { readonly do: "lose" }
  /** So many turns of the event loop pass before it is carried out, and before it is answered. */
  | { readonly do: "delay"; readonly before?: number; readonly after?: number }
  /** It is carried out when `release` is called. */
  | { readonly do: "hold" }
  /** A `clear` fails half-way; any other call as with `fail`, for a commit is never torn. */
  | { readonly do: "tear" }
  /** The process dies: this call and all that are under way have happened or not, by the seed. */
  | { readonly do: "die" };

/** Answers the fault that a call meets, if any. Must not depend on anything but its own state. */
export type Plan = (call: StoreCall) => Fault | undefined;

/** What a call is answered that met a fault. */
export class InjectedFault extends Error {
  override readonly name = "InjectedFault";
  /** Whether writes were carried out all the same. */
  readonly applied: boolean;

  constructor({ kind, number }: StoreCall, applied: boolean) {
    super(`${kind}, call ${number}, ${applied ? "was applied but not answered" : "failed"}`);
    this.applied = applied;
  }
}

const never = new Promise<never>(() => {});

/**
 * A store around another that fails, delays or dies by a plan, and otherwise answers as the inner one
 * does, at once if that does. Closing it leaves the inner store open: what that holds is what survives.
 */
export class FaultyStore implements Store {
  readonly #inner: Store;
  readonly #plan: Plan;
  readonly #random: Random;
  readonly #counts = new Map<CallKind, number>();
  /** Calls that have been made and not yet carried out. */
  readonly #underWay = new Set<() => Promise<unknown>>();
  readonly #held: (() => void)[] = [];
  #number = 0;
  #dead = false;
  #onDeath: () => void = () => {};
  /** Resolves when the process has died and what was under way has settled. */
  readonly death: Promise<void>;
  /** The faults met so far. */
  readonly met: (StoreCall & { readonly fault: Fault })[] = [];

  constructor(inner: Store, plan: Plan, seed = 1) {
    this.#inner = inner;
    this.#plan = plan;
    this.#random = new Random(seed);
    this.death = new Promise((resolve) => {
      this.#onDeath = resolve;
    });
  }

  get calls(): number {
    return this.#number;
  }

  /** Lets all held calls go on, the last first. */
  release(): void {
    for (const go of this.#held.splice(0).reverse()) go();
  }

  get(keys: readonly Bytes[]): MaybePromise<readonly (Bytes | undefined)[]> {
    return this.#call("get", () => this.#inner.get(keys));
  }

  scan(range: KeyRange, options: ScanOptions): ReturnType<Store["scan"]> {
    return this.#call("scan", () => this.#inner.scan(range, options));
  }

  commit: Store["commit"] = async (readKeys, decide, sharedKeys) =>
    this.#call("commit", () => this.#inner.commit(readKeys, decide, sharedKeys));

  totals(counter: Bytes): ReturnType<Store["totals"]> {
    return this.#call("totals", () => this.#inner.totals(counter));
  }

  async dropTotals(counter: Bytes): Promise<void> {
    return this.#call("dropTotals", () => this.#inner.dropTotals(counter));
  }

  async clear(range: KeyRange): Promise<void> {
    return this.#call(
      "clear",
      () => this.#inner.clear(range),
      () => this.#clearHalf(range),
    );
  }

  horizon(): ReturnType<Store["horizon"]> {
    return this.#call("horizon", () => this.#inner.horizon());
  }

  async close(): Promise<void> {
    if (this.#dead) await never;
  }

  #call<T>(
    kind: CallKind,
    carryOut: () => MaybePromise<T>,
    carryOutHalf?: () => Promise<void>,
  ): MaybePromise<T> {
    if (this.#dead) return never;
    this.#number += 1;
    const nth = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, nth);
    const call: StoreCall = { kind, nth, number: this.#number };
    const fault = this.#plan(call);
    if (fault === undefined) return carryOut();
    this.met.push({ ...call, fault });
    if (fault.do === "fail" && fault.at === "once") throw new InjectedFault(call, false);
    return this.#meet(fault, call, carryOut, carryOutHalf);
  }

  async #meet<T>(
    fault: Fault,
    call: StoreCall,
    carryOut: () => MaybePromise<T>,
    carryOutHalf: (() => Promise<void>) | undefined,
  ): Promise<T> {
    switch (fault.do) {
      case "fail":
        throw new InjectedFault(call, false);
      case "lose":
        await carryOut();
        throw new InjectedFault(call, !reads.includes(call.kind));
      case "tear":
        await carryOutHalf?.();
        throw new InjectedFault(call, false);
      case "delay": {
        const { before = 0, after = 0 } = fault;
        const result = await this.#later(carryOut, carryOutHalf, turns(before));
        await turns(after);
        return this.#dead ? never : result;
      }
      case "hold":
        return this.#later(
          carryOut,
          carryOutHalf,
          new Promise((resolve) => this.#held.push(resolve)),
        );
      case "die":
        this.#underWay.add(this.#fate(carryOut, carryOutHalf));
        await this.#die();
        return never;
    }
  }

  /** Under way until the gate opens; if the process dies first, by then it has happened or not. */
  async #later<T>(
    carryOut: () => MaybePromise<T>,
    carryOutHalf: (() => Promise<void>) | undefined,
    gate: Promise<void>,
  ): Promise<T> {
    const fate = this.#fate(carryOut, carryOutHalf);
    this.#underWay.add(fate);
    await gate;
    if (this.#dead) return never;
    this.#underWay.delete(fate);
    return carryOut();
  }

  #fate(carryOut: () => MaybePromise<unknown>, half: (() => Promise<void>) | undefined) {
    return async (): Promise<void> => {
      if (half !== undefined && this.#random.chance(0.5)) await half();
      else if (this.#random.chance(0.5)) await carryOut();
    };
  }

  async #die(): Promise<void> {
    this.#dead = true;
    // A commit whose decision throws was never to be written.
    for (const fate of this.#underWay) await fate().catch(() => {});
    this.#onDeath();
  }

  /** The lower half of the keys that are there. */
  async #clearHalf(range: KeyRange): Promise<void> {
    const page = await this.#inner.scan(range, {
      limit: Number.MAX_SAFE_INTEGER,
      bytesMax: Number.MAX_SAFE_INTEGER,
    });
    const middle = page.entries[page.entries.length >> 1];
    if (middle !== undefined) await this.#inner.clear({ start: range.start, end: middle.key });
  }
}

/** So many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** One fault, at the nth call of the given kinds. */
export function faultAt(n: number, fault: Fault, kinds: readonly CallKind[] = callKinds): Plan {
  let seen = 0;
  return ({ kind }) => {
    if (!kinds.includes(kind)) return undefined;
    seen += 1;
    return seen === n ? fault : undefined;
  };
}

/** Faults at random, the same for the same seed; each call meets one with the given chance. */
export function randomFaults(seed: number, chance: number, faults: readonly Fault[]): Plan {
  const random = new Random(seed);
  return () => (random.chance(chance) ? random.pick(faults) : undefined);
}
