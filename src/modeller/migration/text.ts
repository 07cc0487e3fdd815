import { printable } from "../../base/printable.ts";
import { type Path, pathText } from "../../document/path.ts";
import type { Model } from "../../model/model.ts";
import { counted, moneyText, numberText } from "../lint/words.ts";
import { isRefused, type Migration } from "./migration.ts";
import type { ChangeKind, MigrationFinding, MigrationStep, StepCost } from "./step.ts";

/** The names of the two files, for places. */
export interface Files {
  readonly old: string;
  readonly new: string;
}

const headings: Readonly<Record<ChangeKind, string>> = {
  destructive: "Goes away",
  rebuild: "Is made anew beside the old",
  backfill: "Needs existing items to be written",
  additive: "Is added",
  setting: "Changes how a table is run",
  none: "Needs nothing in the database",
};

const signs = { added: "+", removed: "-", changed: "~" } as const;

/** The way from one model to another, in words. */
export function migrationText(migration: Migration, files: Files): string {
  const { changes, newNames, steps } = migration;
  if (changes.length === 0) return "The two documents say the same: there is nothing to do.\n";
  const lines: string[] = [
    `${files.old} → ${files.new}: ${counted(changes.length, "difference")}.`,
  ];
  for (const [kind, heading] of Object.entries(headings)) {
    const own = changes.filter((one) => one.kind === kind);
    if (own.length > 0) lines.push("", `${heading}:`);
    for (const { how, text } of own) lines.push(`  ${signs[how]} ${text}`);
  }
  lines.push(...findingLines(migration, files));
  if (newNames.length > 0)
    lines.push("", "Names that have to be others, and have to be so in the new document:");
  for (const { table, index, name, why, attributes } of newNames) {
    const what = index === undefined ? `table ${table}` : `index ${table}.${index}`;
    const others = [...attributes].map(([from, to]) => `${from} → ${to}`).join(", ");
    const keys = others === "" ? "" : ` (key attributes ${others})`;
    lines.push(`  ${what} → ${name}${keys}: ${why}`);
  }
  if (steps.length > 0) {
    lines.push("", `The plan, ${counted(steps.length, "step")}:`);
    for (const [i, step] of steps.entries()) lines.push("", ...stepLines(step, i + 1));
  }
  if (isRefused(migration)) {
    lines.push(
      "",
      "Refused: something would be lost. Mend the new document, or accept each loss with --accept-loss ID.",
    );
  }
  return `${lines.map(printable).join("\n")}\n`;
}

function findingLines({ findings, old, next }: Migration, files: Files): readonly string[] {
  if (findings.length === 0) return [];
  const lines = ["", "To be answered or known:"];
  for (const finding of findings) {
    const word = finding.accepted ? "accepted" : finding.severity;
    lines.push(`  ${word} ${finding.id}`, `    ${finding.message}`);
    const places = placesOf(finding, old, next, files);
    if (places.length > 0) lines.push(`    ${places.join(" · ")}`);
  }
  return lines;
}

function placesOf(
  finding: MigrationFinding,
  old: Model,
  next: Model,
  files: Files,
): readonly string[] {
  const place = (model: Model, path: Path | undefined, file: string): readonly string[] => {
    if (path === undefined) return [];
    const found = model.place(path);
    const at = found === undefined ? file : `${file}:${found.line}:${found.column}`;
    return [`${at} ${pathText(path)}`];
  };
  return [...place(old, finding.old, files.old), ...place(next, finding.new, files.new)];
}

const lineMax = 96;

/** JSON in which what is short stays on one line. */
function jsonLines(value: unknown): readonly string[] {
  const short = JSON.stringify(value);
  if (short.length <= lineMax || typeof value !== "object" || value === null) return [short];
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([name, one]) => {
    const [first = "", ...rest] = jsonLines(one);
    return [`${isList ? "" : `${JSON.stringify(name)}: `}${first}`, ...rest];
  });
  const inner = parts.flatMap((part, i) => {
    const last = part.length - 1;
    return part.map((line, at) => `  ${line}${at === last && i < parts.length - 1 ? "," : ""}`);
  });
  return [isList ? "[" : "{", ...inner, isList ? "]" : "}"];
}

function stepLines(step: MigrationStep, number: number): readonly string[] {
  const lines = [`${number}. ${step.title} [${step.who}]`, `   why: ${step.why}`];
  for (const { operation, request } of step.requests) {
    const [first = "", ...rest] = jsonLines(request);
    lines.push(`   ${operation} ${first}`, ...rest.map((line) => `   ${line}`));
  }
  for (const action of step.actions) lines.push(`   - ${action}`);
  for (const check of step.verify) lines.push(`   verify: ${check}`);
  for (const risk of step.risks) lines.push(`   risk: ${risk}`);
  if (step.cost !== undefined) lines.push(`   cost: ${costWords(step.cost)}`);
  lines.push(`   back: ${step.rollback}`);
  const { readers, writers } = step.right;
  lines.push(
    `   right now: ${readers} readers, writers of ${writers === "both" ? "both" : `the ${writers}`}`,
  );
  return lines;
}

export function costWords(cost: StepCost): string {
  const { items, readUnits, writeUnits, dollars, seconds, rate, assumed, unknown } = cost;
  const parts = [
    counted(Math.round(items), "item"),
    `${numberText(Math.round(readUnits))} read and ${numberText(Math.round(writeUnits))} write units`,
    ...(dollars === undefined ? [] : [`${moneyText(dollars)} at on-demand prices`]),
    `${timeText(seconds)} at ${numberText(rate)} write units a second`,
  ];
  const rest = [
    ...(assumed ? ["with assumed numbers"] : []),
    ...(unknown.length > 0 ? [`without what is not known: ${unknown.join(", ")}`] : []),
  ];
  return [parts.join(", "), ...rest].join("; ");
}

export function timeText(seconds: number): string {
  if (seconds < 120) return `${numberText(Math.round(seconds))} s`;
  if (seconds < 7_200) return `${numberText(Math.round(seconds / 60))} min`;
  return `${numberText(Math.round(seconds / 360) / 10)} h`;
}
