import type { ChecklistLine } from "./checklist-line.test-support.ts";

const waiting = "{ partition: waiting, sort: placedAt }";
const sparse = "          only: { Order: { state: { one-of: [open, packed] } } }\n";
const shards = 'waiting: "{state}#{shard:4:orderId}"';
const considered = "considerations: [only open and packed ones are asked for], ";
const decided =
  "    - { about: design.tables.Orders.indexes.Waiting, chosen: a sparse index in four shards, rejected: [{ what: a filter, why: 95 of 100 would be thrown away }] }\n";

/** What designers are told to avoid. */
export const pitfallLines: readonly ChecklistLine[] = [
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
      [
        "amount: { type: N, digits: 7, mutable: false }",
        "amount: { type: N, digits: 7, mutable: false, distinct: 10_000 }",
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
