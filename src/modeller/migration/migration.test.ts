import { describe, expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { change, edited, exampleText, game, shop } from "./migration.test-support.ts";
import { isRefused, type Migration, migrationOf } from "./migration.ts";
import { migrationText } from "./text.ts";

const acts = ({ steps }: Migration): string[] => steps.map(({ act }) => act);
const errors = ({ findings }: Migration): string[] =>
  findings.filter(({ severity }) => severity === "error").map(({ id }) => id);
const requests = ({ steps }: Migration): string[] =>
  steps.flatMap((step) => step.requests.map(({ operation }) => operation));
const kinds = ({ changes }: Migration): string[] => changes.map(({ kind }) => kind);

const moving = ["write-both", "backfill", "verify", "read-new", "new-leads", "write-new"];

test("two documents that say the same", () => {
  const same = change("online-shop", [["1_000_000", "1000000"]]);
  expect(same.changes).toEqual([]);
  expect(same.steps).toEqual([]);
  expect(migrationText(same, { old: "a.yaml", new: "b.yaml" })).toBe(
    "The two documents say the same: there is nothing to do.\n",
  );
});

test("words and numbers need nothing in the database", () => {
  const migration = change("online-shop", [
    ["purpose: everything that customers see and do", "purpose: the shop"],
    ["count: 5_000_000", "count: 6_000_000"],
  ]);
  expect(kinds(migration)).toEqual(["none", "none"]);
  expect(acts(migration)).toEqual(["deploy"]);
});

test("a new attribute that no key uses is stored by who writes it", () => {
  const migration = change("online-shop", [
    [
      "      version: { type: N, digits: 5 }\n",
      "      version: { type: N, digits: 5 }\n      title: { type: S, bytes: 8 }\n",
    ],
  ]);
  expect(kinds(migration)).toEqual(["none"]);
  expect(acts(migration)).toEqual(["deploy"]);
});

test("an index on attributes that items have is filled by DynamoDB", () => {
  const migration = change("online-shop", shop.addedIndex);
  expect(kinds(migration)).toEqual(["additive"]);
  expect(acts(migration)).toEqual(["create", "deploy"]);
  const [create, deploy] = migration.steps;
  expect(create?.requests).toEqual([
    {
      operation: "UpdateTable",
      request: {
        TableName: "Shop",
        AttributeDefinitions: [
          { AttributeName: "productId", AttributeType: "S" },
          { AttributeName: "orderId", AttributeType: "S" },
        ],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: "ByProduct",
              KeySchema: [
                { AttributeName: "productId", KeyType: "HASH" },
                { AttributeName: "orderId", KeyType: "RANGE" },
              ],
              Projection: { ProjectionType: "KEYS_ONLY" },
            },
          },
        ],
      },
    },
  ]);
  // Fifteen million lines of orders, an entry of less than 1 KB each.
  expect(create?.cost).toMatchObject({ items: 15_000_000, writeUnits: 15_000_000, rate: 1_000 });
  expect(create?.cost?.dollars).toBeCloseTo(9.375);
  expect(create?.cost?.seconds).toBe(15_000);
  expect(create?.right).toEqual({ readers: "old", writers: "old" });
  expect(deploy?.right).toEqual({ readers: "old and new", writers: "both" });
});

test("two indexes of one table are made one after the other", () => {
  const [find, put] = shop.addedIndex[0];
  const two = put.replace(
    "        GSI2:",
    "        ByName: { key: { partition: productName }, projection: keys }\n        GSI2:",
  );
  const migration = change("online-shop", [[find, two]]);
  expect(acts(migration)).toEqual(["create", "create", "deploy"]);
  expect(migration.steps[1]?.risks[0]).toContain("at a time");
  expect(requests(migration)).toEqual(["UpdateTable", "UpdateTable"]);
});

