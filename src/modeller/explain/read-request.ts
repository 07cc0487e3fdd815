import type { QueryRequest } from "../../api/requests/query.ts";
import type { ScanRequest } from "../../api/requests/scan.ts";
import { checkItem } from "../../api/values.ts";
import { didYouMean } from "../../document/nearest.ts";
import { compileExpressions } from "../../expressions/compile.ts";
import { compileKeyConditions } from "../../expressions/legacy-read.ts";
import type { Condition, KeyComparison, KeyCondition as KeyTree } from "../../expressions/tree.ts";
import type { Item } from "../../item/attribute-value.ts";
import type { Index, Table } from "../../model/design.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { Operand, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { type KeyCondition, noRemainder, type ReadRequest } from "../plans/plan.ts";
import { type Structure, structuresOf } from "../plans/structures.ts";
import type { MadeKey, StoredRecord } from "../records/record.ts";
import { filterShare, operators } from "./filter-share.ts";
import { attributesIn, boundBy, canBeginWith, fits, recordsAt, valueText } from "./match-value.ts";

/** A request that the model has no place for. */
export class Mismatch extends Error {}

export function tableNamed(facts: Facts, name: string): Table {
  const tables = facts.model.design?.tables;
  const table = tables?.get(name);
  if (table === undefined) {
    const known = [...(tables?.keys() ?? [])];
    throw new Mismatch(`the model has no table '${name}'${didYouMean(name, known)}`);
  }
  return table;
}

function indexNamed(table: Table, name: string | undefined): Index | undefined {
  if (name === undefined) return undefined;
  const index = table.indexes.get(name);
  if (index === undefined) {
    throw new Mismatch(
      `${table.name} has no index '${name}'${didYouMean(name, table.indexes.keys())}`,
    );
  }
  return index;
}

/** The kind of item under a key, by what its key looks like. */
export function recordOf(facts: Facts, table: Table, raw: Item): StoredRecord {
  const key = checkItem(raw as Readonly<Record<string, object>>, "current");
  const own = facts.records.filter((one) => one.table === table);
  const [record] = recordsAt(own, key);
  if (record === undefined) {
    throw new Mismatch(`no kind of item in ${table.name} has such a key`);
  }
  return record;
}

type Shape = Pick<ReadRequest, "operation" | "table" | "index" | "record" | "consistent">;

function readOf(
  shape: Shape,
  more: Partial<ReadRequest> & Pick<ReadRequest, "expected">,
): ReadRequest {
  return {
    kind: "read",
    part: 0,
    completes: undefined,
    remainder: noRemainder,
    together: [],
    beside: [],
    partition: [],
    sort: [],
    bindings: new Map(),
    filter: [],
    forward: true,
    limit: undefined,
    sortsInClient: false,
    merges: false,
    returns: [],
    fetches: false,
    times: [],
    ...shape,
    ...more,
  };
}

/** Items by their whole keys: all keys of one kind together. */
export function getRequests(
  facts: Facts,
  operation: "GetItem" | "BatchGetItem" | "TransactGetItems",
  keys: readonly { readonly table: string; readonly key: Item; readonly consistent: boolean }[],
): readonly ReadRequest[] {
  const groups = new Map<StoredRecord, { key: Item; consistent: boolean }[]>();
  for (const { table: name, key, consistent } of keys) {
    const record = recordOf(facts, tableNamed(facts, name), key);
    groups.set(record, [...(groups.get(record) ?? []), { key, consistent }]);
  }
  return [...groups].map(([record, list]) => {
    const { table } = record;
    const calls = list.length;
    const consistent = list.some((one) => one.consistent);
    const conditions = record.key.map(({ attribute, text }, i): KeyCondition => {
      const made = (i === 0 ? table.partition : table.sort) ?? table.partition;
      const given = list.length === 1 ? list[0]?.key[attribute] : undefined;
      return equalTo(made, given === undefined ? text : literal(valueText(given)));
    });
    return readOf(
      { operation, table, index: undefined, record, consistent },
      {
        partition: conditions.slice(0, 1),
        sort: conditions.slice(1),
        expected: {
          calls,
          evaluated: [{ record, count: calls }],
          returned: calls,
          assumptions: [],
        },
      },
    );
  });
}

