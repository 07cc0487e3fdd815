import { describe, expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { users, votes } from "./heat.test-support.ts";
import { type Heat, heatOf, isOver, type KeyHeat } from "./heat.ts";
import { amplificationSentence, headline, keySentences, limitSentence } from "./words.ts";

const heat = (text: string): Heat => heatOf(modelOf(text));

function onlyKey(text: string): KeyHeat {
  const [key, ...others] = heat(text).places[0]?.keys ?? [];
  if (key === undefined || others.length > 0) throw new Error("not one kind of key");
  return key;
}

/** All votes of one show, as many as are wanted per second. */
const onOneKey = (peak: number, key = "SHOW"): string =>
  votes(key, "", `{ average: 1, peak: ${peak} }`).replace("candidate: equals", "castAt: equals");

describe("shards", () => {
  test("4,445 write units on one key need 5", () => {
    const { write, shards } = onlyKey(onOneKey(4_445));
    expect(write).toMatchObject({ units: 4_445, ceiling: 1_000, over: true, uncertain: false });
    // 1 - 1,000 / 4,445
    expect(write.throttledShare).toBeCloseTo(0.775, 3);
    expect(shards).toMatchObject({ unsharded: 4_445, needed: 5, present: 1 });
    expect(isOver(heat(onOneKey(4_445)))).toBe(true);
  });

  test("167 writes per second on a key need none", () => {
    const { write, shards } = onlyKey(onOneKey(167));
    expect(write).toMatchObject({ units: 167, over: false, throttledShare: 0 });
    expect(shards.needed).toBe(1);
    expect(isOver(heat(onOneKey(167)))).toBe(false);
  });

  test("exactly at the ceiling none, one above it two", () => {
    expect(onlyKey(onOneKey(1_000)).shards.needed).toBe(1);
    expect(onlyKey(onOneKey(1_001)).shards.needed).toBe(2);
  });

  test("shards that are there count", () => {
    const { write, shards } = onlyKey(onOneKey(4_445, "SHOW#{shard:5}"));
    expect(write).toMatchObject({ units: 889, over: false });
    expect(shards).toMatchObject({ unsharded: 4_445, needed: 5, present: 5 });
    const few = onlyKey(onOneKey(4_445, "SHOW#{shard:4}"));
    expect(few.write.over).toBe(true);
    expect(keySentences(few)).toContain(
      "Shards: 5 needed (4,445 write units / 1,000, rounded up), 4 there.",
    );
  });

  test("two candidates at 2,000 votes per second: two shards for the first", () => {
    const key = onlyKey(votes("{candidate}"));
    expect(key.write).toMatchObject({ units: 1_200, over: true });
    // A sixth of 1,200 is refused; that is a tenth of all.
    expect(key.write.throttledShare).toBeCloseTo(0.1, 12);
    expect(key.shards.needed).toBe(2);
    expect(key.unsplittable).toBe(undefined);
  });

  test("gathering has a price: at least half a unit for each shard", () => {
    const text = votes("{candidate}", "", "{ average: 100, peak: 20_000 }");
    const { shards } = onlyKey(text);
    // 12,000 on red. One count a second on average, 100 items of some 91 B: 3 steps of 4 KB, halved; from 12
    // shards at least 12 halves.
    expect(shards.needed).toBe(12);
    expect(shards.gathering).toEqual({ patterns: ["count"], now: 1.5, after: 6 });
  });
});

describe("why a hot collection stays whole", () => {
  const byTime = votes("{candidate}")
    .replace("voterId: S }", "cast: S }")
    .replace('voterId: "{voterId}" }', 'cast: "{castAt}#{voterId}" }');

  test("its sort key rises", () => {
    expect(onlyKey(byTime).unsplittable).toBe("rising sort key");
    expect(onlyKey(byTime.replace("{castAt}#", "{castAt|descending}#")).unsplittable).toBe(
      "falling sort key",
    );
  });

  test("a local index ties it together, and limits its bytes", () => {
    const local = `${votes("{candidate}")}      indexes:
        ByTime: { local: true, key: { sort: castAt }, projection: keys }
`;
    const key = onlyKey(local);
    expect(key.unsplittable).toBe("local index");
    expect(key.collectionOver).toBe(false);
    const large = onlyKey(local.replace("count: 10_000_000", "count: 200_000_000"));
    expect(large.collectionOver).toBe(true);
    expect(keySentences(large).at(-1)).toMatch(/with a local index it may have 10 GB/);
  });
});

describe("the whole table", () => {
  const settings = (billing: string, peak = 5_000): string =>
    `${votes("{voterId}", "", `{ average: 10, peak: ${peak} }`)}      ${billing}\n`;
  const limits = (text: string) =>
    heat(text).places[0]?.limits.filter(({ direction }) => direction === "write");

  test("a new one does 4,000 writes, unless it was warmed", () => {
    const [fresh] = limits(settings("class: standard")) ?? [];
    expect(fresh).toMatchObject({ kind: "new table", limit: 4_000, over: true, passing: true });
    expect(fresh && limitSentence(fresh)).toContain("throttled by up to 20 %");
    expect(limits(settings("prewarm: { write: 5_000 }"))?.[0]?.over).toBe(false);
    expect(isOver(heat(settings("class: standard")))).toBe(false);
  });

  test("a maximum stands in the way for good", () => {
    const text = settings("maximum: { write: 1_000 }");
    expect(limits(text)?.[0]).toMatchObject({ kind: "maximum", over: true, passing: false });
    expect(isOver(heat(text))).toBe(true);
  });

  test("what is provisioned, and how far auto scaling may go", () => {
    const fixed = settings("billing: { provisioned: { read: 100, write: 100 } }", 500);
    expect(limits(fixed)).toMatchObject([{ kind: "provisioned", over: true, passing: false }]);
    const scaling = (max: number): string =>
      settings(
        `billing: { provisioned: { read: 100, write: 100, autoScaling: { write: { min: 100, max: ${max} } } } }`,
        500,
      );
    expect(limits(scaling(600))).toMatchObject([
      { kind: "provisioned", over: true, passing: true },
      { kind: "auto scaling", over: false, passing: false },
    ]);
    expect(isOver(heat(scaling(600)))).toBe(false);
    expect(isOver(heat(scaling(400)))).toBe(true);
  });

  test("the quota is for a table and its indexes together", () => {
    const text = `${votes("{voterId}", "", "{ average: 10, peak: 25_000 }")}      indexes:
        ByVoter: { key: { partition: voterId }, projection: keys }
`;
    const result = heat(text);
    expect(result.quotas.find(({ direction }) => direction === "write")).toEqual({
      table: "Votes",
      direction: "write",
      peak: 50_000,
      quota: 40_000,
      over: true,
    });
    const index = result.places[1];
    expect(index?.amplification).toBe(1);
    expect(index && amplificationSentence(index)).toContain(
      "Each write unit of Votes makes 1 here",
    );
  });
});

describe("what is not known", () => {
  test("a missing peak is asked for", () => {
    const { open } = heat(users("{ average: 100 }"));
    expect(open).toEqual(["What is the peak of pattern profile, A profile? (rps.peak)"]);
  });

  test("without a design there is nothing to say", () => {
    const text = users("{ average: 1, peak: 2 }");
    const bare = heat(text.slice(0, text.indexOf("design:")));
    expect(headline(bare)).toBe("users: There is no design yet: without tables nothing has a key.");
    expect(isOver(bare)).toBe(false);
  });
});

test("in words: many keys, little on each", () => {
  const result = heat(users("{ average: 100, peak: 500 }"));
  expect(headline(result)).toBe("users: no key gets more than a partition can do.");
  const [key] = result.places[0]?.keys ?? [];
  expect(key && keySentences(key)).toEqual([
    "10,000 keys for User; 0.05 visits of each per second at peak.",
    "The hottest key gets 0.01 %: less than 0.01 of 1,000 write units: fine. From join less than 0.01.",
    "The hottest key gets 0.01 %: 0.025 of 3,000 read units: fine. From profile 0.025.",
  ]);
});
