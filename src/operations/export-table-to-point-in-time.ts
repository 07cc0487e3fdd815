import * as errors from "../api/errors/transfers.ts";
import { transferTokenHours } from "../api/limits.ts";
import {
  type ExportTableToPointInTimeRequest,
  exportTableToPointInTimeShape,
} from "../api/requests/transfers.ts";
import { isGone } from "../engine/catalog.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { HeldPast } from "../engine/histories.ts";
import { itemFilter } from "../transfers/export-filter.ts";
import { releasePast, rootOf } from "../transfers/export-job.ts";
import type { ExportRecord, ExportTime } from "../transfers/transfer-records.ts";
import { exportDescription } from "./export-description.ts";
import { checkExportType, exportTimeOf } from "./export-time.ts";
import type { Context, Operation } from "./operation.ts";
import { tableArn } from "./table-name.ts";

type Request = ExportTableToPointInTimeRequest;

const operation = "ExportTableToPointInTime";

/** An export that takes longer has lost the table's past. */
const holdMs = 24 * 3_600_000;

export const exportTableToPointInTime: Operation<Request> = {
  name: operation,
  shape: exportTableToPointInTimeShape,
  async run(context, request) {
    const { database, namespace, transfers } = context;
    const name = tableNameOfArn(context, request.TableArn);
    checkExportType(request);
    checkEncryption(request);
    const { objects } = transfers;
    if (objects === undefined) throw errors.noS3Folder(operation);
    const refusal =
      request.S3Prefix === undefined
        ? undefined
        : objects.refusal(rootOf({ prefix: request.S3Prefix }));
    if (refusal !== undefined) throw errors.keyCannotBePath("S3Prefix", refusal);
    const table = await findTable(context, name, request.TableArn);
    const replayed = await replay(context, request);
    if (replayed !== undefined) return replayed;
    const now = database.clock.now();
    const time = exportTimeOf(request, table, now, database.recoveryLagMs);
    checkFilter(request, table);
    const past = await database.histories.hold(namespace, name, holdMs, (current) => {
      exportTimeOf(request, current, now, database.recoveryLagMs);
    });
    const record = newRecord(context, request, past, time, now);
    const first = await transfers.records.add<"export">(
      record,
      payloadOf(request),
      now + transferTokenHours * 3_600_000,
      now,
    );
    if (first !== undefined) {
      // Somebody was faster with the same token.
      await releasePast(database, record);
      return (await replay(context, request)) ?? {};
    }
    await transfers.forgetOld("export", namespace);
    transfers.start(record);
    return { ExportDescription: exportDescription(context, record) };
  },
};

/** The table that the ARN names. */
function tableNameOfArn(context: Context, arn: string): string {
  const [prefix, , service, , account, resource, ...more] = arn.split(":");
  if (prefix !== "arn" || resource === undefined) throw errors.notTableArn();
  if (account !== context.account) throw errors.otherAccount();
  const [, name] = /^table\/([a-zA-Z0-9_.-]{3,255})$/.exec(resource) ?? [];
  if (service !== "dynamodb" || more.length > 0 || name === undefined) throw errors.arnNotOfTable();
  return name;
}

async function findTable(context: Context, name: string, arn: string): Promise<TableDescriptor> {
  const { database, namespace } = context;
  const table = await database.catalog.reload(namespace, name);
  const isThere =
    table !== undefined &&
    !isGone(table, database.clock.now()) &&
    table.transition?.status !== "DELETING";
  // Only this Region is looked in, whatever the ARN says.
  if (!isThere || tableArn(context, name) !== arn) throw errors.exportedTableNotFound(arn);
  return table;
}

function checkEncryption({ S3SseAlgorithm, S3SseKmsKeyId }: Request): void {
  if (S3SseKmsKeyId !== undefined && S3SseAlgorithm !== "KMS") throw errors.keyWithoutKms();
}

function checkFilter({ FilterSpecification: filter }: Request, table: TableDescriptor): void {
  if (filter === undefined) return;
  if (Object.keys(filter).length === 0) throw errors.filterEmpty();
  itemFilter(table, filter);
}

/** The answer to a request whose token was used before. */
async function replay(context: Context, request: Request): Promise<object | undefined> {
  const { database, namespace, transfers } = context;
  if (request.ClientToken === undefined) return undefined;
  const now = database.clock.now();
  const known = await transfers.records.findToken("export", namespace, request.ClientToken, now);
  if (known === undefined) return undefined;
  if (known.payload !== payloadOf(request)) throw errors.tokenConflict("export");
  const record = await transfers.describe("export", namespace, known.id);
  return record && { ExportDescription: exportDescription(context, record) };
}

/** All that was asked for; members have no order. */
function payloadOf({ ClientToken: _, ...request }: Request): string {
  return JSON.stringify(Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function newRecord(
  { namespace, account, region, transfers }: Context,
  request: Request,
  { jobId, number, table }: HeldPast,
  time: ExportTime,
  now: number,
): ExportRecord {
  return {
    kind: "export",
    id: transfers.newId(now),
    namespace,
    account,
    region,
    request: { ...request },
    token: request.ClientToken,
    status: "IN_PROGRESS",
    startedAt: now,
    runner: transfers.runner,
    aliveAt: now,
    tableName: table.name,
    tableUuid: table.uuid,
    hold: { jobId, number, tableId: table.id, historyId: table.history.id },
    bucket: request.S3Bucket,
    ...(request.S3BucketOwner !== undefined && { bucketOwner: request.S3BucketOwner }),
    ...(request.S3Prefix !== undefined && { prefix: request.S3Prefix }),
    format: request.ExportFormat ?? "DYNAMODB_JSON",
    encryption: request.S3SseAlgorithm ?? "AES256",
    ...(request.S3SseKmsKeyId !== undefined && { encryptionKey: request.S3SseKmsKeyId }),
    time,
    ...(request.FilterSpecification !== undefined && { filter: request.FilterSpecification }),
  };
}
