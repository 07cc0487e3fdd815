import { GetCommand, PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { batchGet } from "../../../src/patterns/batch.ts";
import { createOnly, mustExist } from "../../../src/patterns/conditions.ts";
import {
  boundedIncrement,
  countOnce,
  increment,
  shardForCount,
  shardsOfCount,
  sumOfShards,
} from "../../../src/patterns/counter.ts";
import { failedMembers, isConditionFailed } from "../../../src/patterns/errors.ts";
import { UpdateBuilder } from "../../../src/patterns/expression.ts";
import {
  acquireLease,
  isNotFencedOff,
  releaseLease,
  renewLease,
} from "../../../src/patterns/lock.ts";
import { sendTransaction } from "../../../src/patterns/retry.ts";
import { putMember, type TransactMember } from "../../../src/patterns/transact.ts";
import { claimUnique, moveUnique, releaseUnique } from "../../../src/patterns/unique.ts";
import { changedAtVersion, lockVersion, putVersion } from "../../../src/patterns/version.ts";
import { createTable, useServer } from "../harness.ts";
import { settled, useClients } from "./support.ts";

const server = useServer();
const clientsOf = useClients(server, 8);
const quick = { base: 1, cap: 20, attempts: 200 };

let table = "";
beforeAll(async () => {
  table = await createTable(server, { key: "pk:S sk:S" });
});

const read = async (pk: string, sk = "@"): Promise<Record<string, unknown> | undefined> => {
  const get = new GetCommand({ TableName: table, Key: { pk, sk }, ConsistentRead: true });
  return (await server.documents.send(get)).Item;
};

describe("unique values", () => {
  const email = (address: string, userId: string) => ({
    table,
    key: { pk: `EMAIL#${address}`, sk: "@" },
    owner: { userId },
  });
  const user = (userId: string, address: string): TransactMember =>
    putMember(table, { pk: `USER#${userId}`, sk: "@", address }, createOnly("pk"));

  test("belong to one of those who race for them, and the others are told", async () => {
    const { answers, errors } = await settled(
      clientsOf().map(({ transact }, i) => {
        const TransactItems = [user(`race-${i}`, "a@x"), claimUnique(email("a@x", `race-${i}`))];
        return sendTransaction(transact, { TransactItems }, quick);
      }),
    );
    expect(answers).toHaveLength(1);
    expect(errors.map(failedMembers)).toEqual(Array(7).fill([1]));
    const owner = (await read("EMAIL#a@x"))?.userId;
    const { Items: users = [] } = await server.documents.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: "begins_with(pk, :u)",
        ExpressionAttributeValues: { ":u": "USER#race" },
      }),
    );
    expect(users.map(({ pk }) => pk)).toEqual([`USER#${owner}`]);
  });

  test("are moved and given back by their owner alone", async () => {
    const [client] = clientsOf();
    const send = (...members: readonly TransactMember[]) =>
      sendTransaction(client!.transact, { TransactItems: [...members] }, quick);
    await send(claimUnique(email("old@x", "7")), claimUnique(email("other@x", "8")));
    await send(...moveUnique(email("old@x", "7"), email("new@x", "7")));
    expect(await read("EMAIL#old@x")).toBeUndefined();
    expect((await read("EMAIL#new@x"))?.userId).toBe("7");
    const taken = await settled([send(...moveUnique(email("new@x", "7"), email("other@x", "7")))]);
    expect(taken.errors.map(failedMembers)).toEqual([[1]]);
    expect((await read("EMAIL#new@x"))?.userId).toBe("7");
    const stolen = await settled([send(releaseUnique(email("other@x", "7")))]);
    expect(stolen.errors.map(failedMembers)).toEqual([[0]]);
    await send(releaseUnique(email("other@x", "8")));
    expect(await read("EMAIL#other@x")).toBeUndefined();
  });
});

