import { describe, expect, test } from "vitest";
import { planFor, planLines } from "./plan.test-support.ts";

const customers = (more = ""): string =>
  `{ key: { PK: S, SK: S }, entities: { Customer: { key: { PK: "C#{customerId}", SK: A }, split: [{ name: photo, key: { PK: "C#{customerId}", SK: B }, attributes: [photo] }] } }${more} }`;
const guarded = customers(
  ', unique: [{ entity: Customer, attribute: mail, key: { PK: "M#{mail|lower}", SK: M } }]',
);
const orders = (indexes = "", more = ""): string =>
  `{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" } } }${indexes === "" ? "" : `, indexes: { ${indexes} }`}${more} }`;

describe("creating", () => {
  test("one item is put; its parts go with it", () => {
    expect(planLines({ Tab: orders() }, "create: Order, condition: absent")).toEqual([
      "PutItem put Order",
      "0 read, 3 write",
    ]);
    // 6,000 bytes in the part, which every other customer has: 1 + 0.5 × 6.
    expect(planLines({ Tab: customers() }, "create: Customer")).toEqual([
      "BatchWriteItem put Customer, put Customer.photo × 0.5 (a part of Customer)",
      "0 read, 4 write",
    ]);
    // With a condition they are put together or not at all, and everything costs twice.
    expect(planLines({ Tab: customers() }, "create: Customer, condition: absent")).toEqual([
      "TransactWriteItems put Customer, put Customer.photo × 0.5 (a part of Customer)",
      "0 read, 8 write",
    ]);
  });

  test("a unique value is guarded in the same transaction", () => {
    expect(planLines({ Tab: guarded }, "create: Customer, condition: absent")[0]).toBe(
      "TransactWriteItems put Customer, put Customer.photo × 0.5 (a part of Customer), put Customer.mail (keeps Customer.mail unique)",
    );
  });

  test("others that are created with it", () => {
    const tables = {
      Orders: orders(),
      Lines:
        '{ key: { orderId: S, position: N }, entities: { Line: { key: { orderId: "{orderId}", position: "{position}" } } } }',
    };
    expect(planLines(tables, "create: Order, with: [Line]")).toEqual([
      "BatchWriteItem put Order, put Line × 3",
      "0 read, 6 write",
    ]);
    expect(
      planLines(tables, "create: Order, with: [{ entity: Line, average: 2 }], condition: absent"),
    ).toEqual(["TransactWriteItems put Order, put Line × 2", "0 read, 10 write"]);
  });

  test("many at once", () => {
    expect(planLines({ Tab: orders() }, "create: Order, batch: 10")).toEqual([
      "BatchWriteItem put Order × 10",
      "0 read, 30 write",
    ]);
  });

  test("a number that is kept in the transaction", () => {
    const tables = {
      Customers: customers(),
      Orders: orders("", ", aggregates: [{ of: Order, into: Customer.orders, by: transaction }]"),
    };
    expect(planLines(tables, "create: Order, condition: absent")).toEqual([
      "TransactWriteItems put Order, update Customer (keeps Customer.orders)",
      "0 read, 8 write",
    ]);
    // What is replaced is not counted any more, so it is read first.
    expect(planLines(tables, "create: Order")).toEqual([
      "GetItem Orders orderId = {orderId}",
      "TransactWriteItems put Order, update Customer (keeps Customer.orders), update Customer (keeps Customer.orders)",
      "1 read, 10 write",
    ]);
    const said =
      "transaction: [{ create: Order }, { update: Customer, where: { customerId: equals }, adds: { orders: 1 } }]";
    expect(planLines(tables, said)[0]).toBe("TransactWriteItems put Order, update Customer");
    expect(
      planLines(tables, "delete: Order, where: { orderId: equals, customerId: equals }")[0],
    ).toContain("update Customer (keeps Customer.orders)");
  });

  test("whose number it was taken off is read where nobody has said it, and nothing is taken off twice", () => {
    const tables = {
      Customers: customers(),
      Orders: orders("", ", aggregates: [{ of: Order, into: Customer.orders, by: transaction }]"),
    };
    const { plan } = planFor(tables, "delete: Order, where: { orderId: equals }");
    const [read, transaction] = plan.requests;
    expect(read).toMatchObject({ kind: "read", operation: "GetItem", consistent: true });
    expect(transaction?.kind === "write" && transaction.actions).toMatchObject([
      { kind: "delete", condition: { kind: "exists" } },
      {
        kind: "update",
        bindings: new Map([
          ["customerId", { kind: "result", request: 0, attribute: "customerId" }],
        ]),
      },
    ]);
  });

  test("several numbers of one item are changed at once", () => {
    const tables = {
      Customers: customers(),
      Orders: orders(
        "",
        ", aggregates: [{ of: Order, into: Customer.orders, by: transaction }, { of: Order, into: Customer.revision, what: sum, attribute: amount, by: transaction }]",
      ),
    };
    expect(planLines(tables, "create: Order, condition: absent")[0]).toBe(
      "TransactWriteItems put Order, update Customer (keeps Customer.orders, Customer.revision)",
    );
  });
});

