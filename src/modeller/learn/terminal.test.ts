import { expect, test } from "vitest";
import { plainLook } from "./layout.ts";
import type { Page } from "./page.ts";
import { allPages } from "./pages.ts";
import { pagesWith } from "./search.ts";
import { listText, pageText, summariesText } from "./terminal.ts";
import { topics } from "./topics.ts";

const page = (id: Page["id"]): Page => allPages.get(id) as Page;

test("the list has every topic and every need", () => {
  const text = listText(plainLook(100));
  for (const [id, { title }] of topics)
    expect(text).toMatch(new RegExp(`^  ${id} +${title}$`, "m"));
  expect(text).toContain("No two users with one e-mail address");
  for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
});

test("a narrow terminal gets narrow lines, but code as it is", () => {
  const text = pageText(page("hot-partitions"), plainLook(60));
  for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(60);
  expect(pageText(page("ttl"), plainLook(40))).toContain(
    "      userId: { type: S, format: ulid, mutable: false }\n",
  );
});

test("headings and code are told apart; backticks are for those who see no colours", () => {
  const look = {
    ...plainLook(80),
    heading: (s: string) => `<h>${s}</h>`,
    code: (s: string) => `<c>${s}</c>`,
  };
  const text = pageText(page("paging"), look);
  expect(text).toContain("<h>Pages (paging)</h>");
  expect(text).toContain("<c>LastEvaluatedKey</c>");
  expect(text).not.toContain("`");
  expect(pageText(page("paging"), plainLook(80))).toContain("`LastEvaluatedKey`");
});

test("pages are found by words, those that are named so first", () => {
  const found = pagesWith("Sparse INDEX").map(({ id }) => id);
  expect(found[0]).toBe("sparse-index");
  expect(found).toContain("filters");
  expect(found).not.toContain("burst");
  expect(pagesWith(" ")).toEqual([]);
  expect(pagesWith("zebra")).toEqual([]);
  expect(
    summariesText(pagesWith("sparse index").slice(0, 1), plainLook(60)).split("\n")[0],
  ).toMatch(/^sparse-index {2}Items without/);
});
