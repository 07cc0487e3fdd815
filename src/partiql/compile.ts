import { globalIndexDoesNotProject, indexDoesNotProjectFilter } from "../api/errors/read.ts";
import {
  existsNeedsCondition,
  indexInTransaction,
  mandatoryEquality,
  orderAcrossHashKeys,
  orderByNoKey,
  orderWithoutHashKey,
  orderWithoutWhere,
  primaryKeyRequired,
  severalKeyConditions,
  statementConsistentOnGlobalIndex,
  statementIndexNotFound,
} from "../api/errors/statement.ts";
import { emptyRecord } from "../base/record.ts";
import type { KeyConditionSchema } from "../expressions/key-condition.ts";
import { conjunctsOf } from "../expressions/logical-tree.ts";
import type { Condition, Path } from "../expressions/tree.ts";
import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { equalValues } from "../item/compare.ts";
import { conjunctionOf } from "./conjunction.ts";
import { keyLeafOf } from "./key-leaf.ts";
import { KeyPlan } from "./key-plan.ts";
import type { CompiledRead, CompiledWrite } from "./operation.ts";
import { heldBy, type IndexShape, type TableShape } from "./table-shape.ts";
import type { OrderTerm, TranslatedSelect, TranslatedStatement } from "./translate.ts";

/** A SELECT by itself: the read that it comes to on a table. */
export function compileRead(
  statement: TranslatedSelect,
  table: TableShape,
  consistent: boolean,
): CompiledRead {
  const { table: name, columns, where, order } = statement;
  const index = indexOf(statement, table);
  if (index?.kind === "global" && consistent) throw statementConsistentOnGlobalIndex();
  const held = index === undefined ? undefined : heldBy(table, index);
  if (index?.kind === "global" && held !== undefined && columns !== undefined) {
    const missing = columns.map(({ path }) => path.steps[0]).filter((one) => !held.has(one));
    if (missing.length > 0) throw globalIndexDoesNotProject(index.name, [...new Set(missing)]);
  }
  const schema = (index ?? table).key;
  const plan = new KeyPlan(schema, where);
  plan.checkTypes();
  plan.checkReads();
  checkOrder(order, where, schema, plan);
  if (held !== undefined && index !== undefined) {
    const missing = plan.missing(held);
    if (missing.length > 0) throw indexDoesNotProjectFilter(index.name, missing);
  }
  const base = { table: name, index: index?.name, columns };
  if (!plan.keyed) return { ...base, kind: "scan", filter: where };
  const key = index === undefined ? plan.single() : undefined;
  if (key !== undefined) return { ...base, kind: "get", key };
  const [hash, range] = [schema.hash[0]?.name, schema.range[0]?.name];
  const direction = (attribute: string | undefined): boolean | undefined =>
    order.find((term) => term.attribute === attribute)?.descending;
  // Recorded: an ORDER BY that does not name the sort key turns it round.
  const descending = direction(range) ?? order.length > 0;
  const reads = plan.reads(direction(hash) === true, descending);
  return { ...base, kind: "query", reads, descending };
}

function indexOf({ index: name }: TranslatedSelect, table: TableShape): IndexShape | undefined {
  if (name === undefined) return undefined;
  const index = table.indexes.find((one) => one.name === name);
  if (index === undefined) throw statementIndexNotFound();
  return index;
}

function checkOrder(
  order: readonly OrderTerm[],
  where: Condition | undefined,
  schema: KeyConditionSchema,
  plan: KeyPlan,
): void {
  if (order.length === 0) return;
  if (where === undefined) throw orderWithoutWhere();
  const keys = [...schema.hash, ...schema.range].map(({ name }) => name);
  for (const { attribute } of order) {
    if (!keys.includes(attribute)) throw orderByNoKey(attribute);
  }
  if (!plan.keyed) throw orderWithoutHashKey();
  const ordered = order.some(({ attribute }) => attribute === schema.hash[0]?.name);
  if (plan.partitions > 1 && !ordered) throw orderAcrossHashKeys();
}

