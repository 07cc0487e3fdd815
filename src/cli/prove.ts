import { isDisproved, modelProofOutput, proveText } from "../workbench/model-prove.ts";
import { readText } from "./files.ts";
import { flagOption, type RawOptions, textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright prove`: answers 2 if the document is wrong, 1 if a pattern is not right, else 0. */
export async function runProve(
  file: string,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const json = flagOption(options, "json", "--json");
  const seed = textOption(args, "--seed") ?? "1";
  if (!/^[0-9]{1,9}$/.test(seed)) {
    throw new UsageError(`--seed takes a whole number of up to nine digits, not '${seed}'.`);
  }
  const only = textOption(args, "--pattern");
  const proof = await proveText(await readText(file), file, {
    // The moment that the data is of: the same every time, so that a proof can be repeated.
    now: Date.UTC(2026, 0, 15, 12),
    seed: Number(seed),
    ...(only !== undefined && { only: new Set(only.split(",")) }),
    progress: showProgress,
  });
  process.stdout.write(modelProofOutput(proof, json ? "json" : "text"));
  if (proof.proofs === undefined) return 2;
  if (only !== undefined && proof.proofs.length === 0) {
    throw new UsageError(`There is no pattern '${only}' in ${file}.`);
  }
  return isDisproved(proof) ? 1 : 0;
}

/** Only where somebody looks on. */
function showProgress(done: number, total: number): void {
  if (process.stderr.isTTY !== true) return;
  process.stderr.write(done === total ? "\r\u001b[K" : `\rProving: ${done} of ${total} patterns`);
}
