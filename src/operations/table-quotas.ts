import * as errors from "../api/errors/throughput.ts";
import { accountCapacityUnitsMax, tableCapacityUnitsMax } from "../api/limits.ts";
import { isGone } from "../engine/catalog.ts";
import type { IndexDescriptor, OnDemandLimits, TableDescriptor } from "../engine/descriptor.ts";
import type { Context } from "./operation.ts";

interface Units {
  readonly read: number;
  readonly write: number;
}

const directions = ["read", "write"] as const;
export const noUnits: Units = { read: 0, write: 0 };

const member = {
  capacity: { read: "ReadCapacityUnits", write: "WriteCapacityUnits" },
  onDemand: { read: "MaxReadRequestUnits", write: "MaxWriteRequestUnits" },
  warm: { read: "ReadUnitsPerSecond", write: "WriteUnitsPerSecond" },
} as const;

/** A table or an index, as far as quotas go. */
type Limited = Pick<TableDescriptor | IndexDescriptor, "throughput" | "onDemand" | "warm">;

/** What was within the quota, or was already beyond it, may stay. */
export function checkTableQuotas(
  table: TableDescriptor,
  before: TableDescriptor | undefined,
  region: string,
): void {
  checkQuotas(table, before, region, undefined);
  for (const index of table.indexes) {
    const known = before?.indexes.find((one) => one.id === index.id);
    checkQuotas(index, known, region, index.name);
  }
}

function checkQuotas(
  of: Limited,
  before: Limited | undefined,
  region: string,
  index: string | undefined,
): void {
  for (const direction of directions) {
    const requested = of.throughput?.[direction] ?? 0;
    if (exceeds(direction, of.throughput, before?.throughput)) {
      const name = member.capacity[direction];
      throw errors.tableQuotaExceeded(name, requested, tableCapacityUnitsMax, region, index);
    }
    if (exceeds(direction, of.onDemand, before?.onDemand)) {
      throw errors.onDemandLimitAboveQuota(member.onDemand[direction], region, index);
    }
    if (exceeds(direction, of.warm, before?.warm)) {
      throw errors.warmThroughputAboveQuota(member.warm[direction], region, index);
    }
  }
}

function exceeds(
  direction: "read" | "write",
  units: OnDemandLimits | undefined,
  before: OnDemandLimits | undefined,
): boolean {
  const asked = units?.[direction] ?? 0;
  return asked > tableCapacityUnitsMax && asked > (before?.[direction] ?? 0);
}

/** What a table and its global indexes have reserved; on-demand ones have no units. */
function reservedBy(table: TableDescriptor | undefined): Units {
  if (table === undefined) return noUnits;
  let { read, write } = table.throughput;
  for (const { throughput } of table.indexes) {
    read += throughput?.read ?? 0;
    write += throughput?.write ?? 0;
  }
  return { read, write };
}

const listChunk = 1_000;

/** What all other tables of the account and Region have reserved. */
export async function reservedByOthers(context: Context, name: string): Promise<Units> {
  const { catalog, clock } = context.database;
  let { read, write } = noUnits;
  let after: string | undefined;
  for (;;) {
    const names = await catalog.names(context.namespace, after, listChunk);
    for (const other of names) {
      if (other === name) continue;
      const table = await catalog.find(context.namespace, other);
      if (table === undefined || isGone(table, clock.now())) continue;
      const reserved = reservedBy(table);
      read += reserved.read;
      write += reserved.write;
    }
    if (names.length < listChunk) return { read, write };
    after = names.at(-1);
  }
}

/** Tables that grow at the same moment do not see each other: together they may pass the limit. */
export function checkAccountQuota(
  others: Units,
  before: TableDescriptor | undefined,
  table: TableDescriptor,
  region: string,
): void {
  const old = reservedBy(before);
  const asked = reservedBy(table);
  for (const direction of directions) {
    const growth = asked[direction] - old[direction];
    const reserved = others[direction] + old[direction];
    if (growth <= 0 || reserved + growth <= accountCapacityUnitsMax) continue;
    throw errors.accountQuotaExceeded(
      member.capacity[direction],
      reserved,
      growth,
      accountCapacityUnitsMax,
      region,
    );
  }
}
