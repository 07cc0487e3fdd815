/** Words for verdicts. Every command prints these; none of them decides anything. */
import { printable } from "../../base/printable.ts";
import { counted } from "../lint/words.ts";
import type { Defect } from "./defect.ts";
import type { ModelVerdict, MutationScore, Verdict } from "./verdict.ts";

/** The verdict of a model in one line: `Proved: 13 of 13 patterns (mutation score 84/84, 3 equivalent, 0 undecided)`. */
export function modelVerdictText(verdict: ModelVerdict): string {
  const { kind, patterns, proved, wrong, defects, notProvable, excluded } = verdict;
  if (patterns === 0) {
    return excluded === 0
      ? "Nothing to prove: the model has no patterns"
      : `Nothing to prove: ${counted(excluded, "pattern")} declined or served by another service`;
  }
  const counts = [
    { kind: "wrong", label: "WRONG", count: wrong, words: "wrong" },
    { kind: "defect", label: "DEFECT", count: defects, words: counted(defects, "defect") },
    { kind: "not-provable", label: "Not provable", count: notProvable, words: "not provable" },
    { kind: "proved", label: "Proved", count: proved, words: "proved" },
  ];
  const { label = "", count = 0 } = counts.find((line) => line.kind === kind) ?? {};
  const others = counts
    .filter((line) => line.kind !== kind && line.count > 0)
    .map((line) => (line.kind === "defect" ? line.words : `${line.count} ${line.words}`));
  const details = [...others, scoreText(verdict.score)].join(", ");
  return `${label}: ${count} of ${counted(patterns, "pattern")} (${details})`;
}

/** `mutation score 84/84, 3 equivalent, 0 undecided`. */
export function scoreText({ killed, equivalent, undecided }: MutationScore): string {
  return `mutation score ${killed}/${killed + undecided}, ${equivalent} equivalent, ${undecided} undecided`;
}

/** The verdict of a pattern in a few words; not yet made printable. */
export function verdictText(verdict: Verdict): string {
  switch (verdict.kind) {
    case "wrong":
      return `wrong: ${verdict.counterExample.what}`;
    case "defect":
      return `defect: ${verdict.defect.message}`;
    case "not-provable":
      return `not provable: ${verdict.reason}`;
    case "proved": {
      const { length } = verdict.undecided;
      return length === 0 ? "proved" : `proved, ${counted(length, "mutant")} undecided`;
    }
  }
}

/** A report of a defect that a user can send us as it is. */
export function defectLines(defect: Defect): readonly string[] {
  const { file, line, column, pattern, name, request, hasRequestFailed, message } = defect;
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  const title = hasRequestFailed ? "request" : "last request before the error";
  const lines = [
    `${place}: pattern ${pattern} (${name}): ${message}`,
    request === undefined
      ? "  no request was sent before the error"
      : `  ${title}: ${request.operation} ${JSON.stringify(request.request)}`,
    "  This is a bug in Keywright; please report it with this output.",
  ];
  return lines.map(printable);
}
