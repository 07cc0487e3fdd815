import { describe, expect, test } from "vitest";
import { keyLoads, loadNamed, onlyFamily, users, votes } from "./heat.test-support.ts";

describe("how uneven", () => {
  test("500 requests per second over 10,000 users are 0.05 for each", () => {
    const family = onlyFamily(users("{ average: 100, peak: 500 }"), "Users");
    expect(family.count).toBe(10_000);
    // 500 reads of half a unit; 2 writes.
    expect(family.read.peak).toBe(250);
    expect(family.visits.peak / 10_000).toBeCloseTo(0.0502, 12);
    expect(family.hottest.read.units.peak).toBeCloseTo(0.025, 12);
    expect(family.hottest.write.units.peak).toBeCloseTo(0.0002, 12);
    expect(family.assumptions).toEqual(["that all User.userId are used alike"]);
  });

  test("a pattern's skew is that pattern's alone", () => {
    const text = users("{ average: 100, peak: 500 }", ", skew: { key: userId, hottest: 0.2 }");
    const { hottest } = onlyFamily(text, "Users");
    expect(hottest.read.units).toEqual({ average: 10, peak: 50 });
    expect(hottest.read.share).toBeCloseTo(0.2, 12);
    expect(hottest.write.units.peak).toBeCloseTo(0.0002, 12);
  });

  test("Zipf's law: the first of 10,000 has 1 / H(10,000), a tenth", () => {
    const text = users("{ average: 100, peak: 500 }", ", skew: { key: userId, zipf: 1 }");
    // H(10,000) = 9.787606…
    expect(onlyFamily(text, "Users").hottest.read.share).toBeCloseTo(1 / 9.787606036, 9);
  });

  test("an attribute's skew is everybody's", () => {
    const text = users("{ average: 100, peak: 500 }").replace(
      "userId: { type: S, format: uuid }",
      "userId: { type: S, format: uuid, skew: { hottest: 0.5 } }",
    );
    const { hottest } = onlyFamily(text, "Users");
    expect(hottest.read.units.peak).toBe(125);
    expect(hottest.write.units.peak).toBe(1);
  });

  test("two candidates at 2,000 votes per second: 1,200 for the one, 800 for the other", () => {
    const { hottest, count } = onlyFamily(votes("{candidate}"), "Votes");
    expect(count).toBe(2);
    expect(hottest.write.units.peak).toBe(1_200);
    expect(hottest.write.at).toEqual(["Vote.candidate = red"]);
    expect(hottest.write.lines).toEqual([
      {
        pattern: "vote",
        what: "put Vote",
        units: { average: 60, peak: 1_200 },
        share: 0.6,
      },
    ]);
  });

  test("a constant in a request is that value, and no other", () => {
    const text = votes("{candidate}").replace("candidate: equals", "candidate: { equals: blue }");
    const { hottest } = onlyFamily(text, "Votes");
    expect(hottest.read.at).toEqual(["Vote.candidate = blue"]);
    expect(hottest.read.share).toBe(1);
    expect(hottest.write.at).toEqual(["Vote.candidate = red"]);
  });
});

describe("shards", () => {
  test("random ones divide writes; who reads asks all of them", () => {
    const { hottest, shards, count, visits } = onlyFamily(votes("{candidate}#{shard:4}"), "Votes");
    expect([shards, count]).toEqual([4, 8]);
    expect(hottest.write.units.peak).toBe(300);
    // 10 gatherings of 4 queries; three fifths of them are for red.
    expect(visits.peak).toBe(2_040);
    const { read } = loadNamed(votes("{candidate}#{shard:4}"), "Votes");
    expect(hottest.read.units.peak).toBeCloseTo((0.6 * read.peak) / 4, 9);
  });

  test("calculated ones too, unless the number follows from the key", () => {
    const spread = onlyFamily(votes("{candidate}#{shard:4:voterId}"), "Votes");
    expect(spread.hottest.write.units.peak).toBe(300);
    const useless = onlyFamily(votes("{candidate}#{shard:4:candidate}"), "Votes");
    expect(useless.hottest.write.units.peak).toBe(1_200);
  });

  test("a shard by time is the same for all that is written now", () => {
    const { hottest } = onlyFamily(votes("{candidate}#{shard:24:hour}"), "Votes");
    expect(hottest.write.units.peak).toBe(1_200);
  });
});

