import { TransactWriteItemsCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { expectError, useServer, validation } from "../harness.ts";
import { type Change, change, ItemTable, type Plain } from "../item-table.ts";

const server = useServer();
const plain = new ItemTable(server);
const sorted = new ItemTable(server, { key: "pk:S sk:S" });
const indexed = new ItemTable(server, {
  key: "pk:S sk:S",
  global: { global1: { hash: "g:S", range: "h:N" }, binary1: { hash: "b:B" } },
  local: { local1: { range: "l:S" } },
});

const key = () => ({ ...indexed.freshKey(), sk: "s" });

describe("key attributes cannot be updated", () => {
  const refusal = (name: string) =>
    `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`;

  test.each<readonly [string, string, Plain | undefined]>([
    ["SET pk = :v", "pk", { v: "other" }],
    ["SET a = :v, pk = :v", "pk", { v: 1 }],
    ["SET pk = pk", "pk", undefined],
    ["SET pk.x = :v", "pk", { v: 1 }],
    ["SET pk[0] = :v", "pk", { v: 1 }],
    ["REMOVE pk", "pk", undefined],
    ["ADD pk :v", "pk", { v: 1 }],
    ["DELETE pk :v", "pk", { v: new Set(["a"]) }],
    ["SET sk = :v", "sk", { v: "other" }],
    ["SET a = :v REMOVE sk", "sk", { v: 1 }],
    ["SET sk = :v, pk = :v", "pk", { v: "other" }],
  ])("%s", async (expression, name, values) => {
    const of = { ...sorted.freshKey(), sk: "s" };
    await validation(sorted.update(of, change(expression, values)), refusal(name));
    expect(await sorted.get(of)).toBeUndefined();
  });

  test("not even to the value they have", async () => {
    const of = await plain.put();
    await validation(plain.update(of, change("SET pk = :v", { v: of.pk })), refusal("pk"));
  });

  test("nor by AttributeUpdates", async () => {
    const of = plain.freshKey();
    const AttributeUpdates = { a: { Value: 1 }, pk: { Value: "x" } };
    await validation(plain.update(of, { AttributeUpdates } as Change), refusal("pk"));
  });

  test("the Key must fit the schema first", async () => {
    await validation(
      sorted.update({ pk: "only" }, change("SET pk = :v", { v: "x" })),
      "The provided key element does not match the schema",
    );
  });
});

describe("index keys that are bound to get another type", () => {
  const mismatch = (name: string, expected: string, actual: string, index: string) =>
    `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${expected} Actual: ${actual} IndexName: ${index}`;

  test.each<readonly [string, Plain | undefined, string]>([
    ["SET g = :v", { v: 1 }, mismatch("g", "S", "N", "global1")],
    ["SET g = :v", { v: [1] }, mismatch("g", "S", "L", "global1")],
    ["SET g = :v", { v: null }, mismatch("g", "S", "NULL", "global1")],
    ["SET g = :v", { v: true }, mismatch("g", "S", "BOOL", "global1")],
    ["SET h = :v", { v: "1" }, mismatch("h", "N", "S", "global1")],
    ["SET b = :v", { v: "text" }, mismatch("b", "B", "S", "binary1")],
    ["SET l = :v", { v: 1 }, mismatch("l", "S", "N", "local1")],
    ["ADD g :v", { v: 1 }, mismatch("g", "S", "N", "global1")],
    ["SET g = a + :v", { v: 1 }, mismatch("g", "S", "N", "global1")],
    ["SET a.x = :v, g = :v", { v: 1 }, mismatch("g", "S", "N", "global1")],
    ["SET a = l.x, g = a - :v", { v: 1 }, mismatch("g", "S", "N", "global1")],
  ])("%s with %o", async (expression, values, message) => {
    const of = key();
    await validation(indexed.update(of, change(expression, values)), message);
    expect(await indexed.get(of)).toBeUndefined();
  });

  test("in AttributeUpdates too", () =>
    validation(
      indexed.update(key(), { AttributeUpdates: { g: { Value: 1 } } } as Change),
      mismatch("g", "S", "N", "global1"),
    ));

  test("a condition that fails is not even looked at", () =>
    validation(
      indexed.update(key(), {
        ...change("SET g = :v", { v: 1 }),
        ConditionExpression: "attribute_exists(pk)",
      }),
      mismatch("g", "S", "N", "global1"),
    ));

  test("in a transaction it is the reason of one action", async () => {
    const error = await expectError(
      server.client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            {
              Update: {
                TableName: indexed.name,
                Key: { pk: { S: "t" }, sk: { S: "s" } },
                UpdateExpression: "SET g = :v",
                ExpressionAttributeValues: { ":v": { N: "1" } },
              },
            },
          ],
        }),
      ),
      "TransactionCanceledException",
    );
    expect(error).toMatchObject({
      CancellationReasons: [
        { Code: "ValidationError", Message: mismatch("g", "S", "N", "global1") },
      ],
    });
  });
});

