import { ServiceError } from "../api/errors/service-error.ts";
import type { CreateTableRequest } from "../api/requests/create-table.ts";
import { printable } from "../base/printable.ts";
import { didYouMean } from "../document/nearest.ts";
import type { AttributeValue, KeyType } from "../item/attribute-value.ts";
import type { Model } from "../model/model.ts";
import { tableRequests } from "../modeller/requests/table-requests.ts";
import { compileRead, compileWrite } from "../partiql/compile.ts";
import { checkParameters } from "../partiql/literal.ts";
import { openStatement, refuseMultiAttributeIndex } from "../partiql/open-statement.ts";
import type { CompiledStatement } from "../partiql/operation.ts";
import { asRequests, type NativeRequest } from "../partiql/print.ts";
import type { IndexShape, TableShape } from "../partiql/table-shape.ts";
import { translateStatement } from "../partiql/translate.ts";

/** What a PartiQL statement comes to in the tables of a model. */
export interface StatementPlan {
  readonly statement: string;
  readonly kind: CompiledStatement["kind"];
  readonly table: string;
  readonly index: string | undefined;
  /** It reads all of the table or index, whatever it is after. */
  readonly scans: boolean;
  readonly requests: readonly NativeRequest[];
}

/** A sentence if the service would refuse the statement, or the model has no such table. */
export function planStatement(
  model: Model,
  statement: string,
  parameters: readonly AttributeValue[],
): StatementPlan | string {
  try {
    const values = checkParameters(structuredClone(parameters));
    const opened = openStatement(statement);
    const { table, shape } = tableOf(model, opened.table);
    refuseMultiAttributeIndex(opened, shape);
    const translated = translateStatement(opened, values);
    if (shape === undefined) return unknownTable(model, opened.table);
    const compiled =
      translated.kind === "select"
        ? compileRead({ ...translated, table }, shape, false)
        : compileWrite({ ...translated, table }, shape);
    return {
      statement,
      kind: compiled.kind,
      table,
      index: "index" in compiled ? compiled.index : undefined,
      scans: compiled.kind === "scan",
      requests: asRequests(compiled),
    };
  } catch (error) {
    if (error instanceof ServiceError) return `${error.type}: ${error.message}`;
    throw error;
  }
}

/** A table goes by the name of its design, or by that of one of its periods. */
function tableOf(model: Model, name: string): { table: string; shape: TableShape | undefined } {
  for (const { table, create } of tableRequests(model, 0)) {
    if (table.name === name || create.TableName === name) {
      return { table: table.name, shape: shapeOf(create) };
    }
  }
  return { table: name, shape: undefined };
}

function unknownTable(model: Model, name: string): string {
  const known = [...(model.design?.tables.keys() ?? [])];
  return `The model has no table '${name}'${didYouMean(name, known) || "."}`;
}

function shapeOf(create: CreateTableRequest): TableShape {
  const types = new Map<string, KeyType>();
  for (const { AttributeName, AttributeType } of create.AttributeDefinitions ?? []) {
    types.set(AttributeName, AttributeType);
  }
  const schema = (elements: CreateTableRequest["KeySchema"]): TableShape["key"] => {
    const of = (kind: "HASH" | "RANGE") =>
      (elements ?? [])
        .filter(({ KeyType: one }) => one === kind)
        .map(({ AttributeName: name }) => ({ name, type: types.get(name) ?? "S" }));
    return { hash: of("HASH"), range: of("RANGE") };
  };
  const indexes = (kind: IndexShape["kind"]): readonly IndexShape[] =>
    ((kind === "global" ? create.GlobalSecondaryIndexes : create.LocalSecondaryIndexes) ?? []).map(
      ({ IndexName, KeySchema, Projection }) => ({
        name: IndexName,
        kind,
        key: schema(KeySchema),
        projection: {
          type: Projection?.ProjectionType ?? "ALL",
          attributes: Projection?.NonKeyAttributes ?? [],
        },
      }),
    );
  return { key: schema(create.KeySchema), indexes: [...indexes("global"), ...indexes("local")] };
}

const deeds: Readonly<Record<StatementPlan["kind"], string>> = {
  get: "gets one item",
  query: "queries",
  scan: "scans",
  put: "puts one item",
  update: "updates one item",
  delete: "deletes one item",
  check: "checks one item",
};

/** For a terminal: what it does, then the requests that would do the same. */
export function statementPlanText({ kind, table, index, scans, requests }: StatementPlan): string {
  const place = index === undefined ? table : `${table}, index ${index}`;
  const deed = requests.length > 1 ? `comes to ${requests.length} queries` : deeds[kind];
  const lines = [`The statement ${deed}: ${place}.`];
  if (scans) {
    lines.push(
      "It reads everything there, page by page, and pays for all of it: no partition key is compared with = or IN.",
    );
  }
  for (const { operation, input } of requests) {
    lines.push(`  ${operation} ${JSON.stringify(input)}`);
  }
  return `${lines.map(printable).join("\n")}\n`;
}
