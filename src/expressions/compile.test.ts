import { expect, test } from "vitest";
import { checkExpressionParameters, compileExpressions, type ExpressionTexts } from "./compile.ts";
import { messageOf } from "./plain-values.test-support.ts";

test("placeholders, expressions and their checks come in the service's order", () => {
  const v = { ":v": { S: "x" } };
  const cases: readonly (readonly [ExpressionTexts, string | undefined])[] = [
    [{ condition: "", names: {}, values: {} }, "ExpressionAttributeNames must not be empty"],
    [
      { condition: "", names: { a: "a" }, values: {} },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"',
    ],
    [
      { condition: "", names: { "#": "a" } },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "#"',
    ],
    [
      { condition: "", names: { "#a-b": "a" } },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"',
    ],
    [
      { condition: "", names: { "#environment.item": "a" } },
      'ExpressionAttributeNames contains invalid key: Syntax error; key: "#environment.item"',
    ],
    [
      { condition: "", names: { "#a": "" } },
      "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a",
    ],
    [
      { condition: "", names: { [`#${"a".repeat(255)}`]: "a" } },
      "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256",
    ],
    [{ condition: "", values: {} }, "ExpressionAttributeValues must not be empty"],
    [
      { condition: "", values: { a: { S: "b" } } },
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "a"',
    ],
    [
      { condition: "", values: { ":n": { N: "b" }, b: { S: "b" } } },
      'ExpressionAttributeValues contains invalid key: Syntax error; key: "b"',
    ],
    [
      { condition: "", values: { [`:${"a".repeat(255)}`]: { S: "a" } } },
      "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;",
    ],
    [
      { condition: "", values: { ":b": { N: "b" } } },
      "The parameter cannot be converted to a numeric value: b",
    ],
    [
      { condition: "", values: { ":b": { N: "b" } }, layer: "older" },
      "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: b for key :b",
    ],
    [
      { update: "", condition: "", names: { "#a": "a" }, values: v },
      "Invalid UpdateExpression: The expression can not be empty;",
    ],
    [
      { update: "SET a = :v", condition: "", values: v },
      "Invalid ConditionExpression: The expression can not be empty;",
    ],
    [
      { keyCondition: "", filter: "", projection: "" },
      "Invalid KeyConditionExpression: The expression can not be empty;",
    ],
    // What a key condition may not say comes after everything else.
    [
      { keyCondition: "attribute_exists(a)", filter: "", projection: "" },
      "Invalid FilterExpression: The expression can not be empty;",
    ],
    [
      { keyCondition: "attribute_exists(a)", filter: "a > b", projection: "" },
      "Invalid ProjectionExpression: The expression can not be empty;",
    ],
    [
      { keyCondition: "attribute_exists(a)", values: v },
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
    ],
    [
      { keyCondition: "attribute_exists(a)" },
      "Invalid operator used in KeyConditionExpression: attribute_exists",
    ],
    [
      { condition: "a = :v", names: { "#a": "a" }, values: { ...v, ":w": { S: "x" } } },
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}",
    ],
    [
      {
        condition: "a = :v",
        values: { ":z": { S: "x" }, ...v, ":b": { S: "x" }, ":a": { S: "x" } },
      },
      "Value provided in ExpressionAttributeValues unused in expressions: keys: {:z, :a, :b}",
    ],
    [
      { condition: "a = :gone", names: { "#a": "a" } },
      "Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :gone",
    ],
    // One use in any expression is enough.
    [
      {
        update: "SET #a = :v",
        condition: "#b = :w",
        names: { "#a": "a", "#b": "b" },
        values: { ...v, ":w": { N: "1" } },
      },
      undefined,
    ],
    [{ projection: "#a", names: { "#a": "__proto__" } }, undefined],
    [{}, undefined],
  ];
  for (const [texts, message] of cases) {
    expect(
      messageOf(() => compileExpressions(texts)),
      JSON.stringify(texts),
    ).toBe(message);
  }
});

test("the trees", () => {
  const compiled = compileExpressions({
    update: "REMOVE x",
    condition: "attribute_exists(#a)",
    keyCondition: "pk = :v",
    filter: "c < :n",
    projection: "#a.d",
    names: { "#a": "a" },
    values: { ":v": { S: "x" }, ":n": { N: "01.50" } },
  });
  const path = (...steps: string[]) => ({ kind: "path", steps });
  expect(compiled).toEqual({
    update: { kind: "update", actions: [{ kind: "remove", path: path("x") }] },
    condition: { kind: "attribute_exists", path: path("a") },
    keyCondition: {
      kind: "key-condition",
      comparisons: [{ attribute: "pk", is: { op: "=", value: { S: "x" } } }],
    },
    filter: {
      kind: "compare",
      op: "<",
      left: path("c"),
      right: { kind: "value", value: { N: "1.5" }, placeholder: ":n" },
    },
    projection: { kind: "projection", paths: [path("a", "d")] },
  });
});

