import { expect } from "vitest";
import type { TestServer } from "../harness.ts";
import { counted } from "../item-table.ts";

type Request = Record<string, unknown>;

/** Everywhere that a condition can stand, and how a complaint about it begins there today. */
interface Carrier {
  readonly operation: string;
  readonly kind: "ConditionExpression" | "FilterExpression";
  readonly prefix: string;
  /** The request around the condition, its names and its values. */
  readonly request: (TableName: string, parameters: Request) => Request;
}

const Key = { pk: { S: "k" } };

const action =
  (name: string, more: Request) =>
  (TableName: string, parameters: Request): Request => ({
    TransactItems: [{ [name]: { TableName, ...more, ...parameters } }],
  });

export const carriers: Readonly<Record<string, Carrier>> = {
  PutItem: {
    operation: "PutItem",
    kind: "ConditionExpression",
    prefix: counted,
    request: (TableName, parameters) => ({ TableName, Item: Key, ...parameters }),
  },
  UpdateItem: {
    operation: "UpdateItem",
    kind: "ConditionExpression",
    prefix: counted,
    request: (TableName, parameters) => ({ TableName, Key, ...parameters }),
  },
  DeleteItem: {
    operation: "DeleteItem",
    kind: "ConditionExpression",
    prefix: counted,
    request: (TableName, parameters) => ({ TableName, Key, ...parameters }),
  },
  "a filter of Query": {
    operation: "Query",
    kind: "FilterExpression",
    prefix: "",
    request: (TableName, { ExpressionAttributeValues, ...parameters }) => ({
      TableName,
      KeyConditionExpression: "pk = :pk",
      ...parameters,
      ExpressionAttributeValues: { ":pk": Key.pk, ...(ExpressionAttributeValues as object) },
    }),
  },
  "a filter of Scan": {
    operation: "Scan",
    kind: "FilterExpression",
    prefix: "",
    request: (TableName, parameters) => ({ TableName, ...parameters }),
  },
  "a check in a transaction": {
    operation: "TransactWriteItems",
    kind: "ConditionExpression",
    prefix: "",
    request: action("ConditionCheck", { Key }),
  },
  "a put in a transaction": {
    operation: "TransactWriteItems",
    kind: "ConditionExpression",
    prefix: "",
    request: action("Put", { Item: Key }),
  },
};

export type CarrierName = keyof typeof carriers;

export interface Condition {
  readonly text: string;
  readonly values?: Request | undefined;
  readonly names?: Record<string, string> | undefined;
}

/** The answer to a request with this condition. */
export function carry(
  server: TestServer,
  { operation, kind, request }: Carrier,
  { text, values, names }: Condition,
  TableName = "no-such-table",
) {
  const parameters = {
    [kind]: text,
    ...(values !== undefined && { ExpressionAttributeValues: values }),
    ...(names !== undefined && { ExpressionAttributeNames: names }),
  };
  return server.raw(operation, request(TableName, parameters));
}

/** The condition is refused for itself, though there is no such table either. */
export async function expectRefusal(
  server: TestServer,
  name: string,
  condition: Condition,
  message: (kind: string) => string,
): Promise<void> {
  const carrier = carriers[name] as Carrier;
  const { status, json } = await carry(server, carrier, condition);
  expect(json).toEqual({
    __type: "com.amazon.coral.validate#ValidationException",
    message: carrier.prefix + message(carrier.kind),
  });
  expect(status).toBe(400);
}
