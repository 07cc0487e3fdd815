import { ServiceError } from "../api/errors/service-error.ts";
import { type CancellationReason, transactionTargetsRepeated } from "../api/errors/transaction.ts";
import { plain } from "../api/response-json.ts";
import { ManualClock } from "../base/clock.ts";
import { type Complaint, complaintsText } from "../document/complaint.ts";
import type { Model } from "../model/model.ts";
import { emptyLock, lockText, readLock } from "../modeller/proof/lock/lock.ts";
import { type PatternProof, type ProofOptions, prove } from "../modeller/proof/prove.ts";
import { type ProofTextOptions, proofText } from "../modeller/proof/text.ts";
import { decideModelVerdict, type ModelVerdict, type Verdict } from "../modeller/proof/verdict.ts";
import type { World } from "../modeller/proof/world.ts";
import { requestsFor, type TableRequests } from "../modeller/requests/table-requests.ts";
import { type ForkableStore, openMemoryStore } from "../storage/memory/memory-store.ts";
import { parsedModel } from "./model-parse.ts";
import { makeModelTables } from "./model-tables.ts";
import { type Workbench, type WorkbenchOptions, workbenchOn } from "./workbench.ts";

const caller = { account: "proof", region: "us-east-1" };
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
  const store = openMemoryStore();
  const workbench = await workbenchOn(store, settingsAt(now));
  await makeModelTables(workbench, withTables(model, tables), caller, { now, sample: false });
  return worldOn(store, workbench, now, model);
}

function settingsAt(now: number): WorkbenchOptions {
  return { clock: new ManualClock(now), ttlDelay: false };
}

function worldOn(store: ForkableStore, workbench: Workbench, now: number, model: Model): World {
  const send = async (operation: string, request: object): Promise<object> =>
    plain(await workbench.execute(operation, request, caller));
  return {
    execute: async (operation, request) => {
      try {
        return await send(operation, request);
      } catch (error) {
        if (!isMissingTable(error)) throw error;
        // Tables of periods are made when they are needed: what is drawn may be of any period.
        const missing = missingPeriods(model, request);
        for (const create of missing) await send("CreateTable", create).catch(ignoreExisting);
        if (missing.length === 0) throw error;
        return send(operation, request);
      }
    },
    isRefusal,
    fork: async () => {
      const fork = store.fork();
      return worldOn(fork, await workbenchOn(fork, settingsAt(now)), now, model);
    },
    close: () => workbench.close(),
  };
}

function isMissingTable(error: unknown): boolean {
  return error instanceof ServiceError && error.type === "ResourceNotFoundException";
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof ServiceError && error.type === "ResourceInUseException")) throw error;
}

/** The tables of periods that a request names. */
function missingPeriods({ design }: Model, request: object): readonly TableRequests["create"][] {
  const names = new Set(namesIn(request));
  return [...(design?.tables.values() ?? [])].flatMap((table) => {
    const { periods, name } = table;
    if (periods === undefined) return [];
    const own = [...names].filter((one) => one.startsWith(`${name}-`));
    return own.map((one) => requestsFor(table, one.slice(name.length + 1), periods.older).create);
  });
}

/** The tables that a request of any kind names. */
function namesIn(request: object): readonly string[] {
  const {
    TableName: name,
    RequestItems: batch = {},
    TransactItems: actions = [],
  } = request as {
    readonly TableName?: string;
    readonly RequestItems?: object;
    readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[];
  };
  return [
    ...(name === undefined ? [] : [name]),
    ...Object.keys(batch),
    ...actions.flatMap((action) => Object.values(action).map(({ TableName: one }) => one)),
  ];
}

/** Reasons for which the service cancels a transaction as its conditions ask. */
const refusalCodes: readonly string[] = ["ConditionalCheckFailed", "TransactionConflict"];

/**
 * Whether an error means that a condition did not hold, or that a transaction names an item twice: two new items with one
 * unique value. Any other reason for a cancelled transaction is an error.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (error.type === "ConditionalCheckFailedException") return true;
  if (error.message === transactionTargetsRepeated().message) return true;
  const reasons = error.fields?.CancellationReasons;
  return (
    error.type === "TransactionCanceledException" &&
    Array.isArray(reasons) &&
    reasons.some((reason: CancellationReason) => refusalCodes.includes(reason.Code))
  );
}

/** A design of these tables alone: making others would take most of a trial's time. */
function withTables({ design, ...model }: Model, names: ReadonlySet<string>): Model {
  if (design === undefined) return { design, ...model };
  const tables = new Map([...design.tables].filter(([name]) => names.has(name)));
  return { ...model, design: { ...design, tables } };
}

/** The proof of a model document, or what is wrong with the document. */
export interface ModelProof {
  readonly file: string;
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints. */
  readonly verdict: ModelVerdict | undefined;
  /** Nothing if there are complaints. */
  readonly proofs: readonly PatternProof[] | undefined;
  /** What is to be kept beside the model. */
  readonly lock: string | undefined;
  /** Why what was kept is of no use. */
  readonly lockProblem: string | undefined;
}

export interface ProveTextOptions extends Omit<ProofOptions, "kept" | "file"> {
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
  if (model === undefined) {
    return { ...nothing, verdict: undefined, proofs: undefined, lock: undefined };
  }
  const kept = all ? new Map() : before.kept;
  const proofs = await proveModel(model, { ...options, file, kept });
  const patterns = new Set(model.patterns.keys());
  const verdict = decideModelVerdict(proofs);
  return { ...nothing, verdict, proofs, lock: lockText(model.name, proofs, before, patterns) };
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

/** 2 if the document is wrong, 1 if a pattern is wrong or its trial had a defect, else 0. */
export function getExitCode({ verdict }: ModelProof): 0 | 1 | 2 {
  return verdict?.exitCode ?? 2;
}

export function modelProofOutput(
  proof: ModelProof,
  format: "text" | "json",
  options: ProofTextOptions = {},
): string {
  if (format === "json") return `${JSON.stringify(plainProof(proof))}\n`;
  if (proof.proofs === undefined) return `${complaintsText(proof.complaints)}\n`;
  return proofText(proof.proofs, options);
}

function plainProof({ file, complaints, verdict, proofs }: ModelProof): object {
  return { file, complaints, verdict, proofs: proofs?.map(plainPattern) };
}

function plainPattern({ verdict, ...proof }: PatternProof): object {
  return { ...proof, verdict: plainVerdict(verdict) };
}

/** A verdict as JSON has it, without maps. */
export function plainVerdict(verdict: Verdict): object {
  if (verdict.kind !== "wrong") return verdict;
  const { counterExample } = verdict;
  return {
    ...verdict,
    counterExample: {
      ...counterExample,
      parameters: Object.fromEntries(counterExample.parameters),
      written: Object.fromEntries(counterExample.written),
    },
  };
}
