import * as errors from "../api/errors/backups.ts";
import type { BackupRow } from "../engine/backup-row.ts";
import type { Context } from "./operation.ts";
import { tableArn } from "./table-name.ts";

export const backupArn = (context: Context, { table, id }: BackupRow): string =>
  backupArnOf(context, table.name, id);

export const backupArnOf = (context: Context, table: string, id: string): string =>
  `${tableArn(context, table)}/backup/${id}`;

/** What names a backup within an account and Region. */
export interface BackupPlace {
  readonly table: string;
  readonly id: string;
  readonly region: string;
}

/**
 * The service finds a backup by the rest of its ARN, whatever Region the ARN names, and answers with the
 * ARN that it was given.
 */
export function backupPlaceOf(context: Context, arn: string): BackupPlace {
  const [prefix, partition, service, region = "", account, resource, ...more] = arn.split(":");
  const [kind, table = "", backup, id = "", ...rest] = (resource ?? "").split("/");
  const isBackup = kind === "table" && table !== "" && backup === "backup" && id !== "";
  if (prefix !== "arn" || more.length > 0 || !isBackup || rest.length > 0) {
    throw errors.backupArnMalformed();
  }
  if (partition !== "aws" || service !== "dynamodb") throw errors.backupArnNotValid();
  if (account !== context.account) throw errors.backupOfOtherAccount();
  return { table, id, region };
}
