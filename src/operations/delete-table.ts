import { tableWithChangingPolicy } from "../api/errors/policy.ts";
import * as errors from "../api/errors/table.ts";
import { type DeleteTableRequest, deleteTableShape } from "../api/requests/delete-table.ts";
import { isGone } from "../engine/catalog.ts";
import { type TableDescriptor, tableStatus } from "../engine/descriptor.ts";
import { jobWrite } from "../engine/jobs.ts";
import { deleteTableChange } from "../engine/table-changes.ts";
import type { Operation } from "./operation.ts";
import { policyChanging } from "./resource-policies.ts";
import { tableDescription } from "./table-description.ts";
import { tableNameOf } from "./table-name.ts";
import { tagsChanging } from "./tags.ts";

export const deleteTable: Operation<DeleteTableRequest> = {
  name: "DeleteTable",
  shape: deleteTableShape,
  async run(context, request) {
    const { database, namespace } = context;
    const { catalog, clock, jobs, transitionMs } = database;
    const name = tableNameOf(context, request.TableName);
    const found = await database.describeAny(namespace, name);
    // Its size is told once more: the items will be gone when the table has been marked.
    const description = await tableDescription(context, found, { status: "DELETING" });
    const jobId = await catalog.takeIds(1);
    const change = catalog.change(namespace, name, (table) => {
      const now = clock.now();
      if (table === undefined || isGone(table, now)) throw errors.tableNotFound(name);
      checkDeletable(table, now);
      const { table: after, jobs: made, writes } = deleteTableChange(table, now, transitionMs);
      const [clear] = made;
      return {
        table: after,
        writes: clear === undefined ? writes : [...writes, jobWrite(jobId, clear)],
        result: clear,
      };
    });
    const job = await jobs.recorded(jobId, change);
    if (job !== undefined) jobs.start(jobId, job);
    context.traffic.forget(found);
    return { TableDescription: description };
  },
};

function checkDeletable(table: TableDescriptor, now: number): void {
  const status = tableStatus(table, now);
  if (status === "CREATING") throw errors.tableBeingCreated(table.name);
  if (status === "DELETING") throw errors.tableBeingDeleted(table.name);
  if (status === "UPDATING") throw errors.tableBeingUpdated(table.name);
  if (tagsChanging(table, now)) throw errors.tableTagsBeingUpdated(table.name);
  if (policyChanging(table, now)) throw tableWithChangingPolicy(table.name);
  if (table.deletionProtection) throw errors.deletionProtected();
}
