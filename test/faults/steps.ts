import {
  hour,
  idOf,
  idsOf,
  type Plain,
  Refused,
  tableOf,
  type World,
  type WorldTable,
  withItem,
  withTable,
} from "./world.ts";

/** One request, and what it means. */
export interface Step {
  readonly operation: string;
  readonly request: object;
  /** Throws `Refused` if the service refuses it. */
  readonly meaning: (world: World) => { readonly world: World; readonly shown?: unknown };
  /** What of the answer is compared with `shown`. */
  readonly seen?: (answer: Answer) => unknown;
  /** One commit or none: whether it took place is known also if its answer is lost. */
  readonly single: boolean;
  /** The service refuses it while an index is being made. */
  readonly waits?: boolean;
  readonly makesIndex?: boolean;
  /** After a failure the client asks again, as the service's clients do. */
  readonly again?: boolean;
}

export type Answer = Record<string, unknown>;
type Attributes = Record<string, { readonly S?: string; readonly N?: string }>;

export const marshalled = (item: Plain): Attributes =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === "string" ? { S: value } : { N: String(value) },
    ]),
  );

export const unmarshalled = (item: Attributes): Plain =>
  Object.fromEntries(Object.entries(item).map(([name, { S, N }]) => [name, S ?? Number(N)]));

const idsIn = (items: unknown): string[] =>
  (items as Attributes[]).map((item) => idOf(unmarshalled(item))).sort();

export const globalIndex = (attribute: string): string => `Global-${attribute}`;
export const localIndex = (attribute: string): string => `Local-${attribute}`;

const string = (name: string) => ({ AttributeName: name, AttributeType: "S" });
const hash = (name: string) => ({ AttributeName: name, KeyType: "HASH" });
const range = (name: string) => ({ AttributeName: name, KeyType: "RANGE" });
const all = { ProjectionType: "ALL" };

export interface NewTable {
  readonly global?: readonly string[];
  /** Local indexes; the table then has a sort key. */
  readonly local?: readonly string[];
}

export function createTable(name: string, { global = [], local = [] }: NewTable = {}): Step {
  const withRange = local.length > 0;
  const table: WorldTable = {
    range: withRange,
    protected: false,
    billing: "PAY_PER_REQUEST",
    indexes: [
      ...global.map((attribute) => ({
        kind: "global" as const,
        name: globalIndex(attribute),
        attribute,
      })),
      ...local.map((attribute) => ({
        kind: "local" as const,
        name: localIndex(attribute),
        attribute,
      })),
    ],
    items: new Map(),
  };
  return {
    operation: "CreateTable",
    request: {
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["pk", ...(withRange ? ["sk"] : []), ...global, ...local].map(string),
      KeySchema: [hash("pk"), ...(withRange ? [range("sk")] : [])],
      ...(global.length > 0 && {
        GlobalSecondaryIndexes: global.map((attribute) => ({
          IndexName: globalIndex(attribute),
          KeySchema: [hash(attribute)],
          Projection: all,
        })),
      }),
      ...(local.length > 0 && {
        LocalSecondaryIndexes: local.map((attribute) => ({
          IndexName: localIndex(attribute),
          KeySchema: [hash("pk"), range(attribute)],
          Projection: { ProjectionType: "KEYS_ONLY" },
        })),
      }),
    },
    meaning: (world) => {
      if (world.tables.has(name)) throw new Refused("ResourceInUseException");
      return { world: withTable(world, name, table) };
    },
    single: false,
  };
}

/** A change of a table's description. */
function changeTable(
  operation: string,
  name: string,
  more: object,
  change: (table: WorldTable) => WorldTable | undefined,
): Step {
  return {
    operation,
    request: { TableName: name, ...more },
    meaning: (world) => ({ world: withTable(world, name, change(tableOf(world, name))) }),
    single: false,
    waits: true,
  };
}

export const deleteTable = (name: string): Step =>
  changeTable("DeleteTable", name, {}, (table) => {
    if (table.protected) throw new Refused("ValidationException");
    return undefined;
  });

export const protect = (name: string, on: boolean): Step =>
  changeTable("UpdateTable", name, { DeletionProtectionEnabled: on }, (table) => ({
    ...table,
    protected: on,
  }));

/** From on-demand to provisioned. */
export const provision = (name: string, indexes: readonly string[] = []): Step => {
  const units = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
  const updates = indexes.map((attribute) => ({
    Update: { IndexName: globalIndex(attribute), ProvisionedThroughput: units },
  }));
  return changeTable(
    "UpdateTable",
    name,
    {
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: units,
      ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
    },
    (table) => {
      if (table.billing === "PROVISIONED") throw new Refused("ValidationException");
      return { ...table, billing: "PROVISIONED" };
    },
  );
};

