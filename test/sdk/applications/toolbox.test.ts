import {
  $add,
  $append,
  $delete,
  $remove,
  $set,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  DeleteTransaction,
  Entity,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  GetItemCommand,
  GetTransaction,
  item,
  list,
  map,
  number,
  PutItemCommand,
  PutTransaction,
  prefix,
  QueryCommand,
  ScanCommand,
  set,
  string,
  Table,
  UpdateItemCommand,
  UpdateTransaction,
} from "dynamodb-toolbox";
import { beforeAll, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";

/** A library of books with dynamodb-toolbox: readers, books and loans in one table. */
const server = useServer();
let library: ReturnType<typeof open>;

function open(name: string) {
  const table = new Table({
    name,
    documentClient: server.documents,
    partitionKey: { name: "pk", type: "string" },
    sortKey: { name: "sk", type: "string" },
    indexes: {
      byShelf: {
        type: "global",
        partitionKey: { name: "shelf", type: "string" },
        sortKey: { name: "year", type: "number" },
      },
      byDue: { type: "local", sortKey: { name: "due", type: "number" } },
    },
  });
  const book = new Entity({
    name: "BOOK",
    table,
    schema: item({
      isbn: string().key().savedAs("pk").transform(prefix("BOOK")),
      sort: string().key().savedAs("sk").default("BOOK"),
      title: string(),
      shelf: string().optional(),
      year: number().optional(),
      copies: number().default(1),
      tags: set(string()).optional(),
      notes: list(string()).optional(),
      place: map({ room: string(), row: number().optional() }).optional(),
      version: number().default(1),
    }),
  });
  const loan = new Entity({
    name: "LOAN",
    table,
    schema: item({
      reader: string().key().savedAs("pk").transform(prefix("READER")),
      isbn: string().key().savedAs("sk").transform(prefix("LOAN")),
      due: number(),
    }),
  });
  return { table, book, loan };
}

beforeAll(async () => {
  const name = await createTable(server, {
    key: "pk:S sk:S",
    global: { byShelf: { hash: "shelf:S", range: "year:N" } },
    local: { byDue: { range: "due:N" } },
  });
  library = open(name);
});

const put = (isbn: string, more: { shelf?: string; year?: number; copies?: number } = {}) =>
  library.book.build(PutItemCommand).item({ isbn, title: `Title ${isbn}`, ...more });

const get = async (isbn: string) =>
  (await library.book.build(GetItemCommand).key({ isbn }).options({ consistent: true }).send())
    .Item;

const failed = { name: "ConditionalCheckFailedException" };

test("an entity is parsed, saved and formatted back", async () => {
  await library.book
    .build(PutItemCommand)
    .item({
      isbn: "1",
      title: "One",
      tags: new Set(["b", "a"]),
      notes: ["x"],
      place: { room: "R" },
    })
    .send();
  expect(await get("1")).toMatchObject({
    isbn: "1",
    title: "One",
    copies: 1,
    version: 1,
    tags: new Set(["a", "b"]),
    notes: ["x"],
    place: { room: "R" },
  });
  expect((await get("1"))?.created).toEqual(expect.any(String));
  expect(await get("none")).toBeUndefined();
});

test("a conditional create refuses a second one and shows the first", async () => {
  const create = () =>
    put("2").options({
      condition: { attr: "isbn", exists: false },
      returnValuesOnConditionFalse: "ALL_OLD",
    });
  await create().send();
  const error = await create()
    .send()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ ...failed, Item: { pk: { S: "BOOK#2" } } });
});

test("put and delete answer what was there before", async () => {
  await put("3").send();
  const { Attributes: old } = await put("3", { copies: 7 })
    .options({ returnValues: "ALL_OLD" })
    .send();
  expect(old).toMatchObject({ isbn: "3", copies: 1 });
  const { Attributes: gone } = await library.book
    .build(DeleteItemCommand)
    .key({ isbn: "3" })
    .options({ returnValues: "ALL_OLD" })
    .send();
  expect(gone).toMatchObject({ copies: 7 });
  expect(await get("3")).toBeUndefined();
});