test("a time that is cut off is one key for all that happens now", () => {
  const text = votes("{castAt|day}").replace("candidate: equals", "castAt: equals");
  const { hottest, count, assumptions } = onlyFamily(text, "Votes");
  expect(count).toBe(30);
  expect(hottest.write.units.peak).toBe(2_000);
  expect(hottest.read.share).toBe(1);
  expect(assumptions).toEqual(["that Vote.castAt is the time of the request"]);
});

test("what nobody has counted is taken to be one value, and asked", () => {
  const text = votes("{party}")
    .replace("candidate: equals", "party: equals")
    .replace("      castAt:", "      party: { type: S, bytes: 3 }\n      castAt:");
  const { hottest, count, open } = onlyFamily(text, "Votes");
  expect([count, hottest.write.share]).toEqual([undefined, 1]);
  expect(open).toEqual(["How many different Vote.party are there? (distinct)"]);
});

test("a rate without a peak is not made up", () => {
  const { hottest } = onlyFamily(users("{ average: 100 }"), "Users");
  expect(hottest.read.units).toEqual({ average: 100 * 0.5 * 1e-4, peak: 0 });
});

describe("indexes", () => {
  const indexed = (more: string): string =>
    votes("{voterId}").replace(
      /$/,
      `      indexes:
        ByCandidate:
          key: { partition: candidate, sort: castAt }
          projection: all
${more}`,
    );

  test("each entry is written under its own key", () => {
    const loads = keyLoads(indexed(""));
    expect(loads.map(({ name }) => name)).toEqual(["Votes", "Votes.ByCandidate"]);
    const [table, index] = loads;
    expect(table?.families[0]?.hottest.write.units.peak).toBeCloseTo(2_000 / 1e7, 12);
    expect(index?.families[0]?.hottest.write.units.peak).toBe(1_200);
    expect(
      index?.families[0]?.touches.find(({ direction }) => direction === "write"),
    ).toMatchObject({ what: "entry of Vote", monotonic: "rising" });
  });

  test("a local index lies with its table", () => {
    const local = indexed("          local: true\n").replace(
      "{ partition: candidate, sort: castAt }",
      "{ sort: castAt }",
    );
    const [table, ...others] = keyLoads(local);
    expect(others).toEqual([]);
    expect(table?.write.peak).toBe(4_000);
  });

  test("an entry whose key changes leaves one place and comes to another", () => {
    const text = indexed("").replace(
      "design:",
      "  defect: { name: Change sides, update: Vote, where: { voterId: equals }, changes: { candidate: blue }, condition: { candidate: { equals: red } }, rps: { average: 1, peak: 100 } }\ndesign:",
    );
    const lines = loadNamed(text, "Votes.ByCandidate").families[0]?.hottest.write.lines;
    // Red: 1,200 new ones, and 100 that leave.
    expect(lines?.map(({ pattern, units }) => [pattern, units.peak])).toEqual([
      ["vote", 1_200],
      ["defect", 100],
      ["defect", 0],
    ]);
  });
});

test("attributes that identify something together are counted together", () => {
  const text = `keywright: 1
name: code
entities:
  Repository: { id: [owner, name], count: 1_000, attributes: { owner: { type: S, bytes: 9 }, name: { type: S, bytes: 9 } } }
  Star: { id: [owner, name, fan], count: 50_000, attributes: { owner: { type: S, bytes: 9 }, name: { type: S, bytes: 9 }, fan: { type: S, bytes: 9 } } }
patterns:
  star: { name: Star, create: Star, rps: { average: 1, peak: 100 }SKEW }
  make: { name: Make, create: Repository, rps: { average: 1, peak: 1 } }
design:
  tables:
    Code:
      key: { PK: S, SK: S }
      entities:
        Repository: { key: { PK: "R#{owner}#{name}", SK: REPOSITORY } }
        Star: { key: { PK: "R#{owner}#{name}", SK: "S#{fan}" } }
`;
  const even = onlyFamily(text.replace("SKEW", ""), "Code");
  expect(even.count).toBe(1_000);
  expect(even.open).toEqual([]);
  expect(even.hottest.write.units.peak).toBeCloseTo(101 / 1_000, 12);
  const skewed = onlyFamily(text.replace("SKEW", ", skew: { key: name, hottest: 0.3 }"), "Code");
  expect(skewed.hottest.write.units.peak).toBeCloseTo(30 + 1 / 1_000, 12);
});
