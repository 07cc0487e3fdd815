import type { Schema } from "../document/schema.ts";
import {
  either,
  flag,
  list,
  map,
  number,
  part,
  shape,
  text,
  whole,
  words,
} from "./schema-build.ts";

const name = (description: string, example: string): Schema =>
  part("attributeName", description, example);
const names = (description: string, ...example: string[]): Schema =>
  list(description, part("attributeName", "An attribute.", example[0]), example);
const entity = (description: string, example: string): Schema =>
  part("entityName", description, example);
const texts = (description: string, example: string): Schema =>
  list(description, text("One of them.", example), [example], 0);

const skew = {
  hottest: part("share", "The share of the traffic that the hottest value has.", 0.2),
  zipf: part("amount", "The exponent of Zipf's law that the values follow.", 1.1),
};

const attribute: Schema = shape(
  "An attribute.",
  ["type"],
  {
    type: words("Its type in DynamoDB.", "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"),
    description: text("What it is.", "the address that confirmations go to"),
    format: words(
      "How it is written; fixes its bytes and its order.",
      ...["iso-date", "iso-time", "epoch-seconds", "epoch-milliseconds", "ulid", "ksuid", "uuid"],
    ),
    bytes: part("bytes", "Bytes of a value; with `elements` those of one element.", 60),
    digits: whole("Significant digits of a number.", 1, 6, 38),
    elements: shape(
      "How many elements a list, map or set has; without a max it grows without bound.",
      ["average"],
      {
        average: part("amount", "On average.", 4),
        max: part("amount", "At most.", 50),
      },
      { average: 4, max: 50 },
    ),
    values: either(
      "The only values there are: a list, all as frequent, or each with its share.",
      { active: 0.9, suspended: 0.1 },
      list(
        "The values.",
        either("A value.", "active", text("A text.", "active"), number("A number.", 1)),
        ["active", "suspended"],
      ),
      map(
        "The values and their shares, which make 1.",
        { type: "number", minimum: 0, maximum: 1 },
        {
          active: 0.9,
          suspended: 0.1,
        },
      ),
    ),
    distinct: part("amount", "How many different values there are.", 500),
    skew: shape("How unevenly the values are used.", [], skew, { hottest: 0.2 }, [
      ["hottest"],
      ["zipf"],
    ]),
    present: part("share", "The share of items that have it; all, if it is not said.", 0.3),
    unique: flag("No two items may have the same value."),
    mutable: flag("Whether it changes. Unless said: not in ids and copies, otherwise yes."),
    counter: flag("It is changed by adding to it."),
    personal: flag("It says something about a person: deletion and export may be asked for."),
    copyOf: part(
      "attributeOf",
      "The attribute of another entity that this one repeats.",
      "Plan.name",
    ),
    refersTo: part(
      "attributeOf",
      "The attribute in the id of another entity that this one holds under another name.",
      "Person.personId",
    ),
    keeps: shape(
      "What a number is worked out from, of all that belong to the one that has it.",
      [],
      {
        count: entity("How many there are of this entity.", "Order"),
        sum: part("attributeOf", "The sum of this attribute.", "Order.total"),
        max: part("attributeOf", "The greatest of this attribute.", "Bid.amount"),
        min: part("attributeOf", "The least of this attribute.", "Offer.price"),
      },
      { count: "Order" },
      [["count"], ["sum"], ["max"], ["min"]],
    ),
    staleness: words(
      "Whether a copy or a number that is kept may be behind its source.",
      "accepted",
      "refused",
    ),
  },
  { type: "S", bytes: 60 },
);

const entitySchema: Schema = shape(
  "A kind of thing that is stored.",
  ["id", "attributes"],
  {
    description: text("What it is.", "somebody who buys"),
    id: names("The attributes that identify it.", "customerId"),
    count: part("amount", "How many there are.", 1_000_000),
    growth: shape(
      "How many are added.",
      [],
      {
        perDay: part("amount", "In a day.", 700),
        perMonth: part("amount", "In a month.", 20_000),
        perYear: part("amount", "In a year.", 240_000),
      },
      { perMonth: 20_000 },
      [["perDay"], ["perMonth"], ["perYear"]],
    ),
    retention: part("duration", "How long one is kept.", "365d"),
    version: name("The number that every change raises, for `condition: version`.", "version"),
    attributes: map(
      "Its attributes.",
      attribute,
      { customerId: { type: "S", format: "ulid" } },
      { $ref: "#/$defs/attributeName" },
    ),
  },
  {
    id: ["customerId"],
    count: 1_000_000,
    attributes: { customerId: { type: "S", format: "ulid" } },
  },
);

