import type { ChecklistLine } from "./checklist-line.test-support.ts";

const profile = "latency: 20ms, rps: { average: 40, peak: 200 } }";
const waiting = "{ partition: waiting, sort: placedAt }";
const sparse = "          only: { Order: { state: { one-of: [open, packed] } } }\n";
const shards = 'waiting: "{state}#{shard:4:orderId}"';
const considered = "considerations: [only open and packed ones are asked for], ";
const decided =
  "    - { about: design.tables.Orders.indexes.Waiting, chosen: a sparse index in four shards, rejected: [{ what: a filter, why: 95 of 100 would be thrown away }] }\n";
const edit = "condition: version, writers: 2, rps";
const byMember = "partition: memberId, sort: since }";

/** What designers are told to do, and to avoid. */
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
      "wrong entities.Session: Session is kept for 1 day, but nothing takes it out of Sessions.",
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
    from: "3",
    line: "a relation is found from both ends: the index for the other one is not forgotten",
    check: "relations-both-ways",
    bad: [
      [
        "  teams: { name: The teams of a member, read: Seat, where: { memberId: equals }, limit: 50, rps: { average: 10, peak: 40 } }\n",
        "",
      ],
    ],
    points: ["open relations[1]: Does nobody ask for the Team of one Member?"],
    good: [
      [
        "where: { memberId: equals }, limit: 50, rps: { average: 10, peak: 40 } }",
        "where: { memberId: equals }, limit: 50, declined: nobody may know }",
      ],
    ],
  },
  {
    from: "3",
    line: "what indexes cost to write is in the price",
    check: "costs-at-average",
    bad: [
      [
        "since: { type: S, format: iso-time, mutable: false }",
        "since: { type: S, mutable: false }",
      ],
    ],
    points: [
      "open patterns.enter: Pattern enter (Enter a team) has no price: the size of Seat is not known.",
      "open patterns.people: Pattern people (The members of a team) has no price: the size of Seat is not known.",
      "open patterns.teams: Pattern teams (The teams of a member) has no price: the size of Seat is not known.",
    ],
  },
  {
    from: "3",
    line: "copies have somebody who keeps them",
    check: "copies-kept",
    bad: [["staleness: accepted", "staleness: refused"]],
    points: [
      "wrong entities.Order.attributes.buyer: Order.buyer must not be behind Member.fullName, but nobody changes it when edit changes Member.fullName.",
    ],
    good: [
      ["staleness: accepted", "staleness: refused"],
      ["changes: { state: packed }", "changes: [state, buyer]"],
    ],
  },
  {
    from: "3",
    line: "the parts of a sort key stand in the order in which they are asked for",
    check: "keys-support-patterns",
    bad: [
      [
        "read: Order, where: { memberId: equals }, order: { orderId: descending }, limit: 20",
        "read: Order, where: { amount: equals }, limit: 20",
      ],
    ],
    points: [
      "wrong patterns.orders: Pattern orders (Orders of a member) asks for amount, which no key of Orders begins with.",
    ],
  },
  {
    from: "3",
    line: "a sort key has at most 1,024 bytes",
    check: "sizes-below-limits",
    bad: [
      [
        "fullName: { type: S, bytes: { min: 5, max: 40 } }",
        "fullName: { type: S, bytes: { min: 5, max: 2_000 } }",
      ],
      ["part: MEMBER }", 'part: "M#{fullName}" }'],
    ],
    points: [
      "wrong design.tables.Members.entities.Member.key.part: part of Member can have 1.96 KB; at most 1 KB are allowed.",
    ],
  },
  {
    from: "3",
    line: "an index that entities share does not become hot",
    check: "hot-partitions",
    bad: [
      [shards, 'waiting: "ALL"'],
      [
        "condition: { state: { equals: open } }, rps: { average: 2, peak: 15 }",
        "condition: { state: { equals: open } }, rps: { average: 2, peak: 1_500 }",
      ],
    ],
    points: [
      "wrong design.tables.Orders.indexes.Waiting: The hottest of 1 key ALL in Orders.Waiting takes",
    ],
  },
  {
    from: "3",
    line: "shards are as many as the load needs",
    check: "hot-partitions",
    bad: [
      [
        "condition: { state: { equals: open } }, rps: { average: 2, peak: 15 }",
        "condition: { state: { equals: open } }, rps: { average: 2, peak: 6_000 }",
      ],
    ],
    points: [
      "wrong design.tables.Orders.indexes.Waiting: The hottest of 12 keys {state}#{shard:4:orderId} in Orders.Waiting with Order.state = packed takes",
    ],
  },
  {
    from: "3",
    line: "items that a sparse index leaves out are not expected of it",
    check: "sparse-indexes-understood",
    bad: [
      [considered, ""],
      [decided, ""],
    ],
    points: [
      "open patterns.waiting: Pattern waiting (Orders in a state) can ask for any value, but Waiting answers only for state open, packed: is it never asked for others?",
    ],
    good: [
      [considered, ""],
      [decided, ""],
      [sparse, ""],
    ],
  },
  {
    from: "3",
    line: "tables are not scanned for what has a state",
    check: "no-scans",
    bad: [
      [
        `        Waiting:
          purpose: what has to be packed or sent
          key: ${waiting}
          projection: all
          sets: { Order: { ${shards} } }
${sparse}`,
        "        ByTime: { purpose: none, key: { partition: placedAt }, projection: keys }\n",
      ],
    ],
    points: ["wrong patterns.waiting: Pattern waiting (Orders in a state) scans Orders: "],
  },
  {
    from: "0",
    line: "a filter does not make a read cheaper",
    check: "filters-keep-most",
    bad: [
      ["average: 5, max: 1_000", "average: 2_000, max: 9_000"],
      [
        "read: Order, where: { memberId: equals }, order",
        "read: Order, where: { memberId: equals, state: { equals: open } }, order",
      ],
      ["order: { orderId: descending }, limit: 20", "order: { orderId: descending }, limit: all"],
    ],
    points: [
      "wrong patterns.orders: Pattern orders (Orders of a member) reads 2,000 items of Orders and keeps 2 %",
    ],
    good: [
      ["average: 5, max: 1_000", "average: 2_000, max: 9_000"],
      [
        "read: Order, where: { memberId: equals }, order",
        "read: Order, where: { memberId: equals, state: { equals: sent } }, order",
      ],
      ["order: { orderId: descending }, limit: 20", "order: { orderId: descending }, limit: all"],
    ],
  },
  {
    from: "0",
    line: "an index that nobody uses is deleted",
    check: "indexes-used",
    bad: [
      [
        "        Waiting:\n",
        "        ByAmount: { purpose: once it was of use, key: { partition: amount }, projection: keys }\n        Waiting:\n",
      ],
    ],
    points: ["wrong design.tables.Orders.indexes.ByAmount: Orders.ByAmount answers no pattern"],
  },
];
