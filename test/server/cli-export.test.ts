import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { plain } from "../../src/api/response-json.ts";
import { runExport } from "../../src/cli/export.ts";
import { runLoad } from "../../src/cli/load.ts";
import { UsageError } from "../../src/cli/usage-error.ts";
import { startServer } from "../../src/index.ts";
import { MappedPages } from "../../src/storage/lmdb/mapped-pages.ts";
import { type Caller, openWorkbench, type Workbench } from "../../src/workbench/workbench.ts";
import { folderForTests } from "../folder-for-tests.ts";
import { runCli } from "./child-support.ts";

const folder = folderForTests("export");
const data = join(folder, "data");
const mine: Caller = { account: "000000000000", region: "us-east-1" };
const other: Caller = { account: "111111111111", region: "eu-west-1" };

interface Ended {
  readonly code: number | string | null;
  readonly out: string;
  readonly err: string;
}

async function spawned(...args: string[]): Promise<Ended> {
  const child = runCli(args, folder);
  return { code: await child.ended, ...child.written };
}

/** The command without a process of its own, which would take most of the time. */
async function keywright(...args: string[]): Promise<Ended> {
  const [command, ...rest] = args;
  const written = { out: "", err: "" };
  const take = (to: "out" | "err") => (text: string | Uint8Array) => {
    written[to] += String(text);
    return true;
  };
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation(take("out"));
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation(take("err"));
  const raw = {
    all: args.includes("--all"),
    shared: args.includes("--shared"),
    replace: args.includes("--replace"),
  };
  const words = rest.filter((word) => !word.startsWith("--") && !isValue(rest, word));
  try {
    const code =
      command === "export"
        ? await runExport(words, rest, raw)
        : await runLoad(words[0] ?? "", rest, raw);
    return { code, ...written };
  } catch (error) {
    const code = error instanceof UsageError ? 2 : 1;
    return { code, out: written.out, err: `keywright: ${(error as Error).message}\n` };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

const flags = ["--all", "--shared", "--replace"];
const isValue = (args: readonly string[], word: string): boolean => {
  const before = args[args.indexOf(word) - 1];
  return before?.startsWith("--") === true && !flags.includes(before);
};

type Answer = Record<string, Record<string, unknown>>;

async function withData<T>(place: string, work: (workbench: Workbench) => Promise<T>): Promise<T> {
  const workbench = await openWorkbench({ data: place, durability: "relaxed", ttlDelay: false });
  try {
    return await work(workbench);
  } finally {
    await workbench.close();
  }
}

const asking = (workbench: Workbench, caller: Caller) => async (operation: string, body: object) =>
  plain<Answer>(await workbench.execute(operation, body, caller));

const key = (...names: string[]) =>
  names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? "HASH" : "RANGE" }));

const orders = 120;
const item = (i: number) => ({
  pk: { S: `customer ${i % 7}` },
  sk: { N: `${i}` },
  state: { S: i % 2 === 0 ? "open" : 'shipped, "soon"\n' },
  expires: { N: "4000000000" },
  __proto__x: { L: [{ BOOL: true }, { M: { "a b": { NULL: true } } }] },
});

/** Two tables with all that tables can have, and one of the same name of somebody else. */
beforeAll(async () => {
  await withData(data, async (workbench) => {
    const ask = asking(workbench, mine);
    await ask("CreateTable", {
      TableName: "Orders",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "N" },
        { AttributeName: "state", AttributeType: "S" },
      ],
      KeySchema: key("pk", "sk"),
      LocalSecondaryIndexes: [
        {
          IndexName: "by-state",
          KeySchema: key("pk", "state"),
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "all-by-state",
          KeySchema: key("state"),
          Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["expires"] },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
      DeletionProtectionEnabled: true,
      Tags: [{ Key: "team", Value: "shop" }],
    });
    await ask("UpdateTimeToLive", {
      TableName: "Orders",
      TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" },
    });
    await ask("UpdateContinuousBackups", {
      TableName: "Orders",
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: true,
        RecoveryPeriodInDays: 7,
      },
    });
    for (let i = 0; i < orders; i += 1)
      await ask("PutItem", { TableName: "Orders", Item: item(i) });
    await ask("CreateTable", {
      TableName: "Blobs",
      ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "B" }],
      KeySchema: key("id"),
    });
    await ask("PutItem", { TableName: "Blobs", Item: { id: { B: "AAE=" } } });
    const others = asking(workbench, other);
    await others("CreateTable", {
      TableName: "Blobs",
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      KeySchema: key("id"),
    });
    await others("PutItem", { TableName: "Blobs", Item: { id: { S: "of somebody else" } } });
  });
});

