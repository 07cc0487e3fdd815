import { notSupportedYet, tableExists } from "../api/errors/table.ts";
import { formatOptionsNotSupported, noS3Folder, tokenConflict } from "../api/errors/transfers.ts";
import { transferTokenHours } from "../api/limits.ts";
import { type ImportTableRequest, importTableShape } from "../api/requests/transfers.ts";
import { isGone } from "../engine/catalog.ts";
import type { ImportRecord } from "../transfers/transfer-records.ts";
import { draftTable } from "./create-table.ts";
import { importDescription } from "./import-description.ts";
import type { Context, Operation } from "./operation.ts";
import { checkAccountQuota, checkTableQuotas, noUnits, reservedByOthers } from "./table-quotas.ts";

const operation = "ImportTable";

export const importTable: Operation<ImportTableRequest> = {
  name: operation,
  shape: importTableShape,
  refused: ["VectorIndexes"],
  async run(context, request) {
    const { transfers } = context;
    const { TableCreationParameters: parameters, InputFormat: format } = request;
    if ((parameters.VectorIndexes?.length ?? 0) > 0)
      throw notSupportedYet(operation, "VectorIndexes");
    if (format !== "CSV" && request.InputFormatOptions?.Csv !== undefined) {
      throw formatOptionsNotSupported(format);
    }
    const table = draftTable(context, parameters);
    if (transfers.objects === undefined) throw noS3Folder(operation);
    await refuseTaken(context, table.name);
    checkTableQuotas(table, undefined, context.region);
    const others =
      table.billingMode === "PROVISIONED" ? await reservedByOthers(context, table.name) : noUnits;
    checkAccountQuota(others, undefined, table, context.region);
    const now = context.database.clock.now();
    const record = newRecord(context, request, table, now);
    const replayed = await transfers.records.add<"import">(
      record,
      table.name,
      now + transferTokenHours * 3_600_000,
      now,
    );
    if (replayed !== undefined) {
      // Whatever else differs is not looked at.
      if (replayed.payload !== table.name) throw tokenConflict("import");
      const first = await transfers.describe("import", context.namespace, replayed.id);
      return { ImportTableDescription: importDescription(context, first ?? record) };
    }
    await transfers.forgetOld("import", context.namespace);
    transfers.start(record);
    return { ImportTableDescription: importDescription(context, record) };
  },
};

/** A table that an import is about to fill is not in the way: which of them gets the name is seen later. */
async function refuseTaken(
  { database, namespace, transfers }: Context,
  name: string,
): Promise<void> {
  const existing = await database.catalog.reload(namespace, name);
  if (existing === undefined || isGone(existing, database.clock.now())) return;
  const imports = await transfers.records.list("import", namespace);
  const filling = imports.some(
    ({ status, table }) => status === "IN_PROGRESS" && table.uuid === existing.uuid,
  );
  if (!filling) throw tableExists(name);
}

function newRecord(
  { namespace, account, region, transfers }: Context,
  request: ImportTableRequest,
  table: ImportRecord["table"],
  now: number,
): ImportRecord {
  const { S3BucketSource: source, InputFormatOptions: options } = request;
  return {
    kind: "import",
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
    table,
    bucket: source.S3Bucket,
    ...(source.S3BucketOwner !== undefined && { bucketOwner: source.S3BucketOwner }),
    prefix: source.S3KeyPrefix ?? "",
    format: request.InputFormat,
    ...(options?.Csv !== undefined && {
      csv: {
        ...(options.Csv.Delimiter !== undefined && { delimiter: options.Csv.Delimiter }),
        ...(options.Csv.HeaderList !== undefined && { header: options.Csv.HeaderList }),
      },
    }),
    compression: request.InputCompressionType ?? "NONE",
  };
}