const relation: Schema = shape(
  "How entities belong together.",
  ["from", "to", "kind"],
  {
    from: entity("The one side.", "Customer"),
    to: entity("The other side.", "Order"),
    kind: words("How many belong to how many.", "one-to-one", "one-to-many", "many-to-many"),
    via: entity("The entity that stands for one pair of a many-to-many relation.", "Membership"),
    description: text("What it means.", "orders that a customer has placed"),
    average: part("amount", "How many of `to` one of `from` has on average.", 5),
    max: part("amount", "How many it has at most.", 1_000),
    reverse: shape(
      "The same in the other direction.",
      [],
      {
        average: part("amount", "How many of `from` one of `to` has on average.", 3),
        max: part("amount", "How many it has at most.", 50),
      },
      { average: 3, max: 50 },
    ),
    identifying: flag("One of `to` means nothing without its one of `from`."),
    together: part("share", "How often both are wanted when one is.", 0.8),
  },
  { from: "Customer", to: "Order", kind: "one-to-many", average: 5, max: 1_000 },
);

const returns = either(
  "The attributes that are wanted.",
  ["orderId", "total"],
  words("All, or only those of the id.", "all", "keys"),
  names("These.", "orderId", "total"),
);

const action: Readonly<Record<string, Schema>> = {
  read: entity("The entity that is read.", "Order"),
  create: entity("The entity that is created.", "Order"),
  update: entity("The entity that is changed.", "Order"),
  delete: entity("The entity that is deleted.", "Order"),
  where: part("where", "Which ones.", { customerId: "equals" }),
  order: part("order", "In which order the answer is.", { createdAt: "descending" }),
  limit: part("limit", "How many at most, or all.", 20),
  returns,
  changes: either(
    "The attributes that get other values, or the constants that they get.",
    ["status"],
    names("These.", "status"),
    map("These, to these constants.", { $ref: "#/$defs/constant" }, { status: "shipped" }),
  ),
  adds: map("Numbers that are added to.", number("How much is added.", 1), { visits: 1 }),
  appends: names("Lists and sets that get another element.", "tags"),
  removes: names("Attributes that are taken away.", "couponCode"),
  condition: either(
    "What must hold for the write to happen.",
    "absent",
    words(
      "It is there; it is not there; nobody else has changed it since it was read.",
      ...["exists", "absent", "version"],
    ),
    { $ref: "#/$defs/where" },
  ),
};

const step: Schema = shape(
  "One step of a transaction.",
  [],
  {
    ...action,
    check: entity("The entity that is looked at and not changed.", "Account"),
    average: part("amount", "How many of these steps one transaction has on average.", 3),
  },
  { create: "Order", condition: "absent" },
  [["read"], ["create"], ["update"], ["delete"], ["check"]],
);

