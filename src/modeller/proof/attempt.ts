import { SeededRandom } from "../../base/random.ts";
import type { Facts } from "../facts.ts";
import type { Plan } from "../plans/plan.ts";
import type { EntityValues } from "../values/render-key.ts";
import { Expectations } from "./expectations.ts";
import { findable } from "./findable.ts";
import type { Focus } from "./focus.ts";
import type { Folded } from "./folding.ts";
import type { LoadedWorlds } from "./loaded-worlds.ts";
import { stillAt } from "./loading.ts";
import { Measured } from "./measured.ts";
import type { Caller } from "./mutants/mutant.ts";
import type { State } from "./oracle/state.ts";
import type { Replay } from "./shrink.ts";
import { type Inputs, Trial, type WriteTrial } from "./trial.ts";
import { WitnessContext } from "./witnesses/context.ts";
import type { Witness } from "./witnesses/witness.ts";
import { type WriteCase, writeCases } from "./witnesses/write-cases.ts";
import type { Failure, World } from "./world.ts";
import { inputsFor, refusedAims } from "./write-inputs.ts";

/** One pattern that is to be tried on tables of its own. */
export interface Job {
  /** The design that data is stored by. */
  readonly facts: Facts;
  /** The design as it should be: what is expected follows from it alone. */
  readonly right: Facts;
  readonly plan: Plan;
  /** Reads of what the pattern writes. */
  readonly near: readonly Plan[];
  readonly focus: Focus;
  readonly tables: ReadonlySet<string>;
  /** Opens the tables that the pattern is tried on. */
  readonly worlds: LoadedWorlds;
  readonly seed: number;
  readonly now: number;
  readonly folded: Folded;
  readonly caller: Partial<Caller>;
  readonly script: Script;
}

/** What a pattern is tried with, drawn while the original runs and repeated for each of its mutants. */
export class Script {
  readonly steps: Step[] = [];
  readonly expectations = new Expectations();
  /** Small states and inputs of a write, which are tried first; none of a read. */
  cases: readonly WriteCase[] | undefined;
  /** The original has run all steps without a failure. */
  isComplete = false;
}

/** One run of a pattern. */
type Step = { readonly inputs: Inputs } & (
  | { readonly kind: "read"; readonly pageSize: number | undefined }
  | { readonly kind: "write"; readonly how: WriteTrial }
);

export interface Outcome {
  readonly failure: Failure | undefined;
  /** How the failure can be seen again. */
  readonly replay: Replay | undefined;
  readonly measured: Measured;
  /** How often a plan ran; 0 if no parameters or items could be drawn. */
  readonly runs: number;
  /** How many writes came through. */
  readonly accepted: number;
}

/** A failure, and how it is seen again. */
export interface Found {
  readonly failure: Failure;
  readonly replay: Replay;
}

const roundsPerGroup = 3;
const otherRounds = 3;
const writeRounds = 6;
const clients = 8;

/** Tries a pattern with different inputs until one of them shows a mistake. */
export async function attempt(job: Job): Promise<Outcome> {
  const { facts, right, worlds, tables, focus, seed, now, folded, caller, script } = job;
  const design = { facts, right, tables, folded, now };
  const cases = await tryCases(job);
  if (cases.found !== undefined) {
    const { failure, replay } = cases.found;
    return { failure, replay, measured: new Measured(), runs: 1, accepted: cases.accepted };
  }
  const world = await worlds.open(design, focus.state);
  try {
    const random = new SeededRandom(seed, 3);
    const trial = new Trial(design, world, focus.state, random, caller, script.expectations);
    const found = (await tryStored(trial, job)) ?? (await trySteps(trial, job, random));
    const { measured } = trial;
    const runs = cases.runs + trial.runs;
    const accepted = cases.accepted + trial.accepted;
    return { failure: found?.failure, replay: found?.replay, measured, runs, accepted };
  } finally {
    await world.close();
  }
}

