import * as errors from "../api/errors/table.ts";
import * as refusals from "../api/errors/throughput.ts";
import { globalIndexesMax } from "../api/limits.ts";
import type {
  CreateGlobalSecondaryIndexAction,
  UpdateGlobalSecondaryIndexAction,
  UpdateTableRequest,
} from "../api/requests/update-table.ts";
import {
  type BillingMode,
  findIndex,
  type IndexDescriptor,
  keyAttributes,
  type TableDescriptor,
} from "../engine/descriptor.ts";
import type { Job } from "../engine/jobs.ts";
import { backfillJob, clearIndexJob } from "../engine/table-changes.ts";
import type { KeyType } from "../item/attribute-value.ts";
import { globalIndexOf } from "./create-table.ts";
import type { IndexStatus } from "./table-description.ts";
import { checkGlobalIndex, checkProjectedTotal } from "./table-indexes.ts";
import { Definitions, keySchemaOf } from "./table-keys.ts";
import {
  announcedThroughput,
  capacityUnitsMax,
  changeThroughput,
  checkOnDemand,
  decreasesToday,
  noThroughput,
  raisedWarm,
  unitsOf,
  withOnDemand,
} from "./table-throughput.ts";

export interface IndexCircumstances {
  readonly now: number;
  /** For the index that the request makes, if it makes one. */
  readonly indexId: number;
}

export interface IndexChanges {
  readonly after: readonly IndexDescriptor[];
  readonly shown: readonly IndexDescriptor[];
  readonly status: ReadonlyMap<string, IndexStatus>;
  readonly job: ((table: TableDescriptor) => Job) | undefined;
}

export function updatedIndexes(
  table: TableDescriptor,
  request: UpdateTableRequest,
  mode: BillingMode,
  circumstances: IndexCircumstances,
): IndexChanges {
  const updates = request.GlobalSecondaryIndexUpdates ?? [];
  const changed = updates.filter((update) => update.Update === undefined);
  if (changed.length > 1) throw errors.oneIndexAtATime();
  const actions = new Map<string, UpdateGlobalSecondaryIndexAction>();
  for (const { Update: action } of updates) {
    if (action === undefined) continue;
    checkIndexAction(table, action, mode);
    actions.set(action.IndexName, action);
  }
  const removed = changed[0]?.Delete?.IndexName;
  if (removed !== undefined) checkGlobal(table, removed, "delete");
  checkEveryIndexProvisioned(table, mode, actions, removed);

  const status = new Map<string, IndexStatus>();
  const after: IndexDescriptor[] = [];
  const shown: IndexDescriptor[] = [];
  let job: IndexChanges["job"];
  for (const index of table.indexes) {
    if (index.name === removed) {
      status.set(index.name, "DELETING");
      shown.push(index);
      job = () => clearIndexJob(index);
      continue;
    }
    const action = actions.get(index.name);
    if (index.kind === "local" || (action === undefined && mode === table.billingMode)) {
      after.push(index);
      shown.push(index);
      continue;
    }
    // To warm it up takes long, and does not show here.
    const warmsOnly =
      action?.ProvisionedThroughput === undefined && action?.OnDemandThroughput === undefined;
    if (mode !== table.billingMode || !warmsOnly) status.set(index.name, "UPDATING");
    const pair = updatedIndex(table, index, action, mode, circumstances.now);
    after.push(pair.after);
    shown.push(pair.shown);
  }
  const create = changed[0]?.Create;
  if (create !== undefined) {
    const index = newIndex(table, request, create, mode, circumstances.indexId);
    status.set(index.name, "CREATING");
    after.push(index);
    shown.push(index);
    job = (changedTable) => backfillJob(changedTable, index);
    checkProjectedTotal(after);
  }
  return { after, shown, status, job };
}

function checkGlobal(table: TableDescriptor, name: string, deed: "update" | "delete"): void {
  const index = findIndex(table, name);
  if (index === undefined) throw errors.indexNotFound(name, table.name);
  if (index.kind === "local") throw errors.notGlobalIndex(deed, name);
}

