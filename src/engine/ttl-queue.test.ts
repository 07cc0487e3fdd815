import { expect, test } from "vitest";
import { normaliseNumber } from "../item/number.ts";
import type { Write } from "../storage/store.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { dataKey, queueKey, queueRange } from "./layout.ts";
import { addQueueWrites, expiryOf, queueEntryOf } from "./ttl-queue.ts";

const timeToLive = { attribute: "ttl", queueId: 9 };
const table = { id: 5, timeToLive } as unknown as TableDescriptor;

const secondsOf = (text: string) =>
  expiryOf(timeToLive, { ttl: { N: normaliseNumber(text) as string } });

test.each([
  ["1700000000", 1_700_000_000],
  ["0", 0],
  ["-0", 0],
  ["0.9", 0],
  ["1E-130", 0],
  ["1.7e9", 1_700_000_000],
  ["1700000000.999999999999999999", 1_700_000_000],
  ["253402300799", 253_402_300_799],
  ["253402300799.5", 253_402_300_799],
])("%s is the second %d", (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

test.each([
  "253402300800",
  "1700000000000",
  "9.9E+125",
  "99999999999999999999999999999999999999",
  "-1",
  "-0.5",
  "-1E-130",
  "-9.9E+125",
])("%s never comes", (text) => {
  expect(secondsOf(text)).toBeUndefined();
});

test("only a number at the top level is a time", () => {
  const time = { N: "1700000000" };
  for (const value of [{ S: time.N }, { NS: [time.N] }, { L: [time] }, { M: { N: time } }]) {
    expect(expiryOf(timeToLive, { ttl: value })).toBeUndefined();
  }
  expect(expiryOf(timeToLive, { other: time })).toBeUndefined();
  expect(expiryOf({ attribute: "constructor", queueId: 9 }, {})).toBeUndefined();
  expect(expiryOf({ attribute: "__proto__", queueId: 9 }, {})).toBeUndefined();
});

const item = dataKey(5, Buffer.alloc(16, 7), Buffer.from("sort"));
const expiring = (seconds: number) => ({ ttl: { N: String(seconds) } });

function writesFor(before: number | undefined, after: number | undefined, found?: number): Write[] {
  const writes: Write[] = [];
  const [old, now] = [before, after].map((each) =>
    each === undefined ? undefined : expiring(each),
  );
  addQueueWrites(timeToLive, item, old, now, found, writes);
  return writes;
}

const put = (seconds: number) => ({ kind: "put", key: queueKey(9, seconds, item) });
const remove = (seconds: number) => ({ kind: "delete", key: queueKey(9, seconds, item) });

test("the queue follows the item", () => {
  expect(writesFor(undefined, 10)).toMatchObject([put(10)]);
  expect(writesFor(10, undefined)).toEqual([remove(10)]);
  expect(writesFor(10, 20)).toMatchObject([remove(10), put(20)]);
  expect(writesFor(10, 10)).toEqual([]);
  expect(writesFor(undefined, undefined)).toEqual([]);
});

test("an entry that led to nothing goes", () => {
  expect(writesFor(undefined, undefined, 10)).toEqual([remove(10)]);
});

test("an entry leads to its item", () => {
  expect(queueEntryOf(table, queueKey(9, 1_700_000_000, item))).toEqual({
    seconds: 1_700_000_000,
    item,
  });
});

test("a queue is in the order of time, and no other queue lies within it", () => {
  const keys = [0, 9, 10, 255, 256, 1_700_000_000, 253_402_300_799].map((seconds) =>
    queueKey(9, seconds, item),
  );
  expect(keys.toSorted(Buffer.compare)).toEqual(keys);
  const { start, end } = queueRange(9);
  for (const key of keys) {
    expect(Buffer.compare(start, key)).toBeLessThan(0);
    expect(Buffer.compare(key, end)).toBeLessThan(0);
  }
  expect(Buffer.compare(queueKey(8, 253_402_300_799, item), start)).toBeLessThan(0);
  expect(Buffer.compare(queueKey(10, 0, item), end)).toBeGreaterThan(0);
});
