import type { Metric } from "prom-client";
import type { LatencySample, Measurement } from "../workbench/measurements.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { TextPage } from "./protocol.ts";

/**
 * The metrics in the text format of Prometheus. Its library is loaded when somebody asks for them
 * first: most servers are never asked.
 */
export async function metricsPage(workbench: Pick<Workbench, "measurements">): Promise<TextPage> {
  const { Registry } = await import("prom-client");
  const registry = new Registry();
  for (const measurement of await workbench.measurements()) {
    const family = familyOf(measurement);
    // The library's own metrics count by themselves; these were counted already.
    registry.registerMetric({ name: family.name, get: async () => family } as unknown as Metric);
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}

interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** What the library asks a metric for. */
interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly values: readonly Value[];
}

/** What CloudWatch does not know. */
const ownMetrics: ReadonlyMap<string, string> = new Map([
  ["StatementScans", "PartiQL statements that read a whole table or index"],
]);

function familyOf(measurement: Measurement): Family {
  const { name } = measurement;
  const help = ownMetrics.get(name) ?? `${name} as CloudWatch has it`;
  if (measurement.kind === "latency") {
    const own = `${prometheusName(name)}_seconds`;
    const values = measurement.samples.flatMap((sample) => bucketsOf(own, sample));
    return { name: own, help, type: "histogram", values };
  }
  const { kind, samples } = measurement;
  const suffix = kind === "counter" ? "_total" : "";
  return { name: prometheusName(name) + suffix, help, type: kind, values: samples };
}

/** `ConsumedReadCapacityUnits` is `dynamodb_consumed_read_capacity_units`. */
function prometheusName(name: string): string {
  return `dynamodb${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function bucketsOf(name: string, { labels, bounds, counts, sum }: LatencySample): Value[] {
  const values: Value[] = [];
  let below = 0;
  counts.forEach((count, i) => {
    below += count;
    const bound = bounds[i];
    const le = bound === undefined ? "+Inf" : bound / 1_000;
    values.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: below });
  });
  values.push({ metricName: `${name}_sum`, labels, value: sum / 1_000 });
  values.push({ metricName: `${name}_count`, labels, value: below });
  return values;
}
