import { describe, expect, test } from "vitest";
import type { Model } from "../../model/model.ts";
import { modelOf } from "../lint/lint.test-support.ts";
import { lineOf, pointsOf, type Swap } from "./check.test-support.ts";
import { CheckContext } from "./check-context.ts";
import { runChecks } from "./run-checks.ts";

const points = (check: string, ...swaps: Swap[]): readonly string[] =>
  pointsOf(lineOf(check, swaps));

const pointTexts = (check: string, model: Model): readonly string[] =>
  runChecks(new CheckContext(model))
    .filter(({ id }) => id === check)
    .flatMap(pointsOf);

describe("hot-partitions", () => {
  test("if nobody knows how many keys there are, it is a question", () => {
    const byTown = (distinct: string): readonly Swap[] => [
      [
        "expiresAt: { type: N",
        `town: { type: S, bytes: 20${distinct}, mutable: false }\n      expiresAt: { type: N`,
      ],
      ["key: { sessionId: S }", "key: { town: S, sessionId: S }"],
      [
        '{ key: { sessionId: "{sessionId}" } }',
        '{ key: { town: "{town}", sessionId: "{sessionId}" } }',
      ],
      [
        "create: Session, condition: absent, rps: { average: 3, peak: 20 }",
        "create: Session, condition: absent, rps: { average: 3, peak: 2_000 }",
      ],
      [
        "read: Session, where: { sessionId: equals,",
        "read: Session, where: { town: equals, sessionId: equals,",
      ],
    ];
    expect(points("hot-partitions", ...byTown(""))).toEqual([
      "open design.tables.Sessions: How many different Session.town are there? (distinct) If there is only one, the hottest {town} in Sessions takes 2,000 write units per second at peak, 200 % of a partition.",
    ]);
    expect(points("hot-partitions", ...byTown(", distinct: 900"))).toEqual([]);
  });

  test("what takes a tenth of a partition is worth a sentence", () => {
    const { evidence } = lineOf("hot-partitions", [
      [
        "where: { productId: equals }, rps: { average: 20, peak: 100 } }",
        "where: { productId: equals }, skew: { key: productId, hottest: 0.9 }, rps: { average: 20, peak: 1_000 } }",
      ],
    ]);
    expect(evidence).toEqual([
      "The hottest of 1,000 keys {productId} in Products takes 450 read units per second at peak, 15 % of a partition.",
      "7 kinds of partition keys were looked at.",
    ]);
  });
});

describe("paging-on-lists", () => {
  test("what a write looks up on its way is no list that somebody gets", () => {
    const sendAll: Swap = [
      "  signin:",
      "  send: { name: Send all, update: Order, where: { state: { equals: packed } }, changes: { state: sent }, rps: { average: 0.01, peak: 1 } }\n  signin:",
    ];
    expect(points("paging-on-lists", sendAll)).toEqual([]);
  });

  test("lists that come with an item are looked at, too", () => {
    const together = (limit: string): Swap => [
      "read: Team, where: { teamId: equals },",
      `read: Team, where: { teamId: equals }, together: [{ entity: Seat${limit} }],`,
    ];
    expect(points("paging-on-lists", together(", limit: all"))).toEqual([]);
    expect(points("paging-on-lists", together(""))).toEqual([
      "open patterns.team: How much of the list of Seat does pattern team (A team) want in one answer? There are 150 items on average. (limit)",
    ]);
  });
});

describe("entities-and-relations", () => {
  test("how many there are is asked where somebody lists them by the id of another", () => {
    const listed: Swap = [
      "read: Session, where: { sessionId: equals, expiresAt: { greater: $now } },",
      "read: Session, where: { memberId: equals }, limit: 9,",
    ];
    expect(points("entities-and-relations", listed)).toEqual([
      "open entities.Session.attributes.memberId: Session.memberId holds the id of Member, and a pattern asks by it: how many Session has one Member? (relations)",
    ]);
    const stated: Swap = [
      "relations:\n",
      "relations:\n  - { from: Member, to: Session, kind: one-to-many, average: 1 }\n",
    ];
    expect(points("entities-and-relations", listed, stated)).toEqual([]);
  });
});

