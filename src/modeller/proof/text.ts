import { printable } from "../../base/printable.ts";
import { findingOf } from "./finding.ts";
import type { PatternProof } from "./prove.ts";
import { readable, readableValue } from "./readable.ts";
import type { Failure } from "./world.ts";

/** The result of a proof in words. */
export function proofText(proofs: readonly PatternProof[]): string {
  const width = Math.max(...proofs.map(({ pattern }) => printable(pattern).length), 7);
  const head = [
    "pattern".padEnd(width),
    "result   ",
    "calls",
    "pages",
    "units measured",
    "as met",
    "as stated",
    "mutants killed",
  ].join("  ");
  const tried = proofs.filter(({ skipped }) => skipped === undefined);
  const proved = tried.filter((one) => findingOf(one) === undefined).length;
  const before = tried.filter((one) => one.before === true).length;
  const mutants = tried.flatMap((one) => one.mutants);
  const killed = mutants.filter((one) => one.killed).length;
  const alive = mutants.filter((one) => !one.killed && one.reason !== undefined).length;
  return `${[
    head,
    ...proofs.flatMap((proof) => patternLines(proof, width)),
    "",
    "Calls, pages and units are means of one run on the small data of the trial. Beside them are two estimates of the",
    "units: for as many items as were met there, and for the numbers that the model states; both in the stated sizes.",
    "",
    `${proved} of ${tried.length} patterns proved${before === 0 ? "" : `, ${before} of them before and unchanged`}; ${killed} of ${mutants.length} wrong designs found out${alive === 0 ? "" : `, and of ${alive} it is known why nobody can`}.`,
  ].join("\n")}\n`;
}

function patternLines(proof: PatternProof, width: number): readonly string[] {
  const { pattern, skipped, failure, calls, pages, units, arms, mutants } = proof;
  const id = printable(pattern).padEnd(width);
  if (skipped !== undefined) return [`${id}  not tried: ${printable(skipped)}`];
  const killed = mutants.filter((one) => one.killed).length;
  const margin = `${" ".repeat(width)}    `;
  const row = (name: string, result: string, rest: string, of: PatternProof["units"]): string =>
    [
      name,
      result.padEnd(9),
      rest,
      number(of.measured).padStart(14),
      number(of.met).padStart(6),
      number(of.estimated).padStart(9),
    ].join("  ");
  const finding = findingOf(proof);
  const figures = `${number(calls).padStart(5)}  ${number(pages).padStart(5)}`;
  return [
    `${row(id, finding === undefined ? "proved" : "NOT RIGHT", figures, units)}  ${killed} of ${mutants.length}`,
    ...(arms.length < 2
      ? []
      : arms.map(
          (arm) =>
            `${row(" ".repeat(width), "", " ".repeat(12), arm).trimEnd()}  ${printable(arm.name)}`,
        )),
    ...mutants
      .filter((one) => !one.killed)
      .map(({ name, reason }) =>
        reason === undefined
          ? `${margin}NOT FOUND OUT: ${printable(name)}`
          : `${margin}no answer can tell: ${printable(name)} (${printable(reason)})`,
      ),
    ...(failure === undefined
      ? finding === undefined || mutants.length > 0
        ? []
        : [`${margin}${printable(finding)}`]
      : failureLines(proof, failure).map((line) => `${margin}${line}`)),
  ];
}

const shownMax = 12;

/** The counter-example: what was there, what was asked, what should have come and what came. */
function failureLines({ name }: PatternProof, failure: Failure): readonly string[] {
  const { what, stored, parameters, written, requests, expected, got } = failure;
  const some = (list: readonly string[]): readonly string[] =>
    list.length <= shownMax
      ? list
      : [...list.slice(0, shownMax), `… and ${list.length - shownMax} more`];
  const block = (title: string, list: readonly string[]): readonly string[] =>
    list.length === 0 ? [] : [`${title}:`, ...some(list.map(printable)).map((one) => `  ${one}`)];
  return [
    `${printable(name)}: ${printable(what)}`,
    ...block(
      `stored (${stored.length} ${stored.length === 1 ? "item" : "items"})`,
      stored.map(({ table, item }) => `${table}: ${readable(Object.entries(item))}`),
    ),
    ...block(
      "asked with",
      [...parameters].map(([key, values]) => `${key} = ${values.map(readableValue).join(", ")}`),
    ),
    ...block(
      "written",
      [...written].flatMap(([entity, list]) =>
        list.map((one) => `${entity}: ${readable(Object.entries(one))}`),
      ),
    ),
    ...block(
      "requests",
      requests.map(({ operation, request }) => `${operation} ${JSON.stringify(request)}`),
    ),
    ...block("expected", expected.length === 0 ? ["nothing"] : expected),
    ...block("got", got.length === 0 ? ["nothing"] : got),
  ];
}

function number(value: number): string {
  return value === 0 ? "0" : String(Number(value.toPrecision(3)));
}
