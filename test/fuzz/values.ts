import type { Random } from "../random.ts";
import { type Json, Members, object, RawText } from "./json.ts";

/** Attribute names, most of them harmless, some of them not. */
const names = ["a", "b", "c", "n", "name", "kind", "list", "map", "set", "deep", "x1", "_y"];
const oddNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "__defineGetter__",
  "toJSON",
  "then",
  "length",
  "é",
  "\u{1d11e}",
  "a.b",
  "a b",
  "a[0]",
  "#x",
  ":v",
  "0",
  "-1",
  "\u0000",
  "\u0001\u001f\u007f",
  "\ud800",
  "\udc00x",
  "\ufeff",
  '"',
  "\\",
  "S",
  "M",
  "NULL",
  "size",
];

export function attributeName(random: Random): string {
  return random.chance(0.85) ? random.pick(names) : random.pick(oddNames);
}

export function text(random: Random): string {
  return random.choose<string>([
    [10, () => random.pick(["a", "b", "x", "abc", "zz", "item-1", "item-2", "true", "1"])],
    [3, () => random.pick(oddNames)],
    [2, () => random.times(random.few(40), () => character(random)).join("")],
    [1, () => ""],
    [0.2, () => random.pick(["x", "é", "\u{1d11e}", "\u0000"]).repeat(random.between(200, 3_000))],
    [0.02, () => "y".repeat(random.between(60_000, 70_000))],
  ]);
}

function character(random: Random): string {
  return random.choose([
    [6, () => String.fromCharCode(random.between(0x20, 0x7e))],
    [1, () => String.fromCharCode(random.between(0, 0x1f))],
    [1, () => String.fromCharCode(random.between(0x80, 0x7ff))],
    [1, () => String.fromCharCode(random.between(0x800, 0xffff))],
    [1, () => String.fromCodePoint(random.between(0x10000, 0x10ffff))],
  ]);
}

/** A number that the service takes. */
export function goodNumber(random: Random): string {
  return random.choose<string>([
    [8, () => String(random.between(-20, 20))],
    [2, () => `${random.between(-999, 999)}.${digits(random, random.between(1, 30))}`],
    [2, () => `${random.pick(["", "-"])}${random.between(1, 9)}${digits(random, 37)}`],
    [1, () => `${random.between(1, 9)}e${random.between(-130, 125)}`],
    [1, () => random.pick(["-0", "0", "0.0", "+7", "007", "1E+2", "1e-5", "-0.000", "1.", ".5"])],
    [1, () => random.pick(["9.9999999999999999999999999999999999999E+125", "1E-130", "-1E-130"])],
  ]);
}

/** A number that it may not take. */
export function oddNumber(random: Random): string {
  return random.choose<string>([
    [2, () => `1${digits(random, 38)}`],
    [2, () => `${random.between(1, 9)}e${random.pick([126, -131, 400, -400, 2147483648, 1e21])}`],
    [
      1,
      () => random.pick(["", " ", "1 ", "NaN", "Infinity", "-Infinity", "0x10", "1e", "e1", "--1"]),
    ],
    [
      1,
      () => random.pick(["1_000", "1,5", "٣", "1e+", "+", "-", ".", "0e126", "1e1.5", "\u00001"]),
    ],
    [0.3, () => "9".repeat(random.pick([39, 100, 5_000]))],
    [0.3, () => `0.${"0".repeat(random.pick([129, 131, 5_000]))}1`],
    [0.2, () => `1e${"9".repeat(random.pick([10, 400]))}`],
    [0.2, () => `${"0".repeat(5_000)}1`],
  ]);
}

function digits(random: Random, count: number): string {
  return random.times(count, () => random.between(0, 9)).join("");
}

export function base64(random: Random): string {
  return Buffer.from(random.times(random.few(24), () => random.between(0, 255))).toString("base64");
}

const oddBase64 = [
  "=",
  "A",
  "AA",
  "AAA",
  "AB==",
  "AAB=",
  "A===",
  "AA A",
  "AA-_",
  "é===",
  "AA==AA==",
];

