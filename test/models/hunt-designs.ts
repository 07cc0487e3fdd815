import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { printModel } from "../../src/model/print.ts";
import { Random } from "../random.ts";
import { draftOf } from "./design-draft.ts";
import { sabotages } from "./design-sabotage.ts";
import { shrinkDesign } from "./design-shrink.ts";
import {
  judgeSabotage,
  proveDesign,
  provedIn,
  randomDesign,
  type Tool,
  tools,
} from "./design-trial.ts";
import { drawVariant } from "./design-variants.ts";

/**
 * Runs random designs of random models. Right ones have to be proved, those with a mistake have to be found:
 * node scripts/run-ts.mjs test/models/hunt-designs.ts --from 600001 --count 50
 *   --variants N     right designs of each model (3); each is made in one to three steps
 *   --sabotages N    designs with a mistake of each model (3)
 *   --match TEXT     only steps and mistakes whose names contain this
 *   --shrink         prints the smallest document for each failure of a right design
 *   --out FILE       appends the documents of failures and survivors
 */

interface Failure {
  readonly seed: string;
  readonly names: string;
  readonly pattern: string;
  readonly signature: string;
  readonly document: ModelDocument;
}

const failures: Failure[] = [];
const steps = new Map<string, { drawn: number; failed: number }>();
const table = new Map<string, Record<Tool | "tried" | "survived" | "unusable", number>>();
const survivors: { readonly seed: string; readonly name: string; readonly text: string }[] = [];
let bases = 0;

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "1" },
    count: { type: "string", default: "20" },
    variants: { type: "string", default: "3" },
    sabotages: { type: "string", default: "3" },
    match: { type: "string", default: "" },
    shrink: { type: "boolean", default: false },
    out: { type: "string" },
  },
});

function write(text: string): void {
  if (values.out !== undefined) appendFileSync(values.out, `${text}\n`);
}

async function runVariants(base: ModelDocument, proved: ReadonlySet<string>, seed: number) {
  for (let i = 0; i < Number(values.variants); i += 1) {
    const drawn = drawVariant(base, new Random(seed * 100 + i), 1 + (i % 3), values.match);
    const last = drawn.at(-1);
    if (last === undefined) continue;
    const { complaints, results } = await proveDesign(last.document, proved);
    const failed = [...results].filter(([, { kind }]) => kind !== "proved");
    const names = drawn.map(({ name }) => name).join(" > ");
    const failure = { seed: `${seed}.${i}`, names, document: last.document };
    if (complaints !== undefined) {
      failures.push({ ...failure, pattern: "", signature: `refused: ${complaints}` });
    }
    for (const [pattern, { signature, message }] of failed) {
      failures.push({ ...failure, pattern, signature });
      const what = drawn.map((one) => `# ${one.name}: ${one.what}`).join("\n");
      write(`# ${failure.seed} ${pattern}: ${message}\n${what}\n${printModel(last.document)}---`);
    }
    const isFailed = complaints !== undefined || failed.length > 0;
    for (const { name } of drawn) {
      const count = steps.get(name) ?? { drawn: 0, failed: 0 };
      count.drawn += 1;
      count.failed += Number(isFailed);
      steps.set(name, count);
    }
  }
}

async function runSabotages(base: ModelDocument, proved: ReadonlySet<string>, seed: number) {
  const random = new Random(seed * 100 + 50);
  const draft = draftOf(base, random);
  if (draft === undefined) return;
  const all = sabotages.filter(({ name }) => name.includes(values.match));
  let left = Number(values.sabotages);
  for (const sabotage of random.sample(all, all.length)) {
    if (left === 0) break;
    const made = sabotage.apply(draft);
    if (made === undefined) continue;
    left -= 1;
    const counts = table.get(sabotage.name) ?? {
      tried: 0,
      reader: 0,
      prove: 0,
      check: 0,
      lint: 0,
      survived: 0,
      unusable: 0,
    };
    table.set(sabotage.name, counts);
    const { found, unusable } = await judgeSabotage(base, proved, sabotage, made);
    if (unusable !== undefined) {
      counts.unusable += 1;
      const { right = base, pattern = "" } = made;
      const names = `right design of ${sabotage.name}`;
      if (
        unusable.startsWith("wrong") ||
        unusable.startsWith("defect") ||
        unusable.startsWith("not-prov")
      ) {
        failures.push({ seed: `${seed}`, names, pattern, signature: unusable, document: right });
        write(`# ${seed} ${pattern}: ${unusable}\n# ${names}\n${printModel(right)}---`);
      }
      continue;
    }
    counts.tried += 1;
    for (const tool of tools) counts[tool] += Number(found[tool] !== undefined);
    if (tools.some((tool) => found[tool] !== undefined)) continue;
    counts.survived += 1;
    survivors.push({ seed: `${seed}`, name: sabotage.name, text: made.what });
    write(
      `# ${seed} survived ${sabotage.name}: ${made.what}; ${made.why}\n${printModel(made.document)}---`,
    );
  }
}

function failuresBySignature(): ReadonlyMap<string, readonly Failure[]> {
  const groups = new Map<string, Failure[]>();
  for (const one of failures) {
    groups.set(one.signature, [...(groups.get(one.signature) ?? []), one]);
  }
  return groups;
}

function printed(): string {
  const lines = [`${bases} designs of random models`, "", "right designs: step, drawn, not proved"];
  for (const [name, { drawn, failed }] of [...steps].toSorted()) {
    lines.push(`  ${name.padEnd(26)}${String(drawn).padStart(6)}${String(failed).padStart(6)}`);
  }
  const groups = failuresBySignature();
  lines.push("", `${failures.length} patterns of right designs are not proved, by signature`);
  for (const [signature, all] of [...groups].toSorted((a, b) => b[1].length - a[1].length)) {
    lines.push(`${String(all.length).padStart(4)}  ${signature}`);
    for (const { seed, pattern, names } of all.slice(0, 3)) {
      lines.push(`        ${seed} ${pattern}: ${names}`);
    }
  }
  const head = ["tried", ...tools, "survived", "unusable"] as const;
  lines.push("", `mistakes${" ".repeat(24)}${head.map((one) => one.padStart(10)).join("")}`);
  for (const [name, counts] of [...table].toSorted()) {
    const cells = head.map((one) => String(counts[one]).padStart(10)).join("");
    lines.push(`  ${name.padEnd(30)}${cells}`);
  }
  lines.push("", `${survivors.length} mistakes that no tool found`);
  lines.push(...survivors.map(({ seed, name, text }) => `  ${seed} ${name}: ${text}`), "");
  return lines.join("\n");
}

if (values.out !== undefined) writeFileSync(values.out, "");
const from = Number(values.from);
for (let seed = from; seed < from + Number(values.count); seed += 1) {
  try {
    const base = await randomDesign(seed, new Random(seed));
    if (base === undefined) continue;
    bases += 1;
    const proved = provedIn(await proveDesign(base));
    if (proved.size === 0) continue;
    await runVariants(base, proved, seed);
    await runSabotages(base, proved, seed);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stdout.write(`${seed} crashed: ${text.split("\n").slice(0, 4).join("\n")}\n`);
  }
}
process.stdout.write(printed());
if (values.shrink) {
  const groups = failuresBySignature();
  for (const [signature, [first]] of groups) {
    if (first === undefined || signature.startsWith("refused")) continue;
    const { document, runs } = await shrinkDesign(first.document, first.pattern, signature);
    process.stdout.write(
      `\n# ${signature}\n# ${first.seed} ${first.names}, ${runs} runs\n${printModel(document)}`,
    );
  }
}
