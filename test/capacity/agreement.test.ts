import fc from "fast-check";
import { expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { indexWriteUnits, readUnits, tableWriteUnits } from "../../src/capacity/metering.ts";
import { type Charge, TableThroughput } from "../../src/capacity/table-throughput.ts";
import { reasonOf, type Throttle } from "../../src/capacity/throttling.ts";
import type { Direction, ThroughputSettings } from "../../src/capacity/throughput.ts";
import type { TableDescriptor } from "../../src/engine/descriptor.ts";
import { indexEntryKey, itemAddress } from "../../src/engine/keys.ts";
import type { Item } from "../../src/item/attribute-value.ts";
import { itemSize } from "../../src/item/size.ts";
import { hashOfBytes, type Position } from "../../src/partitions/position.ts";
import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import { type Workbench, workbenchOn } from "../../src/workbench/workbench.ts";

// The same log of requests, once through the workbench and once as bare charges: what is throttled, and
// why, must be the same request by request. The charges are worked out here from a plain map of items.

type Request = { readonly waitMs: number } & (
  | { readonly kind: "put"; readonly item: ItemSpec; readonly onlyNew: boolean }
  | { readonly kind: "delete"; readonly key: number; readonly sort: number }
  | { readonly kind: "get"; readonly key: number; readonly sort: number; readonly strong: boolean }
  | { readonly kind: "query"; readonly key: number; readonly strong: boolean }
  | { readonly kind: "batch"; readonly items: readonly ItemSpec[] }
  | { readonly kind: "transaction"; readonly items: readonly ItemSpec[] }
  | { readonly kind: "settings"; readonly settings: Settings }
);

interface ItemSpec {
  readonly key: number;
  readonly sort: number;
  readonly colour: string | undefined;
  readonly kilobytes: number;
}

interface Settings {
  readonly table: readonly [read: number, write: number];
  readonly index: readonly [read: number, write: number];
}

const caller = { account: "000000000000", region: "eu-west-1" };
const TableName = "Agreed";
/** Throughput may not be lowered more often in a day. */
const changesMax = 4;

const units = fc.integer({ min: 1, max: 12 });
const settings: fc.Arbitrary<Settings> = fc.record({
  table: fc.tuple(units, units),
  index: fc.tuple(units, units),
});
const place = { key: fc.nat(3), sort: fc.nat(2) };
const item: fc.Arbitrary<ItemSpec> = fc.record({
  ...place,
  colour: fc.constantFrom(undefined, "red", "blue"),
  kilobytes: fc.integer({ min: 0, max: 3 }),
});
const items = fc.uniqueArray(item, {
  minLength: 1,
  maxLength: 4,
  selector: ({ key, sort }) => `${key}/${sort}`,
});
const waitMs = fc.constantFrom(0, 0, 0, 10, 200, 1_000, 30_000);
const request: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      waitMs,
      kind: fc.constant("put" as const),
      item,
      onlyNew: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ waitMs, kind: fc.constant("delete" as const), ...place }) },
  {
    weight: 4,
    arbitrary: fc.record({
      waitMs,
      kind: fc.constant("get" as const),
      ...place,
      strong: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      waitMs,
      kind: fc.constant("query" as const),
      key: place.key,
      strong: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ waitMs, kind: fc.constant("batch" as const), items }) },
  { weight: 2, arbitrary: fc.record({ waitMs, kind: fc.constant("transaction" as const), items }) },
  { weight: 1, arbitrary: fc.record({ waitMs, kind: fc.constant("settings" as const), settings }) },
);

function made({ key, sort, colour, kilobytes }: ItemSpec): Item {
  return {
    pk: { S: `key ${key}` },
    sk: { S: `sort ${sort}` },
    ...(colour !== undefined && { colour: { S: colour } }),
    ...(kilobytes > 0 && { text: { S: "x".repeat(1_024 * kilobytes) } }),
  };
}

const keyOf = (key: number, sort: number): Item =>
  made({ key, sort, colour: undefined, kilobytes: 0 });

