import { describe, expect, it } from "vitest";
import { durationMs } from "../../src/document/measures.ts";
import type { DurationText } from "../../src/model/document-parts.ts";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { keyOperator } from "../../src/modeller/infrastructure/access.ts";
import { alarmSubject } from "../../src/modeller/infrastructure/alarms.ts";
import { backupSchedule } from "../../src/modeller/infrastructure/backups.ts";
import {
  distinctName,
  plainName,
  shortName,
} from "../../src/modeller/infrastructure/short-name.ts";
import { tagsOf } from "../../src/modeller/infrastructure/tags.ts";
import { described, exampleModel } from "./examples.test-support.ts";

describe("what has to exist", () => {
  it("lets callers of a scope use the keys of that scope, and the application all that it asks for", () => {
    const { policies } = described(exampleModel("online-shop"));
    const own = [`CUSTOMER#\${aws:PrincipalTag/customerId}`];
    expect(policies.map(({ scope }) => scope)).toEqual([["customerId"], []]);
    expect(policies[0]?.statements).toEqual([
      {
        on: "table",
        table: "Shop",
        index: undefined,
        actions: ["dynamodb:GetItem", "dynamodb:UpdateItem"],
        leadingKeys: own,
      },
      {
        on: "table",
        table: "Shop",
        index: "GSI1",
        actions: ["dynamodb:Query"],
        leadingKeys: own,
      },
    ]);
    expect(policies[1]?.statements.every((one) => one.leadingKeys === undefined)).toBe(true);
  });

  it("gives an alarm at four fifths of the most units that there can be", () => {
    const [spread, monthly] = described(exampleModel("rich")).tables;
    const full = (alarms: typeof spread) =>
      alarms?.alarms
        .filter(({ what }) => what.endsWith("capacity"))
        .map(({ index, metric, threshold }) => [index, metric, threshold]);
    expect(full(spread)).toEqual([
      [undefined, "ConsumedReadCapacityUnits", 40 * 60 * 0.8],
      [undefined, "ConsumedWriteCapacityUnits", 50 * 60 * 0.8],
      ["ByOwner", "ConsumedReadCapacityUnits", 7 * 60 * 0.8],
      ["ByOwner", "ConsumedWriteCapacityUnits", 3 * 60 * 0.8],
    ]);
    expect(full(monthly)).toEqual([
      [undefined, "ConsumedReadCapacityUnits", 500 * 60 * 0.8],
      ["ByTime", "ConsumedWriteCapacityUnits", 200 * 60 * 0.8],
    ]);
  });

  it("says what is left out", () => {
    const { missing, tables } = described(
      tableModel({
        stream: "keys-only",
        replicas: ["eu-west-1"],
        aggregates: [{ of: "Thing", into: "Thing.rank", by: { schedule: "rate(10 seconds)" } }],
        tags: {
          team: "a b+c",
          "aws:team": "shop",
          signs: "#",
          long: "x".repeat(257),
          Project: "said when it is deployed",
        },
      }),
    );
    const why =
      "AWS takes letters, digits, spaces and _ . : / = + - @ in them, 128 in a key and 256 in a value";
    expect(missing).toEqual([
      `The tag aws:team of Things is not in it: ${why}.`,
      `The tag signs of Things is not in it: ${why}.`,
      `The tag long of Things is not in it: ${why}.`,
      "The schedule of Thing.rank in Things is not in it: EventBridge Scheduler does not read rate(10 seconds).",
      "The stream of Things has both images, because its replicas need them.",
    ]);
    expect(tables.flatMap(({ table }) => [...tagsOf(table)])).toEqual([["team", "a b+c"]]);
    expect(tables[0]?.schedules).toEqual([]);
  });

  it("leaves out a filter that is too long, and says so", () => {
    const consumer = (length: number) => ({
      name: `c${length}`,
      filter: { a: ["x".repeat(length)] },
    });
    const { tables, missing } = described(
      tableModel({ stream: "keys-only", consumers: [consumer(4_086), consumer(4_087)] }),
    );
    expect(tables[0]?.consumers.map(({ filter }) => filter?.length)).toEqual([4_096, undefined]);
    expect(missing).toEqual([
      "The filter of c4087 on Things is not in it: Lambda takes 4096 characters. The function gets all changes.",
    ]);
  });

  it("has no more tags than a table can have, with the two that are said when it is deployed", () => {
    const tags = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`t${i}`, "x"]));
    const { tables, missing } = described(tableModel({ tags }));
    expect(tables.map(({ table }) => tagsOf(table).size)).toEqual([48]);
    expect(missing).toEqual([
      "The tag t48 of Things is not in it: a table has 50 at most.",
      "The tag t49 of Things is not in it: a table has 50 at most.",
    ]);
  });

  it("leaves room for a prefix before names of tables", () => {
    expect(described(tableModel({})).prefixMax).toBe(64);
    expect(described(tableModel({}, "x".repeat(200))).prefixMax).toBe(55);
    expect(described(tableModel({}, "x".repeat(255))).prefixMax).toBe(0);
  });

  it("asks for no less warm throughput than an on-demand table has", () => {
    const warm = (prewarm: object, billing?: object) =>
      described(tableModel({ prewarm, ...(billing && { billing }) })).tables[0]?.now.create
        .WarmThroughput;
    expect(warm({ read: 100, write: 5_000 })).toEqual({
      ReadUnitsPerSecond: 12_000,
      WriteUnitsPerSecond: 5_000,
    });
    expect(warm({ write: 1 })).toEqual({ WriteUnitsPerSecond: 4_000 });
    expect(warm({ read: 100 }, { provisioned: { read: 5, write: 5 } })).toEqual({
      ReadUnitsPerSecond: 100,
    });
  });

  it("gives alarms names that fit, and are not alike", () => {
    const long = `${"x".repeat(240)}-`;
    const { tables } = described(
      tableModel({
        indexes: {
          [`${long}a`]: { key: { partition: "rank" } },
          [`${long}b`]: { key: { partition: "rank" } },
        },
      }),
    );
    const subjects = tables.flatMap(({ table, alarms }) =>
      alarms.map((alarm) => alarmSubject(table, alarm)),
    );
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(Math.max(...subjects.map(({ length }) => length))).toBe(130);
    expect(subjects).toContain("Things-read-throttles");
  });

  it("adds up the errors of those operations that are used", () => {
    const { tables } = described(exampleModel("online-shop"));
    const errors = tables[0]?.alarms.find(({ metric }) => metric === "SystemErrors");
    const used = ["GetItem", "PutItem", "Query", "TransactWriteItems", "UpdateItem"];
    expect(errors?.operations).toEqual(used);
  });

  it("watches replicas and consumers, too", () => {
    const { tables } = described(exampleModel("rich"));
    const found = tables[0]?.alarms.map(({ metric, dimensions }) => [metric, dimensions.at(-1)]);
    expect(found?.slice(-4)).toEqual([
      ["ReplicationLatency", ["ReceivingRegion", { text: "eu-west-1" }]],
      ["ReplicationLatency", ["ReceivingRegion", { text: "ap-south-1" }]],
      ["IteratorAge", ["FunctionName", "function"]],
      ["ApproximateNumberOfMessagesVisible", ["QueueName", "queue"]],
    ]);
    // Who tries forever gives nothing up.
    expect(tables[1]?.alarms.at(-1)?.metric).toBe("IteratorAge");
  });

  it("allows functions what they keep up, caches what is read through them, and the key of a table", () => {
    const social = described(exampleModel("social-network")).policies;
    const behind = social.find(({ name }) => name[0] === "background");
    expect(behind?.about).toContain("Person.followers by stream");
    expect(behind?.statements).toContainEqual({
      on: "table",
      table: "People",
      index: undefined,
      actions: ["dynamodb:UpdateItem"],
      leadingKeys: undefined,
    });
    const { policies } = described(exampleModel("rich"));
    const of = (on: string) =>
      policies.flatMap(({ statements }) => statements.filter((one) => one.on === on));
    expect(of("cache")).toMatchObject([{ table: "Spread", actions: ["dax:GetItem"] }]);
    // The application reads it, and functions write to it.
    expect(of("key").map(({ table, actions }) => [table, actions])).toEqual([
      ["Spread", ["kms:Decrypt"]],
      ["Spread", ["kms:Decrypt"]],
    ]);
  });

  it("lets nobody read through a cache who is bound to a scope, for it knows no conditions", () => {
    const dax = { node: "dax.t3.small", nodes: 1, patterns: [1] };
    const cached = (scope: readonly string[]) =>
      described(tableModel({ dax }, "Things", scope))
        .policies.flatMap(({ statements }) => statements)
        .map(({ on, actions }) => [on, actions]);
    expect(cached([])).toEqual([
      ["table", ["dynamodb:GetItem"]],
      ["cache", ["dax:GetItem"]],
    ]);
    expect(cached(["id"])).toEqual([["table", ["dynamodb:GetItem"]]]);
  });

  it("compares keys by pattern only where a part may be anything", () => {
    expect(keyOperator([`A#\${aws:PrincipalTag/id}`, `\${*}`])).toBe("ForAllValues:StringEquals");
    expect(keyOperator([`A#\${aws:PrincipalTag/id}#*`])).toBe("ForAllValues:StringLike");
  });

  it("parts a policy that is too long", () => {
    const { policies } = described(manyTables(60));
    expect(policies.length).toBeGreaterThan(2);
    expect(policies.map(({ name }) => name)).toEqual(
      policies.map((_, i) => ["application", String(i + 1)]),
    );
    const tables = policies.flatMap(({ statements }) => statements.map(({ table }) => table));
    expect(new Set(tables).size).toBe(60);
    expect(tables).toHaveLength(60);
    for (const { statements } of policies) {
      const text = JSON.stringify({
        Version: "2012-10-17",
        Statement: statements.map(({ table, actions }) => ({
          Effect: "Allow",
          Action: actions,
          Resource: `arn:aws-us-gov:dynamodb:ap-southeast-1:123456789012:table/${"p".repeat(64)}${table}`,
        })),
      });
      expect(text.length).toBeLessThanOrEqual(6_144);
    }
  });
});

