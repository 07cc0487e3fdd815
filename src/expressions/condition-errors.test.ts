import { expect, test } from "vitest";
import type { AttributeValue } from "../item/attribute-value.ts";
import { compileCondition } from "./condition-resolve.ts";
import { Placeholders } from "./parser.ts";
import { bytes, messageOf, type Plain, value } from "./plain-values.test-support.ts";

type Values = Readonly<Record<string, Plain>>;

function compile(text: string, values: Values = {}, names: Record<string, string> = {}) {
  const given: Record<string, AttributeValue> = {};
  for (const [name, plain] of Object.entries(values)) given[name] = value(plain);
  return compileCondition("FilterExpression", text, new Placeholders(names, given));
}

function checkError(text: string, reason: string, values?: Values, names?: Record<string, string>) {
  expect(
    messageOf(() => compile(text, values, names)),
    text,
  ).toBe(`Invalid FilterExpression: ${reason}`);
}

test("syntax errors name the token and its neighbours", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [" ", "<EOF>", " "],
    ["a", "<EOF>", "a"],
    ["a =", "<EOF>", "="],
    ["a = = b", "=", "= = b"],
    ["a == b", "=", "== b"],
    ["a != :b", "!", "a !="],
    ["foo bar", "bar", "foo bar"],
    ["things are not gonna be ok", "are", "things are not"],
    ["a > 4", "4", "> 4"],
    ["(foo)", "<EOF>", ")"],
    ["NOT (foo)", "<EOF>", ")"],
    ["(foo", "<EOF>", "foo"],
    ["((((a = :v", "<EOF>", ":v"],
    ["a = :v)", ")", ":v)"],
    [")", ")", ")"],
    ["()", ")", "()"],
    ["a = b AND", "<EOF>", "AND"],
    ["a = b AND c", "<EOF>", "c"],
    ["a AND b = c", "AND", "a AND b"],
    ["AND a = b", "AND", "AND a"],
    ["a = b AND OR c = d", "OR", "AND OR c"],
    ["a = b c = d", "c", "b c ="],
    ["NOT", "<EOF>", "NOT"],
    ["a NOT = b", "NOT", "a NOT ="],
    ["a = (b = c)", "=", "b = c"],
    ["(a = b) = c", "=", ") = c"],
    ["attribute_not_exists(", "<EOF>", "("],
    ["attribute_exists()", ")", "()"],
    ["attribute_exists(a", "<EOF>", "a"],
    ["attribute_exists(a,)", ")", ",)"],
    ["attribute_exists(a = b)", "=", "a = b"],
    ["attribute_exists(Pictures-RearView)", "-", "Pictures-RearView"],
    ['attribute_exists("Pictures")', '"', '("Pictures'],
    ["attribute_exists(Pictures..RearView)", ".", "..RearView"],
    ["attribute_exists(Pi#ctures.RearView)", "#ctures", "Pi#ctures."],
    ["attribute_exists(asdf[a])", "a", "[a]"],
    ["a.:a < b", ":a", ".:a <"],
    ["a in b, c", "b", "in b,"],
    ["a in (b,c,)", ")", ",)"],
    ["a in ()", ")", "()"],
    ["a > between", "between", "> between"],
    ["a between b or c", "or", "b or c"],
    ["(a)between(b.(c.d))and(c)", "(", ".(c"],
    ["(a)between(b.c.d)and((c)", "<EOF>", ")"],
    ["#$.b > a", "#", "#$"],
    ["a > :things.stuff", ".", ":things.stuff"],
    ["b[:a] > a", ":a", "[:a]"],
    ["b[#_] > a", "#_", "[#_]"],
    ["b[00] > a", "0", "00]"],
    ["b[-1] > a", "-", "[-1"],
    ["ü > a", "ü", "ü >"],
    ["(a)between(b.c[4.5].#d)and(:a)", ".", "4.5"],
    ["size(a).b > a", ".", ").b"],
    ["(size(a)).b > a", ".", ").b"],
    ["(size(a))[0] > a", "[", ")[0"],
    ["set = :v", "set", "set ="],
    ["a = Delete", "Delete", "= Delete"],
    ["_id = :v", "_", "_id"],
    ["tenant:abc-1 = b", ":abc", "tenant:abc-"],
    ["a\n=\n=\nb", "=", "=\n=\nb"],
    [
      "#articleId attribute_not_exists :v",
      "attribute_not_exists",
      "#articleId attribute_not_exists :v",
    ],
  ];
  for (const [text, token, near] of cases) {
    checkError(text, `Syntax error; token: "${token}", near: "${near}"`);
  }
});

