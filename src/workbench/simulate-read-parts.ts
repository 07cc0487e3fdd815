import { durationMs } from "../document/measures.ts";
import type { Draw, PartitionKeys, RatePoint, SortKeys } from "./simulate-workload.ts";

type Complain = (path: readonly (string | number)[], message: string) => void;

interface DrawDocument {
  readonly fixed?: string;
  readonly uniform?: number;
  readonly zipf?: { readonly count: number; readonly exponent?: number };
  readonly hot?: { readonly count: number; readonly keys?: number; readonly share: number };
  readonly weights?: Readonly<Record<string, number>>;
  readonly date?: "day" | "hour";
  readonly rising?: true;
  readonly prefix?: string;
  readonly shards?: { readonly count: number; readonly by: "random" | "calculated" };
}

export function readKeys(
  document: Readonly<Record<string, unknown>>,
  defaultPrefix: string,
  complain: Complain,
): PartitionKeys {
  const { date, prefix = defaultPrefix, shards } = document as DrawDocument;
  return {
    draw: date === undefined ? readDraw(document, complain) : { kind: "date", every: date },
    prefix,
    shards,
  };
}

export function readSort(
  document: Readonly<Record<string, unknown>>,
  defaultPrefix: string,
  complain: Complain,
): SortKeys {
  const { prefix = defaultPrefix } = document as DrawDocument;
  const draw =
    "rising" in document || "falling" in document
      ? ({ kind: "rising" in document ? "rising" : "falling" } as const)
      : readDraw(document, complain);
  return { draw, prefix };
}

function readDraw(document: Readonly<Record<string, unknown>>, complain: Complain): Draw {
  const { fixed, uniform, zipf, hot, weights = {} } = document as DrawDocument;
  if (fixed !== undefined) return { kind: "fixed", name: fixed };
  if (uniform !== undefined) return { kind: "uniform", count: uniform };
  if (zipf !== undefined) return { kind: "zipf", exponent: 1, ...zipf };
  if (hot !== undefined) {
    const { count, keys = 1, share } = hot;
    if (keys > count) complain(["hot", "keys"], "is more than there are");
    return { kind: "hot", count, keys, share };
  }
  const entries = Object.entries(weights);
  if (entries.every(([, weight]) => weight === 0)) complain(["weights"], "are all 0");
  return { kind: "weights", weights: new Map(entries) };
}

interface RateDocument {
  readonly steps?: readonly TimedRate[];
  readonly points?: readonly TimedRate[];
  readonly ramp?: { readonly from: number; readonly to: number };
}

interface TimedRate {
  readonly at: number | string;
  readonly rate: number;
}

/** The rate over time, from the beginning of the stream to its end. */
export function readRate(
  document: unknown,
  from: number,
  until: number,
  complain: Complain,
): readonly RatePoint[] {
  const end: RatePoint = { atMs: until, rate: 0, endRate: 0 };
  if (typeof document === "number") {
    return [{ atMs: from, rate: document, endRate: document }, end];
  }
  const { steps, points, ramp } = document as RateDocument;
  if (ramp !== undefined) return [{ atMs: from, rate: ramp.from, endRate: ramp.to }, end];
  const name = steps === undefined ? "points" : "steps";
  const list = (steps ?? points ?? []).map(({ at, rate }) => ({ atMs: durationMs(at), rate }));
  for (const [i, { atMs }] of list.entries()) {
    const path = ["rate", name, i, "at"];
    if (i > 0 && atMs <= (list[i - 1]?.atMs ?? 0)) complain(path, "is not after the one before");
    if (atMs < from || atMs > until) complain(path, "is not within the stream");
  }
  const rates = list.map(({ atMs, rate }, i) => ({
    atMs,
    rate,
    endRate: steps === undefined ? (list[i + 1]?.rate ?? rate) : rate,
  }));
  return [...rates, end];
}
