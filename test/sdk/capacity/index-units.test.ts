import {
  BatchWriteItemCommand,
  type ConsumedCapacity,
  DeleteItemCommand,
  PutItemCommand,
  type TransactWriteItem,
  type Update,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";
import { type Item, put, transact } from "../transactions/outcomes.ts";

/**
 * What a write costs in the table and in three indexes: global ones that hold `proj` (inc) and keys
 * only (keys), and a local one that holds everything (all).
 */

const server = useServer();

let table = "";

beforeAll(async () => {
  table = await createTable(server, {
    key: "pk:S sk:S",
    global: {
      inc: { hash: "gpk:S", projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["proj"] } },
      keys: { hash: "gpk:S", projection: { ProjectionType: "KEYS_ONLY" } },
    },
    local: { all: { range: "lsk:S" } },
  });
});

interface Arms {
  readonly table: number;
  readonly inc?: number;
  readonly keys?: number;
  readonly all?: number;
}

interface Case {
  readonly title: string;
  /** Attributes beside the key; nothing: there is no item. */
  readonly before?: Item;
  readonly after?: Item;
  readonly units: Arms;
}

const fill = (bytes: number) => ({ S: "x".repeat(bytes) });
const [g, g2] = [{ S: "g" }, { S: "h" }];
const [l, l2] = [{ S: "l" }, { S: "m" }];
const everywhere: Item = { gpk: g, lsk: l, proj: { S: "p" } };
/** `pk` with 4 bytes and `sk` with one. */
const keyBytes = 2 + 4 + 2 + 1;

