import { describe, expect, test } from "vitest";
import {
  type BatchGetInput,
  type BatchWriteInput,
  batchGet,
  batchWrite,
  UnprocessedError,
} from "./batch.ts";
import { bareRecord, ownOf } from "./values.ts";

const rests: number[] = [];
const options = {
  sleep: async (milliseconds: number) => {
    rests.push(milliseconds);
  },
  random: () => 1,
};

/** A service that answers so many keys of a request and leaves the others. */
function keeper(
  most: number,
  items: (id: unknown) => object | undefined = (id) => ({ id, found: true }),
) {
  const inputs: BatchGetInput[] = [];
  const send = async (input: BatchGetInput) => {
    inputs.push(input);
    let room = most;
    const Responses = bareRecord<Record<string, unknown>[]>();
    const UnprocessedKeys: BatchGetInput["RequestItems"] = {};
    for (const [table, { Keys }] of Object.entries(input.RequestItems)) {
      const done = Keys.slice(0, room);
      const left = Keys.slice(room);
      room -= done.length;
      // Answers come in any order.
      Responses[table] = done.flatMap((key) => items(ownOf(key, "id")) ?? []).reverse() as Record<
        string,
        unknown
      >[];
      if (left.length > 0) UnprocessedKeys[table] = { Keys: left };
    }
    return { Responses, UnprocessedKeys };
  };
  return { send, inputs };
}

const keysOf = (count: number, table = "T") =>
  Array.from({ length: count }, (_, id) => ({ table, key: { id } }));

describe("a batch of keys", () => {
  test("is cut up, and answered in the order of the keys", async () => {
    const { send, inputs } = keeper(1_000, (id) => ((id as number) % 2 === 0 ? { id } : undefined));
    const found = await batchGet(send, keysOf(250), options);
    expect(inputs.map((input) => input.RequestItems.T?.Keys.length)).toEqual([100, 100, 50]);
    expect(found).toHaveLength(250);
    expect(found[42]).toEqual({ id: 42 });
    expect(found[43]).toBeUndefined();
  });

  test("asks once for a key that comes twice", async () => {
    const { send, inputs } = keeper(1_000);
    const keys = [{ id: 1 }, { id: "1" }, { id: 1n }].map((key) => ({ table: "T", key }));
    const found = await batchGet(send, keys, options);
    expect(inputs[0]?.RequestItems.T?.Keys).toHaveLength(2);
    expect(found.map((item) => item?.found)).toEqual([true, true, true]);
  });

  test("asks several tables in one request, and keeps them apart", async () => {
    const { send, inputs } = keeper(1_000);
    const found = await batchGet(send, [...keysOf(2, "A"), ...keysOf(1, "__proto__")], {
      ...options,
      consistent: true,
      projection: ["found", "id"],
    });
    expect(found).toHaveLength(3);
    expect(found.every((item) => item?.found === true)).toBe(true);
    expect(Object.keys(inputs[0]?.RequestItems ?? {})).toEqual(["A", "__proto__"]);
    expect(inputs[0]?.RequestItems.A).toEqual({
      Keys: [{ id: 0 }, { id: 1 }],
      ConsistentRead: true,
      ProjectionExpression: "#n0, #n1",
      ExpressionAttributeNames: { "#n0": "id", "#n1": "found" },
    });
  });

  test("goes on with what was left, after rests, and begins to count anew when something was done", async () => {
    rests.length = 0;
    const { send, inputs } = keeper(30);
    const found = await batchGet(send, keysOf(100), { ...options, attempts: 2 });
    expect(found.filter((item) => item !== undefined)).toHaveLength(100);
    expect(inputs).toHaveLength(4);
    expect(rests).toEqual([50, 50, 50]);
  });

  test("gives up when nothing more is done, and says what is left", async () => {
    const { send, inputs } = keeper(0);
    const failed = batchGet(send, keysOf(3), { ...options, attempts: 4 });
    await expect(failed).rejects.toThrow("3 of a batch are still undone");
    await expect(failed).rejects.toBeInstanceOf(UnprocessedError);
    expect(await failed.catch((error) => error.unprocessed)).toEqual(keysOf(3));
    expect(inputs).toHaveLength(4);
  });

  test("takes a throttled request for one of which nothing was done, and no other error", async () => {
    const { send } = keeper(100);
    let calls = 0;
    const throttled = async (input: BatchGetInput) => {
      calls += 1;
      if (calls < 3) {
        throw Object.assign(new Error(), { name: "ProvisionedThroughputExceededException" });
      }
      return send(input);
    };
    expect(await batchGet(throttled, keysOf(1), options)).toEqual([{ id: 0, found: true }]);
    const broken = () => Promise.reject(new Error("broken"));
    await expect(batchGet(broken, keysOf(1), options)).rejects.toThrow("broken");
  });

  test("keeps so many requests under way", async () => {
    let running = 0;
    let most = 0;
    const send = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return {};
    };
    await batchGet(send, keysOf(1_000), { ...options, concurrency: 3 });
    expect(most).toBe(3);
    most = 0;
    await batchGet(send, keysOf(1_000), options);
    expect(most).toBe(4);
    expect(await batchGet(send, [], options)).toEqual([]);
  });
});

