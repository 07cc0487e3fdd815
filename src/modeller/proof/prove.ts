import { SeededRandom } from "../../base/random.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import type { Plan } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import type { RunPlan } from "../requests/run-plan.ts";
import { referencesOf } from "../values/references.ts";
import { sampleOf } from "../values/sample.ts";
import { attempt, attemptWitness, type Found, type Job, Script } from "./attempt.ts";
import { RequestTrace } from "./defect.ts";
import { focusOn } from "./focus.ts";
import { type Folded, foldedFor } from "./folding.ts";
import { LoadedWorlds } from "./loaded-worlds.ts";
import { Fingerprints } from "./lock/fingerprint.ts";
import type { Kept } from "./lock/lock.ts";
import { type Figures, noFigures } from "./measured.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { mutantsOf } from "./mutants/mutants.ts";
import type { State } from "./oracle/state.ts";
import { awkward } from "./perturb.ts";
import { smallest } from "./shrink.ts";
import { transplant } from "./transplant.ts";
import { decideVerdict, type TriedMutant, type Verdict } from "./verdict.ts";
import { WitnessContext } from "./witnesses/context.ts";
import { constructWitnesses } from "./witnesses/witnesses.ts";
import type { OpenWorld } from "./world.ts";

export interface ProofOptions {
  readonly now: number;
  /** The name of the model's file, for reports of defects. */
  readonly file?: string;
  readonly seed?: number;
  /** Only these patterns. */
  readonly only?: ReadonlySet<string>;
  /** Whether wrong designs are tried, too; else what is found cannot be kept. */
  readonly mutants?: boolean;
  /** Tries those mutants, too, of which it is known why nothing can tell them apart. */
  readonly doubtReasons?: boolean;
  /** Carries out the plans, for example with generated code; the requests of the plans are sent unless stated. */
  readonly run?: RunPlan;
  /** What was proved before; it is not proved again if nothing that it depends on has changed. */
  readonly kept?: ReadonlyMap<string, Kept>;
  readonly progress?: (done: number, total: number) => void;
}

/** The result of proving one pattern: plain data. */
export interface PatternProof extends Figures {
  readonly pattern: string;
  readonly name: string;
  readonly kind: "read" | "write";
  readonly verdict: Verdict;
  /** All mutants that ran; none unless the pattern is proved. */
  readonly mutants: readonly TriedMutant[];
  /** A hash of all that the proof depends on. */
  readonly fingerprint?: string;
  /** The lock file has the proof, and nothing that it depends on has changed. */
  readonly isFromLock?: boolean;
}

/** Tries every pattern of a design on real tables, and on designs that are wrong in one place. */
export async function prove(
  model: Model,
  open: OpenWorld,
  options: ProofOptions,
): Promise<readonly PatternProof[]> {
  const { only, progress } = options;
  const prover = new Prover(model, open, options);
  const wanted = [...prover.plans].filter(([id]) => only === undefined || only.has(id));
  const proofs: PatternProof[] = [];
  for (const [id, plan] of wanted) {
    progress?.(proofs.length, wanted.length);
    proofs.push(await prover.prove(id, plan));
  }
  progress?.(proofs.length, wanted.length);
  await prover.close();
  return proofs;
}

const sampleItems = 260;

class Prover {
  readonly plans: ReadonlyMap<string, Plan>;
  private readonly facts: Facts;
  private readonly trace: RequestTrace;
  private readonly worlds: LoadedWorlds;
  private readonly options: ProofOptions;
  private readonly seed: number;
  private readonly state: State;
  private readonly folded: Folded;
  private readonly fingerprints = new Fingerprints();
  private readonly references: ReturnType<typeof referencesOf>;

  constructor(model: Model, open: OpenWorld, options: ProofOptions) {
    this.facts = Facts.of(model);
    this.plans = plansOf(this.facts);
    this.folded = new Map([...this.plans].map(([id, plan]) => [id, foldedFor(plan)]));
    this.trace = new RequestTrace(open);
    this.worlds = new LoadedWorlds(this.trace.open);
    this.options = options;
    this.seed = options.seed ?? 1;
    this.references = referencesOf(model);
    const sample = sampleOf(model, { items: sampleItems, seed: this.seed, now: options.now });
    const plain: State = new Map(
      [...sample.entities].map(([name, list]) => [name, list.map(({ values }) => values)]),
    );
    this.state = awkward(this.facts, plain, this.seed);
  }

  /** An error in a trial is a defect of this pattern's proof; the other patterns are proved all the same. */
  async prove(id: string, plan: Plan): Promise<PatternProof> {
    const { pattern, problem } = plan;
    const base = { pattern: id, name: pattern.name, kind: pattern.kind };
    if (problem !== undefined) {
      const isExcluded = pattern.status === "declined" || pattern.status === "alternative";
      const verdict = decideVerdict({ kind: "unplanned", reason: problem, isExcluded });
      return { ...base, ...noFigures, mutants: [], verdict };
    }
    this.trace.reset();
    try {
      return { ...base, ...(await this.tryPattern(id, plan)) };
    } catch (error) {
      const { file = "model" } = this.options;
      const defect = this.trace.describe(error, file, this.facts.model, pattern);
      const verdict = decideVerdict({ kind: "defect", defect });
      return { ...base, ...noFigures, mutants: [], verdict };
    }
  }

