import { didYouMean } from "../../document/nearest.ts";
import { type Path, pathText } from "../../document/path.ts";
import type { Place } from "../../document/source.ts";
import type { Model } from "../../model/model.ts";
import { LintContext } from "./lint-context.ts";
import {
  type Finding,
  type Price,
  type Rule,
  type RuleHead,
  type Severity,
  severities,
} from "./rule.ts";
import { rules as allRules } from "./rules/index.ts";

/** A finding with its rule and its place. */
export interface LintFinding extends Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** Nothing if the model was not read from a text. */
  readonly place: Place | undefined;
}

export interface LintResult {
  /** The gravest first, then the dearest, then in the order of the document. */
  readonly findings: readonly LintFinding[];
  /** How many findings the document says to ignore. */
  readonly ignored: number;
}

export interface LintOptions {
  /** Only these rules; all if nothing is said. */
  readonly rules?: readonly string[] | undefined;
  /** Nothing below this. */
  readonly severity?: Severity | undefined;
}

/** What is wrong with `ignore` itself. */
export const ignoreRules = {
  unknown: {
    id: "unknown-rule",
    severity: "error",
    title: "A rule that is to be ignored does not exist.",
    topic: "choosing",
  },
  unused: {
    id: "unused-ignore",
    severity: "hint",
    title: "A rule that is to be ignored would not speak here.",
    topic: "choosing",
  },
} as const satisfies Record<string, RuleHead>;

/** All that can be the rule of a finding. */
export function ruleHeads(): readonly RuleHead[] {
  return [...allRules, ...Object.values(ignoreRules)];
}

/** Runs the rules over a model. `rules` are those that there are, for tests. */
export function lint(
  model: Model,
  { rules: chosen, severity = "hint" }: LintOptions = {},
  rules: readonly Rule[] = allRules,
): LintResult {
  const context = new LintContext(model);
  const running = rules.filter(({ id }) => chosen === undefined || chosen.includes(id));
  const place = (path: Path): Place | undefined => model.place(path);
  const found = running.flatMap((rule) =>
    [...rule.check(context)].map(
      (finding): LintFinding => ({
        ...finding,
        rule: rule.id,
        severity: finding.severity ?? rule.severity,
        place: place(finding.path),
      }),
    ),
  );
  const used = new Set<number>();
  const left = found.filter((finding) => {
    const covering = model.ignore.flatMap((ignore, i) => (covers(ignore, finding) ? [i] : []));
    for (const i of covering) used.add(i);
    return covering.length === 0;
  });
  const ids = rules.map(({ id }) => id);
  const wrong = model.ignore.flatMap((ignore, i): LintFinding[] => {
    const known = ids.includes(ignore.rule);
    if (known && (used.has(i) || !running.some(({ id }) => id === ignore.rule))) return [];
    const head = known ? ignoreRules.unused : ignoreRules.unknown;
    if (chosen !== undefined && !known && !chosen.includes(head.id)) return [];
    return [
      {
        ...aboutIgnore(ignore, i, ids),
        rule: head.id,
        severity: head.severity,
        place: place(["ignore", i]),
      },
    ];
  });
  const limit = severities.indexOf(severity);
  return {
    findings: [...left, ...wrong]
      .filter((finding) => severities.indexOf(finding.severity) <= limit)
      .toSorted(compare),
    ignored: found.length - left.length,
  };
}

type Ignore = Model["ignore"][number];

function covers({ rule, on }: Ignore, finding: LintFinding): boolean {
  if (rule !== finding.rule) return false;
  if (on === undefined) return true;
  const path = pathText(finding.path);
  return path === on || path.startsWith(`${on}.`) || path.startsWith(`${on}[`);
}

function aboutIgnore({ rule, on, reason }: Ignore, i: number, ids: readonly string[]): Finding {
  const path = ["ignore", i];
  if (!ids.includes(rule)) {
    return {
      path: [...path, "rule"],
      message: `There is no rule '${rule}'${didYouMean(rule, ids) || "."}`,
      evidence: `${ids.length} rules are known; keywright lint --rules lists them.`,
      cure: "Name a rule that there is, or take the entry out.",
    };
  }
  const where = on === undefined ? "nowhere" : `not on ${on}`;
  return {
    path,
    message: `The rule ${rule} speaks ${where}, so there is nothing to ignore.`,
    evidence: `The reason given was: ${reason}.`,
    cure: "Take the entry out, or correct the part that it is about.",
    fix: { what: `no longer ignores ${rule}`, edits: [{ kind: "delete", path }] },
  };
}

function compare(a: LintFinding, b: LintFinding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    weight(b.price) - weight(a.price) ||
    (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
    (a.place?.column ?? 0) - (b.place?.column ?? 0)
  );
}

/** Requests that fail weigh more than money, and money more than nothing. */
function weight(price: Price | undefined): number {
  if (price === undefined) return 0;
  return price.kind === "throttled" ? 1e12 * (1 + price.share) : price.perMonth;
}
