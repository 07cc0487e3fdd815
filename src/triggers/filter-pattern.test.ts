import { describe, expect, test } from "vitest";
import { filterMatches, parseFilter, uselessNumericPlaces } from "./filter-pattern.ts";
import { TriggerOptionsError } from "./options-error.ts";

const record = {
  eventID: "1",
  eventName: "MODIFY",
  eventVersion: "1.1",
  eventSource: "aws:dynamodb",
  awsRegion: "us-east-1",
  dynamodb: {
    ApproximateCreationDateTime: 1_700_000_000,
    Keys: { pk: { S: "CUSTOMER#1" }, sk: { N: "42" } },
    NewImage: {
      pk: { S: "CUSTOMER#1" },
      sk: { N: "42" },
      name: { S: "Ada" },
      empty: { S: "" },
      active: { BOOL: true },
      gone: { NULL: true },
      tags: { SS: ["red", "green"] },
      list: { L: [{ S: "a" }, { M: { x: { S: "1" }, y: { S: "2" } } }, { M: { x: { S: "3" } } }] },
      nothing: { L: [] },
      nested: { M: { deep: { M: { leaf: { S: "yes" } } } } },
      __proto__x: { S: "hostile" },
    },
    OldImage: { name: { S: "Bob" } },
    SequenceNumber: "100",
    SizeBytes: 300,
    StreamViewType: "NEW_AND_OLD_IMAGES",
  },
  eventSourceARN: "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/2026",
};

const image = (rules: unknown) => ({ dynamodb: { NewImage: rules } });

describe("a filter matches", () => {
  test.each<[string, unknown]>([
    ["a value", { eventName: ["MODIFY"] }],
    ["any value of a list", { eventName: ["INSERT", "MODIFY"] }],
    ["all names", { eventName: ["MODIFY"], awsRegion: ["us-east-1"] }],
    ["deep names", image({ name: { S: ["Ada"] } })],
    ["key values", { dynamodb: { Keys: { pk: { S: [{ prefix: "CUSTOMER#" }] } } } }],
    ["numbers of items as strings", { dynamodb: { Keys: { sk: { N: ["42"] } } } }],
    ["an empty string", image({ empty: { S: [""] } })],
    ["a boolean", image({ active: { BOOL: [true] } })],
    ["a prefix", image({ name: { S: [{ prefix: "A" }] } })],
    ["the empty prefix", image({ name: { S: [{ prefix: "" }] } })],
    ["a suffix", image({ name: { S: [{ suffix: "da" }] } })],
    ["without regard to case", image({ name: { S: [{ "equals-ignore-case": "aDA" }] } })],
    ["anything but a value", image({ name: { S: [{ "anything-but": "Bob" }] } })],
    ["anything but values", image({ name: { S: [{ "anything-but": ["Bob", "Eve"] }] } })],
    ["a string where numbers are excluded", image({ name: { S: [{ "anything-but": [1, 2] }] } })],
    ["a number", { dynamodb: { SizeBytes: [300] } }],
    ["a numeric equality", { dynamodb: { SizeBytes: [{ numeric: ["=", 300] }] } }],
    ["a numeric bound", { dynamodb: { SizeBytes: [{ numeric: [">=", 300] }] } }],
    ["a numeric range", { dynamodb: { SizeBytes: [{ numeric: [">", 299, "<=", 300] }] } }],
    ["a leaf that exists", image({ name: { S: [{ exists: true }] } })],
    ["a leaf that does not exist", image({ name: { N: [{ exists: false }] } })],
    ["a leaf below what does not exist", image({ other: { S: [{ exists: false }] } })],
    ["what is no leaf as missing", image({ name: [{ exists: false }] })],
    ["an element of a set", image({ tags: { SS: ["green"] } })],
    ["an element of a list", image({ list: { L: { S: ["a"] } } })],
    [
      "one element in all names",
      image({ list: { L: { M: { x: { S: ["1"] }, y: { S: ["2"] } } } } }),
    ],
    ["nothing in an empty list", image({ nothing: { L: { S: [{ exists: false }] } } })],
    ["nested maps", image({ nested: { M: { deep: { M: { leaf: { S: ["yes"] } } } } } })],
    ["one of two objects", { $or: [{ eventName: ["INSERT"] }, { awsRegion: ["us-east-1"] }] }],
    ["an inner $or", image({ $or: [{ name: { S: ["Eve"] } }, { active: { BOOL: [true] } }] })],
    ["$or besides names", { eventName: ["MODIFY"], $or: [{ eventID: ["1"] }, { eventID: ["2"] }] }],
    ["either rule of a mixed list", image({ name: { S: [{ prefix: "Z" }, "Ada"] } })],
    [
      "both images",
      { dynamodb: { NewImage: { name: { S: ["Ada"] } }, OldImage: { name: { S: ["Bob"] } } } },
    ],
  ])("%s", (_, pattern) => {
    expect(filterMatches(parseFilter(pattern), record)).toBe(true);
    expect(filterMatches(parseFilter(JSON.stringify(pattern)), record)).toBe(true);
  });
});

