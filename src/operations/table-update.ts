import * as errors from "../api/errors/table.ts";
import * as refusals from "../api/errors/throughput.ts";
import type { UpdateTableRequest } from "../api/requests/update-table.ts";
import {
  type BillingMode,
  type TableDescriptor,
  type TableStatus,
  tableStatus,
} from "../engine/descriptor.ts";
import type { Job } from "../engine/jobs.ts";
import { encryptionOf } from "./create-table.ts";
import type { IndexStatus } from "./table-description.ts";
import { type IndexCircumstances, updatedIndexes } from "./table-index-updates.ts";
import {
  announcedThroughput,
  changeThroughput,
  checkOnDemand,
  raisedWarm,
  switchToOnDemand,
  unitsOf,
  withOnDemand,
} from "./table-throughput.ts";

export interface UpdateCircumstances extends IndexCircumstances {
  readonly transitionMs: number;
}

export interface TableUpdate {
  readonly table: TableDescriptor;
  readonly job: Job | undefined;
  /** What the answer shows: the work is still to be done. */
  readonly shown: TableDescriptor;
  readonly status: TableStatus;
  readonly indexStatus: ReadonlyMap<string, IndexStatus>;
}

/** The table after the request, which was checked on its own. Throws to refuse. */
export function updatedTable(
  table: TableDescriptor,
  request: UpdateTableRequest,
  circumstances: UpdateCircumstances,
): TableUpdate {
  const { now, transitionMs } = circumstances;
  const mode = request.BillingMode ?? table.billingMode;
  checkStatus(table, request, now);
  if (mode === "PAY_PER_REQUEST" && request.ProvisionedThroughput !== undefined) {
    throw refusals.throughputWithOnDemand();
  }
  checkOnDemand(request.OnDemandThroughput, mode, refusals.onDemandLimitOfProvisionedTable, {
    removable: true,
  });
  const indexes = updatedIndexes(table, request, mode, circumstances);
  const status = makesBusy(request) ? "UPDATING" : "ACTIVE";
  const version = table.version + 1;
  const { transition: _, ...rest } = table;
  const base: TableDescriptor = {
    ...rest,
    version,
    ...updatedCapacity(table, request, mode, now),
    ...updatedProperties(table, request, now),
    ...(transitionMs > 0 &&
      status === "UPDATING" && { transition: { status: "UPDATING", until: now + transitionMs } }),
  };
  const updated = withEncryption(
    withOnDemand(base, table.onDemand, request.OnDemandThroughput, mode, "stored"),
    request,
  );
  const after: TableDescriptor = { ...updated, indexes: indexes.after };
  return {
    table: after,
    job: indexes.job?.(after),
    shown: {
      ...withoutSince(
        withOnDemand(updated, table.onDemand, request.OnDemandThroughput, mode, "shown"),
      ),
      ...(table.onDemandSince !== undefined && { onDemandSince: table.onDemandSince }),
      indexes: indexes.shown,
      throughput: shownThroughput(table, updated, now),
    },
    status,
    indexStatus: indexes.status,
  };
}

/** Other changes are made while the table stays active. */
function makesBusy(request: UpdateTableRequest): boolean {
  return (
    request.ProvisionedThroughput !== undefined ||
    request.BillingMode !== undefined ||
    request.TableClass !== undefined ||
    request.StreamSpecification !== undefined ||
    (request.GlobalSecondaryIndexUpdates ?? []).some((update) => update.Update === undefined)
  );
}

/** The moment of a switch to on-demand is told when the switch is done. */
function withoutSince({ onDemandSince: _, ...table }: TableDescriptor): TableDescriptor {
  return table;
}

/** A change of units takes effect later than the answer; a change of mode does not. */
function shownThroughput(
  before: TableDescriptor,
  after: TableDescriptor,
  now: number,
): TableDescriptor["throughput"] {
  if (after.billingMode === before.billingMode) {
    return announcedThroughput(before.throughput, after.throughput, now);
  }
  // That the units fell to nothing is told in this one answer only.
  if (after.billingMode === "PAY_PER_REQUEST") return { ...after.throughput, lastDecreaseAt: now };
  return after.throughput;
}

