import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { counted, get, invalid, nested, put, roundTrip, stored } from "./support.ts";

const server = useServer();
let TableName: string;

beforeAll(async () => {
  TableName = await createTable(server, { key: "pk:S" });
});

const bytes = (...values: number[]) => Uint8Array.from(values);

const everyType: Record<string, AttributeValue> = {
  S: { S: "text" },
  N: { N: "-12.5" },
  B: { B: bytes(0, 1, 254, 255) },
  BOOL: { BOOL: false },
  NULL: { NULL: true },
  SS: { SS: ["a", "b"] },
  NS: { NS: ["-1", "2.5", "10"] },
  BS: { BS: [bytes(0), bytes(0, 0), bytes(255)] },
  L: { L: [{ S: "a" }, { N: "1" }, { L: [] }] },
  M: { M: { a: { S: "a" }, b: { M: {} } } },
};

describe("comes back as it was sent", () => {
  test.each(Object.entries(everyType))("a value of type %s", async (_, value) => {
    expect(await roundTrip(server, TableName, value)).toEqual(value);
  });

  test("every type in a list", async () => {
    const value = { L: Object.values(everyType) };
    expect(await roundTrip(server, TableName, value)).toEqual(value);
  });

  test("every type in a map", async () => {
    const value = { M: everyType };
    expect(await roundTrip(server, TableName, value)).toEqual(value);
  });

  test.each<[string, AttributeValue]>([
    ["string", { S: "" }],
    ["binary", { B: bytes() }],
    ["list", { L: [] }],
    ["map", { M: {} }],
    ["string in a list", { L: [{ S: "" }] }],
    ["binary in a map", { M: { a: { B: bytes() } } }],
    ["string in a set", { SS: [""] }],
    ["string among others in a set", { SS: ["", "a"] }],
    ["binary in a set", { BS: [bytes()] }],
  ])("an empty %s", async (_, value) => {
    expect(await roundTrip(server, TableName, value)).toEqual(value);
  });

  test.each<[string, string]>([
    ["accents and combining marks", "é e\u0301 ñ"],
    ["characters beyond the basic plane", "😀𝒳🇨🇭"],
    ["control characters", "\u0000\u0001\t\n\r\u007f"],
    ["separators and a byte order mark", "\u2028\u2029\ufeff"],
    ["quotes and backslashes", '"\\/\b\f'],
    ["right-to-left text", "שלום مرحبا"],
    ["the last characters of the basic plane", "\ue000\uffff"],
  ])("text with %s", async (_, text) => {
    const Item = { pk: { S: `k${text}` }, v: { S: text }, m: { M: { [text]: { S: text } } } };
    await put(server, { TableName, Item });
    expect(await stored(server, TableName, { pk: Item.pk })).toEqual(Item);
  });

  test.each([
    "constructor",
    "toString",
    "hasOwnProperty",
    "a.b",
    "a b",
    "#a",
    ":a",
    "[0]",
    "é",
    "😀",
  ])("an attribute and a map key named %s", async (name) => {
    const pk = { S: "named" };
    const Item = { pk, [name]: { M: { [name]: { N: "1" } } } };
    await put(server, { TableName, Item });
    expect(await stored(server, TableName, { pk })).toEqual(Item);
  });

  test("an attribute and a map key named __proto__", async () => {
    const item =
      '{"pk":{"S":"proto"},"__proto__":{"S":"a"},"m":{"M":{"__proto__":{"M":{"x":{"N":"1"}}}}}}';
    await server.raw("PutItem", `{"TableName":"${TableName}","Item":${item}}`);
    const got = await server.raw("GetItem", { TableName, Key: { pk: { S: "proto" } } });
    expect(Object.keys(got.json.Item).sort()).toEqual(["__proto__", "m", "pk"]);
    expect(got.text).toContain('"__proto__":{"S":"a"}');
    expect(got.text).toContain('"__proto__":{"M":{"x":{"N":"1"}}}');
  });

  test("a projection finds the attribute named __proto__", async () => {
    await server.raw(
      "PutItem",
      `{"TableName":"${TableName}","Item":{"pk":{"S":"path"},"__proto__":{"S":"found"}}}`,
    );
    const got = await server.raw("GetItem", {
      TableName,
      Key: { pk: { S: "path" } },
      ProjectionExpression: "#p",
      ExpressionAttributeNames: { "#p": "__proto__" },
    });
    expect(got.text).toBe('{"Item":{"__proto__":{"S":"found"}}}');
  });

  test("an item without an attribute named like a member of Object has none", async () => {
    const pk = { S: "plain" };
    await put(server, { TableName, Item: { pk } });
    const got = await get(server, {
      TableName,
      Key: { pk },
      ProjectionExpression: "#a, #b",
      ExpressionAttributeNames: { "#a": "constructor", "#b": "__proto__" },
    });
    expect(got.Item).toEqual({});
  });
});

