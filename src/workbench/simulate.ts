import { emptyRecord } from "../base/record.ts";
import { CapacityHistory } from "../capacity/history.ts";
import type { ThroughputReport } from "../capacity/report.ts";
import { TableThroughput } from "../capacity/table-throughput.ts";
import { reasonOf, type Throttle, type ThrottlingReason } from "../capacity/throttling.ts";
import type { ThroughputSettings } from "../capacity/throughput.ts";
import type { Position } from "../partitions/position.ts";
import { Keys, RunningStream } from "./simulate-stream.ts";
import type { Workload } from "./simulate-workload.ts";

/** One way in which requests were refused. */
export interface ThrottleReport extends Throttle {
  readonly reason: ThrottlingReason;
  requests: number;
  /** Milliseconds since the epoch. */
  readonly first: number;
  last: number;
}

export interface StreamReport {
  readonly name: string;
  readonly operation: string;
  readonly requests: number;
  readonly throttled: number;
}

export interface Simulation {
  readonly workload: Workload;
  readonly requests: number;
  readonly throttled: number;
  readonly streams: readonly StreamReport[];
  readonly throttles: readonly ThrottleReport[];
  readonly throughput: ThroughputReport;
  readonly history: CapacityHistory;
}

/** Called now and then with the share that is done, from 0 to 1. */
export type Progress = (done: number, requests: number) => void;

const stepsWanted = 240;
/** Lengths of a step in seconds; up to a minute they divide it. */
const stepLengths = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600];

/** Runs a workload on a model of a table, in simulated time. */
export function simulate(workload: Workload, progress: Progress = () => {}): Simulation {
  const { start, durationMs, seed, traffic, bytes } = workload;
  const table = tableOf(workload);
  const keys = new Keys(traffic);
  const streams = traffic.map((stream, i) => new RunningStream(stream, i, keys, seed, bytes));
  const history = new CapacityHistory(table, start, stepOf(durationMs));
  const throttles = new Map<Throttle, ThrottleReport>();
  for (;;) {
    const stream = nextOf(streams);
    const now = Math.floor(start + stream.next);
    while (history.until <= now && history.until <= start + durationMs) {
      history.sample();
      progress((history.until - start) / durationMs, sum(streams, "requests"));
    }
    if (stream.next >= durationMs) break;
    const throttle = stream.request(table, now);
    if (throttle !== undefined) count(throttles, throttle, now);
  }
  const end = start + durationMs;
  if (end > history.until - history.stepMs) history.sample();
  return {
    workload,
    requests: sum(streams, "requests"),
    throttled: sum(streams, "throttled"),
    streams: streams.map(({ stream: { name, operation }, requests, throttled }) => ({
      name,
      operation,
      requests,
      throttled,
    })),
    throttles: [...throttles.values()].sort((a, b) => b.requests - a.requests),
    throughput: reportWithNames(table, end, keys),
    history,
  };
}

function tableOf({ table, bytes, start, scale = 1 }: Workload): TableThroughput {
  const indexes = emptyRecord<ThroughputSettings>();
  for (const { name, kind, settings } of table.indexes) {
    if (kind === "global") indexes[name] = settings;
  }
  const localIndex = table.indexes.some(({ kind }) => kind === "local");
  const { settings } = table;
  return new TableThroughput({ settings, indexes, localIndex, bytes, scale, now: start });
}

function stepOf(durationMs: number): number {
  const seconds = durationMs / 1_000 / stepsWanted;
  const length = stepLengths.find((one) => one >= seconds) ?? Math.ceil(seconds / 3_600) * 3_600;
  return length * 1_000;
}

function nextOf(streams: readonly RunningStream[]): RunningStream {
  let first = streams[0] as RunningStream;
  for (let i = 1; i < streams.length; i += 1) {
    const other = streams[i] as RunningStream;
    if (other.next < first.next) first = other;
  }
  return first;
}

function sum(streams: readonly RunningStream[], what: "requests" | "throttled"): number {
  return streams.reduce((total, stream) => total + stream[what], 0);
}

function count(throttles: Map<Throttle, ThrottleReport>, throttle: Throttle, now: number): void {
  const known = throttles.get(throttle);
  if (known !== undefined) {
    known.requests += 1;
    known.last = now;
    return;
  }
  throttles.set(throttle, {
    ...throttle,
    reason: reasonOf(throttle),
    requests: 1,
    first: now,
    last: now,
  });
}

/** Twice: to see which keys it is about, and with their names. */
function reportWithNames(table: TableThroughput, end: number, keys: Keys): ThroughputReport {
  const wanted = new Set<number>();
  table.report(end, ({ hash }) => {
    wanted.add(hash);
    return undefined;
  });
  for (const { source } of keys.sources) source.learn(wanted);
  return table.report(end, (position, index) => nameOf(keys, position, index));
}

function nameOf(
  keys: Keys,
  { hash, sort }: Position,
  index: string | undefined,
): string | undefined {
  const key = keys.sources.find(
    (one) => one.index === index && one.source.name(hash) !== undefined,
  );
  const name = key?.source.name(hash);
  if (name === undefined || sort.length === 0) return name;
  for (const one of keys.sorts) {
    const sortName = one.index === index ? one.source.name(sort) : undefined;
    if (sortName !== undefined) return `${name} · ${sortName}`;
  }
  return name;
}
