import { expect, test } from "vitest";
import { ServiceError } from "./errors/service-error.ts";
import { batchGetItemShape } from "./requests/batch-get-item.ts";
import { batchWriteItemShape } from "./requests/batch-write-item.ts";
import { createTableShape } from "./requests/create-table.ts";
import { getItemShape } from "./requests/get-item.ts";
import { putItemShape } from "./requests/put-item.ts";
import { queryShape } from "./requests/query.ts";
import { scanShape } from "./requests/scan.ts";
import { transactWriteItemsShape } from "./requests/transact-write-items.ts";
import { updateItemShape } from "./requests/update-item.ts";
import { updateTableShape } from "./requests/update-table.ts";
import type { StructShape } from "./shape.ts";
import { checkTypes } from "./shape-types.ts";

function failure(shape: StructShape<unknown>, body: unknown): string {
  try {
    checkTypes(shape, body);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.type).toBe("SerializationException");
    return error.message;
  }
  return "accepted";
}

/** A body with the value at the path; `0` makes a list. */
function bodyWith(path: string, value: unknown): unknown {
  return path
    .split(".")
    .reduceRight<unknown>((inner, name) => (name === "0" ? [inner] : { [name]: inner }), value);
}

const dynamo = "com.amazonaws.dynamodb.v20120810.";
const structure = "Start of structure or map found where not expected";
const cast =
  "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class " +
  "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and " +
  "java.lang.Class are in module java.base of loader 'bootstrap')";

function everyScalar(text: string): [unknown, string][] {
  return ["23", true, 23, -2147483648, 34.56].map((value) => [value, text]);
}

function number(name: string): [unknown, string][] {
  return [
    ["23", `STRING_VALUE cannot be converted to ${name}`],
    [true, `TRUE_VALUE cannot be converted to ${name}`],
    [false, `FALSE_VALUE cannot be converted to ${name}`],
    [[], `Unrecognized collection type class java.lang.${name}`],
    [{}, structure],
    [7, "accepted"],
  ];
}

/** What is answered to a value of each JSON type, per expected type. */
const expectations = {
  string: [
    [true, "TRUE_VALUE cannot be converted to String"],
    [false, "FALSE_VALUE cannot be converted to String"],
    [23, "NUMBER_VALUE cannot be converted to String"],
    [2147483648, "NUMBER_VALUE cannot be converted to String"],
    [34.56, "DECIMAL_VALUE cannot be converted to String"],
    [[], "Unrecognized collection type class java.lang.String"],
    [{}, structure],
    ["", "accepted"],
  ],
  boolean: [
    ["23", "Unexpected token received from parser"],
    [23, "NUMBER_VALUE cannot be converted to Boolean"],
    [34.56, "DECIMAL_VALUE cannot be converted to Boolean"],
    [[], "Unrecognized collection type class java.lang.Boolean"],
    [{}, structure],
    [false, "accepted"],
    ["yes", "accepted"],
    ["False", "accepted"],
  ],
  integer: number("Integer"),
  long: number("Long"),
  blob: [
    [true, "only base-64-encoded strings are convertible to bytes"],
    [34.56, "only base-64-encoded strings are convertible to bytes"],
    [[], "Unrecognized collection type class java.nio.ByteBuffer"],
    [{}, structure],
    ["23456", "Base64 encoded length is expected a multiple of 4 bytes but found: 5"],
    ["=+/=", "Invalid last non-pad Base64 character dectected"],
    ["+/+=", "Invalid last non-pad Base64 character dectected"],
    ["AB==", "Invalid last non-pad Base64 character dectected"],
    ["A-_A", "Invalid last non-pad Base64 character dectected"],
    ["", "accepted"],
    ["/w==", "accepted"],
    ["AAE=", "accepted"],
  ],
  list: [...everyScalar("Unexpected field type"), [{}, structure], [[], "accepted"]],
  nestedList: [...everyScalar(cast), [{}, structure], [[], "accepted"]],
} satisfies Record<string, [unknown, string][]>;

function mapOf(element: string): [unknown, string][] {
  return [
    ...everyScalar("Unexpected field type"),
    [[], `Unrecognized collection type java.util.Map<java.lang.String, ${element}>`],
    [{}, "accepted"],
  ];
}

const nestedMap: [unknown, string][] = [
  ...everyScalar(cast),
  [[], `Unrecognized collection type java.util.Map<java.lang.String, ${dynamo}AttributeValue>`],
];

function member(className: string): [unknown, string][] {
  return [
    ...everyScalar("Unexpected field type"),
    [[], `Unrecognized collection type class ${dynamo}${className}`],
    [{}, "accepted"],
  ];
}

