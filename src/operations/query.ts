import type { Dialect } from "../api/dialect.ts";
import {
  keyConditionRequired,
  singleRowNotRestartable,
  startKeyMissesPredicate,
  startKeyOutsideRange,
} from "../api/errors/read.ts";
import type { ValueLayer } from "../api/errors/value.ts";
import { type QueryRequest, queryShape } from "../api/requests/query.ts";
import { emptyRecord } from "../base/record.ts";
import type { IndexDescriptor, KeySchema, TableDescriptor } from "../engine/descriptor.ts";
import { conditionRange, keyMatches, rangeAfter, samePartition } from "../engine/key-range.ts";
import { keyValues } from "../engine/keys.ts";
import {
  type BoundKeyCondition,
  bindKeyCondition,
  checkFilterKeys,
} from "../expressions/key-condition.ts";
import { checkConditionalOperator, compileFilter } from "../expressions/legacy-condition.ts";
import { compileAttributesToGet, compileKeyConditions } from "../expressions/legacy-read.ts";
import type { KeyCondition } from "../expressions/tree.ts";
import type { Item, KeyValue } from "../item/attribute-value.ts";
import type { KeyRange } from "../storage/store.ts";
import { checkLegacyValues } from "./condition.ts";
import { enveloped, judged } from "./envelope.ts";
import type { Operation } from "./operation.ts";
import { checkKeyPaths, compileParameters, conditionPaths } from "./parameters.ts";
import { checkFilterProjected, checkSelect, indexOf, needsTable, pageAnswer } from "./read-page.ts";
import { checkStartKeyValues, StartKey } from "./start-key.ts";
import { tableNameOf } from "./table-name.ts";

export const query: Operation<QueryRequest> = {
  name: "Query",
  shape: queryShape,
  async run(context, request) {
    const { dialect } = context;
    const { keyCondition, filter, projection } = judged(dialect, "Query", request, (layer) =>
      prepare(dialect, layer, request),
    );
    const { database } = context;
    const name = tableNameOf(context, request.TableName);
    const found = database.table(context.namespace, name);
    const table = found instanceof Promise ? await found : found;
    const index = indexOf(table, request);
    const schema = (index ?? table).key;
    const start =
      request.ExclusiveStartKey === undefined
        ? undefined
        : new StartKey(table, index, request.ExclusiveStartKey, dialect);
    const bound = bindKeyCondition(keyCondition, schema, {
      index: index?.name,
      before: start && ((key) => start.checkPart(key)),
    });
    start?.checkTableKey();
    const range = remainingRange(table, index, request, bound);
    checkKeyPaths(table, projection?.paths);
    if (filter !== undefined) {
      checkFilterKeys(
        filter,
        schema,
        request.QueryFilter === undefined ? "Filter Expression" : "QueryFilter",
      );
    }
    const fetch = needsTable(table, index, request, projection);
    if (filter !== undefined && !fetch) checkFilterProjected(table, index, conditionPaths(filter));
    checkKeyPaths(table, conditionPaths(filter));
    const page = await database.read({
      table,
      index,
      range,
      reverse: request.ScanIndexForward === false,
      limit: request.Limit,
      filter,
      fetch,
    });
    const source = { table, index, range, key: partitionKey(schema, bound) };
    return pageAnswer(context, "Query", request, source, projection, page);
  },
};

function partitionKey(schema: KeySchema, bound: BoundKeyCondition): Item {
  const key = emptyRecord<KeyValue>();
  schema.hash.forEach(({ name }, i) => {
    key[name] = bound.hashValues[i] as KeyValue;
  });
  return key;
}

/** Everything that can be said of the request without its table. */
function prepare(dialect: Dialect, layer: ValueLayer, request: QueryRequest) {
  const compiled = compileParameters("Query", request, layer, () => {
    checkConditionalOperator(request.ConditionalOperator, request.QueryFilter);
    checkLegacyValues(request.QueryFilter, layer);
    const filter = compileFilter(request.QueryFilter, request.ConditionalOperator);
    const projection =
      request.AttributesToGet === undefined
        ? undefined
        : compileAttributesToGet(request.AttributesToGet);
    checkStartKeyValues(request.ExclusiveStartKey, layer);
    if (request.KeyConditions === undefined && request.KeyConditionExpression === undefined) {
      throw keyConditionRequired();
    }
    return { filter, projection };
  });
  checkSelect(request, (check) => enveloped(dialect, request, check));
  const projection = compiled.projection ?? compiled.before.projection;
  let keyCondition: KeyCondition | undefined = compiled.keyCondition;
  if (keyCondition === undefined) {
    checkLegacyValues(request.KeyConditions, layer);
    keyCondition = compileKeyConditions(request.KeyConditions ?? {});
  }
  return { keyCondition, filter: compiled.filter ?? compiled.before.filter, projection };
}

/** The range of the key condition, less what earlier pages have read. */
function remainingRange(
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
  request: QueryRequest,
  bound: BoundKeyCondition,
): KeyRange {
  const source = index ?? table;
  const range = conditionRange(source.id, bound);
  const start = request.ExclusiveStartKey;
  if (start === undefined) return range;
  const sameHash = samePartition(keyValues(source.key.hash, start), bound.hashValues);
  if (bound.equalRange.length > 0 || bound.last !== undefined) {
    if (!keyMatches(keyValues(source.key.range, start), bound)) throw startKeyMissesPredicate();
    if (!sameHash) throw singleRowNotRestartable();
  }
  const rest = sameHash
    ? rangeAfter(range, table, index, start, request.ScanIndexForward === false)
    : undefined;
  if (rest === undefined) throw startKeyOutsideRange();
  return rest;
}
