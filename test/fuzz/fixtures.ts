import type { Random } from "../random.ts";
import { type Json, Members, object, RawText } from "./json.ts";
import { base64, goodMap, goodNumber, text } from "./values.ts";

type KeyType = "S" | "N" | "B";

export interface Fixture {
  readonly name: string;
  readonly keys: readonly (readonly [name: string, type: KeyType])[];
  /** What the table's indexes want of these attributes. */
  readonly indexKeys: readonly (readonly [name: string, type: KeyType])[];
  readonly indexes: readonly string[];
  /** The body of its CreateTable. */
  readonly creation: string;
}

const define = (keys: Fixture["keys"]) =>
  keys.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
const schema = (...names: string[]) =>
  names.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? "HASH" : "RANGE" }));

function fixture(
  name: string,
  keys: Fixture["keys"],
  indexKeys: Fixture["indexKeys"] = [],
  indexes: { LocalSecondaryIndexes?: object[]; GlobalSecondaryIndexes?: object[] } = {},
): Fixture {
  const listed = [
    ...(indexes.LocalSecondaryIndexes ?? []),
    ...(indexes.GlobalSecondaryIndexes ?? []),
  ] as { IndexName: string }[];
  return {
    name,
    keys,
    indexKeys,
    indexes: listed.map(({ IndexName }) => IndexName),
    creation: JSON.stringify({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: define([...keys, ...indexKeys]),
      KeySchema: schema(...keys.map(([key]) => key)),
      ...indexes,
    }),
  };
}

/** The tables that exist before the first request. */
export const fixtures: readonly Fixture[] = [
  fixture("fuzz.simple", [["pk", "S"]]),
  fixture(
    "fuzz.ranged",
    [
      ["pk", "S"],
      ["sk", "N"],
    ],
    [
      ["name", "S"],
      ["kind", "S"],
      ["n", "N"],
    ],
    {
      LocalSecondaryIndexes: [
        {
          IndexName: "byName",
          KeySchema: schema("pk", "name"),
          Projection: { ProjectionType: "ALL" },
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "byKind",
          KeySchema: schema("kind", "n"),
          Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["a", "list"] },
        },
        {
          IndexName: "several",
          KeySchema: [
            { AttributeName: "kind", KeyType: "HASH" },
            { AttributeName: "n", KeyType: "HASH" },
            { AttributeName: "name", KeyType: "RANGE" },
            { AttributeName: "sk", KeyType: "RANGE" },
          ],
          Projection: { ProjectionType: "KEYS_ONLY" },
        },
      ],
    },
  ),
  fixture(
    "fuzz.binary",
    [
      ["pk", "B"],
      ["sk", "B"],
    ],
    [["n", "N"]],
    {
      GlobalSecondaryIndexes: [
        { IndexName: "byNumber", KeySchema: schema("n"), Projection: { ProjectionType: "ALL" } },
      ],
    },
  ),
  fixture("fuzz.number", [
    ["pk", "N"],
    ["sk", "S"],
  ]),
];

/** Tables that requests create, change and delete. */
export const scratchNames = ["fuzz.scratch-0", "fuzz.scratch-1", "fuzz.scratch-2", "fuzz_scratch"];

export const indexNames = [
  "byName",
  "byKind",
  "several",
  "byNumber",
  "absent",
  "ab",
  "x".repeat(256),
];

/** Few distinct ones, so that requests meet. */
export function keyValue(random: Random, type: KeyType): Json {
  const common = random.chance(0.8);
  switch (type) {
    case "S":
      return object({ S: common ? random.pick(["k1", "k2", "k3"]) : text(random) });
    case "N":
      return object({ N: common ? random.pick(["1", "2", "10"]) : goodNumber(random) });
    case "B":
      return object({ B: common ? random.pick(["AA==", "AQI=", "/w=="]) : base64(random) });
  }
}

export function goodKey(random: Random, { keys }: Fixture): Members {
  return new Members(keys.map(([name, type]) => [name, keyValue(random, type)]));
}

export function goodItem(random: Random, table: Fixture): Members {
  const item = goodMap(random, random.few(12));
  for (const [name, type] of table.keys) item.set(name, keyValue(random, type));
  for (const [name, type] of table.indexKeys) {
    if (random.chance(0.9)) item.set(name, keyValue(random, type));
  }
  if (random.chance(0.003)) item.set("big", object({ S: "b".repeat(random.pick(bigSizes)) }));
  if (random.chance(0.003)) {
    item.set("many", new RawText(`{"L":[${'{"N":"1"},'.repeat(20_000)}{"S":""}]}`));
  }
  return item;
}

const bigSizes = [100_000, 390_000, 409_000, 409_580, 409_600];
