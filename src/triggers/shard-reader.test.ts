import { describe, expect, test } from "vitest";
import type { Position } from "./checkpoints.ts";
import { ShardReader } from "./shard-reader.ts";
import type { IteratorPosition, RecordsPage, StreamRecord } from "./stream-source.ts";

const stream = {
  arn: "arn",
  caller: { account: "123456789012", region: "us-east-1" },
  createdAt: 0,
};

/** The record `n` was written in the second `n`. */
function recordOf(n: number): StreamRecord {
  const dynamodb = { ApproximateCreationDateTime: n, Keys: {}, SequenceNumber: String(n) };
  return {
    eventID: String(n),
    eventName: "INSERT",
    eventVersion: "1.1",
    eventSource: "aws:dynamodb",
    awsRegion: "us-east-1",
    dynamodb,
  };
}

class Failure extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}

/** A shard with the records 1 to `last`, two a page; iterators are the numbers to begin with. */
class FakeShard {
  readonly asked: IteratorPosition[] = [];
  /** Thrown by the next reading, or the next asking for an iterator. */
  failRecords: string | undefined;
  failIterator: string | undefined;
  last = 5;
  isClosed = false;

  async iterator(_: unknown, __: string, position: IteratorPosition): Promise<string> {
    this.asked.push(position);
    const name = this.failIterator;
    this.failIterator = undefined;
    if (name !== undefined) throw new Failure(name);
    switch (position.kind) {
      case "start":
        return "1";
      case "latest":
        return String(this.last + 1);
      case "at":
        return position.sequence;
      case "after":
        return String(Number(position.sequence) + 1);
    }
  }

  async records(_: unknown, iterator: string): Promise<RecordsPage> {
    const name = this.failRecords;
    this.failRecords = undefined;
    if (name !== undefined) throw new Failure(name);
    const from = Number(iterator);
    const to = Math.min(from + 1, this.last);
    const records: StreamRecord[] = [];
    for (let n = from; n <= to; n += 1) records.push(recordOf(n));
    const isEnd = this.isClosed && to >= this.last;
    return { records, next: isEnd ? undefined : String(Math.max(from, to + 1)) };
  }
}

function readerOf(from: Position, isNew = false): { shard: FakeShard; reader: ShardReader } {
  const shard = new FakeShard();
  return { shard, reader: new ShardReader({ source: shard, stream }, "shard", from, isNew) };
}

async function numbers(reader: ShardReader): Promise<string[]> {
  const { records } = await reader.next();
  return records.map(({ dynamodb }) => dynamodb.SequenceNumber);
}

describe("begins", () => {
  test.each<[string, Position, boolean, IteratorPosition, string[]]>([
    ["at the start", { kind: "start" }, false, { kind: "start" }, ["1", "2"]],
    [
      "at a record",
      { kind: "at", sequence: "3" },
      false,
      { kind: "at", sequence: "3" },
      ["3", "4"],
    ],
    [
      "after a record",
      { kind: "after", sequence: "3" },
      false,
      { kind: "after", sequence: "3" },
      ["4", "5"],
    ],
    ["at the end, the first time", { kind: "since", since: 0 }, true, { kind: "latest" }, []],
  ])("%s", async (_, from, isNew, place, expected) => {
    const { shard, reader } = readerOf(from, isNew);
    expect(await numbers(reader)).toEqual(expected);
    expect(shard.asked).toEqual([place]);
  });

  test("at the start, and passes over what is too old, when the end of back then is not known", async () => {
    const { shard, reader } = readerOf({ kind: "since", since: 4_900 });
    expect(await numbers(reader)).toEqual([]);
    expect(await reader.next()).toMatchObject({ isEmpty: false, records: [{ eventID: "4" }] });
    expect(await numbers(reader)).toEqual(["5"]);
    expect(shard.asked).toEqual([{ kind: "start" }]);
  });
});

test("goes on page by page and knows the last record", async () => {
  const { shard, reader } = readerOf({ kind: "start" });
  expect(reader.last).toBeUndefined();
  expect(await numbers(reader)).toEqual(["1", "2"]);
  expect(await numbers(reader)).toEqual(["3", "4"]);
  expect(await reader.next()).toMatchObject({ isEmpty: false, isEnd: false });
  expect(reader.last).toBe("5");
  expect(await reader.next()).toEqual({ records: [], isEmpty: true, isEnd: false });
  shard.last = 6;
  shard.isClosed = true;
  expect(await reader.next()).toMatchObject({ isEnd: true, records: [{ eventID: "6" }] });
  expect(shard.asked).toHaveLength(1);
});

describe("finds its way", () => {
  test("after an iterator has expired", async () => {
    const { shard, reader } = readerOf({ kind: "start" });
    await reader.next();
    shard.failRecords = "ExpiredIteratorException";
    expect(await numbers(reader)).toEqual(["3", "4"]);
    expect(shard.asked.at(-1)).toEqual({ kind: "after", sequence: "2" });
  });

  test("after an iterator has expired before anything was read", async () => {
    const { shard, reader } = readerOf({ kind: "since", since: 3_000 }, true);
    expect(await numbers(reader)).toEqual([]);
    shard.last = 6;
    shard.failRecords = "ExpiredIteratorException";
    expect(await numbers(reader)).toEqual([]);
    expect(await numbers(reader)).toEqual(["3", "4"]);
    expect(shard.asked).toEqual([{ kind: "latest" }, { kind: "start" }]);
  });

  test("when the place was trimmed", async () => {
    const { shard, reader } = readerOf({ kind: "at", sequence: "0" });
    shard.failIterator = "TrimmedDataAccessException";
    expect(await numbers(reader)).toEqual(["1", "2"]);
    expect(shard.asked.at(-1)).toEqual({ kind: "start" });
    // From then on it is like any other reader.
    shard.failRecords = "ExpiredIteratorException";
    expect(await numbers(reader)).toEqual(["3", "4"]);
    expect(shard.asked.at(-1)).toEqual({ kind: "after", sequence: "2" });
  });

  test("to the end when the stream is gone", async () => {
    const { shard, reader } = readerOf({ kind: "start" });
    shard.failRecords = "ResourceNotFoundException";
    expect(await reader.next()).toEqual({ records: [], isEmpty: true, isEnd: true });
  });

  test("no way round other failures", async () => {
    const { shard, reader } = readerOf({ kind: "start" });
    shard.failRecords = "InternalServerError";
    await expect(reader.next()).rejects.toThrow("InternalServerError");
    expect(await numbers(reader)).toEqual(["1", "2"]);
  });
});