export function addIndex(name: string, attribute: string): Step {
  const index = { kind: "global" as const, name: globalIndex(attribute), attribute };
  const step = changeTable(
    "UpdateTable",
    name,
    {
      AttributeDefinitions: [string(attribute)],
      GlobalSecondaryIndexUpdates: [
        { Create: { IndexName: index.name, KeySchema: [hash(attribute)], Projection: all } },
      ],
    },
    (table) => {
      const known = table.indexes.some((each) => each.name === index.name);
      if (known) throw new Refused("ValidationException");
      return { ...table, indexes: [...table.indexes, index] };
    },
  );
  return { ...step, makesIndex: true };
}

export function dropIndex(name: string, attribute: string): Step {
  const IndexName = globalIndex(attribute);
  const request = { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] };
  return changeTable("UpdateTable", name, request, (table) => {
    const indexes = table.indexes.filter((index) => index.name !== IndexName);
    if (indexes.length === table.indexes.length) throw new Refused("ResourceNotFoundException");
    return { ...table, indexes };
  });
}

const ttlChange = (name: string, on: boolean, attribute: string): Step => {
  const request = {
    TableName: name,
    TimeToLiveSpecification: { Enabled: on, AttributeName: attribute },
  };
  return {
    operation: "UpdateTimeToLive",
    request,
    meaning: (world) => {
      const { ttl: before, ttlChangedAt: changedAt = 0, ...table } = tableOf(world, name);
      const refused = (before === undefined) !== on || world.now < changedAt + hour;
      if (refused) throw new Refused("ValidationException");
      const ttl = { ...(on && { ttl: attribute }), ttlChangedAt: world.now };
      return { world: withTable(world, name, { ...table, ...ttl }) };
    },
    single: false,
  };
};

/** Items expire by the attribute from now on, or no longer. */
export const enableTtl = (name: string, attribute: string) => ttlChange(name, true, attribute);
export const disableTtl = (name: string, attribute: string) => ttlChange(name, false, attribute);

export function put(table: string, item: Plain, { ifMissing = false } = {}): Step {
  const condition = { ConditionExpression: "attribute_not_exists(pk)" };
  return {
    operation: "PutItem",
    request: { TableName: table, Item: marshalled(item), ...(ifMissing && condition) },
    meaning: (world) => {
      const there = tableOf(world, table).items.has(idOf(item));
      if (ifMissing && there) throw new Refused("ConditionalCheckFailedException");
      return { world: withItem(world, table, idOf(item), item) };
    },
    single: true,
  };
}

/** Counts `n` of an item up, which need not be there. */
export function count(table: string, key: Plain, by = 1): Step {
  return {
    operation: "UpdateItem",
    request: {
      TableName: table,
      Key: marshalled(key),
      UpdateExpression: "ADD n :by",
      ExpressionAttributeValues: { ":by": { N: String(by) } },
    },
    meaning: (world) => ({ world: counted(world, table, key, by) }),
    single: true,
  };
}

function counted(world: World, table: string, key: Plain, by: number): World {
  const before = tableOf(world, table).items.get(idOf(key)) ?? key;
  return withItem(world, table, idOf(key), { ...before, n: Number(before.n ?? 0) + by });
}

export function remove(table: string, key: Plain): Step {
  return {
    operation: "DeleteItem",
    request: { TableName: table, Key: marshalled(key), ReturnValues: "ALL_OLD" },
    meaning: (world) => ({
      world: withItem(world, table, idOf(key), undefined),
      shown: tableOf(world, table).items.get(idOf(key)),
    }),
    seen: ({ Attributes: item }) => item && unmarshalled(item as Attributes),
    single: true,
  };
}

export function batchWrite(
  table: string,
  items: readonly Plain[],
  removed: readonly Plain[] = [],
): Step {
  return {
    operation: "BatchWriteItem",
    request: {
      RequestItems: {
        [table]: [
          ...items.map((item) => ({ PutRequest: { Item: marshalled(item) } })),
          ...removed.map((key) => ({ DeleteRequest: { Key: marshalled(key) } })),
        ],
      },
    },
    meaning: (world) => {
      let after = world;
      tableOf(world, table);
      for (const item of items) after = withItem(after, table, idOf(item), item);
      for (const key of removed) after = withItem(after, table, idOf(key), undefined);
      return { world: after };
    },
    single: true,
  };
}