const pattern: Schema = shape(
  "An access pattern: one thing that the application asks of the data.",
  ["name"],
  {
    name: text("What it is called.", "Orders of a customer, newest first"),
    story: text("The user's story behind it.", "As a customer I want to see my orders"),
    ...action,
    transaction: list("Steps that happen together or not at all.", step, [{ create: "Order" }]),
    together: list(
      "Other entities in the same answer.",
      either(
        "An entity.",
        "OrderItem",
        entity("All of it.", "OrderItem"),
        shape(
          "An entity, and which of it.",
          ["entity"],
          {
            entity: entity("The entity.", "OrderItem"),
            limit: part("limit", "How many at most, or all.", "all"),
            order: part("order", "In which order they are.", { position: "ascending" }),
            where: part("where", "Which ones.", { status: { equals: "open" } }),
            returns,
          },
          { entity: "OrderItem", limit: "all" },
        ),
      ),
      [{ entity: "OrderItem", limit: "all" }],
    ),
    with: list(
      "Other entities that are created or deleted with it.",
      either(
        "An entity.",
        "OrderItem",
        entity("As many as the relation has on average.", "OrderItem"),
        shape(
          "An entity, and how many of it.",
          ["entity"],
          {
            entity: entity("The entity.", "OrderItem"),
            average: part("amount", "How many on average.", 3),
          },
          { entity: "OrderItem", average: 3 },
        ),
      ),
      ["OrderItem"],
    ),
    consistency: words("Whether a read must see every earlier write.", "eventual", "strong"),
    matches: part(
      "amount",
      "How many there are on average for one request, where that does not follow from counts and relations.",
      40,
    ),
    batch: part("amount", "How many of them one request names.", 25),
    rps: part("rate", "Requests per second. Missing, it is an open question.", {
      average: 400,
      peak: 2_000,
    }),
    latency: part("duration", "How long an answer may take.", "50ms"),
    writers: part("amount", "How many write to the same item at the same time.", 8),
    scope: names("Attributes that an authorised caller is bound to.", "customerId"),
    skew: shape(
      "How unevenly the values of a key are asked for.",
      ["key"],
      { key: name("The attribute.", "customerId"), ...skew },
      { key: "customerId", hottest: 0.01 },
      [["hottest"], ["zipf"]],
    ),
    requirements: texts("What it must fulfil.", "survives the loss of a zone"),
    considerations: texts("Thoughts on its design.", "may need shards"),
    status: words("How far its design is.", "solved", "open", "alternative", "declined"),
    alternative: shape(
      "What serves it instead of DynamoDB.",
      ["service", "why"],
      {
        service: text("The service.", "OpenSearch"),
        via: text("How the data gets there.", "stream"),
        why: text("Why it is better there.", "full-text search"),
      },
      { service: "OpenSearch", via: "stream", why: "full-text search" },
    ),
    declined: text(
      "Why there is no counterpart to it, or why it is not served.",
      "customers are never deleted",
    ),
  },
  { name: "Orders of a customer", read: "Order", where: { customerId: "equals" }, rps: 400 },
  [["read"], ["create"], ["update"], ["delete"], ["transaction"]],
);

const workflow: Schema = shape(
  "Patterns that one task runs through, in order.",
  ["steps"],
  {
    description: text("What the task is.", "from the cart to the payment"),
    steps: list(
      "The ids of the patterns.",
      either("An id.", 3, part("wordName", "A word.", "pay"), whole("A number.", 0, 3)),
      [3, 2, 7],
    ),
    rps: part("rate", "How often it runs, per second.", { average: 50, peak: 200 }),
  },
  { steps: [3, 2, 7], rps: 50 },
);

/** The members of the document that state requirements. */
export const requirementSchemas: Readonly<Record<string, Schema>> = {
  overview: shape(
    "What the application is.",
    [],
    {
      domain: text("The field it is in.", "e-commerce"),
      context: texts("Rules and constraints of the business.", "an order is never changed"),
      compliance: texts("Laws and standards that apply.", "GDPR"),
      scale: shape(
        "How large it is.",
        [],
        {
          users: part("amount", "How many people use it.", 1_000_000),
          requests: part("amount", "Requests per second of all patterns together.", 5_000),
        },
        { users: 1_000_000 },
      ),
      region: text("The Region whose prices count.", "us-east-1"),
    },
    { domain: "e-commerce", region: "us-east-1" },
  ),
  entities: map(
    "The kinds of things that are stored.",
    entitySchema,
    { Customer: { id: ["customerId"], attributes: { customerId: { type: "S", format: "ulid" } } } },
    { $ref: "#/$defs/entityName" },
  ),
  relations: list(
    "How the entities belong together.",
    relation,
    [{ from: "Customer", to: "Order", kind: "one-to-many", average: 5 }],
    0,
  ),
  patterns: map(
    "The access patterns, each under a number or word.",
    pattern,
    { "1": { name: "A customer", read: "Customer", where: { customerId: "equals" }, rps: 400 } },
    { $ref: "#/$defs/wordName" },
    0,
  ),
  workflows: map(
    "Tasks that run through several patterns.",
    workflow,
    { checkout: { steps: [3, 2, 7], rps: 50 } },
    { $ref: "#/$defs/wordName" },
    0,
  ),
};
