import { printable } from "../../base/printable.ts";
import type { Fixed } from "./fix.ts";
import type { LintFinding, LintResult } from "./lint.ts";
import { type Price, type RuleHead, type Severity, severities } from "./rule.ts";
import { counted, moneyText, shareText } from "./words.ts";

export interface TextOptions {
  readonly file: string;
  /** Escape sequences for a terminal. */
  readonly colour: boolean;
}

const names: Readonly<Record<Severity, readonly [string, string]>> = {
  error: ["error", "errors"],
  warning: ["warning", "warnings"],
  hint: ["hint", "hints"],
};
const colours: Readonly<Record<Severity, number>> = { error: 31, warning: 33, hint: 36 };

/** Findings for a terminal, under a heading for each severity. */
export function lintText({ findings, ignored }: LintResult, options: TextOptions): string {
  const lines: string[] = [];
  for (const severity of severities) {
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) continue;
    const heading = counted(own.length, ...names[severity]);
    lines.push(paint(heading, 1, options), "");
    for (const finding of own) lines.push(...findingLines(finding, options), "");
  }
  lines.push(summary(findings, ignored));
  const [first] = findings;
  if (first !== undefined) lines.push(`To read more: keywright learn ${first.rule}`);
  return `${lines.join("\n")}\n`;
}

function findingLines(finding: LintFinding, options: TextOptions): string[] {
  const { place, severity, rule, message, evidence, price, cure, fix } = finding;
  const where =
    place === undefined ? options.file : `${options.file}:${place.line}:${place.column}`;
  const word = paint(severity, colours[severity], options);
  const cost = priceText(price);
  return [
    `${printable(where)} ${word} ${rule}: ${printable(message)}`,
    `  ${printable(evidence)}`,
    ...(cost === undefined ? [] : [`  Price: ${cost}`]),
    `  Cure: ${printable(cure)}`,
    ...(fix === undefined ? [] : [`  --fix ${printable(fix.what)}.`]),
  ];
}

export function priceText(price: Price | undefined): string | undefined {
  if (price === undefined) return undefined;
  if (price.kind === "throttled")
    return `${shareText(price.share)} of the requests are throttled at peak`;
  return `${moneyText(price.perMonth)} a month${price.assumed ? " (from assumed numbers)" : ""}`;
}

function summary(findings: readonly LintFinding[], ignored: number): string {
  const parts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [counted(count, ...names[severity])];
  });
  const fixes = findings.filter(({ fix }) => fix !== undefined).length;
  const more = [
    ...(fixes === 0 ? [] : [`--fix cures ${fixes}`]),
    ...(ignored === 0 ? [] : [`${ignored} ignored`]),
  ];
  const found = parts.length === 0 ? "Nothing found" : parts.join(", ");
  return `${[found, ...more].join("; ")}.`;
}

/** What --fix did to the text, or would do. */
export function fixedText(
  { changes, refused }: Fixed,
  options: TextOptions,
  dryRun: boolean,
): string {
  const lines: string[] = [];
  for (const { rule, what, hunk } of changes) {
    lines.push(`${printable(options.file)}:${hunk.line} ${rule} ${printable(what)}`);
    for (const line of hunk.removed) lines.push(paint(`- ${printable(line)}`, 31, options));
    for (const line of hunk.added) lines.push(paint(`+ ${printable(line)}`, 32, options));
  }
  for (const { rule, line, what } of refused) {
    lines.push(
      `${printable(options.file)}:${line ?? 1} ${rule} could not be fixed by itself: ${printable(what)}`,
    );
  }
  const done = dryRun ? "would be made; nothing is written" : "made";
  lines.push(`${counted(changes.length, "fix", "fixes")} ${done}.`);
  return `${lines.join("\n")}\n`;
}

/** The rules that there are, for `--rules`. */
export function rulesText(heads: readonly RuleHead[]): string {
  const width = Math.max(...heads.map(({ id }) => id.length));
  return heads
    .map(({ id, severity, title }) => `${id.padEnd(width)}  ${severity.padEnd(7)}  ${title}\n`)
    .join("");
}

function paint(text: string, code: number, { colour }: TextOptions): string {
  return colour ? `\u001b[${code}m${text}\u001b[0m` : text;
}
