import { keySchemaMismatch } from "../api/errors/item.ts";
import {
  segmentRequired,
  segmentTooLarge,
  startKeyInvalid,
  startKeySegment,
  totalSegmentsRequired,
} from "../api/errors/read.ts";
import { type ScanRequest, scanShape } from "../api/requests/scan.ts";
import { checkItem } from "../api/values.ts";
import type { IndexDescriptor, TableDescriptor } from "../engine/descriptor.ts";
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
import { checkStartKey } from "./start-key.ts";
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
    const fetch = needsTable(table, index, request, projection);
    const range = remainingRange(context, table, index, request);
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
    return pageAnswer(request, index, projection, page);
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
    if (request.ExclusiveStartKey !== undefined) checkItem(request.ExclusiveStartKey, layer);
    checkSegments(context, request);
    return { filter, projection };
  });
  checkSelect(request, (check) => enveloped(context.dialect, check));
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

function remainingRange(
  context: Context,
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  { Segment, TotalSegments, ExclusiveStartKey }: ScanRequest,
): KeyRange {
  const { id } = index ?? table;
  const segment = Segment ?? 0;
  const total = TotalSegments ?? 1;
  const range = total === 1 ? dataRange(id) : segmentRange(id, segment, total);
  if (ExclusiveStartKey === undefined) return range;
  checkStartKey(table, index, ExclusiveStartKey, () =>
    startKeyInvalid(
      context.dialect === "2026-05" && index === undefined
        ? keySchemaMismatch().message
        : undefined,
    ),
  );
  const rest = rangeAfter(range, table, index, ExclusiveStartKey, false);
  if (rest === undefined) throw startKeyInvalid(startKeySegment(segment, total));
  return rest;
}