const literal = (text: string): KeyText => ({
  text,
  segments: text === "" ? [] : [{ kind: "text", text }],
  offsets: [0],
  native: undefined,
});

const equalTo = (attribute: MadeKey["attribute"], text: KeyText): KeyCondition => ({
  attribute,
  text,
  kind: "equals",
  segments: text.segments.length,
});

export function queryRequest(facts: Facts, request: QueryRequest): ReadRequest {
  const table = tableNamed(facts, request.TableName);
  const index = indexNamed(table, request.IndexName);
  const { keyCondition, filter } = compiled(request);
  const tree =
    keyCondition ?? (request.KeyConditions && compileKeyConditions(request.KeyConditions as never));
  if (tree === undefined) throw new Mismatch("a Query needs a key condition");
  const found = structuresIn(facts, table, index).flatMap((structure) => {
    const met = meets(structure, tree);
    return met === undefined ? [] : [{ structure, ...met }];
  });
  const [first] = found;
  if (first === undefined) {
    const name = index?.name ?? table.name;
    throw new Mismatch(`no kind of item in ${name} has such keys`);
  }
  const assumptions: string[] = [];
  const evaluated = found.map(({ structure, bound, ranged }) => {
    const { record, membership } = structure;
    if (ranged) assumptions.push(`that all ${record.name} under the key lie in the range`);
    const per =
      bound.length === 0 ? facts.count(record) : facts.cardinality.itemsPer(record.entity, bound);
    if (per === undefined) assumptions.push(`how many ${record.name} there are`);
    const share = membership === undefined ? 1 : facts.shareIn(record.entity, membership).value;
    return { record, count: (per?.value ?? 1) * share };
  });
  return limited(
    facts,
    readOf(
      {
        operation: "Query",
        table,
        index,
        record: first.structure.record,
        consistent: request.ConsistentRead === true,
      },
      {
        beside: [],
        together: found.slice(1).map(({ structure }) => structure.record),
        ...conditionsOf(first.structure, tree),
        forward: request.ScanIndexForward !== false,
        fetches: index?.local === true && request.Select === "ALL_ATTRIBUTES",
        expected: { calls: 1, evaluated, returned: 0, assumptions },
      },
    ),
    request.Limit,
    filter,
  );
}

export function scanRequest(facts: Facts, request: ScanRequest): ReadRequest {
  const table = tableNamed(facts, request.TableName);
  const index = indexNamed(table, request.IndexName);
  const { filter } = compiled(request);
  const found = structuresIn(facts, table, index);
  const [first] = found;
  if (first === undefined) throw new Mismatch(`nothing lies in ${index?.name ?? table.name}`);
  const assumptions: string[] = [];
  const evaluated = found.map(({ record, membership }) => {
    const count = facts.count(record);
    if (count === undefined) assumptions.push(`how many ${record.name} there are`);
    const share = membership === undefined ? 1 : facts.shareIn(record.entity, membership).value;
    return { record, count: (count?.value ?? 1) * share };
  });
  return limited(
    facts,
    readOf(
      {
        operation: "Scan",
        table,
        index,
        record: first.record,
        consistent: request.ConsistentRead === true,
      },
      {
        together: found.slice(1).map(({ record }) => record),
        expected: { calls: 1, evaluated, returned: 0, assumptions },
      },
    ),
    request.Limit,
    filter,
  );
}

