import type { ChecklistLine } from "./checklist-line.test-support.ts";

const domain = "domain: a club and its shop, ";
const scale = "scale: { users: 1_000_000, requests: 500 }, ";
const profile = "latency: 20ms, rps: { average: 40, peak: 200 } }";
const join =
  "  join: { name: Join, create: Member, condition: absent, rps: { average: 1, peak: 5 } }\n";
const considered = "considerations: [only open and packed ones are asked for], ";
const decided =
  "    - { about: design.tables.Orders.indexes.Waiting, chosen: a sparse index in four shards, rejected: [{ what: a filter, why: 95 of 100 would be thrown away }] }\n";
const search =
  "status: alternative, alternative: { service: OpenSearch, via: stream, why: full text } }";
const services = "  services: [{ name: OpenSearch, for: [search], via: stream, why: full text }]\n";
const searching =
  "wrong patterns.search: Pattern search (Search products) searches inside Product.title in 879 MB of items for each request. No key answers that; a search engine does,";

/** What is to be known before anybody designs. */
export const requirementLines: readonly ChecklistLine[] = [
  {
    from: "1r",
    line: "the domain of the application is written down",
    check: "domain-and-scale",
    bad: [[domain, ""]],
    points: ["open overview: What is the application about?"],
  },
  {
    from: "1r",
    line: "so is how large it gets",
    check: "domain-and-scale",
    bad: [[scale, ""]],
    points: ["open overview: How many users or requests per second are expected?"],
    good: [["users: 1_000_000, ", ""]],
  },
  {
    from: "1r",
    line: "the requests per second of all patterns together are right",
    check: "domain-and-scale",
    bad: [["requests: 500", "requests: 5_000"]],
    points: [
      "wrong overview.scale.requests: 5,000 requests per second are stated, but the patterns make 173 on average and 843 at peak.",
    ],
    good: [["requests: 500", "requests: 900"]],
  },
  {
    from: "1r",
    line: "all entities are there, with their numbers",
    check: "entities-and-relations",
    bad: [["    count: 20_000\n", ""]],
    points: ["open entities.Team: How many Team are there?"],
    good: [["    count: 20_000\n", "    count: { assumed: 20_000, why: as last year }\n"]],
  },
  {
    from: "1r",
    line: "all relations between them are stated",
    check: "entities-and-relations",
    bad: [
      [
        "  - { from: Member, to: Order, kind: one-to-many, average: 5, max: 1_000, identifying: true }\n",
        "",
      ],
    ],
    points: [
      "open entities.Order.attributes.memberId: Order.memberId holds the id of Member, and a pattern asks by it",
    ],
  },
  {
    from: "1r",
    line: "relations say how many there are on average",
    check: "entities-and-relations",
    bad: [["average: 5, max: 1_000, identifying", "max: 1_000, identifying"]],
    points: ["open relations[0]: How many Order has one Member on average?"],
  },
  {
    from: "1r",
    line: "every pattern has its requests per second",
    check: "rates",
    bad: [[profile, "latency: 20ms }"]],
    points: ["open patterns.profile: How many requests per second has pattern profile, A member?"],
  },
  {
    from: "1r",
    line: "they are told at peak and on average",
    check: "rates",
    bad: [[profile, "latency: 20ms, rps: 40 }"]],
    points: ["open patterns.profile: What is the peak of pattern profile, A member?"],
  },
  {
    from: "1c",
    line: "rates are never made up",
    check: "rates",
    bad: [[profile, "latency: 20ms, rps: { average: { assumed: 40 }, peak: 200 } }"]],
    points: [
      "open patterns.profile.rps: The average of pattern profile, A member, is assumed to be 40: on what does that rest?",
    ],
    good: [
      [
        profile,
        "latency: 20ms, rps: { average: { assumed: 40, why: each member once a day }, peak: 200 } }",
      ],
    ],
  },
  {
    from: "1r",
    line: "for every read there is a write",
    check: "read-write-pairs",
    bad: [[join, ""]],
    points: ["open entities.Member: Member is read, but no pattern creates it: who does?"],
    good: [
      [join, "  join: { name: Join, create: Member, declined: another system fills the table }\n"],
    ],
  },
  {
    from: "1r",
    line: "for every write there is a read",
    check: "read-write-pairs",
    bad: [
      [
        "  team: { name: A team, read: Team, where: { teamId: equals }, rps: { average: 10, peak: 40 } }\n",
        "",
      ],
    ],
    points: ["open entities.Team: Team is written, but no pattern reads it: who does?"],
    good: [
      [
        "read: Team, where: { teamId: equals }, rps: { average: 10, peak: 40 } }",
        "read: Team, where: { teamId: equals }, declined: the office has its own list }",
      ],
    ],
  },
  {
    from: "1r",
    line: "what is changed is read by somebody, too",
    check: "read-write-pairs",
    bad: [
      [
        "read: Member, where: { memberId: equals }, latency",
        "read: Member, where: { memberId: equals }, returns: [fullName], latency",
      ],
      [
        "read: Member, where: { memberId: equals }, batch",
        "read: Member, where: { memberId: equals }, returns: [fullName, visits], batch",
      ],
    ],
    points: [
      "open entities.Member.attributes.about: Member.about is changed, but no pattern returns it or asks about it",
      "open entities.Member.attributes.settings: Member.settings is changed, but no pattern returns it or asks about it",
    ],
  },
  {
    from: "1r",
    line: "what DynamoDB does not do has another place",
    check: "alternatives-named",
    bad: [
      [search, "status: solved }"],
      [services, ""],
    ],
    points: [searching],
  },
  {
    from: "1r",
    line: "the risk of hot partitions is looked at",
    check: "hot-partitions",
    bad: [
      [
        "name: Sign in, create: Session, condition: absent, rps: { average: 3, peak: 20 }",
        "name: Sign in, create: Session, condition: absent, rps: { average: 3, peak: 2_000 }",
      ],
      ["key: { sessionId: S }", "key: { all: S, sessionId: S }"],
      [
        'Session: { key: { sessionId: "{sessionId}" } }',
        'Session: { key: { all: ALL, sessionId: "{sessionId}" } }',
      ],
    ],
    points: [
      "wrong design.tables.Sessions: The hottest of 1 key ALL in Sessions takes 2,000 write units per second at peak, 200 % of a partition, by signin: 2 shards would hold it.",
    ],
    good: [
      [
        "name: Sign in, create: Session, condition: absent, rps: { average: 3, peak: 20 }",
        "name: Sign in, create: Session, condition: absent, rps: { average: 3, peak: 2_000 }",
      ],
    ],
  },
  {
    from: "1r",
    line: "what was considered is kept with the pattern",
    check: "considerations-captured",
    bad: [
      [considered, ""],
      [decided, ""],
    ],
    points: [
      "open patterns.waiting: Pattern waiting (Orders in a state) asks 4 shards: is that as it should be?",
    ],
    good: [[decided, ""]],
  },
  {
    from: "1c",
    line: "copies are discussed before they are made",
    check: "decisions-put",
    bad: [[", copyOf: Member.fullName, staleness: accepted", ", copyOf: Member.fullName"]],
    points: [
      "open entities.Order.attributes.buyer: Order.buyer copies Member.fullName: may it be behind?",
    ],
  },
  {
    from: "1c",
    line: "so is what an index holds",
    check: "decisions-put",
    bad: [["since }\n          projection: all\n", "since }\n"]],
    points: [
      "open design.tables.Teams.indexes.TeamsOfMember: What of an item does Teams.TeamsOfMember hold?",
    ],
  },
];
