import { ServiceError } from "../api/errors/service-error.ts";
import { nextTokenInvalid } from "../api/errors/statement.ts";
import { pageBytesMax, statementReadsPerPageMax } from "../api/limits.ts";
import type { ExecuteStatementRequest } from "../api/requests/statements.ts";
import { RawJson } from "../api/response-json.ts";
import { emptyRecord } from "../base/record.ts";
import { TableUnits } from "../capacity/consumed.ts";
import { readUnits } from "../capacity/metering.ts";
import { type IndexDescriptor, keyAttributes, type TableDescriptor } from "../engine/descriptor.ts";
import { checkKey } from "../engine/key-checks.ts";
import { conditionRange, rangeAfter } from "../engine/key-range.ts";
import { itemAddress } from "../engine/keys.ts";
import { dataRange } from "../engine/layout.ts";
import type { StoredItem } from "../engine/stored-item.ts";
import { bindKeyCondition } from "../expressions/key-condition.ts";
import type { Condition, Projection } from "../expressions/tree.ts";
import type { Item, KeyValue } from "../item/attribute-value.ts";
import { compileRead } from "../partiql/compile.ts";
import type { Parameters } from "../partiql/literal.ts";
import { type OpenStatement, refuseMultiAttributeIndex } from "../partiql/open-statement.ts";
import type { Column, CompiledRead } from "../partiql/operation.ts";
import { type TranslatedSelect, translateStatement } from "../partiql/translate.ts";
import type { KeyRange } from "../storage/store.ts";
import type { Context } from "./operation.ts";
import { checkKeyPaths, conditionPaths } from "./parameters.ts";
import { addPageUnits, needsTable, tellPage } from "./read-page.ts";
import { StartKey } from "./start-key.ts";
import { findTable, readableIndex, selected } from "./statement.ts";
import { type StatementPosition, StatementTokens } from "./statement-token.ts";

const operation = "ExecuteStatement";

/** A SELECT of ExecuteStatement: one page of what it reads. */
export async function readStatement(
  context: Context,
  request: ExecuteStatementRequest,
  statement: OpenStatement,
  parameters: Parameters,
): Promise<object> {
  const found = await findTable(context, statement.table);
  const table = found instanceof ServiceError ? undefined : found;
  refuseMultiAttributeIndex(statement, table);
  const translated = translateStatement(statement, parameters) as TranslatedSelect;
  if (table === undefined) throw found;
  const read = compileRead(translated, table, request.ConsistentRead === true);
  const index = readableIndex(table, read.index);
  checkKeyPaths(table, conditionPaths(translated.where));
  const source = { table, index };
  if (read.kind === "get") return getAnswer(context, request, source.table, read);
  const tokens = new StatementTokens(request.Statement, request.Parameters ?? []);
  const from: StatementPosition =
    request.NextToken === undefined ? { read: 0 } : tokens.decode(request.NextToken);
  if (read.kind === "scan") context.traffic.scannedByStatement(table, index);
  const stretches = stretchesOf(read, table, index);
  const page = await readStretches(context, request, { ...source, read }, stretches, from);
  const answer: Record<string, unknown> = { Items: rows(page.items, read.columns) };
  if (page.next !== undefined) answer.NextToken = tokens.encode(page.next);
  if (page.next?.key !== undefined) answer.LastEvaluatedKey = page.next.key;
  addConsumed(answer, request, read.table, page.units);
  return answer;
}

function rows(items: readonly StoredItem[], columns: readonly Column[] | undefined): unknown[] {
  return columns === undefined
    ? items.map(({ json }) => new RawJson(json))
    : items.map(({ item }) => selected(columns, item));
}

function addConsumed(
  answer: Record<string, unknown>,
  { ReturnConsumedCapacity }: ExecuteStatementRequest,
  table: string,
  units: TableUnits,
): void {
  if (ReturnConsumedCapacity === undefined) return;
  answer.ConsumedCapacity = units.report(table, ReturnConsumedCapacity);
}

async function getAnswer(
  context: Context,
  request: ExecuteStatementRequest,
  table: TableDescriptor,
  { key: item, columns, table: name }: CompiledRead & { kind: "get" },
): Promise<object> {
  checkKey(table, item);
  const { key } = itemAddress(table, item);
  const stored = await context.database.get(key);
  const size = stored?.size ?? 0;
  const units = new TableUnits();
  units.table = readUnits(size, request.ConsistentRead === true);
  const { traffic } = context;
  traffic.read(context, operation, table, undefined, key, item, units.table);
  const items = stored === undefined ? [] : [stored];
  traffic.answered(context, operation, table, items.length, size);
  const answer = { Items: rows(items, columns) };
  addConsumed(answer, request, name, units);
  return answer;
}