/** What a limit leaves to be read, and a filter to be returned. */
function limited(
  facts: Facts,
  request: ReadRequest,
  limit: number | undefined,
  filter: Condition | undefined,
): ReadRequest {
  const { expected } = request;
  const all = expected.evaluated.reduce((sum, { count }) => sum + count, 0);
  const part = limit === undefined || all <= limit ? 1 : limit / all;
  const evaluated = expected.evaluated.map(({ record, count }) => ({
    record,
    count: count * part,
  }));
  const assumptions = new Set(expected.assumptions);
  const left = evaluated.map(({ record, count }) => {
    const passing = filterShare(facts, record, filter);
    for (const one of passing.assumptions) assumptions.add(one);
    return { ...passing, count };
  });
  return {
    ...request,
    filter: left.map(({ predicates }) => predicates).find(({ length }) => length > 0) ?? [],
    expected: {
      ...expected,
      evaluated,
      returned: left.reduce((sum, { count, share }) => sum + count * share, 0),
      assumptions: [...assumptions],
    },
  };
}

function compiled(request: QueryRequest | ScanRequest) {
  const keyed = "KeyConditionExpression" in request ? request.KeyConditionExpression : undefined;
  return compileExpressions({
    keyCondition: keyed,
    filter: request.FilterExpression,
    projection: request.ProjectionExpression,
    names: request.ExpressionAttributeNames,
    values: request.ExpressionAttributeValues,
  });
}

function structuresIn(facts: Facts, table: Table, index: Index | undefined): readonly Structure[] {
  return facts.records
    .filter((record) => record.table === table)
    .flatMap((record) => structuresOf(record).filter((one) => one.index === index));
}

interface Met {
  /** Attributes of the entity whose values the keys hold. */
  readonly bound: readonly string[];
  /** How much of the rest lies in the range is not known. */
  readonly ranged: boolean;
}

/** Whether items of a kind can be what a key condition asks for. */
function meets({ partition, sort }: Structure, { comparisons }: KeyTree): Met | undefined {
  const bound: string[] = [];
  let ranged = false;
  const find = (made: MadeKey): KeyComparison | undefined =>
    comparisons.find(({ attribute }) => attribute === made.attribute.name)?.is;
  for (const made of partition) {
    const is = find(made);
    if (is?.op !== "=" || !fits(made, is.value)) return undefined;
    bound.push(...attributesIn(made.text.segments));
  }
  for (const made of sort) {
    const is = find(made);
    if (is === undefined) continue;
    if (is.op === "=") {
      if (!fits(made, is.value)) return undefined;
      bound.push(...attributesIn(made.text.segments));
    } else if (is.op === "begins_with") {
      const prefix = valueText(is.value);
      if (!canBeginWith(made, prefix)) return undefined;
      bound.push(...boundBy(made.text, prefix));
      ranged ||= made.text.native !== undefined;
    } else ranged = true;
  }
  return { bound: [...new Set(bound)], ranged };
}

function conditionsOf(
  { partition, sort }: Structure,
  { comparisons }: KeyTree,
): Pick<ReadRequest, "partition" | "sort"> {
  const of = (list: readonly MadeKey[]): readonly KeyCondition[] =>
    list.flatMap(({ attribute }) => {
      const is = comparisons.find((one) => one.attribute === attribute.name)?.is;
      return is === undefined ? [] : [conditionOf(attribute, is)];
    });
  return { partition: of(partition), sort: of(sort) };
}

function conditionOf(attribute: MadeKey["attribute"], is: KeyComparison): KeyCondition {
  if (is.op === "=") return equalTo(attribute, literal(valueText(is.value)));
  if (is.op === "begins_with") {
    return { attribute, text: literal(valueText(is.value)), kind: "begins", segments: 1 };
  }
  const values = is.op === "between" ? [is.low, is.high] : [is.value];
  const operands = values.map((value): Operand => ({ kind: "constant", value: valueText(value) }));
  const operator = is.op === "between" ? "between" : operators[is.op];
  const predicate: Predicate = { attribute: attribute.name, operator, operands, exists: true };
  return { attribute, text: literal(""), kind: "range", segments: 0, predicate };
}
