import { expect, test } from "vitest";
import { learnMarkdown } from "../../src/modeller/learn/markdown.ts";

test("docs/learn.md has what the pages say", async () => {
  await expect(learnMarkdown()).toMatchFileSnapshot("../../docs/learn.md");
});

test("every link of it leads somewhere", () => {
  const text = learnMarkdown();
  const targets = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id));
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(targets.size);
  expect(links.filter((id) => !targets.has(id))).toEqual([]);
});
