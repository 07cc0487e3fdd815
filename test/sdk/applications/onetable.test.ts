// biome-ignore-all lint/suspicious/noTemplateCurlyInString: OneTable has templates of its own.
import { type Entity, type Model, type Paged, Table } from "dynamodb-onetable";
import { beforeAll, expect, test } from "vitest";
import { freshName, useServer } from "../harness.ts";

/** A shop with OneTable, which makes the table itself: customers, products, orders. */
const server = useServer();

const schema = {
  format: "onetable:1.1.0",
  version: "0.1.0",
  indexes: {
    primary: { hash: "pk", sort: "sk" },
    gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" },
    ls1: { type: "local", sort: "placed", project: "all" },
  },
  models: {
    Customer: {
      pk: { type: String, value: "customer#${id}" },
      sk: { type: String, value: "customer#" },
      gs1pk: { type: String, value: "customers" },
      gs1sk: { type: String, value: "${name}" },
      id: { type: String, required: true },
      name: { type: String, required: true },
      email: { type: String, unique: true, required: true },
      phone: { type: String, unique: true },
      balance: { type: Number, default: 0 },
      tags: { type: Set },
      address: { type: Object, schema: { street: { type: String }, zip: { type: String } } },
      born: { type: Date },
    },
    Product: {
      pk: { type: String, value: "product#${sku}" },
      sk: { type: String, value: "product#" },
      gs1pk: { type: String, value: "products" },
      gs1sk: { type: String, value: "${sku}" },
      sku: { type: String, required: true },
      stock: { type: Number, required: true },
      price: { type: Number, required: true },
    },
    Order: {
      pk: { type: String, value: "customer#${customer}" },
      sk: { type: String, value: "order#${id}" },
      id: { type: String, required: true },
      customer: { type: String, required: true },
      placed: { type: String, required: true },
      status: { type: String, enum: ["new", "paid", "sent"], default: "new" },
      lines: { type: Array },
    },
  },
  params: { isoDates: true, timestamps: true },
} as const;

type Customer = Entity<typeof schema.models.Customer>;
type Product = Entity<typeof schema.models.Product>;
type Order = Entity<typeof schema.models.Order>;

let table: Table;
let customers: Model<Customer>;
let products: Model<Product>;
let orders: Model<Order>;

beforeAll(async () => {
  table = new Table({ client: server.client, name: freshName("shop"), schema, partial: true });
  await table.createTable({ BillingMode: "PAY_PER_REQUEST" });
  customers = table.getModel("Customer");
  products = table.getModel("Product");
  orders = table.getModel("Order");
});

const addProducts = async (stem: string, count: number): Promise<void> => {
  const batch = {};
  for (let i = 0; i < count; i += 1) {
    await products.create(
      { sku: `${stem}-${String(i).padStart(2, "0")}`, stock: 3, price: i },
      { batch, exists: null },
    );
  }
  await table.batchWrite(batch);
};

test("the table it made is described and listed", async () => {
  expect(await table.exists()).toBe(true);
  expect(await table.listTables()).toContain(table.name);
  const { Table: described } = (await table.describeTable()) as unknown as {
    Table: { LocalSecondaryIndexes: unknown[]; GlobalSecondaryIndexes: unknown[] };
  };
  expect(described.LocalSecondaryIndexes.length).toBe(1);
  expect(described.GlobalSecondaryIndexes.length).toBe(1);
});

test("an entity comes back with dates, sets, nested objects and timestamps", async () => {
  const born = new Date("1990-02-03T04:05:06.000Z");
  const made = await customers.create({
    id: "c1",
    name: "Ann",
    email: "ann@example.com",
    tags: new Set(["a", "b"]),
    address: { street: "High Street", zip: "1" },
    born,
  });
  const found = await customers.get({ id: "c1" });
  expect(found).toEqual(made);
  expect(found?.born).toEqual(born);
  expect(found?.tags).toEqual(new Set(["a", "b"]));
  expect((found as unknown as { created: Date }).created).toBeInstanceOf(Date);
});

