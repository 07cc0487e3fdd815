import { describe, expect, test } from "vitest";
import { planFor, planLines } from "./plan.test-support.ts";
import { noRemainder } from "./plan.ts";

const single = (indexes = ""): string =>
  `{ key: { PK: S, SK: S }, entities: {
      Customer: { key: { PK: "C#{customerId}", SK: "#C" } },
      Order: { key: { PK: "C#{customerId}", SK: "O#{placedAt}#{orderId}" } } }${indexes === "" ? "" : `, indexes: { ${indexes} }`} }`;
const plain = (indexes = "", more = ""): string =>
  `{ key: { orderId: S }, entities: { Order: { key: { orderId: "{orderId}" } } }${indexes === "" ? "" : `, indexes: { ${indexes} }`}${more} }`;
/** An order in this table has about 2.1 KB: a strong read of one is 1 unit, and ten are 6. */
const all = "returns: all";

describe("by the key of the table", () => {
  test("a whole key is an item", () => {
    expect(
      planLines(
        { Tab: single() },
        "read: Customer, where: { customerId: equals }, returns: [name]",
      ),
    ).toEqual([
      "GetItem Tab PK = C#{customerId} and SK = #C",
      // 6,000 bytes of photo in every other item: 0.5 × 1 + 0.5 × 2, halved.
      "0.75 read, 0 write",
    ]);
  });

  test("several are a batch, and a transaction is one", () => {
    const batch = "read: Customer, where: { customerId: one-of }, batch: 40, returns: [name]";
    expect(planLines({ Tab: single() }, batch)[0]).toBe(
      "BatchGetItem Tab PK = C#{customerId} and SK = #C × 40 keys",
    );
    const both = "transaction: [{ read: Customer, where: { customerId: equals } }]";
    expect(planLines({ Tab: single() }, both)).toEqual([
      "TransactGetItems Tab PK = C#{customerId} and SK = #C",
      "3 read, 0 write",
    ]);
  });

  test("a known beginning of the sort key is a range, in its order", () => {
    const newest =
      "read: Order, where: { customerId: equals }, order: { placedAt: descending }, limit: 5";
    expect(planLines({ Tab: single() }, newest)[0]).toBe(
      "Query Tab PK = C#{customerId} and SK begins O# backward limit 5",
    );
    const oldest =
      "read: Order, where: { customerId: equals }, order: { placedAt: ascending }, limit: all";
    expect(planLines({ Tab: single() }, oldest)[0]).toBe(
      "Query Tab PK = C#{customerId} and SK begins O#",
    );
  });

  test("a range of the next part is in the key; how much it holds has to be said", () => {
    const span =
      "read: Order, where: { customerId: equals, placedAt: between }, order: { placedAt: ascending }, limit: all";
    expect(planLines({ Tab: single() }, `${span}, matches: 4`)).toEqual([
      "Query Tab PK = C#{customerId} and SK between O#{placedAt}",
      // Four orders of 2,133 bytes: 9 KB, three steps of 4 KB, halved.
      "1.5 read, 0 write",
    ]);
    expect(planFor({ Tab: single() }, span).plan.requests[0]).toMatchObject({
      expected: { assumptions: ["how many Order lie in the range"] },
    });
  });

  test("what no key answers is a filter, and all that it throws away is read", () => {
    const asked =
      "read: Order, where: { customerId: equals, amount: { greater: $least } }, limit: all";
    expect(planLines({ Tab: single() }, asked)).toEqual([
      "Query Tab PK = C#{customerId} and SK begins O# filter amount",
      "3 read, 0 write",
    ]);
  });

  test("a filter on stated values: pages are read until enough have passed", () => {
    const asked = "read: Order, where: { customerId: equals, state: { equals: open } }, limit: 1";
    const { plan } = planFor({ Tab: single() }, asked);
    // One in ten is open, so ten are read for one.
    expect(plan.requests[0]).toMatchObject({
      expected: { returned: 1, evaluated: [{ count: 10 }] },
    });
  });

  test("an order that the key has not is made by the caller, who has to read all", () => {
    const asked =
      "read: Order, where: { customerId: equals }, order: { amount: descending }, limit: 3";
    expect(planLines({ Tab: single() }, asked)[0]).toBe(
      "Query Tab PK = C#{customerId} and SK begins O# sorted by the caller",
    );
  });

  test("numbers sort in a text only with zeros before them", () => {
    const table = (text: string): string =>
      `{ key: { PK: S, SK: S }, entities: { Order: { key: { PK: "{customerId}", SK: "${text}" } } } }`;
    const asked =
      "read: Order, where: { customerId: equals }, order: { score: descending }, limit: 3";
    expect(planLines({ Tab: table("S#{score}#{orderId}") }, asked)[0]).toContain(
      "sorted by the caller",
    );
    expect(planLines({ Tab: table("S#{score|pad:5}#{orderId}") }, asked)[0]).toBe(
      "Query Tab PK = {customerId} and SK begins S# backward limit 3",
    );
    expect(planLines({ Tab: table("S#{score|descending}#{orderId}") }, asked)[0]).toBe(
      "Query Tab PK = {customerId} and SK begins S# limit 3",
    );
  });

  test("without the partition key all of the table is read", () => {
    const asked = "read: Order, where: { amount: { greater: 5 } }, limit: all";
    const { plan } = planFor({ Tab: single() }, asked);
    expect(plan.notes).toEqual(["No key answers it: all of Tab is read."]);
    expect(plan.rejected).toEqual([
      { structure: "Tab", why: "needs customerId, which is not asked for by its value" },
    ]);
    expect(plan.requests[0]).toMatchObject({
      operation: "Scan",
      expected: { evaluated: [{ count: 10_000 }, { count: 1_000 }] },
    });
  });
});

