import { describe, expect, test } from "vitest";
import { swapped } from "../../lint/lint.test-support.ts";
import { fitting, soundDesign } from "../check.test-support.ts";
import type { Fit, JudgedCriterion } from "./fit.ts";

function criterion({ criteria }: Fit, id: string): JudgedCriterion {
  const found = criteria.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no criterion '${id}'`);
  return found;
}

/** Sessions by their ids, which expire. */
const sessions = `keywright: 1
name: sessions
overview: { domain: sign-in, scale: { users: 1_000_000 } }
entities:
  Session:
    id: [sessionId]
    count: 2_000_000
    retention: 1d
    attributes:
      sessionId: { type: S, format: uuid }
      data: { type: M, bytes: 500 }
      expiresAt: { type: N, format: epoch-seconds }
patterns:
  start: { name: Start, create: Session, condition: absent, rps: { average: 50, peak: 400 } }
  session: { name: Read, read: Session, where: { sessionId: equals }, latency: 10ms, rps: { average: 900, peak: 6_000 } }
design:
  tables:
    Sessions:
      purpose: who is signed in
      key: { sessionId: S }
      entities: { Session: { key: { sessionId: "{sessionId}" } } }
      ttl: expiresAt
`;

/** Questions that nobody knows beforehand, over everything there is. There is no design. */
const reports = `keywright: 1
name: reports
overview: { domain: sales reports, scale: { users: 40 } }
entities:
  Sale: { id: [saleId], count: 50_000_000, attributes: { saleId: { type: S, format: ulid }, shopId: { type: S, format: ulid, mutable: false }, productId: { type: S, format: ulid, mutable: false }, customerId: { type: S, format: ulid, mutable: false }, soldAt: { type: S, format: iso-time, mutable: false }, amount: { type: N, digits: 7, mutable: false } } }
  Shop: { id: [shopId], count: 900, attributes: { shopId: { type: S, format: ulid }, region: { type: S, bytes: 10 } } }
  Product: { id: [productId], count: 40_000, attributes: { productId: { type: S, format: ulid }, title: { type: S, bytes: 40 } } }
  Customer: { id: [customerId], count: 3_000_000, attributes: { customerId: { type: S, format: ulid }, age: { type: N, digits: 2 } } }
patterns:
  sell: { name: A sale, create: Sale, rps: { average: 5, peak: 20 } }
  turnover: { name: Turnover by region and product, read: Sale, where: { soldAt: between, amount: greater }, limit: all, together: [Shop, Product, Customer], rps: { average: 20, peak: 80 } }
  basket: { name: What is bought together, read: Sale, limit: all, together: [Product, Customer, Shop], rps: { average: 5, peak: 20 } }
  one: { name: One sale, read: Sale, where: { saleId: equals }, rps: { average: 2, peak: 10 } }
`;

describe("the verdict", () => {
  test("sessions by their keys, which expire: fits", () => {
    const fit = fitting(sessions);
    expect(fit).toMatchObject({ verdict: "fits", exceptions: [], instead: [] });
    expect(fit.deciding).toContain("access-by-key");
    expect(fit.deciding).toContain("expiring-data");
    expect(criterion(fit, "access-by-key").evidence).toEqual([
      "Answered by keys: 1 of 1 read, with 100 % of the rate at peak.",
    ]);
  });

  test("a shop with a search: fits, but for the search", () => {
    const fit = fitting(soundDesign);
    expect(fit).toMatchObject({
      verdict: "fits-with-exceptions",
      deciding: ["access-by-key", "search-and-analytics"],
      exceptions: [
        {
          path: ["patterns", "search"],
          text: "Pattern search (Search products) has no key to ask by; OpenSearch serves it.",
          instead: "search engine",
          service: "OpenSearch",
        },
      ],
    });
    // 30 of 755.1 reads per second.
    expect(criterion(fit, "search-and-analytics").evidence).toEqual([
      "1 pattern with 3.97 % of the read rate at peak is for a search engine: search.",
    ]);
  });

  test("reports over everything, with joins: does not fit, and it is said what does", () => {
    const fit = fitting(reports);
    expect(fit).toMatchObject({
      verdict: "does-not-fit",
      deciding: ["access-by-key", "joins"],
      instead: ["relational database"],
    });
    // 10 of 110 reads per second are by a key.
    expect(criterion(fit, "access-by-key")).toMatchObject({
      weight: "against",
      evidence: ["Could be answered by keys: 1 of 3 reads, with 9.09 % of the rate at peak."],
    });
    expect(criterion(fit, "joins").evidence).toEqual([
      "There are 3 entities in one answer on average; 2 patterns with 90.9 % of the rate have 4 or more.",
    ]);
  });

  test("the same reports beside many reads by keys are an exception", () => {
    const busy = swapped(reports, [
      ["rps: { average: 2, peak: 10 }", "rps: { average: 2_000, peak: 10_000 }"],
    ]);
    const fit = fitting(busy);
    expect(fit.verdict).toBe("fits-with-exceptions");
    expect(fit.exceptions.map(({ path, instead }) => [path.join("."), instead])).toEqual([
      ["patterns.turnover", "relational database"],
      ["patterns.basket", "relational database"],
    ]);
  });

  test.each([
    ["where: { amount: { contains: $x } }", "search engine"],
    ["where: { soldAt: between }", "time-series database"],
    ["where: { amount: between }", "analytics"],
    ["", "analytics"],
  ])("what a question without a key is for: %s", (where, instead) => {
    const text = swapped(reports, [
      [
        "read: Sale, where: { soldAt: between, amount: greater }, limit: all, together: [Shop, Product, Customer],",
        `read: Sale, ${where === "" ? "" : `${where},`} limit: all,`,
      ],
      [
        "  basket: { name: What is bought together, read: Sale, limit: all, together: [Product, Customer, Shop], rps: { average: 5, peak: 20 } }\n",
        "",
      ],
    ]);
    const fit = fitting(
      text.replace("amount: { type: N, digits: 7", "amount: { type: S, bytes: 9"),
    );
    expect(fit).toMatchObject({ verdict: "does-not-fit", instead: [instead] });
    expect(fit.deciding).toEqual(["access-by-key", "search-and-analytics"]);
  });

  test("before there is a design, a page in an order can be keyed, and a page of all that is so and so cannot", () => {
    const latest = (where: string): Fit =>
      fitting(
        swapped(reports, [
          [
            "read: Sale, where: { soldAt: between, amount: greater }, limit: all, together: [Shop, Product, Customer],",
            `read: Sale, ${where}order: { soldAt: descending }, limit: 20,`,
          ],
        ]),
      );
    expect(criterion(latest(""), "access-by-key").evidence[0]).toMatch(/: 2 of 3 reads,/);
    const filtered = "where: { soldAt: between, amount: greater }, ";
    expect(criterion(latest(filtered), "access-by-key").evidence[0]).toMatch(/: 1 of 3 reads,/);
  });

  test("friends of friends of friends are for a graph", () => {
    const text = `keywright: 1
name: friends
entities:
  Person: { id: [personId], count: 1_000, attributes: { personId: { type: S, format: ulid } } }
  Friend: { id: [personId, otherId], count: 9_000, attributes: { personId: { type: S, format: ulid }, otherId: { type: S, format: ulid } } }
relations:
  - { from: Person, to: Person, kind: many-to-many, via: Friend, average: 9 }
patterns:
  far: { name: Friends of friends of friends, read: Person, where: { personId: equals }, together: [Friend, Friend, Friend], rps: { average: 5, peak: 9 } }
`;
    expect(fitting(text)).toMatchObject({
      verdict: "does-not-fit",
      deciding: ["joins"],
      instead: ["graph database"],
    });
  });

  test("without patterns nothing can be said", () => {
    const text =
      "keywright: 1\nname: x\nentities: { A: { id: [a], attributes: { a: { type: N } } } }\n";
    expect(fitting(text)).toMatchObject({ verdict: "unknown", deciding: ["known-patterns"] });
  });
});

describe("criteria", () => {
  const weigh = (id: string, ...swaps: [string, string][]) =>
    criterion(fitting(swapped(soundDesign, swaps)), id);

  test("a question that is open, or without a rate, is not known", () => {
    expect(weigh("known-patterns").weight).toBe("for");
    const open = weigh("known-patterns", [
      "read: Team, where: { teamId: equals }, rps: { average: 10, peak: 40 }",
      "read: Team, where: { teamId: equals }, status: open",
    ]);
    expect(open).toMatchObject({
      weight: "neutral",
      evidence: ["Stated: 20 patterns, 19 with a rate; 1 open."],
    });
  });

  test("an item that can be too large is an exception", () => {
    expect(weigh("bounded-items")).toMatchObject({ weight: "for", exceptions: [] });
    const large = weigh("bounded-items", [
      ", elsewhere: [{ attribute: photo, service: S3, pointer: photoKey }]",
      "",
    ]);
    expect(large.weight).toBe("exception");
    expect(large.exceptions).toMatchObject([
      { path: ["entities", "Product"], instead: "object storage" },
    ]);
    const endless = weigh("bounded-items", [
      "elements: { average: 2, max: 5 }",
      "elements: { average: 2 }",
    ]);
    expect(endless.weight).toBe("neutral");
  });

  test("if most items are too large, it is the wrong store", () => {
    const blobs = swapped(sessions, [
      ["data: { type: M, bytes: 500 }", "data: { type: B, bytes: 5 MB }"],
    ]);
    expect(fitting(blobs)).toMatchObject({
      verdict: "does-not-fit",
      deciding: ["bounded-items"],
      instead: ["object storage"],
    });
    const before = blobs.slice(0, blobs.indexOf("design:"));
    expect(fitting(before)).toMatchObject({ verdict: "does-not-fit", deciding: ["bounded-items"] });
  });

  test("few requests and little data speak neither way", () => {
    expect(weigh("scale")).toMatchObject({ weight: "neutral" });
    expect(criterion(fitting(sessions), "scale")).toMatchObject({
      weight: "for",
      evidence: [
        expect.stringMatching(
          /^6,400 requests per second at peak, 400 of them writes; 2,000,000 items, [\d.,]+ [MG]B\.$/,
        ),
      ],
    });
  });

  test("less than two milliseconds, or many rounds, are for a cache", () => {
    expect(weigh("latency")).toMatchObject({
      weight: "for",
      evidence: ["A time is asked of 1 pattern; the shortest is 20 ms."],
    });
    const fast = weigh("latency", ["latency: 20ms", "latency: 1ms"]);
    expect(fast.weight).toBe("exception");
    expect(fast.exceptions).toMatchObject([
      { path: ["patterns", "profile"], instead: "cache in memory" },
    ]);
    const cached = fitting(
      swapped(sessions, [
        ["latency: 10ms", "latency: 1ms"],
        [
          "      ttl: expiresAt\n",
          "      ttl: expiresAt\n      dax: { node: dax.r5.large, nodes: 3, hitRate: 0.9, itemTtl: 1m, queryTtl: 1m, patterns: [session] }\n",
        ],
      ]),
    );
    expect(criterion(cached, "latency").weight).toBe("for");
  });

  test("the newest state by what only an index knows is for a relational database", () => {
    expect(weigh("consistency").weight).toBe("neutral");
    const byKey = weigh("consistency", ["latency: 20ms", "consistency: strong, latency: 20ms"]);
    expect(byKey).toMatchObject({ weight: "for", evidence: ["1 read with strong consistency."] });
    const byIndex = weigh("consistency", [
      "read: Seat, where: { memberId: equals }, limit: 50",
      "read: Seat, where: { memberId: equals }, consistency: strong, limit: 50",
    ]);
    expect(byIndex.weight).toBe("exception");
    expect(byIndex.exceptions).toMatchObject([
      { path: ["patterns", "teams"], instead: "relational database" },
    ]);
  });

  test("reads that may be behind cost half", () => {
    expect(weigh("eventual-reads").evidence).toEqual([
      "100 % of the read rate at peak may be behind, at half the price.",
    ]);
    const strong = fitting(
      swapped(sessions, [["latency: 10ms", "consistency: strong, latency: 10ms"]]),
    );
    expect(criterion(strong, "eventual-reads").weight).toBe("neutral");
  });

  test("more than a hundred items at once are for a relational database", () => {
    expect(weigh("transaction-width")).toMatchObject({
      weight: "for",
      evidence: ["In transactions: 3 patterns with at most 2 of 100 items."],
    });
    const wide = fitting(
      swapped(reports, [
        [
          "create: Sale, rps",
          "transaction: [{ create: Sale, condition: absent }, { check: Shop, where: { shopId: equals }, condition: exists }], batch: 80, rps",
        ],
      ]),
    );
    expect(criterion(wide, "transaction-width")).toMatchObject({
      weight: "against",
      instead: ["relational database"],
      evidence: ["In transactions: 1 pattern with at most 160 of 100 items."],
    });
  });

  test("load that comes and goes is paid by request", () => {
    expect(weigh("spikes").evidence).toEqual([
      "The peak is 4.87 times the average: paying by request suits it.",
    ]);
    expect(weigh("spikes").weight).toBe("for");
    const even = fitting(swapped(sessions, [["average: 900", "average: 5_000"]]));
    expect(criterion(even, "spikes").weight).toBe("neutral");
  });

  test("optional attributes and maps need no schema", () => {
    expect(weigh("flexible-schema").evidence).toEqual([
      "2 of 27 attributes (7.41 %) are optional, maps or lists.",
    ]);
  });
});
