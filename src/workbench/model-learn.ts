import { nearest } from "../document/nearest.ts";
import type { Look } from "../modeller/learn/layout.ts";
import type { Block, Page, SeeAlso } from "../modeller/learn/page.ts";
import { allPages } from "../modeller/learn/pages.ts";
import { pagesWith } from "../modeller/learn/search.ts";
import { type Section, sectionsOf } from "../modeller/learn/sections.ts";
import { listText, pageText, summariesText } from "../modeller/learn/terminal.ts";
import { type Group, topicOf, topics } from "../modeller/learn/topics.ts";
import { ruleHeads } from "../modeller/lint/lint.ts";

export type { Look };

export interface TopicSummary {
  readonly id: string;
  readonly title: string;
  readonly group: Group;
  readonly summary: string;
}

export interface TopicPage extends TopicSummary {
  readonly sections: readonly Section[];
  readonly see: SeeAlso;
}

/** What there is to learn, and which pattern is for which need. */
export interface TopicList {
  readonly topics: readonly TopicSummary[];
  readonly choosing: readonly { readonly need: string; readonly topics: readonly string[] }[];
}

export function topicList(): TopicList {
  const blocks = sectionsOf(allPages.get("choosing") as Page).flatMap((section) => section.blocks);
  return {
    topics: [...allPages.values()].map(summaryOf),
    choosing: blocks.flatMap(rowsOf).map(([need = "", where = ""]) => ({
      need,
      topics: where.split(", "),
    })),
  };
}

const rowsOf = (block: Block) => (typeof block === "object" && "rows" in block ? block.rows : []);

function summaryOf({ id, summary }: Page): TopicSummary {
  return { id, title: "", group: "concept", ...topics.get(id), summary };
}

/** A page, by its topic or by a rule that it explains, or the topic that was probably meant. */
export function topicPage(
  word: string,
): { readonly page: TopicPage } | { readonly nearest: string | undefined } {
  const topic = topicOf(word) ?? ruleHeads().find(({ id }) => id === word)?.topic;
  const page = topic === undefined ? undefined : allPages.get(topic);
  if (page === undefined) return { nearest: nearest(word, topics.keys()) };
  return { page: { ...summaryOf(page), sections: sectionsOf(page), see: page.see } };
}

/** The topics whose pages speak of something. */
export function topicsWith(words: string): readonly TopicSummary[] {
  return pagesWith(words).map(summaryOf);
}

export function topicListText(look: Look): string {
  return listText(look);
}

export function topicPageText({ id }: TopicPage, look: Look): string {
  return pageText(allPages.get(id as Page["id"]) as Page, look);
}

export function topicsWithText(found: readonly TopicSummary[], look: Look): string {
  return summariesText(found, look);
}