test("a customer cannot be created twice", async () => {
  await customers.create({ id: "twice", name: "T", email: "twice@example.com" });
  await expect(
    customers.create({ id: "twice", name: "U", email: "other@example.com" }),
  ).rejects.toThrow();
  expect((await customers.get({ id: "twice" }))?.name).toBe("T");
});

test("an address of mail belongs to one customer, until it is given up", async () => {
  await customers.create({ id: "u1", name: "One", email: "one@example.com", phone: "1" });
  const taken = customers.create({ id: "u2", name: "Two", email: "one@example.com" });
  await expect(taken).rejects.toMatchObject({ code: "UniqueError" });
  expect(await customers.get({ id: "u2" })).toBeUndefined();

  await customers.update({ id: "u1", email: "moved@example.com" });
  await customers.create({ id: "u2", name: "Two", email: "one@example.com" });
  await expect(customers.update({ id: "u1", email: "one@example.com" })).rejects.toMatchObject({
    code: "UniqueError",
  });
  await customers.remove({ id: "u2" });
  await customers.create({ id: "u3", name: "Three", email: "one@example.com" });
  expect((await customers.get({ id: "u3" }))?.email).toBe("one@example.com");
});

test("of many who want the same address of mail one gets it", async () => {
  const attempts = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      customers.create({ id: `race${i}`, name: "R", email: "race@example.com" }),
    ),
  );
  expect(attempts.filter(({ status }) => status === "fulfilled").length).toBe(1);
});

test("updates add, remove, delete from sets and reach into objects", async () => {
  await customers.create({
    id: "up",
    name: "Up",
    email: "up@example.com",
    phone: "2",
    tags: new Set(["x", "y"]),
    address: { street: "A", zip: "1" },
  });
  await customers.update({ id: "up" }, { add: { balance: 12.5 } });
  await customers.update({ id: "up" }, { add: { balance: -2 }, set: { "address.zip": "99" } });
  const after = await customers.update(
    { id: "up" },
    { delete: { tags: new Set(["x"]) }, remove: ["born"] },
  );
  expect(after?.balance).toBe(10.5);
  expect(after?.address).toEqual({ street: "A", zip: "99" });
  expect(after?.tags).toEqual(new Set(["y"]));
});

test("an update touches its timestamp, and needs the item unless told otherwise", async () => {
  const made = await products.create({ sku: "stamp", stock: 1, price: 2 });
  const changed = await products.update({ sku: "stamp", price: 3 });
  const time = (item: unknown) => (item as { updated: Date }).updated.getTime();
  expect(time(changed)).toBeGreaterThanOrEqual(time(made));
  await expect(products.update({ sku: "missing", price: 3 })).rejects.toThrow();
  expect(await products.get({ sku: "missing" })).toBeUndefined();
  const upserted = await products.update({ sku: "missing", price: 3, stock: 0 }, { exists: null });
  expect(upserted?.price).toBe(3);
});

test("stock is sold only while there is some", async () => {
  await products.create({ sku: "scarce", stock: 3, price: 1 });
  const sell = () =>
    products.update({ sku: "scarce" }, { add: { stock: -1 }, where: "${stock} > {0}" });
  const sales = await Promise.allSettled(Array.from({ length: 10 }, sell));
  expect(sales.filter(({ status }) => status === "fulfilled").length).toBe(3);
  expect((await products.get({ sku: "scarce" }))?.stock).toBe(0);
});

