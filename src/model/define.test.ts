import { expect, expectTypeOf, test } from "vitest";
import { defineModel, type EntityItem } from "./define.ts";
import { modelFrom } from "./parse.ts";

const shop = defineModel({
  keywright: 1,
  name: "shop",
  entities: {
    Customer: {
      id: ["customerId"],
      count: 1_000,
      attributes: {
        customerId: { type: "S", format: "ulid" },
        email: { type: "S", bytes: 40 },
        status: { type: "S", values: { active: 0.9, suspended: 0.1 } },
        visits: { type: "N", digits: 6, counter: true },
        spent: { type: "N", digits: 8, keeps: { sum: "Order.total" } },
        orders: { type: "N", digits: 3, keeps: { count: "Order" }, staleness: "refused" },
        photo: { type: "B", bytes: 2_000, present: 0.3 },
      },
    },
    Order: {
      id: ["orderId"],
      count: { assumed: 5_000, why: "five each" },
      attributes: {
        orderId: { type: "S", format: "ulid" },
        customerId: { type: "S", format: "ulid" },
        createdAt: { type: "S", format: "iso-time" },
        total: { type: "N", digits: 7 },
      },
    },
  },
  relations: [{ from: "Customer", to: "Order", kind: "one-to-many", average: 5 }],
  patterns: {
    1: {
      name: "A customer",
      read: "Customer",
      where: { customerId: "equals" },
      together: ["Order", { entity: "Order", limit: 5 }],
      rps: 5,
    },
    2: { name: "Visit", update: "Customer", where: { customerId: "equals" }, adds: { visits: 1 } },
    place: { name: "Place", transaction: [{ create: "Order", condition: "absent" }] },
  },
  workflows: { buy: { steps: [1, "place"] } },
  design: {
    tables: {
      Shop: {
        key: { PK: "S", SK: "S" },
        entities: {
          Customer: { key: { PK: "C#{customerId}", SK: "PROFILE" } },
          Order: {
            key: { PK: "O#{orderId}", SK: "{createdAt|day}#{shard:4:customerId}{shard:3}" },
          },
        },
        indexes: {
          ByCustomer: {
            key: { partition: "owner", sort: ["createdAt", "orderId"] },
            sets: { Order: { owner: "C#{customerId}" } },
            projection: ["createdAt"],
          },
          Inverted: { key: { partition: "SK", sort: "PK" } },
        },
      },
    },
  },
});

test("a model that is defined can be read", () => {
  expect(modelFrom(shop).complaints).toEqual([]);
});

test("the types of items follow", () => {
  type Customer = EntityItem<typeof shop, "Customer">;
  expectTypeOf<Customer["customerId"]>().toEqualTypeOf<string>();
  expectTypeOf<Customer["visits"]>().toEqualTypeOf<number>();
  expectTypeOf<Customer["status"]>().toEqualTypeOf<"active" | "suspended">();
  expectTypeOf<Customer["photo"]>().toEqualTypeOf<Uint8Array | undefined>();
  expectTypeOf<EntityItem<typeof shop, "Order">>().toHaveProperty("createdAt");
});

const entities = {
  A: { id: ["a"], attributes: { a: { type: "S", bytes: 3 }, b: { type: "N", digits: 3 } } },
} as const;

const n = { type: "N", digits: 3 } as const;

/** Each would compile if names were not checked: the directive complains where there is no error. */
test("names that are not there do not compile, and are complained of when they are read", () => {
  const wrong = [
    // @ts-expect-error the id has no such attribute
    defineModel({ keywright: 1, name: "x", entities: { A: { ...entities.A, id: ["x"] } } }),
    defineModel({
      keywright: 1,
      name: "x",
      entities: {
        ...entities,
        B: {
          id: ["a"],
          // @ts-expect-error A has no x to be added up
          attributes: { a: entities.A.attributes.a, n: { ...n, keeps: { sum: "A.x" } } },
        },
      },
    }),
    // @ts-expect-error the entity is called A
    defineModel({ keywright: 1, name: "x", entities, patterns: { 1: { name: "p", read: "B" } } }),
    defineModel({
      keywright: 1,
      name: "x",
      entities,
      // @ts-expect-error A has no x
      patterns: { 1: { name: "p", read: "A", where: { x: "equals" } } },
    }),
    defineModel({
      keywright: 1,
      name: "x",
      entities,
      // @ts-expect-error A has no x to return
      patterns: { 1: { name: "p", read: "A", returns: ["x"] } },
    }),
    defineModel({
      keywright: 1,
      name: "x",
      entities,
      // @ts-expect-error A has no x to add to
      patterns: { 1: { name: "p", update: "A", where: { a: "equals" }, adds: { x: 1 } } },
    }),
    defineModel({
      keywright: 1,
      name: "x",
      entities,
      patterns: { 1: { name: "p", read: "A" } },
      // @ts-expect-error there is no pattern 2
      workflows: { w: { steps: [2] } },
    }),
    defineModel({
      keywright: 1,
      name: "x",
      entities,
      // @ts-expect-error the entity is called A
      relations: [{ from: "A", to: "B", kind: "one-to-one" }],
    }),
    defineModel({
      keywright: 1,
      name: "x",
      entities,
      // @ts-expect-error A has no x for the key
      design: { tables: { Tab: { key: { k: "S" }, entities: { A: { key: { k: "A#{x}" } } } } } },
    }),
    defineModel({
      keywright: 1,
      name: "x",
      entities,
      design: {
        tables: {
          Tab: {
            key: { k: "S" },
            entities: { A: { key: { k: "A#{a}" } } },
            // @ts-expect-error no item has an x
            indexes: { Ind: { key: { partition: "x" } } },
          },
        },
      },
    }),
  ];
  for (const model of wrong) expect(modelFrom(model).complaints).toHaveLength(1);
});
