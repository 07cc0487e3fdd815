import { describe, expect, test } from "vitest";
import { UpdateBuilder } from "./expression.ts";
import { indexKey, indexKeys, updateIndexKeys } from "./index-keys.ts";
import { compositeKey } from "./key.ts";

interface Order {
  readonly orderId: string;
  readonly status: string;
  readonly dueAt?: string;
  readonly total?: number;
}

const open = {
  attributes: {
    gsi1pk: compositeKey("OPEN#{shard:4:orderId}"),
    gsi1sk: compositeKey("{dueAt}"),
  },
  only: ({ status }: Order) => status === "open",
};
const byTotal = { attributes: { gsi2pk: () => "ORDERS", gsi2sk: ({ total }: Order) => total } };
const order: Order = { orderId: "7", status: "open", dueAt: "2026-11-16", total: 5 };

describe("keys of indexes", () => {
  test("are there for items that belong in", () => {
    expect(indexKeys([open, byTotal], order)).toEqual({
      gsi1pk: expect.stringMatching(/^OPEN#[0-3]$/),
      gsi1sk: "2026-11-16",
      gsi2pk: "ORDERS",
      gsi2sk: 5,
    });
    expect(indexKey(open, { ...order, status: "done" })).toBeUndefined();
  });

  test("are there together or not at all", () => {
    const { dueAt: _, ...undated } = order;
    expect(indexKeys([open, byTotal], undated)).toEqual({ gsi2pk: "ORDERS", gsi2sk: 5 });
    expect(indexKey(open, { ...order, dueAt: "" })).toBeUndefined();
    expect(indexKey(byTotal, { ...order, total: 0 })).toEqual({ gsi2pk: "ORDERS", gsi2sk: 0 });
  });

  test("come and go with an update", () => {
    const into = updateIndexKeys(new UpdateBuilder().set("status", "open"), [open, byTotal], order);
    expect(into.text()).toBe("SET #n0 = :v0, #n1 = :v1, #n2 = :v2, #n3 = :v3, #n4 = :v4");
    const done: Order = { ...order, status: "done" };
    const out = updateIndexKeys(new UpdateBuilder().set("status", "done"), [open, byTotal], done);
    expect(out.text()).toBe("SET #n0 = :v0, #n3 = :v1, #n4 = :v2 REMOVE #n1, #n2");
    expect(out.placeholders.members().ExpressionAttributeNames).toMatchObject({
      "#n1": "gsi1pk",
      "#n2": "gsi1sk",
    });
  });

  test("take shards and times of the writing", () => {
    const drawn = { attributes: { pk: compositeKey("S#{shard:10}#{shard:24:hour}") } };
    const writing = { now: 0, shard: () => 7 };
    expect(indexKey(drawn, {}, writing)).toEqual({ pk: "S#7#00" });
  });
});