describe("a filter does not match", () => {
  test.each<[string, unknown]>([
    ["another value", { eventName: ["INSERT"] }],
    ["when one name fails", { eventName: ["MODIFY"], awsRegion: ["eu-west-1"] }],
    ["another case", { eventName: ["modify"] }],
    ["a part of a value", { eventName: ["MOD"] }],
    ["a missing name", { eventColour: ["red"] }],
    ["an item's number as a number", { dynamodb: { Keys: { sk: { N: [42] } } } }],
    [
      "numeric of an item's number",
      { dynamodb: { Keys: { sk: { N: [{ numeric: ["=", 42] }] } } } },
    ],
    ["a number as a string", { dynamodb: { SizeBytes: ["300"] } }],
    ["numeric beyond the bound", { dynamodb: { SizeBytes: [{ numeric: [">", 300] }] } }],
    ["numeric out of the range", { dynamodb: { SizeBytes: [{ numeric: [">=", 0, "<", 300] }] } }],
    ["a wrong prefix", image({ name: { S: [{ prefix: "a" }] } })],
    ["a wrong suffix", image({ name: { S: [{ suffix: "A" }] } })],
    ["a prefix of a number", { dynamodb: { SizeBytes: [{ prefix: "3" }] } }],
    ["what is excluded", image({ name: { S: [{ "anything-but": ["Bob", "Ada"] }] } })],
    ["anything but, of what is missing", image({ other: { S: [{ "anything-but": "x" }] } })],
    ["a missing leaf that shall exist", image({ other: { S: [{ exists: true }] } })],
    ["what is no leaf as existing", image({ name: [{ exists: true }] })],
    ["an existing leaf that shall not", image({ name: { S: [{ exists: false }] } })],
    ["null for an empty string", image({ empty: { S: [null] } })],
    ["a boolean as a string", image({ active: { BOOL: ["true"] } })],
    [
      "names of different elements",
      image({ list: { L: { M: { x: { S: ["3"] }, y: { S: ["2"] } } } } }),
    ],
    ["an element that is not there", image({ tags: { SS: ["blue"] } })],
    ["neither of two objects", { $or: [{ eventName: ["INSERT"] }, { eventName: ["REMOVE"] }] }],
    [
      "$or when a name besides it fails",
      { eventName: ["INSERT"], $or: [{ eventID: ["1"] }, { eventID: ["2"] }] },
    ],
    ["inherited names", { toString: [{ exists: true }] }],
    ["a $or that is a name", { $or: ["x"] }],
    ["a $or of rules, which is a name", { $or: [{ prefix: "x" }, { suffix: "y" }] }],
    ["deeper than there is", { eventName: { x: ["MODIFY"] } }],
  ])("%s", (_, pattern) => {
    expect(filterMatches(parseFilter(pattern), record)).toBe(false);
  });
});