function element(className: string): [unknown, string][] {
  return [
    ...everyScalar("Unexpected value type in payload"),
    [[], `Unrecognized collection type class ${dynamo}${className}`],
    [{}, "accepted"],
  ];
}

function attributeValueAt(
  path: string,
  whole: [unknown, string][],
): [path: string, cases: [unknown, string][]][] {
  const { string, blob, boolean, list } = expectations;
  return [
    [path, whole],
    [`${path}.S`, string],
    [`${path}.N`, string],
    [`${path}.B`, blob],
    [`${path}.BOOL`, boolean],
    [`${path}.NULL`, boolean],
    [`${path}.SS`, list],
    [`${path}.SS.0`, string],
    [`${path}.NS`, list],
    [`${path}.NS.0`, string],
    [`${path}.BS`, list],
    [`${path}.BS.0`, blob],
    [`${path}.L`, list],
    [`${path}.L.0`, element("AttributeValue")],
    [`${path}.L.0.BS.0`, blob],
    [`${path}.M`, mapOf(`${dynamo}AttributeValue`)],
    [`${path}.M.a`, element("AttributeValue")],
    [`${path}.M.a.M.b.BOOL`, boolean],
  ];
}

const { string, boolean, integer, long, list, nestedList } = expectations;
const attributes = mapOf(`${dynamo}AttributeValue`);

const table: [string, StructShape<unknown>, [path: string, cases: [unknown, string][]][]][] = [
  [
    "PutItem",
    putItemShape,
    [
      ["TableName", string],
      ["ReturnValues", string],
      ["Item", attributes],
      ["Expected", mapOf(`${dynamo}ExpectedAttributeValue`)],
      ["Expected.a", element("ExpectedAttributeValue")],
      ["Expected.a.Exists", boolean],
      ["Expected.a.AttributeValueList", list],
      ["ExpressionAttributeNames", mapOf("java.lang.String")],
      ["ExpressionAttributeNames.a", string],
      ...attributeValueAt("Item.a", element("AttributeValue")),
      ...attributeValueAt("Expected.a.Value", member("AttributeValue")),
      ...attributeValueAt("Expected.a.AttributeValueList.0", element("AttributeValue")),
    ],
  ],
  [
    "GetItem",
    getItemShape,
    [
      ["AttributesToGet", list],
      ["AttributesToGet.0", string],
      ["ConsistentRead", boolean],
    ],
  ],
  [
    "UpdateItem",
    updateItemShape,
    [
      ["AttributeUpdates", mapOf(`${dynamo}AttributeValueUpdate`)],
      ["AttributeUpdates.a", element("AttributeValueUpdate")],
      ["AttributeUpdates.a.Value", member("AttributeValue")],
      ["AttributeUpdates.a.Action", string],
    ],
  ],
  [
    "Query",
    queryShape,
    [
      ["Limit", integer],
      ["KeyConditions", mapOf(`${dynamo}Condition`)],
      ["KeyConditions.a", element("Condition")],
      ["ScanIndexForward", boolean],
      ["ExclusiveStartKey", attributes],
    ],
  ],
  ["Scan", scanShape, [["TotalSegments", integer]]],
  [
    "BatchGetItem",
    batchGetItemShape,
    [
      ["RequestItems", mapOf(`${dynamo}KeysAndAttributes`)],
      ["RequestItems.a", element("KeysAndAttributes")],
      ["RequestItems.a.Keys", list],
      ["RequestItems.a.Keys.0", nestedMap],
      ["RequestItems.a.Keys.0.a", element("AttributeValue")],
    ],
  ],
  [
    "BatchWriteItem",
    batchWriteItemShape,
    [
      ["RequestItems", mapOf(`java.util.List<${dynamo}WriteRequest>`)],
      ["RequestItems.a", nestedList],
      ["RequestItems.a.0", element("WriteRequest")],
      ["RequestItems.a.0.PutRequest", member("PutRequest")],
      ["RequestItems.a.0.PutRequest.Item", attributes],
    ],
  ],
  [
    "TransactWriteItems",
    transactWriteItemsShape,
    [
      ["TransactItems.0", element("TransactWriteItem")],
      ["TransactItems.0.Put", member("Put")],
    ],
  ],
  [
    "CreateTable",
    createTableShape,
    [
      ["AttributeDefinitions", list],
      ["AttributeDefinitions.0", element("AttributeDefinition")],
      ["ProvisionedThroughput", member("ProvisionedThroughput")],
      ["ProvisionedThroughput.ReadCapacityUnits", long],
      ["KeySchema.0.KeyType", string],
      ["LocalSecondaryIndexes.0.Projection", member("Projection")],
      ["GlobalSecondaryIndexes.0.Projection.NonKeyAttributes", list],
      ["StreamSpecification.StreamEnabled", boolean],
    ],
  ],
  [
    "UpdateTable",
    updateTableShape,
    [
      ["GlobalSecondaryIndexUpdates.0.Create", member("CreateGlobalSecondaryIndexAction")],
      ["GlobalSecondaryIndexUpdates.0.Update.ProvisionedThroughput.WriteCapacityUnits", long],
    ],
  ],
];

