import { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { EntityValues } from "../values/render-key.ts";
import type { Job } from "./attempt.ts";
import { storable } from "./hosted.ts";
import { loading } from "./loading.ts";
import type { State } from "./oracle/state.ts";
import { type Simpler, simplerValues } from "./simpler.ts";
import { storedFor } from "./store.ts";
import { type Inputs, Trial } from "./trial.ts";
import type { Failure, World } from "./world.ts";

/** What is needed to see a failure again: what there was, what was handed in, and what was done. */
export interface Replay {
  readonly state: State;
  readonly inputs: Inputs;
  readonly run: (trial: Trial, inputs: Inputs) => Promise<Failure | undefined>;
}

/** So often a smaller example is tried. */
const triesMax = 400;

/** The smallest example that can be found with the same failure: the fewest entities, attributes and values. */
export async function smallest(job: Job, replay: Replay, failure: Failure): Promise<Failure> {
  return new Shrinking(job, replay, failure).smallest();
}

type One = readonly [entity: string, values: EntityValues];

interface Example {
  readonly ones: readonly One[];
  readonly inputs: Inputs;
}

class Shrinking {
  private readonly job: Job;
  private readonly replay: Replay;
  private failure: Failure;
  private example: Example;
  private tries = 0;

  constructor(job: Job, replay: Replay, failure: Failure) {
    this.job = job;
    this.replay = replay;
    this.failure = failure;
    const ones = [...replay.state].flatMap(([name, list]) =>
      list.map((values): One => [name, values]),
    );
    this.example = { ones, inputs: replay.inputs };
  }

  async smallest(): Promise<Failure> {
    // What depends on all that was done before cannot be made smaller.
    if (!(await this.keeps(this.example))) return this.failure;
    await this.fewerEntities();
    await this.fewerParameters();
    await this.fewerAttributes();
    await this.simplerValues();
    return { ...this.failure, stored: this.stored() };
  }

  /** Takes a smaller example, if the failure is still there. */
  private async keeps(example: Example): Promise<boolean> {
    if (this.tries >= triesMax) return false;
    this.tries += 1;
    const failure = await this.tryOut(example);
    if (failure === undefined || kindOf(failure) !== kindOf(this.failure)) return false;
    this.example = example;
    this.failure = failure;
    return true;
  }

  private async tryOut({ ones, inputs }: Example): Promise<Failure | undefined> {
    const { facts, right, tables, folded, now, worlds, seed, caller } = this.job;
    const design = { facts, right, tables, folded, now };
    const state = stateOf(ones, this.replay.state);
    if (countOf(storable(right, state)) < ones.length) return undefined;
    let world: World | undefined;
    try {
      world = await worlds.open(design, state);
      const trial = new Trial(design, world, state, random(seed), caller);
      return await this.replay.run(trial, inputs);
    } catch {
      // Something that is needed is not there any more.
      return undefined;
    } finally {
      await world?.close();
    }
  }

  /** Takes away halves, then quarters, and so on down to single ones. */
  private async fewerEntities(): Promise<void> {
    let size = Math.ceil(this.example.ones.length / 2);
    while (size >= 1) {
      let hasShrunk = false;
      for (let at = 0; at < this.example.ones.length; ) {
        const { ones, inputs } = this.example;
        const fewer = [...ones.slice(0, at), ...ones.slice(at + size)];
        if (await this.keeps({ ones: fewer, inputs })) hasShrunk = true;
        else at += size;
      }
      if (size === 1 && !hasShrunk) return;
      size = size === 1 ? 1 : Math.ceil(size / 2);
      if (this.tries >= triesMax) return;
    }
  }

  private async fewerParameters(): Promise<void> {
    for (const [name, values] of this.example.inputs.parameters) {
      for (let left = values; left.length > 1; ) {
        const fewer = left.slice(0, -1);
        const { ones, inputs } = this.example;
        const parameters = new Map(inputs.parameters).set(name, fewer);
        if (!(await this.keeps({ ones, inputs: { ...inputs, parameters } }))) break;
        left = fewer;
      }
    }
  }

  private async fewerAttributes(): Promise<void> {
    for (const [i, [entity, values]] of this.example.ones.entries()) {
      const described = this.job.facts.model.entities.get(entity);
      for (const name of values.keys()) {
        const isOptional = described?.attributes.get(name)?.isOptional === true;
        const [, now] = this.example.ones[i] as One;
        if (!isOptional || described?.id.includes(name) || !now.has(name)) continue;
        const less = new Map([...now].filter(([one]) => one !== name));
        const { ones, inputs } = this.example;
        await this.keeps({ ones: ones.with(i, [entity, less]), inputs });
      }
    }
  }

  /** A value is replaced wherever it is, so that what belongs together still does. */
  private async simplerValues(): Promise<void> {
    const { model } = this.job.facts;
    for (const { from, to } of simplerValues(model, this.example.ones, this.example.inputs)) {
      await this.keeps(replaced(this.example, { from, to }));
    }
  }

  private stored(): Failure["stored"] {
    const { facts, tables, now } = this.job;
    const state = stateOf(this.example.ones, this.replay.state);
    const stored = storedFor(facts, state, tables, loading(now));
    return [...stored].flatMap(([table, items]) =>
      [...items.values()].map((item) => ({ table, item })),
    );
  }
}

const random = (seed: number): SeededRandom => new SeededRandom(seed, 7);

/** Failures that differ only in numbers are the same. */
function kindOf({ what }: Failure): string {
  return what.replace(/[0-9]+/g, "#");
}

function countOf(state: State): number {
  return [...state.values()].reduce((sum, list) => sum + list.length, 0);
}

function stateOf(ones: readonly One[], whole: State): State {
  const state = new Map([...whole.keys()].map((name): [string, EntityValues[]] => [name, []]));
  for (const [name, values] of ones) state.get(name)?.push(values);
  return state;
}

function replaced({ ones, inputs }: Example, { from, to }: Simpler): Example {
  const text = JSON.stringify(from);
  const value = (one: AttributeValue): AttributeValue => (JSON.stringify(one) === text ? to : one);
  const values = (all: EntityValues): EntityValues =>
    new Map([...all].map(([name, one]) => [name, value(one)]));
  return {
    ones: ones.map(([entity, all]) => [entity, values(all)]),
    inputs: {
      parameters: new Map([...inputs.parameters].map(([name, all]) => [name, all.map(value)])),
      items: new Map([...inputs.items].map(([name, list]) => [name, list.map(values)])),
    },
  };
}