describe("shards and times in the partition key", () => {
  const sharded = (segment: string): string =>
    `{ key: { PK: S, orderId: S }, entities: { Order: { key: { PK: "{state}#${segment}", orderId: "{orderId}" } } } }`;
  const asked =
    "read: Order, where: { state: { equals: open } }, order: { orderId: ascending }, limit: 10";

  test("shards that nobody can calculate are all asked, and the answers merged", () => {
    expect(planLines({ Tab: sharded("{shard:4}") }, asked)[0]).toBe(
      "Query Tab PK = {state}#{shard:4} limit 10 merged × 4 shards",
    );
    expect(planLines({ Tab: sharded("{shard:4:orderId}") }, asked)[0]).toBe(
      "Query Tab PK = {state}#{shard:4:orderId} limit 10 merged × 4 shards",
    );
  });

  test("a shard that is calculated from what is known is the only one", () => {
    const one = "read: Order, where: { state: equals, orderId: equals }";
    expect(planLines({ Tab: sharded("{shard:4:orderId}") }, one)[0]).toBe(
      "GetItem Tab PK = {state}#{shard:4:orderId} and orderId = {orderId}",
    );
    expect(planLines({ Tab: sharded("{shard:4}") }, one)[0]).toContain("× 4 shards");
  });

  test("a span of time is asked unit by unit, and its ends are a filter", () => {
    const table =
      '{ key: { PK: S, orderId: S }, entities: { Order: { key: { PK: "{customerId}#{placedAt|month}", orderId: "{orderId}" } } } }';
    const span = "read: Order, where: { customerId: equals, placedAt: between }, limit: all";
    expect(planLines({ Tab: table }, span)[0]).toBe(
      "Query Tab PK = {customerId}#{placedAt|month} filter placedAt × each unit of the span",
    );
  });

  test("one value of several, one request for each", () => {
    const several = "read: Order, where: { state: { one-of: [open, sent] } }, limit: 10";
    expect(planLines({ Tab: sharded("{shard:4}") }, several)[0]).toBe(
      "Query Tab PK = {state}#{shard:4} limit 10 × 2 values × 4 shards",
    );
  });
});

