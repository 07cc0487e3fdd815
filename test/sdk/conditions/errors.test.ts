import { describe, test } from "vitest";
import { useServer } from "../harness.ts";
import { carriers, expectRefusal } from "./carriers.ts";

/** What is wrong with a condition by itself, in every place where one can stand. */

const server = useServer();

type Row = [text: string, reason: string, values?: Record<string, unknown>];

const syntax = (token: string, near: string) => `Syntax error; token: "${token}", near: "${near}"`;
const type = (operator: string, operand: string) =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${operand}`;
const count = (operator: string, operands: number) =>
  `Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${operands}`;
const distinct = (operator: string, path: string) =>
  `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${path}`;
const misused = (name: string) =>
  `The function is not allowed to be used this way in an expression; function: ${name}`;
const reserved = (word: string) =>
  `Attribute name is a reserved keyword; reserved keyword: ${word}`;
const parentheses = "The expression has redundant parentheses;";

const N = { N: "1" };
const S = { S: "x" };

const rows: Row[] = [
  ["", "The expression can not be empty;"],

  ["a", syntax("<EOF>", "a")],
  ["a =", syntax("<EOF>", "=")],
  ["a = = b", syntax("=", "= = b")],
  ["a == b", syntax("=", "== b")],
  ["a != b", syntax("!", "a !=")],
  ["a > 4", syntax("4", "> 4")],
  ["a = b AND", syntax("<EOF>", "AND")],
  ["a = b c = d", syntax("c", "b c =")],
  ["(a = b", syntax("<EOF>", "b")],
  ["a = b)", syntax(")", "b)")],
  ["a IN ()", syntax(")", "()")],
  ["a IN b", syntax("b", "IN b")],
  ["a BETWEEN b OR c", syntax("OR", "b OR c")],
  ["attribute_exists(", syntax("<EOF>", "(")],
  ["attribute_exists()", syntax(")", "()")],
  ["a[:v] = b", syntax(":v", "[:v]")],
  ["a[-1] = b", syntax("-", "[-1")],
  ["_a = b", syntax("_", "_a")],
  ["things are not gonna be ok", syntax("are", "things are not")],

  ["((a = b))", parentheses],
  ["((a = b)) AND c = d", parentheses],
  ["((a)) = b", parentheses],
  ["attribute_exists(((a)))", parentheses],

  ["size = b", reserved("size")],
  ["a.status = b", reserved("status")],
  ["a = Name", reserved("Name")],
  ["attribute_exists(TIMESTAMP)", reserved("TIMESTAMP")],

  ["whatever(a)", "Invalid function name; function: whatever"],
  ["Attribute_Exists(a)", "Invalid function name; function: Attribute_Exists"],
  ["size(a)", misused("size")],
  ["attribute_exists(a) = b", misused("attribute_exists")],
  ["begins_with(a, b) > c", misused("begins_with")],
  ["a IN (contains(b, c))", misused("contains")],

  [
    "#a = b",
    "An expression attribute name used in the document path is not defined; attribute name: #a",
  ],
  [
    "a.#b = c",
    "An expression attribute name used in the document path is not defined; attribute name: #b",
  ],
  [
    "a = :v",
    "An expression attribute value used in expression is not defined; attribute value: :v",
  ],

  ["attribute_exists(a, b)", count("attribute_exists", 2)],
  ["attribute_type(a)", count("attribute_type", 1)],
  ["begins_with(a)", count("begins_with", 1)],
  ["contains(a, b, c)", count("contains", 3)],
  ["size(a, b) = c", count("size", 2)],

  ["a = a", distinct("=", "[a]")],
  ["a.b[1] > a.b[1]", distinct(">", "[a, b, [1]]")],
  ["contains(a, a)", distinct("contains", "[a]")],

  [
    "attribute_exists(:v)",
    "Operator or function requires a document path; operator or function: attribute_exists",
    { ":v": S },
  ],
  ["begins_with(a, :v)", type("begins_with", "N"), { ":v": N }],
  ["begins_with(:v, a)", type("begins_with", "L"), { ":v": { L: [] } }],
  ["attribute_type(a, :v)", type("attribute_type", "N"), { ":v": N }],
  ["attribute_type(a, b)", type("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")],
  [
    "attribute_type(a, :v)",
    "Invalid attribute type name found; type: DOG, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
    { ":v": { S: "DOG" } },
  ],
  ["size(:v) = a", type("size", "N"), { ":v": N }],
  ["a < :v", type("<", "BOOL"), { ":v": { BOOL: true } }],
  [":v <= a", type("<=", "NULL"), { ":v": { NULL: true } }],
  ["a > :v", type(">", "SS"), { ":v": { SS: ["x"] } }],
  ["a >= :v", type(">=", "M"), { ":v": { M: {} } }],
  ["a BETWEEN :v AND :v", type("BETWEEN", "L"), { ":v": { L: [] } }],
  [
    "a BETWEEN :lo AND :hi",
    "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:x}",
    { ":lo": N, ":hi": S },
  ],
  [
    "a BETWEEN :lo AND :hi",
    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:y}, upper bound operand: AttributeValue: {S:x}",
    { ":lo": { S: "y" }, ":hi": S },
  ],
];

describe.each(Object.keys(carriers))("%s", (name) => {
  test.each(rows)("%s: %s", async (text, reason, values) => {
    await expectRefusal(server, name, { text, values }, (kind) => `Invalid ${kind}: ${reason}`);
  });
});
