import { backupNotFound } from "../api/errors/backups.ts";
import { type BackupRequest, describeBackupShape } from "../api/requests/backups.ts";
import { backupPlaceOf } from "./backup-arn.ts";
import { backupDescription } from "./backup-description.ts";
import type { Operation } from "./operation.ts";

export const describeBackup: Operation<BackupRequest> = {
  name: "DescribeBackup",
  shape: describeBackupShape,
  async run(context, { BackupArn: arn }) {
    const { table, id } = backupPlaceOf(context, arn);
    const row = await context.database.backups.find(context.namespace, table, id);
    if (row === undefined) throw backupNotFound(arn);
    return { BackupDescription: await backupDescription(context, row, arn) };
  },
};
