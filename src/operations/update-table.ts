import { streamAndIndex, streamAndThroughput } from "../api/errors/streams.ts";
import * as errors from "../api/errors/table.ts";
import { throughputMissingForMode, throughputWithOnDemandMode } from "../api/errors/throughput.ts";
import {
  type GlobalSecondaryIndexUpdate,
  type UpdateTableRequest,
  updateTableShape,
} from "../api/requests/update-table.ts";
import { isGone } from "../engine/catalog.ts";
import { jobWrite } from "../engine/jobs.ts";
import { checkEncryption } from "./create-table.ts";
import type { Context, Operation } from "./operation.ts";
import { tableDescription } from "./table-description.ts";
import { tableNameOf } from "./table-name.ts";
import { checkAccountQuota, checkTableQuotas, noUnits, reservedByOthers } from "./table-quotas.ts";
import { checkStreamUpdate, planStream, updatedStream } from "./table-streams.ts";
import { checkCapacityBounds } from "./table-throughput.ts";
import { updatedTable } from "./table-update.ts";

const operation = "UpdateTable";

const refused = [
  "ReplicaUpdates",
  "MultiRegionConsistency",
  "GlobalTableWitnessUpdates",
  "GlobalTableSettingsReplicationMode",
  "DisassociationProtectionEnabled",
  "VectorIndexUpdates",
] as const;

export const updateTable: Operation<UpdateTableRequest> = {
  name: operation,
  shape: updateTableShape,
  refused,
  async run(context, request) {
    check(request);
    const { database, namespace, region } = context;
    const { catalog, clock, jobs, transitionMs } = database;
    const name = tableNameOf(context, request.TableName);
    const found = await database.describe(namespace, name);
    const [indexId, jobId] = await idsFor(request, (count) => catalog.takeIds(count));
    const streamPlan = await planStream(context, found, request.StreamSpecification);
    const others = await othersThan(context, name, request);
    const change = catalog.change(namespace, name, (table) => {
      const now = clock.now();
      if (table === undefined || isGone(table, now)) throw errors.tableNotFound(name);
      const updated = updatedTable(table, request, { now, transitionMs, indexId });
      const stream = updatedStream(context, table, updated.table, streamPlan);
      const result = {
        ...updated,
        table: stream.apply(updated.table),
        shown: stream.apply(updated.shown),
      };
      checkTableQuotas(result.table, table, region);
      checkAccountQuota(others, table, result.table, region);
      return {
        table: result.table,
        writes: [
          ...stream.writes,
          ...(result.job === undefined ? [] : [jobWrite(jobId, result.job)]),
        ],
        result: { ...result, before: table },
      };
    });
    const update = await jobs.recorded(jobId, change);
    if (update.job !== undefined) jobs.start(jobId, update.job);
    for (const { id } of update.before.indexes) {
      if (!update.table.indexes.some((index) => index.id === id)) context.insights.forget(id);
    }
    const description = await tableDescription(context, update.shown, {
      status: update.status,
      indexStatus: (index) => update.indexStatus.get(index.name),
      before: update.before,
      warms: warmed(request),
    });
    return { TableDescription: description };
  },
};

/** Only what raises units needs to know what others have. */
function othersThan(
  context: Context,
  name: string,
  request: UpdateTableRequest,
): ReturnType<typeof reservedByOthers> | typeof noUnits {
  const raises =
    request.ProvisionedThroughput !== undefined ||
    (request.GlobalSecondaryIndexUpdates ?? []).some(
      ({ Update, Create }) => (Update ?? Create)?.ProvisionedThroughput !== undefined,
    );
  return raises ? reservedByOthers(context, name) : noUnits;
}

/** Whether the request asks to warm up the table (undefined) or an index, by name. */
function warmed(request: UpdateTableRequest): (index: string | undefined) => boolean {
  const updates = request.GlobalSecondaryIndexUpdates ?? [];
  return (index) =>
    index === undefined
      ? request.WarmThroughput !== undefined
      : updates.some(
          ({ Update, Create }) =>
            (Update ?? Create)?.IndexName === index &&
            (Update ?? Create)?.WarmThroughput !== undefined,
        );
}

/** An index and a job need ids that nothing had before. */
async function idsFor(
  request: UpdateTableRequest,
  take: (count: number) => Promise<number>,
): Promise<readonly [indexId: number, jobId: number]> {
  const changesIndexes = (request.GlobalSecondaryIndexUpdates ?? []).some(
    (update) => update.Update === undefined,
  );
  if (!changesIndexes) return [0, 0];
  const first = await take(2);
  return [first, first + 1];
}

