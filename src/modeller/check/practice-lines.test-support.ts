import type { ChecklistLine } from "./checklist-line.test-support.ts";

const edit = "condition: version, writers: 2, rps";
const byMember = "partition: memberId, sort: since }";

/** What designers are told to do. */
export const practiceLines: readonly ChecklistLine[] = [
  {
    from: "4",
    line: "all patterns are found and written down",
    check: "patterns-identified",
    bad: [
      [
        "  Product:\n    id",
        "  Voucher: { id: [voucherId], count: 10, attributes: { voucherId: { type: S, format: uuid } } }\n  Product:\n    id",
      ],
    ],
    points: ["open entities.Voucher: No pattern reads or writes Voucher: what is it for?"],
  },
  {
    from: "4",
    line: "conditions can hold",
    check: "conditions-can-hold",
    bad: [
      [
        "read: Member, where: { memberId: equals }, latency",
        "read: Member, where: { memberId: equals, fullName: { exists: false } }, latency",
      ],
    ],
    points: [
      "wrong patterns.profile: Pattern profile (A member) finds no Member, for its condition on fullName never holds: every item has it; state 'present' below 1 at fullName if some have none.",
    ],
    good: [
      [
        "read: Member, where: { memberId: equals }, latency",
        "read: Member, where: { memberId: equals, about: { exists: false } }, latency",
      ],
    ],
  },
  {
    from: "4",
    line: "the number of matching items is known",
    check: "conditions-can-hold",
    bad: [
      [
        "where: { memberId: equals }, order: { orderId: descending }, limit: 20",
        "where: { memberId: equals, placedAt: at-least }, limit: all",
      ],
    ],
    points: [
      "open patterns.orders: How many items does pattern orders (Orders of a member) match?",
    ],
    good: [
      [
        "where: { memberId: equals }, order: { orderId: descending }, limit: 20",
        "where: { memberId: equals, placedAt: at-least }, limit: all, matches: 3",
      ],
    ],
  },
  {
    from: "4",
    line: "partition and sort key serve the main patterns",
    check: "keys-support-patterns",
    bad: [
      ["order: { orderId: descending }, limit: 20", "order: { amount: descending }, limit: 20"],
      ["average: 5, max: 1_000", "average: 500, max: 1_000"],
    ],
    points: [
      "wrong patterns.orders: Pattern orders (Orders of a member) gets 500 items of Orders in another order than it wants, and has to sort them all.",
    ],
    // Five are sorted in no time.
    good: [
      ["order: { orderId: descending }, limit: 20", "order: { amount: descending }, limit: 20"],
    ],
  },
  {
    from: "4",
    line: "indexes serve the other patterns",
    check: "keys-support-patterns",
    bad: [
      [
        `      indexes:
        TeamsOfMember:
          purpose: the other end of the relation
          key: { ${byMember}
          projection: all
`,
        "",
      ],
    ],
    points: [
      "wrong patterns.teams: Pattern teams (The teams of a member) asks for memberId, which no key of Teams begins with.",
    ],
  },
  {
    from: "4",
    line: "common questions need no scan",
    check: "no-scans",
    bad: [
      [
        "read: Session, where: { sessionId: equals, expiresAt: { greater: $now } }",
        "read: Session, where: { memberId: equals }, limit: all",
      ],
    ],
    points: ["wrong patterns.session: Pattern session (Who is signed in) scans Sessions: "],
    // A table of one page is read by one call.
    good: [
      [
        "read: Product, limit: all, returns: [productId, title, price]",
        "read: Product, where: { price: { less: $most } }, limit: all",
      ],
    ],
  },
  {
    from: "4",
    line: "items have less than 400 KB",
    check: "sizes-below-limits",
    bad: [[", elsewhere: [{ attribute: photo, service: S3, pointer: photoKey }]", ""]],
    points: ["wrong entities.Product: Product in Products can have 900 KB"],
  },
  {
    from: "4",
    line: "what is large lies in S3, and the item knows where",
    check: "integrations-detailed",
    bad: [[", pointer: photoKey", ""]],
    points: [
      "open design.tables.Products.entities.Product: Where is it written which object of S3 holds Product.photo?",
    ],
  },
  {
    from: "4",
    line: "lists do not grow for ever",
    check: "sizes-below-limits",
    bad: [["elements: { average: 2, max: 5 }", "elements: { average: 2 }"]],
    points: ["open entities.Team.attributes.colours: How many elements can Team.colours have?"],
  },
  {
    from: "4",
    line: "the load is spread over partitions",
    check: "hot-partitions",
    bad: [
      [
        "where: { productId: equals }, rps: { average: 20, peak: 100 } }",
        "where: { productId: equals }, skew: { key: productId, hottest: 0.9 }, rps: { average: 20, peak: 9_000 } }",
      ],
    ],
    points: [
      "wrong design.tables.Products: The hottest of 1,000 keys {productId} in Products takes 4,050 read units per second at peak, 135 % of a partition, by product: 2 shards would hold it.",
    ],
    good: [
      [
        "where: { productId: equals }, rps: { average: 20, peak: 100 } }",
        "where: { productId: equals }, rps: { average: 20, peak: 9_000 } }",
      ],
    ],
  },
  {
    from: "4",
    line: "several items are asked for in one batch",
    check: "batches-used",
    bad: [
      [
        "steps: [session, profile, product, order]",
        "steps: [session, product, product, product, order]",
      ],
    ],
    points: [
      "wrong workflows.counter.steps[1]: Workflow counter runs pattern product (A product) 3 times in a row; a batch does it in one request.",
    ],
    // Orders have conditions, and a batch has none.
    good: [["steps: [session, profile, product, order]", "steps: [session, offer, offer]"]],
  },
  {
    from: "4",
    line: "lists are read in pages",
    check: "paging-on-lists",
    bad: [["order: { orderId: descending }, limit: 20", "order: { orderId: descending }"]],
    points: [
      "open patterns.orders: How much of the list of Order does pattern orders (Orders of a member) want in one answer? There are 5 items on average.",
    ],
    good: [
      ["order: { orderId: descending }, limit: 20", "order: { orderId: descending }, limit: all"],
    ],
  },
  {
    from: "4",
    line: "a list of many pages is not read at once while somebody waits",
    check: "paging-on-lists",
    bad: [
      ["average: 5, max: 1_000", "average: 50_000, max: 100_000"],
      ["order: { orderId: descending }, limit: 20", "order: { orderId: descending }, limit: all"],
    ],
    points: [
      "wrong patterns.orders: Pattern orders (Orders of a member) wants all 50,000 Order at once",
    ],
    good: [["average: 5, max: 1_000", "average: 50_000, max: 100_000"]],
  },
  {
    from: "4",
    line: "who writes at the same time writes under a condition",
    check: "conditions-where-writers-race",
    bad: [[edit, "writers: 2, rps"]],
    points: [
      "wrong patterns.edit: Pattern edit (Change a profile) changes Member without a condition, and 2 write at once: the last one wins unseen.",
    ],
  },
  {
    from: "4",
    line: "a version that is raised is also looked at",
    check: "conditions-where-writers-race",
    bad: [[edit, "rps"]],
    points: [
      "wrong patterns.edit: Pattern edit (Change a profile) changes Member without a look at revision, which every other change raises.",
    ],
  },
  {
    from: "4",
    line: "two patterns that change the same are held apart",
    check: "conditions-where-writers-race",
    bad: [
      ["    version: revision\n", ""],
      [edit, "rps"],
      [
        "  several:",
        "  rename: { name: Rename, update: Member, where: { memberId: equals }, changes: [fullName], condition: exists, rps: { average: 1, peak: 5 } }\n  several:",
      ],
    ],
    points: [
      "open patterns.edit: Pattern edit (Change a profile) and rename change the same attributes of Member: can they meet?",
    ],
    good: [
      ["    version: revision\n", ""],
      [edit, "rps"],
    ],
  },
  {
    from: "4",
    line: "what lives for a time has a time to live",
    check: "ttl-for-expiring-data",
    bad: [["      ttl: expiresAt\n", ""]],
    points: [
      "wrong entities.Session: Session has a retention of 1 day, but Sessions never deletes it.",
    ],
    good: [
      ["      ttl: expiresAt\n", ""],
      [
        "  signin:",
        "  out: { name: Sign out, delete: Session, where: { sessionId: equals }, rps: { average: 3, peak: 20 } }\n  signin:",
      ],
    ],
  },
  {
    from: "4",
    line: "and the time is in seconds",
    check: "ttl-for-expiring-data",
    bad: [
      [
        "expiresAt: { type: N, format: epoch-seconds }",
        "expiresAt: { type: N, format: epoch-milliseconds }",
      ],
    ],
    points: [
      "wrong design.tables.Sessions.ttl: Session.expiresAt is no number of seconds since 1970",
    ],
  },
  {
    from: "4",
    line: "DynamoDB is chosen for what it is good at: questions by keys",
    check: "fits-dynamodb",
    bad: [
      [
        "name: Search products, read: Product, where: { title: { contains: $words } }, limit: 20, rps: { average: 5, peak: 30 }",
        "name: Search products, read: Product, where: { title: { contains: $words } }, limit: 20, rps: { average: 5, peak: 3_000 }",
      ],
    ],
    points: [
      "wrong : DynamoDB does not fit; better: search engine; what decides: access-by-key and search-and-analytics.",
    ],
    good: [
      [
        "name: Search products, read: Product, where: { title: { contains: $words } }, limit: 20, rps: { average: 5, peak: 30 }",
        "name: Search products, read: Product, where: { title: { contains: $words } }, limit: 20, rps: { average: 5, peak: 300 }",
      ],
    ],
  },
];
