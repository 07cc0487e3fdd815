import * as errors from "../api/errors/table.ts";
import {
  type GlobalSecondaryIndexUpdate,
  type UpdateTableRequest,
  updateTableShape,
} from "../api/requests/update-table.ts";
import { isGone } from "../engine/catalog.ts";
import { jobWrite } from "../engine/jobs.ts";
import { checkEncryption } from "./create-table.ts";
import type { Operation } from "./operation.ts";
import { tableDescription } from "./table-description.ts";
import { tableNameOf } from "./table-name.ts";
import { checkCapacityBounds } from "./table-throughput.ts";
import { updatedTable } from "./table-update.ts";

const operation = "UpdateTable";

export const updateTable: Operation<UpdateTableRequest> = {
  name: operation,
  shape: updateTableShape,
  async run(context, request) {
    check(request);
    const { database, namespace } = context;
    const { catalog, clock, jobs, transitionMs } = database;
    const name = tableNameOf(context, request.TableName);
    await database.describe(namespace, name);
    const [indexId, jobId] = await idsFor(request, (count) => catalog.takeIds(count));
    const change = catalog.change(namespace, name, (table) => {
      const now = clock.now();
      if (table === undefined || isGone(table, now)) throw errors.tableNotFound(name);
      const result = updatedTable(table, request, { now, transitionMs, indexId });
      return {
        table: result.table,
        writes: result.job === undefined ? [] : [jobWrite(jobId, result.job)],
        result,
      };
    });
    const update = await jobs.recorded(jobId, change);
    if (update.job !== undefined) jobs.start(jobId, update.job);
    const description = await tableDescription(context, update.shown, {
      status: "UPDATING",
      indexStatus: (index) => update.indexStatus.get(index.name),
    });
    return { TableDescription: description };
  },
};

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

const unsupported = [
  "ReplicaUpdates",
  "MultiRegionConsistency",
  "GlobalTableWitnessUpdates",
  "GlobalTableSettingsReplicationMode",
  "DisassociationProtectionEnabled",
] as const;

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
  for (const name of unsupported) {
    if (request[name] !== undefined) throw errors.notSupportedYet(operation, name);
  }
  if ((request.VectorIndexUpdates?.length ?? 0) > 0) {
    throw errors.notSupportedYet(operation, "VectorIndexUpdates");
  }
  const { GlobalSecondaryIndexUpdates: updates = [], ProvisionedThroughput: throughput } = request;
  const asksForNothing =
    supported.every((name) => request[name] === undefined) &&
    updates.length === 0 &&
    isEmpty(request.OnDemandThroughput) &&
    isEmpty(request.WarmThroughput);
  if (asksForNothing) throw errors.nothingToUpdate();
  if (request.BillingMode === "PROVISIONED" && throughput === undefined) {
    throw errors.throughputMissingForMode();
  }
  if (throughput !== undefined) checkCapacityBounds(throughput);
  checkIndexUpdates(updates);
  const stream = request.StreamSpecification;
  if (stream?.StreamEnabled === true) {
    throw errors.notSupportedYet(operation, "StreamSpecification");
  }
  if (stream?.StreamViewType !== undefined) throw errors.viewOfDisabledStream();
  checkEncryption(request.SSESpecification);
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
