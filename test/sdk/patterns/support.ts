import {
  BatchGetCommand,
  BatchWriteCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { afterAll } from "vitest";
import type { BatchGetInput, BatchWriteInput } from "../../../src/patterns/batch.ts";
import type { Condition } from "../../../src/patterns/conditions.ts";
import { expressionsOf } from "../../../src/patterns/conditions.ts";
import type { UpdateBuilder } from "../../../src/patterns/expression.ts";
import type { PageInput } from "../../../src/patterns/pages.ts";
import type { TransactMember } from "../../../src/patterns/transact.ts";
import type { Attributes } from "../../../src/patterns/values.ts";
import { clientFor, type TestServer } from "../harness.ts";

/** The requests of the helpers, sent by the document client as a program would. */
export function sendersOf(client: DynamoDBDocumentClient) {
  return {
    batchGet: (input: BatchGetInput) => client.send(new BatchGetCommand(input)),
    batchWrite: (input: BatchWriteInput) => client.send(new BatchWriteCommand(input)),
    transact: (input: { TransactItems: TransactMember[]; ClientRequestToken?: string }) =>
      client.send(new TransactWriteCommand(input)),
    query: (input: QueryCommandInput) => (page: PageInput) =>
      client.send(new QueryCommand({ ...input, ...page })),
    update: (table: string, key: Attributes, update: UpdateBuilder, condition?: Condition) =>
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: { ...key },
          ReturnValues: "ALL_NEW",
          ...expressionsOf({ update, condition }),
        }),
      ),
  };
}

/** Clients with connections of their own, that race against each other. */
export function useClients(server: TestServer, count: number) {
  const closing: (() => void)[] = [];
  afterAll(() => {
    for (const close of closing) close();
  });
  return () =>
    Array.from({ length: count }, () => {
      const raw = clientFor(server.running.url);
      closing.push(() => raw.destroy());
      return sendersOf(DynamoDBDocumentClient.from(raw));
    });
}

/** What became of all of them: the answers, and what the others failed with. */
export async function settled<T>(
  tasks: readonly Promise<T>[],
): Promise<{ readonly answers: T[]; readonly errors: unknown[] }> {
  const answers: T[] = [];
  const errors: unknown[] = [];
  for (const one of await Promise.allSettled(tasks)) {
    if (one.status === "fulfilled") answers.push(one.value);
    else errors.push(one.reason);
  }
  return { answers, errors };
}
