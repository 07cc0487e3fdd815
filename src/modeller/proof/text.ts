/** Prints a proof for people: the verdict first, then the evidence for every pattern that is not simply proved. */
import { printable } from "../../base/printable.ts";
import { counted } from "../lint/words.ts";
import type { PatternProof } from "./prove.ts";
import { readable, readableValue } from "./readable.ts";
import { decideModelVerdict, getMutationScore } from "./verdict.ts";
import { defectLines, modelVerdictText, verdictText } from "./verdict-text.ts";
import type { Failure } from "./world.ts";

export interface ProofTextOptions {
  /** Also print figures per pattern, equivalent mutants, and every counter-example in full. */
  readonly isVerbose?: boolean;
}

/** Counter-examples in full without `--verbose`: more do not fit on a screen. */
const counterExamplesMax = 3;

export function proofText(
  proofs: readonly PatternProof[],
  { isVerbose = false }: ProofTextOptions = {},
): string {
  const lines = [
    modelVerdictText(decideModelVerdict(proofs)),
    ...lockLines(proofs),
    ...section("Wrong, with counter-examples:", wrongLines(proofs, isVerbose)),
    ...section("Defects:", allDefectLines(proofs, isVerbose)),
    ...section(
      "Undecided mutants (no trial killed them, and no reason shows that they are equivalent):",
      undecidedLines(proofs),
    ),
    ...section("Not provable:", notProvableLines(proofs)),
    ...(isVerbose ? section("Equivalent mutants:", equivalentLines(proofs)) : []),
    ...(isVerbose ? figureLines(proofs) : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** The verdict of the model, and a line for each pattern that is not simply proved. */
export function briefProofLines(proofs: readonly PatternProof[]): readonly string[] {
  return [
    modelVerdictText(decideModelVerdict(proofs)),
    ...proofs.flatMap((proof) => {
      const { verdict } = proof;
      if (verdict.kind === "defect") return defectLines(verdict.defect);
      const mutants = verdict.kind === "proved" ? verdict.undecided : [];
      if (verdict.kind === "proved" && mutants.length === 0) return [];
      const names = mutants.length === 0 ? "" : `: ${mutants.join("; ")}`;
      return [printable(`${titleOf(proof)}: ${verdictText(verdict)}${names}`)];
    }),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}

function lockLines(proofs: readonly PatternProof[]): readonly string[] {
  const count = proofs.filter(({ isFromLock }) => isFromLock === true).length;
  if (count === 0) return [];
  return [`${counted(count, "pattern")} unchanged since the last proof (--all proves again).`];
}

const titleOf = ({ pattern, name }: PatternProof): string => printable(`${pattern} (${name})`);

function wrongLines(proofs: readonly PatternProof[], isVerbose: boolean): readonly string[] {
  const wrong = proofs.flatMap((proof) =>
    proof.verdict.kind === "wrong" ? [{ proof, example: proof.verdict.counterExample }] : [],
  );
  return wrong.flatMap(({ proof, example }, i) => [
    `${titleOf(proof)}: ${printable(example.what)}`,
    ...(isVerbose || i < counterExamplesMax
      ? counterExampleLines(example).map((line) => `  ${line}`)
      : ["  (--verbose prints the counter-example)"]),
  ]);
}

function allDefectLines(proofs: readonly PatternProof[], isVerbose: boolean): readonly string[] {
  return proofs.flatMap(({ verdict }) => {
    if (verdict.kind !== "defect") return [];
    const stack = isVerbose ? (verdict.defect.stack ?? "").split("\n").filter(Boolean) : [];
    return [...defectLines(verdict.defect), ...stack.map((line) => `    ${printable(line)}`)];
  });
}

function undecidedLines(proofs: readonly PatternProof[]): readonly string[] {
  return proofs.flatMap((proof) => {
    const { verdict } = proof;
    if (verdict.kind !== "proved" || verdict.undecided.length === 0) return [];
    return [
      `${titleOf(proof)}: ${verdictText(verdict)}`,
      ...verdict.undecided.map((mutant) => `  ${printable(mutant)}`),
    ];
  });
}

function notProvableLines(proofs: readonly PatternProof[]): readonly string[] {
  return proofs.flatMap((proof) =>
    proof.verdict.kind === "not-provable"
      ? [`${titleOf(proof)}: ${printable(proof.verdict.reason)}`]
      : [],
  );
}

function equivalentLines(proofs: readonly PatternProof[]): readonly string[] {
  return proofs.flatMap((proof) => {
    const { verdict } = proof;
    if (verdict.kind !== "proved" || verdict.equivalent.length === 0) return [];
    return [
      `${titleOf(proof)}:`,
      ...verdict.equivalent.map(({ name, reason }) => printable(`  ${name} (${reason})`)),
    ];
  });
}

const linesMax = 12;

/** The counter-example: stored items, parameters, requests, the expected answer and the actual one. */
function counterExampleLines(example: Failure): readonly string[] {
  const { stored, parameters, written, requests, expected, got } = example;
  const cut = (list: readonly string[]): readonly string[] =>
    list.length <= linesMax
      ? list
      : [...list.slice(0, linesMax), `… and ${list.length - linesMax} more`];
  const block = (title: string, list: readonly string[]): readonly string[] =>
    list.length === 0 ? [] : [`${title}:`, ...cut(list.map(printable)).map((line) => `  ${line}`)];
  return [
    ...block(
      `stored (${counted(stored.length, "item")})`,
      stored.map(({ table, item }) => `${table}: ${readable(Object.entries(item))}`),
    ),
    ...block(
      "parameters",
      [...parameters].map(([key, values]) => `${key} = ${values.map(readableValue).join(", ")}`),
    ),
    ...block(
      "written",
      [...written].flatMap(([entity, list]) =>
        list.map((values) => `${entity}: ${readable(Object.entries(values))}`),
      ),
    ),
    ...block(
      "requests",
      requests.map(({ operation, request }) => `${operation} ${JSON.stringify(request)}`),
    ),
    ...block("expected", expected.length === 0 ? ["nothing"] : expected),
    ...block("actual", got.length === 0 ? ["nothing"] : got),
  ];
}

const columns = [
  "verdict",
  "calls",
  "pages",
  "capacity units: measured",
  "estimated for these items",
  "estimated for the model",
  "mutation score",
] as const;

function figureLines(proofs: readonly PatternProof[]): readonly string[] {
  const tried = proofs.filter(
    ({ verdict }) => verdict.kind === "proved" || verdict.kind === "wrong",
  );
  if (tried.length === 0) return [];
  return [
    "",
    "Figures per pattern (calls, pages and capacity units are means of one run on the small data of the trial):",
    ...alignColumns([
      ["pattern", ...columns],
      ...tried.flatMap((proof) => [patternRow(proof), ...armRows(proof)]),
    ]).map((line) => `  ${line}`),
  ];
}

function patternRow({ pattern, verdict, calls, pages, units }: PatternProof): readonly string[] {
  const { killed, equivalent, undecided } = getMutationScore(verdict);
  return [
    printable(pattern),
    verdict.kind,
    formatNumber(calls),
    formatNumber(pages),
    ...unitCells(units),
    `${killed}/${killed + undecided}, ${equivalent} equivalent`,
  ];
}

/** One row for each table or index, if the pattern uses several. */
function armRows({ arms }: PatternProof): readonly (readonly string[])[] {
  if (arms.length < 2) return [];
  return arms.map((arm) => ["", "", "", "", ...unitCells(arm), printable(arm.name)]);
}

function unitCells({ measured, met, estimated }: PatternProof["units"]): readonly string[] {
  return [measured, met, estimated].map(formatNumber);
}

/** Pads all columns: the first two and the last to the left, numbers to the right. */
function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  const isText = (i: number): boolean => i < 2 || i === widths.length - 1;
  return rows.map((row) =>
    row
      .map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

function formatNumber(value: number): string {
  return value === 0 ? "0" : String(Number(value.toPrecision(3)));
}