function checkIndexAction(
  table: TableDescriptor,
  action: UpdateGlobalSecondaryIndexAction,
  mode: BillingMode,
): void {
  const { IndexName: name, ProvisionedThroughput: throughput } = action;
  if (throughput !== undefined) {
    const { ReadCapacityUnits: read, WriteCapacityUnits: write } = throughput;
    if (read > capacityUnitsMax || write > capacityUnitsMax) throw refusals.indexUpdateBlocked();
  }
  checkGlobal(table, name, "update");
  if (mode === "PAY_PER_REQUEST" && throughput !== undefined) {
    throw refusals.indexThroughputOfOnDemandTable(name);
  }
  checkOnDemand(action.OnDemandThroughput, mode, refusals.onDemandLimitOfProvisionedTable, {
    removable: true,
    index: name,
  });
  const asksForNothing =
    throughput === undefined &&
    action.OnDemandThroughput === undefined &&
    action.WarmThroughput === undefined;
  if (asksForNothing) throw refusals.indexThroughputMissing([name]);
}

/** A table that becomes provisioned needs the units of each of its indexes. */
function checkEveryIndexProvisioned(
  table: TableDescriptor,
  mode: BillingMode,
  actions: ReadonlyMap<string, UpdateGlobalSecondaryIndexAction>,
  removed: string | undefined,
): void {
  if (mode === table.billingMode || mode === "PAY_PER_REQUEST") return;
  const missing = table.indexes
    .filter((index) => index.kind === "global" && index.name !== removed)
    .map((index) => index.name)
    .filter((name) => actions.get(name)?.ProvisionedThroughput === undefined);
  if (missing.length > 0) throw refusals.indexThroughputMissing(missing);
}

function updatedIndex(
  table: TableDescriptor,
  index: IndexDescriptor,
  action: UpdateGlobalSecondaryIndexAction | undefined,
  mode: BillingMode,
  now: number,
): { readonly after: IndexDescriptor; readonly shown: IndexDescriptor } {
  const before = index.throughput ?? noThroughput;
  const requested = action?.ProvisionedThroughput;
  const switches = mode !== table.billingMode;
  let throughput = before;
  if (requested !== undefined) {
    const same =
      requested.ReadCapacityUnits === before.read && requested.WriteCapacityUnits === before.write;
    if (same) throw refusals.throughputUnchanged(before, index.name);
    throughput = switches
      ? { ...before, ...unitsOf(requested) }
      : changeThroughput(before, requested, now);
  } else if (switches) {
    // The service counts the fall to nothing as a decrease of the index, not of the table.
    const decreases = decreasesToday(before, now) + 1;
    throughput = { ...before, read: 0, write: 0, decreasesToday: decreases, lastDecreaseAt: now };
  }
  const base: IndexDescriptor = {
    ...index,
    throughput,
    ...raisedWarm(table.billingMode, index, mode, throughput, action?.WarmThroughput, index.name),
  };
  const limits = action?.OnDemandThroughput;
  const shown = withOnDemand(base, index.onDemand, limits, mode, "shown");
  return {
    after: withOnDemand(base, index.onDemand, limits, mode, "stored"),
    shown: switches
      ? shown
      : { ...shown, throughput: announcedThroughput(before, throughput, now) },
  };
}

function newIndex(
  table: TableDescriptor,
  request: UpdateTableRequest,
  create: CreateGlobalSecondaryIndexAction,
  mode: BillingMode,
  id: number,
): IndexDescriptor {
  if (findIndex(table, create.IndexName) !== undefined) throw errors.indexExists();
  if (mode === "PAY_PER_REQUEST" && create.ProvisionedThroughput !== undefined) {
    throw refusals.newIndexThroughputWithOnDemand(create.IndexName);
  }
  if (mode === "PROVISIONED" && create.ProvisionedThroughput === undefined) {
    throw refusals.newIndexThroughputMissing(create.IndexName);
  }
  // Every key attribute is declared anew, also one that the table knows.
  const definitions = new Definitions(request.AttributeDefinitions ?? []);
  checkGlobalIndex(create, mode, definitions);
  checkOnDemand(create.OnDemandThroughput, mode, refusals.onDemandLimitOfProvisionedTable, {
    removable: false,
    index: create.IndexName,
  });
  const globals = table.indexes.filter((index) => index.kind === "global").length;
  if (globals >= globalIndexesMax) throw errors.oneGlobalIndexTooMany(globalIndexesMax);
  const known = knownTypes(table);
  const key = keySchemaOf(create.KeySchema, (name) => known.get(name) ?? definitions.type(name));
  return { ...globalIndexOf(create, key, mode, false), id };
}

/** A type once declared stays while some key uses the attribute. */
function knownTypes(table: TableDescriptor): ReadonlyMap<string, KeyType> {
  const types = new Map<string, KeyType>();
  for (const { key } of [table, ...table.indexes]) {
    for (const { name, type } of keyAttributes(key)) types.set(name, type);
  }
  return types;
}
