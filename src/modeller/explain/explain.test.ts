import { describe, expect, test } from "vitest";
import { explained, explaining, requested, shop } from "./explain.test-support.ts";
import { parseApiRequest } from "./request.ts";
import { explanationsText, explanationText } from "./text.ts";

describe("a pattern that reads", () => {
  test("by its key, strongly: 2 KB are one unit, $0.125 for a million", () => {
    const one = explained("profile");
    expect(one.steps).toMatchObject([
      {
        operation: "GetItem",
        places: ["Shop"],
        range: "owner is C#{customerId}, part is PROFILE",
        condition: "owner = C#{customerId} AND part = PROFILE",
        partitions: 1,
        evaluated: 1,
        returned: 1,
        read: 1,
      },
    ]);
    expect(one.dollars.perMillion).toBeCloseTo(0.125, 9);
    // 100 per second are 262.8 million a month.
    expect(one.dollars.perMonth).toBeCloseTo(32.85, 6);
    expect(one.reasons).toEqual(["Strong consistency costs twice as much as eventual."]);
    expect(one.alternatives).toEqual([
      {
        what: "eventual instead of strong reads",
        saved: expect.closeTo(16.425, 6),
        read: 0.5,
        write: 0,
      },
    ]);
    expect(explanationText(one)).toContain(
      "With eventual instead of strong reads: saves $16.43 a month, 0.5 read units a run.",
    );
  });

  test("a page of a collection, in words", () => {
    const text = explanationText(explained("orders"));
    expect(text).toContain("Key range: owner is C#{customerId}, part begins with O#");
    expect(text).toContain("Key condition: owner = C#{customerId} AND begins_with(part, O#)");
    expect(text).toContain("Touches one partition.");
    expect(text).toMatch(/Evaluates 10 items, .*; 10 are returned; 1 call, 0\.5 read units\./);
    expect(text).toContain("The cheaper way:\n    None was found.");
  });

  test("with a filter: how much is thrown away", () => {
    const { steps, reasons } = explained("done");
    expect(steps[0]).toMatchObject({ evaluated: 20, returned: 2, filter: 1 });
    expect(reasons).toContain(
      "A filter on state = open comes after reading: 90 % of 20 items is paid for and thrown away.",
    );
  });

  test("through an index that lacks something: to project is cheaper", () => {
    const { steps, reasons, alternatives, read } = explained("state");
    expect(steps.map(({ operation, places }) => `${operation} ${places.join()}`)).toEqual([
      "Query Shop.ByState",
      "BatchGetItem Shop",
    ]);
    expect(reasons).toContain(
      "25 items of Order are read by key after the request before, which did not bring all attributes.",
    );
    const [best] = alternatives ?? [];
    expect(best?.what).toMatch(
      /^.*total.* in the projection of ByState, so that nothing is fetched$/,
    );
    expect(best?.saved).toBeGreaterThan(0);
    expect(best?.read).toBeLessThan(read / 5);
  });

  test("by a Scan, because no key answers it", () => {
    const { steps, reasons, rejected } = explained("find");
    expect(steps[0]).toMatchObject({ operation: "Scan", range: undefined, evaluated: 21_000 });
    expect(steps[0]?.partitionsText).toBe("all, at least 4 partitions");
    expect(reasons[0]).toBe("No key of Shop answers it, so all of it is read.");
    expect(rejected).toContain("Shop needs customerId, which is not asked for by its value.");
  });

  test("nothing that another service does", () => {
    const one = explained("search");
    expect(one.problem).toBe("OpenSearch serves it");
    expect(explanationText(one)).toBe(
      "search: Search\n  Nothing is asked of a table: OpenSearch serves it.\n",
    );
  });
});

describe("a pattern that writes", () => {
  test("each item with its entries", () => {
    const { steps, reasons, write } = explained("place");
    expect(write).toBe(2);
    expect(steps[0]).toMatchObject({
      operation: "PutItem",
      partitions: 2,
      arms: [
        { place: "Shop", write: 1 },
        { place: "Shop.ByState", write: 1 },
      ],
    });
    expect(steps[0]?.actions[0]).toMatch(
      /^put Order at owner = C#\{customerId\}, part = O#\{orderId\}, \d+ B: Shop 1, ByState 1$/,
    );
    expect(reasons).toContain("Entries of Order in ByState add 1 to 1 write units.");
  });

  test("an entry whose key changes is written twice", () => {
    const { write } = explained("finish");
    expect(write).toBe(3);
  });

  test("a transaction of one action need not be one", () => {
    const { alternatives, write } = explained("both");
    // 2 KB and some: 3 units, twice.
    expect(write).toBe(6);
    expect(alternatives).toMatchObject([
      { what: "a single write instead of a transaction", write: 3 },
    ]);
  });
});

