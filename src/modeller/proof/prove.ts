import { SeededRandom } from "../../base/random.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import type { Plan } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import { estimateRun } from "../units/estimate.ts";
import { sampleOf } from "../values/sample.ts";
import { mutantsOf } from "./mutants.ts";
import type { State } from "./oracle.ts";
import { awkward } from "./perturb.ts";
import { transplant } from "./transplant.ts";
import { type Failure, type OpenWorld, Trial } from "./trial.ts";

export interface ProofOptions {
  readonly now: number;
  readonly seed?: number;
  /** Only these patterns. */
  readonly only?: ReadonlySet<string>;
  readonly progress?: (done: number, total: number) => void;
}

/** What is known of a pattern after it was tried. */
export interface PatternProof {
  readonly pattern: string;
  readonly name: string;
  readonly kind: "read" | "write";
  /** Why it was not tried; nothing if it was. */
  readonly skipped: string | undefined;
  readonly failure: Failure | undefined;
  /** Means over the runs. */
  readonly calls: number;
  readonly units: { readonly measured: number; readonly estimated: number };
  readonly mutants: readonly { readonly name: string; readonly killed: boolean }[];
}

const rounds = 6;

/** Tries every pattern of a design on real tables, and on designs that are wrong in one place. */
export async function prove(
  model: Model,
  open: OpenWorld,
  { now, seed = 1, only, progress }: ProofOptions,
): Promise<readonly PatternProof[]> {
  const facts = Facts.of(model);
  const plans = plansOf(facts);
  const sample = sampleOf(model, { items: 260, seed, now });
  const plainState: State = new Map(
    [...sample.entities].map(([name, list]) => [name, list.map(({ values }) => values)]),
  );
  const state = awkward(facts, plainState, new SeededRandom(seed, 2));
  const wanted = [...plans].filter(([id]) => only === undefined || only.has(id));
  const proofs: PatternProof[] = [];
  for (const [id, plan] of wanted) {
    progress?.(proofs.length, wanted.length);
    proofs.push(await proveOne(facts, id, plan, plans, state, open, seed, now));
  }
  progress?.(proofs.length, wanted.length);
  return proofs;
}

async function proveOne(
  facts: Facts,
  id: string,
  plan: Plan,
  plans: ReadonlyMap<string, Plan>,
  state: State,
  open: OpenWorld,
  seed: number,
  now: number,
): Promise<PatternProof> {
  const { pattern } = plan;
  const base = { pattern: id, name: pattern.name, kind: pattern.kind };
  const nothing = {
    calls: 0,
    units: { measured: 0, estimated: 0 },
    mutants: [],
    failure: undefined,
  };
  if (plan.problem !== undefined) return { ...base, ...nothing, skipped: plan.problem };
  const reads = [...plans.values()].filter(
    (one) => one.pattern.kind === "read" && one.problem === undefined,
  );
  const attempt = async (of: Facts, requests: Plan["requests"], others: readonly Plan[]) =>
    tried(of, { ...plan, requests }, others, state, open, seed, now);
  const { failure, measured } = await attempt(facts, plan.requests, reads);
  const mutants: { name: string; killed: boolean }[] = [];
  for (const mutant of failure === undefined ? mutantsOf(facts.model, plan) : []) {
    const wrong = mutant.model === facts.model ? facts : new Facts(mutant.model);
    const moved = (one: Plan): Plan => ({ ...one, requests: transplant(one.requests, wrong) });
    const outcome = await attempt(
      wrong,
      mutant.requests(moved(plan).requests),
      reads.map(moved),
    ).catch(() => undefined);
    mutants.push({
      name: mutant.name,
      killed: outcome === undefined || outcome.failure !== undefined,
    });
  }
  const { read, write } = estimateRun(facts, plan.requests);
  const runs = Math.max(1, measured.runs);
  return {
    ...base,
    skipped: undefined,
    failure,
    calls: measured.calls / runs,
    units: { measured: measured.units / runs, estimated: read + write },
    mutants,
  };
}

/** One plan on tables of its own. */
async function tried(
  facts: Facts,
  plan: Plan,
  reads: readonly Plan[],
  state: State,
  open: OpenWorld,
  seed: number,
  now: number,
): Promise<{ readonly failure: Failure | undefined; readonly measured: Trial["measured"] }> {
  const world = await open(facts.model);
  try {
    const trial = new Trial(facts, world, state, new SeededRandom(seed, 3), now);
    const near = plan.pattern.kind === "write" ? readsNear(plan, reads) : [];
    await trial.load(tablesIn([plan, ...near]));
    for (let round = 0; round < rounds; round += 1) {
      const failure =
        plan.pattern.kind === "read"
          ? ((await trial.read(plan, undefined)) ?? (await trial.read(plan, 2)))
          : await trial.write(plan, near, round === rounds - 1);
      if (failure !== undefined) return { failure, measured: trial.measured };
    }
    const raced = plan.pattern.kind === "write" ? await trial.race(plan, near, 8) : undefined;
    return { failure: raced, measured: trial.measured };
  } finally {
    await world.close();
  }
}

/** Reads of what a write touches. */
function readsNear(plan: Plan, reads: readonly Plan[]): readonly Plan[] {
  const written = new Set(
    plan.requests.flatMap((one) =>
      one.kind === "write" ? one.actions.map(({ record }) => record.entity.name) : [],
    ),
  );
  return reads.filter(({ pattern }) => pattern.actions.some(({ entity }) => written.has(entity)));
}

function tablesIn(plans: readonly Plan[]): ReadonlySet<string> {
  return new Set(
    plans.flatMap(({ requests }) =>
      requests.flatMap((one) =>
        one.kind === "read" ? [one.table.name] : one.actions.map(({ record }) => record.table.name),
      ),
    ),
  );
}
