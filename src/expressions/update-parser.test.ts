import { expect, test } from "vitest";
import { Placeholders } from "./parser.ts";
import { bytes, messageOf, value } from "./plain-values.test-support.ts";
import { parseUpdate } from "./update-parser.ts";
import { compileUpdate } from "./update-resolve.ts";

const names = { "#a": "a", "#b": "b", "#c": "c", "#d": "[3]", "#dot": "x.y" };
const values = {
  ":s": value("a"),
  ":n": value(1),
  ":b": value(bytes("a")),
  ":bool": value(false),
  ":null": value(null),
  ":ss": value(new Set(["a"])),
  ":ns": value(new Set([1])),
  ":bs": value(new Set([bytes("a")])),
  ":m": value({}),
  ":l": value([]),
};

function compile(text: string) {
  return compileUpdate(text, new Placeholders(names, values));
}

function checkError(text: string, message: string) {
  expect(
    messageOf(() => compile(text)),
    text,
  ).toBe(`Invalid UpdateExpression: ${message}`);
}

test("syntax errors", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["whatever", "whatever", "whatever"],
    ["INVALID SYNTAX HERE", "INVALID", "INVALID SYNTAX"],
    ["set", "<EOF>", "set"],
    ["set a", "<EOF>", "a"],
    ["set a =", "<EOF>", "="],
    ["add a", "<EOF>", "a"],
    ["delete a", "<EOF>", "a"],
    ["remove", "<EOF>", "remove"],
    ["set a=set", "set", "=set"],
    ["remove a = b", "=", "a = b"],
    ["remove a,", "<EOF>", ","],
    ["remove a b", "b", "a b"],
    ["add a = b", "=", "a = b"],
    ["add a b", "b", "a b"],
    ["add a if_not_exist(b)", "if_not_exist", "a if_not_exist("],
    ["add :s a", ":s", "add :s a"],
    ["add a :n + :n", "+", ":n + :n"],
    ["delete a = b", "=", "a = b"],
    ["delete a b", "b", "a b"],
    ["delete :s b", ":s", "delete :s b"],
    ["set a b", "b", "a b"],
    ["set :s = b", ":s", "set :s ="],
    ["remove :s", ":s", "remove :s"],
    ["set a = b / c", "/", "b / c"],
    ["set a = b * c", "*", "b * c"],
    ['set a[1] = "eight"', '"', '= "eight'],
    ["set a[1] = 1", "1", "= 1"],
    ["set a[:n] = :s", ":n", "[:n]"],
    ["set a[#a] = :s", "#a", "[#a]"],
    ["set a[-1] = :s", "-", "[-1"],
    ["set a. = :s", "=", ". = :s"],
    ["set a = if_not_exists(a, 100)", "100", ", 100)"],
    ["set a = if_not_exists(a, :n + :n)", "+", ":n + :n"],
    ["set a = if_not_exists()", ")", "()"],
    ["set if_not_exists(a, b) = a", "(", "if_not_exists(a"],
    ["set (a = (b + c))", "(", "set (a"],
    ["set a = (b.c).d + e", ".", ").d"],
    ["set a = (b.c)[0] + e", "[", ")[0"],
    ["set a = b + c + d", "+", "c + d"],
    ["set a = (b + c) + d", "+", ") + d"],
    ["set a = b + (c + d)", "+", "c + d"],
    ["set a = (b", "<EOF>", "b"],
    ["set a = b)", ")", "b)"],
    ["set a = b and c = d", "and", "b and c"],
    ["set a = :s, remove b", "remove", ", remove b"],
    ["set _a = :s", "_", "set _a"],
    ["set a = #", "#", "= #"],
  ];
  for (const [text, token, near] of cases) {
    checkError(text, `Syntax error; token: "${token}", near: "${near}"`);
  }
});

test("an expression is not empty", () => {
  checkError("", "The expression can not be empty;");
});

