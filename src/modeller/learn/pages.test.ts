import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Model } from "../../model/model.ts";
import { parseModel } from "../../model/parse.ts";
import { reportOf } from "../check/report.ts";
import { rules } from "../lint/rules/index.ts";
import { plainLook } from "./layout.ts";
import type { Block, Page } from "./page.ts";
import { allPages } from "./pages.ts";
import { ruleIds } from "./rule-ids.test-support.ts";
import { sectionsOf } from "./sections.ts";
import { pageText } from "./terminal.ts";
import { isTopic, topics } from "./topics.ts";

const pages = [...allPages.values()];
const files = (folder: string): string[] =>
  readdirSync(fileURLToPath(new URL(folder, import.meta.url)));

test("every topic has a page in its file, and every file is a topic's", () => {
  expect([...allPages.keys()]).toEqual([...topics.keys()]);
  expect(files("./pages").toSorted()).toEqual(
    [...topics.keys()].map((id) => `${id}.ts`).toSorted(),
  );
});

const titles = {
  concept: ["What it is", "What follows", "See also"],
  pattern: ["When", "How", "Pitfalls", "Example", "See also"],
  limit: ["The numbers", "See also"],
  price: ["What is paid", "When it is worth it", "See also"],
};

const texts = (block: Block): readonly string[] => {
  if (typeof block === "string") return [block];
  if ("list" in block) return block.list;
  return "code" in block ? [block.code] : [block.head, ...block.rows].flat();
};

describe.each(pages.map((page) => [page.id, page] as const))("%s", (id, page: Page) => {
  test("has the sections of its group, and something in each", () => {
    const sections = sectionsOf(page);
    const group = topics.get(id)?.group ?? "concept";
    expect(sections.map(({ title }) => title)).toEqual(titles[group]);
    for (const { title, blocks } of sections) {
      const said = blocks.flatMap(texts);
      expect(said.length, title).toBeGreaterThan(0);
      for (const text of said) expect(text.trim().length, title).toBeGreaterThan(0);
    }
  });

  test("is summed up in one sentence", () => {
    expect(page.summary).toMatch(/^[A-Z].*\.$/);
    expect(page.summary.length).toBeLessThanOrEqual(170);
    expect(page.summary.replace(/S3|e\.g\./g, "").match(/\. /g) ?? []).toEqual([]);
  });

  test("has tables with as many cells in every row", () => {
    for (const block of sectionsOf(page).flatMap(({ blocks }) => blocks)) {
      if (typeof block === "string" || !("rows" in block)) continue;
      for (const row of block.rows) expect(row, row.join()).toHaveLength(block.head.length);
    }
  });

  test("names pages and examples that there are, each once and not itself", () => {
    const { topics: linked, examples = [], rules: named = [] } = page.see;
    expect(linked.length).toBeGreaterThan(0);
    expect(linked).not.toContain(id);
    for (const list of [linked, examples, named]) expect(new Set(list).size).toBe(list.length);
    for (const topic of linked) expect(isTopic(topic), topic).toBe(true);
    const models = files("../../../examples/models");
    for (const name of examples) expect(models).toContain(`${name}.yaml`);
    for (const rule of named) expect(ruleIds, rule).toContain(rule);
  });

  test("fits a screen or two, and 100 columns", () => {
    const lines = pageText(page, plainLook(100)).split("\n");
    expect(lines.length).toBeLessThanOrEqual(105);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  test("closes its backticks", () => {
    for (const text of [
      page.summary,
      ...sectionsOf(page).flatMap(({ blocks }) => blocks.flatMap(texts)),
    ]) {
      expect((text.match(/`/g) ?? []).length % 2, text).toBe(0);
    }
  });
});

const examples = pages.flatMap((page) =>
  "example" in page ? [[page.id, page.example] as const] : [],
);

describe.each(examples)("the example of %s", (_, { model: text, requests }) => {
  const { model, complaints } = parseModel(text, "example.yaml");

  test("is a model without complaints that passes all checks", () => {
    expect(complaints).toEqual([]);
    const { checks } = reportOf(model as Model);
    const points = checks.flatMap((check) =>
      check.points.map(({ text: said }) => `${check.id}: ${said}`),
    );
    expect(points).toEqual([]);
  });

  test("has the patterns whose requests are shown", () => {
    expect(requests.length).toBeGreaterThan(0);
    for (const { pattern } of requests)
      expect([...(model?.patterns.keys() ?? [])]).toContain(pattern);
  });
});

test("every pattern of the group has an example", () => {
  const group = [...topics].filter(([, topic]) => topic.group === "pattern").map(([id]) => id);
  expect(examples.map(([id]) => id)).toEqual(group);
});

test("what the table of needs names are topics", () => {
  const choosing = allPages.get("choosing");
  const rows = sectionsOf(choosing as Page)
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (typeof block === "object" && "rows" in block ? block.rows : []));
  expect(rows.length).toBeGreaterThan(15);
  for (const [need = "", where = ""] of rows) {
    for (const id of where.split(", ")) expect(isTopic(id), `${need}: ${id}`).toBe(true);
  }
});

test("every pattern is in the table of needs", () => {
  const table = JSON.stringify(allPages.get("choosing"));
  const missing = examples.map(([id]) => id).filter((id) => !table.includes(id));
  expect(missing).toEqual(["one-to-one"]);
});

test("the page of a rule names the rule", () => {
  const silent = rules.filter(({ id, topic }) => !allPages.get(topic)?.see.rules?.includes(id));
  expect(silent.map(({ id, topic }) => `${topic}: ${id}`)).toEqual([]);
});
