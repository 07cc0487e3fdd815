import type { Charge, TableThroughput } from "../../src/capacity/table-throughput.ts";
import { reasonOf, type ThrottlingReason } from "../../src/capacity/throttling.ts";
import type { Direction } from "../../src/capacity/throughput.ts";
import { hashSpace, noSort, type Position } from "../../src/partitions/position.ts";

/** A key by its place in the hash space, and a sort key by number. */
export function key(share: number, sort?: number): Position {
  const hash = Math.floor(hashSpace * share);
  if (sort === undefined) return { hash, sort: noSort };
  const bytes = new Uint8Array(6);
  let rest = sort;
  for (let i = 5; i >= 0; i -= 1) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return { hash, sort: bytes };
}

/** Numbers from 0 to 1 that look random, one for each place in a row. */
export function spread(i: number): number {
  return (i * 0.618_033_988_749) % 1;
}

export interface Load {
  readonly direction?: Direction;
  /** Units per second, in requests of so many units. */
  readonly rate: number;
  readonly units?: number;
  readonly seconds: number;
  /** When it begins, in seconds. */
  readonly from?: number;
  /** Where the i-th request goes; nothing: spread over the whole space. */
  readonly at?: (i: number) => Position;
  /** All places of a request, if it has more than one. */
  readonly charges?: (i: number) => readonly Charge[];
}

export interface Outcome {
  /** Units that passed, second by second. */
  readonly passed: readonly number[];
  readonly throttled: readonly number[];
  readonly reasons: ReadonlyMap<ThrottlingReason, number>;
}

/** Sends requests at an even rate. */
export function run(table: TableThroughput, load: Load): Outcome {
  const { direction = "write", rate, units = 10, seconds, from = 0 } = load;
  const passed = new Array<number>(seconds).fill(0);
  const throttled = new Array<number>(seconds).fill(0);
  const reasons = new Map<ThrottlingReason, number>();
  const count = (rate * seconds) / units;
  for (let i = 0; i < count; i += 1) {
    const ms = Math.floor((i * units * 1_000) / rate);
    const second = Math.floor(ms / 1_000);
    const position = load.at?.(i) ?? key(spread(i));
    const charges = load.charges?.(i) ?? [{ index: undefined, position, units }];
    const throttle = table.admit(direction, charges, from * 1_000 + ms);
    const list = throttle === undefined ? passed : throttled;
    list[second] = (list[second] ?? 0) + units;
    if (throttle === undefined) continue;
    const reason = reasonOf(throttle);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return { passed, throttled, reasons };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
