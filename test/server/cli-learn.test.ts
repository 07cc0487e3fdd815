import { expect, test } from "vitest";
import { root } from "../tidy/source-files.ts";
import { endOfCli } from "./child-support.ts";

const keywright = (...args: string[]) => endOfCli(args, root);

test("without a topic the list is told, as JSON too", { timeout: 120_000 }, async () => {
  const [text, json] = await Promise.all([keywright("learn"), keywright("learn", "--json")]);
  expect(text.out).toContain("  adjacency-list            Adjacency list\n");
  expect(text.code).toBe(0);
  const { topics, choosing } = JSON.parse(json.out);
  expect(topics).toContainEqual({
    id: "burst",
    title: "Burst capacity",
    group: "concept",
    summary: expect.stringContaining("300 seconds"),
  });
  expect(choosing).toContainEqual({
    need: "The best hundred of a million",
    topics: ["leaderboard"],
  });
});

test("a topic is a page without colours in a pipe", { timeout: 120_000 }, async () => {
  const [text, json, rule] = await Promise.all([
    keywright("learn", "TTL"),
    keywright("learn", "gsi", "--json"),
    keywright("learn", "unpadded-number"),
  ]);
  expect(rule.out).toMatch(/^How keys are sorted \(sorting\)\n/);
  expect(text.out).toMatch(/^Time to live \(ttl\)\n\nItems with/);
  expect(text.out).not.toContain("\u001b");
  expect(text.code).toBe(0);
  const page = JSON.parse(json.out);
  expect(page).toMatchObject({ id: "global-index", group: "concept" });
  expect(page.sections.map(({ title }: { title: string }) => title)).toContain("What follows");
});

test("an unknown topic ends with 2 and the nearest name", { timeout: 120_000 }, async () => {
  const [near, far, both, none] = await Promise.all([
    keywright("learn", "sparse-indx"),
    keywright("learn", "quarterback"),
    keywright("learn", "ttl", "--search", "ttl"),
    keywright("learn", "--search", "zebra"),
  ]);
  expect(near.err).toBe(
    "keywright: There is no topic 'sparse-indx'; did you mean 'sparse-index'?\n",
  );
  expect(far.err).toBe("keywright: There is no topic 'quarterback'; keywright learn lists them.\n");
  expect(both.err).toBe("keywright: Give a topic or --search, not both.\n");
  expect(none.err).toBe("keywright: No page speaks of 'zebra'.\n");
  expect([near.code, far.code, both.code, none.code]).toEqual([2, 2, 2, 2]);
});

test("--search names the pages that speak of something", { timeout: 120_000 }, async () => {
  const { code, out } = await keywright("learn", "--search", "scatter gather shards");
  expect([code, out]).toEqual([2, ""]);
  const found = await keywright("learn", "--search", "N+1", "--json");
  expect(JSON.parse(found.out).map(({ id }: { id: string }) => id)).toContain("workflows");
});