for (const [operation, shape, members] of table) {
  test.each(members)(`${operation}: %s`, (path, cases) => {
    for (const [value, text] of cases) {
      expect([value, failure(shape, bodyWith(path, value))]).toStrictEqual([value, text]);
    }
  });
}

test.each<[string, unknown, unknown]>([
  ["null is absent", { TableName: null, Item: { a: { S: "a" } } }, { Item: { a: { S: "a" } } }],
  ["an empty body", null, {}],
  ["unknown members go", { Whatever: 1, TableName: "a" }, { TableName: "a" }],
  ["null for a value is an empty value", { Item: { a: null } }, { Item: { a: {} } }],
  [
    "also nested",
    { Item: { a: { L: [null], M: { b: null } } } },
    { Item: { a: { L: [{}], M: { b: {} } } } },
  ],
  [
    "null and unknown types of a value",
    { Item: { a: { S: null, N: "1", X: 2 } } },
    { Item: { a: { N: "1" } } },
  ],
  [
    "spelt booleans",
    { Item: { a: { BOOL: "YES" }, b: { NULL: "0" } } },
    { Item: { a: { BOOL: true }, b: { NULL: false } } },
  ],
])("%s", (_name, body, checked) => {
  expect(checkTypes(putItemShape, body)).toStrictEqual(checked);
});

test("fractions of integers are cut off", () => {
  expect(checkTypes(queryShape, { Limit: 2.9 })).toStrictEqual({ Limit: 2 });
  expect(checkTypes(scanShape, { Segment: -1.5 })).toStrictEqual({ Segment: -1 });
});

test("integers beyond all doubles are the largest and the smallest", () => {
  const body: unknown = JSON.parse('{"Limit":1e400}');
  expect(checkTypes(queryShape, body)).toStrictEqual({ Limit: Number.MAX_SAFE_INTEGER });
  const negative: unknown = JSON.parse('{"Segment":-1e400}');
  expect(checkTypes(scanShape, negative)).toStrictEqual({ Segment: Number.MIN_SAFE_INTEGER });
});

test("names like __proto__ are names like others", () => {
  const body: unknown = JSON.parse('{"Item":{"__proto__":{"S":1}},"constructor":1}');
  expect(failure(putItemShape, body)).toBe("NUMBER_VALUE cannot be converted to String");
  const absent: unknown = JSON.parse('{"Item":{"__proto__":null}}');
  checkTypes(putItemShape, absent);
  expect(JSON.stringify(absent)).toBe('{"Item":{"__proto__":{}}}');
});

test("members that the shape does not name reach nobody", () => {
  const values = { ":v": { BS: [{ N: "1" }] } };
  const get: unknown = JSON.parse('{"TableName":"t","__proto__":{"Key":1},"constructor":1}');
  Object.assign(get as object, { ExpressionAttributeValues: values });
  expect(checkTypes(getItemShape, get)).toStrictEqual({ TableName: "t" });
  expect(
    checkTypes(transactWriteItemsShape, { TransactItems: [{ Put: { TableName: "t", Key: 1 } }] }),
  ).toStrictEqual({ TransactItems: [{ Put: { TableName: "t" } }] });
});

test("the first failure in the order of the body is reported", () => {
  expect(failure(putItemShape, { Item: 1, TableName: 1 })).toBe("Unexpected field type");
  expect(failure(putItemShape, { TableName: 1, Item: 1 })).toBe(
    "NUMBER_VALUE cannot be converted to String",
  );
});

test.each(["M", "L"])("a hundred thousand levels of %s do not use up the stack", (type) => {
  let value: unknown = { S: 1 };
  for (let level = 0; level < 100_000; level++) {
    value = type === "M" ? { M: { a: value } } : { L: [value] };
  }
  expect(failure(putItemShape, { Item: { a: value } })).toBe("accepted");
});

test("a type error at 32 levels is seen", () => {
  let value: unknown = { S: 1 };
  for (let level = 0; level < 32; level++) value = { M: { a: value } };
  expect(failure(putItemShape, { Item: { a: value } })).toContain("cannot be converted");
});
