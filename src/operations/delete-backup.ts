import * as errors from "../api/errors/backups.ts";
import { type BackupRequest, deleteBackupShape } from "../api/requests/backups.ts";
import type { BackupRow } from "../engine/backup-row.ts";
import { backupPlaceOf } from "./backup-arn.ts";
import { backupDescription } from "./backup-description.ts";
import type { Operation } from "./operation.ts";

export const deleteBackup: Operation<BackupRequest> = {
  name: "DeleteBackup",
  shape: deleteBackupShape,
  async run(context, { BackupArn: arn }) {
    const { namespace } = context;
    const { backups } = context.database;
    const { table, id } = backupPlaceOf(context, arn);
    const row = await backups.find(namespace, table, id);
    if (row === undefined) throw errors.backupNotFound(arn);
    // Its size is told once more, before its items go.
    const description = await backupDescription(context, row, arn, "DELETED");
    const deleted = await backups.delete(namespace, table, id, (found) => check(found, arn));
    if (deleted === undefined) throw errors.backupNotFound(arn);
    return { BackupDescription: description };
  },
};

function check({ type, status, readers, expiresAt = 0 }: BackupRow, arn: string): void {
  if (type === "SYSTEM") throw errors.systemBackupNotDeletable(arn, expiresAt);
  if (status === "CREATING") throw errors.backupBeingCreated(arn);
  if (readers !== undefined) throw errors.backupNeededForRestore(arn);
}
