import { describe, expect, test } from "vitest";
import { type Condition, equalTo } from "./conditions.ts";
import {
  boundedIncrement,
  countOnce,
  increment,
  shardForCount,
  shardsOfCount,
  sumOfShards,
} from "./counter.ts";
import { VersionConflictError } from "./errors.ts";
import { Placeholders, UpdateBuilder } from "./expression.ts";
import { acquireLease, isNotFencedOff, releaseLease, renewLease } from "./lock.ts";
import { checkMember, updateMember } from "./transact.ts";
import { changeUnique, claimUnique, moveUnique, releaseUnique } from "./unique.ts";
import { changedAtVersion, isAtVersion, lockVersion, putVersion } from "./version.ts";

const text = (condition: Condition | undefined) => {
  const place = new Placeholders();
  const written = condition?.write(place);
  return [written, ...Object.values(place.members().ExpressionAttributeValues ?? {})];
};

describe("unique values", () => {
  const value = (email: string) => ({
    table: "T",
    key: { pk: `EMAIL#${email}`, sk: "@" },
    owner: { userId: "7" },
  });

  test("are claimed if they are free, and given back by their owner", () => {
    expect(claimUnique(value("a"))).toEqual({
      Put: {
        TableName: "T",
        Item: { pk: "EMAIL#a", sk: "@", userId: "7" },
        ConditionExpression: "attribute_not_exists(#n0)",
        ExpressionAttributeNames: { "#n0": "pk" },
      },
    });
    expect(releaseUnique(value("a"))).toEqual({
      Delete: {
        TableName: "T",
        Key: { pk: "EMAIL#a", sk: "@" },
        ConditionExpression: "#n0 = :v0",
        ExpressionAttributeNames: { "#n0": "userId" },
        ExpressionAttributeValues: { ":v0": "7" },
      },
    });
    expect(releaseUnique({ ...value("a"), owner: {} })).toEqual({
      Delete: { TableName: "T", Key: { pk: "EMAIL#a", sk: "@" } },
    });
    const named = { table: "T", key: { pk: "NAME#a", userId: "7" }, owner: { userId: "7" } };
    expect(releaseUnique(named).Delete).toEqual({ TableName: "T", Key: named.key });
    expect(() => claimUnique({ ...value("a"), key: {} })).toThrow("one attribute at least");
  });

  test("change, come and go", () => {
    expect(moveUnique(value("a"), value("a"))).toEqual([]);
    expect(moveUnique(value("a"), { ...value("a"), table: "U" })).toHaveLength(2);
    const members = [releaseUnique(value("a")), claimUnique(value("b"))];
    expect(moveUnique(value("a"), value("b"))).toEqual(members);
    expect(changeUnique(value("a"), value("b"))).toEqual(members);
    expect(changeUnique(undefined, value("b"))).toEqual(members.slice(1));
    expect(changeUnique(value("a"), undefined)).toEqual(members.slice(0, 1));
    expect(changeUnique(undefined, undefined)).toEqual([]);
  });
});

describe("counters", () => {
  test("add", () => {
    expect(increment("n").text()).toBe("ADD #n0 :v0");
    expect(increment(["a", "b"], -2n).placeholders.members().ExpressionAttributeValues).toEqual({
      ":v0": -2n,
    });
  });

  test("keep within bounds, and a missing one is zero", () => {
    const condition = (by: number, bounds: object) =>
      text(boundedIncrement("n", by, bounds).condition);
    const orAbsent = (sign: string) => `attribute_not_exists(#n0) OR #n0 ${sign} :v0`;
    expect(condition(-1, { min: 0 })).toEqual(["#n0 >= :v0", 1]);
    expect(condition(-1, { min: -5 })).toEqual([orAbsent(">="), -4]);
    expect(condition(2, { max: 10 })).toEqual([orAbsent("<="), 8]);
    expect(condition(20, { max: 10 })).toEqual(["#n0 <= :v0", -10]);
    expect(condition(-0.1, { min: 0.2 })).toEqual(["#n0 >= :v0", 0.3]);
    expect(condition(1, { min: 0 })).toEqual([undefined]);
    expect(condition(1, { min: 5 })).toEqual(["attribute_exists(#n0)"]);
  });

  test("count an event once", () => {
    const [mark, change] = countOnce(
      { table: "T", key: { pk: "SEEN#1" }, attributes: { ttl: 5 } },
      { table: "T", key: { pk: "C" }, attribute: "n" },
      3,
    );
    expect(mark.Put).toMatchObject({
      Item: { pk: "SEEN#1", ttl: 5 },
      ConditionExpression: "attribute_not_exists(#n0)",
    });
    expect(change.Update).toMatchObject({ UpdateExpression: "ADD #n0 :v0", Key: { pk: "C" } });
    expect(() =>
      countOnce({ table: "T", key: {} }, { table: "T", key: {}, attribute: "n" }),
    ).toThrow("one attribute at least");
  });

  test("that are hot are spread and added up", () => {
    const counter = { count: 3, keyOf: (shard: string) => ({ pk: `C#${shard}` }), attribute: "n" };
    expect(shardForCount(counter, () => 0.99)).toEqual({ pk: "C#2" });
    expect(shardsOfCount(counter)).toEqual([{ pk: "C#0" }, { pk: "C#1" }, { pk: "C#2" }]);
    expect(sumOfShards(counter, [{ n: 0.1 }, undefined, {}, { n: 0.2 }, { n: 2n }])).toBe(2.3);
    expect(() => sumOfShards(counter, [{ n: "1" }])).toThrow("'n' is no number");
  });
});