  close(): Promise<void> {
    return this.worlds.close();
  }

  private async tryPattern(
    id: string,
    plan: Plan,
  ): Promise<Omit<PatternProof, "pattern" | "name" | "kind">> {
    const job = this.jobFor(plan);
    const fingerprint = this.fingerprints.of(job);
    const kept = this.options.kept?.get(id);
    if (kept?.fingerprint === fingerprint) return { ...kept, isFromLock: true };
    const { failure: first, replay, measured, runs, accepted } = await attempt(job);
    let failure = first && replay ? await smallest(job, replay, first) : first;
    const figures = measured.figures(this.facts, plan);
    const hasMutants = this.options.mutants !== false;
    const isAlwaysRefused = plan.pattern.kind === "write" && accepted === 0;
    const mutants: TriedMutant[] = [];
    if (failure === undefined && runs > 0 && !isAlwaysRefused && hasMutants) {
      const context = new WitnessContext(job);
      for (const mutant of mutantsOf(this.facts, plan)) {
        const { tried, found } = await this.tryMutant(job, mutant, context);
        mutants.push(tried);
        if (found === undefined) continue;
        // A witness has shown that the design itself is wrong.
        failure = await smallest(job, found.replay, found.failure);
        break;
      }
    }
    const verdict = decideVerdict({ kind: "trial", failure, runs, isAlwaysRefused, mutants });
    return { ...figures, verdict, mutants, ...(hasMutants && { fingerprint }) };
  }

  private jobFor(plan: Plan): Job {
    const reads = [...this.plans.values()].filter(
      (one) => one.pattern.kind === "read" && one.problem === undefined,
    );
    const near = plan.pattern.kind === "write" ? readsNear(plan, reads) : [];
    const random = new SeededRandom(this.seed, 5);
    const making = { facts: this.facts, references: this.references, random };
    const focus = focusOn(making, plan, this.state);
    return {
      facts: this.facts,
      right: this.facts,
      plan,
      near,
      focus,
      tables: new Set([...tablesIn([plan, ...near]), ...this.homesOf(plan)]),
      worlds: this.worlds,
      seed: this.seed,
      now: this.options.now,
      folded: this.folded,
      caller: this.options.run === undefined ? {} : { run: this.options.run },
      script: new Script(),
    };
  }

  /** Where that lies what a pattern changes, also if its requests leave it alone: that would be wrong. */
  private homesOf({ pattern }: Plan): readonly string[] {
    const changed = pattern.actions.filter(({ kind }) => kind !== "read" && kind !== "check");
    return changed.flatMap(({ entity }) =>
      this.facts.itemsOf(entity).map(({ table }) => table.name),
    );
  }

  /** Tries a mutant with the data of the pattern's trial, then with witnesses made for this mutant. */
  private async tryMutant(
    job: Job,
    mutant: Mutant,
    context: WitnessContext,
  ): Promise<TrialOfMutant> {
    const { name, reason, operator } = mutant;
    const base = { name, operator: operator.kind };
    const survivor = (why: string | undefined): TrialOfMutant => ({
      tried: { ...base, killed: false, ...(why !== undefined && { reason: why }) },
    });
    if (reason !== undefined && this.options.doubtReasons !== true) return survivor(reason);
    const wrong = this.mutantJob(job, mutant);
    const killer: TrialOfMutant = {
      tried: { ...base, killed: true, ...(reason !== undefined && { reason }) },
    };
    // Most wrong writes show in what is stored. Only where they do not, reads are tried after each write.
    const stages = wrong.near.length > 0 ? [{ ...wrong, near: [] }, wrong] : [wrong];
    for (const stage of stages) {
      // An engine error kills a mutant: the original has none.
      const outcome = await attempt(stage).catch(() => undefined);
      if (outcome === undefined || outcome.failure !== undefined) return killer;
    }
    const construction = constructWitnesses(context, operator);
    if (construction.kind === "impossible") return survivor(reason ?? construction.reason);
    for (const witness of construction.witnesses) {
      const isTold = await attemptWitness(wrong, witness).then(
        (found) => found !== undefined,
        () => true,
      );
      if (!isTold) continue;
      // What the original does not do right either tells nothing about the mutant.
      const found = await attemptWitness(job, witness);
      return found === undefined ? killer : { ...survivor(reason), found };
    }
    return survivor(reason);
  }

  /** The same trial on a design, with a plan or by a caller that is wrong in one place. */
  private mutantJob(job: Job, { model, requests, caller = {} }: Mutant): Job {
    const facts = model === this.facts.model ? this.facts : new Facts(model);
    const moved = (one: Plan): Plan => ({ ...one, requests: transplant(one.requests, facts) });
    const plan = moved(job.plan);
    return {
      ...job,
      facts,
      caller,
      plan: { ...plan, requests: requests(plan.requests) },
      near: job.near.map(moved),
    };
  }
}

interface TrialOfMutant {
  readonly tried: TriedMutant;
  /** How the original failed, too. */
  readonly found?: Found;
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