test("an update adds, appends, sets, removes and changes sets", async () => {
  await library.book
    .build(PutItemCommand)
    .item({
      isbn: "4",
      title: "Four",
      tags: new Set(["a"]),
      notes: ["x"],
      place: { room: "R", row: 1 },
    })
    .send();
  const { Attributes } = await library.book
    .build(UpdateItemCommand)
    .item({
      isbn: "4",
      copies: $add(4),
      notes: $append(["y", "z"]),
      tags: $add(new Set(["b", "c"])),
      place: { row: 2 },
      version: $add(1),
    })
    .options({ returnValues: "ALL_NEW" })
    .send();
  expect(Attributes).toMatchObject({
    copies: 5,
    notes: ["x", "y", "z"],
    tags: new Set(["a", "b", "c"]),
    place: { room: "R", row: 2 },
    version: 2,
  });
  const { Attributes: next } = await library.book
    .build(UpdateItemCommand)
    .item({
      isbn: "4",
      tags: $delete(new Set(["a"])),
      notes: $remove(),
      place: $set({ room: "S" }),
    })
    .options({ returnValues: "UPDATED_NEW" })
    .send();
  expect(next).toMatchObject({ tags: new Set(["b", "c"]), place: { room: "S" } });
  expect((await get("4"))?.notes).toBeUndefined();
});

test("of several who expect the same version one succeeds", async () => {
  await put("5").send();
  const attempts = await Promise.allSettled(
    Array.from({ length: 8 }, () =>
      library.book
        .build(UpdateItemCommand)
        .item({ isbn: "5", version: $add(1) })
        .options({ condition: { attr: "version", eq: 1 } })
        .send(),
    ),
  );
  const rejected = attempts.filter(({ status }) => status === "rejected");
  expect(rejected.length).toBe(7);
  for (const attempt of rejected) expect(attempt).toMatchObject({ reason: failed });
  expect((await get("5"))?.version).toBe(2);
});

test("an index with numbers as sort keys pages in their order", async () => {
  const years = [5, -20, 100, 7, 30, 9, 1000, 0.5];
  for (const [i, year] of years.entries()) await put(`s${i}`, { shelf: "A", year }).send();
  const seen: (number | undefined)[] = [];
  let exclusiveStartKey: Record<string, unknown> | undefined;
  let pages = 0;
  do {
    const { Items = [], LastEvaluatedKey } = await library.table
      .build(QueryCommand)
      .entities(library.book)
      .query({ index: "byShelf", partition: "A" })
      .options({ limit: 3, ...(exclusiveStartKey && { exclusiveStartKey }) })
      .send();
    seen.push(...Items.map(({ year }) => year));
    exclusiveStartKey = LastEvaluatedKey;
    pages += 1;
  } while (exclusiveStartKey !== undefined);
  expect(pages).toBe(3);
  expect(seen).toEqual([-20, 0.5, 5, 7, 9, 30, 100, 1000]);
});

test("range conditions, filters and the reverse order", async () => {
  const years = [1990, 1995, 2000, 2005, 2010];
  for (const year of years) await put(`r${year}`, { shelf: "B", year, copies: year % 3 }).send();
  const query = (range: { between: [number, number] } | { gt: number }) =>
    library.table
      .build(QueryCommand)
      .entities(library.book)
      .query({ index: "byShelf", partition: "B", range });
  const ids = ({ Items = [] }: { Items?: { isbn: string }[] }) => Items.map(({ isbn }) => isbn);
  expect(ids(await query({ between: [1995, 2005] }).send())).toEqual(["r1995", "r2000", "r2005"]);
  expect(ids(await query({ gt: 2000 }).options({ reverse: true }).send())).toEqual([
    "r2010",
    "r2005",
  ]);
  const filtered = await query({ gt: 0 })
    .options({ filters: { BOOK: { attr: "copies", gte: 1 } } })
    .send();
  expect(ids(filtered)).toEqual(
    ["r1990", "r2000", "r2005"].filter((id) => Number(id.slice(1)) % 3 >= 1),
  );
  expect(filtered.ScannedCount).toBe(5);
  const { Count } = await query({ gt: 0 }).options({ select: "COUNT" }).send();
  expect(Count).toBe(5);
});

test("loans of a reader are sorted by the local index", async () => {
  for (const [isbn, due] of [
    ["a", 30],
    ["b", 4],
    ["c", 200],
  ] as const) {
    await library.loan.build(PutItemCommand).item({ reader: "ann", isbn, due }).send();
  }
  const { Items = [] } = await library.table
    .build(QueryCommand)
    .entities(library.loan)
    .query({ index: "byDue", partition: "READER#ann" })
    .options({ consistent: true })
    .send();
  expect(Items.map(({ isbn, due }) => [isbn, due])).toEqual([
    ["b", 4],
    ["a", 30],
    ["c", 200],
  ]);
});

