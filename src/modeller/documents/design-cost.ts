import { type CostReport, marksOf, type PatternCost } from "../cost/report.ts";
import { byNoPattern, mark, markWords, optionText, partName } from "../cost/text.ts";
import { amount, money, percent } from "../cost/words.ts";
import { pricesDate } from "../prices/sources.ts";
import { type Block, heading, image, list, paragraph, table } from "./markdown.ts";
import type { Material } from "./material.ts";

const doublingsMax = 5;

/** What a month costs at average rates, with the peak beside it. */
export function costSection(
  { cost, costWhy }: Material,
  picture: string | undefined,
): readonly Block[] {
  if (cost === undefined)
    return [heading(2, "Cost estimates"), paragraph(costWhy ?? "Nothing is priced.")];
  const { total, region, regionStated, month } = cost;
  return [
    heading(2, "Cost estimates"),
    paragraph(
      `${money(total.average)} a month at average rates in ${region}${regionStated ? "" : " (no Region is stated)"}; ${money(total.peak)} if the peak lasted all month. A month has ${month.hours} hours; prices of ${pricesDate}, without taxes, discounts and the free tier.${marksText(cost)}`,
    ),
    heading(3, "By table and index"),
    table(
      ["Table or index", "Reads", "Writes", "Storage", "Other", "A month", "At peak"],
      [
        ...cost.parts.map((part) => [
          partName(part),
          money(part.reads),
          money(part.writes),
          money(part.storage),
          money(part.other),
          `${money(part.dollars.average)}${mark(part)}`,
          money(part.dollars.peak),
        ]),
        totalRow(cost),
      ],
      { numbers: [1, 2, 3, 4, 5, 6], otherwise: "" },
    ),
    ...(picture === undefined
      ? []
      : [image("What a month costs, by table and by pattern", picture)]),
    heading(3, "By pattern"),
    table(
      [
        "#",
        "Pattern",
        "RPS average",
        "Read units per second",
        "Write units per second",
        "A month",
        "At peak",
        "Share",
        "A million requests",
      ],
      cost.patterns.map((one) => patternRow(one, total.average)),
      { numbers: [2, 3, 4, 5, 6, 7, 8], otherwise: "No pattern has a price." },
    ),
    ...otherBlocks(cost),
    heading(3, "Other ways to pay"),
    ...list(
      cost.modes.flatMap(({ table: name, period, now, options }) => {
        if (options.length === 0) return [];
        const which = period === "older" ? " (older periods)" : "";
        return [
          {
            line: `${name}${which}: ${money(now)} for throughput and storage as designed.`,
            below: options.map(
              (one) => `${optionText(one)}: ${money(one.total)}${one.unsure ? "~" : ""}`,
            ),
          },
        ];
      }),
    ),
    paragraph(
      "Auto scaling follows within minutes: a peak that comes faster than that is throttled. Reserved capacity is paid for whether it is used or not.",
    ),
    heading(3, "What the bill depends on"),
    ...list([
      ...cost.sensitivity.doublings
        .slice(0, doublingsMax)
        .map(({ what, dollars }) => `Twice ${what}: ${money(dollars)} more.`),
      `1 % more of all requests and bytes: ${money(cost.sensitivity.perPercent)} more.`,
    ]),
    heading(3, "Not in the bill"),
    ...list([
      ...cost.missing.map((text) => `${text}.`),
      ...cost.notes.map(
        ({ table: name, text }) => `${name === undefined ? "" : `${name}: `}${text}.`,
      ),
      "Data transfer, restores, exports and imports.",
    ]),
  ];
}

function marksText({ lines }: CostReport): string {
  const marks = markWords(lines);
  return marks.length === 0 ? "" : ` In the tables, ${marks.join(", ")}.`;
}

function totalRow({ parts, total }: CostReport): readonly string[] {
  const sum = (of: (part: CostReport["parts"][number]) => number): string =>
    money(parts.reduce((all, part) => all + of(part), 0));
  return [
    "All",
    sum(({ reads }) => reads),
    sum(({ writes }) => writes),
    sum(({ storage }) => storage),
    sum(({ other }) => other),
    money(total.average),
    money(total.peak),
  ];
}

function patternRow(one: PatternCost, total: number): readonly string[] {
  return [
    one.id ?? "",
    one.name,
    one.id === undefined ? "" : amount(one.rps.average),
    amount(one.reads.average),
    amount(one.writes.average),
    `${money(one.dollars.average)}${mark(one)}`,
    money(one.dollars.peak),
    percent(total > 0 ? one.dollars.average / total : 0),
    one.perMillion === undefined ? "" : money(one.perMillion),
  ];
}

function otherBlocks({ lines }: CostReport): readonly Block[] {
  const own = byNoPattern(lines);
  if (own.length === 0) return [];
  return [
    heading(3, "Not by a pattern"),
    table(
      ["Table or index", "What", "How it is worked out", "A month"],
      own.map((line) => [
        partName(line),
        line.kind,
        line.how(),
        `${money(line.dollars.average)}${mark(marksOf([line]))}`,
      ]),
      { numbers: [3], otherwise: "" },
    ),
  ];
}
