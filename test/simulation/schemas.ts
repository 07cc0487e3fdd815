import type { IndexSpec, KeyType, TableSpec } from "./steps.ts";
import type { Value } from "./values.ts";

/** The tables of a history, and the values its few keys take: few, so that requests meet. */

const text = (...texts: string[]): Value[] => texts.map((S) => ({ S }));
const numbers = (...texts: string[]): Value[] => texts.map((N) => ({ N }));
const bytes = (...hex: string[]): Value[] =>
  hex.map((digits) => ({ B: Buffer.from(digits, "hex").toString("base64") }));

/** By the type of a key: what orders differently by bytes, by UTF-16 units, by text or by length. */
export const keyPool: Readonly<Record<KeyType, readonly Value[]>> = {
  S: text("a", "ab", "B", "abcdefgh", "abcdefghi", "a\u0000", "～", "😀"),
  N: numbers("0", "-0", "1", "1.0", "10", "2", "-1", "-2.5", "1E2", "1e-130", "0.15", "-9.9E125"),
  B: bytes("00", "0000", "01", "ff", "01ff", "000102030405060708"),
};

export const partitionPool: Readonly<Record<KeyType, readonly Value[]>> = {
  S: text("a", "b", "ä"),
  N: numbers("1", "1.0", "-1", "0", "25"),
  B: bytes("00", "ff00", "7f"),
};

const people: TableSpec = {
  name: "people",
  hash: [["pk", "S"]],
  range: [["sk", "N"]],
  indexes: [
    { name: "byName", kind: "local", hash: [["pk", "S"]], range: [["la", "S"]], holds: [] },
    { name: "byScore", kind: "local", hash: [["pk", "S"]], range: [["ln", "N"]] },
    { name: "byBytes", kind: "local", hash: [["pk", "S"]], range: [["lb", "B"]], holds: ["vnum"] },
    {
      name: "byGroup",
      kind: "global",
      hash: [["gk", "S"]],
      range: [["gs", "N"]],
      holds: ["vnum", "vtxt"],
    },
    { name: "turned", kind: "global", hash: [["sk", "N"]], range: [["pk", "S"]], holds: [] },
  ],
};

const events: TableSpec = {
  name: "events",
  hash: [["pk", "N"]],
  range: [],
  indexes: [
    { name: "flagged", kind: "global", hash: [["flag", "S"]], range: [], holds: [] },
    {
      name: "manifold",
      kind: "global",
      hash: [
        ["gk", "S"],
        ["gs", "N"],
      ],
      range: [
        ["la", "S"],
        ["lb", "B"],
        ["ln", "N"],
      ],
    },
  ],
};

const blobs: TableSpec = {
  name: "blobs",
  hash: [["pk", "B"]],
  range: [["sk", "S"]],
  indexes: [{ name: "bySort", kind: "global", hash: [["sk", "S"]], range: [["lb", "B"]] }],
};

const large: TableSpec = {
  name: "large",
  hash: [["pk", "S"]],
  range: [["sk", "B"]],
  indexes: [],
};

export const tables: readonly TableSpec[] = [people, events, blobs, large];

/** Indexes that come and go on any table. */
export const lateIndexes: readonly IndexSpec[] = [
  { name: "late-all", kind: "global", hash: [["la", "S"]], range: [["ln", "N"]] },
  { name: "late-keys", kind: "global", hash: [["gk", "S"]], range: [], holds: [] },
  {
    name: "late-many",
    kind: "global",
    hash: [
      ["la", "S"],
      ["gk", "S"],
    ],
    range: [
      ["gs", "N"],
      ["lb", "B"],
    ],
    holds: ["vtxt"],
  },
];

/** Attributes that are or may become keys of an index; their types never change. */
export const indexAttributes: Readonly<Record<string, KeyType>> = {
  la: "S",
  ln: "N",
  lb: "B",
  gk: "S",
  gs: "N",
  flag: "S",
};