describe("versions", () => {
  test("are conditions, and go up", () => {
    expect(text(isAtVersion("v", 3))).toEqual(["#n0 = :v0", 3]);
    expect(text(isAtVersion("v", undefined))).toEqual(["attribute_not_exists(#n0)"]);
    const update = new UpdateBuilder().set("a", 1);
    expect(text(lockVersion(update, "v", 3))).toEqual(["#n0 = :v0", 3]);
    expect(update.text()).toBe("SET #n0 = :v0 ADD #n1 :v1");
  });

  test("are items of their own, with a copy of the latest", () => {
    const versioned = (version: number) =>
      putVersion({
        table: "T",
        item: { id: "7", title: "x" },
        attribute: "v",
        version,
        versionKey: (number) => ({ pk: "DOC#7", sk: `V#${number}` }),
        latestKey: { pk: "DOC#7", sk: "V#LATEST" },
      });
    const [first, latest] = versioned(1);
    expect(first.Put.Item).toEqual({ id: "7", title: "x", v: 1, pk: "DOC#7", sk: "V#1" });
    expect(first.Put.ConditionExpression).toBe("attribute_not_exists(#n0)");
    expect(latest.Put.Item).toEqual({ id: "7", title: "x", v: 1, pk: "DOC#7", sk: "V#LATEST" });
    expect(latest.Put.ConditionExpression).toBe("attribute_not_exists(#n0)");
    expect(latest.Put.ExpressionAttributeNames).toEqual({ "#n0": "v" });
    expect(versioned(3)[1].Put).toMatchObject({
      ConditionExpression: "#n0 = :v0",
      ExpressionAttributeValues: { ":v0": 2 },
    });
    expect(() => versioned(0)).toThrow("count from 1");
  });

  test("are read anew when somebody was faster", async () => {
    const lost = Object.assign(new Error(), { name: "ConditionalCheckFailedException" });
    let stored = 1;
    const options = { sleep: async () => {}, random: () => 0, attempts: 4 };
    const write = async (read: number): Promise<number> => {
      if (read < 3) {
        stored += 1;
        throw lost;
      }
      return read;
    };
    expect(await changedAtVersion({ read: async () => stored, write }, options)).toBe(3);
    const never = changedAtVersion(
      { read: async () => 0, write: () => Promise.reject(lost) },
      options,
    );
    await expect(never).rejects.toBeInstanceOf(VersionConflictError);
    await expect(never).rejects.toMatchObject({ cause: lost });
    const other = { ...options, isConflict: () => false };
    const refused = changedAtVersion(
      { read: async () => 0, write: () => Promise.reject(lost) },
      other,
    );
    await expect(refused).rejects.toBe(lost);
    const broken = { read: async () => 0, write: () => Promise.reject(new Error("broken")) };
    await expect(changedAtVersion(broken, options)).rejects.toThrow("broken");
  });
});

describe("leases", () => {
  const lease = { owner: "me", now: 1_000, duration: 500 };

  test("are taken when they are free or over", () => {
    const { update, condition } = acquireLease(lease);
    expect(update.text()).toBe("SET #n0 = :v0, #n1 = :v1 ADD #n2 :v2");
    expect(update.placeholders.members().ExpressionAttributeValues).toEqual({
      ":v0": "me",
      ":v1": 1_500,
      ":v2": 1,
    });
    expect(text(condition)).toEqual(["attribute_not_exists(#n0) OR #n1 <= :v0", 1_000]);
  });

  test("are renewed and given back by their owner", () => {
    expect(text(renewLease(lease).condition)).toEqual(["#n0 = :v0 AND #n1 > :v1", "me", 1_000]);
    expect(renewLease(lease).update.text()).toBe("SET #n0 = :v0");
    expect(text(releaseLease(lease).condition)).toEqual(["#n0 = :v0", "me"]);
    expect(releaseLease(lease).update.text()).toBe("REMOVE #n0, #n1");
    expect(text(isNotFencedOff(4))).toEqual(["attribute_not_exists(#n0) OR #n0 <= :v0", 4]);
  });
});

test("members of transactions have one set of names and values", () => {
  const update = new UpdateBuilder().set("a", 1);
  expect(updateMember("T", { pk: 1 }, update, equalTo("a", 2))).toEqual({
    Update: {
      TableName: "T",
      Key: { pk: 1 },
      UpdateExpression: "SET #n0 = :v0",
      ConditionExpression: "#n0 = :v1",
      ExpressionAttributeNames: { "#n0": "a" },
      ExpressionAttributeValues: { ":v0": 1, ":v1": 2 },
    },
  });
  expect(checkMember("T", { pk: 1 }, equalTo("a", 2)).ConditionCheck.ConditionExpression).toBe(
    "#n0 = :v0",
  );
});