describe("by an index", () => {
  const byCustomer = (projection: string): string =>
    plain(
      `ByCustomer: { key: { partition: customerId, sort: placedAt }, projection: ${projection} }`,
    );
  const asked =
    "read: Order, where: { customerId: equals }, order: { placedAt: ascending }, limit: 5";

  test("what it lacks is fetched by the keys that it tells", () => {
    expect(planLines({ Tab: byCustomer("all") }, asked)).toEqual([
      "Query Tab.ByCustomer customerId = {customerId} limit 5",
      "1.5 read, 0 write",
    ]);
    expect(planLines({ Tab: byCustomer("keys") }, asked)).toEqual([
      "Query Tab.ByCustomer customerId = {customerId} limit 5",
      "BatchGetItem Tab orderId = {orderId} × each result",
      // Five entries in half a unit, and five items of half a unit each.
      "3 read, 0 write",
    ]);
    expect(
      planLines({ Tab: byCustomer("[amount]") }, `${asked}, returns: [orderId, amount]`),
    ).toHaveLength(2);
  });

  test("one that leaves out what nobody asks for is read as a whole rather than the table", () => {
    const index = "Gifts: { key: { partition: gift, sort: placedAt }, projection: all }";
    const gifts = "read: Order, where: { gift: { exists: true } }, limit: all";
    expect(planLines({ Tab: plain(index) }, gifts)[0]).toBe("Scan Tab.Gifts");
    const { plan } = planFor({ Tab: plain(index) }, gifts);
    expect(plan.requests[0]).toMatchObject({ expected: { evaluated: [{ count: 2_000 }] } });
    const others = "read: Order, where: { text: { exists: true } }, limit: all";
    expect(planLines({ Tab: plain(index) }, others)[0]).toContain("Scan Tab ");
  });

  test("it is never read with strong consistency", () => {
    const { plan } = planFor({ Tab: byCustomer("all") }, `${asked}, consistency: strong`);
    expect(plan.rejected).toContainEqual({
      structure: "Tab.ByCustomer",
      why: "a global index cannot be read with strong consistency",
    });
    expect(plan.requests[0]).toMatchObject({ operation: "Scan", consistent: true });
  });

  test("several attributes: from the left, and a range only on the last", () => {
    const index =
      "Ind: { key: { partition: [customerId, state], sort: [placedAt, amount, orderId] }, projection: all }";
    const where = (more: string): string =>
      `read: Order, where: { customerId: equals, state: equals${more} }, limit: 5`;
    expect(
      planLines({ Tab: plain(index) }, where(", placedAt: equals, amount: { at-least: 4 }"))[0],
    ).toBe(
      "Query Tab.Ind customerId = {customerId} and state = {state} and placedAt = {placedAt} and amount at-least {amount} limit 5",
    );
    // The middle part is not asked for, so the last one is left to a filter.
    expect(
      planLines({ Tab: plain(index) }, where(", placedAt: equals, text: { begins-with: $t }"))[0],
    ).toContain("filter text");
    const gap =
      "read: Order, where: { customerId: equals, state: equals, amount: { equals: 4 } }, limit: 5";
    expect(planLines({ Tab: plain(index) }, gap)[0]).toContain("filter amount");
    const part = "read: Order, where: { customerId: equals }, limit: 5";
    expect(planLines({ Tab: plain(index) }, part)[0]).toContain("Scan");
  });

  test("a local index has the order, and takes what it lacks from the table", () => {
    const table = `{ key: { customerId: S, orderId: S }, entities: { Order: { key: { customerId: "{customerId}", orderId: "{orderId}" } } },
      indexes: { ByTime: { key: { sort: placedAt }, local: true, projection: keys } } }`;
    expect(planLines({ Tab: table }, `${asked}, consistency: strong`)).toEqual([
      "Query Tab.ByTime customerId = {customerId} limit 5 fetches",
      // One unit for the entries, one for each of the five items.
      "6 read, 0 write",
    ]);
  });

  const sparse = plain(
    'Open: { key: { partition: openBy, sort: placedAt }, projection: all, sets: { Order: { openBy: "{customerId}" } }, only: { Order: { state: { equals: open } } } }',
  );

  test("a sparse one answers only who asks for what is in it", () => {
    const open =
      "read: Order, where: { customerId: equals, state: { equals: open } }, order: { placedAt: ascending }, limit: 5";
    expect(planLines({ Tab: sparse }, open)).toEqual([
      "Query Tab.Open openBy = {customerId} limit 5",
      // One of ten orders of a customer is open.
      "0.5 read, 0 write",
    ]);
    const any = "read: Order, where: { customerId: equals }, limit: 5";
    expect(planFor({ Tab: sparse }, any).plan.rejected).toContainEqual({
      structure: "Tab.Open",
      why: "holds only items with a certain state",
    });
    const byParameter = "read: Order, where: { customerId: equals, state: equals }, limit: 5";
    expect(planFor({ Tab: sparse }, byParameter).plan.notes).toEqual([
      "Open answers only for state open.",
    ]);
  });

  test("fetches the items behind an index before the caller sorts by what it lacks", () => {
    const index = (held: string): string =>
      plain(`ByCustomer: { key: { partition: customerId }, projection: ${held} }`);
    expect(planLines({ Tab: index("[placedAt]") }, asked)[0]).toContain("Query Tab.ByCustomer");
    const { requests } = planFor({ Tab: index("keys") }, asked).plan;
    expect(requests).toMatchObject([
      { operation: "Query", limit: undefined, sortsInClient: true, remainder: noRemainder },
      {
        operation: "BatchGetItem",
        completes: 0,
        remainder: { order: [{ attribute: "placedAt" }], limit: 5 },
      },
    ]);
  });

  test("fetches the items behind an index before it filters by what that lacks", () => {
    const index = plain("ByCustomer: { key: { partition: customerId }, projection: keys }");
    const filtered =
      "read: Order, where: { customerId: equals, state: { equals: open }, orderId: { less: z } }, limit: 5";
    const { requests } = planFor({ Tab: index }, filtered).plan;
    expect(requests).toMatchObject([
      { operation: "Query", limit: undefined, filter: [{ attribute: "orderId" }] },
      {
        operation: "BatchGetItem",
        completes: 0,
        // A limit before the filter would cut orders that are open.
        remainder: { filter: [{ attribute: "state" }], limit: 5 },
      },
    ]);
  });

  test("reads the whole table where to fetch each item behind an index takes more units", () => {
    const index = plain("ByState: { key: { partition: state }, projection: keys }");
    const filtered = "read: Order, where: { state: { equals: sent }, amount: { greater: 5 } }";
    const { requests, rejected } = planFor({ Tab: index }, filtered).plan;
    expect(requests).toMatchObject([{ operation: "Scan", index: undefined }]);
    expect(rejected.map(({ structure }) => structure)).toContain("Tab.ByState");
  });

  test("fetches the parts of items before it filters, sorts and cuts by what was split out", () => {
    const table = `{ key: { PK: S, SK: S }, entities: { Order: { key: { PK: "{customerId}", SK: "A#{orderId}" }, split: [{ name: more, key: { PK: "{customerId}", SK: "B#{orderId}" }, attributes: [amount] }] } } }`;
    const filtered =
      "read: Order, where: { customerId: equals, amount: { greater: 5 } }, order: { amount: ascending }, limit: 5";
    const { requests } = planFor({ Tab: table }, filtered).plan;
    expect(requests).toMatchObject([
      { operation: "Query", filter: [], limit: undefined, remainder: noRemainder },
      {
        operation: "BatchGetItem",
        completes: 0,
        remainder: {
          filter: [{ attribute: "amount" }],
          order: [{ attribute: "amount" }],
          limit: 5,
        },
      },
    ]);
  });

  test("an attribute that not all have leaves items out", () => {
    const index = "Gifts: { key: { partition: customerId, sort: gift }, projection: all }";
    const without = "read: Order, where: { customerId: equals }, limit: 5";
    expect(planFor({ Tab: plain(index) }, without).plan.rejected).toContainEqual({
      structure: "Tab.Gifts",
      why: "leaves out items without gift",
    });
    const wanted = "read: Order, where: { customerId: equals, gift: exists }, limit: 5";
    expect(planLines({ Tab: plain(index) }, wanted)[0]).toBe(
      "Query Tab.Gifts customerId = {customerId} limit 5",
    );
  });
});

