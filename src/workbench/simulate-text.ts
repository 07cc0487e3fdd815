import { adviceOn } from "../capacity/advice.ts";
import { eventText } from "../capacity/event-text.ts";
import type { FlowReport, ResourceReport } from "../capacity/report.ts";
import { type Direction, directions } from "../capacity/throughput.ts";
import type { CapacityEvent } from "../capacity/timeline.ts";
import type { Simulation, ThrottleReport } from "./simulate.ts";

const eventsMax = 12;
const width = 100;

/** The result of a simulation on one screen: the verdict first. */
export function simulationText(simulation: Simulation): string {
  const { throttles } = simulation;
  const parts = [
    verdict(simulation),
    table([
      ["", "", "mean/s", "peak/s", "limit/s", "units", "requests", "throttled", "partitions"],
      ...simulation.throughput.resources.flatMap((one) => resourceRows(simulation, one)),
    ]),
  ];
  if (simulation.streams.length > 1) parts.push(streamTable(simulation));
  if (throttles.length > 0) {
    parts.push(
      ["Throttled", ...throttles.flatMap((one) => throttleLines(simulation, one))].join("\n"),
    );
  }
  const events = eventLines(simulation);
  if (events.length > 0) parts.push(["Events", ...events].join("\n"));
  return `${parts.join("\n\n")}\n`;
}

function verdict(simulation: Simulation): string {
  const { workload, requests } = simulation;
  const { title, durationMs, seed } = workload;
  return `${title}: ${verdictText(simulation)}\n${count(requests)} requests in ${clock(durationMs)} (seed ${seed}).`;
}

/** One sentence. */
export function verdictText({ requests, throttled }: Simulation): string {
  if (throttled === 0) return "nothing was throttled.";
  const share = percent(throttled, requests);
  return `${share} of the requests were throttled, ${count(throttled)} of ${count(requests)}.`;
}

function resourceRows(simulation: Simulation, resource: ResourceReport): string[][] {
  const name = resource.index ?? simulation.workload.table.name;
  const history = simulation.history.resources.find(({ index }) => index === resource.index);
  const there = resource.partitions.filter(({ until }) => until === undefined).length;
  const first = resource.partitions.filter(({ parent }) => parent === undefined).length;
  const rows: string[][] = [];
  for (const direction of directions) {
    const flow = resource[direction];
    if (flow.requests + flow.throttledRequests === 0) continue;
    const seconds = simulation.workload.durationMs / 1_000;
    const peak = Math.max(0, ...(history?.[direction].consumed ?? []));
    rows.push([
      `${name}, ${direction}s`,
      resource.settings.mode,
      count(flow.units / seconds),
      count(peak),
      limit(resource, direction),
      count(flow.units),
      count(flow.requests + flow.throttledRequests),
      throttledText(flow),
      first === there ? count(there) : `${count(first)} → ${count(there)}`,
    ]);
  }
  return rows;
}

function limit({ settings, available }: ResourceReport, direction: Direction): string {
  const maximum = settings.mode === "on-demand" ? settings.maximum?.[direction] : undefined;
  return count(maximum ?? available[direction]);
}

function throttledText({ throttledRequests, requests }: FlowReport): string {
  if (throttledRequests === 0) return "0";
  return `${count(throttledRequests)} (${percent(throttledRequests, requests + throttledRequests)})`;
}

function streamTable({ streams }: Simulation): string {
  return table([
    ["Traffic", "operation", "requests", "throttled"],
    ...streams.map(({ name, operation, requests, throttled }) => [
      name,
      operation,
      count(requests),
      throttled === 0 ? "0" : `${count(throttled)} (${percent(throttled, requests)})`,
    ]),
  ]);
}

function throttleLines(simulation: Simulation, throttle: ThrottleReport): string[] {
  const { workload, throughput } = simulation;
  const { reason, index, requests, first, last, limit: kind, direction } = throttle;
  const resource = throughput.resources.find((one) => one.index === index);
  const when = `${clock(first - workload.start)} to ${clock(last - workload.start)}`;
  const place = index === undefined ? "" : ` (index ${index})`;
  const lines = [`  ${reason}${place}: ${count(requests)} requests, ${when}`];
  if (resource === undefined) return lines;
  const hottest = [...resource.partitions].sort(
    (a, b) => b[direction].throttledRequests - a[direction].throttledRequests,
  )[0];
  const keys = (hottest?.keys ?? []).filter(({ percent: share }) => share >= 5).slice(0, 3);
  if (kind === "KeyRangeThroughputExceeded" && keys.length > 0) {
    const named = keys.map(({ key, percent: share }) => `${key} (${share} %)`).join(", ");
    lines.push(`    Partition ${hottest?.id} most, and there: ${named}`);
  }
  return [...lines, ...wrap(adviceOn(kind, direction, resource, throughput.events), "    → ")];
}

/** Splits, scaling, and what could not be split; the rest is in the report. */
function eventLines({ workload, throughput }: Simulation): string[] {
  const worth = throughput.events.filter(
    (event) => event.kind !== "throttle" && event.kind !== "borrow",
  );
  const many = throughput.resources.length > 1;
  const lines = worth.slice(0, eventsMax).flatMap((event) => {
    const name = many ? `${event.index ?? workload.table.name}: ` : "";
    return wrap(name + eventText(event), `  ${clock(event.at - workload.start)}  `);
  });
  const more = worth.length - eventsMax;
  if (more > 0) lines.push(`  … and ${more} more (--out FILE has them all)`);
  const borrowed = new Set(throughput.events.filter(isBorrow).map(placeOf)).size;
  if (borrowed > 0) {
    lines.push(
      `  ${borrowed} ${borrowed === 1 ? "partition" : "partitions"} used what others left (adaptive capacity)`,
    );
  }
  return lines;
}

function isBorrow(event: CapacityEvent): event is CapacityEvent & { kind: "borrow" } {
  return event.kind === "borrow";
}

function placeOf({ index, partition }: { index: string | undefined; partition: number }): string {
  return JSON.stringify([index, partition]);
}

/** Columns side by side: the first two to the left, numbers to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Breaks a text at blanks; later lines begin where the first text did. */
function wrap(text: string, before: string): string[] {
  const lines: string[] = [];
  let line = before;
  for (const word of text.split(" ")) {
    if (line.length + word.length + 1 > width && line.trim() !== "") {
      lines.push(line.trimEnd());
      line = " ".repeat(before.length);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}

function count(value: number): string {
  const digits = value > 0 && value < 10 && !Number.isInteger(value) ? 1 : 0;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function percent(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const share = (100 * part) / whole;
  return share < 0.1 ? "less than 0.1 %" : `${share.toFixed(share < 10 ? 1 : 0)} %`;
}

/** Time since the beginning: h:mm:ss. */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3_600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}