describe("an index without the filter", () => {
  // Orders of 1 KB: twenty are 2.5 units, the two that are open half a one.
  const larger = (average: number): string =>
    shop
      .replace("      total:", "      note: { type: S, bytes: 1_000 }\n      total:")
      .replace("rps: { average: 100, peak: 100 }", `rps: { average: ${average}, peak: 1_000 }`);
  const found = (average: number) => explained("done", larger(average)).alternatives?.[0];

  test("pays if it is read often", () => {
    expect(found(1_000)).toMatchObject({
      what: "a GSI of Shop with PK customerId and state, projection INCLUDE",
    });
    expect(found(1_000)?.saved).toBeGreaterThan(100);
  });

  test("does not pay if its entries cost more than they save, which is told", () => {
    expect(found(1)?.saved).toBeLessThan(-10);
    const text = explanationText(explained("done", larger(1)));
    expect(text).toMatch(
      /The cheaper way:\n {4}None was found\.\n {4}With a GSI of Shop with PK customerId and state, projection INCLUDE: would cost \$\d/,
    );
  });
});

test("all patterns, a line each", () => {
  const all = explaining();
  const text = explanationsText(
    [...all.model.patterns.values()].map((one) => all.explain(one, false)),
  );
  const lines = text.trimEnd().split("\n");
  expect(lines.length).toBe(1 + 9);
  expect(lines[1]).toMatch(/^profile +GetItem Shop +1 +0 +\$0\.13 +\$32\.85$/);
  expect(lines.at(-1)).toMatch(/^search +OpenSearch serves it$/);
});