describe("versions", () => {
  test("lose no change of those who race", async () => {
    await server.documents.send(
      new PutCommand({ TableName: table, Item: { pk: "DOC#1", sk: "@", version: 1, words: [] } }),
    );
    const clients = clientsOf();
    await Promise.all(
      clients.map(({ update }, i) =>
        changedAtVersion(
          {
            read: () => read("DOC#1"),
            write: async (before) => {
              const { words: old, version } = before as { words: string[]; version: number };
              const words = [...old, `word-${i}`];
              const change = new UpdateBuilder().set("words", words);
              const condition = lockVersion(change, "version", version);
              await update(table, { pk: "DOC#1", sk: "@" }, change, condition);
            },
          },
          quick,
        ),
      ),
    );
    const after = (await read("DOC#1")) as { version: number; words: string[] };
    expect(after.version).toBe(9);
    expect(after.words.toSorted()).toEqual(clients.map((_, i) => `word-${i}`));
  });

  test("of an item that is not there yet are made by one", async () => {
    const { answers, errors } = await settled(
      clientsOf().map(({ update }, i) => {
        const change = new UpdateBuilder().set("by", i);
        const condition = lockVersion(change, "version", undefined);
        return update(table, { pk: "DOC#new", sk: "@" }, change, condition);
      }),
    );
    expect(answers.map(({ Attributes: item }) => item?.version)).toEqual([1]);
    expect(errors).toHaveLength(7);
    expect(errors.every(isConditionFailed)).toBe(true);
  });

  test("are kept one beside the other, with the latest in its place", async () => {
    const key = (sk: string) => ({ pk: "PAGE#1", sk });
    const next = (client: ReturnType<typeof clientsOf>[number], i: number) =>
      changedAtVersion(
        {
          read: () => read("PAGE#1", "LATEST"),
          write: (latest) => {
            const version = ((latest?.version as number | undefined) ?? 0) + 1;
            const TransactItems = putVersion({
              table,
              item: { text: `by ${i}` },
              attribute: "version",
              version,
              versionKey: (number) => key(`V#${String(number).padStart(4, "0")}`),
              latestKey: key("LATEST"),
            });
            return sendTransaction(client.transact, { TransactItems }, quick);
          },
        },
        quick,
      );
    await Promise.all(clientsOf().map(next));
    const latest = await read("PAGE#1", "LATEST");
    expect(latest?.version).toBe(8);
    const versions = await Promise.all(
      Array.from({ length: 8 }, (_, i) => read("PAGE#1", `V#000${i + 1}`)),
    );
    expect(versions.map((one) => one?.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(versions.map((one) => one?.text)).size).toBe(8);
    expect(latest?.text).toBe(versions[7]?.text);
  });
});

describe("counters", () => {
  const key = (pk: string) => ({ pk, sk: "@" });

  test("lose nothing", async () => {
    await Promise.all(
      clientsOf().flatMap(({ update }) =>
        Array.from({ length: 5 }, () => update(table, key("COUNT#1"), increment("n", 3))),
      ),
    );
    expect((await read("COUNT#1"))?.n).toBe(120);
  });

  test("sell no more than there is", async () => {
    await server.documents.send(
      new PutCommand({ TableName: table, Item: { ...key("STOCK#1"), n: 5 } }),
    );
    const { answers, errors } = await settled(
      clientsOf().map(({ update }) => {
        const { update: change, condition } = boundedIncrement("n", -2, { min: 0 });
        return update(table, key("STOCK#1"), change, condition);
      }),
    );
    expect(answers).toHaveLength(2);
    expect(errors.every(isConditionFailed)).toBe(true);
    expect((await read("STOCK#1"))?.n).toBe(1);
    const seats = await settled(
      clientsOf().map(({ update }) => {
        const { update: change, condition } = boundedIncrement("n", 1, { max: 3 });
        return update(table, key("SEATS#1"), change, condition);
      }),
    );
    expect(seats.answers).toHaveLength(3);
    expect((await read("SEATS#1"))?.n).toBe(3);
  });

  test("count an event once, however often it comes", async () => {
    const events = ["e1", "e2", "e3"];
    const { errors } = await settled(
      clientsOf().flatMap(({ transact }) =>
        events.map((event) => {
          const TransactItems = countOnce(
            { table, key: key(`SEEN#${event}`) },
            { table, key: key("COUNT#once"), attribute: "n" },
          );
          return sendTransaction(transact, { TransactItems }, quick);
        }),
      ),
    );
    expect((await read("COUNT#once"))?.n).toBe(3);
    expect(errors.map(failedMembers)).toEqual(Array(21).fill([0]));
  });

  test("that are spread add up", async () => {
    const counter = {
      count: 4,
      keyOf: (shard: string) => key(`VOTES#${shard}`),
      attribute: "n",
    };
    const clients = clientsOf();
    await Promise.all(
      clients.flatMap(({ update }) =>
        Array.from({ length: 10 }, () => update(table, shardForCount(counter), increment("n"))),
      ),
    );
    const keys = shardsOfCount(counter).map((one) => ({ table, key: one }));
    const items = await batchGet(clients[0]!.batchGet, keys, { consistent: true });
    expect(sumOfShards(counter, items)).toBe(80);
  });
});

describe("a lease", () => {
  const key = { pk: "LEASE#1", sk: "@" };

  test("has one owner at a time, with a number of its own", async () => {
    const clients = clientsOf();
    const race = (now: number) =>
      settled(
        clients.map(({ update }, i) => {
          const { update: change, condition } = acquireLease({
            owner: `w${i}`,
            now,
            duration: 100,
          });
          return update(table, key, change, condition);
        }),
      );
    const first = await race(1_000);
    expect(first.answers.map(({ Attributes: item }) => item?.leaseFence)).toEqual([1]);
    expect(first.errors.every(isConditionFailed)).toBe(true);
    expect((await race(1_099)).answers).toEqual([]);
    const second = await race(1_100);
    expect(second.answers.map(({ Attributes: item }) => item?.leaseFence)).toEqual([2]);
  });

  test("is renewed and given back by its owner, while it lasts", async () => {
    const [client] = clientsOf();
    const owner = (await read("LEASE#1"))?.leaseOwner as string;
    const renew = (who: string, now: number) => {
      const { update, condition } = renewLease({ owner: who, now, duration: 100 });
      return client!.update(table, key, update, condition);
    };
    expect((await renew(owner, 1_150)).Attributes?.leaseUntil).toBe(1_250);
    expect((await settled([renew("nobody", 1_160), renew(owner, 1_250)])).errors).toHaveLength(2);
    const { update, condition } = releaseLease({ owner });
    await client!.update(table, key, update, condition);
    expect(await read("LEASE#1")).toEqual({ ...key, leaseFence: 2 });
  });

  test("keeps those out whose turn is over", async () => {
    const [client] = clientsOf();
    const write = (fence: number) => {
      const update = new UpdateBuilder().set("leaseFence", fence);
      return client!.update(table, { pk: "GUARDED", sk: "@" }, update, isNotFencedOff(fence));
    };
    await write(2);
    await write(2);
    const { errors } = await settled([write(1)]);
    expect(errors.every(isConditionFailed) && errors.length).toBe(1);
  });
});

test("an item is made or changed, and never both by mistake", async () => {
  const [client] = clientsOf();
  const key = { pk: "ONE#1", sk: "@" };
  const change = (condition: ReturnType<typeof createOnly>) =>
    client!.update(table, key, new UpdateBuilder().set("a", 1), condition);
  expect((await settled([change(mustExist("pk"))])).errors.map(isConditionFailed)).toEqual([true]);
  await change(createOnly("pk"));
  expect((await settled([change(createOnly("pk"))])).errors.map(isConditionFailed)).toEqual([true]);
  await change(mustExist("pk"));
});