describe("copies", () => {
  it.each([
    ["30m", "cron(0 * * * ? *)"],
    ["1h", "cron(0 * * * ? *)"],
    ["5h", "cron(0 0/4 * * ? *)"],
    ["12h", "cron(0 0/12 * * ? *)"],
    ["1d", "cron(0 5 * * ? *)"],
    ["36h", "cron(0 5 * * ? *)"],
    ["3d", "cron(0 5 1/3 * ? *)"],
    ["7d", "cron(0 5 ? * SUN *)"],
    ["29d", "cron(0 5 1/29 * ? *)"],
    ["30d", "cron(0 5 1 * ? *)"],
    ["45d", "cron(0 5 1 * ? *)"],
    ["90d", "cron(0 5 1 1/3 ? *)"],
    ["150d", "cron(0 5 1 1/4 ? *)"],
    ["365d", "cron(0 5 1 1 ? *)"],
  ])("every %s are made at least as often by %s", (every, cron) => {
    expect(backupSchedule(durationMs(every as DurationText))).toBe(cron);
  });

  it("are planned once for all tables that state the same", () => {
    const { backups } = described(exampleModel("rich"));
    expect(backups.map(({ name, keepDays, tables }) => [name, keepDays, tables.length])).toEqual([
      ["12h-36h", 2, 2],
    ]);
  });
});

