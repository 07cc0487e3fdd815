import { pathTooDeep } from "../api/errors/expression.ts";
import {
  aliasing,
  duplicateColumn,
  invalidReturning,
  notOnIndex,
  unexpectedPathComponent,
  unsupportedClause,
  unsupportedValue,
} from "../api/errors/statement.ts";
import { nestingLevelsMax } from "../api/limits.ts";
import { emptyRecord } from "../base/record.ts";
import type { Condition, Path, Update } from "../expressions/tree.ts";
import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { conditionOf } from "./condition.ts";
import { memberName, nodeName, type Parameters, valueFrom } from "./literal.ts";
import type { OpenStatement } from "./open-statement.ts";
import type { Column } from "./operation.ts";
import { pathOf } from "./path.ts";
import type { ChangeSyntax, Expression, OrderSyntax, Returning, SelectSyntax } from "./syntax.ts";
import { updateOf } from "./update.ts";

/** All that a statement and its parameters say; its table has not been looked at yet. */
export type TranslatedStatement =
  | TranslatedSelect
  | { readonly kind: "insert"; readonly table: string; readonly item: Item }
  | TranslatedUpdate
  | TranslatedDelete;

export interface TranslatedSelect {
  readonly kind: "select" | "exists";
  readonly table: string;
  readonly index: string | undefined;
  readonly columns: readonly Column[] | undefined;
  readonly where: Condition | undefined;
  readonly order: readonly OrderTerm[];
}

export interface OrderTerm {
  readonly attribute: string;
  readonly descending: boolean;
}

export interface TranslatedUpdate {
  readonly kind: "update";
  readonly table: string;
  readonly where: Condition | undefined;
  readonly update: Update;
  readonly returning: Returning | undefined;
}

export interface TranslatedDelete {
  readonly kind: "delete";
  readonly table: string;
  readonly where: Condition | undefined;
  readonly returning: Returning | undefined;
}

export function translateStatement(
  statement: OpenStatement,
  parameters: Parameters,
): TranslatedStatement {
  const { table, index } = statement;
  switch (statement.kind) {
    case "select":
    case "exists":
      return { kind: statement.kind, table, index, ...select(statement.syntax, parameters) };
    case "insert":
      return { kind: "insert", table, item: itemOf(statement.syntax.value, parameters) };
    case "update": {
      if (index !== undefined) throw notOnIndex();
      const { clauses, returning } = statement.syntax;
      const update = updateOf(clauses, parameters);
      return {
        kind: "update",
        table,
        where: whereOf(statement.syntax, parameters),
        update,
        returning,
      };
    }
    case "delete": {
      if (index !== undefined) throw notOnIndex();
      const { returning } = statement.syntax;
      if (returning !== undefined && returning !== "ALL OLD") throw invalidReturning(returning);
      return { kind: "delete", table, where: whereOf(statement.syntax, parameters), returning };
    }
  }
}

function select(syntax: SelectSyntax, parameters: Parameters) {
  const [unsupported] = syntax.unsupported;
  if (unsupported !== undefined) throw unsupportedClause(unsupported.clause, unsupported.place);
  const columns = syntax.columns?.map(({ expression, aliased }) => {
    if (aliased) throw aliasing();
    const path = pathOf(expression);
    const levels = path.steps.length;
    if (levels > nestingLevelsMax) throw pathTooDeep("Statement", levels);
    return { path, name: columnName(path) };
  });
  const names = new Set<string>();
  for (const { name } of columns ?? []) {
    if (names.has(name)) throw duplicateColumn(name);
    names.add(name);
  }
  return {
    columns,
    where: whereOf(syntax, parameters),
    order: syntax.order.map(orderTerm),
  };
}

/** The last name in the path, with the positions behind it: `b[0]` for `a.b[0]`. */
function columnName({ steps }: Path): string {
  let name = "";
  for (const step of steps) {
    if (typeof step === "number") name += `[${step}]`;
    else name = step;
  }
  return name;
}

function orderTerm({ expression, descending }: OrderSyntax): OrderTerm {
  if (expression.kind !== "name") throw unexpectedPathComponent(expression.place);
  return { attribute: expression.name, descending };
}

function whereOf(
  { where }: SelectSyntax | ChangeSyntax,
  parameters: Parameters,
): Condition | undefined {
  return where === undefined ? undefined : conditionOf(where, parameters);
}

/** INSERT takes a map; its attributes may be parameters, what is nested in them may not. */
function itemOf(value: Expression, parameters: Parameters): Item {
  if (value.kind !== "struct") throw unsupportedValue(nodeName(value), "root", value.place);
  const item = emptyRecord<AttributeValue>();
  for (const [name, member] of value.members) {
    item[memberName(name, "root")] = valueFrom(member, parameters);
  }
  return item;
}
