import { columnWidths, type Look, wrapped } from "./layout.ts";
import type { Block, Page } from "./page.ts";
import { allPages } from "./pages.ts";
import { sectionsOf } from "./sections.ts";
import { groups, groupTitles, topics } from "./topics.ts";

const indent = "  ";
const bullet = "- ";

/** A page for the terminal. */
export function pageText(page: Page, look: Look): string {
  const title = topics.get(page.id)?.title ?? page.id;
  const lines = [look.heading(`${title} (${page.id})`), "", ...paragraph(page.summary, "", look)];
  for (const { title: heading, blocks } of sectionsOf(page)) {
    lines.push("", look.heading(heading));
    for (const [i, block] of blocks.entries()) {
      if (i > 0) lines.push("");
      lines.push(...blockLines(block, look));
    }
  }
  return `${lines.join("\n")}\n`;
}

/** All pages by group, and which pattern is for which need. */
export function listText(look: Look): string {
  const lines: string[] = [];
  for (const group of groups) {
    const rows = [...topics]
      .filter(([, topic]) => topic.group === group)
      .map(([id, { title }]) => [id, title]);
    lines.push(look.heading(groupTitles[group]), ...tableLines(rows, indent, look), "");
  }
  const choosing = allPages.get("choosing");
  for (const { title, blocks } of choosing === undefined ? [] : sectionsOf(choosing)) {
    const tables = blocks.filter((block) => typeof block === "object" && "rows" in block);
    if (tables.length === 0 || title === "See also") continue;
    lines.push(look.heading(topics.get("choosing")?.title ?? ""));
    for (const table of tables) lines.push(...blockLines(table, look));
  }
  lines.push("", "One of them: keywright learn TOPIC");
  return `${lines.join("\n")}\n`;
}

/** Some pages, each with its sentence. */
export function summariesText(
  found: readonly { readonly id: string; readonly summary: string }[],
  look: Look,
): string {
  const rows = found.map(({ id, summary }) => [id, summary]);
  return `${tableLines(rows, "", look).join("\n")}\n`;
}

function blockLines(block: Block, look: Look): readonly string[] {
  if (typeof block === "string") return paragraph(block, indent, look);
  if ("list" in block) return block.list.flatMap((one) => item(one, look));
  if ("code" in block)
    return block.code.split("\n").map((line) => look.code(`${indent.repeat(2)}${line}`.trimEnd()));
  return tableLines([block.head, ...block.rows], indent, look, true);
}

function paragraph(text: string, before: string, look: Look): readonly string[] {
  return wrapped(text, look.width - before.length).map((line) => before + marked(line, look));
}

function item(text: string, look: Look): readonly string[] {
  const lines = wrapped(text, look.width - indent.length - bullet.length);
  return lines.map(
    (line, i) => indent + (i === 0 ? bullet : " ".repeat(bullet.length)) + marked(line, look),
  );
}

function tableLines(
  rows: readonly (readonly string[])[],
  before: string,
  look: Look,
  hasHead = false,
): readonly string[] {
  const bare = rows.map((row) => row.map(unmarked));
  const widths = columnWidths(bare, look.width - before.length);
  return bare.flatMap((row, i) => {
    const cells = row.map((cell, column) => wrapped(cell, widths[column] ?? 0));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) => {
      const texts = cells.map((cell, column) => (cell[line] ?? "").padEnd(widths[column] ?? 0));
      const text = (before + texts.join("  ")).trimEnd();
      return hasHead && i === 0 ? look.heading(text) : text;
    });
  });
}

/** Code is shown in its colour, and else as it is written, between backticks. */
function marked(line: string, look: Look): string {
  return line.replace(/`([^`]*)`/g, (all, code: string) => {
    const shown = look.code(code);
    return shown === code ? all : shown;
  });
}

const unmarked = (text: string): string => text.replaceAll("`", "");
