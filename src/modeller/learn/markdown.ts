import type { Block, Page } from "./page.ts";
import { allPages } from "./pages.ts";
import { sectionsOf } from "./sections.ts";
import { groups, groupTitles, isTopic, topics } from "./topics.ts";

/** All pages as one Markdown document with linked contents. */
export function learnMarkdown(): string {
  const lines = [
    "# Learn",
    "",
    "What `keywright learn` tells, on one page. This file is generated; `npx vitest run --project unit test/learn -u` renews it.",
  ];
  for (const group of groups) {
    lines.push("", `**${groupTitles[group]}**`, "");
    for (const [id, topic] of topics) {
      if (topic.group === group)
        lines.push(`- [${topic.title}](#${id}): ${allPages.get(id)?.summary}`);
    }
  }
  for (const page of allPages.values()) lines.push("", ...pageLines(page));
  return `${lines.join("\n")}\n`;
}

function pageLines(page: Page): readonly string[] {
  const lines = [
    `<a id="${page.id}"></a>`,
    "",
    `## ${topics.get(page.id)?.title}`,
    "",
    page.summary,
  ];
  for (const { title, blocks } of sectionsOf(page)) {
    lines.push("", `### ${title}`);
    for (const block of blocks) lines.push("", ...blockLines(block));
  }
  return lines;
}

function blockLines(block: Block): readonly string[] {
  if (typeof block === "string") return [block];
  if ("list" in block) return block.list.map((one) => `- ${linked(one)}`);
  if ("code" in block) return [`\`\`\`${language(block.code)}`, ...block.code.split("\n"), "```"];
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [row(block.head), `|${" --- |".repeat(block.head.length)}`, ...block.rows.map(row)];
}

const language = (code: string): string => (code.startsWith("keywright:") ? "yaml" : "text");

function cell(text: string): string {
  const ids = text.split(", ");
  if (ids.every(isTopic)) return ids.map((id) => `[${id}](#${id})`).join(", ");
  return linked(text.replaceAll("|", "\\|"));
}

/** The id of a topic between backticks becomes a link to it. */
function linked(text: string): string {
  return text.replace(/`([a-z0-9-]+)`/g, (all, id: string) =>
    isTopic(id) ? `[${all}](#${id})` : all,
  );
}