test("at most 300 operators: arithmetic and functions, not assignments", () => {
  const sums = (count: number, value: string) =>
    `SET ${Array.from({ length: count }, (_, at) => `a${at}=${value}`).join(",")}`;
  const tooMany = "The expression contains too many operators; operator count: 301";
  expect(compile(sums(300, "b+c")).actions).toHaveLength(300);
  checkError(sums(301, "b+c"), tooMany);
  checkError(sums(301, "b-c"), tooMany);
  expect(compile(sums(400, "b")).actions).toHaveLength(400);
  const calls = (depth: number) =>
    `SET a = ${"if_not_exists(b,".repeat(depth)}c${")".repeat(depth)}`;
  expect(compile(calls(200)).actions).toHaveLength(1);
  checkError(calls(301), tooMany);
});

test("stages: reserved words, functions, sections, names, values, paths, operands", () => {
  const cases: readonly (readonly [string, string])[] = [
    // A reserved word wins over everything else that the text alone shows.
    ["set #x = :x set abOrt = nofun(a)", reserved("abOrt")],
    ["remove Absolute", reserved("Absolute")],
    ["set a.status = :s", reserved("status")],
    ["set a = timestamp", reserved("timestamp")],
    ["set a = if_not_exists(name, :s)", reserved("name")],
    // Function names come next.
    ["set #x = if_not_exist(:x) set c = d", "Invalid function name; function: if_not_exist"],
    ["set a = LIST_APPEND(a, :l)", "Invalid function name; function: LIST_APPEND"],
    ["set a = f(g(b))", "Invalid function name; function: f"],
    ["set a = size(b)", notAllowed("size")],
    ["set a = size(b) set #x = :x", notAllowed("size")],
    ["set a = if_not_exists(a, contains(b, :s))", notAllowed("contains")],
    ["set a = attribute_exists(b)", notAllowed("attribute_exists")],
    ["set a = list_append(list_append(a, b), c)", misused("list_append")],
    ["set a = list_append(a, list_append(b, c)) set #x = :x", misused("list_append")],
    ["set a = if_not_exists(a, list_append(b, c))", misused("list_append")],
    ["set a = list_append(b, c) + d", misused("list_append")],
    ["set a = d - list_append(b, c)", misused("list_append")],
    // Sections.
    ["set a = #x set c = :x", once("SET")],
    ["remove #x set a = b remove e", once("REMOVE")],
    ["add #x :x set a = b add e :y", once("ADD")],
    ["delete #x :x set a = b delete #e :y", once("DELETE")],
    ["SET a = :s SET b = :s remove c REMOVE d", once("SET")],
    // Names before values.
    ["set a = :x, #x = :s", undefinedName("#x")],
    ["set #x = if_not_exists(:x)", undefinedName("#x")],
    ["set a = if_not_exists(a.#x, :s)", undefinedName("#x")],
    ["remove a.#x, #y", undefinedName("#x")],
    ["add #x :x", undefinedName("#x")],
    ["set #a = if_not_exists(:x)", undefinedValue(":x")],
    ["set a = b + :x", undefinedValue(":x")],
    ["set a = list_append(if_not_exists(b, :x), :y)", undefinedValue(":x")],
    ["set a = :s, a = :x", undefinedValue(":x")],
    ["delete a :x", undefinedValue(":x")],
    // Overlaps before conflicts, both before operands and functions.
    ["set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)", overlap("[c, [1], a]", "[c]")],
    ["set #c[3].#d = a, #c[3] = a", overlap("[c, [3], [3]]", "[c, [3]]")],
    ["set a = :s, a = :s", overlap("[a]", "[a]")],
    ["set #a = :s remove a", overlap("[a]", "[a]")],
    ["remove a, a.b", overlap("[a]", "[a, b]")],
    ["remove a.b.c.d, b, a.b", overlap("[a, b, c, d]", "[a, b]")],
    ["set a[1][1] = :s, a[1] = :s", overlap("[a, [1], [1]]", "[a, [1]]")],
    ["set a = :s add a :s", overlap("[a]", "[a]")],
    ["set #c[3].#d = a, #c.#d[3] = if_not_exists(a)", conflict("[c, [3], [3]]", "[c, [3], [3]]")],
    ["remove a.#c set a[1] = #d", conflict("[a, c]", "[a, [1]]")],
    ["set a.b.c = :s, a.b[2] = :s", conflict("[a, b, c]", "[a, b, [2]]")],
    // Operands of ADD and DELETE before functions.
    ["set b = list_append(:s, a), c = if_not_exists(a) add a.b :s", actionType("ADD", "STRING")],
    ["add a :null", actionType("ADD", "NULL")],
    ["add a :bool", actionType("ADD", "BOOLEAN")],
    ["add a :b", actionType("ADD", "BINARY")],
    ["add a :m", actionType("ADD", "MAP")],
    ["add a :l", actionType("ADD", "LIST")],
    ["delete a :s", actionType("DELETE", "STRING")],
    ["delete a :n", actionType("DELETE", "NUMBER")],
    ["delete a :null", actionType("DELETE", "NULL")],
    ["delete a :bool", actionType("DELETE", "BOOLEAN")],
    ["delete a :b", actionType("DELETE", "BINARY")],
    ["delete a :m", actionType("DELETE", "MAP")],
    ["delete a :l", actionType("DELETE", "LIST")],
    // Functions and arithmetic.
    ["set a = if_not_exists(c)", operandCount("if_not_exists", 1)],
    ["set a = if_not_exists(:n)", operandCount("if_not_exists", 1)],
    ["set a = list_append(c)", operandCount("list_append", 1)],
    ["set a = list_append(:l, :l, :l)", operandCount("list_append", 3)],
    ["set a = if_not_exists(:s, c)", pathRequired("if_not_exists")],
    ["set a = if_not_exists(if_not_exists(a, b), c)", pathRequired("if_not_exists")],
    ["set a = list_append(:s, a)", operandType("list_append", "S")],
    ["set a = list_append(a, :n)", operandType("list_append", "N")],
    ["set a = list_append(:b, a)", operandType("list_append", "B")],
    ["set a = list_append(:bool, a)", operandType("list_append", "BOOL")],
    ["set a = list_append(:null, a)", operandType("list_append", "NULL")],
    ["set a = list_append(:ss, a)", operandType("list_append", "SS")],
    ["set a = list_append(:ns, a)", operandType("list_append", "NS")],
    ["set a = list_append(:bs, a)", operandType("list_append", "BS")],
    ["set a = list_append(:m, a)", operandType("list_append", "M")],
    ["set a = a + :s", operandType("+", "S")],
    ["set a = :s + :b", operandType("+", "S")],
    ["set a = :b + a", operandType("+", "B")],
    ["set a = a + (:bool)", operandType("+", "BOOL")],
    ["set a = (a + :null)", operandType("+", "NULL")],
    ["set a = a + :ss", operandType("+", "SS")],
    ["set a = a - :ns", operandType("-", "NS")],
    ["set a = a - :bs", operandType("-", "BS")],
    ["set a = a - :m", operandType("-", "M")],
    ["set a = a - :l", operandType("-", "L")],
    ["set a = a + :s, b = if_not_exists(c)", operandType("+", "S")],
  ];
  for (const [text, message] of cases) checkError(text, message);
});

