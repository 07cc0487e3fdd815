import { describe, expect, test } from "vitest";
import { useServer, validation } from "../harness.ts";
import { change, ItemTable, type Plain } from "../item-table.ts";

const server = useServer();
const table = new ItemTable(server);

type Row = readonly [title: string, before: Plain, expression: string, values: Plain, after: Plain];

const check = async (...[, before, expression, values, after]: Row) => {
  expect(await table.updated(before, change(expression, values))).toEqual(after);
};

describe("members of maps", () => {
  test.each<Row>([
    [
      "a member is replaced",
      { m: { x: 1, y: 2 } },
      "SET m.x = :v",
      { v: 9 },
      { m: { x: 9, y: 2 } },
    ],
    ["a member is added", { m: { x: 1 } }, "SET m.y = :v", { v: 9 }, { m: { x: 1, y: 9 } }],
    ["to an empty map", { m: {} }, "SET m.y = :v", { v: 9 }, { m: { y: 9 } }],
    [
      "a document becomes a scalar",
      { m: { d: { x: 1 } } },
      "SET m.d = :v",
      { v: 9 },
      { m: { d: 9 } },
    ],
    [
      "far below, through lists and maps",
      { a: { b: [0, { c: [[1, 2]] }] } },
      "SET a.b[1].c[0][1] = :v",
      { v: 9 },
      { a: { b: [0, { c: [[1, 9]] }] } },
    ],
    [
      "siblings in one update",
      { a: { b: { x: 1 }, c: { x: 1 } } },
      "SET a.b.x = :v, a.c.x = :v",
      { v: 9 },
      { a: { b: { x: 9 }, c: { x: 9 } } },
    ],
  ])("%s", check);

  test("a dot in a name that a placeholder stands for is no step", async () => {
    const names = { n: "a.b" };
    expect(await table.updated({}, change("SET #n = :v", { v: 1 }, names))).toEqual({ "a.b": 1 });
    const before = { a: { b: 0 }, "a.b": 0 };
    expect(await table.updated(before, change("SET #n = :v", { v: 1 }, names))).toEqual({
      a: { b: 0 },
      "a.b": 1,
    });
  });

  test("each step may be a placeholder, the same one twice", async () => {
    const before = { x: { x: { "ü 1": 0 } } };
    const update = change("SET #x.#x.#u = :v", { v: 1 }, { x: "x", u: "ü 1" });
    expect(await table.updated(before, update)).toEqual({ x: { x: { "ü 1": 1 } } });
  });

  test("names that JavaScript's objects have by themselves are ordinary names", async () => {
    const { pk } = await table.put({ m: {} });
    const request = {
      TableName: table.name,
      Key: { pk: { S: pk } },
      UpdateExpression: "SET #c = :v, m.#p = :v, m.#c = if_not_exists(toString, :v)",
      ExpressionAttributeNames: { "#p": "__proto__", "#c": "constructor" },
      ExpressionAttributeValues: { ":v": { N: "1" } },
      ReturnValues: "UPDATED_NEW",
    };
    const answer = await server.raw("UpdateItem", request);
    const text =
      '{"constructor":{"N":"1"},"m":{"M":{"__proto__":{"N":"1"},"constructor":{"N":"1"}}}}';
    expect(answer.json).toEqual({ Attributes: JSON.parse(text) });
    const got = await server.raw("GetItem", { TableName: table.name, Key: request.Key });
    expect(got.json.Item).toEqual({ ...JSON.parse(text), pk: { S: pk } });
    expect(Object.keys(got.json.Item.m.M).sort()).toEqual(["__proto__", "constructor"]);
  });
});

describe("elements of lists", () => {
  test.each<Row>([
    ["an element is replaced", { l: [1, 2, 3] }, "SET l[1] = :v", { v: 9 }, { l: [1, 9, 3] }],
    ["the one behind the last is added", { l: [1] }, "SET l[1] = :v", { v: 9 }, { l: [1, 9] }],
    ["far beyond the end it is added too", { l: [1] }, "SET l[50] = :v", { v: 9 }, { l: [1, 9] }],
    ["to an empty list", { l: [] }, "SET l[0] = :v", { v: 9 }, { l: [9] }],
    [
      "several beyond the end, by their indices",
      { l: [1] },
      "SET l[9] = :v, l[5] = :w",
      { v: 9, w: 5 },
      { l: [1, 5, 9] },
    ],
    [
      "positions are those before anything is removed",
      { l: [2, 3, 4, 5, 6, 7] },
      "REMOVE l[1] SET l[3] = :v",
      { v: 17 },
      { l: [2, 4, 17, 6, 7] },
    ],
    [
      "whichever section comes first",
      { l: [2, 3, 4, 5, 6, 7] },
      "SET l[3] = :v REMOVE l[1]",
      { v: 17 },
      { l: [2, 4, 17, 6, 7] },
    ],
    [
      "an element moves within its list",
      { l: ["a", "b", "c"] },
      "SET l[0] = l[2], l[2] = l[0], l[1] = :v",
      { v: "x" },
      { l: ["c", "x", "a"] },
    ],
  ])("%s", check);

  test("the largest index there is", async () => {
    const update = change("SET l[2147483647] = :v", { v: 2 });
    expect(await table.updated({ l: [1] }, update)).toEqual({ l: [1, 2] });
  });
});

describe("paths that lead nowhere", () => {
  const invalid = "The document path provided in the update expression is invalid for update";
  const before = { s: "text", m: { x: 1 }, l: [1, 2] };

  test.each([
    ["SET y.a = :v", "a member of what is not there"],
    ["SET y[0] = :v", "an element of what is not there"],
    ["SET s.a = :v", "a member of a string"],
    ["SET s[0] = :v", "an element of a string"],
    ["SET m[0] = :v", "an element of a map"],
    ["SET l.a = :v", "a member of a list"],
    ["SET m.y.z = :v", "below a member that is not there"],
    ["SET l[7].z = :v", "below an element that is not there"],
    ["ADD y.a :v", "ADD"],
    ["ADD m[0] :v", "ADD to an element of a map"],
    ["DELETE y.a :s", "DELETE"],
    ["DELETE l.a :s", "DELETE from a member of a list"],
    ["REMOVE s.a SET z = :v", "REMOVE of a member of a string"],
    ["REMOVE y[1] SET z = :v", "REMOVE of an element of what is not there"],
    ["REMOVE m.y.z SET z = :v", "REMOVE below a member that is not there"],
  ])("%s: %s", async (expression) => {
    const key = await table.put(before);
    const values = expression.includes(":s") ? { s: new Set(["a"]) } : { v: 1 };
    await validation(table.update(key, change(expression, values)), invalid);
    expect(await table.get(key)).toEqual({ ...before, ...key });
  });

  test.each(["SET b.a = :v", "SET b[0] = :v"])("%s where there is no item", async (expression) => {
    const key = table.freshKey();
    await validation(table.update(key, change(expression, { v: 1 })), invalid);
    expect(await table.get(key)).toBeUndefined();
  });
});
