import type { LoadResult, PhaseResult } from "./load.ts";
import type { Measurement } from "./phase.ts";
import { advantage, type Better, medianOf } from "./statistics.ts";
import { figure, renderTable, times } from "./table.ts";

interface Metric {
  readonly title: string;
  readonly better: Better;
  readonly value: (measured: Measurement) => number | undefined;
}

const metrics: readonly Metric[] = [
  { title: "Requests per second", better: "higher", value: (m) => m.perSecond },
  {
    title: "Server CPU, µs per request",
    better: "lower",
    value: (m) => m.cpuUsPerRequest,
  },
  { title: "Latency p50, ms", better: "lower", value: (m) => m.p50Ms },
  { title: "Latency p99, ms", better: "lower", value: (m) => m.p99Ms },
];

/** Above this share of a core the driver slows the server down. */
const driverCpuMax = 0.9;

/** The tables of a run in Markdown. */
export function reportLoad(result: LoadResult): string {
  const parts = metrics.map((metric) => `**${metric.title}**\n\n${metricTable(result, metric)}`);
  parts.push(`**Memory at the end, MB**\n\n${memoryTable(result)}`);
  const remarks = [...result.remarks, ...troubles(result.phases)];
  if (remarks.length > 0) parts.push(remarks.map((text) => `- ${text}`).join("\n"));
  return parts.join("\n\n");
}

/** One row per operation and number of connections; a ratio above 1 always speaks for ours. */
export function metricTable({ targets, phases }: LoadResult, metric: Metric): string {
  const ours = targets.filter((target) => target.ours);
  const peers = targets.filter((target) => !target.ours);
  const shown = (label: string): string =>
    ours.length === 1 ? "vs best peer" : `${label} vs best peer`;
  const header = [
    "operation",
    "connections",
    ...targets.map(({ label }) => label),
    ...(peers.length === 0 ? [] : ours.map(({ label }) => shown(label))),
  ];
  const rows = cases(phases).map((same) => {
    const [{ operation, connections }] = same as [PhaseResult];
    const valueAt = (label: string): number | undefined =>
      medianOf(
        same.filter(({ target }) => target === label),
        ({ measured }) => (measured === undefined ? undefined : metric.value(measured)),
      );
    const rivals = peers.map(({ label }) => valueAt(label));
    return [
      operation,
      String(connections),
      ...targets.map(({ label }) => figure(valueAt(label))),
      ...(peers.length === 0
        ? []
        : ours.map(({ label }) => times(advantage(valueAt(label), rivals, metric.better)))),
    ];
  });
  return renderTable(header, rows);
}

/** Phases of the same operation and connections, whatever their target and round. */
function cases(phases: readonly PhaseResult[]): PhaseResult[][] {
  const groups = new Map<string, PhaseResult[]>();
  for (const phase of phases) {
    const name = `${phase.operation} ${phase.connections}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [phase]);
    else group.push(phase);
  }
  return [...groups.values()];
}

function memoryTable({ targets, phases }: LoadResult): string {
  const rows = targets.map(({ label, keeps }) => {
    const last = phases.filter(({ target, measured }) => target === label && measured).at(-1);
    return [label, keeps, figure(last?.measured?.residentMegabytes)];
  });
  return renderTable(["target", "an acknowledged write is", "resident"], rows, 2);
}

export function troubles(phases: readonly PhaseResult[]): string[] {
  const texts = new Set<string>();
  for (const { target, operation, connections, unsupported, measured } of phases) {
    if (unsupported !== undefined) texts.add(`${target} does not do ${operation}: ${unsupported}`);
    if (measured !== undefined && measured.driverCpu > driverCpuMax) {
      texts.add(
        `The driver itself was at its limit with ${target}, ${operation} at ${connections} connections: ` +
          "requests per second may be too low, CPU per request is right.",
      );
    }
    if (measured !== undefined && measured.errors > 0) {
      texts.add(
        `${target} refused ${measured.errors} requests of ${operation} at ${connections} connections.`,
      );
    }
  }
  return [...texts];
}
