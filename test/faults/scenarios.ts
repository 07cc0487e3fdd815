import type { Scenario } from "./run.ts";
import {
  addIndex,
  batchGet,
  batchWrite,
  count,
  createTable,
  deleteTable,
  describe,
  disableTtl,
  dropIndex,
  enableTtl,
  get,
  list,
  protect,
  provision,
  put,
  query,
  queryIndex,
  queryLocal,
  remove,
  type Step,
  scan,
  transact,
  transactGet,
} from "./steps.ts";
import { beginning, hour, type Plain } from "./world.ts";

const numbered = (first: number, length: number, more: (i: number) => Plain): Plain[] =>
  Array.from({ length }, (_, i) => ({ pk: `p${first + i}`, ...more(first + i) }));

/** More items than one step of an index build takes in; some are not for the index. */
const many = 120;
const grouped = (first: number, length: number): Plain[] =>
  numbered(first, length, (i) => (i % 7 === 0 ? {} : { g: `g${i % 3}` }));

function filled(table: string, length: number): Step[] {
  const steps: Step[] = [];
  for (let first = 0; first < length; first += 25) {
    steps.push(batchWrite(table, grouped(first, Math.min(25, length - first))));
  }
  return steps;
}

const tables: Scenario = {
  name: "tables come and go",
  before: [createTable("Old", { global: ["g"] }), put("Old", { pk: "a", g: "x" })],
  script: [
    createTable("New", { global: ["g"], local: ["l"] }),
    createTable("New"),
    put("New", { pk: "a", sk: "1", g: "x", l: "y" }),
    list(),
    describe("New"),
    deleteTable("Old"),
    list(),
    get("Old", { pk: "a" }),
    createTable("Old"),
    get("Old", { pk: "a" }),
    put("Old", { pk: "b" }),
    queryIndex("Old", "g", "x"),
    queryIndex("New", "g", "x"),
    deleteTable("New"),
    "settle",
    describe("New"),
    scan("Old"),
  ],
  after: [list(), createTable("Third"), put("Third", { pk: "a" }), get("Third", { pk: "a" })],
};

const items: Scenario = {
  name: "items on a table with indexes",
  before: [
    createTable("Things", { global: ["g"], local: ["l"] }),
    put("Things", { pk: "a", sk: "0", g: "x", l: "1" }),
  ],
  script: [
    put("Things", { pk: "a", sk: "1", g: "x", l: "2" }),
    put("Things", { pk: "a", sk: "1", g: "z" }, { ifMissing: true }),
    put("Things", { pk: "a", sk: "2", g: "y" }, { ifMissing: true }),
    count("Things", { pk: "a", sk: "1" }),
    count("Things", { pk: "b", sk: "1" }, 5),
    batchWrite(
      "Things",
      [
        { pk: "a", sk: "3", g: "x" },
        { pk: "c", sk: "1", g: "x", l: "3" },
      ],
      [{ pk: "a", sk: "0" }],
    ),
    query("Things", "a"),
    queryIndex("Things", "g", "x"),
    queryLocal("Things", "l", "a"),
    remove("Things", { pk: "a", sk: "1" }),
    remove("Things", { pk: "nobody", sk: "1" }),
    get("Things", { pk: "a", sk: "2" }),
    batchGet("Things", [
      { pk: "a", sk: "1" },
      { pk: "c", sk: "1" },
    ]),
    put("Things", { pk: "c", sk: "1", g: "y" }),
    scan("Things"),
    describe("Things"),
  ],
  after: [
    count("Things", { pk: "b", sk: "1" }),
    query("Things", "b"),
    queryIndex("Things", "g", "y"),
  ],
};

const transfer = transact("Things", [{ pk: "t1", g: "x" }], [{ pk: "a" }, { pk: "b" }], "token-1");