/** Tries each case of a write on tables that have nothing else in them. */
async function tryCases(
  job: Job,
): Promise<Pick<Outcome, "runs" | "accepted"> & { readonly found: Found | undefined }> {
  const { facts, right, plan, worlds, tables, seed, now, folded, caller, script } = job;
  if (plan.pattern.kind === "read") return { found: undefined, runs: 0, accepted: 0 };
  script.cases ??= writeCases(new WitnessContext(job));
  const design = { facts, right, tables, folded, now };
  let [runs, accepted] = [0, 0];
  for (const { state, inputs } of script.cases) {
    const world = await worlds.open(design, state, { isSmall: true });
    try {
      const random = new SeededRandom(seed, 13);
      const trial = new Trial(design, world, state, random, caller, script.expectations);
      const found = await attemptOne(trial, inputs, (one, given) =>
        one.write(plan, [], given, { times: 1, clients: 1 }),
      );
      runs += trial.runs;
      accepted += trial.accepted;
      if (found !== undefined) return { found, runs, accepted };
    } finally {
      await world.close();
    }
  }
  return { found: undefined, runs, accepted };
}

async function trySteps(trial: Trial, job: Job, random: SeededRandom): Promise<Found | undefined> {
  const { script } = job;
  for (const step of script.isComplete ? script.steps : drawSteps(trial, job, random)) {
    if (!script.isComplete) script.steps.push(step);
    const found = await attemptOne(trial, step.inputs, runOf(step, job));
    if (found !== undefined) return found;
  }
  script.isComplete = true;
  return undefined;
}

function runOf(step: Step, { plan, near }: Job): Replay["run"] {
  if (step.kind === "read") return (one, given) => one.read(plan, given, step.pageSize);
  return (one, given) => one.write(plan, near, given, step.how);
}

/** Draws one step after the other: what a write is tried with depends on the state that the writes before it leave. */
function drawSteps(trial: Trial, job: Job, random: SeededRandom): Generator<Step> {
  return job.plan.pattern.kind === "read"
    ? drawReads(trial, job, random)
    : drawWrites(trial, job, random);
}

