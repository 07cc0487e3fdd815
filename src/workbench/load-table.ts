import { tableExists } from "../api/errors/table.ts";
import type { TransferFailure } from "../api/errors/transfer-failures.ts";
import { type CreateTableRequest, createTableShape } from "../api/requests/create-table.ts";
import { checkConstraints } from "../api/shape-constraints.ts";
import { checkTypes } from "../api/shape-types.ts";
import { isGone } from "../engine/catalog.ts";
import type { InputFormat } from "../formats/record-reader.ts";
import { draftTable } from "../operations/create-table.ts";
import type { Context } from "../operations/operation.ts";
import type { Compression } from "../transfers/object-store.ts";
import type { ImportCounts, ImportRecord } from "../transfers/transfer-records.ts";

/** A table that is made of files at once, as an import does it, with more than an import can ask for. */
export interface LoadRequest {
  /** As CreateTable takes it; its stream is enabled by whoever asks for this, when it is done. */
  readonly create: object;
  /** The attribute of the time to live. */
  readonly timeToLive?: string | undefined;
  readonly bucket: string;
  readonly prefix: string;
  readonly format: InputFormat;
  readonly compression: Compression;
  /** Is told how far it is, a few times a second. */
  readonly progress?: ((counts: ImportCounts) => void) | undefined;
}

export interface LoadResult extends ImportCounts {
  /** Why the table is not as it should be; if nothing was read, there is none. */
  readonly failure?: TransferFailure;
}

const lookEveryMs = 200;

export async function loadTable(context: Context, request: LoadRequest): Promise<LoadResult> {
  const { database, namespace, account, region, transfers } = context;
  const create = checkTypes(createTableShape, structuredClone(request.create));
  checkConstraints("CreateTable", createTableShape, create, context.dialect);
  const existing = await database.catalog.reload(namespace, create.TableName);
  const now = database.clock.now();
  if (existing !== undefined && !isGone(existing, now)) throw tableExists(create.TableName);
  const record: ImportRecord = {
    kind: "import",
    id: transfers.newId(now),
    namespace,
    account,
    region,
    request: {
      S3BucketSource: { S3Bucket: request.bucket, S3KeyPrefix: request.prefix },
      TableCreationParameters: create,
    },
    token: undefined,
    status: "IN_PROGRESS",
    startedAt: now,
    runner: transfers.runner,
    aliveAt: now,
    table: tableOf(context, create, request.timeToLive),
    bucket: request.bucket,
    prefix: request.prefix,
    format: request.format,
    compression: request.compression,
  };
  await transfers.records.put(record);
  transfers.start(record);
  const look = setInterval(() => {
    const counts = transfers.progress(record.id);
    if (counts !== undefined) request.progress?.(counts);
  }, lookEveryMs);
  try {
    await transfers.idle();
  } finally {
    clearInterval(look);
  }
  const ended = await transfers.records.find("import", namespace, record.id);
  const counts = ended?.result ?? { processed: 0, imported: 0, errors: 0, bytes: 0 };
  return { ...counts, ...(ended?.failure !== undefined && { failure: ended.failure }) };
}

function tableOf(
  context: Context,
  create: CreateTableRequest,
  timeToLive: string | undefined,
): ImportRecord["table"] {
  const { StreamSpecification: _, ...rest } = create;
  const table = draftTable(context, rest);
  return timeToLive === undefined
    ? table
    : { ...table, timeToLive: { attribute: timeToLive, queueId: 0 } };
}