describe("a request", () => {
  const query = (more: object) => ({
    TableName: "Shop",
    KeyConditionExpression: "#o = :o AND begins_with(part, :p)",
    ExpressionAttributeNames: { "#o": "owner" },
    ExpressionAttributeValues: { ":o": { S: "C#0000000001" }, ":p": { S: "O#" } },
    ...more,
  });

  test("a Query: the kinds of items that its range holds", () => {
    const one = requested("Query", query({}));
    if (typeof one === "string") throw new Error(one);
    expect(one.steps).toMatchObject([
      {
        items: ["Order"],
        range: "owner is C#0000000001, part begins with O#",
        evaluated: 20,
        returned: 20,
        read: 0.5,
      },
    ]);
    expect(one.similar).toEqual(["orders", "done"]);
    expect(one.dollars.perMonth).toBe(undefined);
    const limited = requested("Query", query({ Limit: 5, ConsistentRead: true }));
    expect(limited).toMatchObject({ steps: [{ evaluated: 5 }], read: 1 });
  });

  test("a whole collection, and a filter", () => {
    const one = requested("Query", {
      TableName: "Shop",
      KeyConditionExpression: "#o = :o",
      FilterExpression: "#s = :s",
      ExpressionAttributeNames: { "#o": "owner", "#s": "state" },
      ExpressionAttributeValues: { ":o": { S: "C#1" }, ":s": { S: "open" } },
    });
    if (typeof one === "string") throw new Error(one);
    expect(one.steps[0]).toMatchObject({ items: ["Customer", "Order"], evaluated: 21 });
    // A customer has no state; of twenty orders two are open.
    expect(one.steps[0]?.returned).toBeCloseTo(2, 6);
  });

  test("reads by key, one and many", () => {
    const key = { owner: { S: "C#1" }, part: { S: "PROFILE" } };
    expect(requested("GetItem", { TableName: "Shop", Key: key })).toMatchObject({
      steps: [{ items: ["Customer"], range: "owner is C#1, part is PROFILE" }],
      read: 0.5,
      similar: ["profile"],
    });
    const order = { owner: { S: "C#1" }, part: { S: "O#2" } };
    const batch = requested("BatchGetItem", { RequestItems: { Shop: { Keys: [key, order] } } });
    expect(batch).toMatchObject({
      steps: [{ items: ["Customer"] }, { items: ["Order"] }],
      read: 1,
    });
    const both = { TransactItems: [{ Get: { TableName: "Shop", Key: key } }] };
    expect(requested("TransactGetItems", both)).toMatchObject({ read: 2 });
  });

  test("writes, with what they change in indexes", () => {
    const key = { owner: { S: "C#1" }, part: { S: "O#2" } };
    const update = (expression: string) =>
      requested("UpdateItem", {
        TableName: "Shop",
        Key: key,
        UpdateExpression: expression,
        ExpressionAttributeNames: { "#s": "state" },
        ExpressionAttributeValues: { ":v": { S: "done" } },
      });
    expect(update("SET #s = :v")).toMatchObject({ write: 3 });
    expect(update("SET remark = :v REMOVE #s")).toMatchObject({ write: 3 });
    expect(requested("DeleteItem", { TableName: "Shop", Key: key })).toMatchObject({ write: 2 });
    const put = { PutRequest: { Item: { ...key, state: { S: "open" } } } };
    const many = {
      RequestItems: { Shop: [put, { PutRequest: { Item: { ...key, part: { S: "O#3" } } } }] },
    };
    expect(requested("BatchWriteItem", many)).toMatchObject({
      steps: [{ evaluated: 2, items: ["Order"] }],
      write: 4,
    });
    const transact = { TransactItems: [{ Put: { TableName: "Shop", Item: { ...key } } }] };
    expect(requested("TransactWriteItems", transact)).toMatchObject({ write: 3 });
    expect(requested("PutItem", { TableName: "Shop", Item: key })).toMatchObject({
      write: 2,
      similar: ["place"],
    });
  });

  test("a Scan of an index", () => {
    const one = requested("Scan", { TableName: "Shop", IndexName: "ByState" });
    expect(one).toMatchObject({ steps: [{ places: ["Shop.ByState"], evaluated: 20_000 }] });
  });

  test("that the model has no place for, or that the service refuses, is told in a sentence", () => {
    expect(requested("Scan", { TableName: "Shp" })).toBe(
      "the model has no table 'Shp'; did you mean 'Shop'?",
    );
    expect(requested("Scan", { TableName: "Shop", IndexName: "ByStat" })).toBe(
      "Shop has no index 'ByStat'; did you mean 'ByState'?",
    );
    const key = { owner: { S: "X#1" }, part: { S: "PROFILE" } };
    expect(requested("GetItem", { TableName: "Shop", Key: key })).toBe(
      "no kind of item in Shop has such a key",
    );
    expect(requested("Query", query({ KeyConditionExpression: "#o = :o AND" }))).toMatch(
      /^Invalid KeyConditionExpression: Syntax error/,
    );
    expect(requested("Query", { TableName: 5 })).toMatch(/TableName|converted/);
  });

  test("is read from a file", () => {
    expect(parseApiRequest('{"operation":"Scan","input":{"TableName":"Shop"}}')).toEqual({
      operation: "Scan",
      input: { TableName: "Shop" },
    });
    expect(parseApiRequest("{")).toMatch(/^is no JSON: /);
    expect(parseApiRequest("[]")).toMatch(/^needs an operation and its input/);
    expect(parseApiRequest('{"operation":"Qury","input":{}}')).toMatch(/did you mean 'Query'/);
    expect(parseApiRequest('{"operation":"__proto__","input":{}}')).toMatch(/cannot be explained/);
  });
});

test("without a rate there are dollars for a million, and a question", () => {
  const text = shop.replace("rps: { average: 50, peak: 100 }", "rps: { peak: 100 }");
  const one = explained("orders", text);
  expect(one.dollars).toEqual({
    perMillion: expect.closeTo(0.0625, 9),
    perMonth: undefined,
    cached: false,
  });
  expect(one.open).toEqual(["What is the average of pattern orders? (rps.average)"]);
});

test("what a cache answers is not paid for", () => {
  const dax = "      dax: { node: dax.r5.large, nodes: 3, hitRate: 0.9, patterns: [orders] }\n";
  const { dollars } = explained("orders", shop + dax);
  expect(dollars.cached).toBe(true);
  expect(dollars.perMillion).toBeCloseTo(0.00625, 9);
  expect(explained("state", shop + dax).dollars.cached).toBe(false);
});