describe("what cannot be changed is made anew under another name", () => {
  test("an index that projects more", () => {
    const migration = change("online-shop", shop.widerProjection);
    expect(kinds(migration)).toEqual(["rebuild"]);
    expect(migration.newNames).toMatchObject([{ table: "Shop", index: "GSI1", name: "GSI1-2" }]);
    expect(acts(migration)).toEqual(["create", "deploy", "drop"]);
    expect(migration.target.design?.tables.get("Shop")?.indexes.has("GSI1-2")).toBe(true);
    expect(isRefused(migration)).toBe(false);
  });

  test("an index with more shards, whose keys lie in other attributes", () => {
    const migration = change("game-leaderboard", game.moreShards);
    expect(migration.newNames).toMatchObject([{ index: "Leaderboard", name: "Leaderboard-2" }]);
    expect([...(migration.newNames[0]?.attributes ?? [])]).toEqual([["board", "board2"]]);
    expect(acts(migration)).toEqual(["create", ...moving, "drop", "clean-up"]);
    const backfill = migration.steps.find(({ act }) => act === "backfill");
    // One unit for the item, one for its new entry.
    expect(backfill?.cost).toMatchObject({ items: 9_000_000, writeUnits: 18_000_000 });
    expect(migration.moves).toMatchObject([
      { entity: "Score", moves: [{ gains: ["board2"], loses: ["board"] }] },
    ]);
  });

  test("a table whose items get keys that old readers would meet", () => {
    const migration = change("online-shop", shop.padding);
    expect(migration.newNames).toMatchObject([{ table: "Shop", index: undefined, name: "Shop-2" }]);
    expect(acts(migration)).toEqual(["prepare", "create", ...moving, "drop"]);
    expect(migration.moves.map(({ entity }) => entity)).toEqual([
      "Customer",
      "Order",
      "OrderItem",
      "Product",
    ]);
    expect(migration.steps.at(-1)?.requests).toEqual([
      {
        operation: "UpdateTable",
        request: { TableName: "Shop", DeletionProtectionEnabled: false },
      },
      { operation: "DeleteTable", request: { TableName: "Shop" } },
    ]);
  });

  test("a table with another key, and one that gets a local index", () => {
    const other = change("game-leaderboard", [
      ["key: { matchId: S }", "key: { match: S }"],
      ['Match: { key: { matchId: "{matchId}" } }', 'Match: { key: { match: "{matchId}" } }'],
    ]);
    expect(other.newNames).toMatchObject([{ table: "Matches", name: "Matches-2" }]);
    const local = change("game-leaderboard", [
      [
        "        Leaderboard:\n",
        "        ByTime: { local: true, key: { sort: reachedAt }, projection: keys }\n        Leaderboard:\n",
      ],
    ]);
    expect(local.newNames).toMatchObject([{ table: "Scores", name: "Scores-2" }]);
  });

  test("names that are free already are kept", () => {
    const migration = change("game-leaderboard", [
      ["        Leaderboard:\n", "        Best:\n"],
      ['board: "{seasonId}#{shard:8:playerId}"', 'best: "{seasonId}#{shard:16:playerId}"'],
      ["partition: board", "partition: best"],
      ["design.tables.Scores.indexes.Leaderboard", "design.tables.Scores.indexes.Best"],
    ]);
    expect(migration.newNames).toEqual([]);
    expect(acts(migration)).toEqual(["create", ...moving, "drop", "clean-up"]);
  });

  test("a new index may not take the key attributes of another one", () => {
    const migration = change("game-leaderboard", [
      ["        Leaderboard:\n", "        Best:\n"],
      ["{seasonId}#{shard:8:playerId}", "{seasonId}#{shard:16:playerId}"],
      ["design.tables.Scores.indexes.Leaderboard", "design.tables.Scores.indexes.Best"],
    ]);
    expect(migration.newNames).toMatchObject([{ index: "Best", name: "Best" }]);
    expect(migration.newNames[0]?.attributes.get("board")).toBe("board2");
  });
});