/** While an index is being filled, the only change allowed is to give it up. */
function checkStatus(table: TableDescriptor, request: UpdateTableRequest, now: number): void {
  const status = tableStatus(table, now);
  if (status === "ACTIVE") return;
  if (status === "CREATING") throw errors.tableBeingCreated(table.name);
  if (status === "DELETING") throw errors.tableBeingDeleted(table.name);
  const inTransition = table.transition !== undefined && now < table.transition.until;
  const updates = request.GlobalSecondaryIndexUpdates ?? [];
  const filling = table.indexes.find((index) => !index.ready);
  if (inTransition || filling === undefined) throw errors.tableBeingUpdated(table.name);
  if (updates.some((update) => update.Delete?.IndexName === filling.name)) return;
  if (updates.some((update) => update.Update === undefined)) throw errors.oneIndexAtATime();
  throw errors.tableBeingUpdated(table.name);
}

type Capacity = Pick<
  TableDescriptor,
  "billingMode" | "onDemandSince" | "modeSwitches" | "throughput" | "warm"
>;

function updatedCapacity(
  table: TableDescriptor,
  request: UpdateTableRequest,
  mode: BillingMode,
  now: number,
): Capacity {
  const { ProvisionedThroughput: requested } = request;
  const switches = mode !== table.billingMode;
  let { throughput } = table;
  if (requested !== undefined) {
    const same =
      requested.ReadCapacityUnits === throughput.read &&
      requested.WriteCapacityUnits === throughput.write;
    if (same) throw refusals.throughputUnchanged(throughput);
    // Neither counts as an increase nor as a decrease what comes with a change of mode.
    throughput = switches
      ? { ...throughput, ...unitsOf(requested) }
      : changeThroughput(throughput, requested, now);
  } else if (switches) throughput = { ...throughput, read: 0, write: 0 };
  return {
    billingMode: mode,
    ...(switches &&
      mode === "PAY_PER_REQUEST" && {
        onDemandSince: now,
        modeSwitches: switchToOnDemand(table.modeSwitches, now),
      }),
    throughput,
    ...raisedWarm(table.billingMode, table, mode, throughput, request.WarmThroughput),
  };
}

const tableClassChangesMax = 2;
const tableClassDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;

type Properties = Pick<
  TableDescriptor,
  "deletionProtection" | "tableClass" | "tableClassChangedAt" | "tableClassChangedBeforeAt"
>;

function updatedProperties(
  table: TableDescriptor,
  request: UpdateTableRequest,
  now: number,
): Partial<Properties> {
  const protection = request.DeletionProtectionEnabled;
  return {
    ...(protection !== undefined && { deletionProtection: protection }),
    ...updatedClass(table, request, now),
  };
}

function updatedClass(
  table: TableDescriptor,
  { TableClass: requested }: UpdateTableRequest,
  now: number,
): Partial<Properties> {
  if (requested === undefined || requested === (table.tableClass ?? "STANDARD")) return {};
  const { tableClassChangedAt: last, tableClassChangedBeforeAt: beforeLast } = table;
  if (beforeLast !== undefined && now - beforeLast < tableClassDays * dayMs) {
    throw errors.tooManyTableClassChanges(tableClassChangesMax, tableClassDays);
  }
  return {
    tableClass: requested,
    tableClassChangedAt: now,
    ...(last !== undefined && { tableClassChangedBeforeAt: last }),
  };
}

function withEncryption(table: TableDescriptor, request: UpdateTableRequest): TableDescriptor {
  if (request.SSESpecification === undefined) return table;
  if (request.SSESpecification.Enabled !== true && table.encryption === undefined) {
    throw errors.encryptedByDefault();
  }
  const { encryption: _, ...rest } = table;
  return { ...rest, ...encryptionOf(request.SSESpecification) };
}
