import { expect, test } from "vitest";
import { operationNames, Workload } from "./workload.ts";

const options = { table: "bench", items: 230, itemBytes: 430 };

test.each([430, 1_024, 4_000])("an item has the bytes asked for: %i", (itemBytes) => {
  const workload = new Workload({ ...options, itemBytes });
  for (const index of [0, 99, 229]) {
    expect(JSON.stringify(workload.item(index)).length).toBe(itemBytes);
  }
});

test("the same seed asks the same things", () => {
  const ask = (): unknown[] => {
    const workload = new Workload(options);
    workload.reseed(5);
    return operationNames.map((name) => workload.call(name));
  };
  expect(ask()).toEqual(ask());
});

test("filling writes every item once", () => {
  const workload = new Workload(options);
  const keys = new Set<string>();
  let written = 0;
  for (const { body } of workload.fill()) {
    const { RequestItems } = body as { RequestItems: Record<string, { PutRequest: unknown }[]> };
    for (const { PutRequest } of RequestItems.bench ?? []) {
      const { Item } = PutRequest as { Item: { pk: object; sk: object } };
      keys.add(JSON.stringify([Item.pk, Item.sk]));
      written += 1;
    }
  }
  expect([written, keys.size]).toEqual([230, 230]);
});
