import { expect, test } from "vitest";
import type { ValueLayer } from "./errors/value.ts";
import { checkExpressionValues, checkItem, checkValue } from "./values.ts";

const invalid = "One or more parameter values were invalid: ";
const notNumeric = "The parameter cannot be converted to a numeric value";
const empty =
  "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
const several =
  "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
const overflow =
  "Number overflow. Attempting to store a number with magnitude larger than supported range";
const underflow =
  "Number underflow. Attempting to store a number with magnitude smaller than supported range";
const tooDeep =
  "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";

function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ type: "ValidationException", status: 400 });
    return (error as Error).message;
  }
  return "accepted";
}

const canonical: readonly object[] = [
  { S: "" },
  { S: "é😀" },
  { N: "-12.5" },
  { B: "" },
  { B: "AA==" },
  { BOOL: false },
  { NULL: true },
  { SS: ["", "a", "b"] },
  { NS: ["-1", "2", "10"] },
  { BS: ["", "AA==", "/w=="] },
  { L: [] },
  { M: {} },
  { L: [{ S: "a" }, { M: { a: { NS: ["1"] } } }] },
];

test.each(canonical)("%j is canonical and comes back as it is", (value) => {
  const copy = structuredClone(value);
  expect(checkValue(value, "current")).toBe(value);
  expect(value).toEqual(copy);
});

test.each([
  [{ N: "1e3" }, { N: "1000" }],
  [{ N: "+01.50" }, { N: "1.5" }],
  [{ NS: ["10", "2e0", "-0"] }, { NS: ["0", "2", "10"] }],
  [{ SS: ["b", "\uffff", "😀", "a"] }, { SS: ["a", "b", "\uffff", "😀"] }],
  [{ BS: ["/w==", "AQ==", "AA=="] }, { BS: ["AA==", "AQ==", "/w=="] }],
  [{ S: "a\ud800" }, { S: "a\ufffd" }],
  [{ SS: ["\ud800"] }, { SS: ["\ufffd"] }],
  [
    { L: [{ N: "00" }, { M: { a: { N: "1E1" } } }] },
    { L: [{ N: "0" }, { M: { a: { N: "10" } } }] },
  ],
])("%j becomes %j", (sent, expected) => {
  expect(checkValue(sent, "current")).toEqual(expected);
});

/** A value, the text of the current layer, and that of the older one where it differs. */
const refused: readonly (readonly [value: object, current: string, older?: string])[] = [
  [{}, empty],
  [{ L: [{}] }, empty],
  [{ M: { a: {} } }, empty],
  [{ S: "a", N: "1" }, several],
  [{ M: { a: { S: "a", BOOL: true } } }, several],
  [{ NULL: false }, `${invalid}Null attribute value types must have the value of true`],
  [{ SS: [] }, `${invalid}An string set  may not be empty`],
  [{ NS: [] }, `${invalid}An number set  may not be empty`],
  [{ BS: [] }, `${invalid}Binary sets should not be empty`],
  [{ N: "" }, `${notNumeric}: `, notNumeric],
  [{ S: "", N: "" }, `${notNumeric}: `, notNumeric],
  [{ N: "b", S: "a" }, `${notNumeric}: b`],
  [{ N: " 1" }, `${notNumeric}:  1`],
  [{ NS: ["1", "b"] }, `${notNumeric}: b`],
  [{ NS: [""] }, `${notNumeric}: `, notNumeric],
  [{ NS: ["1", "1", "b"] }, `${notNumeric}: b`],
  [{ N: "1".repeat(39) }, "Attempting to store more than 38 significant digits in a Number"],
  [{ N: "1e126" }, overflow],
  [{ N: "0e126" }, overflow],
  [{ N: "-1e-131" }, underflow],
  [
    { SS: ["b", "a", "b"] },
    `${invalid}Input collection ["a", "b", "b"] contains duplicates.`,
    `${invalid}Input collection [b, a, b] contains duplicates.`,
  ],
  [
    { SS: ["d", "c", "d", "b", "a"] },
    `${invalid}Input collection ["c", "d", "d", "b", "a"] contains duplicates.`,
    `${invalid}Input collection [d, c, d, b, a] contains duplicates.`,
  ],
  [
    { SS: ["", ""] },
    `${invalid}Input collection ["", ""] contains duplicates.`,
    `${invalid}Input collection [, ] contains duplicates.`,
  ],
  [
    { BS: ["/w==", "AA==", "AA=="] },
    `${invalid}Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.`,
    `${invalid}Input collection [/w==, AA==, AA==]of type BS contains duplicates.`,
  ],
  [
    { NS: ["2", "1", "2.0"] },
    `${invalid}Input collection contains duplicates.`,
    "Input collection contains duplicates",
  ],
];