test("null equals null and nothing else", () => {
  const pattern = parseFilter({ value: [null] });
  expect(filterMatches(pattern, { value: null })).toBe(true);
  expect(filterMatches(pattern, { value: "null" })).toBe(false);
  expect(filterMatches(pattern, {})).toBe(false);
});

test.each<[unknown, string]>([
  ["{", "a filter is not JSON: {"],
  ["[]", 'a filter is an object such as {"eventName": ["INSERT"]}'],
  [{}, "a filter is empty at its top"],
  [{ dynamodb: {} }, "a filter is empty at dynamodb"],
  [{ eventName: "INSERT" }, 'wrong at eventName: rules stand in a list, such as ["INSERT"]'],
  [{ eventName: [] }, "wrong at eventName: the list of rules is empty"],
  [{ a: { b: [["x"]] } }, "wrong at a.b: a rule is a value or an object"],
  [{ a: [{}] }, "wrong at a: a rule has one comparison"],
  [{ a: [{ prefix: "x", suffix: "y" }] }, "wrong at a: a rule has one comparison"],
  [{ a: [{ prefix: 1 }] }, "wrong at a: 'prefix' takes a string"],
  [{ a: [{ "equals-ignore-case": ["x"] }] }, "'equals-ignore-case' takes a string"],
  [{ a: [{ exists: "yes" }] }, "'exists' takes true or false"],
  [{ a: [{ "anything-but": [] }] }, "'anything-but' takes strings or numbers"],
  [{ a: [{ "anything-but": ["x", 1] }] }, "'anything-but' takes strings or numbers"],
  [{ a: [{ "anything-but": { prefix: "x" } }] }, "'anything-but' takes strings or numbers"],
  [{ a: [{ numeric: [">"] }] }, "'numeric' takes a list such as"],
  [{ a: [{ numeric: ["!=", 1] }] }, "'numeric' takes a list such as"],
  [{ a: [{ numeric: [">", "1"] }] }, "'numeric' takes a list such as"],
  [{ a: [{ numeric: ["<", 5, ">", 0] }] }, "'numeric' takes a list such as"],
  [{ a: [{ numeric: [">", 5, "<", 5] }] }, "'numeric' takes a list such as"],
  [{ a: [{ wildcard: "*" }] }, "wrong at a: Lambda's filters do not have 'wildcard'"],
  [{ a: [{ cidr: "10.0.0.0/8" }] }, "wrong at a: Lambda's filters do not have 'cidr'"],
  [{ a: [{ like: "x" }] }, "wrong at a: there is no comparison 'like'"],
  [{ $or: [{ a: ["x"] }, { b: "y" }] }, "wrong at $or[1].b: rules stand in a list"],
  [{ a: ["x".repeat(4_096)] }, "a filter has 4106 characters; Lambda takes up to 4096"],
])("%j is refused", (pattern, message) => {
  expect(() => parseFilter(pattern)).toThrow(TriggerOptionsError);
  expect(() => parseFilter(pattern)).toThrow(message);
});

test("a pattern of just as many characters as allowed is taken", () => {
  const frame = JSON.stringify({ a: [""] }).length;
  expect(() => parseFilter({ a: ["x".repeat(4_096 - frame)] })).not.toThrow();
  expect(() => parseFilter({ a: ["x".repeat(4_097 - frame)] })).toThrow("4097 characters");
});

test("numeric rules for attributes are found, those for record fields are not", () => {
  const numeric = [{ numeric: [">", 1] }];
  const pattern = parseFilter({
    dynamodb: { NewImage: { a: { N: numeric }, b: { N: ["1"] } }, SizeBytes: numeric },
    $or: [{ dynamodb: { OldImage: { c: { N: numeric } } } }, { eventName: ["INSERT"] }],
  });
  expect(uselessNumericPlaces(pattern).toSorted()).toEqual([
    "dynamodb.NewImage.a.N",
    "dynamodb.OldImage.c.N",
  ]);
});
