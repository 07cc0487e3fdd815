import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createTable } from "../harness.ts";
import { day, useTtl, type Value, year } from "./support.ts";

const server = useTtl();

/** Whether an item with such an attribute is there still, when much time has passed. */
async function survives(value: Value, days = 30): Promise<boolean> {
  const table = await server.table();
  const Item = { pk: { S: "item" }, ttl: value };
  await server.client.send(new PutItemCommand({ TableName: table, Item }));
  // What must expire shows that time has done its work.
  await server.put(table, { pk: "witness", ttl: server.second(days * day - 100) });
  await server.elapse(days * day);
  const keys = await server.keys(table);
  expect(keys).not.toContain("witness");
  return keys.includes("item");
}

describe("an item expires", () => {
  test("when the second that it names is over, not before", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", ttl: server.second(100) });
    await server.put(table, { pk: "b", ttl: server.second(3 * day) });
    await server.elapse(99);
    expect(await server.keys(table)).toEqual(["a", "b"]);
    await server.elapse(2 * day);
    expect(await server.keys(table)).toEqual(["b"]);
    await server.elapse(3 * day);
    expect(await server.keys(table)).toEqual([]);
  });

  test("that names a time in the past", async () => {
    expect(await survives({ N: String(server.second(-1)) })).toBe(false);
    expect(await survives({ N: String(server.second(-year)) })).toBe(false);
  });

  test("that names a time almost five years ago", async () => {
    expect(await survives({ N: String(server.second(-5 * year + 40 * day)) })).toBe(false);
  });

  test("whose time has a fraction", async () => {
    expect(await survives({ N: `${server.second(100)}.5` })).toBe(false);
    expect(await survives({ N: `${server.second(100)}.99999999999999999999` })).toBe(false);
  });

  test("whose time is written with an exponent, or with needless zeros", async () => {
    expect(await survives({ N: `${server.second(100)}000E-3` })).toBe(false);
    expect(await survives({ N: `0.${server.second(100)}e10` })).toBe(false);
    expect(await survives({ N: `+000${server.second(100)}.000` })).toBe(false);
  });

  test("by its sort key, if that is the attribute", async () => {
    const table = await createTable(server, { key: "pk:S sk:N" });
    await server.enable(table, "sk");
    await server.put(table, { pk: "a", sk: server.second(day) });
    await server.put(table, { pk: "b", sk: server.second(20 * day) });
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual(["b"]);
  });

  test("by its partition key, if that is the attribute", async () => {
    const table = await createTable(server, { key: "pk:N" });
    await server.enable(table, "pk");
    const later = server.second(20 * day);
    await server.put(table, { pk: server.second(day) });
    await server.put(table, { pk: later });
    await server.elapse(10 * day);
    expect(await server.keys(table)).toEqual([later]);
  });

  test("by an attribute of any name", async () => {
    for (const name of ["a.b", "__proto__", "constructor", "größe"]) {
      const table = await createTable(server, { key: "pk:S" });
      await server.enable(table, name);
      const Item = { pk: { S: "a" } };
      const ttl = { value: { N: String(server.second(day)) }, enumerable: true };
      Object.defineProperty(Item, name, ttl);
      await server.client.send(new PutItemCommand({ TableName: table, Item }));
      expect(await server.keys(table)).toEqual(["a"]);
      await server.elapse(10 * day);
      expect(await server.keys(table), name).toEqual([]);
    }
  });
});

describe("an item does not expire", () => {
  test("without the attribute", async () => {
    const table = await server.table();
    await server.put(table, { pk: "a", TTL: server.second(1), "ttl ": server.second(1) });
    await server.elapse(30 * day);
    expect(await server.keys(table)).toEqual(["a"]);
  });

  const soon = String(server.second(10));
  const others: readonly (readonly [string, Value])[] = [
    ["a string", { S: soon }],
    ["a binary", { B: Buffer.from(soon) }],
    ["a set of numbers", { NS: [soon] }],
    ["a set of strings", { SS: [soon] }],
    ["a list", { L: [{ N: soon }] }],
    ["a map", { M: { ttl: { N: soon }, N: { N: soon } } }],
    ["a boolean", { BOOL: true }],
    ["null", { NULL: true }],
  ];
  test.each(others)("by %s", async (_, value) => {
    expect(await survives(value)).toBe(true);
  });

  test("by an attribute that is not at its top level", async () => {
    const table = await createTable(server, { key: "pk:S" });
    await server.enable(table, "a.ttl");
    await server.put(table, { pk: "item", a: { ttl: server.second(10) } });
    await server.elapse(30 * day);
    expect(await server.keys(table)).toEqual(["item"]);
  });

  test("that names a time more than five years ago", async () => {
    expect(await survives({ N: String(server.second(-5 * year - 40 * day)) })).toBe(true);
    expect(await survives({ N: String(server.second(-20 * year)) })).toBe(true);
  });

  test("by nought, by what is less, and by what is almost nothing", async () => {
    for (const N of ["0", "-0", "-1", `-${soon}`, "0.5", "1E-130", "-1E-130"]) {
      expect(await survives({ N }), N).toBe(true);
    }
  });

  test("that names a time in milliseconds, or one that is out of all reach", async () => {
    const milliseconds = `${server.second(10)}000`;
    for (const N of [milliseconds, "253402300800", "9.9E+125", "1".repeat(38), `9${soon}`]) {
      expect(await survives({ N }), N).toBe(true);
    }
  });
});