describe("relations-both-ways", () => {
  test("a relation of many to many needs an entity that holds it", () => {
    const alone: Swap = ["kind: many-to-many, via: Seat,", "kind: many-to-many,"];
    expect(points("relations-both-ways", alone)).toEqual([
      "open relations[1]: Which entity holds that a Team and a Member belong together? (via)",
    ]);
  });

  test("who brings the middle along walks the relation", () => {
    const people = (limit: string): Swap => [
      "  people: { name: The members of a team, read: Seat, where: { teamId: equals }, limit: 50, rps: { average: 10, peak: 40 } }\n",
      limit,
    ];
    expect(points("relations-both-ways", people(""))).toEqual([
      "open relations[1]: Does nobody ask for the Member of one Team? (a pattern that reads Seat; if nobody, declined)",
    ]);
    const together: Swap = [
      "read: Team, where: { teamId: equals },",
      "read: Team, where: { teamId: equals }, together: [{ entity: Seat, limit: all }],",
    ];
    expect(points("relations-both-ways", people(""), together)).toEqual([]);
    // One seat by its whole key is no walk.
    const one: Swap = people(
      "  seat: { name: A seat, read: Seat, where: { teamId: equals, memberId: equals }, rps: { average: 1, peak: 5 } }\n",
    );
    expect(points("relations-both-ways", one)).toHaveLength(1);
  });
});

describe("sparse-indexes-understood", () => {
  const decided: Swap = [
    "about: design.tables.Orders.indexes.Waiting,",
    "about: design.tables.Orders.key,",
  ];
  test("what was considered with the pattern, or decided about the index, is enough", () => {
    const considered: Swap = ["considerations: [only open and packed ones are asked for], ", ""];
    expect(points("sparse-indexes-understood", decided)).toEqual([]);
    expect(points("sparse-indexes-understood", considered)).toEqual([]);
    expect(points("sparse-indexes-understood", considered, decided)).toHaveLength(1);
  });

  test("a pattern that asks for what the index holds needs no word", () => {
    const asked: Swap = ["where: { state: equals }", "where: { state: { equals: open } }"];
    const considered: Swap = ["considerations: [only open and packed ones are asked for], ", ""];
    expect(points("sparse-indexes-understood", asked, considered, decided)).toEqual([]);
  });
});

describe("patterns-solved", () => {
  test("an open pattern is asked about once", () => {
    const open: readonly Swap[] = [
      [
        "status: alternative, alternative: { service: OpenSearch, via: stream, why: full text } }",
        "status: open }",
      ],
    ];
    const line = lineOf("patterns-solved", open);
    expect(pointsOf(line)).toHaveLength(1);
    expect(line.evidence).toEqual([
      "Solved: 10 reads and 9 writes; served by something else: 0; declined: 1.",
    ]);
  });
});

describe("ttl-for-expiring-data", () => {
  test("tables of periods that are dropped take their items with them", () => {
    const kept = (periods: string): readonly Swap[] => [
      ["      ttl: expiresAt\n", periods],
      [
        "expiresAt: { type: N, format: epoch-seconds }",
        "expiresAt: { type: N, format: epoch-seconds }\n      openedAt: { type: S, format: iso-time, mutable: false }",
      ],
    ];
    const every = "      periods: { every: day, attribute: openedAt, keep: 2 }\n";
    expect(points("ttl-for-expiring-data", ...kept(""))).toHaveLength(1);
    expect(points("ttl-for-expiring-data", ...kept(every))).toEqual([]);
    const forever = every.replace(", keep: 2", "");
    expect(points("ttl-for-expiring-data", ...kept(forever))).toHaveLength(1);
  });
});

