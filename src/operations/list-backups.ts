import * as errors from "../api/errors/backups.ts";
import { listBackupsPageMax } from "../api/limits.ts";
import { type ListBackupsRequest, listBackupsShape } from "../api/requests/backups.ts";
import type { BackupRow } from "../engine/backup-row.ts";
import { backupArn, backupPlaceOf } from "./backup-arn.ts";
import { backupSummary } from "./backup-description.ts";
import type { Context, Operation } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

const types: Record<NonNullable<ListBackupsRequest["BackupType"]>, readonly BackupRow["type"][]> = {
  USER: ["USER"],
  SYSTEM: ["SYSTEM"],
  // Made by another service of AWS, which is not here.
  AWS_BACKUP: [],
  ALL: ["USER", "SYSTEM"],
};

export const listBackups: Operation<ListBackupsRequest> = {
  name: "ListBackups",
  shape: listBackupsShape,
  async run(context, request) {
    const { TimeRangeLowerBound: lower, TimeRangeUpperBound: upper, TableName: name } = request;
    if (lower !== undefined && upper !== undefined && lower > upper) {
      throw errors.backupTimesReversed();
    }
    const limit = request.Limit ?? listBackupsPageMax;
    const filter = {
      table: name === undefined ? undefined : tableNameOf(context, name),
      types: types[request.BackupType ?? "USER"],
      from: lower && lower * 1_000,
      before: upper && upper * 1_000,
    };
    const after = startOf(context, request.ExclusiveStartBackupArn);
    // One more than is wanted tells whether there is more.
    const found = await context.database.backups.list(context.namespace, filter, after, limit + 1);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    return {
      BackupSummaries: await Promise.all(rows.map((row) => backupSummary(context, row))),
      ...(found.length > limit &&
        last !== undefined && { LastEvaluatedBackupArn: backupArn(context, last) }),
    };
  },
};

/** A place in the order, whether or not there is such a backup. */
function startOf(context: Context, arn: string | undefined) {
  if (arn === undefined) return undefined;
  const place = backupPlaceOf(context, arn);
  if (place.region !== context.region) throw errors.startBackupOfOtherRegion();
  return place;
}
