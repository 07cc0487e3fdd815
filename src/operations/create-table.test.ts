import { expect, test } from "vitest";
import { createTable } from "./create-table.ts";
import { describeTable } from "./describe-table.ts";
import {
  type Bench,
  define,
  failure,
  hash,
  openBench,
  range,
  run,
  start,
  units,
} from "./table-operations.test-support.ts";

const all = { ProjectionType: "ALL" };
const invalid = "One or more parameter values were invalid: ";
const ab = { AttributeDefinitions: define("a b"), KeySchema: [hash("a"), range("b")] };
const index = (IndexName: string, more: object = {}) => ({
  IndexName,
  KeySchema: [hash("a"), range("b")],
  Projection: all,
  ...more,
});
const many = (count: number) => Array.from({ length: count }, (_, i) => index(`index${i}`));
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** What the case changes of an on-demand table with the key `a`, `b`; the text after the type. */
type Case = readonly [what: string, change: object, message: string];

const local = (...indexes: object[]) => ({ LocalSecondaryIndexes: indexes });
const global = (...indexes: object[]) => ({ GlobalSecondaryIndexes: indexes });
const provisioned = (read: number, write = read) => ({
  BillingMode: "PROVISIONED",
  ProvisionedThroughput: units(read, write),
});
const undefinedKeys = (keys: string, defined = "a, b") =>
  `${invalid}Some index key attributes are not defined in AttributeDefinitions. ` +
  `Keys: [${keys}], AttributeDefinitions: [${defined}]`;
const sameName = "Both the Hash Key and the Range Key element in the KeySchema have the same name";
const firstNotHash = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
const secondNotRange = "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type";
const noDefinition = "Invalid KeySchema: Some index key attribute have no definition";
const countMismatch =
  `${invalid}Number of attributes in KeySchema does not exactly match number of attributes ` +
  "defined in AttributeDefinitions";
const noType = `${invalid}Unknown ProjectionType: null`;
const eight = define("a b h1 h2 h3 h4 h5 r1 r2 r3 r4 r5");
const wide = (...key: object[]) => ({
  AttributeDefinitions: eight,
  ...global(index("wide", { KeySchema: key })),
});