/** All that somebody can find out about a database, but for times and ids. */
async function allOf(place: string): Promise<unknown> {
  return withData(place, async (workbench) => {
    const found: unknown[] = [];
    for (const { name, caller } of await workbench.tables()) {
      const ask = asking(workbench, caller);
      const { Table = {} } = await ask("DescribeTable", { TableName: name });
      const { Items } = (await ask("Scan", { TableName: name })) as unknown as { Items: object[] };
      found.push({
        caller,
        items: Items.map((one) => JSON.stringify(one)).toSorted(),
        ttl: await ask("DescribeTimeToLive", { TableName: name }),
        tags: await ask("ListTagsOfResource", { ResourceArn: Table.TableArn as string }),
        recovery: (
          (await ask("DescribeContinuousBackups", { TableName: name }))
            .ContinuousBackupsDescription as {
            PointInTimeRecoveryDescription: Record<string, unknown>;
          }
        ).PointInTimeRecoveryDescription.RecoveryPeriodInDays,
        table: withoutTimes(Table),
      });
    }
    expect(await workbench.verify()).toMatchObject({ problems: [] });
    return found;
  });
}

function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member) =>
      /DateTime$|^TableId$|^LatestStream/.test(name) ? undefined : member,
    ),
  );
}

describe("a whole database", () => {
  test.each([
    ["dynamodb-json", "gzip"],
    ["ion", "none"],
  ])("is written as %s (%s) and comes back as it was", async (format, compression) => {
    const to = join(folder, `out-${format}`);
    const out = await spawned(
      ...["export", "--all", "--data", data, "--to", to],
      ...["--format", format, "--compression", compression],
    );
    expect(out.err).toBe("");
    expect(out.code).toBe(0);
    expect(out.out).toMatch(/^Orders: 120 items, [0-9.]+ KB, [0-9.]+ read units$/m);
    expect(out.out).toMatch(/ holds 3 tables with 122 items \([0-9.]+ s, [0-9,]+ items\/s\)\.\n$/);
    expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
    const again = join(folder, `data-${format}`);
    const loaded = await spawned("load", to, "--data", again);
    expect(loaded.err).toBe("");
    expect(loaded.code).toBe(0);
    expect(loaded.out).toMatch(/ has 3 tables with 122 items more /);
    expect(await allOf(again)).toEqual(await allOf(data));
  });

  test("does not stay in memory, page by page", async () => {
    const limit = vi.spyOn(MappedPages.prototype, "limit");
    const to = join(folder, "page-by-page");
    expect((await keywright("export", "--all", "--data", data, "--to", to)).err).toBe("");
    // At least once for each table.
    expect(limit.mock.calls.length).toBeGreaterThanOrEqual(3);
    limit.mockRestore();
  });

  test("is not overwritten unless that is asked for, at either end", async () => {
    const to = join(folder, "once");
    const again = join(folder, "data-once");
    const write = (...more: string[]) =>
      keywright("export", "--all", "--data", data, "--to", to, ...more);
    expect((await write()).code).toBe(0);
    const second = await write();
    expect(second).toMatchObject({ code: 1, out: "" });
    expect(second.err).toBe(`keywright: ${to} holds an export; --replace replaces it.\n`);
    expect((await write("--replace")).code).toBe(0);
    writeFileSync(join(folder, "not-mine"), "x");
    const file = await keywright(
      "export",
      "--all",
      "--data",
      data,
      "--to",
      join(folder, "not-mine"),
    );
    expect(file).toMatchObject({ code: 1 });
    const foreign = await keywright("export", "--all", "--data", data, "--to", folder, "--replace");
    expect(foreign).toMatchObject({
      code: 1,
      err: `keywright: ${folder} holds something else than an export.\n`,
    });
    expect((await keywright("load", to, "--data", again, "--table", "Blobs")).code).toBe(0);
    const refused = await keywright("load", to, "--data", again);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toBe(
      "keywright: There are tables already: Blobs, Blobs. --replace deletes them first.\n",
    );
    expect((await keywright("load", to, "--data", again, "--replace")).code).toBe(0);
    const guarded = await keywright("load", to, "--data", again, "--replace");
    expect(guarded.code).toBe(1);
    expect(guarded.err).toMatch(
      /Table Orders cannot be loaded: Resource cannot be deleted as it is/,
    );
  });

  test("belongs to whom it shall", async () => {
    const to = join(folder, "owned");
    await keywright("export", "Orders", "--data", data, "--to", to);
    const again = join(folder, "data-owned");
    const { code } = await keywright(
      ...["load", to, "--data", again, "--access-key", "222222222222", "--region", "eu-west-3"],
    );
    expect(code).toBe(0);
    const owners = await withData(again, (workbench) => workbench.owners("Orders"));
    expect(owners).toEqual([{ account: "222222222222", region: "eu-west-3" }]);
  });
});

