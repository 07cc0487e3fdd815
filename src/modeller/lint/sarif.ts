import type { Complaint } from "../../document/complaint.ts";
import { pathText } from "../../document/path.ts";
import { allPages } from "../learn/pages.ts";
import { tryEdit } from "./fix.ts";
import { hunkOf } from "./hunk.ts";
import { type LintFinding, type LintResult, ruleHeads } from "./lint.ts";
import type { RuleHead, Severity } from "./rule.ts";
import { priceText } from "./text.ts";

export interface SarifOptions {
  readonly file: string;
  /** The text of the file: fixes are given as lines of it. */
  readonly text: string;
  readonly version: string;
}

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  error: "error",
  warning: "warning",
  hint: "note",
};

/** Findings in the format that code scanners exchange, SARIF 2.1.0. */
export function lintSarif({ findings }: LintResult, options: SarifOptions): unknown {
  const heads = ruleHeads();
  const results = findings.map((finding) => resultJson(finding, heads, options));
  return log(options.version, results, { invocations: [{ executionSuccessful: true }] });
}

function log(version: string, results: readonly unknown[], more: object): unknown {
  return {
    $schema:
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "keywright", version, rules: ruleHeads().map(ruleJson) } },
        columnKind: "utf16CodeUnits",
        ...more,
        results,
      },
    ],
  };
}

function ruleJson({ id, severity, title, topic }: RuleHead): unknown {
  return {
    id,
    shortDescription: { text: title },
    help: { text: helpText({ id, title, topic }) },
    defaultConfiguration: { level: levels[severity] },
    properties: { topic },
  };
}

function helpText({ id, title, topic }: Pick<RuleHead, "id" | "title" | "topic">): string {
  return `${title} ${allPages.get(topic)?.summary} To read more: keywright learn ${id}`;
}

function resultJson(
  finding: LintFinding,
  heads: readonly RuleHead[],
  { file, text }: SarifOptions,
): unknown {
  const { rule, severity, message, evidence, cure, price, path, place } = finding;
  const artifactLocation = { uri: uriOf(file) };
  const cost = priceText(price);
  const said = [message, evidence, ...(cost === undefined ? [] : [`Price: ${cost}.`]), cure];
  return {
    ruleId: rule,
    ruleIndex: heads.findIndex(({ id }) => id === rule),
    level: levels[severity],
    message: { text: said.join(" ") },
    locations: [
      {
        physicalLocation: {
          artifactLocation,
          ...(place && { region: { startLine: place.line, startColumn: place.column } }),
        },
        logicalLocations: [{ fullyQualifiedName: pathText(path) }],
      },
    ],
    ...fixesJson(finding, text, artifactLocation),
  };
}

function fixesJson(finding: LintFinding, text: string, artifactLocation: unknown): object {
  const after = tryEdit(text, finding);
  if (after === undefined || finding.fix === undefined) return {};
  return {
    fixes: [
      {
        description: { text: `${finding.rule} ${finding.fix.what}.` },
        artifactChanges: [
          {
            artifactLocation,
            replacements: [replacementJson(text, after)],
          },
        ],
      },
    ],
  };
}

/** Whole lines, up to the beginning of the next; at the end of the file there is none. */
function replacementJson(before: string, after: string): unknown {
  const { line, removed, added } = hunkOf(before, after);
  const lines = before.split(/\r?\n/);
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const next = line + removed.length;
  const isLast = next > lines.length;
  return {
    deletedRegion: {
      startLine: line,
      startColumn: 1,
      endLine: isLast ? lines.length : next,
      endColumn: isLast ? (lines.at(-1)?.length ?? 0) + 1 : 1,
    },
    insertedContent: { text: added.join(lineEnd) + (isLast || added.length === 0 ? "" : lineEnd) },
  };
}

/** A document that could not be looked at: nothing was found, and the run says why. */
export function complaintsSarif(complaints: readonly Complaint[], version: string): unknown {
  const notifications = complaints.map(({ file, line, column, path, message }) => ({
    level: "error",
    message: { text: path === "" ? message : `${path} ${message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          ...(line !== undefined && { region: { startLine: line, startColumn: column ?? 1 } }),
        },
      },
    ],
  }));
  return log(version, [], {
    invocations: [{ executionSuccessful: false, toolExecutionNotifications: notifications }],
  });
}

/** A relative file stays relative; signs that a URI cannot have are written in percents. */
function uriOf(file: string): string {
  const encoded = file
    .replaceAll("\\", "/")
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/");
  return file.startsWith("/") ? `file://${encoded}` : encoded;
}