test("an entity gets a table of its own: it is moved, and its old items are cleared away", () => {
  const migration = change("online-shop", shop.ownTable);
  expect(acts(migration)).toEqual(["create", ...moving, "clean-up"]);
  expect(migration.moves).toHaveLength(1);
  expect(
    migration.moves[0]?.moves.map(({ before, after }) => [before?.table.name, after?.table.name]),
  ).toEqual([
    [undefined, "Products"],
    ["Shop", undefined],
  ]);
  const readers = migration.steps.map(({ act, right }) => [act, right.readers]);
  expect(readers).toEqual([
    ["create", "old"],
    ["write-both", "old"],
    ["backfill", "old and new"],
    ["verify", "old and new"],
    ["read-new", "old and new"],
    ["new-leads", "old and new"],
    ["write-new", "new"],
    ["clean-up", "new"],
  ]);
  // A transaction costs double: the old item (3 units) is looked at, the new one is written; the index gets an entry.
  expect(migration.steps.find(({ act }) => act === "backfill")?.cost).toMatchObject({
    items: 50_000,
    writeUnits: 50_000 * (2 * 3 + 2 * 3 + 1),
  });
});

test("a copy of another entity's attribute is filled in, and the index on it is empty until then", () => {
  const migration = change("online-shop", shop.copy);
  expect(acts(migration)).toEqual(["create", ...moving]);
  expect(migration.moves).toMatchObject([
    { entity: "OrderItem", moves: [{ gains: ["category"] }] },
  ]);
  const [create] = migration.steps;
  expect(create?.cost).toBeUndefined();
  expect(create?.verify[1]).toContain("It is empty");
  // Written once, and entered once.
  const backfill = migration.steps.find(({ act }) => act === "backfill");
  expect(backfill?.cost).toMatchObject({ items: 15_000_000, writeUnits: 30_000_000 });
});

test("a value that nobody has yet is asked for", () => {
  const plain = shop.copy.map(
    ([find, put]) =>
      [find, put.replace(", copyOf: Product.category, staleness: accepted", "")] as const,
  );
  const migration = change("online-shop", plain);
  expect(acts(migration)).toEqual(["create", "deploy"]);
  expect(migration.findings).toMatchObject([
    { id: "needs-value:design.tables.Shop.indexes.Sold", severity: "question" },
  ]);
});

describe("silent loss is refused", () => {
  const lossy: readonly (readonly [string, Migration, string])[] = [
    [
      "an attribute",
      change("online-shop", shop.droppedAttribute),
      "attribute-dropped:entities.Order.attributes.note",
    ],
    [
      "a type",
      change("online-shop", [
        ["quantity: { type: N, digits: 2,", "quantity: { type: S, bytes: 2,"],
      ]),
      "type-changed:entities.OrderItem.attributes.quantity",
    ],
    [
      "digits",
      change("online-shop", [["ITEM#{position|pad:3}", "ITEM#{position|pad:2}"]]),
      "padding-too-narrow:design.tables.Shop.entities.OrderItem.key.SK",
    ],
    [
      "values that are kept unique from now on",
      migrationOf(
        modelOf(
          edited("game-leaderboard", [
            '      unique:\n        - { entity: Player, attribute: nick, table: Nicks, key: { nick: "{nick|lower}" } }\n',
            "",
          ]),
        ),
        modelOf(exampleText("game-leaderboard")),
      ),
      "unique-may-be-violated:design.unique.Player.nick",
    ],
    [
      "what a pattern takes from an index",
      change("online-shop", [
        [
          "projection: [orderId, createdAt, status, total, productId, name, price]",
          "projection: [orderId, createdAt, status, productId, name, price]",
        ],
      ]),
      "projection-narrowed:design.tables.Shop.indexes.GSI1",
    ],
  ];

  test.each(lossy)("%s", (_, migration, id) => {
    expect(errors(migration)).toContain(id);
    expect(isRefused(migration)).toBe(true);
    expect(migrationText(migration, { old: "a.yaml", new: "b.yaml" })).toContain("Refused:");
  });

  test("the places in both files are named, and a loss can be accepted", () => {
    const refused = change("online-shop", shop.droppedAttribute);
    const text = migrationText(refused, { old: "a.yaml", new: "b.yaml" });
    expect(text).toContain(
      "a.yaml:45:13 entities.Order.attributes.note · b.yaml:33:5 entities.Order",
    );
    const accepted = change("online-shop", shop.droppedAttribute, {
      accepted: ["attribute-dropped:entities.Order.attributes.note"],
    });
    expect(isRefused(accepted)).toBe(false);
    expect(acts(accepted)).toEqual([
      "prepare",
      "create",
      "read-new",
      "write-new",
      "drop",
      "clean-up",
    ]);
    expect(accepted.steps.find(({ act }) => act === "clean-up")?.actions[0]).toBe(
      "Deletes note of Order items in Shop.",
    );
  });

  test("an entity that is gone", () => {
    const small = (more: string): string => `keywright: 1
name: small
entities:
  Cat: { id: [catId], count: 5, attributes: { catId: { type: S, format: ulid }, name: { type: S, bytes: 5 } } }
${more}`;
    const design = (more: string): string => `design:
  tables:
    Cats: { key: { catId: S }, entities: { Cat: { key: { catId: "{catId}" } } } }
${more}`;
    const dog =
      "  Dog: { id: [dogId], count: 5, attributes: { dogId: { type: S, format: ulid } } }\n";
    const old = modelOf(
      small(
        dog +
          design(
            '    Dogs: { key: { dogId: S }, entities: { Dog: { key: { dogId: "{dogId}" } } } }\n',
          ),
      ),
    );
    const migration = migrationOf(old, modelOf(small(design(""))));
    expect(errors(migration)).toEqual(["entity-dropped:entities.Dog"]);
    expect(requests(migration)).toEqual(["CreateBackup", "DeleteTable"]);
  });
});