test("an expression is not empty", () => {
  checkError("", "The expression can not be empty;");
});

test("redundant parentheses are met while reading", () => {
  const cases = [
    "((a = b))",
    "NOT ((a = b))",
    "a=a and a > ((views))",
    "(a)between(((b.c)).d)and(c)",
    "a > whatever((:things), ((a)))",
    "a=a AND ((a=a AND a=a)) AND a=a",
    "a=a OR ((a=a OR (a=a OR a=a)))",
    "((a)) = b",
    "((size(a))) > b",
    "((attribute_exists(a)))",
    "((a = b)) = = c",
    "a IN (((b)))",
  ];
  for (const text of cases) checkError(text, "The expression has redundant parentheses;");
});

test("parentheses that are not redundant", () => {
  const cases = [
    "(a = b)",
    "(a) = (b)",
    "((a) = (b))",
    "((a = b) AND (c = d))",
    "(a = b AND (c = d))",
    "NOT (NOT (a = b))",
    "(NOT (a = b))",
    "NOT NOT a = b",
    "(size(a)) = (b)",
    "((size(a)) = b)",
    "(attribute_exists((a)))",
    "a IN ((b), c)",
    "(a) BETWEEN (b) AND (c)",
    "(a).b = c",
    "((a).b)[0].c = d",
    "((size(a)) < b.c) AND (d > e)",
  ];
  for (const text of cases)
    expect(
      messageOf(() => compile(text)),
      text,
    ).toBeUndefined();
});

test("functions and reserved words are judged by the text alone, the earliest first", () => {
  const unknown = (name: string) => `Invalid function name; function: ${name}`;
  const misused = (name: string) =>
    `The function is not allowed to be used this way in an expression; function: ${name}`;
  const reserved = (word: string) =>
    `Attribute name is a reserved keyword; reserved keyword: ${word}`;
  const cases: readonly (readonly [string, string])[] = [
    ["a=a and whatever((:things)) > a", unknown("whatever")],
    ["attRIbute_exIsts((views), #a)", unknown("attRIbute_exIsts")],
    ["SIZE(a) > b", unknown("SIZE")],
    ["constructor(a) > b", unknown("constructor")],
    ["a=a and attribute_exists((views), (#a)) > b", misused("attribute_exists")],
    ["attribute_not_exists(things) > b", misused("attribute_not_exists")],
    ["attribute_type(things, :a) > b", misused("attribute_type")],
    ["begins_with(things, a) > b", misused("begins_with")],
    ["contains(:things, c) > b", misused("contains")],
    ["size(contains(a, b)) > a", misused("contains")],
    ["size(things)", misused("size")],
    ["(size(things)) AND a = b", misused("size")],
    ["NOT size(things)", misused("size")],
    ["a between b and attribute_exists(things)", misused("attribute_exists")],
    ["a in (b, attribute_exists(things))", misused("attribute_exists")],
    [
      "if_not_exists(a, b) > c",
      "The function is not allowed in a condition expression; function: if_not_exists",
    ],
    ["attribute_exists(views, #a)", reserved("views")],
    [":a < abOrT", reserved("abOrT")],
    ["a.Status = b", reserved("Status")],
    ["name = b AND whatever(a)", reserved("name")],
    ["whatever(a) AND name = b", unknown("whatever")],
    ["a[2147483648] = b", "List index is not within the allowable range; index: [2147483648]"],
    [
      "a[99999999999999999999] = b",
      "List index is not within the allowable range; index: [99999999999999999999]",
    ],
  ];
  for (const [text, reason] of cases) checkError(text, reason);
});

test("names and values that are not defined", () => {
  const name = (placeholder: string) =>
    `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`;
  const missing = (placeholder: string) =>
    `An expression attribute value used in expression is not defined; attribute value: ${placeholder}`;
  const cases: readonly (readonly [string, string])[] = [
    ["attribute_exists(#Pictures.RearView, :a) and a=a", name("#Pictures")],
    ["begins_with(Pictures.#RearView)", name("#RearView")],
    ["(#P between :lo and :hi) and (#PC in (:cat1, :cat2))", name("#P")],
    ["#4g > a", name("#4g")],
    ["#_ > a", name("#_")],
    ["(a)between(b.c[45].#d)and(:a)", name("#d")],
    ["begins_with(:hello, #a, #b)", missing(":hello")],
    [":a < :b", missing(":a")],
    [":_ > a", missing(":_")],
    ["a = :constructor", missing(":constructor")],
    ["#constructor = b", name("#constructor")],
    ["a = b AND #x = c AND :y = d", name("#x")],
  ];
  for (const [text, reason] of cases) checkError(text, reason);
});

