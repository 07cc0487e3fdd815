import { printable } from "../base/printable.ts";
import { textTable } from "../modeller/cost/text-table.ts";
import type { KeyHeat, PlaceHeat } from "../modeller/heat/heat.ts";
import {
  amplificationSentence,
  headline,
  isNotable,
  keySentences,
  limitSentence,
  quotaSentence,
  unitsText,
} from "../modeller/heat/words.ts";
import { wrapped } from "../modeller/learn/layout.ts";
import { counted, numberText, shareText } from "../modeller/lint/words.ts";
import type { FlowRun, TableHeatRun } from "./heat-simulation.ts";
import type { HeatResult } from "./model-heat.ts";

const width = 110;

/** What a model's peak does to its keys, for a terminal: the verdict first. */
export function heatText({ heat, runs }: HeatResult): string {
  const sections: (readonly string[])[] = [[headline(heat), ...runHeadline(runs)]];
  for (const { over, ...quota } of heat.quotas) {
    if (over) sections.push(indented(quotaSentence({ ...quota, over }), ""));
  }
  for (const place of heat.places) {
    sections.push(placeLines(place));
    const run = runs.find(({ table }) => table === place.load.table.name);
    const isLast = heat.places.findLast((one) => one.load.table === place.load.table) === place;
    if (run !== undefined && isLast) sections.push(runLines(run));
  }
  if (heat.open.length > 0) {
    sections.push([
      `${counted(heat.open.length, "open question")}:`,
      ...heat.open.flatMap((one) => indented(one, "  ")),
    ]);
  }
  const assumed = assumptionsOf(heat.places);
  if (assumed.length > 0) {
    sections.push(["Assumed:", ...assumed.flatMap((one) => indented(`${one}.`, "  "))]);
  }
  return `${sections.map((lines) => lines.map(printable).join("\n")).join("\n\n")}\n`;
}

function runHeadline(all: readonly TableHeatRun[]): readonly string[] {
  const runs = all.filter(({ simulation }) => simulation !== undefined);
  if (runs.length === 0) return [];
  const throttled = runs.filter(({ throttledShare }) => throttledShare > 0);
  if (throttled.length === 0) return ["Simulated at peak, nothing is throttled."];
  const parts = throttled.map(
    ({ table, throttledShare }) => `${shareText(throttledShare)} of the requests to ${table}`,
  );
  return indented(`Simulated at peak, throttled: ${parts.join(", ")}.`, "");
}

function placeLines(place: PlaceHeat): readonly string[] {
  const { load, keys, limits } = place;
  const { read, write } = load;
  const lines = [
    `${load.name}: ${unitsText(write.peak)} write and ${unitsText(read.peak)} read units per second at peak, ${unitsText(write.average)} and ${unitsText(read.average)} on average`,
  ];
  const amplified = amplificationSentence(place);
  if (amplified !== undefined) lines.push(...indented(amplified, "  "));
  for (const key of keys) lines.push(...keyLines(key));
  for (const limit of limits) {
    if (limit.over || limit.kind !== "new table")
      lines.push(...indented(limitSentence(limit), "  "));
  }
  if (load.scanned.peak > 0) {
    lines.push(
      `  ${unitsText(load.scanned.peak)} read units per second at peak go through all of it.`,
    );
  }
  if (place.partitionsBySize > 1) {
    lines.push(`  Its bytes take ${counted(place.partitionsBySize, "partition")}.`);
  }
  return lines;
}

function keyLines(key: KeyHeat): readonly string[] {
  const { family, read, write } = key;
  if (!isNotable(key)) {
    const count = family.count === undefined ? "" : ` ${counted(family.count, "key")},`;
    const figures = `${unitsText(write.units)} write and ${unitsText(read.units)} read units`;
    return indented(`${family.text}:${count} the hottest gets ${figures}`, "  ");
  }
  return [
    ...indented(family.text, "  "),
    ...keySentences(key).flatMap((sentence) => indented(sentence, "    ")),
  ];
}

