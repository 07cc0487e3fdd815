import { printable } from "../../base/printable.ts";
import { clipped } from "../../capacity/picture-style.ts";
import { pricesDate, sources } from "../prices/sources.ts";
import type { BillLine } from "./bill.ts";
import { type ModeOption, modeWords } from "./modes.ts";
import {
  type CostReport,
  isThroughput,
  marksOf,
  type PartCost,
  type PatternCost,
  type TableModes,
} from "./report.ts";
import { textTable } from "./text-table.ts";
import { amount, money, percent } from "./words.ts";

const shownMax = 5;
const nameMax = 40;

/** A month's bill for a terminal. */
export function costText(report: CostReport): string {
  const sections = [
    headLines(report),
    patternLines(report),
    partLines(report),
    otherLines(report),
    report.modes.flatMap((modes) => modeLines(modes)),
    sensitivityLines(report),
    endLines(report),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(printable).join("\n"))
    .join("\n\n")}\n`;
}

function headLines({ model, total, region, regionStated, month, lines }: CostReport): string[] {
  const marks = markWords(lines);
  return [
    `${model} costs ${money(total.average)} a month in ${region}${regionStated ? "" : " (no Region is stated)"}, ${money(total.peak)} if the peak lasted all month.`,
    `A month has ${month.hours} hours; prices of ${pricesDate}, without taxes, discounts and the free tier.`,
    ...(marks.length === 0 ? [] : [`${marks.join(", ")}.`]),
  ];
}

/** What the marks behind sums mean, as far as there are any. */
export function markWords(lines: readonly BillLine[]): readonly string[] {
  const { assumed, unsure } = marksOf(lines);
  return [
    ...(assumed ? ["* rests on an assumed number"] : []),
    ...(unsure ? [`~ ${assumed ? "" : "rests "}on a price that is derived or unsure`] : []),
  ];
}

export function mark({
  assumed,
  unsure,
}: {
  readonly assumed: boolean;
  readonly unsure: boolean;
}): string {
  return `${assumed ? "*" : ""}${unsure ? "~" : ""}`;
}

function plain(dollars: number): string {
  return money(dollars).replace("$", "");
}

function patternLines({ patterns, total }: CostReport): readonly string[] {
  if (patterns.length === 0) return [];
  const row = (one: PatternCost): readonly string[] => [
    one.id ?? "",
    clipped(one.name, nameMax),
    one.id === undefined ? "" : amount(one.rps.average),
    one.id === undefined ? "" : amount(one.rps.peak),
    amount(one.reads.average),
    amount(one.writes.average),
    `${plain(one.dollars.average)}${mark(one)}`,
    plain(one.dollars.peak),
    percent(total.average > 0 ? one.dollars.average / total.average : 0),
    one.perMillion === undefined ? "" : plain(one.perMillion),
  ];
  return textTable(
    [
      "",
      "pattern",
      "requests/s",
      "peak",
      "read units/s",
      "write units/s",
      "$/month",
      "at peak",
      "share",
      "$/million",
    ],
    patterns.map(row),
    2,
  );
}

export function partName({
  table,
  index,
  period,
  replica,
}: Pick<PartCost, "table" | "index" | "period" | "replica">): string {
  const name = index === undefined ? table : `${table} · ${index}`;
  const which =
    period === undefined ? "" : ` (${period === "older" ? "older periods" : "this period"})`;
  return `${name}${which}${replica === undefined ? "" : ` in ${replica}`}`;
}

function partLines({ parts, total }: CostReport): readonly string[] {
  const row = (one: PartCost): readonly string[] => [
    clipped(partName(one), nameMax),
    plain(one.reads),
    plain(one.writes),
    plain(one.storage),
    plain(one.other),
    `${plain(one.dollars.average)}${mark(one)}`,
    plain(one.dollars.peak),
  ];
  const sum = (of: (part: PartCost) => number): string =>
    plain(parts.reduce((all, part) => all + of(part), 0));
  return textTable(
    ["table or index", "reads", "writes", "storage", "other", "$/month", "at peak"],
    [
      ...parts.map(row),
      [
        "all",
        sum(({ reads }) => reads),
        sum(({ writes }) => writes),
        sum(({ storage }) => storage),
        sum(({ other }) => other),
        plain(total.average),
        plain(total.peak),
      ],
    ],
    1,
  );
}

/** Recovery, backups, caches, and capacity that no single pattern causes. */
export function byNoPattern(lines: readonly BillLine[]): readonly BillLine[] {
  return lines.filter(
    (line) => line.kind !== "storage" && (!isThroughput(line) || line.pattern === undefined),
  );
}

/** What is under `other`, and provisioned capacity, with how it was worked out. */
function otherLines({ lines }: CostReport): readonly string[] {
  const own = byNoPattern(lines);
  if (own.length === 0) return [];
  return textTable(
    ["not by a pattern", "", "", "$/month"],
    own.map((line) => [
      clipped(partName(line), nameMax),
      line.kind,
      line.how(),
      `${plain(line.dollars.average)}${mark(marksOf([line]))}`,
    ]),
    3,
  );
}

export function optionText({ class: tableClass, mode }: ModeOption): string {
  return `${modeWords[mode]}${tableClass === "standard" ? "" : ", Standard-IA"}`;
}

function modeLines({ table, period, now, options, breakEven }: TableModes): readonly string[] {
  const [cheapest] = options;
  if (cheapest === undefined || breakEven === undefined) return [];
  const which = period === "older" ? " (older periods)" : "";
  const saved = now - cheapest.total;
  const verdict =
    saved > 0.005
      ? `${optionText(cheapest)} would cost ${money(cheapest.total)}, ${money(saved)} less.`
      : "no other way is cheaper.";
  const follows =
    cheapest.mode === "on-demand" || cheapest.mode === "at-peak" || saved <= 0.005
      ? []
      : ["  Auto scaling follows within minutes: a peak that comes faster is throttled."];
  return [
    `${table}${which}: throughput and storage cost ${money(now)}; ${verdict}`,
    ...options.map(
      (option) =>
        `  ${money(option.total).padStart(12)}${option.unsure ? "~" : " "} ${optionText(option)}`,
    ),
    ...follows,
    `  Provisioned capacity is cheaper than on-demand if more than ${exact(breakEven.utilisation)} of it is used; of capacity for the peak ${exact(breakEven.atPeak)} would be.`,
    `  Standard-IA is cheaper if storage is above ${exact(breakEven.storageShare)} of throughput; it is ${exact(breakEven.storageShareNow)}.`,
  ];
}

function exact(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function sensitivityLines({ sensitivity, patterns }: CostReport): readonly string[] {
  const { largest, overtakes, doublings, perPercent } = sensitivity;
  if (largest === undefined) return [];
  const nameOf = (id: string): string => patterns.find((one) => one.id === id)?.name ?? "";
  return [
    `The largest line is ${largest.what}: ${money(largest.dollars)}.`,
    ...overtakes
      .slice(0, shownMax)
      .map(
        ({ pattern, now, above }) =>
          `  Pattern ${pattern} (${clipped(nameOf(pattern), nameMax)}) becomes the largest above ${amount(above)} requests/s; it has ${amount(now)}.`,
      ),
    ...doublings
      .slice(0, shownMax)
      .map(({ what, dollars }) => `  Twice ${what}: ${money(dollars)} more.`),
    `  1 % more of all requests and bytes: ${money(perPercent)} more.`,
  ];
}

function endLines({ freeTier, notes, missing, prices, lines }: CostReport): readonly string[] {
  const used = [
    ...new Set(lines.flatMap(({ price }) => (price.basis === "confirmed" ? [] : [price.source]))),
  ];
  const known = new Map<string, string>(Object.entries(sources));
  return [
    ...missing.map((text) => `Not in the bill: ${text}.`),
    ...notes.map(({ table, text }) => `${table === undefined ? "" : `${table}: `}${text}.`),
    ...used.map((source) => `~ ${known.get(source) ?? source}.`),
    `Not in the bill: data transfer, restores ($${prices.restore.usd}/GB), exports (~$${prices.exporting.usd}/GB) and imports (~$${prices.importing.usd}/GB).`,
    ...(freeTier > 0.005
      ? [
          `The free tier would take off up to ${money(freeTier)}, if nothing else in the account uses it.`,
        ]
      : []),
  ];
}
