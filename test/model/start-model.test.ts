import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type AttributeValue,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  ScanCommand,
  type TableDescription,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ManualClock, ModelError, type RunningServer, startServer } from "../../src/index.ts";
import { itemSize } from "../../src/item/size.ts";
import type { Index, Table } from "../../src/model/design.ts";
import { examples, modelOf, smallModel } from "../../src/model/model.test-support.ts";
import type { Model } from "../../src/model/model.ts";
import type { Predicate } from "../../src/model/requirements.ts";
import { Facts } from "../../src/modeller/facts.ts";
import { sampleOf } from "../../src/modeller/values/sample.ts";
import { root } from "../tidy/source-files.ts";

const now = Date.UTC(2026, 10, 16, 12);
const file = (name: string): string => join(root, "examples/models", name);
const clientOf = ({ url }: RunningServer): DynamoDBClient =>
  new DynamoDBClient({
    endpoint: url,
    region: "eu-central-1",
    credentials: { accessKeyId: "anybody", secretAccessKey: "x" },
  });
type Row = Record<string, AttributeValue>;

async function scan(client: DynamoDBClient, table: string, index?: string): Promise<Row[]> {
  const rows: Row[] = [];
  let start: Row | undefined;
  do {
    const answer = await client.send(
      new ScanCommand({ TableName: table, IndexName: index, ExclusiveStartKey: start }),
    );
    rows.push(...(answer.Items ?? []));
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
  return rows;
}

/** The tables that there should be, with which table of the design they are. */
function tablesOf(model: Model): readonly (readonly [string, Table, boolean])[] {
  return [...(model.design?.tables.values() ?? [])].flatMap(
    (table): (readonly [string, Table, boolean])[] => {
      if (table.periods === undefined) return [[table.name, table, false]];
      const [current, before] = {
        day: ["2026-11-16", "2026-11-15"],
        week: ["2026-W47", "2026-W46"],
        month: ["2026-11", "2026-10"],
        quarter: ["2026-Q4", "2026-Q3"],
        year: ["2026", "2025"],
      }[table.periods.every];
      return [
        [`${table.name}-${current}`, table, false],
        [`${table.name}-${before}`, table, true],
      ];
    },
  );
}

const plain = (row: object): unknown => JSON.parse(JSON.stringify(row, bytesAsText));
const bytesAsText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
const inOrder = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(plain(row) as object).toSorted())).toSorted();

/** Whether a condition holds, worked out without the product's own code. */
function isTrue({ operator, operands, exists }: Predicate, value: unknown): boolean {
  if (operator === "exists") return (value !== undefined) === exists;
  if (value === undefined) return false;
  const bounds = operands.map((one) => (one.kind === "constant" ? one.value : undefined));
  const own = typeof bounds[0] === "number" ? Number(value) : value;
  const [low, high] = bounds as [string, string];
  if (operator === "equals") return own === low;
  if (operator === "one-of") return bounds.includes(own as string);
  if (operator === "at-least") return (own as string) >= low;
  if (operator === "greater") return (own as string) > low;
  if (operator === "at-most") return (own as string) <= low;
  if (operator === "less") return (own as string) < low;
  if (operator === "between") return (own as string) >= low && (own as string) <= high;
  throw new Error(`no example has ${operator} in 'only'`);
}

