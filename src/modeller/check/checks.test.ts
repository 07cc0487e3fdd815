import { describe, expect, test } from "vitest";
import { lineOf, pointsOf, type Swap } from "./check.test-support.ts";

const points = (check: string, ...swaps: Swap[]): readonly string[] =>
  pointsOf(lineOf(check, swaps));

const tradeoffs = "  tradeoffs: [the name of the buyer may be an old one]\n";

describe("batches-used", () => {
  const plan = `  plans:
    people:
      steps:
        - { operation: Query, table: Teams, key: { teamId: "{teamId}" } }
        - { operation: GetItem, table: Members, entity: Member, key: { memberId: "{memberId}", part: MEMBER } }
`;
  test("a plan that reads one by one what a batch would bring", () => {
    expect(points("batches-used", [tradeoffs, `${tradeoffs}${plan}`])).toEqual([
      "wrong design.plans.people.steps[1]: Pattern people (The members of a team) reads 150 items by as many requests; BatchGetItem reads up to 100 at once.",
    ]);
    const batched = plan.replace("operation: GetItem", "operation: BatchGetItem");
    expect(points("batches-used", [tradeoffs, `${tradeoffs}${batched}`])).toEqual([]);
  });
});

describe("copies-kept", () => {
  test("nobody said whether a copy may be behind a source that changes", () => {
    const unsaid: Swap = [
      ", copyOf: Member.fullName, staleness: accepted",
      ", copyOf: Member.fullName",
    ];
    expect(points("copies-kept", unsaid)).toEqual([
      "open entities.Order.attributes.buyer: Member.fullName changes by edit: may its copy Order.buyer be behind? (staleness)",
    ]);
    const neverChanges: Swap = [
      "changes: [fullName, about, settings]",
      "changes: [about, settings]",
    ];
    expect(points("copies-kept", unsaid, neverChanges)).toEqual([]);
  });

  test("a reader of the source's stream keeps it", () => {
    const refused: Swap = ["staleness: accepted", "staleness: refused"];
    const streamed: Swap = [
      "    Teams:\n      purpose",
      "      stream: new-image\n      consumers: [{ name: names, purpose: renames buyers }]\n    Teams:\n      purpose",
    ];
    expect(points("copies-kept", refused).length).toBe(1);
    expect(points("copies-kept", refused, streamed)).toEqual([]);
  });
});

describe("costs-at-average", () => {
  test("a Region without prices is asked about", () => {
    expect(points("costs-at-average", ["region: us-east-1", "region: mars-north-1"])).toEqual([
      "open overview.region: No prices of mars-north-1 are known: which Region is near to it? (region)",
    ]);
  });

  test("what the design does by itself has a price, too", () => {
    const counted: Swap = [
      "      purpose: what members order\n",
      "      purpose: what members order\n      stream: new-image\n      aggregates: [{ of: Order, into: Team.sold, by: stream }]\n",
    ];
    const holder: Swap = [
      "      colours: { type: SS",
      "      sold: { type: N, digits: 6, counter: true }\n      colours: { type: SS",
    ];
    expect(points("costs-at-average", counted, holder)).toEqual([
      "open design: Something has no price: Team.sold by stream: which Team holds sold cannot be told from Order.",
    ]);
  });
});

describe("cross-references", () => {
  test("an entity that is used lies somewhere", () => {
    const nowhere: Swap = [
      '        Product: { key: { productId: "{productId}" }, elsewhere: [{ attribute: photo, service: S3, pointer: photoKey }] }\n',
      '        Session: { key: { productId: "{sessionId}" } }\n',
    ];
    expect(points("cross-references", nowhere)).toEqual([
      "wrong entities.Product: Patterns use Product, but it is in no table.",
    ]);
  });

  test("a cache is for patterns that read its table", () => {
    const cache = (id: string): Swap => [
      "      ttl: expiresAt\n",
      `      ttl: expiresAt\n      dax: { node: dax.r5.large, nodes: 3, hitRate: 0.9, itemTtl: 1m, queryTtl: 1m, patterns: [${id}] }\n`,
    ];
    expect(points("cross-references", cache("session"))).toEqual([]);
    expect(points("cross-references", cache("profile"))).toEqual([
      "wrong design.tables.Sessions.dax.patterns[0]: The cache of Sessions is for pattern profile, which does not read Sessions.",
    ]);
  });

  test("decisions name parts by positions in either way", () => {
    const about = (path: string): Swap => [
      "about: design.tables.Orders.indexes.Waiting,",
      `about: "${path}",`,
    ];
    for (const path of [
      "design.services[0]",
      "design.services.0.for",
      "relations[1].reverse",
      "overview",
    ]) {
      expect(points("cross-references", about(path)), path).toEqual([]);
    }
    for (const path of [
      "design.services[1]",
      "design.tables.Order",
      "relations[1]reverse",
      "patterns.profil",
    ]) {
      expect(points("cross-references", about(path)).length, path).toBe(1);
    }
  });

  test("a service that serves a pattern of another", () => {
    const other: Swap = [
      "services: [{ name: OpenSearch, for: [search], via: stream, why: full text }]",
      "services: [{ name: OpenSearch, for: [search] }, { name: Athena, for: [search] }]",
    ];
    expect(points("cross-references", other)).toEqual([
      "wrong design.services[1].for[0]: Athena is said to serve pattern search (Search products), whose status is alternative by OpenSearch.",
    ]);
  });
});

