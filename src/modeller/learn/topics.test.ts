import { expect, test } from "vitest";
import { groups, isTopic, topicOf, topics } from "./topics.ts";

test("ids can be typed, titles are short", () => {
  for (const [id, { title, group }] of topics) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(title.length, id).toBeLessThanOrEqual(50);
    expect(groups, id).toContain(group);
  }
});

test("names of Object are no topics", () => {
  expect(isTopic("table")).toBe(true);
  expect(isTopic("toString")).toBe(false);
  expect(isTopic("__proto__")).toBe(false);
});

test("other words lead to topics", () => {
  expect(topicOf("GSI")).toBe("global-index");
  expect(topicOf("Table")).toBe("table");
  expect(topicOf("constructor")).toBe(undefined);
});
