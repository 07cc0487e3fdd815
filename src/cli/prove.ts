import {
  getExitCode,
  lockFileOf,
  lockProblemText,
  modelProofOutput,
  proveText,
} from "../workbench/model-prove.ts";
import { readText, readTextIfThere, replaceText } from "./files.ts";
import { flagOption, type RawOptions, textOption } from "./options.ts";
import { progressBar } from "./progress.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright prove`: ends with 2 if the document is wrong, 1 if a pattern is wrong or has a defect, else 0. */
export async function runProve(
  file: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const json = flagOption(options, "json", "--json");
  const all = flagOption(options, "all", "--all");
  const isVerbose = flagOption(options, "verbose", "--verbose");
  const seed = textOption(args, "--seed") ?? "1";
  if (!/^[0-9]{1,9}$/.test(seed)) {
    throw new UsageError(`--seed takes a whole number of up to nine digits, not '${seed}'.`);
  }
  const only = textOption(args, "--pattern");
  const text = await readText(file);
  const lockFile = options.lock === false ? undefined : lockFileOf(file);
  const lock = lockFile === undefined ? undefined : await readTextIfThere(lockFile);
  const proof = await proveText(text, file, {
    // The moment that the data is of: the same every time, so that a proof can be repeated.
    now: Date.UTC(2026, 0, 15, 12),
    seed: Number(seed),
    all,
    ...(lock !== undefined && { lock }),
    ...(only !== undefined && { only: new Set(only.split(",")) }),
    progress: progressBar("Proving"),
  });
  if (only !== undefined && proof.proofs?.length === 0) {
    throw new UsageError(`There is no pattern '${only}' in ${file}.`);
  }
  if (lockFile !== undefined && proof.lock !== undefined && proof.lock !== lock) {
    await replaceText(lockFile, proof.lock);
  }
  process.stderr.write(lockFile === undefined ? "" : lockProblemText(proof, lockFile));
  process.stdout.write(modelProofOutput(proof, json ? "json" : "text", { isVerbose }));
  return getExitCode(proof);
}