/** Puts items that must be missing and counts up others, all or none. */
export function transact(
  table: string,
  puts: readonly Plain[],
  counts: readonly Plain[],
  token?: string,
): Step {
  return {
    operation: "TransactWriteItems",
    request: {
      ...(token !== undefined && { ClientRequestToken: token }),
      TransactItems: [
        ...puts.map((item) => ({
          Put: {
            TableName: table,
            Item: marshalled(item),
            ConditionExpression: "attribute_not_exists(pk)",
          },
        })),
        ...counts.map((key) => ({
          Update: {
            TableName: table,
            Key: marshalled(key),
            UpdateExpression: "ADD n :one",
            ExpressionAttributeValues: { ":one": { N: "1" } },
          },
        })),
      ],
    },
    meaning: (world) => {
      if (token !== undefined && world.tokens.has(token)) return { world };
      const { items } = tableOf(world, table);
      if (puts.some((item) => items.has(idOf(item)))) {
        throw new Refused("TransactionCanceledException");
      }
      let after = world;
      for (const item of puts) after = withItem(after, table, idOf(item), item);
      for (const key of counts) after = counted(after, table, key, 1);
      if (token !== undefined) after = { ...after, tokens: new Set(after.tokens).add(token) };
      return { world: after };
    },
    single: true,
    ...(token !== undefined && { again: true }),
  };
}

/** A request that changes nothing. */
function reading(
  operation: string,
  request: object,
  shown: (world: World) => unknown,
  seen: (answer: Answer) => unknown,
): Step {
  const meaning = (world: World) => ({ world, shown: shown(world) });
  return { operation, request, meaning, seen, single: true };
}

export const get = (table: string, key: Plain): Step =>
  reading(
    "GetItem",
    { TableName: table, Key: marshalled(key), ConsistentRead: true },
    (world) => tableOf(world, table).items.get(idOf(key)),
    ({ Item }) => Item && unmarshalled(Item as Attributes),
  );

export const batchGet = (table: string, keys: readonly Plain[]): Step =>
  reading(
    "BatchGetItem",
    { RequestItems: { [table]: { Keys: keys.map(marshalled) } } },
    (world) => {
      const { items } = tableOf(world, table);
      return keys
        .map(idOf)
        .filter((id) => items.has(id))
        .sort();
    },
    ({ Responses }) => idsIn((Responses as Record<string, unknown>)[table]),
  );

export const transactGet = (table: string, keys: readonly Plain[]): Step =>
  reading(
    "TransactGetItems",
    { TransactItems: keys.map((key) => ({ Get: { TableName: table, Key: marshalled(key) } })) },
    (world) => keys.map((key) => tableOf(world, table).items.get(idOf(key))),
    ({ Responses }) =>
      (Responses as { Item?: Attributes }[]).map(({ Item }) => Item && unmarshalled(Item)),
  );

export const query = (table: string, pk: string): Step =>
  reading(
    "Query",
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: pk } },
    },
    (world) => idsOf(tableOf(world, table), (item) => item.pk === pk),
    ({ Items }) => idsIn(Items),
  );

export const queryIndex = (table: string, attribute: string, value: string): Step => ({
  ...reading(
    "Query",
    {
      TableName: table,
      IndexName: globalIndex(attribute),
      KeyConditionExpression: "#a = :value",
      ExpressionAttributeNames: { "#a": attribute },
      ExpressionAttributeValues: { ":value": { S: value } },
    },
    (world) => {
      const found = tableOf(world, table);
      const known = found.indexes.some(({ name }) => name === globalIndex(attribute));
      if (!known) throw new Refused("ValidationException");
      return idsOf(found, (item) => item[attribute] === value);
    },
    ({ Items }) => idsIn(Items),
  ),
  waits: true,
});

/** By a local index, which holds keys only: the items are fetched from the table. */
export const queryLocal = (table: string, attribute: string, pk: string): Step =>
  reading(
    "Query",
    {
      TableName: table,
      IndexName: localIndex(attribute),
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: pk } },
      Select: "ALL_ATTRIBUTES",
    },
    (world) =>
      idsOf(tableOf(world, table), (item) => item.pk === pk && item[attribute] !== undefined),
    ({ Items }) => idsIn(Items),
  );

export const scan = (table: string): Step =>
  reading(
    "Scan",
    { TableName: table },
    (world) => idsOf(tableOf(world, table)),
    ({ Items }) => idsIn(Items),
  );

export const describe = (name: string): Step =>
  reading(
    "DescribeTable",
    { TableName: name },
    (world) => tableOf(world, name).items.size,
    ({ Table }) => (Table as { ItemCount: number }).ItemCount,
  );

export const list = (): Step =>
  reading(
    "ListTables",
    {},
    (world) => [...world.tables.keys()].sort(),
    ({ TableNames }) => TableNames,
  );
