import {
  type AttributeValue,
  type CancellationReason,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  type TransactWriteItemsCommandOutput,
} from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import { expectError, type TestServer } from "../harness.ts";

export type Item = Record<string, AttributeValue>;

export function transact(
  server: TestServer,
  actions: TransactWriteItem[],
  more: Partial<TransactWriteItemsCommandInput> = {},
): Promise<TransactWriteItemsCommandOutput> {
  return server.client.send(new TransactWriteItemsCommand({ TransactItems: actions, ...more }));
}

export async function put(server: TestServer, TableName: string, ...items: Item[]): Promise<void> {
  for (const Item of items) await server.client.send(new PutItemCommand({ TableName, Item }));
}

export async function get(
  server: TestServer,
  TableName: string,
  Key: Item,
): Promise<Item | undefined> {
  const { Item } = await server.client.send(
    new GetItemCommand({ TableName, Key, ConsistentRead: true }),
  );
  return Item;
}

/** The reasons of a transaction that must be cancelled; its message lists their codes. */
export async function cancelled(
  request: Promise<unknown>,
  ...codes: string[]
): Promise<CancellationReason[]> {
  const error = await expectError(
    request,
    "TransactionCanceledException",
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(", ")}]`,
  );
  expect(error).toBeInstanceOf(TransactionCanceledException);
  const reasons = (error as TransactionCanceledException).CancellationReasons ?? [];
  expect(reasons.map(({ Code }) => Code)).toEqual(codes);
  return reasons;
}