test("trees", () => {
  const a = { kind: "path", steps: ["a"] };
  const b = { kind: "path", steps: ["b"] };
  const one = { kind: "value", value: { N: "1" }, placeholder: ":n" };
  const sum = { kind: "plus", left: a, right: one };
  const cases: readonly (readonly [string, unknown])[] = [
    ["sEt a=:n", [{ kind: "set", path: a, value: one }]],
    ["  set   #a = :n\t\r\n", [{ kind: "set", path: a, value: one }]],
    ["set b = a + :n", [{ kind: "set", path: b, value: sum }]],
    ["set b = (a + :n)", [{ kind: "set", path: b, value: sum }]],
    ["set b = ((a)+(:n))", [{ kind: "set", path: b, value: sum }]],
    ["set b = (a) + :n", [{ kind: "set", path: b, value: sum }]],
    ["set b = a + ((:n))", [{ kind: "set", path: b, value: sum }]],
    ["set b = (a)", [{ kind: "set", path: b, value: a }]],
    ["set b = a - :n", [{ kind: "set", path: b, value: { ...sum, kind: "minus" } }]],
    [
      "set b = list_append((a), if_not_exists(b, :n))",
      [
        {
          kind: "set",
          path: b,
          value: {
            kind: "list_append",
            left: a,
            right: { kind: "if_not_exists", path: b, otherwise: one },
          },
        },
      ],
    ],
    ["remove a[0].#dot", [{ kind: "remove", path: { kind: "path", steps: ["a", 0, "x.y"] } }]],
    [
      "add a :n delete b :ss",
      [
        { kind: "add", path: a, value: { N: "1" } },
        { kind: "delete", path: b, value: { SS: ["a"] } },
      ],
    ],
    // A section keyword ends the actions before it without a comma.
    [
      "remove a set b = a",
      [
        { kind: "remove", path: a },
        { kind: "set", path: b, value: a },
      ],
    ],
  ];
  for (const [text, actions] of cases) {
    expect(compile(text), text).toEqual({ kind: "update", actions });
  }
});