test("an item that loses its shelf leaves the index", async () => {
  await put("6", { shelf: "C", year: 1 }).send();
  const count = async () =>
    (await library.table.build(QueryCommand).query({ index: "byShelf", partition: "C" }).send())
      .Count;
  expect(await count()).toBe(1);
  await library.book.build(UpdateItemCommand).item({ isbn: "6", shelf: $remove() }).send();
  expect(await count()).toBe(0);
});

test("batches write and read several entities", async () => {
  const write = library.table
    .build(BatchWriteCommand)
    .requests(
      ...Array.from({ length: 20 }, (_, i) =>
        library.book.build(BatchPutRequest).item({ isbn: `b${i}`, title: "Batch" }),
      ),
      library.loan.build(BatchPutRequest).item({ reader: "bob", isbn: "b0", due: 1 }),
    );
  expect((await executeBatchWrite(write)).UnprocessedItems ?? {}).toEqual({});
  const read = library.table
    .build(BatchGetCommand)
    .requests(
      library.book.build(BatchGetRequest).key({ isbn: "b7" }),
      library.loan.build(BatchGetRequest).key({ reader: "bob", isbn: "b0" }),
      library.book.build(BatchGetRequest).key({ isbn: "never" }),
    );
  const { Responses } = await executeBatchGet(read);
  expect(Responses?.[0]).toMatchObject([{ isbn: "b7" }, { reader: "bob", due: 1 }, undefined]);
  await executeBatchWrite(
    library.table
      .build(BatchWriteCommand)
      .requests(library.book.build(BatchDeleteRequest).key({ isbn: "b7" })),
  );
  expect(await get("b7")).toBeUndefined();
});

test("a loan takes a copy in one transaction, or nothing happens", async () => {
  await put("t1", { copies: 1 }).send();
  const lend = (reader: string) =>
    executeTransactWrite(
      library.book
        .build(UpdateTransaction)
        .item({ isbn: "t1", copies: $add(-1) })
        .options({ condition: { attr: "copies", gt: 0 } }),
      library.loan
        .build(PutTransaction)
        .item({ reader, isbn: "t1", due: 9 })
        .options({ condition: { attr: "isbn", exists: false } }),
    );
  await lend("cyd");
  const error = await lend("dan").catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: "TransactionCanceledException",
    CancellationReasons: [{ Code: "ConditionalCheckFailed" }, { Code: "None" }],
  });
  const { Responses } = await executeTransactGet(
    library.book.build(GetTransaction).key({ isbn: "t1" }),
    library.loan.build(GetTransaction).key({ reader: "cyd", isbn: "t1" }),
    library.loan.build(GetTransaction).key({ reader: "dan", isbn: "t1" }),
  );
  expect(Responses?.map(({ Item }) => Item)).toMatchObject([{ copies: 0 }, { due: 9 }, undefined]);
});

test("a check and a delete in one transaction", async () => {
  await put("t2").send();
  await library.loan.build(PutItemCommand).item({ reader: "eve", isbn: "t2", due: 1 }).send();
  const back = (title: string) =>
    executeTransactWrite(
      library.book
        .build(ConditionCheck)
        .key({ isbn: "t2" })
        .condition({ attr: "title", eq: title }),
      library.loan.build(DeleteTransaction).key({ reader: "eve", isbn: "t2" }),
    );
  await expect(back("Wrong")).rejects.toMatchObject({ name: "TransactionCanceledException" });
  await back("Title t2");
  const { Item } = await library.loan
    .build(GetItemCommand)
    .key({ reader: "eve", isbn: "t2" })
    .send();
  expect(Item).toBeUndefined();
});

test("a parallel scan finds every loan once", async () => {
  const scans = await Promise.all(
    Array.from({ length: 4 }, (_, segment) =>
      library.table
        .build(ScanCommand)
        .entities(library.loan)
        .options({ segment, totalSegments: 4 })
        .send(),
    ),
  );
  const loans = scans.flatMap(({ Items = [] }) =>
    Items.map(({ reader, isbn }) => `${reader} ${isbn}`),
  );
  expect(loans.sort()).toEqual(["ann a", "ann b", "ann c", "bob b0", "cyd t1"]);
});