/** Enough of a table's description to find the places of its items. */
const table = {
  id: 1,
  key: { hash: [{ name: "pk", type: "S" }], range: [{ name: "sk", type: "S" }] },
} as unknown as TableDescriptor;
const index = {
  id: 2,
  key: { hash: [{ name: "colour", type: "S" }], range: [] },
} as unknown as TableDescriptor["indexes"][number];

function at(key: Uint8Array): Position {
  return { hash: hashOfBytes(key, 5), sort: key.slice(21) };
}

/** The requests as charges: what the service would have to be asked. */
class Charges {
  readonly #items = new Map<string, Item>();
  readonly #throughput: TableThroughput;

  constructor(first: Settings, scale: number, now: number) {
    this.#throughput = new TableThroughput({
      settings: provisioned(first.table),
      indexes: { colour: provisioned(first.index) },
      scale,
      now,
    });
  }

  run(one: Request, now: number): readonly (string | undefined)[] {
    switch (one.kind) {
      case "settings":
        this.#throughput.table.change(provisioned(one.settings.table), now, "settings");
        this.#throughput
          .resource("colour")
          ?.change(provisioned(one.settings.index), now, "settings");
        return [];
      case "get": {
        const key = keyOf(one.key, one.sort);
        const stored = this.#find(key);
        const charge = {
          index: undefined,
          position: at(itemAddress(table, key).key),
          units: readUnits(stored === undefined ? 0 : itemSize(stored), one.strong),
        };
        return [this.#admit("read", [charge], now)];
      }
      case "query":
        return [this.#query(one.key, one.strong, now)];
      case "delete":
        return [this.#write(keyOf(one.key, one.sort), undefined, now)];
      case "put": {
        const after = made(one.item);
        const before = this.#find(after);
        if (!one.onlyNew || before === undefined) return [this.#write(after, after, now)];
        const charges = [this.#tableCharge(after, before, after, 1)];
        return [this.#admit("write", charges, now) ?? "ConditionalCheckFailedException"];
      }
      case "batch":
        return one.items.map((spec) => this.#write(made(spec), made(spec), now));
      case "transaction":
        return this.#transaction(one.items.map(made), now);
    }
  }

  /** A page is paid for where its first item lies, or would. */
  #query(key: number, strong: boolean, now: number): string | undefined {
    const sorts = [0, 1, 2].map((sort) => this.#find(keyOf(key, sort)));
    const found = sorts.filter((one) => one !== undefined);
    const bytes = found.reduce((sum, one) => sum + itemSize(one), 0);
    const [first] = found;
    const start = itemAddress(table, first ?? keyOf(key, 0)).key;
    const position = at(first === undefined ? start.slice(0, 21) : start);
    const charge = { index: undefined, position, units: readUnits(bytes, strong) };
    return this.#admit("read", [charge], now);
  }

  #transaction(writes: readonly Item[], now: number): readonly (string | undefined)[] {
    const charges = writes.map((after) => this.#charges(after, this.#find(after), after, 2));
    const verdicts = charges.map((each) => this.#throughput.refusal("write", each, now, true));
    this.#throughput.letGo("write");
    if (verdicts.every((verdict) => verdict === undefined)) {
      for (const each of charges) this.#throughput.take("write", each, now);
      for (const after of writes) this.#items.set(JSON.stringify(identity(after)), after);
    }
    return verdicts.map(reason);
  }

  #write(key: Item, after: Item | undefined, now: number): string | undefined {
    const before = this.#find(key);
    const refused = this.#admit("write", this.#charges(key, before, after, 1), now);
    if (refused !== undefined) return refused;
    if (after === undefined) this.#items.delete(JSON.stringify(identity(key)));
    else this.#items.set(JSON.stringify(identity(key)), after);
    return undefined;
  }

  #find(key: Item): Item | undefined {
    return this.#items.get(JSON.stringify(identity(key)));
  }

  #admit(direction: Direction, charges: readonly Charge[], now: number): string | undefined {
    return reason(this.#throughput.admit(direction, charges, now));
  }

  #tableCharge(
    key: Item,
    before: Item | undefined,
    after: Item | undefined,
    factor: number,
  ): Charge {
    const sizes = [before, after].map((one) => (one === undefined ? undefined : itemSize(one)));
    return {
      index: undefined,
      position: at(itemAddress(table, key).key),
      units: factor * tableWriteUnits(sizes[0], sizes[1]),
    };
  }

  #charges(
    key: Item,
    before: Item | undefined,
    after: Item | undefined,
    factor: number,
  ): readonly Charge[] {
    const charges = [this.#tableCharge(key, before, after, factor)];
    const [old, now] = [before, after].map((one) => {
      const place = one && indexEntryKey(table, index, one);
      return place && { place, size: itemSize(one), text: JSON.stringify(one) };
    });
    if (old !== undefined && now !== undefined && Buffer.compare(old.place, now.place) === 0) {
      if (old.text === now.text) return charges;
      const moved = indexWriteUnits({ before: old, after: now, sameKey: true });
      charges.push({ index: "colour", position: at(now.place), units: moved });
      return charges;
    }
    for (const side of [old, now]) {
      if (side === undefined) continue;
      const own = indexWriteUnits({ before: undefined, after: side, sameKey: false });
      charges.push({ index: "colour", position: at(side.place), units: own });
    }
    return charges;
  }
}

const identity = ({ pk, sk }: Item): unknown => [pk, sk];

const reason = (throttle: Throttle | undefined): string | undefined =>
  throttle === undefined ? undefined : reasonOf(throttle);

function provisioned([read, write]: readonly [number, number]): ThroughputSettings {
  return { mode: "provisioned", provisioned: { read, write } };
}

/** The requests through the workbench. */
class Requests {
  readonly #workbench: Workbench;
  #settings: Settings | undefined;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  async create({ table: own, index: ofIndex }: Settings): Promise<void> {
    this.#settings = { table: own, index: ofIndex };
    await this.#execute("CreateTable", {
      TableName,
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      AttributeDefinitions: ["pk", "sk", "colour"].map((AttributeName) => ({
        AttributeName,
        AttributeType: "S",
      })),
      ProvisionedThroughput: throughput(own),
      GlobalSecondaryIndexes: [
        {
          IndexName: "colour",
          KeySchema: [{ AttributeName: "colour", KeyType: "HASH" }],
          Projection: { ProjectionType: "ALL" },
          ProvisionedThroughput: throughput(ofIndex),
        },
      ],
    });
  }

  async run(one: Request): Promise<readonly (string | undefined)[]> {
    switch (one.kind) {
      case "settings":
        await this.#update(one.settings);
        return [];
      case "get": {
        const Key = keyOf(one.key, one.sort);
        return [await this.#outcome("GetItem", { TableName, Key, ConsistentRead: one.strong })];
      }
      case "query": {
        const value = keyOf(one.key, 0).pk;
        const body = {
          TableName,
          KeyConditionExpression: "pk = :key",
          ExpressionAttributeValues: { ":key": value },
          ConsistentRead: one.strong,
        };
        return [await this.#outcome("Query", body)];
      }
      case "delete":
        return [await this.#outcome("DeleteItem", { TableName, Key: keyOf(one.key, one.sort) })];
      case "put": {
        const condition = one.onlyNew && { ConditionExpression: "attribute_not_exists(pk)" };
        return [await this.#outcome("PutItem", { TableName, Item: made(one.item), ...condition })];
      }
      case "batch":
        return this.#batch(one.items.map(made));
      case "transaction":
        return this.#transaction(one.items.map(made));
    }
  }

  /** A change that changes nothing is refused, so each part is asked for only where it differs. */
  async #update(next: Settings): Promise<void> {
    const now = this.#settings as Settings;
    const differs = (one: readonly number[], two: readonly number[]) => `${one}` !== `${two}`;
    const table = differs(now.table, next.table);
    const ofIndex = differs(now.index, next.index);
    if (!table && !ofIndex) return;
    await this.#execute("UpdateTable", {
      TableName,
      ...(table && { ProvisionedThroughput: throughput(next.table) }),
      ...(ofIndex && {
        GlobalSecondaryIndexUpdates: [
          { Update: { IndexName: "colour", ProvisionedThroughput: throughput(next.index) } },
        ],
      }),
    });
    this.#settings = next;
  }

  /** Of a batch it is told which writes were left, and why only if all were. */
  async #batch(puts: readonly Item[]): Promise<readonly (string | undefined)[]> {
    const requests = puts.map((Item) => ({ PutRequest: { Item } }));
    const body = { RequestItems: { [TableName]: requests } };
    try {
      const { UnprocessedItems: left } = (await this.#execute("BatchWriteItem", body)) as {
        UnprocessedItems: Record<string, readonly (typeof requests)[number][]>;
      };
      const texts = new Set(left[TableName]?.map((one) => JSON.stringify(one)));
      return requests.map((one) => (texts.has(JSON.stringify(one)) ? "left" : undefined));
    } catch (error) {
      if (outcomeOf(error) === undefined) throw error;
      return puts.map(() => "left");
    }
  }

  async #transaction(puts: readonly Item[]): Promise<readonly (string | undefined)[]> {
    const TransactItems = puts.map((Item) => ({ Put: { TableName, Item } }));
    try {
      await this.#execute("TransactWriteItems", { TransactItems });
      return puts.map(() => undefined);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.type === "RequestLimitExceeded") return account;
      const reasons = error.fields?.CancellationReasons as { Code: string }[];
      return reasons.map(({ Code }) => (Code === "None" ? undefined : "left"));
    }
  }

  async #outcome(operation: string, body: object): Promise<string | undefined> {
    try {
      await this.#execute(operation, body);
      return undefined;
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async #execute(operation: string, body: object): Promise<object | undefined> {
    return this.#workbench.execute(operation, body, caller);
  }
}

