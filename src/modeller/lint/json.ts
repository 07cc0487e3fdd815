import { pathText } from "../../document/path.ts";
import type { LintFinding, LintResult } from "./lint.ts";
import { ruleHeads } from "./lint.ts";
import type { Price, Severity } from "./rule.ts";

export interface FindingJson {
  readonly rule: string;
  readonly severity: Severity;
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  readonly evidence: string;
  readonly price:
    | { readonly perMonth: number; readonly assumed: boolean }
    | { readonly throttledShare: number }
    | null;
  readonly cure: string;
  /** The page of `keywright learn`. */
  readonly topic: string;
  /** What --fix would do; nothing if it can do nothing. */
  readonly fix: string | null;
}

export interface LintJson {
  readonly findings: readonly FindingJson[];
  readonly ignored: number;
}

export function lintJson({ findings, ignored }: LintResult): LintJson {
  const topics = new Map(ruleHeads().map(({ id, topic }) => [id, topic]));
  return {
    findings: findings.map((finding) => findingJson(finding, topics.get(finding.rule) ?? "")),
    ignored,
  };
}

function findingJson(finding: LintFinding, topic: string): FindingJson {
  const { rule, severity, path, place, message, evidence, price, cure, fix } = finding;
  return {
    rule,
    severity,
    path: pathText(path),
    line: place?.line ?? null,
    column: place?.column ?? null,
    message,
    evidence,
    price: priceJson(price),
    cure,
    topic,
    fix: fix?.what ?? null,
  };
}

function priceJson(price: Price | undefined): FindingJson["price"] {
  if (price === undefined) return null;
  if (price.kind === "throttled") return { throttledShare: price.share };
  return { perMonth: price.perMonth, assumed: price.assumed };
}
