import { setTimeout as sleep } from "node:timers/promises";
import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  type GlobalSecondaryIndexDescription,
  type KeySchemaElement,
  type TableDescription,
  UpdateTableCommand,
  type UpdateTableCommandInput,
} from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import { freshName, type TestServer } from "../harness.ts";

export const invalid = "One or more parameter values were invalid: ";

export const hash = (AttributeName: string): KeySchemaElement => ({
  AttributeName,
  KeyType: "HASH",
});
export const range = (AttributeName: string): KeySchemaElement => ({
  AttributeName,
  KeyType: "RANGE",
});
/** `"a b:N"`: names with their types, S unless told. */
export const define = (names: string): AttributeDefinition[] =>
  names.split(" ").map((text) => {
    const [AttributeName, type = "S"] = text.split(":");
    return { AttributeName, AttributeType: type as "S" };
  });
export const units = (ReadCapacityUnits: number, WriteCapacityUnits = ReadCapacityUnits) => ({
  ReadCapacityUnits,
  WriteCapacityUnits,
});
export const all = { ProjectionType: "ALL" } as const;

/** Requests that a typed client would not let pass, too. */
type Loose<T> = { [K in keyof T]?: unknown };

/** A table with the key `a`, `b`, on-demand, unless the request says otherwise. */
export async function create(
  server: TestServer,
  change: Loose<CreateTableCommandInput> = {},
): Promise<TableDescription> {
  const input = {
    TableName: freshName(),
    AttributeDefinitions: define("a b"),
    KeySchema: [hash("a"), range("b")],
    BillingMode: "PAY_PER_REQUEST",
    ...change,
  };
  const answer = await server.client.send(new CreateTableCommand(input as CreateTableCommandInput));
  return answer.TableDescription ?? {};
}

export async function describeTable(
  server: TestServer,
  TableName: string,
): Promise<TableDescription> {
  return (await server.client.send(new DescribeTableCommand({ TableName }))).Table ?? {};
}

export async function update(
  server: TestServer,
  input: Loose<UpdateTableCommandInput>,
): Promise<TableDescription> {
  const command = new UpdateTableCommand(input as UpdateTableCommandInput);
  return (await server.client.send(command)).TableDescription ?? {};
}

export async function drop(server: TestServer, TableName: string): Promise<TableDescription> {
  const answer = await server.client.send(new DeleteTableCommand({ TableName }));
  return answer.TableDescription ?? {};
}

export const globalIndex = (
  table: TableDescription,
  name: string,
): GlobalSecondaryIndexDescription | undefined =>
  table.GlobalSecondaryIndexes?.find((index) => index.IndexName === name);

/** Asks until the table and all its indexes are active. */
export async function untilActive(
  server: TestServer,
  TableName: string,
): Promise<TableDescription> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const table = await describeTable(server, TableName);
    const indexes = table.GlobalSecondaryIndexes ?? [];
    const active = indexes.every((index) => index.IndexStatus === "ACTIVE");
    if (table.TableStatus === "ACTIVE" && active) return table;
    await sleep(5);
  }
  return expect.unreachable(`${TableName} does not become active`);
}

export const byName = (definitions: AttributeDefinition[] | undefined): AttributeDefinition[] =>
  [...(definitions ?? [])].sort((one, two) =>
    (one.AttributeName ?? "") < (two.AttributeName ?? "") ? -1 : 1,
  );
