import * as limits from "../api/limits.ts";
import type { Schema } from "../document/schema.ts";
import { either, flag, list, map, part, shape, text, whole, words } from "./schema-build.ts";

const name = (description: string, example: string): Schema =>
  part("attributeName", description, example);
const names = (description: string, ...example: string[]): Schema =>
  list(description, part("attributeName", "An attribute.", example[0]), example);
const entity = (description: string, example: string): Schema =>
  part("entityName", description, example);
export const patternIds = (description: string): Schema =>
  list(
    description,
    either("An id.", 4, part("wordName", "A word.", "pay"), whole("A number.", 0, 4)),
    [4],
  );

const scaling = (description: string): Schema =>
  shape(
    description,
    ["min", "max"],
    {
      min: whole("The fewest units.", 1, 5),
      max: whole("The most units.", 1, 100),
      target: whole(
        "Per cent of the units that should be in use; 70 unless said.",
        limits.targetPercentMin,
        70,
        limits.targetPercentMax,
      ),
    },
    { min: 5, max: 100, target: 70 },
  );

const provisioned: Schema = shape(
  "Units per second that are there all the time.",
  ["read", "write"],
  {
    read: whole("Read units.", 1, 100),
    write: whole("Write units.", 1, 50),
    autoScaling: shape(
      "How the units follow the traffic.",
      [],
      { read: scaling("Read units."), write: scaling("Write units.") },
      { read: { min: 5, max: 100 } },
    ),
  },
  { read: 100, write: 50 },
);

const billing: Schema = either(
  "How throughput is paid for; on-demand unless said.",
  "on-demand",
  words("Per request.", "on-demand"),
  shape(
    "Per hour.",
    ["provisioned"],
    {
      provisioned,
      reserved: shape(
        "Units that are paid for in advance.",
        ["years"],
        {
          read: whole("Read units.", 0, 100),
          write: whole("Write units.", 0, 100),
          years: { enum: [1, 3], description: "For how many years.", examples: [1] },
        },
        { read: 100, write: 100, years: 1 },
      ),
    },
    { provisioned: { read: 100, write: 50 } },
  ),
);

const tableClass = words("The table class.", "standard", "infrequent-access");

export const keyTextsOf = (description: string): Schema =>
  part("keyTexts", description, { PK: "CUSTOMER#{customerId}", SK: "PROFILE" });

const placement: Schema = shape(
  "How an entity lies in the table.",
  ["key"],
  {
    key: keyTextsOf("What the table's key attributes are made of."),
    stores: names("The attributes that the item has; all unless said.", "email"),
    names: map("Shorter names that attributes are stored under.", name("The name.", "d"), {
      description: "d",
    }),
    split: list(
      "Attributes that lie in items of their own, so that changing them costs less.",
      shape(
        "One such item.",
        ["name", "key", "attributes"],
        {
          name: text("What it is called.", "stats"),
          key: keyTextsOf("Its key."),
          attributes: names("What lies in it.", "visits"),
        },
        {
          name: "stats",
          key: { PK: "CUSTOMER#{customerId}", SK: "STATS" },
          attributes: ["visits"],
        },
      ),
      [{ name: "stats", key: { PK: "C#{customerId}", SK: "STATS" }, attributes: ["visits"] }],
    ),
    embeds: list(
      "Entities that lie inside this one: as a list, as a map by an attribute, or a single one.",
      shape(
        "One of them.",
        ["entity", "as"],
        {
          entity: entity("The entity.", "OrderItem"),
          as: name("The attribute that holds them.", "items"),
          by: name(
            "They are a map by this attribute of theirs instead of a list, so that each can be changed.",
            "position",
          ),
          one: flag("There is one at most, and the attribute holds it."),
        },
        { entity: "OrderItem", as: "items" },
      ),
      [{ entity: "OrderItem", as: "items" }],
    ),
    elsewhere: list(
      "Large attributes that lie in another service.",
      shape(
        "One of them.",
        ["attribute", "service"],
        {
          attribute: name("The attribute.", "photo"),
          service: text("Where it lies.", "S3"),
          pointer: name("The attribute that says where exactly.", "photoKey"),
        },
        { attribute: "photo", service: "S3", pointer: "photoKey" },
      ),
      [{ attribute: "photo", service: "S3" }],
    ),
  },
  { key: { PK: "CUSTOMER#{customerId}", SK: "PROFILE" } },
);

const keyPart = (description: string, ...example: string[]): Schema =>
  either(description, example, part("attributeName", "One attribute.", example[0]), {
    ...names("Several attributes, in order.", ...example),
    maxItems: limits.indexKeyAttributesPerTypeMax,
  });