const refusals = refused.map(([value, current, older = current]) => ({ value, current, older }));

test.each(refusals)("$value is refused", ({ value, current, older }) => {
  expect(problemOf(() => checkValue(structuredClone(value), "current"))).toBe(current);
  expect(problemOf(() => checkValue(structuredClone(value), "older"))).toBe(older);
  expect(problemOf(() => checkItem({ a: structuredClone(value) }, "current"))).toBe(current);
});

function nested(wrappers: number, wrap: (inner: object) => object): object {
  let value: object = { S: "leaf" };
  for (let level = 0; level < wrappers; level++) value = wrap(value);
  return value;
}

const inMap = (inner: object): object => ({ M: { a: inner } });
const inList = (inner: object): object => ({ L: [inner] });

test.each([inMap, inList])("values nest at most 32 levels", (wrap) => {
  expect(problemOf(() => checkValue(nested(30, wrap), "current"))).toBe("accepted");
  expect(problemOf(() => checkValue(nested(31, wrap), "current"))).toBe("accepted");
  expect(problemOf(() => checkValue(nested(32, wrap), "current"))).toBe(tooDeep);
  expect(problemOf(() => checkItem({ a: nested(31, wrap) }, "older"))).toBe("accepted");
  expect(problemOf(() => checkItem({ a: nested(32, wrap) }, "older"))).toBe(tooDeep);
  expect(problemOf(() => checkValue(nested(100_000, wrap), "current"))).toBe(tooDeep);
});

test("attribute names have 1 to 65,535 bytes, at every level", () => {
  const tooLarge = "Attribute name is too large, must be less than 65536 bytes";
  const check = (name: string) => [
    problemOf(() => checkItem({ [name]: { S: "a" } }, "current")),
    problemOf(() => checkItem({ a: { M: { [name]: { S: "a" } } } }, "current")),
    problemOf(() => checkValue({ L: [{ M: { [name]: { S: "a" } } }] }, "current")),
  ];
  for (const name of ["a", "a".repeat(65_534), "a".repeat(65_535), "€".repeat(21_845)]) {
    expect(check(name)).toEqual(["accepted", "accepted", "accepted"]);
  }
  for (const name of ["a".repeat(65_536), `${"€".repeat(21_845)}a`]) {
    expect(check(name)).toEqual([tooLarge, tooLarge, tooLarge]);
  }
  const noName = "Empty attribute name";
  expect(check("")).toEqual([noName, noName, noName]);
});

test("an empty name in the item beats depth, an empty map key does not", () => {
  const deep = () => nested(40, inMap);
  const hollow = { M: { "": { S: "a" } } };
  expect(problemOf(() => checkItem({ a: deep(), "": { S: "a" } }, "current"))).toBe(
    "Empty attribute name",
  );
  expect(problemOf(() => checkItem({ a: hollow, b: deep() }, "current"))).toBe(tooDeep);
  expect(problemOf(() => checkItem({ a: deep(), b: hollow }, "current"))).toBe(tooDeep);
});

test("names of Object's members are names like others", () => {
  const item = JSON.parse('{"__proto__":{"N":"1e1"},"constructor":{"M":{"__proto__":{"N":"x"}}}}');
  expect(problemOf(() => checkItem(item, "current"))).toBe(`${notNumeric}: x`);
  expect(JSON.stringify(item)).toContain('"__proto__":{"N":"10"}');
});

test("an item comes back as the same object", () => {
  const item = { a: { N: "1" }, b: { S: "x" } };
  expect(checkItem(item, "current")).toBe(item);
});

test("only the older layer names the placeholder of a bad expression value", () => {
  const check = (value: object, layer: ValueLayer) =>
    problemOf(() => checkExpressionValues({ ":ok": { S: "a" }, ":v": value }, layer));
  const wrapped = (reason: string) =>
    `ExpressionAttributeValues contains invalid value: ${reason} for key :v`;
  expect(check({ N: "x" }, "current")).toBe(`${notNumeric}: x`);
  expect(check({ N: "x" }, "older")).toBe(wrapped(`${notNumeric}: x`));
  expect(check(nested(32, inMap), "current")).toBe(tooDeep);
  // One level more than an attribute may have.
  expect(check(nested(32, inMap), "older")).toBe("accepted");
  expect(check(nested(33, inMap), "older")).toBe(wrapped(tooDeep));
  expect(check({ N: "1" }, "older")).toBe("accepted");
});
