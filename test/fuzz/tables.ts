import type { Random } from "../random.ts";
import { scratchNames } from "./fixtures.ts";
import { type Json, type Members, object } from "./json.ts";

/** The attributes that scratch tables and their indexes are keyed by. */
const keyNames = ["a", "b", "c", "n", "name", "kind"];

function schema(hashes: readonly string[], ranges: readonly string[]): Json {
  const of = (names: readonly string[], KeyType: string) =>
    names.map((AttributeName) => object({ AttributeName, KeyType }));
  return [...of(hashes, "HASH"), ...of(ranges, "RANGE")];
}

function projection(random: Random): Json {
  const ProjectionType = random.pick(["ALL", "KEYS_ONLY", "INCLUDE"]);
  if (ProjectionType !== "INCLUDE") return object({ ProjectionType });
  return object({ ProjectionType, NonKeyAttributes: ["x1", "deep", "list"] });
}

function throughput(random: Random): Json {
  return object({
    ReadCapacityUnits: random.between(1, 9),
    WriteCapacityUnits: random.between(1, 9),
  });
}

/** An index and the attributes that it is keyed by. */
function globalIndex(random: Random, name: string, provisioned: boolean): [Members, string[]] {
  const keys = keyNames.filter(() => random.chance(0.3)).slice(0, 4);
  if (keys.length === 0) keys.push("kind");
  const hashes = keys.slice(0, random.between(1, keys.length));
  const index = object({
    IndexName: name,
    KeySchema: schema(hashes, keys.slice(hashes.length)),
    Projection: projection(random),
  });
  if (provisioned) index.set("ProvisionedThroughput", throughput(random));
  return [index, keys];
}

function definitions(random: Random, names: Iterable<string>): Json {
  return [...new Set(names)].map((AttributeName) =>
    object({ AttributeName, AttributeType: random.pick(["S", "S", "N", "B"]) }),
  );
}

/** A table that hangs together. */
export function createTableBody(random: Random): Members {
  const provisioned = random.chance(0.3);
  const hash = random.pick(keyNames);
  const range = random.pick(keyNames.filter((name) => name !== hash));
  const ranged = random.chance(0.6);
  const body = object({
    TableName: random.pick(scratchNames),
    KeySchema: schema([hash], ranged ? [range] : []),
    BillingMode: provisioned ? "PROVISIONED" : "PAY_PER_REQUEST",
  });
  if (provisioned) body.set("ProvisionedThroughput", throughput(random));
  const used = ranged ? [hash, range] : [hash];
  const indexes = random.times(random.few(4), (at) => {
    const [index, keys] = globalIndex(random, `index-${at}`, provisioned);
    used.push(...keys);
    return index;
  });
  if (indexes.length > 0) body.set("GlobalSecondaryIndexes", indexes);
  if (ranged && random.chance(0.3)) {
    const sort = random.pick(keyNames.filter((name) => name !== hash));
    used.push(sort);
    const local = object({
      IndexName: "local",
      KeySchema: schema([hash], [sort]),
      Projection: projection(random),
    });
    body.set("LocalSecondaryIndexes", [local]);
  }
  body.set("AttributeDefinitions", definitions(random, used));
  if (random.chance(0.1)) body.set("DeletionProtectionEnabled", true);
  if (random.chance(0.1)) body.set("Tags", [object({ Key: "k", Value: "v" })]);
  return body;
}

/** A change that may well fit the table. */
export function updateTableBody(random: Random): Members {
  const body = object({
    TableName: random.chance(0.7) ? random.pick(scratchNames) : "fuzz.simple",
  });
  random.choose<unknown>([
    [1, () => body.set("DeletionProtectionEnabled", random.chance(0.3))],
    [1, () => body.set("BillingMode", "PAY_PER_REQUEST")],
    [1, () => body.set("ProvisionedThroughput", throughput(random))],
    [1, () => body.set("TableClass", random.pick(["STANDARD", "STANDARD_INFREQUENT_ACCESS"]))],
    [4, () => addIndex(random, body)],
    [2, () => body.set("GlobalSecondaryIndexUpdates", [deletion(random)])],
    [0.5, () => body.set("StreamSpecification", object({ StreamEnabled: false }))],
    [1, () => body.set("StreamSpecification", enabledStream(random))],
  ]);
  return body;
}

function enabledStream(random: Random): Json {
  const views = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"];
  return object({ StreamEnabled: true, StreamViewType: random.pick(views) });
}

function addIndex(random: Random, body: Members): void {
  const [index, keys] = globalIndex(random, `index-${random.between(0, 5)}`, random.chance(0.3));
  body.set("GlobalSecondaryIndexUpdates", [object({ Create: index })]);
  body.set("AttributeDefinitions", definitions(random, keys));
}

function deletion(random: Random): Json {
  return object({ Delete: object({ IndexName: `index-${random.between(0, 5)}` }) });
}
