import {
  type AttributeValue,
  BatchWriteItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandInput,
  type ScanCommandOutput,
} from "@aws-sdk/client-dynamodb";
import type { TestServer } from "./harness.ts";

/** What the suites about Query, Scan and indexes share. */

export type Item = Record<string, AttributeValue>;

export const S = (text: string): AttributeValue.SMember => ({ S: text });
export const N = (number: number | string): AttributeValue.NMember => ({ N: String(number) });
export const B = (...bytes: number[]): AttributeValue.BMember => ({ B: Uint8Array.from(bytes) });

/** Puts items, 25 at a time and below the size of a batch. */
export async function putAll(
  server: TestServer,
  TableName: string,
  items: readonly Item[],
): Promise<void> {
  for (let from = 0; from < items.length; from += 25) {
    const requests = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
    await server.client.send(
      new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }),
    );
  }
}

export const query = (server: TestServer, input: QueryCommandInput): Promise<QueryCommandOutput> =>
  server.client.send(new QueryCommand(input));

export const scan = (server: TestServer, input: ScanCommandInput): Promise<ScanCommandOutput> =>
  server.client.send(new ScanCommand(input));

type Page = Pick<QueryCommandOutput, "Items" | "LastEvaluatedKey" | "Count" | "ScannedCount">;

/** Follows LastEvaluatedKey to the end. */
export async function pages<T extends Page>(
  first: (ExclusiveStartKey: Item | undefined) => Promise<T>,
): Promise<T[]> {
  const all: T[] = [];
  let start: Item | undefined;
  do {
    const page = await first(start);
    all.push(page);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return all;
}

export async function queryPages(
  server: TestServer,
  input: QueryCommandInput,
): Promise<QueryCommandOutput[]> {
  return pages((ExclusiveStartKey) => query(server, { ...input, ExclusiveStartKey }));
}

export async function scanPages(
  server: TestServer,
  input: ScanCommandInput,
): Promise<ScanCommandOutput[]> {
  return pages((ExclusiveStartKey) => scan(server, { ...input, ExclusiveStartKey }));
}

export const itemsOf = (all: readonly Page[]): Item[] => all.flatMap(({ Items }) => Items ?? []);

/** One attribute of every item, as the text in it. */
export function column(items: readonly Item[] | undefined, name: string): (string | undefined)[] {
  return (items ?? []).map((item) => {
    const value = item[name];
    if (value?.B !== undefined) return Buffer.from(value.B).toString("hex");
    return value?.S ?? value?.N;
  });
}
