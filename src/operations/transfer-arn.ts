import * as errors from "../api/errors/transfers.ts";
import type { RecordOf, TransferKind } from "../transfers/transfer-records.ts";
import type { Context } from "./operation.ts";
import { tableArn } from "./table-name.ts";

const form =
  /^arn:aws[a-z-]*:dynamodb:([^:/]*):([^:/]*):table\/([a-zA-Z0-9_.-]{3,255})\/(export|import)\/([^/]+)$/;

export function transferArn(
  context: Context,
  kind: TransferKind,
  table: string,
  id: string,
): string {
  return `${tableArn(context, table)}/${kind}/${id}`;
}

/** The export or import that an ARN names; throws if there is none. */
export async function findTransfer<K extends TransferKind>(
  context: Context,
  kind: K,
  arn: string,
): Promise<RecordOf[K]> {
  const [, region, account, table, what, id] = form.exec(arn) ?? [];
  if (table === undefined || id === undefined || what !== kind) throw errors.invalidJobArn(kind);
  if (account !== context.account) throw errors.otherAccount();
  if (region !== context.region) throw errors.jobOfOtherRegion(kind);
  const record = await context.transfers.describe(kind, context.namespace, id);
  if (record === undefined || tableOf(record) !== table) throw errors.noSuchJob(kind, arn);
  return record;
}

export const tableOf = (record: RecordOf[TransferKind]): string =>
  record.kind === "export" ? record.tableName : record.table.name;