describe("sets come back in the service's order", () => {
  test.each<[string, AttributeValue, AttributeValue]>([
    ["strings", { SS: ["b", "a", "B", ""] }, { SS: ["", "B", "a", "b"] }],
    ["strings by UTF-8 bytes", { SS: ["😀", "\uffff", "é"] }, { SS: ["é", "\uffff", "😀"] }],
  ])("%s", async (_, sent, expected) => {
    expect(await roundTrip(server, TableName, sent)).toEqual(expected);
  });

  test("numbers by value", async () => {
    const sent = { NS: ["10", "9", "-1", "2.50", "1e3"] };
    expect(await roundTrip(server, TableName, sent)).toEqual({
      NS: ["-1", "2.5", "9", "10", "1000"],
    });
  });

  test("binaries by unsigned bytes", async () => {
    const sent = { BS: [bytes(255), bytes(1), bytes(0, 5), bytes()] };
    expect(await roundTrip(server, TableName, sent)).toEqual({
      BS: [bytes(), bytes(0, 5), bytes(1), bytes(255)],
    });
  });

  test("lists keep theirs", async () => {
    const value = { L: [{ S: "b" }, { S: "a" }, { S: "b" }] };
    expect(await roundTrip(server, TableName, value)).toEqual(value);
  });
});

describe("sets are equal whatever the order of their members", () => {
  test.each<[string, AttributeValue, AttributeValue]>([
    ["strings", { SS: ["a", "b"] }, { SS: ["b", "a"] }],
    ["numbers", { NS: ["1", "20"] }, { NS: ["2e1", "1.0"] }],
    ["binaries", { BS: [bytes(1), bytes(2)] }, { BS: [bytes(2), bytes(1)] }],
  ])("%s", async (_, one, other) => {
    const Item = { pk: { S: "equal" }, v: one };
    await put(server, { TableName, Item });
    await put(server, {
      TableName,
      Item,
      ConditionExpression: "v = :other",
      ExpressionAttributeValues: { ":other": other },
    });
  });
});

const tooDeep =
  "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
const emptyValue =
  "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
const twoTypes =
  "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";

/** A value as JSON on the wire, and why PutItem refuses it. */
const refused: readonly (readonly [string, object, string])[] = [
  ["an empty string set", { SS: [] }, `${invalid}An string set  may not be empty`],
  ["an empty number set", { NS: [] }, `${invalid}An number set  may not be empty`],
  ["an empty binary set", { BS: [] }, `${invalid}Binary sets should not be empty`],
  ["an empty set in a list", { L: [{ SS: [] }] }, `${invalid}An string set  may not be empty`],
  [
    "a string twice",
    { SS: ["a", "a"] },
    `${invalid}Input collection ["a", "a"] contains duplicates.`,
  ],
  [
    "a string twice, out of order",
    { SS: ["b", "a", "b"] },
    `${invalid}Input collection ["a", "b", "b"] contains duplicates.`,
  ],
  [
    "the empty string twice",
    { SS: ["", ""] },
    `${invalid}Input collection ["", ""] contains duplicates.`,
  ],
  [
    "a binary twice",
    { BS: ["/w==", "AA==", "AA=="] },
    `${invalid}Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.`,
  ],
  [
    "the empty binary twice",
    { BS: ["", ""] },
    `${invalid}Input collection ["",""]of type BS contains duplicates.`,
  ],
  ["a number twice", { NS: ["2", "1", "2"] }, `${invalid}Input collection contains duplicates.`],
  [
    "a number in two spellings",
    { NS: ["1", "1.0"] },
    `${invalid}Input collection contains duplicates.`,
  ],
  [
    "NULL false",
    { NULL: false },
    `${invalid}Null attribute value types must have the value of true`,
  ],
  [
    "NULL false in a map",
    { M: { a: { NULL: false } } },
    `${invalid}Null attribute value types must have the value of true`,
  ],
  ["no type", {}, emptyValue],
  ["no type in a list", { L: [{}] }, emptyValue],
  ["no type in a map", { M: { a: {} } }, emptyValue],
  ["a type that does not exist", { X: "a" }, emptyValue],
  ["two types", { S: "a", N: "1" }, twoTypes],
  ["two types in a list", { L: [{ S: "a", BOOL: true }] }, twoTypes],
  ["32 maps", nested(32), tooDeep],
  ["32 lists", nested(32, "L"), tooDeep],
];