test("an endpoint is asked for what a folder would have", async () => {
  const server = await startServer({ data, shared: true });
  const to = join(folder, "over-http");
  const out = await keywright("export", "--all", "--endpoint", server.url, "--to", to);
  await server.close();
  expect(out.err).toBe("");
  expect(out.code).toBe(0);
  const direct = join(folder, "direct");
  await keywright("export", "Orders", "--data", data, "--to", direct);
  const lines = (place: string, name: string) =>
    gunzipSync(readFileSync(join(place, "tables", name)))
      .toString()
      .split("\n")
      .toSorted();
  expect(lines(to, "002-Orders.json.gz")).toEqual(lines(direct, "001-Orders.json.gz"));
});

describe("files of items", () => {
  test("become a table, of any format", async () => {
    const csv = join(folder, "people.csv");
    writeFileSync(csv, 'pk,sk,name\na,1,"Ann, ""A"""\nb,2,\n');
    const again = join(folder, "data-csv");
    const loaded = await keywright(
      ...["load", csv, "--table", "People", "--key", "pk:S sk:N", "--data", again, "--shared"],
    );
    expect(loaded.err).toBe("");
    expect(loaded.code).toBe(0);
    expect(
      await withData(again, (workbench) =>
        asking(workbench, mine)("Scan", { TableName: "People" }),
      ),
    ).toMatchObject({
      Count: 2,
    });
    const written = join(folder, "people-out");
    expect(
      (
        await keywright(
          "export",
          "People",
          "--data",
          again,
          "--to",
          written,
          "--format",
          "csv",
          "--compression",
          "none",
        )
      ).code,
    ).toBe(0);
    const text = readFileSync(join(written, "tables", "001-People.csv"), "utf8");
    expect(text.split("\n").toSorted()).toEqual(
      ["", 'a,1,"Ann, ""A"""', "b,2,", "pk,sk,name"].toSorted(),
    );
  });

  test("with errors give what is good, and the reasons", async () => {
    const file = join(folder, "bad.json");
    const line = (value: object) => `${JSON.stringify({ Item: value })}\n`;
    writeFileSync(
      file,
      `${line({ pk: { S: "1" } })}${line({ x: { S: "2" } })}${line({ pk: { S: "3" } })}nonsense\n`,
    );
    const again = join(folder, "data-bad");
    const { code, out } = await keywright(
      "load",
      file,
      "--table",
      "Bad",
      "--key",
      "pk:S",
      "--data",
      again,
    );
    expect(code).toBe(1);
    expect(out).toMatch(/^Bad: 2 items, [0-9]+ B; 2 items were left out$/m);
    expect(out).toMatch(
      /^ {2}bad\.json, item 2: One or more parameter values were invalid: Missing the key pk in the item$/m,
    );
    expect(out).toMatch(/^ {2}bad\.json, item 4: Line 4 is not JSON: /m);
  });

  test("of an export of the service become a table", async () => {
    const place = join(folder, "service", "01693685827463-2d8752fd");
    mkdirSync(join(place, "data"), { recursive: true });
    writeFileSync(
      join(place, "manifest-summary.json"),
      '{"outputFormat":"DYNAMODB_JSON","itemCount":1}',
    );
    const { gzipSync } = await import("node:zlib");
    writeFileSync(join(place, "data", "x.json.gz"), gzipSync('{"Item":{"pk":{"S":"1"}}}\n'));
    const again = join(folder, "data-service");
    const loaded = await keywright(
      "load",
      place,
      "--table",
      "Copy",
      "--key",
      "pk:S",
      "--data",
      again,
    );
    expect(loaded).toMatchObject({ code: 0, err: "" });
    expect(loaded.out).toMatch(/^Copy: 1 item, 26 B$/m);
  });
});