test("a path has at most 32 steps", () => {
  const path = (steps: number) => Array.from({ length: steps }, () => "a").join(".");
  expect(messageOf(() => compile(`${path(32)} = b`))).toBeUndefined();
  checkError(
    `${path(33)} = b`,
    "The document path has too many nesting levels; nesting levels: 33",
  );
});

test("the number of operands", () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ["attribute_exists(things, a) and a=a", "attribute_exists", 2],
    ["attribute_not_exists(things, b)", "attribute_not_exists", 2],
    ["attribute_type(things)", "attribute_type", 1],
    ["begins_with(things)", "begins_with", 1],
    ["begins_with(things, size(a), b)", "begins_with", 3],
    ["contains(things)", "contains", 1],
    ["contains(a, a, b)", "contains", 3],
    ["size(things, a) > b", "size", 2],
    ["attribute_exists(size(a, b))", "size", 2],
  ];
  for (const [text, operator, count] of cases) {
    checkError(
      text,
      `Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${count}`,
    );
  }
});

test("the first operand must differ from the others", () => {
  const names = { "#a": "a" };
  const cases: readonly (readonly [string, string, string])[] = [
    ["a = a AND #a = b AND :views > a", "=", "[a]"],
    ["#a <> a", "<>", "[a]"],
    ["a > #a", ">", "[a]"],
    ["((a=a) OR (a=a))", "=", "[a]"],
    ["contains(ab.bc[1].a, ab.bc[1].#a)", "contains", "[ab, bc, [1], a]"],
    ["attribute_type(ab.bc[1].#a, ab.bc[1].a)", "attribute_type", "[ab, bc, [1], a]"],
    ["begins_with(ab.bc[1].a, ab.bc[1].#a)", "begins_with", "[ab, bc, [1], a]"],
    ["a BETWEEN b AND #a", "BETWEEN", "[a]"],
    ["a IN (b, c, a)", "IN", "[a]"],
  ];
  for (const [text, operator, path] of cases) {
    checkError(
      text,
      `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${path}`,
      {},
      names,
    );
  }
  expect(messageOf(() => compile(":a > :a", { ":a": 1 }))).toBeUndefined();
  expect(messageOf(() => compile("size(a) > a"))).toBeUndefined();
});

const allTypes: readonly (readonly [string, Plain])[] = [
  ["S", "S"],
  ["N", 1],
  ["B", bytes("a")],
  ["BOOL", true],
  ["NULL", null],
  ["L", []],
  ["M", {}],
  ["SS", new Set(["1"])],
  ["NS", new Set([1])],
  ["BS", new Set([bytes("a")])],
];

test("the types of constants", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["attribute_type(a, :a)", "attribute_type", ["S"]],
    ["begins_with(a, :a)", "begins_with", ["S", "B"]],
    ["begins_with(:a, a)", "begins_with", ["S", "B"]],
    ["size(:a) > a", "size", ["S", "B", "L", "M", "SS", "NS", "BS"]],
    ["a < :a", "<", ["S", "N", "B"]],
    [":a <= a", "<=", ["S", "N", "B"]],
    ["a > :a", ">", ["S", "N", "B"]],
    ["a >= :a", ">=", ["S", "N", "B"]],
    ["a BETWEEN :a AND b", "BETWEEN", ["S", "N", "B"]],
    [":a BETWEEN a AND b", "BETWEEN", ["S", "N", "B"]],
    ["a BETWEEN b AND :a", "BETWEEN", ["S", "N", "B"]],
    ["a = :a", "=", allTypes.map(([type]) => type)],
    ["a <> :a", "<>", allTypes.map(([type]) => type)],
    ["a IN (:a)", "IN", allTypes.map(([type]) => type)],
    ["contains(a, :a)", "contains", allTypes.map(([type]) => type)],
  ];
  for (const [text, operator, allowed] of cases) {
    for (const [type, plain] of allTypes) {
      const message = messageOf(() => compile(text, { ":a": plain }));
      const wrong = `Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`;
      expect(message, `${text} with ${type}`).toBe(allowed.includes(type) ? undefined : wrong);
    }
  }
});

