import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer, validation } from "../harness.ts";
import { type Item, itemsOf, N, putAll, S, scan, scanPages } from "../reading.ts";

const today = useServer();
const older = useServer({ dialect: "2026-05" });

const tables: Record<string, string> = {};
let olderTable: string;
let items: Item[];

beforeAll(async () => {
  items = Array.from({ length: 60 }, (_, n) => ({
    pk: S(`p${n % 20}`),
    sk: N(n),
    group: S(`g${n % 7}`),
    rank: N(n % 4),
  }));
  const spec = {
    key: "pk:S sk:N",
    global: {
      global: { hash: "group:S" },
      keys: {
        hash: "sk:N",
        range: "group:S",
        projection: { ProjectionType: "KEYS_ONLY" as const },
      },
    },
    local: { local: { range: "rank:N" } },
  };
  tables.strings = await createTable(today, spec);
  await putAll(today, tables.strings, items);
  for (const type of ["N", "B"]) {
    const name = await createTable(today, { key: `pk:${type}` });
    tables[type] = name;
    const keyed = Array.from({ length: 40 }, (_, n) => ({
      pk: type === "N" ? N(n - 20) : { B: Uint8Array.of(n, 255 - n) },
    }));
    await putAll(today, name, keyed);
  }
  olderTable = await createTable(older, spec);
  await putAll(older, olderTable, items);
});

const keyText = (item: Item): string =>
  JSON.stringify([item.pk?.S ?? item.pk?.N ?? Array.from(item.pk?.B ?? []), item.sk?.N]);
const keysOf = (all: readonly Item[]): string[] => all.map(keyText).toSorted();

describe.each([
  ["strings", undefined],
  ["strings", "global"],
  ["strings", "keys"],
  ["strings", "local"],
  ["N", undefined],
  ["B", undefined],
])("table %s, index %s", (table, IndexName) => {
  test.each([1, 2, 3, 4, 5, 7, 16, 50])("%i segments", async (TotalSegments) => {
    const TableName = tables[table];
    const whole = keysOf(itemsOf(await scanPages(today, { TableName, IndexName })));
    expect(whole.length).toBe(table === "strings" ? 60 : 40);
    const segments = await Promise.all(
      Array.from({ length: TotalSegments }, (_, Segment) =>
        scanPages(today, { TableName, IndexName, Segment, TotalSegments, Limit: 9 }),
      ),
    );
    const found = segments.flatMap((all) => itemsOf(all).map(keyText));
    expect(new Set(found).size, "a key in two segments").toBe(found.length);
    expect(found.toSorted()).toEqual(whole);
  });
});

test("items of one partition key are in one segment, in sort order", async () => {
  const seen = new Map<string | undefined, number>();
  for (let Segment = 0; Segment < 4; Segment += 1) {
    const page = await scan(today, { TableName: tables.strings, Segment, TotalSegments: 4 });
    const sorted = new Map<string | undefined, number>();
    for (const { pk, sk } of page.Items ?? []) {
      expect(seen.get(pk?.S) ?? Segment).toBe(Segment);
      seen.set(pk?.S, Segment);
      expect(Number(sk?.N)).toBeGreaterThan(sorted.get(pk?.S) ?? -1);
      sorted.set(pk?.S, Number(sk?.N));
    }
  }
  expect(seen.size).toBe(20);
});

test("a scan in one segment is the scan", async () => {
  const TableName = tables.strings;
  const plain = await scan(today, { TableName });
  expect((await scan(today, { TableName, Segment: 0, TotalSegments: 1 })).Items).toEqual(
    plain.Items,
  );
  const filtered = await scan(today, {
    TableName,
    Segment: 0,
    TotalSegments: 1,
    Select: "COUNT",
    FilterExpression: "sk < :n",
    ExpressionAttributeValues: { ":n": N(10) },
  });
  expect(filtered).toMatchObject({ Count: 10, ScannedCount: 60 });
});

test("the most segments there can be", async () => {
  const TotalSegments = 1_000_000;
  for (const Segment of [0, 999_999]) {
    const page = await scan(today, { TableName: tables.strings, Segment, TotalSegments });
    expect(page.Count).toBeLessThanOrEqual(6);
  }
});