const index: Schema = shape(
  "A secondary index.",
  ["key"],
  {
    purpose: text("What it is for.", "open orders, oldest first"),
    key: shape(
      "Its key: attributes of entities, or key attributes that `sets` makes.",
      [],
      {
        partition: keyPart("The partition key; a local index has the table's.", "status"),
        sort: keyPart("The sort key.", "createdAt", "orderId"),
      },
      { partition: ["status"], sort: ["createdAt", "orderId"] },
    ),
    local: flag("It is a local index: the partition key is the table's."),
    projection: either(
      "The attributes that are copied into it; all unless said.",
      "keys",
      words("All of them, or keys alone.", "all", "keys"),
      names("Keys and these.", "total"),
    ),
    sets: map(
      "Which entities are in it, and what its key attributes are made of for each.",
      part("keyTexts", "The key attributes of one entity.", { GSI1PK: "STATUS#{status}" }),
      { Order: { GSI1PK: "STATUS#{status}", GSI1SK: "{createdAt}" } },
    ),
    only: map(
      "Which items of an entity are in it: the key attributes are set only then, and removed otherwise.",
      { $ref: "#/$defs/where" },
      { Order: { status: { equals: "open" } } },
    ),
    throughput: { ...provisioned, description: "Its own units, on a provisioned table." },
    maximum: part("units", "The most units that it may use, on an on-demand table.", { read: 100 }),
    prewarm: part("units", "Units that it can serve at once from the beginning.", { read: 12_000 }),
  },
  { key: { partition: ["status"], sort: ["createdAt"] } },
);

const consumer: Schema = shape(
  "What reads the stream.",
  ["name"],
  {
    name: text("What it is called.", "counters"),
    purpose: text("What it does.", "keeps the number of orders of a customer"),
    batch: whole("Records that it gets at once at most.", 1, 100, 10_000),
    window: part("duration", "How long it waits for a batch to fill.", "5s"),
    filter: {
      type: "object",
      description: "A filter pattern: records that do not match are not handed over.",
      examples: [{ eventName: ["INSERT"] }],
    },
    start: words("Where it begins.", "latest", "trim-horizon"),
    retries: whole(
      "How often a batch that failed is tried again; until the stream forgets it unless said.",
      0,
      5,
      10_000,
    ),
    maxAge: part("duration", "Older records are given up.", "6h"),
    bisect: flag("A batch that failed is tried again in two halves."),
    reportItemFailures: flag("The function answers which records of a batch failed."),
    parallel: whole("Batches of one shard that are worked on at once.", 1, 2, 10),
  },
  { name: "counters", batch: 100 },
);

