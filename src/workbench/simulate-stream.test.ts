import { expect, test } from "vitest";
import { simulate } from "./simulate.ts";
import { parseWorkload } from "./simulate-parse.ts";

/** One request, or so many, on a table with a global and a local index. */
function run(stream: string, more = "") {
  const text = `duration: 10s
table:
  name: T
  partitionKey: pk
  sortKey: sk
  billing: on-demand
  indexes:
    g: { kind: global, partitionKey: gpk }
    l: { kind: local, sortKey: lsk }
${more}
traffic:
  - { rate: 0.1, ${stream} }
`;
  const { throughput, requests } = simulate(parseWorkload(text, "w.yaml"));
  const [table, index] = throughput.resources;
  const sizes = throughput.resources.map(({ partitions }) =>
    partitions.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  return {
    requests,
    table: [table?.read.units, table?.write.units],
    index: [index?.read.units, index?.write.units],
    calls: table?.read.requests,
    sizes,
  };
}

const place = "key: { fixed: a }, sort: { fixed: b }";
const none = "indexes: { g: none, l: none }";

test.each([
  [`operation: get, size: 9 KB, ${place}`, [1.5, 0], [0, 0]],
  [`operation: get, size: 9 KB, consistency: strong, ${place}`, [3, 0], [0, 0]],
  [`operation: get, size: 9 KB, transaction: true, ${place}`, [6, 0], [0, 0]],
  ["operation: query, size: 1 KB, items: 10, key: { fixed: a }", [1.5, 0], [0, 0]],
  ["operation: query, size: 1 KB, items: 10, index: g, key: { fixed: a }", [0, 0], [1.5, 0]],
  ["operation: query, size: 1 KB, items: 10, index: l, key: { fixed: a }", [1.5, 0], [0, 0]],
  ["operation: scan, size: 1 KB", [128, 0], [0, 0]],
  [`operation: put, size: 2.5 KB, ${place}, ${none}`, [0, 3], [0, 0]],
  [`operation: put, size: 1 KB, sizeBefore: 5 KB, ${place}, ${none}`, [0, 5], [0, 0]],
  [`operation: update, size: 3 KB, transaction: true, ${place}, ${none}`, [0, 6], [0, 0]],
  [`operation: delete, size: 3 KB, ${place}, ${none}`, [0, 3], [0, 0]],
  [
    `operation: put, size: 1 KB, ${place}, indexes: { g: { change: insert, size: 2 KB, key: { fixed: x } }, l: { change: insert, size: 1 KB } }`,
    [0, 2],
    [0, 2],
  ],
  [
    `operation: update, size: 1 KB, transaction: true, ${place}, indexes: { g: { change: move, size: 1.5 KB, sizeBefore: 1 KB, key: { fixed: x } }, l: { change: move, size: 1 KB } }`,
    [0, 4],
    [0, 3],
  ],
  [
    `operation: update, size: 1 KB, ${place}, indexes: { g: { change: update, size: 1 KB, sizeBefore: 3 KB, key: { fixed: x } }, l: { change: remove, size: 2 KB } }`,
    [0, 3],
    [0, 3],
  ],
])("%s", (stream, table, index) => {
  const result = run(stream);
  expect(result.requests).toBe(1);
  expect({ table: result.table, index: result.index }).toEqual({ table, index });
});

test("a query of a sharded key asks all shards; a get does if it cannot know which", () => {
  const shards = (by: string) => `key: { fixed: a, shards: { count: 7, by: ${by} } }`;
  const sort = "sort: { fixed: b }";
  const calls = (stream: string) => run(stream).calls;
  expect(calls(`operation: query, size: 1, ${shards("random")}`)).toBe(7);
  expect(calls(`operation: query, size: 1, ${sort}, ${shards("calculated")}`)).toBe(7);
  expect(calls(`operation: get, size: 1, ${sort}, ${shards("random")}`)).toBe(7);
  expect(calls(`operation: get, size: 1, ${sort}, ${shards("calculated")}`)).toBe(1);
});

test("writes let the table and its index grow and shrink", () => {
  const items = "items: { count: 10, size: 1 KB }";
  const effect = (change: string) =>
    `indexes: { g: { change: ${change}, size: 300, key: { fixed: x } }, l: none }`;
  expect(run(`operation: put, size: 500, ${place}, ${effect("insert")}`, items).sizes).toEqual([
    10_740, 300,
  ]);
  expect(run(`operation: delete, size: 500, ${place}, ${effect("remove")}`, items).sizes).toEqual([
    9_740, 0,
  ]);
});

test("a scan goes through the table from one end to the other", () => {
  const text = `duration: 8s
table: { name: T, partitionKey: pk, billing: on-demand }
items: { count: 8, size: 1 MB }
traffic:
  - { rate: 1, operation: scan, size: 1 MB, items: 1 }
`;
  const { throughput } = simulate(parseWorkload(text, "w.yaml"));
  const requests = throughput.resources[0]?.partitions.map(({ read }) => read.requests);
  expect(requests).toEqual([2, 2, 2, 2]);
});

test("the seed decides which keys are drawn", () => {
  const text = `duration: 100s
table: { name: T, partitionKey: pk, billing: on-demand }
traffic:
  - { rate: 1, operation: get, size: 1, key: { uniform: 1000 } }
`;
  const workload = parseWorkload(text, "w.yaml");
  const spread = (seed: number) =>
    simulate({ ...workload, seed }).throughput.resources[0]?.partitions.map(
      ({ read }) => read.units,
    );
  expect(spread(1)).toEqual(spread(1));
  expect(spread(1)).not.toEqual(spread(2));
});

test("streams begin and end when they should", () => {
  const text = `duration: 20s
table: { name: T, partitionKey: pk, billing: on-demand }
traffic:
  - { name: a, rate: 10, from: 5s, until: 10s, operation: get, size: 1, key: { fixed: a } }
  - { name: b, rate: { ramp: { from: 0, to: 10 } }, operation: get, size: 1, key: { fixed: a } }
`;
  const { streams, history } = simulate(parseWorkload(text, "w.yaml"));
  expect(streams.map(({ requests }) => requests)).toEqual([50, 100]);
  const consumed = history.resources[0]?.read.consumed ?? [];
  expect(consumed.length).toBe(20);
  expect(consumed.reduce((sum, one) => sum + one, 0)).toBe(75);
  expect(consumed[4]).toBeLessThan(consumed[5] ?? 0);
});