describe("more than one kind of item", () => {
  const orders = (extra = ""): string =>
    `{ key: { PK: S, SK: S }, entities: {
        Order: { key: { PK: "O#{orderId}", SK: "#O" } },
        Line: { key: { PK: "O#{orderId}", SK: "L#{position|pad:2}" } }${extra} } }`;
  const whole = "read: Order, where: { orderId: equals }, together: [{ entity: Line, limit: all }]";

  test("one Query brings an item and what lies in its collection", () => {
    expect(planLines({ Tab: orders() }, whole)).toEqual([
      "Query Tab PK = O#{orderId}",
      "0.5 read, 0 write",
    ]);
    const page =
      "read: Order, where: { orderId: equals }, together: [{ entity: Line, limit: 2, order: { position: ascending } }]";
    expect(planLines({ Tab: orders() }, page)[0]).toBe("Query Tab PK = O#{orderId} limit 3");
    // Backwards the order itself would come last.
    const last = page.replace("ascending", "descending");
    expect(planLines({ Tab: orders() }, last).slice(0, 2)).toEqual([
      "GetItem Tab PK = O#{orderId} and SK = #O",
      "Query Tab PK = O#{orderId} and SK begins L# backward limit 2",
    ]);
  });

  test("what else lies in the range is read too", () => {
    const tags = ', Tag: { key: { PK: "O#{orderId}", SK: "T#{word}" } }';
    const { plan } = planFor({ Tab: orders(tags) }, whole);
    expect(plan.requests[0]).toMatchObject({
      beside: [{ name: "Tag" }],
      expected: { evaluated: [{ count: 1 }, { count: 3 }, { count: 2 }], returned: 4 },
    });
    const lines = "read: Line, where: { orderId: equals }, limit: all";
    expect(planFor({ Tab: orders(tags) }, lines).plan.requests[0]).toMatchObject({ beside: [] });
  });

  test("what lies elsewhere takes requests of its own", () => {
    const tables = {
      Orders: plain(),
      Lines:
        '{ key: { orderId: S, position: N }, entities: { Line: { key: { orderId: "{orderId}", position: "{position}" } } } }',
    };
    expect(planLines(tables, whole).slice(0, 2)).toEqual([
      "GetItem Orders orderId = {orderId}",
      "Query Lines orderId = {orderId}",
    ]);
    const parent = {
      Orders: plain(),
      Customers:
        '{ key: { customerId: S }, entities: { Customer: { key: { customerId: "{customerId}" } } } }',
    };
    const withCustomer = "read: Order, where: { orderId: equals }, together: [Customer]";
    expect(planLines(parent, withCustomer)[1]).toBe(
      "GetItem Customers customerId = {customerId} × each result",
    );
  });

  test("a child entity is fetched behind an index that lacks some of its attributes", () => {
    const tables = (projection: string): Record<string, string> => ({
      Orders: plain(),
      Lines: `{ key: { position: N, orderId: S }, entities: { Line: { key: { position: "{position}", orderId: "{orderId}" } } }, indexes: { ByOrder: { key: { partition: orderId, sort: position }, projection: ${projection} } } }`,
    });
    const query = "Query Lines.ByOrder orderId = {orderId}";
    expect(planLines(tables("all"), whole)[1]).toBe(query);
    expect(planLines(tables("keys"), whole).slice(1, 3)).toEqual([
      query,
      expect.stringContaining("BatchGetItem Lines position = {position} and orderId = {orderId}"),
    ]);
  });

  test("a unique value is looked up in the item that guards it", () => {
    const table = `{ key: { PK: S }, entities: { Customer: { key: { PK: "C#{customerId}" } } },
      unique: [{ entity: Customer, attribute: mail, key: { PK: "M#{mail|lower}" } }] }`;
    expect(planLines({ Tab: table }, "read: Customer, where: { mail: equals }")).toEqual([
      "GetItem Tab PK = M#{mail|lower}",
      "GetItem Tab PK = C#{customerId} × each result",
      "1.25 read, 0 write",
    ]);
  });

  test("a part of an item is read alone if every item has it, and besides the item if not", () => {
    const table = `{ key: { PK: S, SK: S }, entities: { Customer: { key: { PK: "{customerId}", SK: A }, split: [{ name: photo, key: { PK: "{customerId}", SK: B }, attributes: [photo] }] } } }`;
    const asked = "read: Customer, where: { customerId: equals }, returns: [photo]";
    const both = [
      "GetItem Tab PK = {customerId} and SK = A",
      "GetItem Tab PK = {customerId} and SK = B",
      "1.25 read, 0 write",
    ];
    // Half of the customers have no photo, and so no such item.
    expect(planLines({ Tab: table }, asked)).toEqual(both);
    const there = "read: Customer, where: { customerId: equals, photo: exists }, returns: [photo]";
    expect(planLines({ Tab: table }, there)[0]).toBe(
      "GetItem Tab PK = {customerId} and SK = B filter photo",
    );
    expect(
      planLines({ Tab: table }, `read: Customer, where: { customerId: equals }, ${all}`),
    ).toEqual(both);
  });
});