const cases: readonly Case[] = [
  // Billing mode and throughput come first
  [
    "no throughput, provisioned by default",
    { BillingMode: null, AttributeDefinitions: [] },
    `${invalid}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
  ],
  [
    "no throughput, provisioned",
    { BillingMode: "PROVISIONED" },
    `${invalid}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
  ],
  [
    "throughput of an on-demand table",
    { ProvisionedThroughput: units(1), KeySchema: [hash("a"), hash("a")] },
    `${invalid}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  ],
  [
    "both units too high",
    { ...provisioned(1_000_000_000_001), AttributeDefinitions: [] },
    "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
  ],
  [
    "write units too high",
    provisioned(1_000_000_000_000, 1_000_000_000_001),
    "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
  ],
  // The table's key
  ["no definitions", { AttributeDefinitions: [] }, noDefinition],
  ["fewer definitions than keys", { AttributeDefinitions: define("b") }, noDefinition],
  [
    "one definition, the same key twice",
    { AttributeDefinitions: define("a"), KeySchema: [hash("a"), hash("a")] },
    noDefinition,
  ],
  [
    "a key without definition",
    { AttributeDefinitions: define("b"), KeySchema: [hash("a")] },
    undefinedKeys("a", "b"),
  ],
  ["a range key without definition", { KeySchema: [hash("a"), range("c")] }, undefinedKeys("a, c")],
  ["two keys of one name", { KeySchema: [hash("a"), hash("a")] }, sameName],
  ["hash and range of one name", { KeySchema: [hash("a"), range("a")] }, sameName],
  ["two hash keys", { KeySchema: [hash("a"), hash("b")] }, secondNotRange],
  ["range before hash", { KeySchema: [range("a"), hash("b")] }, firstNotHash],
  ["two range keys", { KeySchema: [range("a"), range("b")] }, firstNotHash],
  ["one range key", { KeySchema: [range("a")] }, firstNotHash],
  ["an unused definition", { AttributeDefinitions: define("a c b") }, countMismatch],
  ["an unused definition, hash only", { KeySchema: [hash("a")] }, countMismatch],
  [
    "an attribute defined twice",
    { AttributeDefinitions: define("a a:N"), KeySchema: [hash("a")] },
    countMismatch,
  ],
  [
    "a key name of more than 255 bytes",
    {
      AttributeDefinitions: define("é".repeat(128)),
      KeySchema: [hash("é".repeat(128))],
    },
    `${invalid}Key attribute name exceeds the limit of 255 bytes in its UTF-8 encoding: ${"é".repeat(128)}`,
  ],
  // Local indexes
  [
    "no local index in the list",
    { ...local(), KeySchema: [hash("a")] },
    `${invalid}List of LocalSecondaryIndexes is empty`,
  ],
  [
    "local index of a table without range key",
    {
      KeySchema: [hash("a")],
      ...local({ IndexName: "abc", KeySchema: [range("c")], Projection: {} }),
    },
    `${invalid}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`,
  ],
  [
    "local index key without definition",
    local(index("abc", { KeySchema: [range("c"), range("d")], Projection: {} })),
    undefinedKeys("c, d"),
  ],
  [
    "local index range key without definition",
    local(index("abc", { KeySchema: [hash("a"), range("c")], Projection: {} })),
    undefinedKeys("a, c"),
  ],
  [
    "local index key starts with a range key",
    local(index("abc", { KeySchema: [range("a")], Projection: {} })),
    firstNotHash,
  ],
  [
    "local index keys of one name",
    local(index("abc", { KeySchema: [hash("a"), hash("a")], Projection: {} })),
    sameName,
  ],
  [
    "local index with two hash keys",
    local(index("abc", { KeySchema: [hash("a"), hash("b")], Projection: {} })),
    secondNotRange,
  ],
  [
    "local index without range key",
    local(index("abc", { KeySchema: [hash("b")], Projection: {} })),
    `${invalid}Index KeySchema does not have a range key for index: abc`,
  ],
  [
    "local index with another hash key",
    local(index("abc", { KeySchema: [hash("b"), range("a")], Projection: {} })),
    `${invalid}Index KeySchema does not have the same leading hash key as table KeySchema for index: abc. index hash key: b, table hash key: a`,
  ],
  ["local index without projection type", local(index("abc", { Projection: {} })), noType],
  [
    "local index, attributes without projection type",
    local(index("abc", { Projection: { NonKeyAttributes: ["c"] } })),
    noType,
  ],
  [
    "local index, attributes with ALL",
    local(index("abc", { Projection: { ProjectionType: "ALL", NonKeyAttributes: ["c"] } })),
    `${invalid}ProjectionType is ALL, but NonKeyAttributes is specified`,
  ],
  [
    "local index, attributes with KEYS_ONLY",
    local(index("abc", { Projection: { ProjectionType: "KEYS_ONLY", NonKeyAttributes: ["c"] } })),
    `${invalid}ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified`,
  ],
  [
    "local index, INCLUDE without attributes",
    local(index("abc", { Projection: { ProjectionType: "INCLUDE" } })),
    `${invalid}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
  ],
  [
    "local indexes of one name",
    local(index("abc"), index("abc")),
    `${invalid}Duplicate index name: abc`,
  ],
  [
    "six local indexes",
    local(...many(6)),
    `${invalid}Number of LocalSecondaryIndexes exceeds per-table limit of 5`,
  ],
  [
    "a local index that is wrong comes before one too many",
    local(...many(6), index("abc", { Projection: {} })),
    noType,
  ],
  // Global indexes
  [
    "no global index in the list",
    { ...global(), KeySchema: [hash("a")] },
    `${invalid}List of GlobalSecondaryIndexes is empty`,
  ],
  [
    "global index key without definition",
    global(index("abc", { KeySchema: [range("c")], Projection: {} })),
    undefinedKeys("c"),
  ],
  [
    "global index range key without definition",
    global(index("abc", { KeySchema: [hash("a"), range("c")], Projection: {} })),
    undefinedKeys("a, c"),
  ],
  [
    "global index key starts with a range key",
    global(index("abc", { KeySchema: [range("a")], Projection: {} })),
    firstNotHash,
  ],
  [
    "global index keys of one name",
    global(index("abc", { KeySchema: [hash("a"), hash("a")], Projection: {} })),
    sameName,
  ],
  [
    "global index hash and range of one name",
    global(index("abc", { KeySchema: [hash("a"), range("a")], Projection: {} })),
    sameName,
  ],
  [
    "a hash key after a range key",
    wide(hash("h1"), range("r1"), hash("h2")),
    `${invalid}All HASH key attributes must precede RANGE key attributes in the KeySchema`,
  ],
  [
    "five hash keys",
    wide(...["h1", "h2", "h3", "h4", "h5"].map(hash)),
    `${invalid}The KeySchema exceeds the maximum allowed number of HASH key attributes`,
  ],
  [
    "five range keys",
    wide(hash("h1"), ...["r1", "r2", "r3", "r4", "r5"].map(range)),
    `${invalid}The KeySchema exceeds the maximum allowed number of RANGE key attributes`,
  ],
  [
    "a range key twice among several",
    wide(hash("h1"), range("r1"), range("r2"), range("r1")),
    sameName,
  ],
  [
    "global index, another hash key than the table's is fine, the projection is not",
    global(index("abc", { KeySchema: [hash("b"), range("a")], Projection: {} })),
    noType,
  ],
  [
    "global index, attributes with ALL",
    global(index("abc", { Projection: { ProjectionType: "ALL", NonKeyAttributes: ["c"] } })),
    `${invalid}ProjectionType is ALL, but NonKeyAttributes is specified`,
  ],
  [
    "global index, attributes with KEYS_ONLY",
    global(index("abc", { Projection: { ProjectionType: "KEYS_ONLY", NonKeyAttributes: ["c"] } })),
    `${invalid}ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified`,
  ],
  [
    "global index, INCLUDE without attributes",
    global(index("abc", { Projection: { ProjectionType: "INCLUDE" } })),
    `${invalid}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
  ],
  [
    "global index, an attribute projected twice",
    global(
      index("abc", { Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["c", "c"] } }),
    ),
    `${invalid}Duplicate element in NonKeyAttributes: c`,
  ],
  [
    "more than 100 projected attributes in all",
    global(
      index("abc", {
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: names("c", 60) },
      }),
      index("abd", {
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: names("c", 41) },
      }),
    ),
    `${invalid}Number of projected attributes of all indexes exceeds the per-table limit of 100`,
  ],
  [
    "global index throughput of an on-demand table",
    global(index("abc"), index("abd", { ProvisionedThroughput: units(1) })),
    `${invalid}ProvisionedThroughput should not be specified for index: abd when BillingMode is PAY_PER_REQUEST`,
  ],
  [
    "global index without throughput of a provisioned table",
    { ...provisioned(1), ...global(index("abc")) },
    `${invalid}ProvisionedThroughput is not specified for index: abc`,
  ],
  [
    "global index units too high",
    { ...provisioned(1), ...global(index("abc", { ProvisionedThroughput: units(2e12, 1) })) },
    "Given value 2000000000000 for ReadCapacityUnits is out of bounds for index abc",
  ],
  [
    "global indexes of one name",
    global(index("abc"), index("abc")),
    `${invalid}Duplicate index name: abc`,
  ],
  [
    "a local and a global index of one name",
    { ...local(index("abc")), ...global(index("abc")) },
    `${invalid}Duplicate index name: abc`,
  ],
  [
    "21 global indexes",
    global(...many(21)),
    `${invalid}GlobalSecondaryIndex count exceeds the per-table limit of 20`,
  ],
  [
    "an unused definition, with indexes",
    { AttributeDefinitions: define("a b c"), ...global(index("abc")) },
    `${invalid}Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]`,
  ],
  [
    "an attribute defined twice, with indexes",
    { AttributeDefinitions: define("a b b:N"), ...global(index("abc")) },
    "Attribute Name is duplicated: b",
  ],
  // Other throughput
  [
    "on-demand limits of a provisioned table",
    { ...provisioned(1), OnDemandThroughput: { MaxWriteRequestUnits: 0 } },
    `${invalid}MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.`,
  ],
  [
    "on-demand limit of zero",
    { OnDemandThroughput: { MaxReadRequestUnits: 0 } },
    `${invalid}Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range`,
  ],
  [
    "nothing to remove at creation",
    { OnDemandThroughput: { MaxReadRequestUnits: 5, MaxWriteRequestUnits: -1 } },
    `${invalid}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`,
  ],
  [
    "on-demand limit of an index",
    global(index("abc", { OnDemandThroughput: { MaxReadRequestUnits: -2 } })),
    `${invalid}Requested MaxReadRequestUnits for OnDemandThroughput for index : abc is outside of valid range`,
  ],
  [
    "warm throughput below what an on-demand table starts with",
    { WarmThroughput: { ReadUnitsPerSecond: 11_999 } },
    `${invalid}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial`,
  ],
  [
    "warm throughput of an index below its units",
    {
      ...provisioned(1),
      ...global(
        index("abc", {
          ProvisionedThroughput: units(5),
          WarmThroughput: { ReadUnitsPerSecond: 5, WriteUnitsPerSecond: 4 },
        }),
      ),
    },
    `${invalid}Requested WriteUnitsPerSecond for WarmThroughput for index abc is lower than WriteCapacityUnits of ProvisionedThroughput`,
  ],
  // Features
  [
    "a disabled stream with a view",
    { StreamSpecification: { StreamEnabled: false, StreamViewType: "NEW_IMAGE" } },
    `${invalid}Table is being created with a stream disabled, UpdateViewType should not be specified`,
  ],
  [
    "an enabled stream without a view",
    { StreamSpecification: { StreamEnabled: true } },
    `${invalid}Table is being created with a stream enabled, UpdateViewType is required`,
  ],
  [
    "AES256",
    { SSESpecification: { Enabled: true, SSEType: "AES256" } },
    `${invalid}SSEType AES256 is not supported`,
  ],
  [
    "a key without encryption",
    { SSESpecification: { Enabled: false, KMSMasterKeyId: "alias/mine" } },
    `${invalid}KMSMasterKeyId can not be specified if Enabled is false`,
  ],
  ...(
    [
      ["GlobalTableSourceArn", "arn:aws:dynamodb:eu-west-1:000000000000:table/other"],
      ["GlobalTableSettingsReplicationMode", "ENABLED"],
      [
        "VectorIndexes",
        [
          {
            IndexName: "vec",
            VectorAttribute: { AttributeName: "v" },
            Projection: all,
            Dimensions: 3,
            DistanceFunction: "COSINE",
          },
        ],
      ],
    ] as const
  ).map(
    ([name, value]): Case => [
      `unsupported ${name}`,
      { [name]: value },
      `The parameter ${name} of CreateTable is not supported by Keywright yet`,
    ],
  ),
];

const create = (bench: Bench, change: object) =>
  run(bench, createTable, {
    TableName: "abc",
    ...ab,
    BillingMode: "PAY_PER_REQUEST",
    ...change,
  });

test.each(cases)("CreateTable refuses: %s", async (_, change, message) => {
  const bench = await openBench();
  expect(await failure(create(bench, change))).toBe(`ValidationException: ${message}`);
  expect(await bench.database.catalog.all()).toEqual([]);
});

const accepted: readonly (readonly [string, object])[] = [
  ["a disabled stream", { StreamSpecification: { StreamEnabled: false } }],
  [
    "an enabled stream",
    { StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } },
  ],
  ["an empty list of tags", { Tags: [] }],
  ["limits at their least", { OnDemandThroughput: { MaxReadRequestUnits: 1 } }],
  ["no limits in the object", { ...provisioned(1), OnDemandThroughput: {} }],
  ["five local indexes", local(...many(5))],
  ["twenty global indexes", global(...many(20))],
  [
    "exactly 100 projected attributes, more than 20 in one index",
    global(
      index("abc", {
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: names("c", 100) },
      }),
    ),
  ],
  [
    "four hash and four range keys",
    {
      AttributeDefinitions: define("a b h1 h2 h3 h4 r1 r2 r3 r4"),
      ...global(
        index("wide", {
          KeySchema: [
            ...["h1", "h2", "h3", "h4"].map(hash),
            ...["r1", "r2", "r3", "r4"].map(range),
          ],
        }),
      ),
    },
  ],
  [
    "warm throughput at what the table starts with",
    { WarmThroughput: { ReadUnitsPerSecond: 12_000 } },
  ],
  [
    "a key name of 255 bytes",
    {
      AttributeDefinitions: define(`${"é".repeat(127)}x`),
      KeySchema: [hash(`${"é".repeat(127)}x`)],
    },
  ],
];

test.each(accepted)("CreateTable accepts: %s", async (_, change) => {
  const bench = await openBench();
  expect((await create(bench, change)).TableDescription?.TableStatus).toBe("CREATING");
});

test("a table that exists is not made again", async () => {
  const bench = await openBench();
  const first = await create(bench, {});
  expect(await failure(create(bench, { AttributeDefinitions: define("a b") }))).toBe(
    "ResourceInUseException: Table already exists: abc",
  );
  const again = await run(bench, describeTable, { TableName: "abc" });
  expect(again.Table?.TableId).toBe(first.TableDescription?.TableId);
});

test("of many who make the same table one succeeds", async () => {
  const bench = await openBench();
  const attempts = await Promise.all([1, 2, 3, 4].map(() => failure(create(bench, {}))));
  expect(attempts.filter((result) => result === "no error")).toHaveLength(1);
});

test("CreateTable describes what it made", async () => {
  const bench = await openBench();
  const answer = await create(bench, {
    AttributeDefinitions: define("b c:N a:B"),
    ...provisioned(3, 4),
    ...local(index("loc", { KeySchema: [hash("a"), range("c")] })),
    ...global(
      index("glo", {
        KeySchema: [hash("c"), hash("b"), range("a")],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["z", "y"] },
        ProvisionedThroughput: units(5, 6),
        WarmThroughput: { ReadUnitsPerSecond: 50 },
      }),
    ),
    DeletionProtectionEnabled: true,
    TableClass: "STANDARD_INFREQUENT_ACCESS",
    SSESpecification: { Enabled: true, KMSMasterKeyId: "some-key" },
  });
  const arn = "arn:aws:dynamodb:eu-west-1:000000000000:table/abc";
  const expected = {
    AttributeDefinitions: define("a:B b c:N"),
    TableName: "abc",
    KeySchema: [hash("a"), range("b")],
    TableStatus: "CREATING",
    CreationDateTime: start / 1_000,
    ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...units(3, 4) },
    TableSizeBytes: 0,
    ItemCount: 0,
    TableArn: arn,
    TableId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    LocalSecondaryIndexes: [
      {
        IndexName: "loc",
        KeySchema: [hash("a"), range("c")],
        Projection: all,
        IndexSizeBytes: 0,
        ItemCount: 0,
        IndexArn: `${arn}/index/loc`,
      },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "glo",
        KeySchema: [hash("c"), hash("b"), range("a")],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["z", "y"] },
        IndexStatus: "CREATING",
        ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...units(5, 6) },
        IndexSizeBytes: 0,
        ItemCount: 0,
        IndexArn: `${arn}/index/glo`,
      },
    ],
    SSEDescription: {
      Status: "ENABLED",
      SSEType: "KMS",
      KMSMasterKeyArn: "arn:aws:kms:eu-west-1:000000000000:key/some-key",
    },
    TableClassSummary: { TableClass: "STANDARD_INFREQUENT_ACCESS" },
    DeletionProtectionEnabled: true,
  };
  expect(answer.TableDescription).toEqual(expected);

  const later = await run(bench, describeTable, { TableName: arn });
  expect(later.Table).toEqual({
    ...expected,
    TableId: answer.TableDescription?.TableId,
    TableStatus: "ACTIVE",
    GlobalSecondaryIndexes: expected.GlobalSecondaryIndexes.map((description) => ({
      ...description,
      IndexStatus: "ACTIVE",
      WarmThroughput: { ReadUnitsPerSecond: 50, WriteUnitsPerSecond: 6, Status: "ACTIVE" },
    })),
    WarmThroughput: { ReadUnitsPerSecond: 3, WriteUnitsPerSecond: 4, Status: "ACTIVE" },
  });
});

test("an on-demand table says since when it is", async () => {
  const bench = await openBench();
  const answer = await create(bench, {
    OnDemandThroughput: { MaxReadRequestUnits: 7 },
    ...global(index("glo", { OnDemandThroughput: { MaxWriteRequestUnits: 8 } })),
  });
  expect(answer.TableDescription).toMatchObject({
    BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
    ProvisionedThroughput: units(0),
    OnDemandThroughput: { MaxReadRequestUnits: 7 },
    GlobalSecondaryIndexes: [
      { ProvisionedThroughput: units(0), OnDemandThroughput: { MaxWriteRequestUnits: 8 } },
    ],
  });
  expect(answer.TableDescription?.BillingModeSummary).toEqual({ BillingMode: "PAY_PER_REQUEST" });
  const later = await run(bench, describeTable, { TableName: "abc" });
  expect(later.Table?.BillingModeSummary).toEqual({
    BillingMode: "PAY_PER_REQUEST",
    LastUpdateToPayPerRequestDateTime: start / 1_000,
  });
});

test("a table is CREATING for as long as the database says", async () => {
  const bench = await openBench({ transitionMs: 500 });
  await create(bench, { ...global(index("glo")) });
  const status = async () => {
    const { Table: table } = await run(bench, describeTable, { TableName: "abc" });
    const [first] = (table?.GlobalSecondaryIndexes ?? []) as { readonly IndexStatus: string }[];
    return [table?.TableStatus, first?.IndexStatus];
  };
  expect(await status()).toEqual(["CREATING", "CREATING"]);
  bench.clock.advance(499);
  expect(await status()).toEqual(["CREATING", "CREATING"]);
  bench.clock.advance(1);
  expect(await status()).toEqual(["ACTIVE", "ACTIVE"]);
});

test("attribute definitions are listed by name, whatever the order of the keys", async () => {
  const bench = await openBench();
  const answer = await create(bench, { KeySchema: [hash("b"), range("a")] });
  expect(answer.TableDescription?.AttributeDefinitions).toEqual(define("a b"));
  expect(answer.TableDescription?.KeySchema).toEqual([hash("b"), range("a")]);
});
