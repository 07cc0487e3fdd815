import { expect, test } from "vitest";
import { type AccessBase, accessBase } from "./access.ts";
import { getTogether } from "./access-reads.ts";

function accessTo(asked: unknown[]): AccessBase {
  const transactGet = async ({ TransactItems }: { readonly TransactItems: readonly unknown[] }) => {
    asked.push(TransactItems);
    return { Responses: TransactItems.map((_, place) => ({ Item: { place } })) };
  };
  return accessBase({ transactGet } as never, {});
}

test("a transaction reads an item once that several keys name", async () => {
  const asked: unknown[] = [];
  const keys = ["a", "b", "a"].map((id) => ({ table: "Shop", key: { id } }));
  const items = await getTogether(accessTo(asked), keys);
  expect(asked).toEqual([
    [
      { Get: { TableName: "Shop", Key: { id: "a" } } },
      { Get: { TableName: "Shop", Key: { id: "b" } } },
    ],
  ]);
  expect(items).toEqual([{ place: 0 }, { place: 1 }, { place: 0 }]);
});

test("a transaction that names no item is not sent", async () => {
  const asked: unknown[] = [];
  expect(await getTogether(accessTo(asked), [])).toEqual([]);
  expect(asked).toEqual([]);
});