describe("index keys that get another type from the item", () => {
  test.each(["SET g = n", "SET l = n", "SET h = s", "SET g = if_not_exists(n, s)"])(
    "%s",
    async (expression) => {
      const of = key();
      await indexed.update(of, change("SET n = :n, s = :s", { n: 1, s: "x" }));
      await validation(
        indexed.update(of, change(expression)),
        "The update expression attempted to update the secondary index key to unsupported type",
      );
    },
  );
});

describe("index keys that would be empty", () => {
  const refusal = (kind: string) =>
    `One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty ${kind} value.`;

  test.each([
    ["SET g = :v", "", "string"],
    ["SET l = :v", "", "string"],
    ["SET b = :v", new Uint8Array(), "binary"],
  ])("%s with an empty %o", async (expression, v, kind) => {
    const of = key();
    await validation(indexed.update(of, change(expression, { v })), refusal(kind));
    expect(await indexed.get(of)).toBeUndefined();
  });

  test("a transaction is refused as a whole", () =>
    validation(
      server.client.send(
        new TransactWriteItemsCommand({
          TransactItems: [
            {
              Update: {
                TableName: indexed.name,
                Key: { pk: { S: "t" }, sk: { S: "s" } },
                UpdateExpression: "SET l = :v",
                ExpressionAttributeValues: { ":v": { S: "" } },
              },
            },
          ],
        }),
      ),
      refusal("string"),
    ));
});

test("an index key may be removed, copied and replaced", async () => {
  const of = key();
  await indexed.update(of, change("SET g = :v, h = :n, l = pk", { v: "x", n: 1 }));
  expect(await indexed.get(of)).toEqual({ ...of, g: "x", h: 1, l: of.pk });
  await indexed.update(of, change("REMOVE g, l ADD h :n", { n: 2 }));
  expect(await indexed.get(of)).toEqual({ ...of, h: 3 });
});

describe("no path leads into a key", () => {
  const scalars = (what: string) =>
    `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${what}`;

  test.each<readonly [string, Plain | undefined, string]>([
    ["SET g.x = :v", { v: 1 }, "IndexKey: g"],
    ["SET l[1] = :v", { v: 1 }, "IndexKey: l"],
    ["ADD h.x :v", { v: 1 }, "IndexKey: h"],
    ["SET a = b[1]", undefined, "IndexKey: b"],
    ["SET a = if_not_exists(g.x, :v)", { v: 1 }, "IndexKey: g"],
    ["SET a = list_append(e, f), d = l.x", undefined, "IndexKey: l"],
    ["SET a = pk.x", undefined, "Key: pk"],
    ["SET a = sk[0] + g.x", undefined, "Key: sk"],
  ])("%s", async (expression, values, what) => {
    await validation(indexed.update(key(), change(expression, values)), scalars(what));
  });

  test.each([
    ["attribute_exists(g.x)", "IndexKey: g"],
    ["pk[0] = :v", "Key: pk"],
  ])("condition %s", async (ConditionExpression, what) => {
    const update = {
      ConditionExpression,
      ...(ConditionExpression.includes(":v") && { ExpressionAttributeValues: { ":v": 1 } }),
    };
    await validation(indexed.update(key(), update), scalars(what));
  });
});

describe("how large an index key may get", () => {
  test.each([
    ["SET g = :v, h = :n", 2_048],
    ["SET l = :v, h = :n", 1_024],
  ])("%s", async (expression, bytes) => {
    const of = key();
    const set = (size: number) => change(expression, { v: "x".repeat(size), n: 1 });
    await indexed.update(of, set(bytes));
    await validation(indexed.update(of, set(bytes + 1)), /size limit/);
  });
});

test("a table that is not there", async () => {
  const request = { TableName: "no-such-table", Key: { pk: { S: "x" } } };
  await expectError(
    server.client.send(new UpdateItemCommand(request)),
    "ResourceNotFoundException",
    "Requested resource not found",
  );
});