const transactions: Scenario = {
  name: "transactions and their tokens",
  before: [createTable("Things", { global: ["g"] }), put("Things", { pk: "a", g: "x", n: 1 })],
  script: [
    transfer,
    transfer,
    transact("Things", [{ pk: "t2" }], [{ pk: "a" }]),
    transact("Things", [{ pk: "t1" }], [{ pk: "b" }], "token-2"),
    transactGet("Things", [{ pk: "a" }, { pk: "b" }, { pk: "t1" }]),
    [
      [transact("Things", [{ pk: "t3" }], [{ pk: "a" }], "token-3")],
      [transact("Things", [{ pk: "t4" }], [{ pk: "a" }], "token-4")],
    ],
    scan("Things"),
  ],
  after: [transfer, get("Things", { pk: "a" }), get("Things", { pk: "b" })],
};

const building: Scenario = {
  name: "an index is built while others write",
  before: [createTable("Things"), ...filled("Things", many)],
  script: [
    addIndex("Things", "g"),
    [
      [put("Things", { pk: "p3", g: "g9" }), remove("Things", { pk: "p4" })],
      [put("Things", { pk: "p119" }), count("Things", { pk: "p100" })],
    ],
    "settle",
    queryIndex("Things", "g", "g9"),
  ],
  after: [put("Things", { pk: "p7", g: "g7" }), queryIndex("Things", "g", "g7")],
};

const givenUp: Scenario = {
  name: "an index is given up and made again",
  before: [createTable("Things"), ...filled("Things", 12)],
  script: [
    addIndex("Things", "g"),
    dropIndex("Things", "g"),
    put("Things", { pk: "p5", g: "g8" }),
    addIndex("Things", "g"),
    put("Things", { pk: "p6", g: "g8" }),
    "settle",
    queryIndex("Things", "g", "g8"),
    dropIndex("Things", "g"),
    queryIndex("Things", "g", "g8"),
  ],
  after: [describe("Things"), scan("Things")],
};

const clearing: Scenario = {
  name: "a full table is deleted and its name used again",
  before: [createTable("Things", { global: ["g"] }), ...filled("Things", 30)],
  script: [
    [[deleteTable("Things")], [put("Things", { pk: "late", g: "g0" })]],
    createTable("Things", { global: ["h"] }),
    put("Things", { pk: "p1", h: "x" }),
    queryIndex("Things", "h", "x"),
    scan("Things"),
    "settle",
  ],
  after: [put("Things", { pk: "p2", h: "x" }), queryIndex("Things", "h", "x")],
};

const descriptions: Scenario = {
  name: "descriptions change",
  before: [createTable("Things", { global: ["g"] }), put("Things", { pk: "a", g: "x" })],
  script: [
    protect("Things", true),
    deleteTable("Things"),
    provision("Things", ["g"]),
    [
      [protect("Things", false)],
      [put("Things", { pk: "b", g: "x" })],
      [count("Things", { pk: "a" })],
    ],
    queryIndex("Things", "g", "x"),
    deleteTable("Things"),
    list(),
  ],
  after: [createTable("Things"), put("Things", { pk: "c" })],
};

/**
 * A read does not check that the table is still the one that it looked up, as a write does: while the table
 * is being deleted it may find the item gone before the table is. So what it finds does not matter.
 */
const { seen: _, ...glance } = get("Things", { pk: "a" });

/** A look at a table that is not known yet, while it is replaced by another of the same name. */
const replaced: Scenario = {
  name: "a table is replaced while others look at it",
  before: [createTable("Things"), put("Things", { pk: "a" })],
  script: [
    [[glance], [deleteTable("Things"), createTable("Things", { global: ["g"] })]],
    queryIndex("Things", "g", "x"),
    [[glance], [deleteTable("Things")]],
    get("Things", { pk: "a" }),
  ],
  after: [createTable("Things")],
};

const racing: Scenario = {
  name: "writers meet on the same items",
  before: [createTable("Things", { global: ["g"], local: ["l"] })],
  script: [
    [
      [count("Things", { pk: "a", sk: "1" }), put("Things", { pk: "a", sk: "2", l: "1", g: "x" })],
      [count("Things", { pk: "a", sk: "1" }), remove("Things", { pk: "a", sk: "2" })],
      [count("Things", { pk: "a", sk: "1" })],
    ],
    [
      [put("Things", { pk: "b", sk: "1", g: "x" }, { ifMissing: true })],
      [put("Things", { pk: "b", sk: "1", g: "y" }, { ifMissing: true })],
    ],
    query("Things", "a"),
    queryIndex("Things", "g", "x"),
  ],
  after: [count("Things", { pk: "a", sk: "1" }), scan("Things")],
};