test("used placeholders are recorded, the text is parsed once", () => {
  const placeholders = new Placeholders(names, values);
  const text = "SET #a = if_not_exists(#b, :n) ADD #c :ns";
  compileUpdate(text, placeholders);
  const used = [...Object.keys(names), ...Object.keys(values)].filter((key) =>
    placeholders.isUsed(key),
  );
  expect(used).toEqual(["#a", "#b", "#c", ":n", ":ns"]);
  expect(parseUpdate(text)).toBe(parseUpdate(text));
});

test("hostile nesting ends in an answer", () => {
  const deep = `SET a = ${"(".repeat(2000)}b${")".repeat(2000)}`;
  expect(compile(deep).actions).toHaveLength(1);
  const calls = `SET a = ${"if_not_exists(b,".repeat(200)}:n${")".repeat(200)}`;
  expect(compile(calls).actions).toHaveLength(1);
  const many = `REMOVE ${Array.from({ length: 550 }, (_, index) => `b[${index}]`).join()}`;
  expect(compile(many).actions).toHaveLength(550);
});

function reserved(word: string) {
  return `Attribute name is a reserved keyword; reserved keyword: ${word}`;
}

function notAllowed(name: string) {
  return `The function is not allowed in an update expression; function: ${name}`;
}

function misused(name: string) {
  return `The function is not allowed to be used this way in an expression; function: ${name}`;
}

function once(section: string) {
  return `The "${section}" section can only be used once in an update expression;`;
}

function undefinedName(name: string) {
  return `An expression attribute name used in the document path is not defined; attribute name: ${name}`;
}

function undefinedValue(name: string) {
  return `An expression attribute value used in expression is not defined; attribute value: ${name}`;
}

function overlap(one: string, two: string) {
  return `Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`;
}

function conflict(one: string, two: string) {
  return `Two document paths conflict with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`;
}

function actionType(section: string, type: string) {
  return `Incorrect operand type for operator or function; operator: ${section}, operand type: ${type}, typeSet: ALLOWED_FOR_${section}_OPERAND`;
}

function operandCount(name: string, count: number) {
  return `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${count}`;
}

function pathRequired(name: string) {
  return `Operator or function requires a document path; operator or function: ${name}`;
}

function operandType(name: string, type: string) {
  return `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`;
}
