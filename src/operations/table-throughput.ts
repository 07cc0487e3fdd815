import * as errors from "../api/errors/throughput.ts";
import {
  decreaseEveryMinutes,
  decreasesAtOnceMax,
  modeSwitchesHours,
  modeSwitchesMax,
} from "../api/limits.ts";
import type {
  OnDemandThroughput,
  ProvisionedThroughput,
  WarmThroughput as WarmRequest,
} from "../api/requests/shared.ts";
import type {
  BillingMode,
  OnDemandLimits,
  Throughput,
  WarmThroughput,
} from "../engine/descriptor.ts";

export const capacityUnitsMax = 1_000_000_000_000;

/** What an on-demand table or index serves from its first second. */
const onDemandBaseline: WarmThroughput = { read: 12_000, write: 4_000 };

export const noThroughput: Throughput = { read: 0, write: 0, decreasesToday: 0 };

export function throughputOf(request: ProvisionedThroughput | undefined): Throughput {
  if (request === undefined) return noThroughput;
  return { ...unitsOf(request), decreasesToday: 0 };
}

export const unitsOf = (
  request: ProvisionedThroughput,
): { readonly read: number; readonly write: number } => ({
  read: request.ReadCapacityUnits,
  write: request.WriteCapacityUnits,
});

export function checkCapacityBounds(request: ProvisionedThroughput, index?: string): void {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = request;
  if (read > capacityUnitsMax) throw errors.capacityOutOfBounds("ReadCapacityUnits", read, index);
  if (write > capacityUnitsMax) {
    throw errors.capacityOutOfBounds("WriteCapacityUnits", write, index);
  }
}

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
const decreaseEveryMs = decreaseEveryMinutes * 60 * 1_000;

/** The service counts decreases per UTC day. */
export function decreasesToday(throughput: Throughput, now: number): number {
  const last = throughput.lastDecreaseAt;
  if (last === undefined || Math.floor(last / dayMs) !== Math.floor(now / dayMs)) return 0;
  return throughput.decreasesToday;
}

/**
 * Throughput may rise at any time; after some decreases in a day the next have to wait, for an hour or
 * for the next day. So there are at most 27 in a day.
 */
export function changeThroughput(
  current: Throughput,
  request: ProvisionedThroughput,
  now: number,
): Throughput {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = request;
  const rises = read > current.read || write > current.write;
  const falls = read < current.read || write < current.write;
  const today = decreasesToday(current, now);
  const last = current.lastDecreaseAt;
  if (falls && today >= decreasesAtOnceMax && last !== undefined && now < last + decreaseEveryMs) {
    throw errors.tooManyDecreases({
      today,
      free: decreasesAtOnceMax,
      everySeconds: decreaseEveryMs / 1_000,
      lastAt: last,
      nextAt: Math.min(last + decreaseEveryMs, (Math.floor(now / dayMs) + 1) * dayMs),
    });
  }
  return {
    ...current,
    read,
    write,
    decreasesToday: falls ? today + 1 : today,
    ...(rises && { lastIncreaseAt: now }),
    ...(falls && { lastDecreaseAt: now }),
  };
}

/** What the answer to the change shows: the old figures, and when they were last changed. */
export const announcedThroughput = (
  before: Throughput,
  after: Throughput,
  now: number,
): Throughput => ({
  ...after,
  read: before.read,
  write: before.write,
  decreasesToday: decreasesToday(before, now),
});

/** The switches that count after one more, at `now`. */
export function switchToOnDemand(before: readonly number[] = [], now: number): readonly number[] {
  const recent = before.filter((at) => at > now - modeSwitchesHours * hourMs);
  const [first] = recent;
  if (recent.length >= modeSwitchesMax && first !== undefined) {
    const next = first + modeSwitchesHours * hourMs;
    const last = recent.at(-1) ?? first;
    throw errors.tooManySwitches(modeSwitchesMax, modeSwitchesHours / 24, last, next);
  }
  return [...recent, now];
}

interface IndexThroughputRequest {
  readonly IndexName: string;
  readonly ProvisionedThroughput?: ProvisionedThroughput;
  readonly OnDemandThroughput?: OnDemandThroughput;
}

/** Of an index that is to be made. */
export function checkIndexThroughput(
  index: IndexThroughputRequest,
  billingMode: BillingMode,
): void {
  const { IndexName: name, ProvisionedThroughput: provisioned } = index;
  if (billingMode === "PAY_PER_REQUEST") {
    if (provisioned !== undefined) throw errors.indexThroughputWithOnDemand(name);
  } else {
    if (provisioned === undefined) throw errors.firstIndexThroughputMissing(name);
    checkCapacityBounds(provisioned, name);
  }
}

const onDemandMembers = ["MaxReadRequestUnits", "MaxWriteRequestUnits"] as const;

type OnDemandRefusal = (member: (typeof onDemandMembers)[number], index?: string) => Error;