/** In the first hour, in the second, and long after. */
const soon = beginning + hour / 2;
const later = soon + hour;
const long = soon + 1_000 * hour;

/** Every third expires soon, every third later, and the others not at all. */
const expiring = (first: number, length: number): Plain[] =>
  numbered(first, length, (i) => ({
    sk: "1",
    g: `g${i % 2}`,
    l: "x",
    ...(i % 3 === 0 ? { e: soon } : i % 3 === 1 ? { e: later } : { e: "never" }),
  }));

const expiry: Scenario = {
  name: "items expire",
  before: [createTable("Things", { global: ["g"], local: ["l"] }), enableTtl("Things", "e")],
  script: [
    batchWrite("Things", expiring(0, 25)),
    [
      [put("Things", { pk: "p0", sk: "1", e: long }), put("Things", { pk: "q", sk: "1", e: soon })],
      [remove("Things", { pk: "p3", sk: "1" }), put("Things", { pk: "p6", sk: "1" })],
    ],
    "an hour",
    describe("Things"),
    scan("Things"),
    queryLocal("Things", "l", "p9"),
    [
      [put("Things", { pk: "p1", sk: "1", e: long }), put("Things", { pk: "p9", sk: "1" })],
      [count("Things", { pk: "p4", sk: "1" }), remove("Things", { pk: "p7", sk: "1" })],
    ],
    "an hour",
    scan("Things"),
    queryIndex("Things", "g", "g0"),
  ],
  after: [get("Things", { pk: "p1", sk: "1" }), put("Things", { pk: "p4", sk: "1", e: later })],
};

const expiryOfOld: Scenario = {
  name: "items expire that were there before, and no longer",
  before: [
    createTable("Things", { global: ["g"], local: ["l"] }),
    ...[0, 25, 50, 75].map((first) => batchWrite("Things", expiring(first, 25))),
    batchWrite("Things", expiring(100, 5)),
  ],
  script: [
    enableTtl("Things", "e"),
    [
      [put("Things", { pk: "p0", sk: "1", e: long }), remove("Things", { pk: "p3", sk: "1" })],
      [put("Things", { pk: "p102", sk: "1", e: "never" })],
    ],
    "an hour",
    scan("Things"),
    disableTtl("Things", "e"),
    [[put("Things", { pk: "p1", sk: "1" })], [put("Things", { pk: "p2", sk: "1", e: later })]],
    "an hour",
    scan("Things"),
    enableTtl("Things", "e"),
    "an hour",
    scan("Things"),
    [[deleteTable("Things")], [put("Things", { pk: "p5", sk: "1", e: long })]],
    "settle",
  ],
  after: [createTable("Third"), enableTtl("Third", "e"), put("Third", { pk: "a", e: long })],
};

const enabling: Scenario = {
  name: "time to live is enabled while others write",
  before: [
    createTable("Things"),
    batchWrite(
      "Things",
      numbered(0, 12, () => ({ e: long })),
    ),
  ],
  script: [
    [
      [enableTtl("Things", "e")],
      [put("Things", { pk: "p0", e: long + 1 }), put("Things", { pk: "p9", e: long })],
      [remove("Things", { pk: "p3" }), put("Things", { pk: "p6" }), remove("Things", { pk: "p9" })],
    ],
    [[put("Things", { pk: "p1", e: long + 2 })], [remove("Things", { pk: "p2" })]],
    "settle",
    scan("Things"),
  ],
  after: [get("Things", { pk: "p0" }), put("Things", { pk: "p3", e: long })],
};

export const scenarios: readonly Scenario[] = [
  tables,
  items,
  transactions,
  building,
  givenUp,
  clearing,
  descriptions,
  replaced,
  racing,
  expiry,
  expiryOfOld,
  enabling,
];
