import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { FindingKind } from "./run-model.ts";

/** Runs random models through all commands in two threads of `hunt.ts`, which stops a model that takes too long. */

/** Kinds of findings that no model of these seeds has. */
const assertedKinds: ReadonlySet<FindingKind> = new Set(["crash", "wrong"]);

const isLong = process.env.KEYWRIGHT_LONG === "1";
const firstSeed = 720_001;
/** As many as fit into a minute on two cores; the long run takes the number that every run should have. */
const modelCount = isLong ? 300 : 20;
/** A model that takes longer is left out. */
const secondsPerModel = isLong ? 120 : 15;
const timeout = modelCount * secondsPerModel * 1_000;

interface Result {
  readonly seed: number;
  readonly findings: readonly { readonly kind: string; readonly signature: string }[];
}

async function hunt(): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "keywright-models-"));
  const out = join(folder, "results.jsonl");
  const settings = { from: firstSeed, count: modelCount, seconds: secondsPerModel, jobs: 2, out };
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  try {
    const script = ["scripts/run-ts.mjs", "test/models/hunt.ts", ...options];
    await promisify(execFile)(process.execPath, script, { cwd: root });
    const lines = readFileSync(out, "utf8").trim().split("\n");
    return lines.map((line): Result => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A failure with the command that shrinks it. */
function describeFailure(seed: number, signature: string): string {
  const command = `node scripts/run-ts.mjs test/models/hunt.ts --from ${seed} --count 1 --shrink`;
  return `${signature}\n  seed ${seed}: ${command}`;
}

test("random models show no defect of an asserted kind", { timeout }, async () => {
  const results = await hunt();
  const failures = results.flatMap(({ seed, findings }) =>
    findings.flatMap(({ kind, signature }) =>
      assertedKinds.has(kind as FindingKind) ? [describeFailure(seed, signature)] : [],
    ),
  );
  expect(results).toHaveLength(modelCount);
  expect(failures).toEqual([]);
});