function runLines({
  table,
  seconds,
  scale,
  requests,
  flows,
  throttles,
  notes,
  simulation,
}: TableHeatRun): readonly string[] {
  const noteLines = notes.flatMap((one) => indented(one, ""));
  if (simulation === undefined) return noteLines;
  const scaled = scale < 1 ? `, rates and limits at ${shareText(scale)}` : "";
  const lines = [
    `${table}, ${seconds} simulated seconds of peak (${numberText(requests)} requests${scaled}):`,
    ...textTable(
      ["  ", "", "consumed/s", "throttled", "hottest partition", "partitions", "splits"],
      flows.map(flowRow),
      2,
    ),
  ];
  for (const { reason, place, share, advice } of throttles) {
    lines.push(`  ${reason} (${place}): ${shareText(share)} of the requests`);
    lines.push(...indented(advice, "    "));
  }
  return [...lines, ...noteLines];
}

function flowRow(flow: FlowRun): readonly string[] {
  const { place, direction, consumed, throttledShare, hottestShare, partitions, splits } = flow;
  return [
    `  ${place}`,
    `${direction}s`,
    unitsText(consumed),
    throttledShare === 0 ? "0" : shareText(throttledShare),
    shareText(hottestShare),
    numberText(partitions),
    numberText(splits),
  ];
}

export function assumptionsOf(places: readonly PlaceHeat[]): readonly string[] {
  const all = places.flatMap(({ keys }) => keys.flatMap(({ family }) => family.assumptions));
  const shared = places.some(({ keys }) =>
    keys.some(({ family }) => new Set(family.touches.map(({ pattern }) => pattern)).size > 1),
  );
  return [
    ...(shared
      ? ["that the hottest value is the same for all patterns that use an attribute"]
      : []),
    ...new Set(all),
  ];
}

function indented(text: string, before: string): readonly string[] {
  return wrapped(text, width - before.length).map((line) => before + line);
}

/** Two models side by side: what the peak does to each table and index that either has. */
export function heatCompareText(before: HeatResult, after: HeatResult): string {
  const names = [
    ...new Set([...before.heat.places, ...after.heat.places].map(({ load }) => load.name)),
  ];
  const rows = names.flatMap((name) => compareRows(name, before, after));
  const table = textTable(["", "", "before", "after"], rows, 2);
  return `${[...table, ""].map(printable).join("\n")}\n`;
}

function compareRows(
  name: string,
  before: HeatResult,
  after: HeatResult,
): readonly (readonly string[])[] {
  const figures = [before, after].map(({ heat, runs }) => {
    const place = heat.places.find(({ load }) => load.name === name);
    if (place === undefined) return undefined;
    const { load, keys } = place;
    const flow = (direction: FlowRun["direction"]): FlowRun | undefined =>
      runs
        .flatMap(({ flows }) => flows)
        .find((one) => one.place === name && one.direction === direction);
    const most = (pick: (key: KeyHeat) => number): number => Math.max(0, ...keys.map(pick));
    return [
      ["write units at peak", unitsText(load.write.peak)],
      ["read units at peak", unitsText(load.read.peak)],
      ["hottest key, writes", unitsText(most(({ write }) => write.units))],
      ["hottest key, reads", unitsText(most(({ read }) => read.units))],
      [
        "shards needed",
        numberText(
          Math.max(
            1,
            most(({ shards }) => shards.needed),
          ),
        ),
      ],
      ["writes throttled", shareText(flow("write")?.throttledShare ?? 0)],
      ["reads throttled", shareText(flow("read")?.throttledShare ?? 0)],
      ["hottest partition, writes", shareText(flow("write")?.hottestShare ?? 0)],
    ] as const;
  });
  const labels = (figures[0] ?? figures[1] ?? []).map(([label]) => label);
  return labels.map((label, i) => [
    i === 0 ? name : "",
    label,
    figures[0]?.[i]?.[1] ?? "-",
    figures[1]?.[i]?.[1] ?? "-",
  ]);
}