describe("replacing", () => {
  test("releases the old unique value of an item that is as it was read", () => {
    const { plan } = planFor({ Tab: guarded }, "create: Customer");
    expect(plan.requests.map(({ operation }) => operation)).toEqual([
      "GetItem",
      "TransactWriteItems",
    ]);
    const [, write] = plan.requests;
    expect(write?.kind === "write" && write.actions).toMatchObject([
      { kind: "put", asRead: { request: 0, attributes: ["mail"] } },
      { kind: "put", replaces: true },
      { kind: "delete", record: { role: "unique" } },
      { kind: "put", record: { role: "unique" }, condition: { kind: "absent" } },
    ]);
  });

  test("loses what is embedded, so an item with others inside is not replaced", () => {
    const table =
      '{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" }, embeds: [{ entity: Line, as: lines, by: position }] } } }';
    expect(planLines({ Tab: table }, "create: Order, condition: exists")).toEqual([
      "a create that replaces Order loses what is embedded in the old item; use 'update'",
    ]);
  });
});

describe("an aggregate", () => {
  const counted = (customer: string): Readonly<Record<string, string>> => ({
    Customers: customer,
    Orders: orders("", ", aggregates: [{ of: Order, into: Customer.orders, by: transaction }]"),
  });

  test("is not made of a missing entity", () => {
    const { plan } = planFor(counted(customers()), "create: Order, condition: absent");
    const [write] = plan.requests;
    expect(write?.kind === "write" && write.actions[1]).toMatchObject({
      kind: "update",
      condition: { kind: "exists" },
    });
  });

  test("is changed in the part that holds it, if the own item is there", () => {
    const part =
      '{ key: { PK: S, SK: S }, entities: { Customer: { key: { PK: "C#{customerId}", SK: A }, split: [{ name: numbers, key: { PK: "C#{customerId}", SK: N }, attributes: [orders] }] } } }';
    expect(planLines(counted(part), "create: Order, condition: absent")[0]).toBe(
      "TransactWriteItems put Order, check Customer (keeps Customer.orders), update Customer.numbers (keeps Customer.orders)",
    );
  });

  test("changes the keys of indexes that are made of it, for which it is read first", () => {
    const ranked =
      '{ key: { customerId: S }, entities: { Customer: { key: { customerId: "{customerId}" } } }, indexes: { Top: { key: { partition: rank }, sets: { Customer: { rank: "{orders|pad:4}" } } } } }';
    const { plan } = planFor(counted(ranked), "create: Order, condition: absent");
    expect(plan.requests[0]).toMatchObject({ operation: "GetItem", of: "Order" });
    const [, write] = plan.requests;
    expect(write?.kind === "write" && write.actions[1]).toMatchObject({
      asRead: { request: 0, attributes: ["orders"] },
    });
  });
});