describe("ttl-for-expiring-data, where no attribute holds the expiry time", () => {
  test("asks for the attribute, as no design can enforce the retention without it", () => {
    const swaps: readonly Swap[] = [
      ["      ttl: expiresAt\n", ""],
      ["expiresAt: { type: N, format: epoch-seconds }", "expiresAt: { type: N, digits: 10 }"],
    ];
    expect(points("ttl-for-expiring-data", ...swaps)).toEqual([
      expect.stringContaining("open entities.Session: Session has a retention of 1 day. Which"),
    ]);
  });
});

describe("tables-documented", () => {
  test("asks what a table is for if no pattern uses the entity in it", () => {
    const swap: Swap = [
      "relations:\n",
      "  Spare: { id: [spareId], count: 1, attributes: { spareId: { type: S, format: ulid } } }\nrelations:\n",
    ];
    const table: Swap = [
      "    Products:\n",
      '    Spares: { purpose: unused, key: { spareId: S }, entities: { Spare: { key: { spareId: "{spareId}" } } } }\n    Products:\n',
    ];
    expect(points("tables-documented", swap, table)).toEqual([
      "open design.tables.Spares: What is table Spares for? No pattern reads or writes Spare. (patterns)",
    ]);
  });

  test("a decision about the table says what it is for; one about a part does not", () => {
    const silent: Swap = ["      purpose: who is signed in\n", ""];
    const about = (path: string): Swap => [
      "about: design.tables.Orders.indexes.Waiting,",
      `about: ${path},`,
    ];
    expect(points("tables-documented", silent)).toHaveLength(1);
    expect(points("tables-documented", silent, about("design.tables.Sessions"))).toEqual([]);
    expect(points("tables-documented", silent, about("design.tables.Sessions.ttl"))).toHaveLength(
      1,
    );
  });
});

describe("costs-at-average", () => {
  test("the month is priced, and who has most of it", () => {
    const { evidence } = lineOf("costs-at-average", []);
    expect(evidence).toHaveLength(3);
    expect(evidence[1]).toMatch(
      /^In us-east-1 that is \$\d+\.\d\d a month; \$\d+\.\d\d if the peak never ended\.$/,
    );
    expect(evidence[2]).toMatch(/^Pattern [a-z]+ \(.+\) has [\d.]+ % of it\.$/);
  });
});

describe("requirements that the designer refuses", () => {
  const requirements = (entity: string, pattern: string): Model =>
    modelOf(`keywright: 1
name: votes
entities:
  Poll: { id: [pollId], count: 100, attributes: { pollId: { type: S, format: ulid }, votes: { type: N, digits: 9, keeps: { count: Vote } } } }
  Vote: { id: [voteId], count: 1_000_000, attributes: { voteId: { type: S, format: ulid }, text: { type: S, bytes: 100 }${entity} } }
relations: [{ from: Poll, to: Vote, kind: one-to-many, average: 10_000 }]
patterns:
  vote: { name: Vote, create: Vote, condition: absent, rps: 1 }
${pattern}`);
  const texts = (id: string, model: Model): readonly string[] =>
    pointTexts(id, model).filter((one) => one.startsWith("wrong"));

  test("are wrong before the design: a number of items that do not name their holder", () => {
    expect(texts("copies-kept", requirements("", ""))).toEqual([
      expect.stringContaining(
        "Poll.votes is kept from Vote, but no attribute of Vote names its Poll.",
      ),
    ]);
    const named = ", pollId: { type: S, format: ulid, mutable: false }";
    expect(texts("copies-kept", requirements(named, ""))).toEqual([]);
  });

  test("are wrong before the design: a search in all items", () => {
    const search = "  find: { name: Find, read: Vote, where: { text: contains }, rps: 1 }\n";
    expect(texts("alternatives-named", requirements("", search))).toEqual([
      expect.stringContaining("Pattern find (Find) searches inside Vote.text in 130 MB of items"),
    ]);
  });
});