const cases: Case[] = [
  { title: "a new item in no index", after: { note: g }, units: { table: 1 } },
  {
    title: "a new item in all indexes",
    after: everywhere,
    units: { table: 1, inc: 1, keys: 1, all: 1 },
  },
  {
    title: "a new item in the global indexes",
    after: { gpk: g },
    units: { table: 1, inc: 1, keys: 1 },
  },
  { title: "a new item in the local index", after: { lsk: l }, units: { table: 1, all: 1 } },
  { title: "the same item again", before: everywhere, after: everywhere, units: { table: 1 } },
  {
    title: "the same large item again",
    before: { ...everywhere, proj: fill(3000) },
    after: { ...everywhere, proj: fill(3000) },
    units: { table: 3 },
  },
  {
    title: "a set in another order",
    before: { ...everywhere, proj: { SS: ["a", "b", "c"] } },
    after: { ...everywhere, proj: { SS: ["c", "a", "b"] } },
    units: { table: 1 },
  },
  {
    title: "a number in another spelling",
    before: { ...everywhere, proj: { N: "100" } },
    after: { ...everywhere, proj: { N: "1.00E2" } },
    units: { table: 1 },
  },
  {
    title: "a map in another order",
    before: { ...everywhere, proj: { M: { a: g, b: l } } },
    after: { ...everywhere, proj: { M: { b: l, a: g } } },
    units: { table: 1 },
  },
  {
    title: "a list in another order is a change",
    before: { gpk: g, proj: { L: [g, l] } },
    after: { gpk: g, proj: { L: [l, g] } },
    units: { table: 1, inc: 1 },
  },
  {
    title: "a change that no index holds",
    before: { gpk: g, note: g },
    after: { gpk: g, note: l },
    units: { table: 1 },
  },
  {
    title: "a change that only the local index holds",
    before: { ...everywhere, note: g },
    after: { ...everywhere, note: l },
    units: { table: 1, all: 1 },
  },
  {
    title: "a projected change",
    before: everywhere,
    after: { ...everywhere, proj: { S: "q" } },
    units: { table: 1, inc: 1, all: 1 },
  },
  {
    title: "a projected attribute that is new",
    before: { gpk: g },
    after: { gpk: g, proj: g },
    units: { table: 1, inc: 1 },
  },
  {
    title: "a projected attribute that goes",
    before: { gpk: g, proj: g },
    after: { gpk: g },
    units: { table: 1, inc: 1 },
  },
  {
    title: "a global key that changes",
    before: everywhere,
    after: { ...everywhere, gpk: g2 },
    units: { table: 1, inc: 2, keys: 2, all: 1 },
  },
  {
    title: "a local key that changes",
    before: everywhere,
    after: { ...everywhere, lsk: l2 },
    units: { table: 1, all: 2 },
  },
  {
    title: "both keys that change",
    before: everywhere,
    after: { ...everywhere, gpk: g2, lsk: l2 },
    units: { table: 1, inc: 2, keys: 2, all: 2 },
  },
  {
    title: "an item that enters the global indexes",
    before: { proj: fill(1500) },
    after: { proj: fill(1500), gpk: g },
    units: { table: 2, inc: 2, keys: 1 },
  },
  {
    title: "an item that enters the local index",
    before: { note: fill(1500) },
    after: { note: fill(1500), lsk: l },
    units: { table: 2, all: 2 },
  },
  {
    title: "an item that leaves the global indexes",
    before: { proj: fill(2500), gpk: g },
    after: { proj: fill(2500) },
    units: { table: 3, inc: 3, keys: 1 },
  },
  {
    title: "an item that leaves the local index",
    before: { note: fill(2500), lsk: l },
    after: { note: fill(2500) },
    units: { table: 3, all: 3 },
  },
  {
    title: "an entry that shrinks",
    before: { gpk: g, proj: fill(3000) },
    after: { gpk: g, proj: g },
    units: { table: 3, inc: 3 },
  },
  {
    title: "an entry that grows",
    before: { gpk: g, proj: g },
    after: { gpk: g, proj: fill(3000) },
    units: { table: 3, inc: 3 },
  },
  {
    title: "a large entry that moves",
    before: { gpk: g, proj: fill(1500) },
    after: { gpk: g2, proj: fill(1500) },
    units: { table: 2, inc: 4, keys: 2 },
  },
  {
    title: "an entry that moves and shrinks: each side by its own size",
    before: { gpk: g, proj: fill(2500) },
    after: { gpk: g2, proj: g },
    units: { table: 3, inc: 4, keys: 2 },
  },
  {
    title: "an entry of exactly one unit",
    after: { gpk: g, proj: fill(1024 - keyBytes - 4 - 4) },
    units: { table: 1, inc: 1, keys: 1 },
  },
  {
    title: "an entry of one byte more",
    after: { gpk: g, proj: fill(1025 - keyBytes - 4 - 4) },
    units: { table: 2, inc: 2, keys: 1 },
  },
  {
    title: "what an index does not hold does not count there",
    after: { gpk: g, note: fill(5000) },
    units: { table: 5, inc: 1, keys: 1 },
  },
  { title: "deleting from no index", before: { note: g }, units: { table: 1 } },
  {
    title: "deleting from all indexes",
    before: everywhere,
    units: { table: 1, inc: 1, keys: 1, all: 1 },
  },
  {
    title: "deleting a large item",
    before: { ...everywhere, proj: fill(3000) },
    units: { table: 3, inc: 3, keys: 1, all: 3 },
  },
  { title: "deleting what is not there", units: { table: 1 } },
];

let serial = 0;
function freshKey(): Item {
  serial += 1;
  return { pk: { S: `${serial}`.padStart(4, "k") }, sk: { S: "1" } };
}

/** The update that makes one item of the other. */
function updateOf(Key: Item, { before = {}, after = {} }: Case): Update {
  const names = new Map<string, string>();
  const name = (attribute: string): string => {
    names.set(`#${attribute}`, attribute);
    return `#${attribute}`;
  };
  const sets = Object.keys(after).map((attribute) => `${name(attribute)} = :${attribute}`);
  const removes = Object.keys(before).filter((attribute) => !(attribute in after));
  const clauses = [
    ...(sets.length > 0 ? [`SET ${sets.join(", ")}`] : []),
    ...(removes.length > 0 ? [`REMOVE ${removes.map(name).join(", ")}`] : []),
  ];
  return {
    TableName: table,
    Key,
    UpdateExpression: clauses.join(" "),
    ExpressionAttributeNames: Object.fromEntries(names),
    ...(sets.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(
        Object.entries(after).map(([attribute, value]) => [`:${attribute}`, value]),
      ),
    }),
  };
}