describe("changing", () => {
  const change = (what: string): string => `update: Order, where: { orderId: equals }, ${what}`;

  test("an item under its key", () => {
    expect(planLines({ Tab: orders() }, change("changes: [amount]"))).toEqual([
      "UpdateItem update Order",
      "0 read, 3 write",
    ]);
  });

  test("the part that holds the attribute, and no more", () => {
    const photo = "update: Customer, where: { customerId: equals }, changes: [photo]";
    expect(planLines({ Tab: customers() }, photo)).toEqual([
      "UpdateItem update Customer.photo (a part of Customer)",
      "0 read, 6 write",
    ]);
    // A condition on the other item makes it a transaction.
    expect(planLines({ Tab: customers() }, `${photo}, condition: version`)).toEqual([
      "TransactWriteItems update Customer, update Customer.photo (a part of Customer)",
      "0 read, 14 write",
    ]);
    // So does what is asked of the other item beyond its key.
    const named = photo.replace("equals }", "equals, mail: equals }");
    expect(planLines({ Tab: customers() }, named)[0]).toBe(
      "TransactWriteItems check Customer, update Customer.photo (a part of Customer)",
    );
  });

  test("entries of indexes: not touched, changed, moved", () => {
    const index = (key: string, projection: string): string =>
      orders(`Ind: { key: { ${key} }, projection: ${projection} }`);
    const key = "partition: customerId, sort: amount";
    // The key of the entry changes: one entry goes (1 KB) and one comes, beside 3 for the item.
    expect(planLines({ Tab: index(key, "keys") }, change("changes: [amount]"))[1]).toBe(
      "0 read, 5 write",
    );
    expect(planLines({ Tab: index(key, "all") }, change("changes: [amount]"))[1]).toBe(
      "0 read, 9 write",
    );
    expect(planLines({ Tab: index(key, "[score]") }, change("changes: [score]"))[1]).toBe(
      "0 read, 4 write",
    );
    expect(planLines({ Tab: index(key, "keys") }, change("changes: [score]"))[1]).toBe(
      "0 read, 3 write",
    );
  });

  const sparse = orders(
    'Open: { key: { partition: openBy, sort: placedAt }, projection: keys, sets: { Order: { openBy: "{customerId}" } }, only: { Order: { state: { equals: open } } } }',
  );

  test("entries that come and go with a state", () => {
    const units = (more: string): string | undefined =>
      planLines({ Tab: sparse }, change(more)).at(-1);
    // What may come into the index is read first, for the customer in the key of its entry; what leaves is not.
    // One in ten is open, before and after: 0.1 × 0.9 go and 0.9 × 0.1 come.
    expect(units("changes: [state]")).toBe("1 read, 3.18 write");
    // All are open after it; nine of ten were not.
    expect(units("changes: { state: open }")).toBe("1 read, 3.9 write");
    expect(units("changes: { state: sent }")).toBe("0 read, 3.1 write");
    expect(units("changes: { state: sent }, condition: { state: { equals: open } }")).toBe(
      "0 read, 4 write",
    );
    expect(units("changes: [amount]")).toBe("0 read, 3 write");
  });

  test("a key that is not known is looked up", () => {
    const table = `{ key: { customerId: S, orderId: S }, entities: { Order: { key: { customerId: "{customerId}", orderId: "{orderId}" } } },
      indexes: { ById: { key: { partition: orderId }, projection: keys } } }`;
    expect(planLines({ Tab: table }, change("changes: [amount]"))).toEqual([
      "Query Tab.ById orderId = {orderId}",
      "UpdateItem update Order",
      "0.5 read, 3 write",
    ]);
  });

  test("conditions beyond the key are conditions of the write", () => {
    const asked =
      "update: Order, where: { orderId: equals, customerId: equals }, changes: [amount]";
    const { plan } = planFor({ Tab: orders() }, asked);
    expect(plan.requests[0]).toMatchObject({ actions: [{ also: [{ attribute: "customerId" }] }] });
  });

  test("a change of the key is a delete and a put", () => {
    const table =
      '{ key: { PK: S, SK: S }, entities: { Order: { key: { PK: "{orderId}", SK: "{state}" } } } }';
    const asked =
      "update: Order, where: { orderId: equals, state: equals }, changes: { state: $new }";
    expect(planLines({ Tab: table }, asked)).toEqual([
      "GetItem Tab PK = {orderId} and SK = {state}",
      "TransactWriteItems delete Order (its key changes, so it is deleted and put again), put Order (its key changes, so it is deleted and put again)",
      "1 read, 12 write",
    ]);
  });

  test("a unique value that changes: the old guard goes, a new one comes", () => {
    const asked = "update: Customer, where: { customerId: equals }, changes: [mail]";
    expect(planLines({ Tab: guarded }, asked)).toEqual([
      "GetItem Tab PK = C#{customerId} and SK = A",
      "TransactWriteItems update Customer, delete Customer.mail (keeps Customer.mail unique), put Customer.mail (keeps Customer.mail unique)",
      "1 read, 6 write",
    ]);
  });

  test("the version is raised with the change", () => {
    const asked =
      "update: Customer, where: { customerId: equals }, changes: [name], condition: version";
    const { plan } = planFor({ Tab: customers() }, asked);
    expect(plan.requests[0]).toMatchObject({
      actions: [{ changes: { adds: [{ attribute: "revision", amount: 1 }] } }],
    });
  });

  test("a counter in shards may use any of them", () => {
    const table =
      '{ key: { PK: S }, entities: { Customer: { key: { PK: "{customerId}#{shard:9}" } } } }';
    const add = "update: Customer, where: { customerId: equals }, adds: { orders: 1 }";
    expect(planLines({ Tab: table }, add)[0]).toBe("UpdateItem update Customer");
    const set = "update: Customer, where: { customerId: equals }, changes: [name]";
    expect(planLines({ Tab: table }, set)[0]).toContain("× 9 shards");
  });
});