describe("short names", () => {
  it("are cut where they are too long, and stay different", () => {
    expect(shortName("abc", 3)).toBe("abc");
    const [a, b] = [shortName(`${"x".repeat(30)}a`, 20), shortName(`${"x".repeat(30)}b`, 20)];
    expect(a).toMatch(/^x{11}-[0-9a-f]{8}$/);
    expect(a).not.toBe(b);
  });

  it("have no signs that a service refuses", () => {
    expect(plainName("a.b c/d", 20)).toBe("a-b-c-d");
    expect(plainName("…", 20)).toBe("x");
    expect(distinctName("a.b-c_d")).toBe("a.b-c_d");
    expect(distinctName("a b")).toMatch(/^a-b-[0-9a-f]{8}$/);
    expect(distinctName("a b")).not.toBe(distinctName("a+b"));
  });
});

/** A model with one table of one entity. */
function tableModel(table: object, name = "Things", scope: readonly string[] = []): Model {
  const read = { name: "one", read: "Thing", where: { id: "equals" }, rps: 1 };
  return modelOf(
    {
      [name]: {
        key: { id: "S" },
        entities: { Thing: { key: { id: "{id}" } } },
        ...table,
      },
    },
    { patterns: { 1: { ...read, ...(scope.length > 0 && { scope }) } } },
  );
}

function modelOf(tables: object, more: object = {}): Model {
  const document = {
    keywright: 1,
    name: "one",
    entities: {
      Thing: {
        id: ["id"],
        count: 10,
        attributes: { id: { type: "S", format: "ulid" }, rank: { type: "N", digits: 3 } },
      },
    },
    patterns: { 1: { name: "one", read: "Thing", where: { id: "equals" }, rps: 1 } },
    design: { tables },
    ...more,
  };
  const { model, complaints } = modelFrom(document as unknown as ModelDocument);
  if (model === undefined) throw new Error(JSON.stringify(complaints, undefined, 1));
  return model;
}

/** So many entities, each in a table of its own and read by its id. */
function manyTables(count: number): Model {
  const names = Array.from({ length: count }, (_, i) => `Thing${i}`);
  const all = (of: (name: string) => object) =>
    Object.fromEntries(names.map((name) => [name, of(name)]));
  const attributes = { id: { type: "S", format: "ulid" } };
  return modelOf(
    Object.fromEntries(
      names.map((name) => [
        `${name}-${"x".repeat(100)}`,
        { key: { id: "S" }, entities: { [name]: { key: { id: "{id}" } } } },
      ]),
    ),
    {
      entities: all(() => ({ id: ["id"], count: 10, attributes })),
      patterns: all((name) => ({ name, read: name, where: { id: "equals" }, rps: 1 })),
    },
  );
}
