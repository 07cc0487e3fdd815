import type { PatternProof } from "../prove.ts";
import { decideVerdict, type TriedMutant } from "../verdict.ts";

/** What a lock file keeps of a pattern that is proved. */
export type Kept = Omit<PatternProof, "name" | "kind" | "isFromLock"> & {
  readonly fingerprint: string;
};

export interface Lock {
  readonly kept: ReadonlyMap<string, Kept>;
  /** Why a file that is there was not used. */
  readonly problem: string | undefined;
}

const format = "keywright proof";
const version = 3;

export const emptyLock: Lock = { kept: new Map(), problem: undefined };

/** Keeps proved patterns only: all others are tried again every time. */
export function lockText(
  model: string,
  proofs: readonly PatternProof[],
  before: Lock,
  patterns: ReadonlySet<string>,
): string {
  const kept = new Map([...before.kept].filter(([id]) => patterns.has(id)));
  for (const proof of proofs) {
    const { fingerprint, verdict } = proof;
    if (fingerprint === undefined || verdict.kind !== "proved") {
      kept.delete(proof.pattern);
    } else kept.set(proof.pattern, keptOf(proof, fingerprint));
  }
  const list = [...kept.values()].toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1));
  return `${JSON.stringify({ format, version, model, patterns: list }, undefined, 2)}\n`;
}

function keptOf(proof: PatternProof, fingerprint: string): Kept {
  const { pattern, verdict, calls, pages, units, arms, mutants } = proof;
  return { pattern, fingerprint, verdict, calls, pages, units, arms, mutants };
}

/** Reads a lock file. One that is damaged, or not ours, is as good as none. */
export function readLock(text: string): Lock {
  const unusable = (problem: string): Lock => ({ kept: new Map(), problem });
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return unusable("it is no JSON");
  }
  if (!isObject(document) || document.format !== format) {
    return unusable("it is not the result of a proof");
  }
  if (document.version !== version) return unusable("it is of another version");
  if (!Array.isArray(document.patterns) || !document.patterns.every(isKept)) {
    return unusable("it is damaged");
  }
  return { kept: new Map(document.patterns.map((one) => [one.pattern, one])), problem: undefined };
}

type Fields = { readonly [name: string]: unknown };

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isKept(value: unknown): value is Kept {
  if (!isObject(value)) return false;
  const { pattern, fingerprint, verdict, calls, pages, units, arms, mutants } = value;
  return (
    typeof pattern === "string" &&
    typeof fingerprint === "string" &&
    [calls, pages].every(isNumber) &&
    isObject(units) &&
    [units.measured, units.estimated, units.met].every(isNumber) &&
    Array.isArray(arms) &&
    arms.every(isArm) &&
    Array.isArray(mutants) &&
    mutants.every(isMutant) &&
    isVerdictOf(verdict, mutants)
  );
}

/** A kept verdict is the one that its mutants lead to; after an edit by hand it need not be. */
function isVerdictOf(verdict: unknown, mutants: readonly TriedMutant[]): boolean {
  const decided = decideVerdict({ kind: "trial", failure: undefined, runs: 1, mutants });
  return JSON.stringify(verdict) === JSON.stringify(decided);
}

const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);

function isArm(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.name === "string" &&
    [value.measured, value.met, value.estimated].every(isNumber)
  );
}

function isMutant(value: unknown): value is TriedMutant {
  if (!isObject(value)) return false;
  const { name, operator, killed, reason } = value;
  return (
    typeof name === "string" &&
    typeof operator === "string" &&
    typeof killed === "boolean" &&
    (reason === undefined || typeof reason === "string")
  );
}
