import { emptyRecord } from "../base/record.ts";
import {
  type Notation,
  printCondition,
  printKeyCondition,
  printProjection,
  printUpdate,
} from "../expressions/printer.ts";
import { isReservedWord } from "../expressions/reserved-words.ts";
import type { Condition, Constant } from "../expressions/tree.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import type { Column, CompiledRead, CompiledStatement, CompiledWrite } from "./operation.ts";
import type { Returning } from "./syntax.ts";

/** A request of the API that does what a statement, or a part of it, does. */
export interface NativeRequest {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * What a statement comes to, as requests: one, or as many as there are partitions to read. A request
 * cannot say everything that a statement can: a filter may name keys here, which a Query refuses, and
 * columns are flat where a projection is not.
 */
export function asRequests(statement: CompiledStatement): readonly NativeRequest[] {
  switch (statement.kind) {
    case "get":
    case "query":
    case "scan":
      return readRequests(statement);
    default:
      return [writeRequest(statement)];
  }
}

function readRequests(read: CompiledRead): readonly NativeRequest[] {
  const of = { TableName: read.table, ...(read.index !== undefined && { IndexName: read.index }) };
  switch (read.kind) {
    case "get": {
      const words = new Placeholders();
      const shown = projection(words, read.columns);
      return [{ operation: "GetItem", input: { ...of, Key: read.key, ...shown, ...words.maps() } }];
    }
    case "scan": {
      const words = new Placeholders();
      const expressions = {
        ...filter(words, "FilterExpression", read.filter),
        ...projection(words, read.columns),
      };
      return [{ operation: "Scan", input: { ...of, ...expressions, ...words.maps() } }];
    }
    case "query":
      return read.reads.map(({ keyCondition, filter: condition }) => {
        const words = new Placeholders();
        const expressions = {
          KeyConditionExpression: printKeyCondition(keyCondition, words),
          ...filter(words, "FilterExpression", condition),
          ...projection(words, read.columns),
        };
        const order = read.descending ? { ScanIndexForward: false } : {};
        return {
          operation: "Query",
          input: { ...of, ...expressions, ...order, ...words.maps() },
        };
      });
  }
}

function writeRequest(write: CompiledWrite): NativeRequest {
  const words = new Placeholders();
  const TableName = write.table;
  switch (write.kind) {
    case "put": {
      const condition = filter(words, "ConditionExpression", write.condition);
      return {
        operation: "PutItem",
        input: { TableName, Item: write.item, ...condition, ...words.maps() },
      };
    }
    case "update": {
      const expressions = {
        UpdateExpression: printUpdate(write.update, words),
        ...filter(words, "ConditionExpression", write.condition),
      };
      const returned = returnValues(write.returning);
      return {
        operation: "UpdateItem",
        input: { TableName, Key: write.key, ...expressions, ...returned, ...words.maps() },
      };
    }
    case "delete": {
      const condition = filter(words, "ConditionExpression", write.condition);
      const returned = returnValues(write.returning);
      return {
        operation: "DeleteItem",
        input: { TableName, Key: write.key, ...condition, ...returned, ...words.maps() },
      };
    }
    case "check": {
      const condition = filter(words, "ConditionExpression", write.condition);
      const ConditionCheck = { TableName, Key: write.key, ...condition, ...words.maps() };
      return { operation: "TransactWriteItems", input: { TransactItems: [{ ConditionCheck }] } };
    }
  }
}

function returnValues(returning: Returning | undefined): { ReturnValues?: string } {
  if (returning === undefined) return {};
  return { ReturnValues: returning.replace("MODIFIED", "UPDATED").replace(" ", "_") };
}

function filter(
  words: Placeholders,
  parameter: "FilterExpression" | "ConditionExpression",
  condition: Condition | undefined,
): Record<string, string> {
  return condition === undefined ? {} : { [parameter]: printCondition(condition, words) };
}

function projection(
  words: Placeholders,
  columns: readonly Column[] | undefined,
): { ProjectionExpression?: string } {
  if (columns === undefined) return {};
  const paths = columns.map(({ path }) => path);
  return { ProjectionExpression: printProjection({ kind: "projection", paths }, words) };
}

/** Values always stand for themselves as placeholders, names where they must. */
class Placeholders implements Notation {
  readonly #names = emptyRecord<string>();
  readonly #values = emptyRecord<AttributeValue>();
  readonly #known = new Map<string, string>();
  #count = 0;

  readonly name = (name: string): string => {
    if (/^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !isReservedWord(name)) return name;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const placeholder = `#n${this.#known.size}`;
    this.#known.set(name, placeholder);
    this.#names[placeholder] = name;
    return placeholder;
  };

  readonly constant = ({ value }: Constant): string => {
    const placeholder = `:v${this.#count}`;
    this.#count += 1;
    this.#values[placeholder] = value;
    return placeholder;
  };

  maps(): Record<string, unknown> {
    return {
      ...(this.#known.size > 0 && { ExpressionAttributeNames: this.#names }),
      ...(this.#count > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }
}
