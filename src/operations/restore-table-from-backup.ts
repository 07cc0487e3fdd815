import * as errors from "../api/errors/backups.ts";
import {
  type RestoreTableFromBackupRequest,
  restoreTableFromBackupShape,
} from "../api/requests/backups.ts";
import type { BackupRow } from "../engine/backup-row.ts";
import { backupPlaceOf } from "./backup-arn.ts";
import type { Operation } from "./operation.ts";
import {
  checkTarget,
  refusedOverrides,
  refuseOverrides,
  restoreRequest,
} from "./restore-target.ts";
import { tableDescription } from "./table-description.ts";

export const restoreTableFromBackup: Operation<RestoreTableFromBackupRequest> = {
  name: "RestoreTableFromBackup",
  shape: restoreTableFromBackupShape,
  refused: refusedOverrides,
  async run(context, request) {
    const { database, namespace } = context;
    refuseOverrides("RestoreTableFromBackup", request);
    const { TargetTableName: name, BackupArn: arn } = request;
    const { table, id, region } = backupPlaceOf(context, arn);
    if (region !== context.region && request.SSESpecificationOverride === undefined) {
      throw errors.restoreAcrossRegions();
    }
    const found =
      region === context.region ? await database.backups.find(namespace, table, id) : undefined;
    if (found === undefined) throw errors.backupNotFound(arn);
    const origin = { table, backup: id, at: found.createdAt };
    const wanted = await restoreRequest(context, name, found.table, origin, request);
    // A name that is taken is told before a backup that is in use.
    checkTarget(context, name, await database.catalog.find(namespace, name));
    const check = (row: BackupRow | undefined) => usable(row, arn);
    const restored = await database.backups.restore(found, check, wanted);
    return { TableDescription: await tableDescription(context, restored, { status: "CREATING" }) };
  },
};

/** A backup is restored to one table at a time. */
function usable(row: BackupRow | undefined, arn: string): BackupRow {
  if (row === undefined) throw errors.backupNotFound(arn);
  if (row.status === "CREATING") throw errors.backupBeingCreated(arn);
  if (row.readers !== undefined) throw errors.backupBeingRestored(arn);
  return row;
}