test.each([
  [["export", "--all"], "keywright export needs --to DIR."],
  [["export", "--to", "x"], "Name the tables to export, or give --all."],
  [["export", "Orders", "--all", "--to", "x"], "--all exports all tables; leave out their names."],
  [
    ["export", "--all", "--to", "x"],
    "keywright export needs one of --data DIR, --store URL and --endpoint URL.",
  ],
  [
    ["export", "--all", "--to", "x", "--data", "y", "--format", "xml"],
    "--format takes dynamodb-json or ion or csv, not 'xml'.",
  ],
  [
    ["export", "--all", "--to", "x", "--endpoint", "nowhere"],
    "--endpoint takes a URL such as http://127.0.0.1:8000, not 'nowhere'.",
  ],
  [["load", "x"], "keywright load needs --data DIR or --store URL."],
  [["load", "x", "--data", "y", "--region", "z"], "--access-key and --region go together."],
  [
    ["load", "x", "--data", "y", "--shared", "--region", "z"],
    "--shared and --access-key or --region exclude each other.",
  ],
  [
    ["load", join(folder, "items.txt"), "--data", "y"],
    "What is in items.txt? Say it with --format dynamodb-json, ion or csv.",
  ],
  [
    ["load", join(folder, "items.json"), "--data", "y"],
    "Files of items need --table NAME and --key, such as --key 'pk:S sk:N'.",
  ],
  [
    ["load", join(folder, "items.json"), "--data", "y", "--table", "Tab", "--key", "pk"],
    "--key takes one attribute or two with their types, such as 'pk:S sk:N', not 'pk'.",
  ],
])("%j is a wrong command line", async (args, message) => {
  writeFileSync(join(folder, "items.txt"), "");
  writeFileSync(join(folder, "items.json"), "");
  const { code, err, out } = await keywright(...args);
  expect({ code, err, out }).toEqual({ code: 2, err: `keywright: ${message}\n`, out: "" });
});

test.each([
  [
    ["load", join(folder, "nothing"), "--data", "y"],
    `There is nothing at ${join(folder, "nothing")}.`,
  ],
  [
    ["load", ".", "--data", "y"],
    ". has neither keywright-export.json nor manifest-summary.json in it.",
  ],
  [["export", "Missing", "--data", data, "--to", "x"], "There is no table Missing."],
  [["export", "--all", "--data", "no-data", "--to", "x"], /^There is no data folder at /],
])("%j fails", async (args, message) => {
  const { code, err } = await keywright(...args);
  expect(code).toBe(1);
  if (typeof message === "string") expect(err).toBe(`keywright: ${message}\n`);
  else expect(err.replace("keywright: ", "")).toMatch(message);
});
