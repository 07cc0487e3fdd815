import {
  type AttributeValue,
  DeleteItemCommand,
  type DeleteItemCommandInput,
  GetItemCommand,
  type GetItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { TestServer } from "../harness.ts";

export type Item = Record<string, AttributeValue>;

export const counted = "1 validation error detected: ";
export const invalid = "One or more parameter values were invalid: ";
export const keyMismatch = "The provided key element does not match the schema";

/** Requests that a typed client would not let pass, too. */
type Loose<T> = { [K in keyof T]?: unknown };

export const put = (server: TestServer, input: Loose<PutItemCommandInput>) =>
  server.client.send(new PutItemCommand(input as PutItemCommandInput));

export const get = (server: TestServer, input: Loose<GetItemCommandInput>) =>
  server.client.send(new GetItemCommand(input as GetItemCommandInput));

export const remove = (server: TestServer, input: Loose<DeleteItemCommandInput>) =>
  server.client.send(new DeleteItemCommand(input as DeleteItemCommandInput));

/** The stored item, read with strong consistency. */
export async function stored(
  server: TestServer,
  TableName: string,
  Key: Item,
): Promise<Item | undefined> {
  return (await get(server, { TableName, Key, ConsistentRead: true })).Item;
}

/** Puts one attribute and reads it back. */
export async function roundTrip(
  server: TestServer,
  TableName: string,
  value: AttributeValue,
): Promise<AttributeValue | undefined> {
  const pk = { S: "round" };
  await put(server, { TableName, Item: { pk, value } });
  return (await stored(server, TableName, { pk }))?.value;
}

/** An item of the key `pk` that has exactly so many bytes. */
export function itemOfBytes(bytes: number, pk = "k"): Item {
  return { pk: { S: pk }, v: { S: "x".repeat(bytes - 3 - pk.length) } };
}

/** A leaf in so many maps or lists. */
export function nested(wrappers: number, kind: "M" | "L" = "M"): AttributeValue {
  let value: AttributeValue = { S: "leaf" };
  for (let level = 0; level < wrappers; level += 1) {
    value = kind === "M" ? { M: { a: value } } : { L: [value] };
  }
  return value;
}
