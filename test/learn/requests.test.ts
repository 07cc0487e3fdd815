import { describe, expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import type { Index, KeyAttribute, Table } from "../../src/model/design.ts";
import { parseModel } from "../../src/model/parse.ts";
import { allPages } from "../../src/modeller/learn/pages.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";

// The requests on the pages are sent to the engine: a wrong name, a reserved word or a key that the
// example's table does not have is refused there.

const caller = { account: "000000000000", region: "us-east-1" };
const examples = [...allPages.values()].flatMap((page) =>
  "example" in page ? [[page.id, page.example] as const] : [],
);

/** What a request on an empty table may answer. */
const expected = ["ConditionalCheckFailedException", "TransactionCanceledException"];

describe.each(examples)("%s", (_, { model: text, requests }) => {
  const { model } = parseModel(text, "example.yaml");

  test.each(requests)("pattern $pattern: $operation", async ({ operation, input }) => {
    const workbench = await openWorkbench();
    try {
      for (const table of model?.design?.tables.values() ?? []) {
        await workbench.execute("CreateTable", createTable(table), caller);
      }
      await expect(answerOf(() => workbench.execute(operation, input, caller))).resolves.toBe(
        undefined,
      );
    } finally {
      await workbench.close();
    }
  });
});

async function answerOf(send: () => unknown): Promise<string | undefined> {
  try {
    await send();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && expected.includes(error.name)) return undefined;
    return String(error);
  }
}

function createTable(table: Table): object {
  const { name, partition, sort, indexes } = table;
  const all = [...indexes.values()].flatMap((index) => [...index.partition, ...index.sort]);
  const attributes = new Map(
    [partition, ...(sort === undefined ? [] : [sort]), ...all].map((one) => [one.name, one.type]),
  );
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    KeySchema: keySchema([partition], sort === undefined ? [] : [sort]),
    ...(indexes.size > 0 && { GlobalSecondaryIndexes: [...indexes.values()].map(createIndex) }),
  };
}

function createIndex({ name, partition, sort }: Index): object {
  return {
    IndexName: name,
    KeySchema: keySchema(partition, sort),
    Projection: { ProjectionType: "ALL" },
  };
}

function keySchema(partition: readonly KeyAttribute[], sort: readonly KeyAttribute[]): object[] {
  return [
    ...partition.map(({ name }) => ({ AttributeName: name, KeyType: "HASH" })),
    ...sort.map(({ name }) => ({ AttributeName: name, KeyType: "RANGE" })),
  ];
}