test("other operands that a function cannot take", () => {
  const type = (operator: string, type: string) =>
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`;
  const path = (operator: string) =>
    `Operator or function requires a document path; operator or function: ${operator}`;
  const cases: readonly (readonly [string, string, Values])[] = [
    ["attribute_type(a, size(a)) and a=a and a=:a", type("attribute_type", "N"), { ":a": 1 }],
    ["attribute_type(a, b)", type("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"), {}],
    ["begins_with(a, size(a)) and a=:a", type("begins_with", "N"), { ":a": 1 }],
    ["size(size(a)) > :a", type("size", "N"), { ":a": 1 }],
    ["attribute_not_exists(size(:a))", type("size", "N"), { ":a": 1 }],
    ["attribute_not_exists(size(:a))", path("attribute_not_exists"), { ":a": "x" }],
    ["attribute_exists(:a) and a=a", path("attribute_exists"), { ":a": "x" }],
    [
      "attribute_type(a, :a)",
      "Invalid attribute type name found; type: 1, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
      { ":a": "1" },
    ],
  ];
  for (const [text, reason, values] of cases) checkError(text, reason, values);
});

test("the bounds of BETWEEN", () => {
  const differ =
    "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: ";
  const reversed =
    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: ";
  const cases: readonly (readonly [Plain, Plain, string | undefined])[] = [
    [1, 2, undefined],
    [2, 2, undefined],
    [9, 10, undefined],
    [1, "a", `${differ}AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}`],
    ["b", "a", `${reversed}AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}`],
    [10, 9, `${reversed}AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:9}`],
    [
      bytes("ab"),
      bytes("aa"),
      `${reversed}AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]}, upper bound operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=2 cap=2]}`,
    ],
  ];
  for (const [low, high, reason] of cases) {
    const message = messageOf(() =>
      compile("a BETWEEN :low AND :high", { ":low": low, ":high": high }),
    );
    expect(message).toBe(reason === undefined ? undefined : `Invalid FilterExpression: ${reason}`);
  }
  expect(messageOf(() => compile("a BETWEEN size(b) AND :v", { ":v": "x" }))).toBeUndefined();
});

test("comparisons are judged one by one, as written", () => {
  checkError(
    "a < :bool AND #undefined = b",
    "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
    { ":bool": true },
  );
  checkError(
    "#undefined = b AND a < :bool",
    "An expression attribute name used in the document path is not defined; attribute name: #undefined",
    { ":bool": true },
  );
});

test("at most 300 operators", () => {
  const chain = (count: number) => Array.from({ length: count }, () => "a<b").join(" OR ");
  // Comparisons and what joins them: 2n - 1.
  expect(messageOf(() => compile(chain(150)))).toBeUndefined();
  expect(messageOf(() => compile(`NOT ${chain(150)}`))).toBeUndefined();
  checkError(chain(151), "The expression contains too many operators; operator count: 301");
  checkError(
    `${"NOT(".repeat(400)}a=b${")".repeat(400)}`,
    "The expression contains too many operators; operator count: 301",
  );
  const calls = Array.from({ length: 150 }, () => "contains(a,b)").join(" AND ");
  expect(messageOf(() => compile(calls))).toBeUndefined();
});

test("at most 100 operands of IN, the left one counted", () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, index) => `a${index}`).join(",");
  expect(messageOf(() => compile(`x IN (${list(99)})`))).toBeUndefined();
  checkError(
    `x IN (${list(100)})`,
    "The IN operator is provided with too many operands; number of operands: 101",
  );
});

test("deep nesting ends in an error, not in a crash", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["(", "", '"<EOF>", near: "("'],
    ["NOT(", "", '"<EOF>", near: "("'],
    ["f(", "", '"<EOF>", near: "("'],
    ["f((", "", '"<EOF>", near: "("'],
    ["size(", "a", '"<EOF>", near: "a"'],
  ];
  for (const [piece, rest, near] of cases) {
    const text = piece.repeat(Math.floor(4090 / piece.length)) + rest;
    checkError(text, `Syntax error; token: ${near}`);
  }
  checkError(
    `${"(".repeat(2000)}a=b${")".repeat(2000)}`,
    "The expression has redundant parentheses;",
  );
  checkError(
    `${"size(".repeat(600)}a${")".repeat(600)} > b`,
    "Incorrect operand type for operator or function; operator or function: size, operand type: N",
  );
});