/** A SELECT among others: one item by its whole key, and nothing is said besides. */
export function compileItemRead(
  statement: TranslatedSelect,
  table: TableShape,
  operation: "BatchExecuteStatement" | "ExecuteTransaction",
): CompiledRead & { kind: "get" } {
  const { table: name, index, columns, where } = statement;
  if (index !== undefined) {
    throw operation === "ExecuteTransaction" ? indexInTransaction() : primaryKeyRequired(operation);
  }
  const plan = new KeyPlan(table.key, where);
  plan.checkReads();
  const key = plan.single();
  if (key === undefined) throw primaryKeyRequired(operation);
  return { kind: "get", table: name, index: undefined, columns, key };
}

/** INSERT, UPDATE, DELETE or EXISTS. */
export function compileWrite(statement: TranslatedStatement, table: TableShape): CompiledWrite {
  const exists: Path = { kind: "path", steps: [table.key.hash[0]?.name as string] };
  switch (statement.kind) {
    case "insert": {
      const condition: Condition = { kind: "attribute_not_exists", path: exists };
      return { kind: "put", table: statement.table, item: statement.item, condition };
    }
    case "update": {
      const { key, rest } = keyAndRest(statement.where, table, false);
      // No item is made: there must be one.
      const there: Condition = { kind: "attribute_exists", path: exists };
      return {
        kind: "update",
        table: statement.table,
        key,
        update: statement.update,
        condition: conjunctionOf([there, ...rest]) as Condition,
        returning: statement.returning,
      };
    }
    case "delete": {
      const { key, rest } = keyAndRest(statement.where, table, false);
      const { table: name, returning } = statement;
      const right = conjunctionOf(rest);
      if (right === undefined) {
        return { kind: "delete", table: name, key, condition: undefined, returning };
      }
      // What is not there is deleted already, whatever else is asked.
      const left: Condition = { kind: "attribute_not_exists", path: exists };
      return {
        kind: "delete",
        table: name,
        key,
        condition: { kind: "or", left, right },
        returning,
      };
    }
    case "exists":
    case "select":
      return compileCheck(statement, table);
  }
}

function compileCheck(
  { table: name, index, where }: TranslatedSelect,
  table: TableShape,
): CompiledWrite {
  if (index !== undefined) throw indexInTransaction();
  const { key, rest } = keyAndRest(where, table, true);
  const condition = conjunctionOf(rest);
  if (condition === undefined) throw existsNeedsCondition();
  return { kind: "check", table: name, key, condition };
}

/**
 * The key that the equalities of a WHERE name, and what it says besides. EXISTS takes the first
 * equality of each key attribute and leaves others to the condition.
 */
function keyAndRest(
  where: Condition | undefined,
  table: TableShape,
  firstCounts: boolean,
): { key: Item; rest: readonly Condition[] } {
  const names = [...table.key.hash, ...table.key.range].map(({ name }) => name);
  const found = new Map<string, AttributeValue>();
  const rest: Condition[] = [];
  for (const condition of where === undefined ? [] : conjunctsOf(where)) {
    const leaf = condition.kind === "compare" ? keyLeafOf(condition) : undefined;
    const [is] = leaf?.anyOf ?? [];
    if (leaf === undefined || is?.op !== "=" || !names.includes(leaf.attribute)) {
      rest.push(condition);
      continue;
    }
    const known = found.get(leaf.attribute);
    if (known === undefined) found.set(leaf.attribute, is.value);
    else if (!equalValues(known, is.value)) {
      if (!firstCounts) throw severalKeyConditions(leaf.attribute);
      rest.push(condition);
    }
  }
  if (found.size < names.length) throw firstCounts ? existsNeedsCondition() : mandatoryEquality();
  const key = emptyRecord<AttributeValue>();
  for (const name of names) key[name] = found.get(name) as AttributeValue;
  return { key, rest };
}
