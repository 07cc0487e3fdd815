import { ServiceError } from "../api/errors/service-error.ts";
import { plain } from "../api/response-json.ts";
import { ManualClock } from "../base/clock.ts";
import { type Complaint, complaintsText } from "../document/complaint.ts";
import type { Model } from "../model/model.ts";
import { findingOf } from "../modeller/proof/finding.ts";
import { emptyLock, lockText, readLock } from "../modeller/proof/lock/lock.ts";
import { type PatternProof, type ProofOptions, prove } from "../modeller/proof/prove.ts";
import { proofText } from "../modeller/proof/text.ts";
import type { World } from "../modeller/proof/world.ts";
import { parsedModel } from "./model-parse.ts";
import { makeModelTables } from "./model-tables.ts";
import { openWorkbench } from "./workbench.ts";

const caller = { account: "proof", region: "us-east-1" };
const refusals: readonly string[] = [
  "ConditionalCheckFailedException",
  "TransactionCanceledException",
];

/** Runs a design on the engine, in memory: every pattern, and every pattern on designs that are wrong in one place. */
export function proveModel(model: Model, options: ProofOptions): Promise<readonly PatternProof[]> {
  return prove(model, (one, tables) => openWorld(one, options.now, tables), options);
}

/** Tables of a design in memory, for one trial. */
export async function openWorld(
  model: Model,
  now: number,
  tables: ReadonlySet<string>,
): Promise<World> {
  const workbench = await openWorkbench({ clock: new ManualClock(now), ttlDelay: false });
  await makeModelTables(workbench, withTables(model, tables), caller, { now, sample: false });
  return {
    execute: async (operation, request) =>
      plain(await workbench.execute(operation, request, caller)),
    isRefusal: (error) => error instanceof ServiceError && refusals.includes(error.type),
    close: () => workbench.close(),
  };
}

/** A design of these tables alone: making others would take most of a trial's time. */
function withTables({ design, ...model }: Model, names: ReadonlySet<string>): Model {
  if (design === undefined) return { design, ...model };
  const tables = new Map([...design.tables].filter(([name]) => names.has(name)));
  return { ...model, design: { ...design, tables } };
}

/** What came of a proof, or what is wrong with the document. */
export interface ModelProof {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints. */
  readonly proofs: readonly PatternProof[] | undefined;
  /** What is to be kept beside the model. */
  readonly lock: string | undefined;
  /** Why what was kept is of no use. */
  readonly lockProblem: string | undefined;
}

export interface ProveTextOptions extends Omit<ProofOptions, "kept"> {
  /** What was kept beside the model. */
  readonly lock?: string;
  /** Proves also what has not changed. */
  readonly all?: boolean;
}

export async function proveText(
  text: string,
  file: string,
  { lock, all = false, ...options }: ProveTextOptions,
): Promise<ModelProof> {
  const { model, complaints } = parsedModel(text, file);
  const before = lock === undefined ? emptyLock : readLock(lock);
  const nothing = { file, complaints, lockProblem: before.problem };
  if (model === undefined) return { ...nothing, proofs: undefined, lock: undefined };
  const kept = all ? new Map() : before.kept;
  const proofs = await proveModel(model, { ...options, kept });
  const patterns = new Set(model.patterns.keys());
  return { ...nothing, proofs, lock: lockText(model.name, proofs, before, patterns) };
}

/** `shop.yaml` has its results in `shop.lock.json`. */
export function lockFileOf(file: string): string {
  return `${file.replace(/\.(ya?ml|json)$/i, "")}.lock.json`;
}

/** A sentence about a lock file that cannot be used, or nothing. */
export function lockProblemText({ lockProblem }: ModelProof, file: string): string {
  if (lockProblem === undefined) return "";
  return `${file} was not used: ${lockProblem}. All is proved again.\n`;
}

/** Whether something was found that is not right: an answer, or a wrong design that nobody can tell from the right one. */
export function isDisproved({ proofs }: ModelProof): boolean {
  return proofs === undefined || proofs.some((one) => findingOf(one) !== undefined);
}

export function modelProofOutput(proof: ModelProof, format: "text" | "json"): string {
  if (format === "json") return `${JSON.stringify(plainProof(proof))}\n`;
  if (proof.proofs === undefined) return `${complaintsText(proof.complaints)}\n`;
  return proofText(proof.proofs);
}

function plainProof({ file, complaints, proofs }: ModelProof): object {
  return { file, complaints, proofs: proofs?.map(plainPattern) };
}

function plainPattern({ failure, ...proof }: PatternProof): object {
  return {
    ...proof,
    failure: failure && {
      ...failure,
      parameters: Object.fromEntries(failure.parameters),
      written: Object.fromEntries(failure.written),
    },
  };
}