const ReturnConsumedCapacity = "INDEXES";

/** The ways to write; each answers the capacity of the table. */
const writeAlone = async (Key: Item, { after }: Case) => {
  const common = { TableName: table, ReturnConsumedCapacity } as const;
  const answer =
    after === undefined
      ? await server.client.send(new DeleteItemCommand({ ...common, Key }))
      : await server.client.send(new PutItemCommand({ ...common, Item: { ...Key, ...after } }));
  return answer.ConsumedCapacity;
};
const updateAlone = async (Key: Item, one: Case) => {
  const answer = await server.client.send(
    new UpdateItemCommand({ ...updateOf(Key, one), ReturnConsumedCapacity }),
  );
  return answer.ConsumedCapacity;
};
const batch = async (Key: Item, { after }: Case) => {
  const request =
    after === undefined
      ? { DeleteRequest: { Key } }
      : { PutRequest: { Item: { ...Key, ...after } } };
  const answer = await server.client.send(
    new BatchWriteItemCommand({ RequestItems: { [table]: [request] }, ReturnConsumedCapacity }),
  );
  return onlyOne(answer.ConsumedCapacity);
};
const inTransaction = async (action: TransactWriteItem) =>
  onlyOne((await transact(server, [action], { ReturnConsumedCapacity })).ConsumedCapacity);

function onlyOne(all: ConsumedCapacity[] | undefined): ConsumedCapacity | undefined {
  expect(all).toHaveLength(1);
  return all?.[0];
}

function expected({ table: own, inc, keys, all }: Arms, transaction: boolean): ConsumedCapacity {
  const units = (sum: number) =>
    transaction ? { CapacityUnits: sum, WriteCapacityUnits: sum } : { CapacityUnits: sum };
  const base = transaction ? 2 * own : own;
  return {
    TableName: table,
    ...units(base + (inc ?? 0) + (keys ?? 0) + (all ?? 0)),
    Table: units(base),
    ...((inc ?? keys) !== undefined && {
      GlobalSecondaryIndexes: {
        ...(inc !== undefined && { inc: units(inc) }),
        ...(keys !== undefined && { keys: units(keys) }),
      },
    }),
    ...(all !== undefined && { LocalSecondaryIndexes: { all: units(all) } }),
  };
}

async function check(
  one: Case,
  write: (key: Item, one: Case) => Promise<ConsumedCapacity | undefined>,
  transaction: boolean,
): Promise<void> {
  const key = freshKey();
  if (one.before !== undefined) await put(server, table, { ...key, ...one.before });
  expect(await write(key, one)).toEqual(expected(one.units, transaction));
}

const updates = cases.filter(({ after }) => after !== undefined);

describe("PutItem and DeleteItem", () => {
  test.each(cases)("$title", (one) => check(one, writeAlone, false));
});

describe("UpdateItem", () => {
  test.each(updates)("$title", (one) => check(one, updateAlone, false));
});

describe("BatchWriteItem", () => {
  test.each(cases)("$title", (one) => check(one, batch, false));
});

describe("TransactWriteItems: only the table's part is doubled", () => {
  test.each(cases)("$title", (one) =>
    check(
      one,
      (Key, { after }) =>
        inTransaction(
          after === undefined
            ? { Delete: { TableName: table, Key } }
            : { Put: { TableName: table, Item: { ...Key, ...after } } },
        ),
      true,
    ),
  );

  test.each(updates)("$title, by an update", (one) =>
    check(one, (Key) => inTransaction({ Update: updateOf(Key, one) }), true),
  );
});
