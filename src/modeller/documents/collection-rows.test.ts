import { expect, test } from "vitest";
import type { Item } from "../../item/attribute-value.ts";
import { parseModel } from "../../model/parse.ts";
import { Facts } from "../facts.ts";
import type { ItemKind, StoredItem } from "../values/item-of.ts";
import { collectionsOf } from "./collection-rows.ts";

const { model, complaints } = parseModel(
  `keywright: 1
name: rows
entities:
  Order:
    id: [orderId]
    count: 10
    attributes:
      orderId: { type: S, bytes: 3 }
      note: { type: S, bytes: 3 }
      secret: { type: S, bytes: 3 }
      rank: { type: N, digits: 2 }
  Line:
    id: [orderId, n]
    count: 20
    attributes:
      orderId: { type: S, bytes: 3 }
      n: { type: N, digits: 2 }
design:
  tables:
    Tab:
      key: { id: S, n: N }
      entities:
        Order: { key: { id: "{orderId}", n: "{rank}" } }
        Line: { key: { id: "{orderId}", n: "{n}" } }
      indexes:
        ByNote: { key: { partition: note }, projection: [rank] }
`,
  "rows",
);
if (model === undefined) throw new Error(JSON.stringify(complaints));
const facts = Facts.of(model);
const table = model.design?.tables.get("Tab");
if (table === undefined) throw new Error("there is no table");

function stored(entity: string, item: Item, kind: ItemKind = "main"): StoredItem {
  return { table: "Tab", period: undefined, entity, kind, item };
}
const line = (id: string, n: number): StoredItem =>
  stored("Line", { id: { S: id }, n: { N: String(n) }, orderId: { S: id } });
const order = (id: string): StoredItem =>
  stored("Order", {
    id: { S: id },
    n: { N: "0" },
    orderId: { S: id },
    note: { S: `note ${id}` },
    secret: { S: "s" },
    rank: { N: "7" },
  });

test("items lie under their keys, in the order of numbers", () => {
  const items = [line("a", 10), line("a", 9), order("a")];
  const [first, ...more] = collectionsOf(facts, items, table, undefined).collections;
  expect(more).toEqual([]);
  expect(first?.key).toBe("a");
  expect(first?.rows.map(({ kind, sort }) => [kind, sort])).toEqual([
    ["Order", "0"],
    ["Line", "9"],
    ["Line", "10"],
  ]);
  expect(first?.rows[1]?.cells).toEqual([{ name: "orderId", value: "a" }]);
});

test("a collection shows five items and counts the others", () => {
  const many = Array.from({ length: 12 }, (_, i) => line("a", i));
  expect(collectionsOf(facts, many, table, undefined).collections).toMatchObject([
    { rows: { length: 5 }, more: 7 },
  ]);
});

test("each kind is shown, also where it comes last", () => {
  const items = [...Array.from({ length: 12 }, (_, i) => line("a", -1 - i)), order("a")];
  const [first] = collectionsOf(facts, items, table, undefined).collections;
  expect(first?.rows.map(({ kind, sort }) => [kind, sort])).toEqual([
    ["Line", "-12"],
    ["Line", "-11"],
    ["Line", "-10"],
    ["Line", "-9"],
    ["Order", "0"],
  ]);
});

test("of very many kinds some are left out, and counted", () => {
  const items = Array.from({ length: 20 }, (_, i) =>
    stored(`Kind${i}`, { id: { S: `k${i}` }, n: { N: "1" } }),
  );
  const { collections, hidden } = collectionsOf(facts, items, table, undefined);
  expect(collections).toHaveLength(16);
  expect(hidden).toBe(4);
});

test("every kind is among them, and there are few", () => {
  const items = [
    ...Array.from({ length: 40 }, (_, i) => line(`l${i}`, 1)),
    ...Array.from({ length: 6 }, (_, i) => line("full", i)),
    order("o"),
  ];
  const { collections: found, hidden } = collectionsOf(facts, items, table, undefined);
  expect(hidden).toBe(0);
  expect(found.map(({ key }) => key)).toEqual(expect.arrayContaining(["full", "o"]));
  expect(found.length).toBeLessThanOrEqual(8);
});

test("an index shows what has its key, and of that what it holds", () => {
  const index = table.indexes.get("ByNote");
  const { collections } = collectionsOf(facts, [order("a"), line("a", 1)], table, index);
  expect(collections).toEqual([
    {
      key: "note a",
      more: 0,
      rows: [
        {
          kind: "Order",
          sort: "",
          cells: [
            { name: "id", value: "a" },
            { name: "n", value: "0" },
            { name: "rank", value: "7" },
          ],
        },
      ],
    },
  ]);
});