describe.each(examples)("a server of %s", (name, text) => {
  const model = modelOf(text);
  const facts = new Facts(model);
  const sample = sampleOf(model, { now });
  const tables = tablesOf(model);
  const sampled = (table: string) =>
    sample.items.filter(
      (one) => (one.period === undefined ? one.table : `${one.table}-${one.period}`) === table,
    );
  let server: RunningServer;
  let client: DynamoDBClient;
  const described = async (table: string): Promise<TableDescription> =>
    (await client.send(new DescribeTableCommand({ TableName: table }))).Table ?? {};

  beforeAll(async () => {
    server = await startServer({ model: file(name), clock: new ManualClock(now) });
    client = clientOf(server);
  });
  afterAll(async () => {
    client.destroy();
    await server.close();
  });

  test("has the model's tables, with their keys, indexes and settings", async () => {
    const { TableNames } = await client.send(new ListTablesCommand({}));
    expect(TableNames).toEqual(tables.map(([one]) => one).toSorted());
    for (const [one, table, isOlder] of tables) {
      const made = await described(one);
      const types = new Map(
        made.AttributeDefinitions?.map((d) => [d.AttributeName, d.AttributeType]),
      );
      const key = made.KeySchema?.map((k) => ({
        name: k.AttributeName,
        type: types.get(k.AttributeName),
      }));
      expect(key).toEqual(
        table.sort === undefined ? [table.partition] : [table.partition, table.sort],
      );
      const indexes = new Map(
        [...(made.GlobalSecondaryIndexes ?? []), ...(made.LocalSecondaryIndexes ?? [])].map((i) => [
          i.IndexName,
          i,
        ]),
      );
      expect([...indexes.keys()].toSorted()).toEqual([...table.indexes.keys()].toSorted());
      for (const index of table.indexes.values()) {
        const there = indexes.get(index.name);
        expect(there?.KeySchema?.map((k) => k.KeyType)).toEqual([
          ...index.partition.map(() => "HASH"),
          ...index.sort.map(() => "RANGE"),
        ]);
        expect(there?.KeySchema?.map((k) => types.get(k.AttributeName))).toEqual(
          [...index.partition, ...index.sort].map(({ type }) => type),
        );
        const { ProjectionType, NonKeyAttributes = [] } = there?.Projection ?? {};
        if (typeof index.projection === "string") {
          expect(ProjectionType).toBe(index.projection === "all" ? "ALL" : "KEYS_ONLY");
        } else {
          const keys = new Set(
            [...(made.KeySchema ?? []), ...(there?.KeySchema ?? [])].map((k) => k.AttributeName),
          );
          expect([...NonKeyAttributes, ...keys]).toEqual(
            expect.arrayContaining(
              index.projection.map((attribute) => storedName(table, attribute)),
            ),
          );
        }
      }
      const billing = isOlder ? table.periods?.older.billing : table.billing;
      const tableClass = isOlder ? table.periods?.older.class : table.class;
      if (billing?.mode === "provisioned") {
        const { read, write, autoScaling } = billing.provisioned;
        expect(made.BillingModeSummary?.BillingMode ?? "PROVISIONED").toBe("PROVISIONED");
        if (autoScaling.read === undefined)
          expect(made.ProvisionedThroughput?.ReadCapacityUnits).toBe(read);
        if (autoScaling.write === undefined)
          expect(made.ProvisionedThroughput?.WriteCapacityUnits).toBe(write);
      } else expect(made.BillingModeSummary?.BillingMode).toBe("PAY_PER_REQUEST");
      expect(made.TableClassSummary?.TableClass ?? "STANDARD").toBe(
        tableClass === "infrequent-access" ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD",
      );
      expect(made.StreamSpecification?.StreamViewType?.toLowerCase().replaceAll("_", "-")).toBe(
        table.stream,
      );
      expect(made.DeletionProtectionEnabled).toBe(table.deletionProtection);
      if (table.maximum?.read !== undefined)
        expect(made.OnDemandThroughput?.MaxReadRequestUnits).toBe(table.maximum.read);
      if (table.prewarm?.write !== undefined)
        expect(made.WarmThroughput?.WriteUnitsPerSecond).toBe(table.prewarm.write);
      const { TimeToLiveDescription: ttl } = await client.send(
        new DescribeTimeToLiveCommand({ TableName: one }),
      );
      expect(ttl?.AttributeName).toBe(table.ttl && storedName(table, table.ttl.attribute));
    }
  });

  test("has the sample's items, to the byte", async () => {
    for (const [one] of tables) {
      const wanted = sampled(one).map(({ item }) => item);
      const { ItemCount, TableSizeBytes } = await described(one);
      expect(ItemCount).toBe(wanted.length);
      expect(TableSizeBytes).toBe(wanted.reduce((sum, item) => sum + itemSize(item), 0));
      expect(inOrder(await scan(client, one))).toEqual(inOrder(wanted));
    }
    const made = server.model?.made.map(({ name: table, items }) => [table, items]);
    expect(made).toEqual(tables.map(([one]) => [one, sampled(one).length]));
  });

  test("has in every index exactly the items that should be in it", async () => {
    for (const [one, table] of tables) {
      const items = sampled(one);
      const keyNames = [
        table.partition.name,
        ...(table.sort === undefined ? [] : [table.sort.name]),
      ];
      const keyOf = (row: object): string => {
        const values = new Map(Object.entries(row));
        return JSON.stringify(plain(keyNames.map((key) => values.get(key))));
      };
      for (const index of table.indexes.values()) {
        const entries = (await scan(client, one, index.name)).map(keyOf).toSorted();
        const wanted = items.filter(({ entity, kind, item }) =>
          isIn(model, table, index, entity, kind, item),
        );
        expect(entries, index.name).toEqual(wanted.map(({ item }) => keyOf(item)).toSorted());
      }
    }
  });

  test("has as many entries in its indexes as the estimate says", async () => {
    for (const record of facts.records.filter(
      ({ role, table }) => role === "item" && table.periods === undefined,
    )) {
      for (const membership of record.memberships) {
        const share = facts.shareIn(record.entity, membership);
        // A guess is no promise.
        if (
          share.assumed ||
          membership.only.some(
            ({ attribute }) => record.entity.attributes.get(attribute)?.values === undefined,
          )
        )
          continue;
        const own = sample.items.filter(
          ({ entity, kind, table }) =>
            entity === record.entity.name && kind === "main" && table === record.table.name,
        );
        const entries = own.filter(({ item }) =>
          [...membership.partition, ...membership.sort].every(({ attribute }) =>
            Object.hasOwn(item, attribute.name),
          ),
        );
        const slack = 1 + membership.only.length + membership.optional.length;
        expect(
          Math.abs(entries.length - own.length * share.value),
          membership.index.name,
        ).toBeLessThanOrEqual(slack);
      }
    }
  });

  test("is the same again for the same seed and moment", async () => {
    const again = await startServer({
      model: file(name),
      clock: new ManualClock(now),
      sample: { seed: 1 },
    });
    const other = clientOf(again);
    try {
      for (const [one] of tables) {
        expect(inOrder(await scan(other, one))).toEqual(inOrder(await scan(client, one)));
      }
    } finally {
      other.destroy();
      await again.close();
    }
  });
});