describe("sizes-below-limits", () => {
  test("what lies inside an item has a bound", () => {
    const inside: readonly Swap[] = [
      ['        Seat: { key: { teamId: "{teamId}", part: "SEAT#{memberId}" } }\n', ""],
      ["part: TEAM } }", "part: TEAM }, embeds: [{ entity: Seat, as: seats }] }"],
      [
        `      indexes:
        TeamsOfMember:
          purpose: the other end of the relation
          key: { partition: memberId, sort: since }
          projection: all
`,
        "",
      ],
    ];
    expect(points("sizes-below-limits", ...inside)).toEqual([
      "open entities.Seat: How many Seat can one Team hold? They lie inside its item. (max)",
    ]);
    const bound =
      "  - { from: Team, to: Seat, kind: one-to-many, average: 150, max: 1_000 }\npatterns:\n";
    expect(
      points("sizes-below-limits", ...inside, ["patterns:\n  profile", `${bound}  profile`]),
    ).toEqual([]);
  });

  test("lists count with the most that they can have", () => {
    const long: Swap = [
      "elements: { average: 2, max: 5 }",
      "elements: { average: 2, max: 90_000 }",
    ];
    expect(points("sizes-below-limits", long)[0]).toMatch(
      /^wrong entities\.Team: Team in Teams can have 9\d\d\.?\d* KB \(\d+ B on average\); an item has at most 400 KB\.$/,
    );
  });

  test("with a local index a collection has at most 10 GB", () => {
    const local: Swap = [
      "        Waiting:\n",
      "        ByAmount: { purpose: by price, key: { sort: amount }, local: true, projection: all }\n        Waiting:\n",
    ];
    expect(points("sizes-below-limits", local)).toEqual([]);
    expect(lineOf("sizes-below-limits", [local]).evidence[0]).toMatch(
      /^The Order under one key of Orders have [\d.]+ KB of 10 GB/,
    );
    const large: Swap = ["average: 5, max: 1_000", "average: 90_000_000, max: 100_000_000"];
    expect(points("sizes-below-limits", local, large)[0]).toMatch(
      /^wrong design\.tables\.Orders: The Order under one key of Orders have \d+\.?\d* GB; with a local index at most 10 GB\.$/,
    );
  });

  test("a transaction has at most 100 items and 4 MB", () => {
    const many: Swap = [
      "{ create: Order, condition: absent }, {",
      "{ create: Order, condition: absent, average: 99 }, {",
    ];
    expect(points("sizes-below-limits", many)).toEqual([]);
    const batched: Swap = ["condition: exists }], rps", "condition: exists }], batch: 60, rps"];
    expect(points("sizes-below-limits", batched)).toEqual([
      "wrong patterns.order: Pattern order (Order) writes 120 items at once; a transaction has at most 100.",
    ]);
    const heavy: readonly Swap[] = [
      many,
      [
        "amount: { type: N, digits: 7, mutable: false }",
        "amount: { type: S, bytes: 60 KB, mutable: false }",
      ],
    ];
    expect(points("sizes-below-limits", ...heavy)[0]).toMatch(
      /^wrong patterns\.order: Pattern order \(Order\) writes 5\.\d+ MB at once; a transaction has at most 4 MB\.$/,
    );
  });
});

describe("read-write-pairs", () => {
  const day = (attributes: string): Swap => [
    "  Product:\n    id",
    `  Day: { id: [day], count: 365, attributes: { day: { type: S, format: iso-date }, sold: { type: N, digits: 6, counter: true }${attributes} } }\n  Product:\n    id`,
  ];
  const read: Swap = [
    "  offer:",
    "  day: { name: A day, read: Day, where: { day: equals }, rps: { average: 1, peak: 5 } }\n  offer:",
  ];
  const counted: Swap = [
    "      purpose: what members order\n",
    "      purpose: what members order\n      stream: new-image\n      aggregates: [{ of: Order, into: Day.sold, by: stream }]\n",
  ];

  test("what is only counted comes to be by counting", () => {
    expect(points("read-write-pairs", day(""), read)).toHaveLength(2);
    expect(points("read-write-pairs", day(""), read, counted)).toEqual([]);
    expect(points("read-write-pairs", day(", note: { type: S, bytes: 9 }"), read, counted)).toEqual(
      [
        "open entities.Day: Day is read, but no pattern creates it: who does? (a pattern with create; if nobody, declined)",
        "open entities.Day.attributes.note: Day.note is read, but nothing writes it: who does?",
      ],
    );
  });

  test("an update that gives all values makes the item", () => {
    const upsert = (more: string): Swap => [
      "  offer:",
      `  sold: { name: Count, update: Day, where: { day: equals }, adds: { sold: 1 }${more}, rps: { average: 1, peak: 5 } }\n  day: { name: A day, read: Day, where: { day: equals }, rps: { average: 1, peak: 5 } }\n  offer:`,
    ];
    expect(points("read-write-pairs", day(""), upsert(""))).toEqual([]);
    expect(points("read-write-pairs", day(""), upsert(", condition: exists"))).toHaveLength(1);
  });

  test("what comes with another is created, too", () => {
    const alone: Swap = ["create: Seat, condition: absent,", "create: Team,"];
    expect(points("read-write-pairs", alone)).toHaveLength(2);
    const along: Swap = [
      "create: Team, condition: absent,",
      "create: Team, condition: absent, with: [Seat],",
    ];
    expect(points("read-write-pairs", alone, along)).toEqual([]);
  });
});