/**
 * `removable`: -1 takes a limit away, which only an update may say. A provisioned table has no such
 * limits; `refusal` words it.
 */
export function checkOnDemand(
  request: OnDemandThroughput | undefined,
  billingMode: BillingMode,
  refusal: OnDemandRefusal,
  options: { readonly removable: boolean; readonly index?: string },
): void {
  if (request === undefined) return;
  if (billingMode === "PROVISIONED") {
    for (const member of onDemandMembers) {
      if (request[member] !== undefined) throw refusal(member, options.index);
    }
  }
  for (const member of onDemandMembers) {
    const value = request[member];
    if (value === undefined || value >= 1) continue;
    if (options.removable && value === -1) continue;
    throw errors.onDemandLimitOutOfRange(member, options.index);
  }
}

/** The limits of something new. */
export function onDemandOf(request: OnDemandThroughput | undefined): {
  readonly onDemand?: OnDemandLimits;
} {
  return limits(request?.MaxReadRequestUnits, request?.MaxWriteRequestUnits);
}

function limits(
  read: number | undefined,
  write: number | undefined,
): { readonly onDemand?: OnDemandLimits } {
  if (read === undefined && write === undefined) return {};
  return {
    onDemand: { ...(read !== undefined && { read }), ...(write !== undefined && { write }) },
  };
}

/**
 * A table or index with its limits after a request: what the request leaves out stays, -1 takes a
 * limit away (and is shown as -1 in the answer), and a provisioned table has none.
 */
export function withOnDemand<T extends { readonly onDemand?: OnDemandLimits }>(
  of: T,
  before: OnDemandLimits | undefined,
  request: OnDemandThroughput | undefined,
  mode: BillingMode,
  form: "stored" | "shown",
): Omit<T, "onDemand"> & { readonly onDemand?: OnDemandLimits } {
  const { onDemand: _, ...rest } = of;
  if (mode === "PROVISIONED") return rest;
  const merge = (asked: number | undefined, known: number | undefined) => {
    const value = asked ?? known;
    return form === "stored" && value === -1 ? undefined : value;
  };
  return {
    ...rest,
    ...limits(
      merge(request?.MaxReadRequestUnits, before?.read),
      merge(request?.MaxWriteRequestUnits, before?.write),
    ),
  };
}

/** What a table or index of this mode and throughput serves without having been warmed. */
function baseline(billingMode: BillingMode, throughput: Throughput | undefined): WarmThroughput {
  if (billingMode === "PAY_PER_REQUEST") return onDemandBaseline;
  return { read: throughput?.read ?? 0, write: throughput?.write ?? 0 };
}

/** A table or an index, as far as its throughput goes. */
export interface Warmed {
  readonly throughput?: Throughput;
  readonly warm?: WarmThroughput;
}

export function warmThroughput(billingMode: BillingMode, of: Warmed): WarmThroughput {
  const base = baseline(billingMode, of.throughput);
  if (of.warm === undefined) return base;
  return { read: Math.max(base.read, of.warm.read), write: Math.max(base.write, of.warm.write) };
}

/** The warm throughput of something new: no less than it starts with anyway. */
export function startWarm(
  billingMode: BillingMode,
  throughput: Throughput,
  request: WarmRequest,
  index?: string,
): WarmThroughput {
  const base = baseline(billingMode, throughput);
  const read = request.ReadUnitsPerSecond ?? base.read;
  const write = request.WriteUnitsPerSecond ?? base.write;
  if (read < base.read) {
    throw errors.warmThroughputBelowStart("ReadUnitsPerSecond", billingMode, index);
  }
  if (write < base.write) {
    throw errors.warmThroughputBelowStart("WriteUnitsPerSecond", billingMode, index);
  }
  return { read, write };
}

/** Warm throughput never falls: neither a request nor a change of mode takes any away. */
function raiseWarm(
  current: WarmThroughput,
  request: WarmRequest | undefined,
  index?: string,
): WarmThroughput {
  const read = request?.ReadUnitsPerSecond ?? current.read;
  const write = request?.WriteUnitsPerSecond ?? current.write;
  if (read < current.read) throw errors.warmThroughputLowered("ReadUnitsPerSecond", index);
  if (write < current.write) throw errors.warmThroughputLowered("WriteUnitsPerSecond", index);
  return { read, write };
}

/**
 * The warm throughput of a table or index that goes from one mode and throughput to another. Only
 * what does not follow from the new mode is kept.
 */
export function raisedWarm(
  modeBefore: BillingMode,
  before: Warmed,
  mode: BillingMode,
  throughput: Throughput,
  request: WarmRequest | undefined,
  index?: string,
): { readonly warm?: WarmThroughput } {
  const warm = raiseWarm(warmThroughput(modeBefore, before), request, index);
  const base = baseline(mode, throughput);
  const follows = warm.read <= base.read && warm.write <= base.write;
  return follows && before.warm === undefined ? {} : { warm };
}