test("find pages through an index in both directions", async () => {
  await addProducts("page", 23);
  const key = { gs1pk: "products", gs1sk: { begins: "page-" } };
  const seen: (string | undefined)[] = [];
  let next: object | undefined;
  let pages = 0;
  do {
    const page: Paged<Product> = await products.find(key, {
      index: "gs1",
      limit: 10,
      ...(next && { next }),
    });
    seen.push(...page.map(({ sku }) => sku));
    next = page.next;
    pages += 1;
  } while (next !== undefined);
  expect(pages).toBe(3);
  expect(seen).toEqual(Array.from({ length: 23 }, (_, i) => `page-${String(i).padStart(2, "0")}`));
  const last = await products.find(key, { index: "gs1", limit: 2, reverse: true });
  expect(last.map(({ sku }) => sku)).toEqual(["page-22", "page-21"]);
});

test("find filters, counts and selects fields", async () => {
  await addProducts("filter", 9);
  const key = { gs1pk: "products", gs1sk: { begins: "filter-" } };
  const dear = await products.find(key, { index: "gs1", where: "${price} >= {6}" });
  expect(dear.map(({ price }) => price)).toEqual([6, 7, 8]);
  const counted = await products.find(key, { index: "gs1", count: true });
  expect(counted.count).toBe(9);
  const [first] = await products.find(key, { index: "gs1", fields: ["sku"], limit: 1 });
  expect(first).toEqual({ sku: "filter-00" });
});

test("orders of a customer are found by key and, through the local index, by date", async () => {
  await customers.create({ id: "buyer", name: "B", email: "buyer@example.com" });
  const dates = ["2026-03-01", "2026-01-01", "2026-02-01"];
  for (const [i, placed] of dates.entries()) {
    await orders.create({ id: `o${i}`, customer: "buyer", placed, lines: [{ sku: "a", n: i }] });
  }
  const byKey = await orders.find({ customer: "buyer" });
  expect(byKey.map(({ id }) => id)).toEqual(["o0", "o1", "o2"]);
  const byDate = await orders.find(
    { customer: "buyer", placed: { ">=": "2026-02" } },
    { index: "ls1" },
  );
  expect(byDate.map(({ id }) => id)).toEqual(["o2", "o0"]);
  expect(byDate[0]?.lines).toEqual([{ sku: "a", n: 2 }]);
  const all = await table.queryItems({ pk: "customer#buyer" }, { parse: true, hidden: true });
  const groups = table.groupByType(all);
  expect([groups.Customer?.length, groups.Order?.length]).toEqual([1, 3]);
});

test("a transaction sells and bills, or does neither", async () => {
  await customers.create({ id: "payer", name: "P", email: "payer@example.com", balance: 10 });
  await products.create({ sku: "sold", stock: 5, price: 6 });
  const buy = async () => {
    const transaction = {};
    await products.update({ sku: "sold" }, { add: { stock: -1 }, transaction });
    await customers.update(
      { id: "payer" },
      { add: { balance: -6 }, where: "${balance} >= {6}", transaction },
    );
    await table.transact("write", transaction);
  };
  await buy();
  await expect(buy()).rejects.toThrow();
  const transaction = {};
  await products.get({ sku: "sold" }, { transaction });
  await customers.get({ id: "payer" }, { transaction });
  const read = (await table.transact("get", transaction, {
    parse: true,
    hidden: false,
  })) as unknown;
  expect(read).toMatchObject([{ stock: 4 }, { balance: 4 }]);
});

test("batches get and delete", async () => {
  await addProducts("batch", 12);
  const get = {};
  for (let i = 0; i < 15; i += 1) {
    await products.get({ sku: `batch-${String(i).padStart(2, "0")}` }, { batch: get });
  }
  const found = (await table.batchGet(get, { parse: true, hidden: false })) as Product[];
  expect(found.length).toBe(12);
  const remove = {};
  for (const { sku } of found) await products.remove({ sku }, { batch: remove });
  await table.batchWrite(remove);
  expect(await products.get({ sku: "batch-00" })).toBeUndefined();
});

test("scan finds the items of one model", async () => {
  const found = await orders.scan({});
  expect(found.map(({ id }) => id).sort()).toEqual(["o0", "o1", "o2"]);
});
