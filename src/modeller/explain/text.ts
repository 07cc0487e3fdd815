import { printable } from "../../base/printable.ts";
import { textTable } from "../cost/text-table.ts";
import { money } from "../cost/words.ts";
import { wrapped } from "../learn/layout.ts";
import { bytesText, counted, listText, numberText } from "../lint/words.ts";
import type { Alternative } from "./cheaper.ts";
import type { Dollars, Explanation } from "./explain.ts";
import type { Step } from "./steps.ts";

const width = 110;

/** One pattern or request for a terminal. */
export function explanationText(one: Explanation): string {
  const lines = [`${one.id}: ${one.name}`];
  if (one.problem !== undefined) lines.push(`  Nothing is asked of a table: ${one.problem}.`);
  else {
    if (one.stated) lines.push("  The document says how; it was not derived.");
    for (const [i, step] of one.steps.entries())
      lines.push(...stepLines(step, i, one.steps.length));
    lines.push(...costLines(one));
    lines.push(...listed("Why not better", [...one.reasons, ...one.rejected]));
    lines.push(...listed("The cheaper way", cheaperSentences(one)));
    lines.push(
      ...listed(
        "Patterns that ask like this",
        one.similar.length === 0 ? [] : [listText(one.similar)],
      ),
    );
    lines.push(...listed("Assumed", one.assumptions));
    lines.push(...listed("Open", one.open));
  }
  return `${lines.map(printable).join("\n")}\n`;
}

function stepLines(step: Step, i: number, all: number): readonly string[] {
  const { operation, places, items, range, condition, partitionsText, filter, actions } = step;
  const number = all > 1 ? `${i + 1}. ` : "";
  const what = `${operation} on ${listText(places)} for ${listText(items)}`;
  const lines = [...indented(`${number}${what}`, "  ")];
  if (range !== undefined) lines.push(...indented(`Key range: ${range}`, "     "));
  if (condition !== undefined) lines.push(...indented(`Key condition: ${condition}`, "     "));
  for (const action of actions) lines.push(...indented(action, "     "));
  lines.push(...indented(`Touches ${partitionsText}.`, "     "));
  const { evaluated, returned, bytes, calls, read, write } = step;
  if (actions.length === 0) {
    const left = filter > 0 ? " pass the filter and" : "";
    lines.push(
      ...indented(
        `Evaluates ${counted(round(evaluated), "item")}, ${bytesText(bytes)};${left} ${numberText(round(returned))} are returned; ${counted(round(calls), "call")}, ${numberText(read)} read units.`,
        "     ",
      ),
    );
  } else {
    lines.push(
      ...indented(
        `Writes ${counted(round(evaluated), "item")}, ${bytesText(bytes)}; ${counted(round(calls), "call")}, ${numberText(write)} write units.`,
        "     ",
      ),
    );
  }
  return lines;
}

const round = (value: number): number => Math.round(value * 100) / 100;

function costLines({ read, write, dollars }: Explanation): readonly string[] {
  const units = [
    ...(read > 0 ? [`${numberText(read)} read units`] : []),
    ...(write > 0 ? [`${numberText(write)} write units`] : []),
  ];
  return indented(`${listText(units)} a run: ${dollarsText(dollars)}.`, "  ");
}

export function dollarsText({ perMillion, perMonth, cached }: Dollars): string {
  const month = perMonth === undefined ? "" : `, ${money(perMonth)} a month at the average rate`;
  return `${money(perMillion)} for a million${month}${cached ? ", after what the cache answers" : ""}`;
}

function cheaperSentences({ alternatives }: Explanation): readonly string[] {
  if (alternatives === undefined) return [];
  const cheaper = alternatives.filter(({ saved }) => saved >= 0.01);
  const dearer = alternatives.filter(({ saved }) => saved < 0.01);
  return [
    ...(cheaper.length === 0 ? ["None was found."] : cheaper.map(alternativeText)),
    ...dearer.map(alternativeText),
  ];
}

function alternativeText({ what, saved, read, write }: Alternative): string {
  const units = [
    ...(read > 0 ? [`${numberText(read)} read`] : []),
    ...(write > 0 ? [`${numberText(write)} write`] : []),
  ];
  const price =
    saved >= 0.01
      ? `saves ${money(saved)} a month`
      : saved <= -0.01
        ? `would cost ${money(-saved)} a month more`
        : "saves less than a cent a month";
  const run = units.length === 0 ? "" : `, ${listText(units)} units a run`;
  return `With ${what}: ${price}${run}.`;
}

function listed(title: string, sentences: readonly string[]): readonly string[] {
  if (sentences.length === 0) return [];
  return [`  ${title}:`, ...sentences.flatMap((one) => indented(one, "    "))];
}

function indented(text: string, before: string): readonly string[] {
  return wrapped(text, width - before.length).map((line) => before + line);
}

/** All patterns, a line each. */
export function explanationsText(all: readonly Explanation[]): string {
  const rows = all.map((one) => [
    one.id,
    one.problem ?? one.steps.map(shortStep).join("; "),
    one.problem === undefined ? unitText(one.read) : "",
    one.problem === undefined ? unitText(one.write) : "",
    one.problem === undefined ? money(one.dollars.perMillion) : "",
    one.problem === undefined && one.dollars.perMonth !== undefined
      ? money(one.dollars.perMonth)
      : "",
  ]);
  const head = ["pattern", "requests", "read", "write", "$/million", "$/month"];
  return `${textTable(head, rows, 2).map(printable).join("\n")}\n`;
}

function shortStep({ operation, places }: Step): string {
  return `${operation} ${places.join(" + ")}`;
}

const unitText = (units: number): string => (units === 0 ? "0" : numberText(units));
