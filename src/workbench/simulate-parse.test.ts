import { describe, expect, test } from "vitest";
import { parseWorkload } from "./simulate-parse.ts";

const head = `duration: 1m
table: { name: T, partitionKey: id, billing: on-demand }
traffic:
`;
const stream = "  - { operation: get, size: 1 KB, rate: 1, key: { uniform: 5 } }\n";

function complaints(text: string): string[] {
  try {
    parseWorkload(text, "w.yaml");
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
}

test("a small workload is read, with its defaults", () => {
  const { table, traffic, ...rest } = parseWorkload(head + stream, "w.yaml");
  expect(rest).toEqual({
    title: "T",
    seed: 1,
    start: Date.UTC(2026, 0, 1),
    durationMs: 60_000,
    bytes: 0,
  });
  expect(table).toEqual({
    name: "T",
    partitionKey: "id",
    sortKey: undefined,
    settings: { mode: "on-demand" },
    indexes: [],
  });
  expect(traffic).toEqual([
    {
      name: "get 1",
      operation: "get",
      rate: [
        { atMs: 0, rate: 1, endRate: 1 },
        { atMs: 60_000, rate: 0, endRate: 0 },
      ],
      arrivals: "even",
      size: 1_024,
      sizeBefore: 1_024,
      items: 1,
      strong: false,
      transaction: false,
      index: undefined,
      key: { draw: { kind: "uniform", count: 5 }, prefix: "id#", shards: undefined },
      sort: undefined,
      effects: [],
    },
  ]);
});

describe("complaints have a file, a line and a column", () => {
  test.each([
    ["[", ["w.yaml:1:2: Flow sequence must end with a ]"]],
    ["a: 1\na: 2\n", ["w.yaml:2:1: 'a' is there twice; keep one"]],
    ["hello", ["w.yaml:1:1: the file must be a map"]],
    [
      `${head}${stream}colour: red\n`,
      [
        "w.yaml:5:1: colour is not known here; known: title, seed, start, duration, table, items, traffic",
      ],
    ],
    [
      head.replace("on-demand", "free") + stream,
      ["w.yaml:2:46: table.billing must be 'on-demand' or 'provisioned'"],
    ],
    [
      head.replace("1m", "soon") + stream,
      ['w.yaml:1:11: duration must look like "90s" or "15m" or "2h"'],
    ],
    [
      head.replace("1m", "true") + stream,
      ['w.yaml:1:11: duration must be a number or text such as "90s"'],
    ],
    [head.replace("1m", "0") + stream, ["w.yaml:1:11: duration must be longer"]],
    [`${head}  []\n`, ["w.yaml:4:3: traffic must have at least one entry"]],
    [
      `${head}  - { operation: get, rate: 1 }\n`,
      [
        "w.yaml:4:5: traffic[0] needs 'size'",
        "w.yaml:4:5: traffic[0] needs 'key': how 'id' is drawn",
      ],
    ],
    [
      `${head}  - operation: get\n    size: 1\n    rate: -1\n    key: { uniform: 5, zipf: { count: 3 } }\n`,
      [
        "w.yaml:6:11: traffic[0].rate must be at least 0",
        "w.yaml:7:10: traffic[0].key needs exactly one of fixed, uniform, zipf, hot, weights, date",
      ],
    ],
    [
      `${head}  - operation: get\n    size: 1\n    rate: 1\n    key: { uniform: 1.5 }\n`,
      ["w.yaml:7:21: traffic[0].key.uniform must be a whole number"],
    ],
    [
      `${head}  - operation: get\n    size: 1\n    rate: { steps: [{ at: 5s, rate: 1 }, { at: 5s, rate: 2 }] }\n    key: { fixed: a }\n`,
      ["w.yaml:6:48: traffic[0].rate.steps[1].at is not after the one before"],
    ],
    [
      `${head}  - operation: get\n    size: 1\n    rate: 1\n    sort: { uniform: 5 }\n    key: { weights: { a: 0 } }\n`,
      [
        "w.yaml:7:11: traffic[0].sort is given, but there is no sort key",
        "w.yaml:8:21: traffic[0].key.weights are all 0",
      ],
    ],
    [
      `${head}  - operation: get\n    size: 1\n    rate: 1\n    key: { fixed: a, shards: { count: 3, by: calculated } }\n`,
      ["w.yaml:7:46: traffic[0].key.shards.by is calculated from the sort key, and there is none"],
    ],
    [
      `${head}  - operation: put\n    size: 1\n    rate: 1\n    consistency: strong\n    index: x\n    key: { fixed: a }\n`,
      [
        "w.yaml:7:18: traffic[0].consistency is for reads",
        "w.yaml:8:12: traffic[0].index is for query and scan",
        "w.yaml:8:12: traffic[0].index is not an index of the table",
      ],
    ],
    [
      `${head}  - operation: scan\n    size: 1\n    rate: 1\n    key: { fixed: a }\n    until: 2m\n    from: 3m\n`,
      [
        "w.yaml:8:12: traffic[0].until is after the end",
        "w.yaml:9:11: traffic[0].from is not before the end of the stream",
        "w.yaml:7:10: traffic[0].key is not for scan, which reads all",
      ],
    ],
    [
      `${head}${stream}${stream.replace("get", "get, name: get 1")}`,
      ["w.yaml:5:5: traffic[1] has the name 'get 1' of another one"],
    ],
  ])("%j", (text, expected) => {
    expect(complaints(text)).toEqual(expected);
  });

  test("of tables and their indexes", () => {
    const text = `duration: 1m
start: 2026-99-01T00:00:00Z
table:
  name: T
  partitionKey: id
  billing: provisioned
  maximum: { read: 5 }
  autoScaling: { write: { min: 9, max: 2 } }
  indexes:
    a: { kind: global, throughput: { read: 1, write: 1 } }
    b: { kind: local, partitionKey: x }
traffic:
  - operation: put
    size: 1 KB
    rate: 1
    key: { fixed: a }
    indexes: { c: none, a: { change: insert } }
`;
    expect(complaints(text)).toEqual(
      [
        "w.yaml:2:8: start is no date",
        "w.yaml:10:8: table.indexes.a needs 'partitionKey'",
        "w.yaml:11:8: table.indexes.b is local, but the table has no sort key",
        "w.yaml:11:8: table.indexes.b needs 'sortKey'",
        "w.yaml:11:37: table.indexes.b.partitionKey is for global indexes; a local one has the table's",
        "w.yaml:7:12: table.maximum is for on-demand tables",
        "w.yaml:4:3: table is provisioned and needs 'throughput' with 'read' and 'write'",
        "w.yaml:8:25: table.autoScaling.write has a min above its max",
        "w.yaml:17:19: traffic[0].indexes.c is not an index of the table",
        "w.yaml:17:28: traffic[0].indexes.a needs 'size', that of the entry",
      ].concat("… and 2 more"),
    );
  });

  test("of on-demand tables and strong reads of an index", () => {
    const text = `duration: 1m
table:
  name: T
  partitionKey: id
  sortKey: at
  billing: on-demand
  throughput: { read: 5, write: 5 }
  indexes:
    g: { kind: global, partitionKey: x, autoScaling: {} }
traffic:
  - { operation: query, index: g, consistency: strong, size: 1, rate: 1, key: { fixed: a } }
  - { operation: update, size: 1, rate: 1, key: { fixed: a } }
`;
    expect(complaints(text)).toEqual([
      "w.yaml:9:54: table.indexes.g.autoScaling is for provisioned tables",
      "w.yaml:7:15: table.throughput is for provisioned tables",
      "w.yaml:11:48: traffic[0].consistency cannot be strong on a global index",
      "w.yaml:12:5: traffic[1] needs 'sort': how 'at' is drawn",
      "w.yaml:12:5: traffic[1] must say what the write does to index 'g' ('none' if nothing)",
    ]);
  });
});

test("names may be those of things that every object has", () => {
  const text = `duration: 1s
table:
  { name: T, partitionKey: id, billing: on-demand, indexes: { __proto__: { kind: global, partitionKey: x } } }
traffic:
  - operation: put
    size: 1
    rate: 1
    key: { weights: { __proto__: 1, constructor: 2 } }
    indexes: { __proto__: { change: insert, size: 10, key: { fixed: y } } }
`;
  const { table, traffic } = parseWorkload(text, "w.yaml");
  expect(table.indexes.map(({ name }) => name)).toEqual(["__proto__"]);
  expect(traffic[0]?.effects.map(({ index }) => index.name)).toEqual(["__proto__"]);
  const draw = traffic[0]?.key?.draw;
  expect(draw?.kind === "weights" && [...draw.weights.keys()]).toEqual([
    "__proto__",
    "constructor",
  ]);
});
