import { expect, test } from "vitest";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import { type TableNews, workbenchOn } from "../workbench/workbench.ts";

const caller = { account: "123456789012", region: "us-east-1" };

test("followers are told of tables and of what their streams get", async () => {
  const workbench = await workbenchOn(openMemoryStore());
  const told: TableNews[] = [];
  const unfollow = workbench.follow((news) => told.push(news));
  const news = () => told.splice(0).map(({ what, table }) => `${what} ${table}`);
  const ask = (operation: string, body: object) => workbench.execute(operation, body, caller);
  const create = (TableName: string, StreamSpecification?: object) =>
    ask("CreateTable", {
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      ...(StreamSpecification && { StreamSpecification }),
    });
  await create("With", { StreamEnabled: true, StreamViewType: "KEYS_ONLY" });
  await create("Without");
  expect(news()).toEqual(["table With", "table Without"]);
  const put = (TableName: string) => ask("PutItem", { TableName, Item: { pk: { S: "a" } } });
  await put("Without");
  expect(news()).toEqual([]);
  await put("With");
  expect(told[0]?.caller).toEqual(caller);
  expect(news()).toEqual(["records With"]);
  await ask("DeleteTable", { TableName: "With" });
  expect(news()).toEqual(["table With"]);
  expect(await workbench.owners("Without")).toEqual([caller]);
  expect(await workbench.owners("With")).toEqual([]);
  unfollow();
  await create("More");
  expect(news()).toEqual([]);
  await workbench.close();
});