const supported = [
  "ProvisionedThroughput",
  "BillingMode",
  "StreamSpecification",
  "SSESpecification",
  "TableClass",
  "DeletionProtectionEnabled",
] as const;

/** All that can be said of the request alone, in the order of the service. */
function check(request: UpdateTableRequest): void {
  for (const name of refused) {
    if (request[name] === undefined) continue;
    // A list of nothing asks for nothing.
    if (name === "VectorIndexUpdates" && request[name].length === 0) continue;
    throw errors.notSupportedYet(operation, name);
  }
  const { GlobalSecondaryIndexUpdates: updates = [], ProvisionedThroughput: throughput } = request;
  const asksForNothing =
    supported.every((name) => request[name] === undefined) &&
    updates.length === 0 &&
    isEmpty(request.OnDemandThroughput) &&
    isEmpty(request.WarmThroughput);
  if (asksForNothing) throw errors.nothingToUpdate();
  checkOneThingAtATime(request, updates);
  if (request.BillingMode === "PROVISIONED" && throughput === undefined) {
    throw throughputMissingForMode();
  }
  if (request.BillingMode === "PAY_PER_REQUEST" && throughput !== undefined) {
    throw throughputWithOnDemandMode();
  }
  if (throughput !== undefined) checkCapacityBounds(throughput);
  checkIndexUpdates(updates);
  checkStreamUpdate(request.StreamSpecification);
  checkEncryption(request.SSESpecification);
}

/** Most changes of a table have to be asked for one by one. */
function checkOneThingAtATime(
  request: UpdateTableRequest,
  updates: readonly GlobalSecondaryIndexUpdate[],
): void {
  const limits = !isEmpty(request.OnDemandThroughput);
  const warm = !isEmpty(request.WarmThroughput);
  const changes =
    supported.filter((name) => request[name] !== undefined).length + Number(limits) + Number(warm);
  if (changes + Math.min(updates.length, 1) > 1) {
    if (request.SSESpecification !== undefined) {
      throw errors.notTheOnlyOperation("Server-Side Encryption");
    }
    if (request.TableClass !== undefined) throw errors.notTheOnlyOperation("TableClass");
    if (request.DeletionProtectionEnabled !== undefined) {
      throw errors.notTheOnlyOperation("DeletionProtection");
    }
  }
  if (limits && (warm || request.StreamSpecification !== undefined)) {
    throw errors.onDemandLimitNotAlone();
  }
  if (warm && changes > 1) throw errors.warmThroughputNotAlone();
  if (warm && updates.some((update) => update.Create !== undefined)) {
    throw errors.warmThroughputWithNewIndex();
  }
  if (request.StreamSpecification !== undefined) checkStreamAlone(request, updates);
  const throughputOnly =
    request.ProvisionedThroughput !== undefined && request.BillingMode === undefined;
  if (throughputOnly && updates.some(({ Create, Delete }) => Create ?? Delete)) {
    throw errors.indexAndThroughput();
  }
}

/** A stream can be changed together with a change to on-demand, but not while units change. */
function checkStreamAlone(
  { ProvisionedThroughput: throughput, BillingMode: mode }: UpdateTableRequest,
  updates: readonly GlobalSecondaryIndexUpdate[],
): void {
  if (updates.some(({ Create, Delete }) => Create ?? Delete)) throw streamAndIndex();
  const units = updates.some(({ Update }) => Update?.ProvisionedThroughput !== undefined);
  if (throughput !== undefined || mode === "PROVISIONED" || units) throw streamAndThroughput();
}

/** An object without members asks for nothing. */
const isEmpty = (value: object | undefined): boolean =>
  value === undefined || Object.keys(value).length === 0;

function checkIndexUpdates(updates: readonly GlobalSecondaryIndexUpdate[]): void {
  const names = new Set<string>();
  for (const { Update: update, Create: create, Delete: remove } of updates) {
    const actions = [update, create, remove].filter((action) => action !== undefined);
    const [action] = actions;
    if (action === undefined) throw errors.emptyIndexUpdate();
    if (actions.length > 1) throw errors.severalActionsInIndexUpdate();
    if (names.has(action.IndexName)) throw errors.indexUpdatedTwice(action.IndexName);
    names.add(action.IndexName);
  }
}