test("a key that does not tell items apart any more", () => {
  const migration = change("game-leaderboard", [
    ["key: { playerId: S, seasonId: S }", "key: { playerId: S }"],
    [
      'Score: { key: { playerId: "{playerId}", seasonId: "{seasonId}" } }',
      'Score: { key: { playerId: "{playerId}" } }',
    ],
  ]);
  expect(errors(migration)).toContain(
    "key-collides:design.tables.Scores.entities.Score.key.playerId",
  );
  expect(migration.findings[0]?.message).toContain("seasonId");
});

test("a pattern that was served and is not any more", () => {
  const migration = migrationOf(
    modelOf(exampleText("game-leaderboard")),
    modelOf(
      edited("game-leaderboard", [
        '        Tournament: { key: { tournamentId: "{tournamentId}" } }\n',
        '        Score: { key: { tournamentId: "{seasonId}" } }\n',
      ]),
    ),
  );
  expect(errors(migration)).toContain("pattern-unserved:patterns.tournament");
  expect(errors(migration)).toContain("entity-dropped:entities.Tournament");
});

test("old readers of whole partitions that will meet items they do not know", () => {
  const small = (placement: string): string => `keywright: 1
name: small
entities:
  Toy:
    id: [catId, toyId]
    count: 5
    attributes:
      catId: { type: S, format: ulid }
      toyId: { type: S, format: ulid }
      photo: { type: S, bytes: 5_000, present: 0.5 }
patterns:
  all: { name: Toys of a cat, read: Toy, where: { catId: equals }, limit: all, returns: [toyId], rps: { average: 1, peak: 1 } }
design:
  tables: { Toys: { key: { PK: S, SK: S }, entities: { Toy: ${placement} } } }
`;
  const key = `key: { PK: "{catId}", SK: "{toyId}" }`;
  const split = `{ ${key}, split: [{ name: photo, key: { PK: "{catId}", SK: "PHOTO#{toyId}" }, attributes: [photo] }] }`;
  const [old, next] = [modelOf(small(`{ ${key} }`)), modelOf(small(split))];
  const migration = migrationOf(old, next);
  expect(migration.findings).toMatchObject([{ id: "strangers:patterns.all", severity: "warning" }]);
  expect(migration.findings[0]?.message).toContain("Toy.photo");
  expect(migrationOf(next, old).findings).toEqual([]);
});

test("more indexes than a table may have while both stand side by side", () => {
  const lines = (prefix: string, count: number): string =>
    Array.from(
      { length: count },
      (_, i) =>
        `        ${prefix}${i}: { key: { partition: tournamentId, sort: region }, projection: keys }\n`,
    ).join("");
  const mark = "        MatchesOfTournament:\n";
  const from = (put: string) => modelOf(edited("game-leaderboard", [mark, put + mark]));
  const many = migrationOf(from(lines("Old", 10)), from(lines("New", 10)));
  expect(many.findings.map(({ id }) => id)).toContain("too-many-indexes:design.tables.Matches");
  const few = migrationOf(from(lines("Old", 10)), from(lines("New", 9)));
  expect(few.findings.map(({ id }) => id)).not.toContain("too-many-indexes:design.tables.Matches");
});

