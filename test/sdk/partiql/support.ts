import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  type BatchExecuteStatementCommandOutput,
  type BatchStatementRequest,
  ExecuteStatementCommand,
  type ExecuteStatementCommandInput,
  type ExecuteStatementCommandOutput,
  ExecuteTransactionCommand,
  type ExecuteTransactionCommandInput,
  type ExecuteTransactionCommandOutput,
  GetItemCommand,
  type ParameterizedStatement,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import type { TestServer } from "../harness.ts";
import type { Item } from "../reading.ts";

/** What the suites about PartiQL share. */

export const malformed = "Statement wasn't well formed, can't be processed: ";
export const leftover = `${malformed}Unexpected token after expression`;

type Options = Omit<ExecuteStatementCommandInput, "Statement" | "Parameters">;

export function run(
  server: TestServer,
  Statement: string,
  Parameters?: AttributeValue[],
  options: Options = {},
): Promise<ExecuteStatementCommandOutput> {
  return server.client.send(
    new ExecuteStatementCommand({ Statement, ...(Parameters && { Parameters }), ...options }),
  );
}

/** One attribute of the rows of a SELECT. */
export async function column(
  server: TestServer,
  statement: string,
  name: string,
  parameters?: AttributeValue[],
): Promise<(string | undefined)[]> {
  const { Items } = await run(server, statement, parameters);
  return (Items ?? []).map((row) => row[name]?.S ?? row[name]?.N);
}

export function batch(
  server: TestServer,
  statements: readonly (string | BatchStatementRequest)[],
  ReturnConsumedCapacity?: "INDEXES" | "TOTAL",
): Promise<BatchExecuteStatementCommandOutput> {
  const Statements = statements.map((one) => (typeof one === "string" ? { Statement: one } : one));
  return server.client.send(
    new BatchExecuteStatementCommand({
      Statements,
      ...(ReturnConsumedCapacity && { ReturnConsumedCapacity }),
    }),
  );
}

export function transact(
  server: TestServer,
  statements: readonly (string | ParameterizedStatement)[],
  options: Omit<ExecuteTransactionCommandInput, "TransactStatements"> = {},
): Promise<ExecuteTransactionCommandOutput> {
  const TransactStatements = statements.map((one) =>
    typeof one === "string" ? { Statement: one } : one,
  );
  return server.client.send(new ExecuteTransactionCommand({ TransactStatements, ...options }));
}

/** The reasons of a transaction that must be cancelled. */
export async function reasons(request: Promise<unknown>, ...codes: string[]) {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, "the request succeeded").toBeInstanceOf(TransactionCanceledException);
  const { CancellationReasons = [], message } = error as TransactionCanceledException;
  expect(CancellationReasons.map(({ Code }) => Code)).toEqual(codes);
  expect(message).toBe(
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(", ")}]`,
  );
  return CancellationReasons;
}

export async function stored(
  server: TestServer,
  TableName: string,
  Key: Item,
): Promise<Item | undefined> {
  const { Item } = await server.client.send(
    new GetItemCommand({ TableName, Key, ConsistentRead: true }),
  );
  return Item;
}