const one = "1 validation error detected: ";
const totalMissing =
  "The TotalSegments parameter is required but was not present in the request when Segment parameter is present";
const segmentMissing =
  "The Segment parameter is required but was not present in the request when parameter TotalSegments is present";
const tooLarge =
  "The Segment parameter is zero-based and must be less than parameter TotalSegments";
const atLeast = (min: number) => `Member must have value greater than or equal to ${min}`;

describe("today", () => {
  test.each([
    [{ Segment: 0 }, totalMissing],
    [{ TotalSegments: 2 }, segmentMissing],
    [{ Segment: 2, TotalSegments: 2 }, tooLarge],
    [{ Segment: 5, TotalSegments: 5 }, tooLarge],
    [{ Segment: 9, TotalSegments: 1 }, tooLarge],
    [
      { Segment: -1, TotalSegments: 2 },
      `${one}Value at 'Segment' failed to satisfy constraint: ${atLeast(0)}`,
    ],
    [{ Limit: 0 }, `${one}Value at 'Limit' failed to satisfy constraint: ${atLeast(1)}`],
  ])("%j", async (segments, message) => {
    await validation(scan(today, { TableName: tables.strings, ...segments }), message);
    // None of it needs the table.
    await validation(scan(today, { TableName: "no-such-table", ...segments }), message);
  });

  test("one segment more than there can be", async () => {
    await validation(
      scan(today, { TableName: tables.strings, Segment: 0, TotalSegments: 1_000_001 }),
      /Member must have value less than or equal to 1000000$/,
    );
  });
});

describe("older dialect", () => {
  test.each([
    [{ Segment: 0 }, totalMissing],
    [{ TotalSegments: 2 }, segmentMissing],
    [{ Segment: 5, TotalSegments: 5 }, `${tooLarge}: Segment: 5 is not less than TotalSegments: 5`],
    [
      { Segment: -1, TotalSegments: 2 },
      `${one}Value '-1' at 'segment' failed to satisfy constraint: ${atLeast(0)}`,
    ],
    [{ Limit: 0 }, `${one}Value '0' at 'limit' failed to satisfy constraint: ${atLeast(1)}`],
    [
      { Segment: 0, TotalSegments: 0 },
      `${one}Value '0' at 'totalSegments' failed to satisfy constraint: ${atLeast(1)}`,
    ],
    [
      { Segment: 0, TotalSegments: 1_000_001 },
      `${one}Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to 1000000`,
    ],
  ])("%j", async (segments, message) => {
    await validation(scan(older, { TableName: olderTable, ...segments }), message);
    await validation(scan(older, { TableName: "no-such-table", ...segments }), message);
  });
});

test.each([
  [{ Segment: 1 }, totalMissing],
  [{ TotalSegments: 1 }, segmentMissing],
  [{ Segment: 1, TotalSegments: 1 }, `${tooLarge}: Segment: 1 is not less than TotalSegments: 1`],
])("segments come before expressions and placeholders: %j", async (segments, message) => {
  const nothing = { ExpressionAttributeNames: {}, ExpressionAttributeValues: {} };
  await validation(
    scan(older, { TableName: "no-such-table", FilterExpression: "", ...nothing, ...segments }),
    message,
  );
});

test.each([
  ["today", today],
  ["older", older],
])("a start key of another segment, dialect %s", async (_, server) => {
  const TableName = server === today ? tables.strings : olderTable;
  const other = await scan(server, { TableName, Segment: 1, TotalSegments: 2, Limit: 1 });
  const ExclusiveStartKey = other.LastEvaluatedKey;
  expect(ExclusiveStartKey).toBeDefined();
  await validation(
    scan(server, { TableName, Segment: 0, TotalSegments: 2, ExclusiveStartKey }),
    "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 0",
  );
  // Any scan of the whole may go on from there.
  const rest = await scanPages(server, { TableName, Segment: 1, TotalSegments: 2, Limit: 7 });
  const next = await scan(server, { TableName, ExclusiveStartKey });
  expect(next.Count).toBe(itemsOf(rest).length - 1);
});