test.each(refused)("PutItem refuses %s", async (_, value, message) => {
  const answer = await server.raw("PutItem", { TableName, Item: { pk: { S: "a" }, value } });
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual({
    __type: "com.amazon.coral.validate#ValidationException",
    message: counted + message,
  });
});

test.each(refused)("DeleteItem refuses a key that is %s", async (_, value, message) => {
  const answer = await server.raw("DeleteItem", { TableName, Key: { pk: value } });
  expect(answer.json.message).toBe(counted + message);
});

test.each(refused)(
  "GetItem refuses a key that is %s, without a count",
  async (_, value, message) => {
    const answer = await server.raw("GetItem", { TableName, Key: { pk: value } });
    expect(answer.json.message).toBe(message);
  },
);

describe("nesting", () => {
  test.each([
    [30, "M"],
    [31, "M"],
    [30, "L"],
    [31, "L"],
  ] as const)("a leaf in %i wrappers of type %s is stored", async (wrappers, kind) => {
    const value = nested(wrappers, kind);
    expect(await roundTrip(server, TableName, value)).toEqual(value);
  });
});

describe("members that the API does not know", () => {
  test("beside the type of a value are passed by", async () => {
    const pk = { S: "unknown" };
    const Item = { pk, v: { S: "a", Comment: "x" } };
    expect((await server.raw("PutItem", { TableName, Item })).status).toBe(200);
    expect(await stored(server, TableName, { pk })).toEqual({ pk, v: { S: "a" } });
  });

  test("of a request are passed by", async () => {
    const body = { TableName, Item: { pk: { S: "a" } }, Colour: "red", Nested: { a: [1] } };
    expect((await server.raw("PutItem", body)).status).toBe(200);
  });
});

describe("attribute names", () => {
  test("of 65,535 bytes are stored, one byte more is refused", async () => {
    const pk = { S: "long name" };
    for (const length of [65_534, 65_535]) {
      const Item = { pk, ["n".repeat(length)]: { S: "x" } };
      await put(server, { TableName, Item });
      expect(await stored(server, TableName, { pk })).toEqual(Item);
    }
    await validation(
      put(server, { TableName, Item: { pk, ["n".repeat(65_536)]: { S: "x" } } }),
      /./,
    );
  });

  test("are measured in bytes", async () => {
    const pk = { S: "wide name" };
    await put(server, { TableName, Item: { pk, ["€".repeat(21_845)]: { S: "x" } } });
    await validation(
      put(server, { TableName, Item: { pk, ["€".repeat(21_846)]: { S: "x" } } }),
      /./,
    );
  });
});

test.each([
  ["S", { S: 1 }],
  ["N", { N: 1 }],
  ["B", { B: 1 }],
  ["SS", { SS: "a" }],
  ["L", { L: {} }],
  ["M", { M: [] }],
])(
  "a value of type %s with content of another JSON type is a SerializationException",
  async (_, value) => {
    const answer = await server.raw("PutItem", { TableName, Item: { pk: { S: "a" }, value } });
    expect(answer.status).toBe(400);
    expect(answer.json.__type).toBe("com.amazon.coral.service#SerializationException");
  },
);