const throughput = ([ReadCapacityUnits, WriteCapacityUnits]: readonly [number, number]) => ({
  ReadCapacityUnits,
  WriteCapacityUnits,
});

function outcomeOf(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) throw error;
  const reasons = error.fields?.ThrottlingReasons as { reason: string }[] | undefined;
  return reasons?.[0]?.reason ?? error.type;
}

/** Requests of several parts do not tell all: the account's limit refuses them as a whole. */
const account = ["account"];

function told(kind: Request["kind"], outcomes: readonly (string | undefined)[]) {
  if (kind !== "batch" && kind !== "transaction") return outcomes;
  if (kind === "transaction" && outcomes.some((one) => one?.endsWith("AccountLimitExceeded"))) {
    return account;
  }
  return outcomes.map((one) => (one === undefined ? undefined : "left"));
}

test("what the workbench throttles is what the charges alone would throttle", async () => {
  let throttled = 0;
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.constantFrom(1, 0.001),
      fc.array(request, { minLength: 10, maxLength: 60 }),
      async (first, scale, log) => {
        const clock = new ManualClock();
        const workbench = await workbenchOn(openMemoryStore(), {
          clock,
          enforceCapacity: { scale },
        });
        const requests = new Requests(workbench);
        await requests.create(first);
        // The throughput of a table begins with its first request.
        await requests.run({ kind: "get", key: 9, sort: 9, strong: true, waitMs: 0 });
        const charges = new Charges(first, scale, clock.now());
        charges.run({ kind: "get", key: 9, sort: 9, strong: true, waitMs: 0 }, clock.now());
        let changes = 0;
        for (const one of log) {
          clock.advance(one.waitMs);
          if (one.kind === "settings") {
            changes += 1;
            if (changes > changesMax) continue;
          }
          const expected = charges.run(one, clock.now());
          const found = await requests.run(one);
          expect(found, JSON.stringify(one)).toEqual(told(one.kind, expected));
          throttled += expected.filter((outcome) => outcome !== undefined).length;
        }
        await workbench.close();
      },
    ),
    { numRuns: process.env.KEYWRIGHT_LONG === undefined ? 100 : 5_000 },
  );
  expect(throttled).toBeGreaterThan(100);
});