function storedName(table: Table, attribute: string): string {
  for (const { names } of table.placements.values()) {
    const renamed = names.get(attribute);
    if (renamed !== undefined) return renamed;
  }
  return attribute;
}

/** Whether an item belongs in an index: by what the entity's values say, not by what the item has. */
function isIn(
  model: Model,
  table: Table,
  index: Index,
  entity: string,
  kind: string,
  item: object,
): boolean {
  const values = new Map(Object.entries(item));
  const has = (name: string): boolean =>
    values.has(table.placements.get(entity)?.names.get(name) ?? name);
  const member = index.members.get(entity);
  const made = new Set(member?.sets.map(({ attribute }) => attribute));
  const keys = [...index.partition, ...index.sort].map(({ name }) => name);
  if (kind !== "main" || member === undefined) return keys.every(has);
  const attributes = model.entities.get(entity)?.attributes;
  const isPresent = (text: string): boolean =>
    [...text.matchAll(/\{(?:shard:\d+:)?(\w+)/g)].every(
      ([, name = ""]) => !attributes?.has(name) || has(name),
    );
  return (
    (member.only ?? []).every((predicate) => {
      const stored = table.placements.get(entity)?.names.get(predicate.attribute);
      const value = values.get(stored ?? predicate.attribute);
      return isTrue(predicate, value && Object.values(value)[0]);
    }) &&
    member.sets.every(({ text }) => isPresent(text.text)) &&
    keys.every((name) => made.has(name) || has(name))
  );
}

describe("tables that are there already", () => {
  const shop = "examples/models/online-shop.yaml";

  test("keep what is in them, and nothing is added", { timeout: 60_000 }, async () => {
    const data = mkdtempSync(join(tmpdir(), "keywright-model-"));
    try {
      const first = await startServer({ model: join(root, shop), data, sample: { items: 60 } });
      const client = clientOf(first);
      await client.send(
        new PutItemCommand({ TableName: "Shop", Item: { PK: { S: "a" }, SK: { S: "b" } } }),
      );
      const before = inOrder(await scan(client, "Shop"));
      client.destroy();
      await first.close();
      const second = await startServer({ model: join(root, shop), data });
      const again = clientOf(second);
      expect(second.model?.made).toEqual([]);
      expect(second.model?.kept).toEqual([{ name: "Shop", lacks: [] }]);
      expect(inOrder(await scan(again, "Shop"))).toEqual(before);
      again.destroy();
      await second.close();
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });

  test("with another key are refused, and nothing is made", { timeout: 60_000 }, async () => {
    const data = mkdtempSync(join(tmpdir(), "keywright-model-"));
    const document = (key: string, more: string): string => `keywright: 1
name: notes
entities:
  Note: { id: [noteId], count: 3, attributes: { noteId: { type: S, format: uuid } } }
patterns: {}
design:
  tables:
    ${more}
    Notes: { key: { ${key}: S }, entities: { Note: { key: { ${key}: "{noteId}" } } } }
`;
    const { document: first } = modelOf(document("id", ""));
    const { document: other } = modelOf(document("noteId", "Another: { key: { id: S } }"));
    try {
      await (await startServer({ model: first, data })).close();
      await expect(startServer({ model: other, data })).rejects.toThrow(
        new ModelError(
          "Table Notes exists with the key (id S) and the model has (noteId S); delete it, or serve the model from another folder or with --in-memory.",
        ),
      );
      const server = await startServer({ data, shared: true });
      const client = clientOf(server);
      const { TableNames } = await client.send(new ListTablesCommand({}));
      expect(TableNames).toEqual(["Notes"]);
      client.destroy();
      await server.close();
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});

describe("startServer", () => {
  test("makes empty tables if no sample is wanted", async () => {
    const { document } = modelOf(smallModel);
    const server = await startServer({ model: document, sample: false });
    expect(server.model?.made.map(({ name, items }) => [name, items])).toEqual([["Shop", 0]]);
    await server.close();
  });

  test("says what is wrong with a model before it opens anything", async () => {
    await expect(startServer({ model: "/nowhere/model.yaml" })).rejects.toThrow(
      new ModelError("/nowhere/model.yaml cannot be read: ENOENT."),
    );
    const { document } = modelOf(smallModel);
    await expect(startServer({ model: { ...document, entities: {} } })).rejects.toThrow(ModelError);
    await expect(startServer({ model: document, shared: false })).rejects.toThrow(RangeError);
    const { design, ...requirements } = document;
    await expect(startServer({ model: requirements })).rejects.toThrow(
      "shop has no design, so there are no tables to make.",
    );
  });

  test("loads a table although its throughput is low, and tells how far it is", {
    timeout: 60_000,
  }, async () => {
    const { document } = modelOf(`keywright: 1
name: slow
entities:
  Note: { id: [noteId], count: 120, attributes: { noteId: { type: S, format: uuid }, text: { type: S, bytes: 900 } } }
patterns: {}
design:
  tables:
    Notes:
      billing: { provisioned: { read: 5, write: 40 } }
      key: { id: S }
      entities: { Note: { key: { id: "{noteId}" } } }
`);
    const steps: [number, number][] = [];
    const server = await startServer({
      model: document,
      // Bursts are made of credits that a new table does not have: so little at once is throttled.
      enforceCapacity: { scale: 0.5 },
      sampleProgress: (done, total) => steps.push([done, total]),
    });
    expect(server.model?.made[0]?.items).toBe(120);
    expect(steps).toEqual([25, 50, 75, 100, 120].map((done) => [done, 120]));
    await server.close();
  });
});

test("the past of a table is kept as long as the model says, and its tags are on it", async () => {
  const model = file("online-shop.yaml");
  const text = readFileSync(model, "utf8")
    .replace("pitr: { days: 35 }", "pitr: { days: 7 }")
    .replace("tags: { team: shop }", "tags: { team: shop, __proto__: odd }");
  const path = join(mkdtempSync(join(tmpdir(), "keywright-start-")), "model.yaml");
  writeFileSync(path, text);
  const server = await startServer({ model: path, sample: { items: 20 } });
  const client = clientOf(server);
  const { ContinuousBackupsDescription: found } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: "Shop" }),
  );
  expect(found?.PointInTimeRecoveryDescription).toMatchObject({
    PointInTimeRecoveryStatus: "ENABLED",
    RecoveryPeriodInDays: 7,
  });
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "Shop" }));
  const { Tags } = await client.send(
    new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }),
  );
  expect(Tags).toEqual(
    expect.arrayContaining([
      { Key: "team", Value: "shop" },
      { Key: "__proto__", Value: "odd" },
    ]),
  );
  client.destroy();
  await server.close();
  rmSync(dirname(path), { recursive: true });
});
