import { unitsText } from "../heat/words.ts";
import { bytesText, counted, listText, moneyText, numberText } from "../lint/words.ts";
import { decideModelVerdict } from "../proof/verdict.ts";
import { modelVerdictText } from "../proof/verdict-text.ts";
import { type Block, heading, type Line, link, list, paragraph, table } from "./markdown.ts";
import type { Material } from "./material.ts";
import { heatVerdict, percentOf } from "./words.ts";

/** How the design was made, and what comes of it in numbers. */
export function summarySection(material: Material): readonly Block[] {
  return [
    heading(2, "Design approach"),
    paragraph([
      "This design answers the requirements in ",
      link("dynamodb_requirement.md", "dynamodb_requirement.md"),
      ", where patterns have their numbers and rates.",
    ]),
    ...list(approachLines(material)),
    heading(3, "In numbers"),
    table(["Figure", "Value"], figures(material), { otherwise: "" }),
  ];
}

function approachLines(material: Material): readonly Line[] {
  const { model, tables, trades } = material;
  const indexes = tables.reduce((sum, one) => sum + one.indexes.size, 0);
  const [first] = tables;
  const lines: Line[] = [
    tables.length === 1 && first !== undefined
      ? `One table, ${first.name}, holds ${listText([...first.placements.keys()])}; ${counted(indexes, "index", "indexes")} beside it.`
      : `${counted(tables.length, "table")} with ${counted(indexes, "index", "indexes")}: ${listText(tables.map(tableText))}.`,
    model.design?.style === "generic"
      ? "Key attributes have generic names, so that different entities can use them."
      : "Key attributes have the names of what they hold.",
    answeredText(material),
    operationsText(material),
  ];
  if (trades.length > 0) {
    lines.push(
      `It has ${listText(trades.map(({ what }) => what))}, each for the price of something else: see the trade-offs.`,
    );
  }
  return lines;
}

function tableText({ name, placements }: Material["tables"][number]): string {
  const entities = [...placements.keys()];
  return `${name} (${entities.length === 0 ? "look-up items" : entities.join(", ")})`;
}

function answeredText({ model, plans }: Material): string {
  const all = [...model.patterns.values()];
  const elsewhere = all.filter(({ status }) => status === "alternative").length;
  const declined = all.filter(({ status }) => status === "declined").length;
  const answered = [...plans.values()].filter(({ requests }) => requests.length > 0).length;
  const left = all.length - elsewhere - declined - answered;
  return `Of ${counted(all.length, "pattern")}, ${answered} are answered by this design, ${elsewhere} by another service, ${declined} are declined and ${left} unanswered.`;
}

/** By which operations reads are answered, weighed with their rates. */
function operationsText({ plans }: Material): string {
  const shares = new Map<string, number>();
  let total = 0;
  for (const { pattern, requests } of plans.values()) {
    if (pattern.kind !== "read") continue;
    const rate = pattern.rps.average?.value ?? 0;
    for (const { operation } of requests) {
      shares.set(operation, (shares.get(operation) ?? 0) + rate);
      total += rate;
    }
  }
  if (total === 0) return "No read has an average rate.";
  const parts = [...shares]
    .toSorted(([, a], [, b]) => b - a)
    .map(([operation, rate]) => `${percentOf(rate / total)} ${operation}`);
  return `Requests of reads, at average rates: ${listText(parts)}.`;
}

function figures(material: Material): readonly (readonly Line[])[] {
  const { loads, cost, costWhy, heat, lint, check, proofs } = material;
  const own = loads.loads.filter(({ index }) => index === undefined);
  const items = own.reduce((sum, one) => sum + one.items, 0);
  const bytes = own.reduce((sum, one) => sum + one.storageBytes, 0);
  const entries = loads.loads.reduce((sum, one) => sum + one.storageBytes, 0) - bytes;
  const lines = loads.loads.flatMap((one) => one.lines);
  const sum = (pick: (line: (typeof lines)[number]) => number): string =>
    unitsText(lines.reduce((all, one) => all + pick(one), 0));
  const count = (verdict: string): number =>
    check.checks.filter((one) => one.verdict === verdict).length;
  return [
    ["Items", numberText(items)],
    ["Stored in tables, and in indexes", `${bytesText(bytes)}, and ${bytesText(entries)}`],
    [
      "Read units per second, before any cache",
      `${sum((one) => one.reads.average)} on average, ${sum((one) => one.reads.peak)} at peak`,
    ],
    [
      "Write units per second",
      `${sum((one) => one.writes.average)} on average, ${sum((one) => one.writes.peak)} at peak`,
    ],
    [
      "Cost of a month",
      cost === undefined
        ? (costWhy ?? "")
        : `${moneyText(cost.total.average)} at average rates, ${moneyText(cost.total.peak)} if the peak never ended (${cost.region})`,
    ],
    ["Hot partitions", heatVerdict(heat)],
    [
      "Checklist",
      `${count("fine")} fine, ${count("open")} open, ${count("wrong")} wrong, ${count("not-applicable")} not applicable`,
    ],
    ["Lint", `${counted(lint.findings.length, "finding")}, ${lint.ignored} ignored with reasons`],
    ["Proof", proofs === undefined ? "not run" : modelVerdictText(decideModelVerdict(proofs))],
  ];
}
