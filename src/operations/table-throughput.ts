import * as errors from "../api/errors/table.ts";
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
  return { read: request.ReadCapacityUnits, write: request.WriteCapacityUnits, decreasesToday: 0 };
}

export function checkCapacityBounds(request: ProvisionedThroughput, index?: string): void {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = request;
  if (read > capacityUnitsMax) throw errors.capacityOutOfBounds("ReadCapacityUnits", read, index);
  if (write > capacityUnitsMax) {
    throw errors.capacityOutOfBounds("WriteCapacityUnits", write, index);
  }
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
    if (provisioned === undefined) throw errors.indexThroughputMissing([name]);
    checkCapacityBounds(provisioned, name);
  }
}

const onDemandMembers = ["MaxReadRequestUnits", "MaxWriteRequestUnits"] as const;

type OnDemandRefusal = (member: (typeof onDemandMembers)[number]) => Error;

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
    for (const member of onDemandMembers) if (request[member] !== undefined) throw refusal(member);
  }
  for (const member of onDemandMembers) {
    const value = request[member];
    if (value === undefined || value >= 1) continue;
    if (options.removable && value === -1) continue;
    throw errors.onDemandLimitOutOfRange(member, options.index);
  }
}

/** The limits after a request: what it leaves out stays, -1 takes a limit away. */
export function mergeOnDemand(
  current: OnDemandLimits | undefined,
  request: OnDemandThroughput | undefined,
): OnDemandLimits | undefined {
  const read = request?.MaxReadRequestUnits ?? current?.read ?? -1;
  const write = request?.MaxWriteRequestUnits ?? current?.write ?? -1;
  if (read === -1 && write === -1) return undefined;
  return { ...(read === -1 ? {} : { read }), ...(write === -1 ? {} : { write }) };
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

/** Warm throughput never falls: neither a request nor a change of mode takes any away. */
export function raiseWarm(
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