describe("deleting", () => {
  test("an item goes with its parts and guards", () => {
    expect(planLines({ Tab: guarded }, "delete: Customer, where: { customerId: equals }")).toEqual([
      "GetItem Tab PK = C#{customerId} and SK = A",
      "TransactWriteItems delete Customer, delete Customer.photo × 0.5 (a part of Customer), delete Customer.mail (keeps Customer.mail unique)",
      "1 read, 10 write",
    ]);
    // Who knows the address need not read it.
    const known = "delete: Customer, where: { customerId: equals, mail: equals }";
    expect(planLines({ Tab: guarded }, known)[0]).toContain("TransactWriteItems");
  });

  test("an item goes out of its indexes", () => {
    const table = orders("Ind: { key: { partition: customerId }, projection: all }");
    expect(planLines({ Tab: table }, "delete: Order, where: { orderId: equals }")).toEqual([
      "DeleteItem delete Order",
      "0 read, 6 write",
    ]);
  });
});

test("what lies inside another item is written with it", () => {
  const table =
    '{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" }, embeds: [{ entity: Line, as: lines }] } } }';
  expect(planLines({ Tab: table }, "create: Line")[0]).toBe(
    "UpdateItem update Order (Line lies in Order.lines)",
  );
});

test("a list cannot be asked whether something is in it already", () => {
  const table =
    '{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" }, embeds: [{ entity: Line, as: lines }] } } }';
  expect(planLines({ Tab: table }, "create: Line, condition: absent")).toEqual([
    "Line lies in a list, where nobody can ask whether it is there",
  ]);
});

