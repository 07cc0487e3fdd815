import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { ModelSizeName } from "./model-random.ts";
import type { FindingKind } from "./run-model.ts";

/** Runs random models through all commands in two threads of `hunt.ts`. Prints how many show findings of which kind. */

/** Kinds of findings that no model of these seeds has. */
const assertedKinds: ReadonlySet<string> = new Set<FindingKind>([
  "crash",
  "wrong",
  "contradiction",
  "unprovable",
]);

const isLong = process.env.KEYWRIGHT_LONG === "1";
const firstSeed = 720_001;
const modelCount = 300;
/** Small models with an open defect; a correction removes its seed. */
const openSeeds: ReadonlySet<number> = new Set([]);
/** Every run takes small models, a minute on two cores in all. The long run takes those that hunts take, too. */
const sizes: readonly ModelSizeName[] = isLong ? ["small", "usual"] : ["small"];
/** The size of a model bounds its work. A model that takes longer than this hangs, also on a slow machine. */
const secondsPerModel = 120;
const timeout = isLong ? 3_600_000 : 900_000;

interface Result {
  readonly seed: number;
  readonly findings: readonly { readonly kind: string; readonly signature: string }[];
}

async function hunt(size: ModelSizeName): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "keywright-models-"));
  const out = join(folder, "results.jsonl");
  const from = firstSeed;
  const settings = { from, count: modelCount, size, seconds: secondsPerModel, jobs: 2, out };
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  try {
    const script = ["scripts/run-ts.mjs", "test/models/hunt.ts", ...options];
    const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: root });
    process.stdout.write(stdout.slice(0, stdout.indexOf("\n\n") + 1));
    const lines = readFileSync(out, "utf8").trim().split("\n");
    return lines.map((line): Result => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A failure with the command that shrinks it. */
function describeFailure(seed: number, size: ModelSizeName, signature: string): string {
  const one = `--from ${seed} --count 1 --size ${size} --shrink`;
  const command = `node scripts/run-ts.mjs test/models/hunt.ts ${one}`;
  return `${signature}\n  seed ${seed}: ${command}`;
}

test.each(sizes)(
  "%s random models show no defect of an asserted kind",
  { timeout },
  async (size) => {
    const results = await hunt(size);
    const isOpen = (seed: number): boolean => size === "small" && openSeeds.has(seed);
    const failures = results.flatMap(({ seed, findings }) =>
      findings.flatMap(({ kind, signature }) =>
        (kind === "slow" || assertedKinds.has(kind)) && !isOpen(seed)
          ? [describeFailure(seed, size, signature)]
          : [],
      ),
    );
    expect(results).toHaveLength(modelCount);
    expect(failures).toEqual([]);
  },
);
