import type { Block, Page } from "./page.ts";
import { allPages } from "./pages.ts";
import { sectionsOf } from "./sections.ts";
import { topics } from "./topics.ts";

/** The pages that speak of something: those with all words, in any case; those that are named so first. */
export function pagesWith(words: string): readonly Page[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const has = (text: string): boolean => wanted.every((word) => text.includes(word));
  const heads = (page: Page): string =>
    `${page.id} ${topics.get(page.id)?.title} ${page.summary}`.toLowerCase();
  const named: Page[] = [];
  const others: Page[] = [];
  for (const page of wanted.length === 0 ? [] : allPages.values()) {
    if (has(heads(page))) named.push(page);
    else if (has(`${heads(page)} ${bodyOf(page)}`)) others.push(page);
  }
  return [...named, ...others];
}

function bodyOf(page: Page): string {
  return sectionsOf(page)
    .flatMap(({ blocks }) => blocks.map(textOf))
    .join(" ")
    .toLowerCase();
}

function textOf(block: Block): string {
  if (typeof block === "string") return block;
  if ("list" in block) return block.list.join(" ");
  return "code" in block ? block.code : [block.head, ...block.rows].flat().join(" ");
}
