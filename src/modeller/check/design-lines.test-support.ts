import type { ChecklistLine } from "./checklist-line.test-support.ts";

const profile = "latency: 20ms, rps: { average: 40, peak: 200 } }";
const shards = 'waiting: "{state}#{shard:4:orderId}"';
const decided =
  "    - { about: design.tables.Orders.indexes.Waiting, chosen: a sparse index in four shards, rejected: [{ what: a filter, why: 95 of 100 would be thrown away }] }\n";
const split =
  "    - { about: design.tables.Members.entities.Member.split, chosen: the text about a member apart, why: a visit would rewrite it }\n";
const tradeoffs = "  tradeoffs: [the name of the buyer may be an old one]\n";
const search =
  "status: alternative, alternative: { service: OpenSearch, via: stream, why: full text } }";
const services = "  services: [{ name: OpenSearch, for: [search], via: stream, why: full text }]\n";
const consumers = "      consumers: [{ name: feed, purpose: hands products to the search }]\n";

/** What a finished design is held against. */
export const designLines: readonly ChecklistLine[] = [
  {
    from: "1d",
    line: "decisions are reasoned step by step",
    check: "decisions-put",
    bad: [[split, ""]],
    points: [
      "open design.tables.Members.entities.Member: Why does Member in Members lie in several items?",
    ],
  },
  {
    from: "1d",
    line: "every pattern is solved",
    check: "patterns-solved",
    bad: [
      [
        '        Product: { key: { productId: "{productId}" }, elsewhere: [{ attribute: photo, service: S3, pointer: photoKey }] }\n',
        '        Session: { key: { productId: "{sessionId}" } }\n',
      ],
    ],
    points: [
      "wrong patterns.offer: Pattern offer (Offer a product) cannot be carried out: Product is in no table.",
      "wrong patterns.product: Pattern product (A product) cannot be carried out: Product is in no table.",
      "wrong patterns.shelf: Pattern shelf (All products) cannot be carried out: Product is in no table.",
    ],
  },
  {
    from: "1d",
    line: "or it is said what serves it instead",
    check: "patterns-solved",
    bad: [
      [search, "status: open }"],
      [services, ""],
    ],
    points: ["open patterns.search: How is pattern search, Search products, solved?"],
  },
  {
    from: "1d",
    line: "an index that a key under the parent would replace is gone",
    check: "indexes-justified",
    bad: [
      ["key: { memberId: S, orderId: S }", "key: { orderId: S }"],
      ['memberId: "{memberId}", orderId: "{orderId}"', 'orderId: "{orderId}"'],
      [
        "        Waiting:\n",
        "        OrdersOfMember: { purpose: orders of a member, key: { partition: memberId, sort: orderId }, projection: all }\n        Waiting:\n",
      ],
    ],
    points: [
      "wrong design.tables.Orders.indexes.OrdersOfMember: Order is never asked for without memberId: with it as the partition key of Orders the key itself lists the Order of one Member, and Orders.OrdersOfMember is not needed.",
    ],
    // Somebody knows the order alone, so its own id has to be the key.
    good: [
      ["key: { memberId: S, orderId: S }", "key: { orderId: S }"],
      ['memberId: "{memberId}", orderId: "{orderId}"', 'orderId: "{orderId}"'],
      [
        "        Waiting:\n",
        "        OrdersOfMember: { purpose: orders of a member, key: { partition: memberId, sort: orderId }, projection: all }\n        Waiting:\n",
      ],
      [
        "update: Order, where: { memberId: equals, orderId: equals }",
        "update: Order, where: { orderId: equals }",
      ],
    ],
  },
  {
    from: "1d",
    line: "every table says what it is for",
    check: "tables-documented",
    bad: [["      purpose: what members order\n", ""]],
    points: ["open design.tables.Orders: What is table Orders for?"],
  },
  {
    from: "1d",
    line: "every table serves patterns",
    check: "tables-documented",
    bad: [
      ["    Products:\n", "    Spare: { purpose: nobody knows, key: { id: S } }\n    Products:\n"],
    ],
    points: ["wrong design.tables.Spare: No pattern reads or writes table Spare."],
  },
  {
    from: "1d",
    line: "every index says what it is for",
    check: "indexes-justified",
    bad: [["          purpose: the other end of the relation\n", ""]],
    points: [
      "open design.tables.Teams.indexes.TeamsOfMember: What is index Teams.TeamsOfMember for?",
    ],
    good: [
      ["          purpose: the other end of the relation\n", ""],
      [
        decided,
        `${decided}    - { about: design.tables.Teams.indexes.TeamsOfMember, chosen: an inverted index }\n`,
      ],
    ],
  },
  {
    from: "1d",
    line: "the attributes of a table are known with their types and sizes",
    check: "attributes-known",
    bad: [["settings: { type: M, bytes: 300 }", "settings: { type: M }"]],
    points: ["open entities.Member.attributes.settings: How many bytes has Member.settings?"],
    good: [["settings: { type: M, bytes: 300 }", "settings: { type: M, bytes: { assumed: 300 } }"]],
  },
  {
    from: "1d",
    line: "the analysis of hot partitions has numbers",
    check: "hot-partitions",
    bad: [
      [shards, 'waiting: "{state}"'],
      [
        "condition: { state: { equals: open } }, rps: { average: 2, peak: 15 }",
        "condition: { state: { equals: open } }, rps: { average: 2, peak: 1_500 }",
      ],
    ],
    points: [
      "wrong design.tables.Orders.indexes.Waiting: The hottest of 3 keys {state} in Orders.Waiting with Order.state = packed takes",
    ],
  },
  {
    from: "1d",
    line: "what costs most is priced, at the average rate",
    check: "costs-at-average",
    bad: [[profile, "latency: 20ms, rps: { peak: 200 } }"]],
    points: [
      "open patterns.profile: Pattern profile (A member) has no price: how often it happens on average is not known.",
    ],
    good: [[profile, "latency: 20ms, rps: { average: 40 } }"]],
  },
  {
    from: "1d",
    line: "what was traded for what is written down",
    check: "tradeoffs-stated",
    bad: [
      [tradeoffs, ""],
      [decided, ""],
    ],
    points: [
      "open design: What is given up for 2 copied attributes, 2 indexes, 3 transactions, 1 read over shards and 1 item apart?",
    ],
    good: [[tradeoffs, ""]],
  },
  {
    from: "1d",
    line: "how other services get their data is said",
    check: "integrations-detailed",
    bad: [
      [search, search.replace(" via: stream,", "")],
      [services, services.replace(" via: stream,", "")],
    ],
    points: [
      "open patterns.search: How does OpenSearch get what pattern search (Search products) needs?",
    ],
    good: [[search, search.replace(" via: stream,", "")]],
  },
  {
    from: "1d",
    line: "and it is there",
    check: "integrations-detailed",
    bad: [[consumers, ""]],
    points: [
      "wrong patterns.search: OpenSearch is fed by a stream, but no table with Product has a stream that somebody reads.",
    ],
  },
  {
    from: "1d",
    line: "readers of streams have a task",
    check: "integrations-detailed",
    bad: [[consumers, "      consumers: [{ name: feed }]\n"]],
    points: [
      "open design.tables.Products.consumers[0]: What does feed do with the stream of Products?",
    ],
  },
  {
    from: "1d",
    line: "the design was held against the requirements: services",
    check: "cross-references",
    bad: [["for: [search]", "for: [search, profile]"]],
    points: [
      "wrong design.services[0].for[1]: OpenSearch is said to serve pattern profile (A member), whose status is not stated.",
    ],
  },
  {
    from: "1d",
    line: "the design was held against the requirements: services that nobody has",
    check: "cross-references",
    bad: [[services, ""]],
    points: ["wrong patterns.search: OpenSearch is no service of the design."],
  },
  {
    from: "1d",
    line: "the design was held against the requirements: attributes",
    check: "cross-references",
    bad: [
      [
        'Team: { key: { teamId: "{teamId}", part: TEAM } }',
        'Team: { key: { teamId: "{teamId}", part: TEAM }, stores: [teamId, title] }',
      ],
    ],
    points: ["wrong entities.Team: Patterns ask for colours of Team, which no table stores."],
  },
  {
    from: "1d",
    line: "the design was held against the requirements: workflows",
    check: "cross-references",
    bad: [["product, order]", "product, order, leave]"]],
    points: [
      "wrong workflows.counter.steps[4]: Workflow counter needs pattern leave, which is declined.",
    ],
  },
  {
    from: "1d",
    line: "the design was held against the requirements: decisions",
    check: "cross-references",
    bad: [
      ["about: design.tables.Orders.indexes.Waiting,", "about: design.tables.Orders.indexes.Open,"],
    ],
    points: [
      "wrong design.decisions[0].about: The decision is about design.tables.Orders.indexes.Open, which is not in the document.",
    ],
  },
];
