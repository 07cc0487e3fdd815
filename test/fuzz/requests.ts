import type { Shape, StructShape } from "../../src/api/shape.ts";
import { registry, streamRegistry } from "../../src/operations/registry.ts";
import type { Random } from "../random.ts";
import { ExpressionMaker, mutateExpression, Placeholders } from "./expressions.ts";
import {
  type Fixture,
  fixtures,
  goodItem,
  goodKey,
  indexNames,
  keyValue,
  scratchNames,
} from "./fixtures.ts";
import { type Json, Members, object } from "./json.ts";
import { createTableBody, updateTableBody } from "./tables.ts";
import { attributeName, goodMap, goodValue, oddJson, text } from "./values.ts";

const supported = [...registry, ...streamRegistry].flatMap(([name, operation]) =>
  operation ? [name] : [],
);
const unsupported = [...registry.keys()].filter((name) => !supported.includes(name));

/** How often each operation is drawn; 4 if not said. */
const weights: Readonly<Record<string, number>> = {
  CreateTable: 2,
  DeleteTable: 1,
  UpdateTable: 1.5,
  DescribeTable: 0.5,
  ListTables: 0.5,
  ListStreams: 0.5,
  DescribeStream: 1,
  GetShardIterator: 1,
  GetRecords: 1,
  PutItem: 8,
  UpdateItem: 8,
  Query: 6,
  Scan: 5,
};

export function operationName(random: Random): string {
  if (random.chance(0.01)) return random.pick(unsupported);
  return random.choose(supported.map((name) => [weights[name] ?? 4, () => name] as const));
}

/** A body that the operation may well take. */
export function bodyOf(random: Random, operation: string): Members {
  const known = registry.get(operation) ?? streamRegistry.get(operation);
  if (known === undefined) return object({ TableName: "fuzz.simple" });
  if (operation === "CreateTable" && random.chance(0.7)) return createTableBody(random);
  if (operation === "UpdateTable" && random.chance(0.7)) return updateTableBody(random);
  return new Maker(random, operation).struct(known.shape, new Scope(random, random.pick(fixtures)));
}

const iterators = ["", "AAAA", "A".repeat(48), Buffer.alloc(36).toString("base64"), "=", "|1|"];
const shardIds = [
  `shardId-${"0".repeat(20)}-00000000`,
  `shardId-${"9".repeat(20)}-ffffffff`,
  "x".repeat(28),
  "\u00e9".repeat(30),
];
const sequenceNumbers = [
  "1".padEnd(21, "0"),
  "9".repeat(40),
  "0".repeat(21),
  "-1".padEnd(21, "0"),
  "x".repeat(21),
];

function streamArn(random: Random, { name }: Fixture): string {
  const label = random.pick(["2026-01-01T00:00:00.000", "x", "\u0000", "9".repeat(40)]);
  const account = random.pick(["000000000000", "AKIDFUZZ", "1"]);
  return `arn:aws:dynamodb:eu-west-1:${account}:table/${name}/stream/${label}`;
}

/** What the members of one structure have in common. */
class Scope {
  readonly table: Fixture;
  readonly placeholders: Placeholders;
  readonly expressions: ExpressionMaker;
  /** Which of the two ways of saying things it uses; now and then both. */
  readonly style: "expressions" | "legacy" | "both";

  constructor(random: Random, table: Fixture) {
    this.table = table;
    this.placeholders = new Placeholders(random);
    this.expressions = new ExpressionMaker(random, this.placeholders);
    this.style = random.chance(0.8) ? "expressions" : random.chance(0.9) ? "legacy" : "both";
  }
}

const legacyMembers = new Set([
  "AttributesToGet",
  "AttributeUpdates",
  "Expected",
  "ConditionalOperator",
  "KeyConditions",
  "QueryFilter",
  "ScanFilter",
]);
const placeholderMembers = new Set(["ExpressionAttributeNames", "ExpressionAttributeValues"]);
/** Members that end most requests early, so they are drawn rarely. */
const rareMembers = new Set([
  "IndexName",
  "ExclusiveStartKey",
  "Segment",
  "TotalSegments",
  "Select",
]);

class Maker {
  readonly #random: Random;
  readonly #operation: string;

  constructor(random: Random, operation: string) {
    this.#random = random;
    this.#operation = operation;
  }