describe("renames", () => {
  test("are asked about, not guessed", () => {
    const migration = change("online-shop", shop.renamedAttribute);
    expect(isRefused(migration)).toBe(true);
    expect(migration.findings[0]?.message).toContain("--rename Order.note=remark");
  });

  test("that are stated lose nothing: the values are written under both names", () => {
    const migration = change("online-shop", shop.renamedAttribute, {
      renames: [{ entity: "Order", attribute: "note", to: "remark" }],
    });
    expect(isRefused(migration)).toBe(false);
    expect(migration.moves).toMatchObject([
      { entity: "Order", moves: [{ gains: ["remark"], loses: ["note"] }] },
    ]);
    expect(acts(migration)).toEqual(["create", ...moving, "drop", "clean-up"]);
  });

  test("of tables there are none: everything is moved", () => {
    const migration = change("game-leaderboard", [["    Matches:\n", "    Games:\n"]]);
    expect(migration.findings.map(({ id }) => id)).toContain("looks-renamed:design.tables.Matches");
    expect(acts(migration)).toEqual(["prepare", "create", ...moving, "drop"]);
    expect(isRefused(migration)).toBe(false);
  });
});

test("settings: each with its request, and those that take something away come last", () => {
  const migration = change("online-shop", [
    ["billing: on-demand", "billing: { provisioned: { read: 1000, write: 500 } }"],
    ["class: standard", "class: infrequent-access"],
    ["stream: new-and-old-images", "stream: new-image"],
    ["pitr: { days: 35 }", "pitr: { days: 7 }"],
    ["deletionProtection: true", "deletionProtection: false"],
    ["tags: { team: shop }", "tags: { team: sales }"],
  ]);
  expect(new Set(kinds(migration))).toEqual(new Set(["setting"]));
  expect(requests(migration)).toEqual([
    "UpdateTable",
    "UpdateTable",
    "UpdateContinuousBackups",
    "TagResource",
    "UpdateTable",
    "UpdateTable",
    "UpdateTable",
  ]);
  const [stream] = migration.steps;
  expect(stream?.requests.map(({ request }) => request)).toEqual([
    { TableName: "Shop", StreamSpecification: { StreamEnabled: false } },
    {
      TableName: "Shop",
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
    },
  ]);
  expect(stream?.actions.join(" ")).toContain("24 hours");
  const billing = migration.steps.find(({ title }) => title.includes("billed"));
  expect(billing?.requests[0]?.request).toMatchObject({
    BillingMode: "PROVISIONED",
    GlobalSecondaryIndexUpdates: [
      { Update: { IndexName: "GSI1" } },
      { Update: { IndexName: "GSI2" } },
    ],
  });
  expect(migration.findings).toMatchObject([{ severity: "warning" }]);
});

test("another attribute for the time to live is waited for", () => {
  const text = exampleText("device-readings");
  expect(text).toContain("ttl:");
  const old = modelOf(text);
  const without = modelOf(text.replaceAll(/^ +ttl: .*\n/gm, ""));
  const off = migrationOf(old, without);
  expect(requests(off)).toContain("UpdateTimeToLive");
  const on = migrationOf(without, old);
  expect(on.findings.some(({ id }) => id.startsWith("weakened:"))).toBe(true);
});

test("a pattern that is gone is told", () => {
  const migration = migrationOf(
    modelOf(exampleText("online-shop")),
    modelOf(
      edited("online-shop", [
        `  13:
    name: Offer a product
    create: Product
    condition: absent
    rps: { average: 0.02, peak: 5 }
    status: solved
`,
        "",
      ]),
    ),
  );
  expect(kinds(migration)).toEqual(["destructive"]);
  expect(migration.findings).toMatchObject([
    { id: "pattern-dropped:patterns.13", severity: "warning" },
  ]);
  expect(isRefused(migration)).toBe(false);
});