/** A stretch of stored keys with what is asked of the items in it. */
interface Stretch {
  readonly range: KeyRange;
  readonly filter: Condition | undefined;
  /** The partition key, if it is known. */
  readonly key: Item;
}

function stretchesOf(
  read: CompiledRead & { kind: "query" | "scan" },
  table: TableDescriptor,
  index: IndexDescriptor | undefined,
): readonly Stretch[] {
  const { id, key: schema } = index ?? table;
  if (read.kind === "scan") return [{ range: dataRange(id), filter: read.filter, key: {} }];
  return read.reads.map(({ keyCondition, filter }) => {
    const bound = bindKeyCondition(keyCondition, schema, { index: index?.name });
    const key = emptyRecord<KeyValue>();
    schema.hash.forEach(({ name }, i) => {
      key[name] = bound.hashValues[i] as KeyValue;
    });
    return { range: conditionRange(id, bound), filter, key };
  });
}

interface Source {
  readonly table: TableDescriptor;
  readonly index: IndexDescriptor | undefined;
  readonly read: CompiledRead & { kind: "query" | "scan" };
}

interface StatementPage {
  readonly items: readonly StoredItem[];
  readonly units: TableUnits;
  readonly next: StatementPosition | undefined;
}

/** One stretch after the other, until the limit, 1 MB, ten of them or the end. */
async function readStretches(
  context: Context,
  request: ExecuteStatementRequest,
  { table, index, read }: Source,
  stretches: readonly Stretch[],
  from: StatementPosition,
): Promise<StatementPage> {
  const projection = projectionOf(read.columns);
  const fetch = needsTable(table, index, { TableName: table.name }, projection);
  const reverse = read.kind === "query" && read.descending;
  const items: StoredItem[] = [];
  const units = new TableUnits();
  let next: StatementPosition | undefined;
  let bytes = 0;
  let scanned = 0;
  if (from.read < 0 || from.read >= stretches.length) throw nextTokenInvalid();
  for (let at = from.read; next === undefined && at < stretches.length; at += 1) {
    const { filter, key, range: whole } = stretches[at] as Stretch;
    const start = at === from.read ? from.key : undefined;
    const range =
      start === undefined ? whole : rest(context, { table, index }, whole, start, reverse);
    const limit = request.Limit === undefined ? undefined : request.Limit - scanned;
    const page = await context.database.read({
      table,
      index,
      range,
      reverse,
      limit,
      filter,
      fetch,
    });
    tellPage(context, operation, request, { table, index, range, key }, page);
    addPageUnits(units, request, index, page);
    items.push(...page.items);
    scanned += page.scanned;
    bytes += page.evaluatedBytes;
    const isLast = at + 1 === stretches.length;
    const isFull =
      scanned >= (request.Limit ?? Number.POSITIVE_INFINITY) ||
      bytes >= pageBytesMax ||
      at + 1 - from.read >= statementReadsPerPageMax;
    if (page.lastKey !== undefined) next = { read: at, key: page.lastKey };
    else if (isFull && !isLast) next = { read: at + 1 };
  }
  let returned = 0;
  for (const { size } of items) returned += size;
  context.traffic.answered(context, operation, table, items.length, returned);
  return { items, units, next };
}

function projectionOf(columns: readonly Column[] | undefined): Projection | undefined {
  return columns === undefined
    ? undefined
    : { kind: "projection", paths: columns.map(({ path }) => path) };
}

/** What is left of a stretch behind the key that a token holds. */
function rest(
  { dialect }: Context,
  { table, index }: Pick<Source, "table" | "index">,
  range: KeyRange,
  start: Item,
  reverse: boolean,
): KeyRange {
  try {
    const key = new StartKey(table, index, start, dialect);
    for (const attribute of keyAttributes((index ?? table).key)) key.checkPart(attribute);
    key.checkTableKey();
  } catch (error) {
    throw error instanceof ServiceError ? nextTokenInvalid() : error;
  }
  const left = rangeAfter(range, table, index, start, reverse);
  if (left === undefined) throw nextTokenInvalid();
  return left;
}