describe("a batch of writes", () => {
  const recorder = (undone: (input: BatchWriteInput, call: number) => object = () => ({})) => {
    const inputs: BatchWriteInput[] = [];
    const send = async (input: BatchWriteInput) => {
      inputs.push(input);
      return undone(input, inputs.length);
    };
    return { send, inputs };
  };

  test("is cut up, and the last write to an item counts", async () => {
    const { send, inputs } = recorder();
    const puts = Array.from({ length: 30 }, (_, id) => ({ table: "T", put: { id, v: 1 } }));
    await batchWrite(
      send,
      [...puts, { table: "T", delete: { id: 0 } }, { table: "T", put: { id: 1, v: 2 } }],
      { ...options, keyNames: ["id"] },
    );
    const sent = inputs.flatMap((input) => input.RequestItems.T ?? []);
    expect(inputs.map((input) => input.RequestItems.T?.length)).toEqual([25, 5]);
    expect(sent).toHaveLength(30);
    expect(sent.at(-2)).toEqual({ DeleteRequest: { Key: { id: 0 } } });
    expect(sent.at(-1)).toEqual({ PutRequest: { Item: { id: 1, v: 2 } } });
  });

  test("knows the keys of each table", async () => {
    const { send, inputs } = recorder();
    const writes = [
      { table: "A", put: { id: 1, b: 1 } },
      { table: "A", put: { id: 1, b: 2 } },
      { table: "B", put: { id: 1, b: 1 } },
      { table: "B", put: { id: 1, b: 2 } },
    ];
    const keyNames = (table: string) => (table === "A" ? ["id"] : ["id", "b"]);
    await batchWrite(send, writes, { ...options, keyNames });
    expect(inputs[0]?.RequestItems.A).toHaveLength(1);
    expect(inputs[0]?.RequestItems.B).toHaveLength(2);
  });

  test("sends again what was left, and only that", async () => {
    const { send, inputs } = recorder(({ RequestItems }, call) =>
      call === 1 ? { UnprocessedItems: { T: RequestItems.T?.slice(1) } } : {},
    );
    await batchWrite(
      send,
      [
        { table: "T", put: { id: 1 } },
        { table: "T", put: { id: 2 } },
        { table: "T", delete: { id: 3 } },
      ],
      { ...options, keyNames: ["id"] },
    );
    expect(inputs[1]).toEqual({
      RequestItems: {
        T: [{ PutRequest: { Item: { id: 2 } } }, { DeleteRequest: { Key: { id: 3 } } }],
      },
    });
    expect(inputs).toHaveLength(2);
  });
});
