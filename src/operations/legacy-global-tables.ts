import * as errors from "../api/errors/global-tables.ts";
import * as requests from "../api/requests/global-tables.ts";
import type { Operation } from "./operation.ts";

/**
 * Global tables of version 2017.11.29. The service makes none any more, in any Region, and has none in
 * an account that had none; so here is all that it answers.
 */

export const createGlobalTable: Operation<requests.CreateGlobalTableRequest> = {
  name: "CreateGlobalTable",
  shape: requests.createGlobalTableShape,
  run(_, { ReplicationGroup: replicas }) {
    throw replicas.length === 0 ? errors.noReplica() : errors.legacyGlobalTables();
  },
};

export const describeGlobalTable: Operation<requests.GlobalTableRequest> = {
  name: "DescribeGlobalTable",
  shape: requests.describeGlobalTableShape,
  run(_, { GlobalTableName: name }) {
    throw errors.globalTableNotFound(name);
  },
};

export const describeGlobalTableSettings: Operation<requests.GlobalTableRequest> = {
  name: "DescribeGlobalTableSettings",
  shape: requests.describeGlobalTableSettingsShape,
  run(_, { GlobalTableName: name }) {
    throw errors.globalTableSettingsNotFound(name);
  },
};

export const listGlobalTables: Operation<requests.ListGlobalTablesRequest> = {
  name: "ListGlobalTables",
  shape: requests.listGlobalTablesShape,
  run() {
    return { GlobalTables: [] };
  },
};

export const updateGlobalTable: Operation<requests.UpdateGlobalTableRequest> = {
  name: "UpdateGlobalTable",
  shape: requests.updateGlobalTableShape,
  run(_, { GlobalTableName: name, ReplicaUpdates: updates }) {
    if (updates.length === 0) throw errors.replicaUpdateEmpty();
    for (const { Create: create, Delete: remove } of updates) {
      if (create === undefined && remove === undefined) throw errors.replicaUpdateEmpty();
      if (create !== undefined && remove !== undefined) throw errors.replicaUpdateTwice();
    }
    // That nothing can be added is said before it is looked for the table.
    if (updates.some(({ Create: create }) => create !== undefined)) {
      throw errors.legacyGlobalTables();
    }
    throw errors.globalTableNotFound(name);
  },
};

export const updateGlobalTableSettings: Operation<requests.UpdateGlobalTableSettingsRequest> = {
  name: "UpdateGlobalTableSettings",
  shape: requests.updateGlobalTableSettingsShape,
  run(_, { GlobalTableName: name }) {
    throw errors.globalTableSettingsNotFound(name);
  },
};
