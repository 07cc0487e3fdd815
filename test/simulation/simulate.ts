import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../random.ts";
import { Generator } from "./generate.ts";
import { Divergence, History } from "./history.ts";
import { tables } from "./schemas.ts";
import type { Step } from "./steps.ts";
import type { Target } from "./target.ts";

export interface Outcome {
  readonly operations: number;
}

/** Draws and checks a history of so many steps. A failure says how to see it again. */
export async function simulate(
  open: () => Promise<Target>,
  seed: number,
  steps: number,
): Promise<Outcome> {
  const target = await open();
  const history = new History(target);
  const generator = new Generator(new Random(seed), history.oracle);
  try {
    for (const spec of tables) await history.take({ step: "createTable", spec });
    for (let step = 0; step < steps; step += 1) await history.take(generator.next());
    await history.finish();
    return { operations: history.operations };
  } catch (error) {
    throw new Error(await explained(error, history.steps, open, target.name, seed, steps));
  } finally {
    await target.close();
  }
}

async function explained(
  error: unknown,
  history: readonly Step[],
  open: () => Promise<Target>,
  name: string,
  seed: number,
  steps: number,
): Promise<string> {
  const again = `KEYWRIGHT_SEED=${seed} KEYWRIGHT_STEPS=${steps} npx vitest run test/simulation -t ${name}`;
  const text = error instanceof Divergence ? error.message : String((error as Error).stack);
  const shorter = await shortened(history, open, shapeOf(error));
  const file = join(tmpdir(), `keywright-simulation-${seed}.json`);
  writeFileSync(file, JSON.stringify(shorter));
  return `seed ${seed} on ${name} fails; again with: ${again}\n${text}\nA history of ${shorter.length} steps that still fails is in ${file}`;
}

/** What two failures of one cause have in common. */
const shapeOf = (error: unknown): string =>
  error instanceof Divergence ? error.shape : (error as Error).message;

/** True if the steps fail as the whole history did. */
async function fails(
  steps: readonly Step[],
  open: () => Promise<Target>,
  shape: string,
): Promise<boolean> {
  const target = await open();
  try {
    const history = new History(target);
    for (const step of steps) await history.take(step);
    if (shape.startsWith("verify")) await history.finish();
    return false;
  } catch (error) {
    return shapeOf(error) === shape;
  } finally {
    await target.close();
  }
}

export async function replayOn(target: Target, steps: readonly Step[]): Promise<void> {
  const history = new History(target);
  for (const step of steps) await history.take(step);
  await history.finish();
}

const shorteningMilliseconds = 5_000;

/** Leaves out whole kinds of steps, then ever smaller parts, for as long as what is left still fails. */
async function shortened(
  history: readonly Step[],
  open: () => Promise<Target>,
  shape: string,
): Promise<readonly Step[]> {
  const end = Date.now() + shorteningMilliseconds;
  let steps = history;
  const groups = (step: Step) => [step.step, step.step === "write" ? step.write.table : ""].join();
  for (const group of new Set(history.map(groups))) {
    const fewer = steps.filter((step) => groups(step) !== group);
    if (Date.now() < end && (await fails(fewer, open, shape))) steps = fewer;
  }
  for (let part = Math.ceil(steps.length / 2); part >= 1; part = Math.floor(part / 2)) {
    for (let at = 0; at < steps.length && Date.now() < end; ) {
      const fewer = [...steps.slice(0, at), ...steps.slice(at + part)];
      if (await fails(fewer, open, shape)) steps = fewer;
      else at += part;
    }
  }
  return steps;
}
