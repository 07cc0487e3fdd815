import { keySchemaMismatch } from "../api/errors/item.ts";
import {
  segmentRequired,
  segmentTooLarge,
  startKeyInvalid,
  startKeySegment,
  totalSegmentsRequired,
} from "../api/errors/read.ts";
import { type ScanRequest, scanShape } from "../api/requests/scan.ts";
import { type IndexDescriptor, keyAttributes, type TableDescriptor } from "../engine/descriptor.ts";
import { rangeAfter } from "../engine/key-range.ts";
import { dataRange, segmentRange } from "../engine/layout.ts";
import { checkConditionalOperator, compileFilter } from "../expressions/legacy-condition.ts";
import { compileAttributesToGet } from "../expressions/legacy-read.ts";
import type { KeyRange } from "../storage/store.ts";
import { checkLegacyValues } from "./condition.ts";
import { enveloped, valueLayer } from "./envelope.ts";
import type { Context, Operation } from "./operation.ts";
import { checkKeyPaths, compileParameters, conditionPaths } from "./parameters.ts";
import { checkSelect, indexOf, needsTable, pageAnswer } from "./read-page.ts";
import { checkStartKeyValues, StartKey } from "./start-key.ts";
import { tableNameOf } from "./table-name.ts";

export const scan: Operation<ScanRequest> = {
  name: "Scan",
  shape: scanShape,
  async run(context, request) {
    const { filter, projection } = prepare(context, request);
    const { database } = context;
    const name = tableNameOf(context, request.TableName);
    const table = await database.table(context.namespace, name);
    const index = indexOf(table, request);
    const start = startKeyOf(context, table, index, request);
    const fetch = needsTable(table, index, request, projection);
    start?.checkTableKey();
    const range = remainingRange(table, index, request);
    checkKeyPaths(table, projection?.paths);
    checkKeyPaths(table, conditionPaths(filter));
    const page = await database.read({
      table,
      index,
      range,
      reverse: false,
      limit: request.Limit,
      filter,
      fetch,
    });
    const source = { table, index, range, key: {} };
    return pageAnswer(context, "Scan", request, source, projection, page);
  },
};

function prepare(context: Context, request: ScanRequest) {
  const layer = valueLayer(context.dialect, "Scan");
  const compiled = compileParameters("Scan", request, layer, () => {
    const projection =
      request.AttributesToGet === undefined
        ? undefined
        : compileAttributesToGet(request.AttributesToGet);
    checkConditionalOperator(request.ConditionalOperator, request.ScanFilter);
    checkLegacyValues(request.ScanFilter, layer);
    const filter = compileFilter(request.ScanFilter, request.ConditionalOperator);
    checkStartKeyValues(request.ExclusiveStartKey, layer);
    checkSegments(context, request);
    return { filter, projection };
  });
  checkSelect(request, (check) => enveloped(context.dialect, request, check));
  return {
    filter: compiled.filter ?? compiled.before.filter,
    projection: compiled.projection ?? compiled.before.projection,
  };
}

function checkSegments(context: Context, { Segment, TotalSegments }: ScanRequest): void {
  if (Segment !== undefined && TotalSegments === undefined) throw totalSegmentsRequired();
  if (TotalSegments === undefined) return;
  if (Segment === undefined) throw segmentRequired();
  if (Segment >= TotalSegments) {
    throw segmentTooLarge(
      context.dialect === "2026-05" ? { segment: Segment, total: TotalSegments } : undefined,
    );
  }
}

/** Its number of attributes and, in an index, the index's key attributes are judged first. */
function startKeyOf(
  { dialect }: Context,
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  { ExclusiveStartKey }: ScanRequest,
): StartKey | undefined {
  if (ExclusiveStartKey === undefined) return undefined;
  const start = new StartKey(table, index, ExclusiveStartKey, dialect, () =>
    startKeyInvalid(index === undefined ? keySchemaMismatch().message : undefined),
  );
  for (const key of index === undefined ? [] : keyAttributes(index.key)) start.checkPart(key);
  return start;
}

function remainingRange(
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  { Segment, TotalSegments, ExclusiveStartKey }: ScanRequest,
): KeyRange {
  const { id } = index ?? table;
  const segment = Segment ?? 0;
  const total = TotalSegments ?? 1;
  const range = total === 1 ? dataRange(id) : segmentRange(id, segment, total);
  if (ExclusiveStartKey === undefined) return range;
  const rest = rangeAfter(range, table, index, ExclusiveStartKey, false);
  if (rest === undefined) throw startKeyInvalid(startKeySegment(segment, total));
  return rest;
}