export const tableSchema: Schema = shape(
  "A table.",
  ["key"],
  {
    purpose: text("What it is for.", "everything that a customer sees"),
    billing,
    class: tableClass,
    key: {
      ...map(
        "The partition key, then the sort key if there is one, with their types.",
        words("The type.", "S", "N", "B"),
        { PK: "S", SK: "S" },
        { $ref: "#/$defs/attributeName" },
      ),
      maxProperties: limits.tableKeyAttributesMax,
    },
    discriminator: name("The attribute that says which entity an item is.", "type"),
    entities: map(
      "The entities that lie in it; none in a table of look-up items.",
      placement,
      {
        Customer: { key: { PK: "CUSTOMER#{customerId}", SK: "PROFILE" } },
      },
      undefined,
      0,
    ),
    indexes: map(
      "Its indexes.",
      index,
      { ByStatus: { key: { partition: "status" } } },
      { $ref: "#/$defs/resourceName" },
      0,
    ),
    ttl: either(
      "The attribute with the second after which an item is deleted.",
      "expiresAt",
      name("The attribute.", "expiresAt"),
      shape(
        "The attribute, and of which entities.",
        ["attribute"],
        {
          attribute: name("The attribute.", "expiresAt"),
          entities: list("The entities that expire.", entity("An entity.", "Session"), ["Session"]),
        },
        { attribute: "expiresAt", entities: ["Session"] },
      ),
    ),
    stream: words(
      "What a stream tells of every change.",
      ...["new-and-old-images", "new-image", "old-image", "keys-only"],
    ),
    consumers: list("What reads the stream.", consumer, [{ name: "counters", batch: 100 }]),
    pitr: either(
      "Whether the table can be brought back as it was at any second.",
      { days: 35 },
      flag("For 35 days."),
      shape("For so long.", ["days"], { days: whole("Days.", 1, 35, 35) }, { days: 35 }),
    ),
    backups: shape(
      "Whole copies.",
      ["every", "keep"],
      {
        every: part("duration", "How often.", "1d"),
        keep: part("duration", "How long they are kept.", "90d"),
      },
      { every: "1d", keep: "90d" },
    ),
    encryption: either(
      "Whose key it is encrypted with: that of the service unless said.",
      "managed",
      words("The service's own, or one that AWS manages in the account.", "owned", "managed"),
      shape(
        "One of yours.",
        ["key"],
        { key: text("Its alias or ARN.", "alias/shop") },
        { key: "alias/shop" },
      ),
    ),
    deletionProtection: flag("It cannot be deleted by mistake."),
    versioning: shape(
      "All versions of an entity are kept.",
      ["entity", "attribute", "latest"],
      {
        entity: entity("The entity.", "Document"),
        attribute: name("The number of the version.", "version"),
        latest: words(
          "Whether the newest lies in an item of its own or is the last of a query.",
          "copy",
          "query",
        ),
        key: keyTextsOf("The key of the copy of the newest."),
      },
      { entity: "Document", attribute: "version", latest: "query" },
    ),
    unique: list(
      "Items that keep values unique; they are written in the same transaction.",
      shape(
        "One of them.",
        ["entity", "attribute", "key"],
        {
          entity: entity("The entity.", "Customer"),
          attribute: name("Its attribute.", "email"),
          table: part("resourceName", "The table they lie in, if it is another one.", "Emails"),
          key: keyTextsOf("Their key."),
        },
        { entity: "Customer", attribute: "email", key: { PK: "EMAIL#{email|lower}", SK: "EMAIL" } },
      ),
      [{ entity: "Customer", attribute: "email", key: { PK: "EMAIL#{email|lower}", SK: "EMAIL" } }],
    ),
    aggregates: list(
      "Numbers that are kept instead of counted.",
      shape(
        "One of them.",
        ["of", "into", "by"],
        {
          of: entity("The entity that is counted.", "Order"),
          into: part("attributeOf", "The attribute that holds the result.", "Customer.orders"),
          what: words("What is kept; the count unless said.", "count", "sum", "max", "min"),
          attribute: name("Of which attribute, if not the count.", "total"),
          by: either(
            "How it is kept.",
            "stream",
            words("In the transaction of the write, or behind it.", "transaction", "stream"),
            shape(
              "From time to time.",
              ["schedule"],
              { schedule: text("When.", "rate(5 minutes)") },
              { schedule: "rate(5 minutes)" },
            ),
          ),
        },
        { of: "Order", into: "Customer.orders", by: "stream" },
      ),
      [{ of: "Order", into: "Customer.orders", by: "stream" }],
    ),
    periods: shape(
      "There is a table for every period.",
      ["every", "attribute"],
      {
        every: words("How long a period is.", "month", "day", "week", "quarter", "year"),
        attribute: name("The time that says which table an item is in.", "createdAt"),
        keep: whole("How many tables are kept.", 1, 12),
        older: shape(
          "How tables of earlier periods differ.",
          [],
          { class: tableClass, billing },
          { class: "infrequent-access" },
        ),
      },
      { every: "month", attribute: "createdAt", keep: 12 },
    ),
    dax: shape(
      "A cache in front of it.",
      ["node", "nodes"],
      {
        node: text("The type of its nodes.", "dax.r5.large"),
        nodes: whole("How many there are.", 1, 3, 11),
        hitRate: part("share", "The share of reads that it answers.", 0.95),
        itemTtl: part("duration", "How long items stay in it.", "5m"),
        queryTtl: part("duration", "How long answers of queries stay in it.", "5m"),
        patterns: patternIds("The patterns that read through it."),
      },
      { node: "dax.r5.large", nodes: 3, patterns: [4] },
    ),
    prewarm: part("units", "Units that it can serve at once from the beginning.", { read: 12_000 }),
    maximum: part("units", "The most units that it may use, if it is on-demand.", { read: 1_000 }),
    replicas: list(
      "Other Regions that it is replicated to.",
      part("regionName", "A Region.", "eu-west-1"),
      ["eu-west-1"],
    ),
    tags: {
      ...map("Tags.", text("A value.", "shop"), { team: "shop" }, undefined, 0),
      maxProperties: limits.tagsMax,
    },
  },
  { key: { PK: "S", SK: "S" }, entities: { Customer: { key: { PK: "C#{customerId}", SK: "C" } } } },
);
