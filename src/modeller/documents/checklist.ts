import { type Path, pathText } from "../../document/path.ts";
import { fitSentence } from "../check/fit/sentence.ts";
import type { CheckReport } from "../check/report.ts";
import { counted, numberText } from "../lint/words.ts";
import {
  type Block,
  code,
  heading,
  type Line,
  type ListItem,
  list,
  paragraph,
  table,
} from "./markdown.ts";
import type { Material } from "./material.ts";

type CheckLine = CheckReport["checks"][number];

/** Checks that are about what is asked for, not about how it is stored. */
const requirementChecks: readonly string[] = [
  "domain-and-scale",
  "entities-and-relations",
  "attributes-known",
  "patterns-identified",
  "rates",
  "read-write-pairs",
  "relations-both-ways",
  "considerations-captured",
  "alternatives-named",
  "hot-partitions",
  "fits-dynamodb",
];

/** What a reader of the requirements wants to see ticked. */
export function requirementChecklist({ check }: Material): readonly Block[] {
  return [
    heading(2, "Validation checklist"),
    ...checklist(check.checks.filter(({ id }) => requirementChecks.includes(id))),
  ];
}

/** A tick is there because the check went through, with what it looked at below. */
export function checklist(lines: readonly CheckLine[]): readonly Block[] {
  const count = (verdict: CheckLine["verdict"]): number =>
    lines.filter((one) => one.verdict === verdict).length;
  const [fine, nothing] = [count("fine"), count("not-applicable")];
  return [
    paragraph(
      `${fine} of ${counted(lines.length - nothing, "point")} ${fine === 1 ? "holds" : "hold"}${nothing === 0 ? "" : `; ${counted(nothing, "more")} ${nothing === 1 ? "does" : "do"} not apply`}. Each was checked by keywright; below it stands what was looked at.`.replace(
        /(\d+) mores?/,
        "$1 more",
      ),
    ),
    ...list(lines.map(checkItem)),
  ];
}

function checkItem({ id, title, verdict, evidence, points }: CheckLine): ListItem {
  const isApplicable = verdict !== "not-applicable";
  return {
    line: [title, " (", code(id), isApplicable ? ")" : "): does not apply"],
    ...(isApplicable && { ticked: verdict === "fine" }),
    below: [
      ...(evidence.length === 0 ? [] : [evidence.join(" ")]),
      ...points.map(({ kind, path, text }): Line => [`${kind}: ${text} `, "(", code(path), ")"]),
    ],
  };
}

/** Everything that only the user can answer. */
export function questionsSection({ check, heat, cost }: Material): readonly Block[] {
  const asked = new Map<string, Line>();
  for (const { points } of check.checks) {
    for (const { kind, path, text } of points) {
      if (kind === "open") asked.set(text, [text, " (", code(path), ")"]);
    }
  }
  for (const text of heat.open) if (!asked.has(text)) asked.set(text, text);
  for (const why of cost?.missing ?? []) {
    const text = `Not in the bill: ${why}.`;
    if (!asked.has(text)) asked.set(text, text);
  }
  return [
    heading(2, "Open questions"),
    ...(asked.size === 0 ? [paragraph("None.")] : list([...asked.values()])),
  ];
}

/** Numbers that nobody gave, each with its reason. */
export function assumptionsSection({ model }: Material): readonly Block[] {
  const rows = assumptionsIn(model.document, []).map(({ path, value, why }) => [
    code(pathText(path)),
    typeof value === "number" ? numberText(value) : String(value),
    why ?? "no reason is stated",
  ]);
  return [
    heading(2, "Assumed numbers"),
    table(["Where", "Assumed", "Because"], rows, {
      numbers: [1],
      otherwise: "All numbers of the document were given.",
    }),
  ];
}

interface Assumption {
  readonly path: Path;
  readonly value: unknown;
  readonly why: string | undefined;
}

function assumptionsIn(value: unknown, path: Path): readonly Assumption[] {
  if (typeof value !== "object" || value === null) return [];
  if (Object.hasOwn(value, "assumed")) {
    const { assumed, why } = value as { readonly assumed: unknown; readonly why?: string };
    if (typeof assumed !== "object") return [{ path, value: assumed, why }];
  }
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([step, one]) => assumptionsIn(one, [...path, step]));
}

const weights = {
  for: "speaks for it",
  neutral: "neutral",
  exception: "with an exception",
  against: "speaks against it",
} as const;

/** Whether DynamoDB is the right store for it. */
export function fitSection({ check: { fit } }: Material): readonly Block[] {
  return [
    heading(2, "Does DynamoDB fit?"),
    paragraph(fitSentence(fit)),
    table(
      ["Criterion", "Verdict", "Evidence"],
      fit.criteria.map(({ id, title, weight, evidence }) => [
        [title, " (", code(id), ")"],
        weights[weight],
        evidence.join(" "),
      ]),
      { otherwise: "No criterion was judged." },
    ),
    ...list(
      fit.exceptions.map(
        ({ text, instead, service }) =>
          `${text}${service === undefined ? ` A better place: ${instead}.` : ""}`,
      ),
    ),
  ];
}