test("parameters that do not go together", () => {
  const mixed = (others: string, expressions: string) =>
    `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${others}} Expression parameters: {${expressions}}`;
  const names = "ExpressionAttributeNames can only be specified when using expressions";
  const values = "ExpressionAttributeValues can only be specified when using expressions";
  const cases: readonly (readonly [
    Parameters<typeof checkExpressionParameters>[0],
    object,
    "current" | "older",
    string | undefined,
  ])[] = [
    [
      "PutItem",
      { Expected: {}, ConditionExpression: "" },
      "current",
      mixed("Expected", "ConditionExpression"),
    ],
    [
      "UpdateItem",
      { Expected: {}, AttributeUpdates: {}, ConditionExpression: "", UpdateExpression: "" },
      "current",
      mixed("AttributeUpdates, Expected", "UpdateExpression, ConditionExpression"),
    ],
    [
      "Query",
      {
        KeyConditions: {},
        ConditionalOperator: "AND",
        QueryFilter: {},
        AttributesToGet: [],
        KeyConditionExpression: "",
        FilterExpression: "",
        ProjectionExpression: "",
      },
      "current",
      mixed(
        "AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions",
        "ProjectionExpression, FilterExpression, KeyConditionExpression",
      ),
    ],
    ["Query", { KeyConditions: {}, FilterExpression: "a" }, "current", undefined],
    [
      "Query",
      { KeyConditions: {}, QueryFilter: {}, FilterExpression: "a" },
      "current",
      mixed("QueryFilter", "FilterExpression"),
    ],
    [
      "Scan",
      { ScanFilter: {}, ProjectionExpression: "a" },
      "older",
      mixed("ScanFilter", "ProjectionExpression"),
    ],
    [
      "BatchGetItem",
      { AttributesToGet: [], ProjectionExpression: "a" },
      "current",
      mixed("AttributesToGet", "ProjectionExpression"),
    ],
    ["GetItem", { ExpressionAttributeNames: {} }, "current", names],
    ["DeleteItem", { Expected: {}, ExpressionAttributeNames: {} }, "current", names],
    ["PutItem", { ExpressionAttributeValues: {} }, "current", values],
    [
      "PutItem",
      { ExpressionAttributeValues: {} },
      "older",
      `${values}: ConditionExpression is null`,
    ],
    [
      "UpdateItem",
      { ExpressionAttributeValues: {} },
      "older",
      `${values}: UpdateExpression and ConditionExpression are null`,
    ],
    [
      "Query",
      { ProjectionExpression: "a", ExpressionAttributeValues: {} },
      "older",
      `${values}: FilterExpression and KeyConditionExpression are null`,
    ],
    [
      "Scan",
      { ProjectionExpression: "a", ExpressionAttributeNames: {}, ExpressionAttributeValues: {} },
      "older",
      `${values}: FilterExpression is null`,
    ],
    ["Scan", { FilterExpression: null, ExpressionAttributeNames: {} }, "older", names],
    ["Scan", { FilterExpression: "a", ExpressionAttributeValues: {} }, "older", undefined],
    ["PutItem", { Expected: {} }, "current", undefined],
  ];
  for (const [operation, request, layer, message] of cases) {
    expect(
      messageOf(() => checkExpressionParameters(operation, request, layer)),
      JSON.stringify(request),
    ).toBe(message);
  }
});

const oversized = "Expression size has exceeded the maximum allowed size;";

test("each expression has at most 4,096 bytes; some are told how many they have", () => {
  const condition = (bytes: number) => "attribute_exists(a)".padEnd(bytes, " ");
  const cases: readonly (readonly [ExpressionTexts, string | undefined])[] = [
    [{ condition: condition(4_096) }, undefined],
    [{ condition: condition(4_097) }, `Invalid ConditionExpression: ${oversized}`],
    [
      { condition: condition(4_097), sizeShown: true },
      `Invalid ConditionExpression: ${oversized} expression size: 4097`,
    ],
    [
      { filter: `a = ${"ü".repeat(2_047)}`, sizeShown: true },
      `Invalid FilterExpression: ${oversized} expression size: 4098`,
    ],
    [{ keyCondition: condition(4_097) }, `Invalid KeyConditionExpression: ${oversized}`],
    [{ update: "REMOVE a".padEnd(4_096, " ") }, undefined],
    [
      { update: "REMOVE a".padEnd(4_097, " "), sizeShown: true },
      `Invalid UpdateExpression: ${oversized}`,
    ],
    [{ projection: "a".padEnd(4_096, " ") }, undefined],
    [{ projection: "a".padEnd(4_097, " ") }, `Invalid ProjectionExpression: ${oversized}`],
    [
      { update: "REMOVE =", condition: condition(4_097) },
      'Invalid UpdateExpression: Syntax error; token: "=", near: "REMOVE ="',
    ],
  ];
  for (const [texts, message] of cases) {
    expect(messageOf(() => compileExpressions(texts))).toBe(message);
  }
});

test("names and values have 2 MB, each and together", () => {
  const megabyte = 1_024 * 1_024;
  // "#a00" and "a": five bytes beside the padding.
  const names = (bytes: number) => {
    const record: Record<string, string> = {};
    let rest = bytes;
    for (let at = 10; rest > 0; at++) {
      const size = Math.min(rest, 60_000);
      record[`#a${at}`] = "a".repeat(size - 4);
      rest -= size;
    }
    return record;
  };
  const values = (bytes: number) => ({ ":v": { S: "a".repeat(bytes - 2) } });
  const uses = (record: object) =>
    Object.keys(record)
      .map((name) => `attribute_exists(${name})`)
      .join(" AND ");
  const check = (nameBytes: number, valueBytes: number, message: string | undefined) => {
    const given = nameBytes === 0 ? undefined : names(nameBytes);
    const condition = [given === undefined ? "attribute_exists(a)" : uses(given), "b = :v"];
    const texts = { condition: condition.join(" AND "), names: given, values: values(valueBytes) };
    expect(
      messageOf(() => compileExpressions(texts)),
      `${nameBytes} ${valueBytes}`,
    ).toBe(message);
  };
  check(0, 2 * megabyte, undefined);
  check(0, 2 * megabyte + 1, "ExpressionAttributeValues exceeds max size");
  check(2 * megabyte - 10, 10, undefined);
  check(2 * megabyte + 1, 10, "ExpressionAttributeNames exceeds max size");
  check(
    2 * megabyte - 10,
    11,
    "Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size",
  );
});
