import { printable } from "../../base/printable.ts";
import { counted, listText, moneyText, numberText } from "../lint/words.ts";
import type { Designed } from "./designer.ts";
import type { Flip } from "./flips.ts";

/** The design without a change that was tried, and what the change takes away and adds. */
export interface Before {
  readonly total: number;
  readonly change: string;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

export interface DesignLook {
  readonly flips: readonly Flip[] | undefined;
  readonly before: Before | undefined;
  readonly proved: number;
  readonly disproved: readonly string[];
  readonly skipped: readonly string[];
  readonly wrong: readonly string[];
  readonly findings: readonly string[];
}

/** A design in words: what it costs, what it is made of, why, and how it stands. */
export function designText({ design, total, gap }: Designed, look: DesignLook): string {
  const tables = Object.entries(design.tables);
  const indexes = tables.flatMap(([, { indexes: own = {} }]) => Object.keys(own));
  const lines = [
    `${moneyText(total)} a month: ${counted(tables.length, "table")}, ${counted(indexes.length, "index", "indexes")}. ${
      gap === 0
        ? "Nothing that was looked at is cheaper."
        : `It may be up to ${numberText(gap * 100)} % above the cheapest: the work was cut off.`
    }`,
    ...beforeLines(total, look),
    "",
    ...(design.decisions ?? []).flatMap(({ about, chosen, rejected = [] }) => [
      `${about.replace(/^design\.tables\./, "").replace(".indexes.", ".")}: ${chosen}`,
      ...rejected.map(
        ({ what, perMonth = 0 }) =>
          `    ${perMonth === 0 ? "as cheap" : `${moneyText(perMonth)} more`}: ${what}`,
      ),
    ]),
    ...flipLines(look.flips),
    "",
    ...standing(look),
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function beforeLines(total: number, { before }: DesignLook): readonly string[] {
  if (before === undefined) return [];
  const more = total - before.total;
  const how =
    Math.abs(more) < 0.005
      ? "as much as"
      : `${moneyText(Math.abs(more))} ${more > 0 ? "more" : "less"} than`;
  const { gone, come } = before;
  return [
    `If ${before.change}, that is ${how} as it is now (${moneyText(before.total)}).`,
    ...(gone.length + come.length === 0 ? ["The design stays as it is."] : []),
    ...come.map((one) => `  then there is: ${one}`),
    ...gone.map((one) => `  then there is no more: ${one}`),
  ];
}

function flipLines(flips: readonly Flip[] | undefined): readonly string[] {
  if (flips === undefined) return [];
  if (flips.length === 0) {
    return ["", "No rate, size, fan-out or skew was found that makes another design the best."];
  }
  return ["", ...flips.map(({ words, instead }) => `${words}: ${instead}`)];
}

function standing({ proved, disproved, skipped, wrong, findings }: DesignLook): readonly string[] {
  return [
    disproved.length === 0
      ? `${counted(proved, "pattern")} proved on the engine.`
      : `Not right: ${listText(disproved)}; ${counted(proved, "pattern")} proved. See 'keywright prove'.`,
    ...skipped.map((one) => `Not tried: ${one}.`),
    ...(wrong.length === 0 ? [] : [`Wrong in the checklist: ${listText(wrong)}.`]),
    ...findings.map((one) => `Lint: ${one}`),
  ];
}
