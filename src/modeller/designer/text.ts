import { printable } from "../../base/printable.ts";
import type { DesignDocument } from "../../model/document-design.ts";
import { counted, listText, moneyText, numberText } from "../lint/words.ts";
import type { Designed } from "./designer.ts";
import type { Flip } from "./flips.ts";
import { capital } from "./keys.ts";
import type { Reason } from "./terms.ts";
import { weightsText } from "./weighing.ts";

/** The design without a change that was tried, and what the change takes away and adds. */
export interface Before {
  readonly total: number;
  readonly change: string;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** How a design stands to the one that was there. */
export interface Old {
  /** Dollars in a month, with all that the document says; nothing if it could not be priced. */
  readonly total: number | undefined;
  readonly next: number | undefined;
  /** Why it costs less than the new one, if it does. */
  readonly reasons: readonly Reason[];
  /** What only the old design says, and the new one has no place for. */
  readonly lost: readonly string[];
  /** What it costs in a month to keep what had to stay. */
  readonly keeping: number | undefined;
  /** How to come from the one to the other. */
  readonly plan: string | undefined;
}

export interface DesignLook {
  /** Attributes that repeat others, in sentences. */
  readonly copies: readonly string[];
  readonly old: Old | undefined;
  readonly flips: readonly Flip[] | undefined;
  /** Attributes that could be repeated, in lines. */
  readonly proposed: readonly string[];
  readonly before: Before | undefined;
  /** The verdict of the proof, in lines. */
  readonly proof: readonly string[];
  readonly wrong: readonly string[];
  readonly findings: readonly string[];
}

/** A design in words: what it costs, what it is made of, why, and how it stands. */
export function designText(designed: Designed, look: DesignLook): string {
  const { design, total } = designed;
  const tables = Object.entries(design.tables);
  const indexes = tables.flatMap(([, { indexes: own = {} }]) => Object.keys(own));
  const made = `${moneyText(total)} a month: ${counted(tables.length, "table")}, ${counted(indexes.length, "index", "indexes")}`;
  const lines = [
    ...headLines(designed, made),
    ...designed.untried.map((one) => `Not looked at: ${one}.`),
    ...oldLines(look.old),
    ...beforeLines(total, look),
    ...decideLines(design, look.copies),
    "",
    ...(design.decisions ?? []).flatMap(({ about, chosen, rejected = [] }) => [
      `${aboutText(about)}: ${chosen}`,
      ...rejected.map((one) => `    ${priceText(one)}: ${one.what}`),
    ]),
    ...flipLines(look.flips),
    ...look.proposed,
    "",
    ...standing(look),
    ...(look.old?.plan === undefined ? [] : ["", ...look.old.plan.trimEnd().split("\n")]),
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/** What a decision is about, without what everybody knows. */
function aboutText(about: string): string {
  return about
    .replace(/^design\.tables\.|^entities\./, "")
    .replace(/\.(indexes|attributes)\./, ".");
}

function priceText({
  perMonth = 0,
  why,
}: {
  readonly perMonth?: number;
  readonly why?: string;
}): string {
  if (why !== undefined) return why;
  if (perMonth === 0) return "as cheap";
  return `${moneyText(Math.abs(perMonth))} ${perMonth > 0 ? "more" : "less"}`;
}

/** What it comes to, and how it stands to all that was looked at. */
function headLines(
  { total, gap, looked, weights, natural }: Designed,
  made: string,
): readonly string[] {
  const best = weights === undefined ? "cheaper" : `better with ${weightsText(weights)}`;
  const others =
    gap === 0
      ? `None of ${counted(looked, "way")} to store and index it that were looked at is ${best}`
      : `It may be up to ${numberText(gap * 100)} % above the cheapest: the work was cut off`;
  if (natural === undefined) return [`${made}. ${others}.`];
  return [
    `${made}, in generic style, as asked for.`,
    `That is ${comparedWith(total, natural)} with natural names (${moneyText(natural)}). ${others}${gap === 0 ? " than those" : ""}.`,
  ];
}

/** What is stored twice is for the user to decide, so it comes first. */
function decideLines({ tables, decisions = [] }: DesignDocument, copies: readonly string[]) {
  const repeated = Object.entries(tables).flatMap(([table, { indexes = {} }]) =>
    Object.entries(indexes).flatMap(([index, { projection = "all" }]) => {
      if (projection === "keys" || projection.length === 0) return [];
      const held = projection === "all" ? "all attributes" : listText(projection);
      const about = `design.tables.${table}.indexes.${index}`;
      const other = decisions
        .find((one) => one.about === about)
        ?.rejected?.find(({ what }) => what.startsWith("with "));
      const instead = other === undefined ? "" : ` ${capital(other.what)}: ${priceText(other)}.`;
      return [
        `Decide: ${table}.${index} repeats ${held}, a moment behind; a change of them is written twice.${instead}`,
      ];
    }),
  );
  return [...repeated, ...copies.map((one) => `Decide: ${one}`)];
}

function oldLines(old: Old | undefined): readonly string[] {
  if (old === undefined) return [];
  const { total, next, reasons, lost, keeping } = old;
  const lines: string[] = [];
  if (total !== undefined && next !== undefined) {
    lines.push(
      `With all that the document says it costs ${moneyText(next)}, ${comparedWith(next, total)} the design that is there (${moneyText(total)}).`,
    );
  }
  for (const { text, dollars } of reasons) {
    const much = dollars === undefined ? "" : `: ${moneyText(dollars)} less there`;
    lines.push(`  ${capital(text)}${much}.`);
  }
  if (keeping !== undefined) {
    lines.push(
      keeping < 0.005
        ? "To keep what had to stay costs nothing: a free choice is not cheaper."
        : `To keep what had to stay costs ${moneyText(keeping)} a month more than a free choice.`,
    );
  }
  if (lost.length > 0) lines.push(`Not taken over from the old design: ${lost.join("; ")}.`);
  return lines;
}

function comparedWith(next: number, total: number): string {
  const more = next - total;
  if (Math.abs(more) < 0.005) return "as much as";
  return `${moneyText(Math.abs(more))} ${more > 0 ? "more" : "less"} than`;
}

function beforeLines(total: number, { before }: DesignLook): readonly string[] {
  if (before === undefined) return [];
  const how = comparedWith(total, before.total);
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

function standing({ proof, wrong, findings }: DesignLook): readonly string[] {
  return [
    ...proof,
    ...(wrong.length === 0 ? [] : [`Wrong in the checklist: ${listText(wrong)}.`]),
    ...findings.map((one) => `Lint: ${one}`),
  ];
}