/** An attribute value of the right form. */
export function goodValue(random: Random, depth = 0): Json {
  const deep = depth > 3 ? 0 : 1;
  return random.choose<Json>([
    [6, () => object({ S: text(random) })],
    [5, () => object({ N: goodNumber(random) })],
    [2, () => object({ B: base64(random) })],
    [1, () => object({ BOOL: random.chance(0.5) })],
    [1, () => object({ NULL: true })],
    [1, () => object({ SS: distinct(random, () => text(random)) })],
    [1, () => object({ NS: distinct(random, () => String(random.between(-50, 50))) })],
    [1, () => object({ BS: distinct(random, () => base64(random)) })],
    [deep, () => object({ L: random.times(random.few(6), () => goodValue(random, depth + 1)) })],
    [deep, () => object({ M: goodMap(random, random.few(6), depth + 1) })],
    [0.05, () => nested(random.pick([2, 5, 20, 31, 32]), random.chance(0.5))],
    [0.01, () => object({ SS: random.times(10_000, (at) => `member ${at}`) })],
    [0.01, () => object({ NS: random.times(10_000, (at) => String(at)) })],
  ]);
}

/** Every name once, and never an empty one. */
export function goodMap(random: Random, count: number, depth = 0): Members {
  const members = new Members();
  for (let left = count; left > 0; left -= 1) {
    members.set(attributeName(random), goodValue(random, depth));
  }
  return members;
}

function distinct(random: Random, make: () => string): string[] {
  // Lone surrogates become the same replacement character.
  return [...new Set(random.times(1 + random.few(8), () => make().toWellFormed()))];
}

/** A list or map of so many levels, its innermost one a scalar. */
export function nested(levels: number, map: boolean): RawText {
  const [open, close] = map ? ['{"M":{"m":', "}}"] : ['{"L":[', "]}"];
  return new RawText(`${open.repeat(levels - 1)}{"S":"x"}${close.repeat(levels - 1)}`);
}

/** Something that should not stand where an attribute value is due. */
export function oddValue(random: Random): Json {
  return random.choose<Json>([
    [4, () => oddJson(random)],
    [3, () => object({ N: oddNumber(random) })],
    [1, () => object({ NS: ["1", "1.0", oddNumber(random)] })],
    [
      2,
      () =>
        object({ [random.pick(["S", "N", "B", "BOOL", "NULL", "SS", "L", "M"])]: oddJson(random) }),
    ],
    [1, () => object({ S: "x", N: "1" })],
    [1, () => object({ S: "x", Unknown: oddJson(random) })],
    [1, () => object({ NULL: false })],
    [1, () => object({ B: random.pick(oddBase64) })],
    [1, () => object({ BS: ["AA==", random.pick(oddBase64)] })],
    [1, () => object({ SS: random.pick([[], ["a", "a"], ["a", null], [["a"]]]) as Json })],
    [1, () => nested(random.pick([33, 34, 64, 65, 200]), random.chance(0.5))],
    [0.1, () => nested(10_000, random.chance(0.5))],
    [0.05, () => object({ S: "x".repeat(409_600) })],
    [
      1,
      () =>
        object({
          M: new Members([
            ["a", object({ S: "1" })],
            ["a", object({ S: "2" })],
          ]),
        }),
    ],
    [1, () => object({ M: new Members([["", object({ S: "1" })]]) })],
    [
      0.2,
      () =>
        object({
          M: new Members([["n".repeat(random.between(65_530, 65_540)), object({ S: "" })]]),
        }),
    ],
    [1, () => new RawText('{"__proto__":{"S":"x"}}')],
    [1, () => new RawText('{"S":"x","S":"y"}')],
  ]);
}

/** JSON of any type at all. */
export function oddJson(random: Random): Json {
  return random.choose<Json>([
    [3, () => null],
    [2, () => random.pick([true, false])],
    [2, () => random.pick([0, 1, -1, 2 ** 31, 2 ** 53, 1e21, 1.5])],
    [
      1,
      () => new RawText(random.pick(["-0", "1e400", "-1e400", "1e-400", "0.1e1", "9".repeat(400)])),
    ],
    [2, () => text(random)],
    [1, () => []],
    [1, () => new Members()],
    [1, () => [null]],
    [1, () => [[[]]]],
    [1, () => object({ S: "x" })],
    [1, () => [object({ S: "x" })]],
    [1, () => new RawText('{"__proto__":null,"constructor":{"prototype":{"x":1}}}')],
    [0.1, () => new RawText(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)],
    [0.1, () => new RawText(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`)],
    [0.05, () => random.times(10_000, () => "x")],
    [0.05, () => "z".repeat(65_536)],
  ]);
}