  struct(shape: StructShape<unknown>, outer: Scope): Members {
    const random = this.#random;
    const action = shape.members.has("TableName") && this.#operation.startsWith("Transact");
    // The actions of one transaction meet on an item less often if they are of several tables.
    const table = action ? random.pick(fixtures) : outer.table;
    const scope = shape.members.has("TableName") ? new Scope(random, table) : outer;
    const members = new Members();
    for (const [name, member] of shape.members) {
      if (placeholderMembers.has(name)) continue;
      if (random.chance(this.#presence(name, member, scope))) {
        members.set(name, this.#member(name, member, scope));
      }
    }
    if (shape.members.has("ExpressionAttributeNames")) this.#addPlaceholders(members, scope);
    if (this.#operation === "TransactWriteItems" && shape.className === "TransactWriteItem") {
      keepOne(random, members);
    }
    return members;
  }

  #presence(name: string, { required }: Shape, { style, table }: Scope): number {
    if (required || name === "Key") return 0.99;
    if (style === "expressions" && legacyMembers.has(name)) return 0;
    if (style === "legacy" && name.endsWith("Expression")) return 0;
    if (name === "KeyConditionExpression" || name === "UpdateExpression") return 0.95;
    if (name === "KeyConditions") return 0.95;
    if (name === "BillingMode") return 0.9;
    if (name === "ClientRequestToken") return 0.1;
    if (name === "IndexName") return table.indexes.length > 0 ? 0.3 : 0.03;
    if (rareMembers.has(name)) return 0.08;
    if (/Class|Replica|SSE|Policy|Stream|Witness|Multi|Warm|Vector|OnDemand/.test(name))
      return 0.05;
    return this.#operation.endsWith("Table") ? 0.25 : 0.35;
  }

  #addPlaceholders(members: Members, { placeholders }: Scope): void {
    const random = this.#random;
    const { names, values } = placeholders;
    if (random.chance(0.02)) names.set("#unused", "x");
    if (random.chance(0.02)) values.set(":unused", goodValue(random));
    if (random.chance(0.01))
      names.set(random.pick(["", "#", "n", "#a b", "#__proto__"]), text(random));
    if (random.chance(0.01)) values.set(random.pick(["", ":", "v", ":a-b"]), goodValue(random));
    if (names.entries.length > 0 && random.chance(0.99)) {
      members.set("ExpressionAttributeNames", names);
    }
    if (values.entries.length > 0 && random.chance(0.99)) {
      members.set("ExpressionAttributeValues", values);
    }
  }

