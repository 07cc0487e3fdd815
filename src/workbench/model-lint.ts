import { type Complaint, complaintsText } from "../document/complaint.ts";
import { type Fixed, fixText } from "../modeller/lint/fix.ts";
import { lintJson } from "../modeller/lint/json.ts";
import { type LintOptions, type LintResult, lint, ruleHeads } from "../modeller/lint/lint.ts";
import { complaintsSarif, lintSarif } from "../modeller/lint/sarif.ts";
import { fixedText, lintText, rulesText } from "../modeller/lint/text.ts";
import { parsedModel } from "./model-parse.ts";

export { type Severity, severities } from "../modeller/lint/rule.ts";

/** What the rules find in a model document, or what is wrong in it. */
export interface ModelLint {
  readonly file: string;
  /** The text that was looked at: with the fixes, if they were asked for. */
  readonly text: string;
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints. */
  readonly result: LintResult | undefined;
  /** Nothing if fixes were not asked for. */
  readonly fixed: Fixed | undefined;
}

export const lintFormats = ["text", "json", "sarif"] as const;
export type LintFormat = (typeof lintFormats)[number];

export function lintModel(
  text: string,
  file: string,
  { fix = false, ...options }: LintOptions & { readonly fix?: boolean } = {},
): ModelLint {
  const before = parsedModel(text, file);
  if (before.model === undefined) {
    return { file, text, complaints: before.complaints, result: undefined, fixed: undefined };
  }
  const fixed = fix ? fixText(text, file, options) : undefined;
  const { model, complaints } =
    fixed === undefined || fixed.changes.length === 0 ? before : parsedModel(fixed.text, file);
  return {
    file,
    text: fixed?.text ?? text,
    complaints,
    result: model && lint(model, options),
    fixed,
  };
}

/** The findings that a run should fail for. */
export function failing({ result }: ModelLint): boolean {
  return result?.findings.some(({ severity }) => severity !== "hint") ?? true;
}

export interface LintOutputOptions {
  /** Escape sequences for a terminal. */
  readonly colour: boolean;
  /** The fixes were not written. */
  readonly dryRun: boolean;
  /** Of this program. */
  readonly version: string;
}

export function modelLintOutput(
  linted: ModelLint,
  format: LintFormat,
  options: LintOutputOptions,
): string {
  if (format === "text") return textOutput(linted, options);
  const value = format === "json" ? jsonOutput(linted, options) : sarifOutput(linted, options);
  return `${JSON.stringify(value)}\n`;
}

function textOutput(
  { file, complaints, result, fixed }: ModelLint,
  { colour, dryRun }: LintOutputOptions,
): string {
  if (result === undefined) return `${complaintsText(complaints)}\n`;
  const found = lintText(result, { file, colour });
  return fixed === undefined ? found : `${fixedText(fixed, { file, colour }, dryRun)}\n${found}`;
}

function jsonOutput({ file, complaints, result, fixed }: ModelLint, { dryRun }: LintOutputOptions) {
  if (result === undefined) return { file, complaints };
  const fixes = fixed && { changes: fixed.changes, refused: fixed.refused, dryRun };
  return { file, complaints, ...lintJson(result), ...(fixes && { fixes }) };
}

function sarifOutput(
  { file, text, complaints, result }: ModelLint,
  { version }: LintOutputOptions,
) {
  if (result === undefined) return complaintsSarif(complaints, version);
  return lintSarif(result, { file, text, version });
}

export function lintRuleIds(): readonly string[] {
  return ruleHeads().map(({ id }) => id);
}

export function lintRulesOutput(format: LintFormat): string {
  return format === "text" ? rulesText(ruleHeads()) : `${JSON.stringify(headsJson())}\n`;
}

function headsJson() {
  return ruleHeads().map(({ id, severity, title, topic }) => ({ id, severity, title, topic }));
}
