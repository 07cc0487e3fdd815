import { type CreateBackupRequest, createBackupShape } from "../api/requests/backups.ts";
import { backupDetails } from "./backup-description.ts";
import type { Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

export const createBackup: Operation<CreateBackupRequest> = {
  name: "CreateBackup",
  shape: createBackupShape,
  async run(context, request) {
    const { database, namespace } = context;
    const table = tableNameOf(context, request.TableName);
    const row = await database.backups.create(namespace, table, request.BackupName);
    return { BackupDetails: await backupDetails(context, row) };
  },
};