describe("what lies in a map of another item", () => {
  const table =
    '{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" }, embeds: [{ entity: Line, as: lines, by: position }] } } }';
  const lines = (pattern: string): readonly string[] => planLines({ Tab: table }, pattern);
  const line = "where: { orderId: equals, position: equals }";

  test("is put with an item that is made, in one request", () => {
    const steps =
      "{ create: Order, condition: absent }, { create: Line, condition: absent, average: 3 }";
    // 2,000 bytes of text and three lines.
    expect(lines(`transaction: [${steps}]`)).toEqual(["PutItem put Order", "0 read, 3 write"]);
    expect(lines("create: Order, with: [Line]")[0]).toBe("PutItem put Order");
    const late = "{ create: Order }, { create: Line, condition: absent }";
    expect(lines(`transaction: [${late}]`)).toEqual([
      "Line lies inside of Order, which may be there already",
    ]);
  });

  test("is made, changed and taken away by itself", () => {
    const inside = "UpdateItem update Order (Line lies in Order.lines)";
    expect(lines("create: Line, condition: absent")[0]).toBe(inside);
    expect(lines(`update: Line, ${line}, changes: [product]`)[0]).toBe(inside);
    expect(lines(`delete: Line, ${line}`)[0]).toBe(inside);
    expect(lines("delete: Order, where: { orderId: equals }, with: [Line]")[0]).toBe(
      "DeleteItem delete Order",
    );
  });

  test("is not written twice in one transaction, nor by a part of its id", () => {
    const steps = `{ update: Order, where: { orderId: equals }, changes: [text] }, { delete: Line, ${line} }`;
    expect(lines(`transaction: [${steps}]`)).toEqual(["a transaction writes Order once"]);
    expect(lines("delete: Line, where: { orderId: equals }")).toEqual([
      "which Line in Order.lines is meant cannot be told",
    ]);
  });

  test("is read with the item, and not looked for in all of them", () => {
    expect(lines(`read: Line, ${line}`)[0]).toBe("GetItem Tab orderId = {orderId}");
    expect(lines("read: Line, where: { product: equals }")).toEqual([
      "Tab has Line inside of Order, whose key is not known",
    ]);
  });
});

test("what lies in a list is not changed", () => {
  const table =
    '{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" }, embeds: [{ entity: Line, as: lines }] } } }';
  const change = "update: Line, where: { orderId: equals, position: equals }, changes: [product]";
  expect(planLines({ Tab: table }, change)).toEqual([
    "Line lies in a list, where nobody can tell which one is meant",
  ]);
});

test("all steps of a transaction are one request; a check costs like a write", () => {
  const tables = { Customers: customers(), Orders: orders() };
  const asked =
    "transaction: [{ check: Customer, where: { customerId: equals }, condition: exists }, { create: Order }]";
  expect(planLines(tables, asked)).toEqual([
    "TransactWriteItems check Customer, put Order",
    "0 read, 8 write",
  ]);
});

test("a plan that the document states is taken", () => {
  const table = orders("Ind: { key: { partition: customerId }, projection: keys }");
  const plans = `  plans:
    p: { steps: [{ operation: Query, table: Tab, index: Ind, key: { customerId: "{customerId}" } }, { operation: BatchGetItem, table: Tab, key: { orderId: "{orderId}" } }] }
`;
  const asked = "read: Order, where: { customerId: equals }, limit: all";
  expect(planLines({ Tab: table }, asked, plans).slice(0, 2)).toEqual([
    "Query Tab.Ind customerId = {customerId}",
    "BatchGetItem Tab orderId = {orderId} × each result",
  ]);
});

test("a stated plan of a write: its look-up is as it says, the write is derived", () => {
  const table = `{ key: { customerId: S, orderId: S }, entities: { Order: { key: { customerId: "{customerId}", orderId: "{orderId}" } } },
      indexes: { ById: { key: { partition: orderId }, projection: keys } } }`;
  const plans = `  plans:
    p: { steps: [{ operation: Query, table: Tab, index: ById, key: { orderId: "{orderId}" } }, { operation: UpdateItem, table: Tab }] }
`;
  const asked = "update: Order, where: { orderId: equals }, changes: [amount]";
  expect(planLines({ Tab: table }, asked, plans).slice(0, 2)).toEqual([
    "Query Tab.ById orderId = {orderId}",
    "UpdateItem update Order",
  ]);
});

test("which item holds what is written is told by its id", () => {
  const table =
    '{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" }, embeds: [{ entity: Line, as: lines, by: position }] } } }';
  const change = "update: Line, where: { orderId: equals, position: equals }, changes: [product]";
  const { plan } = planFor({ Tab: table }, change);
  const [request] = plan.requests;
  expect(
    request?.kind === "write" && Object.fromEntries(request.actions[0]?.bindings ?? []),
  ).toMatchObject({
    orderId: { kind: "parameter", name: "orderId" },
  });
});