  #member(name: string, shape: Shape, scope: Scope): Json {
    const random = this.#random;
    if (random.chance(0.004)) return oddJson(random);
    switch (name) {
      case "TableName":
      case "TableArn":
        return this.#tableName(scope.table);
      case "IndexName":
        return random.chance(0.85) && scope.table.indexes.length > 0
          ? random.pick(scope.table.indexes)
          : random.pick(indexNames);
      case "Key":
      case "ExclusiveStartKey":
        if (shape.kind !== "map") break;
        return random.chance(0.95) ? goodKey(random, scope.table) : goodMap(random, 2);
      case "Keys":
        return random.times(1 + random.few(8), () => goodKey(random, scope.table));
      case "Item":
        return random.chance(0.97) ? goodItem(random, scope.table) : goodMap(random, 3);
      case "KeyConditionExpression":
        return this.#expression(() => this.#keyCondition(scope));
      case "ConditionExpression":
      case "FilterExpression":
        return this.#expression(() => scope.expressions.condition());
      case "UpdateExpression":
        return this.#expression(() => scope.expressions.update());
      case "ProjectionExpression":
        return this.#expression(() => scope.expressions.projection());
      case "KeyConditions":
        return this.#legacyKeyConditions(scope);
      case "RequestItems":
        return this.#batch(shape, scope);
      case "ClientRequestToken":
        return random.pick(["t1", "t2", "t3", "", "x".repeat(36), "x".repeat(37)]);
      case "AttributeDefinitions":
        return this.#definitions();
      case "StreamArn":
      case "ExclusiveStartStreamArn":
        return streamArn(random, scope.table);
      case "ShardIterator":
        return `${streamArn(random, scope.table)}|${random.pick(["1", "2", ""])}|${random.pick(iterators)}`;
      case "ShardId":
      case "ExclusiveStartShardId":
        return random.pick(shardIds);
      case "SequenceNumber":
        return random.pick(sequenceNumbers);
    }
    return this.#any(shape, scope);
  }

  #any(shape: Shape, scope: Scope): Json {
    const random = this.#random;
    switch (shape.kind) {
      case "string":
        if (shape.values !== undefined) return random.pick(shape.values);
        return random.chance(0.8) ? attributeName(random) : text(random);
      case "integer":
      case "long":
        return random.chance(0.9)
          ? random.between(shape.min ?? 1, 12)
          : random.pick([0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300]);
      case "double":
      case "timestamp":
        return random.between(0, 2_000_000_000);
      case "boolean":
        return random.chance(0.97) ? random.chance(0.5) : random.pick(["true", "no", "x"]);
      case "blob":
        return "AAAA";
      case "attributeValue":
        return goodValue(random);
      case "struct":
        return this.struct(shape, scope);
      case "list": {
        const max = Math.min(shape.max ?? 6, 6);
        const count = Math.max(shape.min ?? 0, random.few(max + 1));
        const size = random.chance(0.003) ? (shape.max ?? 100) + 1 : count;
        return random.times(size, () => this.#any(shape.element, scope));
      }
      case "map": {
        const map = new Members();
        for (let left = random.few(5); left > 0; left -= 1) {
          map.set(attributeName(random), this.#any(shape.element, scope));
        }
        return map;
      }
    }
  }

  #tableName(table: Fixture): string {
    const random = this.#random;
    const manages = this.#operation.endsWith("Table");
    if (random.chance(manages ? (this.#operation === "DescribeTable" ? 0.5 : 0.1) : 0.94)) {
      return table.name;
    }
    if (random.chance(0.9)) return random.pick(scratchNames);
    return random.pick([
      "ab",
      "a",
      "",
      "x".repeat(255),
      "x".repeat(256),
      "__proto__",
      "constructor",
      "a/b",
      `arn:aws:dynamodb:eu-west-1:000000000000:table/${table.name}`,
      "arn:aws:dynamodb",
      "arn:aws:dynamodb:eu-west-1:1:table/",
    ]);
  }

  #expression(make: () => string): string {
    const made = make();
    return this.#random.chance(0.12) ? mutateExpression(this.#random, made) : made;
  }

  #keyCondition({ table, placeholders }: Scope): string {
    const random = this.#random;
    const value = (type: "S" | "N" | "B") => placeholders.valued(keyValue(random, type) as Members);
    const [[hash, hashType], range] = table.keys as [Fixture["keys"][0], Fixture["keys"][0]?];
    const text = `${random.chance(0.5) ? hash : placeholders.named(hash)} = ${value(hashType)}`;
    if (range === undefined || random.chance(0.3)) return text;
    const [name, type] = range;
    const compare = random.choose<string>([
      [4, () => `${name} ${random.pick(["=", "<", "<=", ">", ">=", "<>"])} ${value(type)}`],
      [1, () => `${name} BETWEEN ${value(type)} AND ${value(type)}`],
      [1, () => `begins_with(${name}, ${value(type)})`],
    ]);
    return random.chance(0.8) ? `${text} AND ${compare}` : `(${compare}) AND (${text})`;
  }

  #legacyKeyConditions({ table }: Scope): Members {
    const random = this.#random;
    const conditions = new Members();
    for (const [name, type] of table.keys) {
      const hash = conditions.entries.length === 0;
      const operator = hash
        ? "EQ"
        : random.pick(["EQ", "LT", "GE", "BETWEEN", "BEGINS_WITH", "NE"]);
      const values = random.times(operator === "BETWEEN" ? 2 : 1, () => keyValue(random, type));
      conditions.set(name, object({ ComparisonOperator: operator, AttributeValueList: values }));
      if (random.chance(0.4)) break;
    }
    return conditions;
  }

  #batch(shape: Shape, scope: Scope): Json {
    if (shape.kind !== "map") return this.#any(shape, scope);
    const random = this.#random;
    const batch = new Members();
    for (const table of fixtures) {
      if (!random.chance(0.4)) continue;
      const inner = new Scope(random, table);
      if (shape.element.kind !== "list") {
        batch.set(this.#tableName(table), this.#any(shape.element, inner));
        continue;
      }
      const writes = random.times(1 + random.few(random.chance(0.9) ? 4 : 26), () =>
        random.chance(0.7)
          ? object({ PutRequest: object({ Item: goodItem(random, table) }) })
          : object({ DeleteRequest: object({ Key: goodKey(random, table) }) }),
      );
      batch.set(this.#tableName(table), writes);
    }
    return batch;
  }

  /** Of the names that key schemas draw from. */
  #definitions(): Json {
    const random = this.#random;
    const chosen = ["a", "b", "c", "n", "name", "kind"].filter(() => random.chance(0.5));
    return chosen.map((AttributeName) =>
      object({ AttributeName, AttributeType: random.pick(["S", "N", "B"]) }),
    );
  }
}

/** An action of a transaction is one thing. */
function keepOne(random: Random, members: Members): void {
  if (random.chance(0.03) || members.entries.length < 2) return;
  const kept = random.pick(members.entries);
  members.entries.splice(0, members.entries.length, kept);
}