test("tables of periods are all asked if nobody says when", () => {
  const periods = ", periods: { every: month, attribute: placedAt, keep: 6 }";
  const one = "read: Order, where: { orderId: equals }";
  expect(planLines({ Tab: plain("", periods) }, one)[0]).toContain("× 6 tables of periods");
  const then = "read: Order, where: { orderId: equals, placedAt: equals }";
  expect(planLines({ Tab: plain("", periods) }, then)[0]).not.toContain("periods");
});

describe("what others belong to it", () => {
  const customers =
    '{ key: { customerId: S }, entities: { Customer: { key: { customerId: "{customerId}" } } } }';
  const asked =
    "read: Order, where: { state: equals }, limit: 5, returns: [text], together: [{ entity: Customer, returns: [name] }]";
  const bound = (indexes: string) =>
    planFor({ Orders: plain(indexes), Customers: customers }, asked).plan.requests.map((one) =>
      one.kind === "read" ? [one.operation, one.index?.name, one.bindings.get("customerId")] : [],
    );
  const from = (request: number) => ({ kind: "result", request, attribute: "customerId" });

  test("is read after a scan, too", () => {
    expect(bound("")).toEqual([
      ["Scan", undefined, undefined],
      ["BatchGetItem", undefined, from(0)],
    ]);
  });

  test("is told by the index that has it, or by the items that are read then", () => {
    const index = (projection: string) =>
      `ByState: { key: { partition: state, sort: orderId }, projection: ${projection} }`;
    expect(bound(index("[text, customerId]"))).toEqual([
      ["Query", "ByState", undefined],
      ["BatchGetItem", undefined, from(0)],
    ]);
    expect(bound(index("[text]"))).toEqual([
      ["Query", "ByState", undefined],
      ["BatchGetItem", undefined, undefined],
      ["BatchGetItem", undefined, from(1)],
    ]);
  });
});
