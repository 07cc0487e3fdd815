import { printable } from "../../base/printable.ts";
import { wrapped } from "../learn/layout.ts";
import { counted } from "../lint/words.ts";
import type { CheckVerdict } from "./check.ts";
import type { Weight } from "./fit/criterion.ts";
import { fitSentence } from "./fit/sentence.ts";
import type { CheckReport, Located } from "./report.ts";

export interface CheckTextOptions {
  readonly width: number;
  /** Escape sequences for a terminal. */
  readonly colour: boolean;
  readonly file: string;
}

const verdicts: readonly CheckVerdict[] = ["fine", "open", "wrong", "not-applicable"];
const marks: Readonly<Record<CheckVerdict, string>> = {
  fine: "fine ",
  open: "open ",
  wrong: "wrong",
  "not-applicable": "-    ",
};
const colours: Readonly<Record<CheckVerdict, number>> = {
  fine: 32,
  open: 33,
  wrong: 31,
  "not-applicable": 2,
};

/** The checklist with its marks, what each rests on, and what is wrong. */
export function checklistText({ checks }: CheckReport, options: CheckTextOptions): string {
  const counts = verdicts.flatMap((verdict) => {
    const count = checks.filter((line) => line.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${verdict.replace("-", " ")}`];
  });
  const out = [`Checklist: ${counts.join(", ")}.`];
  for (const { id, title, verdict, evidence, points } of checks) {
    out.push(...block(`  ${marks[verdict]} `, `${title} (${id})`, colours[verdict], options));
    out.push(...indented(printable(evidence.join(" ")), options));
    for (const point of points) {
      if (point.kind === "wrong")
        out.push(...indented(placed(point, point.text, options), options));
    }
  }
  return out.map((line) => `${line}\n`).join("");
}

/** What only the user can answer. */
export function questionsText({ checks }: CheckReport, options: CheckTextOptions): string {
  const questions = checks.flatMap(({ points }) => points.filter(({ kind }) => kind === "open"));
  if (questions.length === 0) return "No open questions.\n";
  const out = [`${counted(questions.length, "open question")}:`];
  for (const point of questions) {
    const [first = "", ...more] = wrapped(placed(point, point.text, options), options.width - 4);
    out.push(`  ${first}`, ...more.map((line) => `    ${line}`));
  }
  return out.map((line) => `${line}\n`).join("");
}

const weights: Readonly<Record<Weight, readonly [mark: string, colour: number]>> = {
  for: ["for    ", 32],
  neutral: ["neutral", 2],
  exception: ["except ", 33],
  against: ["against", 31],
};

/** Whether DynamoDB fits, with what speaks for and against it. */
export function fitText({ fit }: CheckReport, options: CheckTextOptions): string {
  const out = [...wrapped(fitSentence(fit), options.width)];
  for (const { title, id, weight, evidence } of fit.criteria) {
    const [mark, colour] = weights[weight];
    out.push(...block(`  ${mark} `, `${title} (${id})`, colour, options));
    out.push(...indented(printable(evidence.join(" ")), options));
  }
  for (const exception of fit.exceptions) {
    const { text, instead, service } = exception;
    const where = service === undefined ? ` A better place: ${instead}.` : "";
    out.push(...indented(placed(exception, `${text}${where}`, options), options));
  }
  return out.map((line) => `${line}\n`).join("");
}

/** A mark and a text beside it. */
function block(
  mark: string,
  text: string,
  code: number,
  { width, colour }: CheckTextOptions,
): readonly string[] {
  const painted = colour ? `\u001b[${code}m${mark}\u001b[0m` : mark;
  return wrapped(text, width - mark.length).map((line, i) =>
    i === 0 ? `${painted}${line}` : `${" ".repeat(mark.length)}${line}`,
  );
}

function indented(text: string, { width }: CheckTextOptions): readonly string[] {
  const before = " ".repeat(10);
  return wrapped(text, width - before.length).map((line) => `${before}${line}`);
}

/** What is said of a part, with its place before it as editors understand it. */
function placed({ line, column }: Located, text: string, { file }: CheckTextOptions): string {
  return printable(`${line === undefined ? file : `${file}:${line}:${column}`}: ${text}`);
}