/** Runs a witness on a design, with the service's pages and with small ones. */
export async function attemptWitness(
  { facts, right, plan, near, worlds, tables, seed, now, folded, caller }: Job,
  witness: Witness,
): Promise<Found | undefined> {
  const design = { facts, right, tables, folded, now };
  const isRace = witness.kind === "race";
  const openRaced = (state: State): Promise<World> =>
    worlds.open(design, state, { isOnce: true, isSmall: true, writing: stillAt(now) });
  const world = await (isRace
    ? openRaced(witness.state)
    : worlds.open(design, witness.state, { isOnce: true }));
  try {
    const trial = new Trial(design, world, witness.state, new SeededRandom(seed, 13), caller);
    if (isRace) {
      return await attemptOne(trial, witness.inputs, (one, given) =>
        one.race(plan, given, witness.changed, () => openRaced(witness.changed)),
      );
    }
    if (witness.kind === "write") {
      return await attemptOne(trial, witness.inputs, (one, given) =>
        one.write(plan, near, given, { times: 1, clients: 1 }),
      );
    }
    const { chosen, parameters } = witness;
    const drawn = trial.readInputs(plan, chosen, [chosen]);
    if (drawn === undefined) return undefined;
    const inputs = { ...drawn, parameters: new Map([...drawn.parameters, ...parameters]) };
    for (const pageSize of [undefined, 1]) {
      const found = await attemptOne(trial, inputs, (one, given) =>
        one.read(plan, given, pageSize),
      );
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    await world.close();
  }
}

/** Does something, and keeps how it is done again if it fails. */
async function attemptOne(
  trial: Trial,
  inputs: Inputs,
  run: Replay["run"],
): Promise<Found | undefined> {
  const { state } = trial;
  const failure = await run(trial, inputs);
  return failure && { failure, replay: { state, inputs, run } };
}

/** What is loaded for the original is stored as it should be, or its proof would have failed. */
async function tryStored(
  trial: Trial,
  { plan, focus, script, facts, right }: Job,
): Promise<Found | undefined> {
  if (plan.pattern.kind === "read" || (script.isComplete && facts === right)) return undefined;
  const nothing = { parameters: new Map(), items: new Map() };
  return attemptOne(trial, nothing, (one) => one.isStored(focus.watched));
}

function* drawReads(trial: Trial, { plan, focus }: Job, random: SeededRandom): Generator<Step> {
  const name = plan.pattern.actions[0]?.entity ?? "";
  const there = focus.state.get(name) ?? [];
  const found = findable(plan, there);
  // A sparse index may have none: then nothing is found, whatever is asked.
  const all = found.length > 0 ? found : there;
  const pick = <T>(list: readonly T[]): T | undefined => list[random.below(list.length)];
  const draws: (readonly [EntityValues | undefined, readonly EntityValues[]])[] = [];
  for (const group of focus.groups) {
    draws.push([group[0], group]);
    for (let round = 1; round < roundsPerGroup; round += 1) draws.push([pick(group), group]);
  }
  for (let round = 0; round < otherRounds; round += 1) draws.push([pick(all), all]);
  for (const [i, [chosen, among]] of draws.entries()) {
    if (chosen === undefined) continue;
    const inputs = trial.readInputs(plan, chosen, among);
    if (inputs === undefined) continue;
    // The last is asked about something that is not there: a part of one entity, and a part of another one.
    const asked = i === draws.length - 1 ? mixed(plan, inputs, chosen, pick(all)) : inputs;
    for (const pageSize of [undefined, 2]) yield { kind: "read", inputs: asked, pageSize };
  }
}

/** The last of several parameters is another entity's, and bounds are at the very edge. */
function mixed(
  { pattern }: Plan,
  inputs: Inputs,
  chosen: EntityValues,
  other: EntityValues | undefined,
): Inputs {
  const parameters = new Map(inputs.parameters);
  const where = pattern.actions[0]?.where ?? [];
  const tell = (predicate: (typeof where)[number] | undefined, from?: EntityValues): void => {
    const [operand] = predicate?.operands ?? [];
    const value = predicate && from?.get(predicate.attribute);
    if (operand?.kind === "parameter" && value !== undefined) {
      parameters.set(operand.name, [value]);
    }
  };
  const equal = where.filter(({ operator }) => operator === "equals");
  if (equal.length > 1) tell(equal.at(-1), other);
  for (const one of where) {
    if (one.operator === "greater" || one.operator === "less") tell(one, chosen);
  }
  return { ...inputs, parameters };
}

function* drawWrites(trial: Trial, { right, plan }: Job, random: SeededRandom): Generator<Step> {
  const step = (
    inputs: Inputs | undefined,
    how: WriteTrial = { times: 1, clients: 1 },
  ): readonly Step[] => (inputs === undefined ? [] : [{ kind: "write", inputs, how }]);
  const fitting = (part = -1) =>
    inputsFor(right, plan.pattern, trial.state, random, "fitting", { part });
  // Something new differs from what there is in one part of its id, in each part a few times.
  const parts = Math.max(...plan.pattern.actions.map((one) => idParts(right, one.entity)));
  for (let round = 0; round < writeRounds + 3 * (parts - 1); round += 1) {
    yield* step(fitting(round % (parts + 1)));
  }
  for (const inputs of refusedInputs(trial, right, plan, random)) yield* step(inputs);
  yield* step(fitting(), { times: 2, clients: 1 });
  yield* step(fitting(), { times: 1, clients });
}

/** What has to be refused: for each aim inputs are looked for until the oracle says so. */
function* refusedInputs(
  trial: Trial,
  right: Facts,
  plan: Plan,
  random: SeededRandom,
): Generator<Inputs> {
  for (const aim of refusedAims) {
    for (let draw = 0, found = 0; draw < 20 && found < 6; draw += 1) {
      const given = inputsFor(right, plan.pattern, trial.state, random, aim);
      if (given === undefined || trial.effect(plan, given).kind !== "refused") continue;
      found += 1;
      yield given;
    }
  }
}

function idParts({ model }: Facts, entity: string): number {
  return model.entities.get(entity)?.id.length ?? 1;
}
