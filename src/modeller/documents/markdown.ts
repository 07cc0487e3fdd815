import { printable } from "../../base/printable.ts";

/** Parts of a Markdown document. Texts are plain: what Markdown would read in them is escaped when they are printed. */

export type Span =
  | { readonly kind: "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly to: string };

/** A line of text: plain, or with code, stress and links in it. */
export type Line = string | Span | readonly (string | Span)[];

export interface ListItem {
  readonly line: Line;
  /** With a box before it, ticked or not. */
  readonly ticked?: boolean | undefined;
  readonly below?: readonly Line[];
}

export type Block =
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3 | 4; readonly line: Line }
  | { readonly kind: "paragraph"; readonly line: Line }
  | { readonly kind: "list"; readonly items: readonly ListItem[] }
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly Line[])[];
      /** Columns of numbers, which stand to the right. */
      readonly numbers: ReadonlySet<number>;
    }
  | { readonly kind: "fence"; readonly language: string; readonly text: string }
  | { readonly kind: "image"; readonly text: string; readonly to: string };

export const code = (text: string): Span => ({ kind: "code", text });
export const strong = (text: string): Span => ({ kind: "strong", text });
export const emphasis = (text: string): Span => ({ kind: "emphasis", text });
export const link = (text: string, to: string): Span => ({ kind: "link", text, to });

export const heading = (level: 1 | 2 | 3 | 4, line: Line): Block => ({
  kind: "heading",
  level,
  line,
});
export const paragraph = (line: Line): Block => ({ kind: "paragraph", line });
export const fence = (language: string, text: string): Block => ({
  kind: "fence",
  language,
  text,
});
export const image = (text: string, to: string): Block => ({ kind: "image", text, to });

/** Nothing if there is nothing to list. */
export function list(lines: readonly (Line | ListItem)[]): readonly Block[] {
  if (lines.length === 0) return [];
  const items = lines.map((one) =>
    typeof one === "object" && "line" in one ? one : { line: one as Line },
  );
  return [{ kind: "list", items }];
}

/** A table, or a sentence if there is nothing to put into it. */
export function table(
  head: readonly string[],
  rows: readonly (readonly Line[])[],
  { numbers = [], otherwise }: { readonly numbers?: readonly number[]; readonly otherwise: string },
): Block {
  if (rows.length === 0) return paragraph(otherwise);
  return { kind: "table", head, rows, numbers: new Set(numbers) };
}

/** The parts of a line. */
export function spansOf(line: Line): readonly (string | Span)[] {
  return Array.isArray(line) ? (line as readonly (string | Span)[]) : [line as string | Span];
}

/** Lines with something between them. */
export function joined(lines: readonly Line[], between: string): Line {
  return lines.flatMap((line, i) => [...(i === 0 ? [] : [between]), ...spansOf(line)]);
}

export function markdownOf(blocks: readonly Block[]): string {
  return `${blocks.map(blockText).join("\n\n")}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "heading":
      // Hashes at the end of a heading would be taken for its closing.
      return `${"#".repeat(block.level)} ${lineText(block.line).replace(/(?<=\s)#+$/, "\\$&")}`;
    case "paragraph":
      return lineText(block.line);
    case "list":
      return block.items.map(itemText).join("\n");
    case "table":
      return tableText(block);
    case "fence":
      return fenceText(block.language, block.text);
    case "image":
      return `![${escaped(block.text)}](${address(block.to)})`;
  }
}

function itemText({ line, ticked, below = [] }: ListItem): string {
  const box = ticked === undefined ? "" : ticked ? "[x] " : "[ ] ";
  return [`- ${box}${lineText(line)}`, ...below.map((one) => `  - ${lineText(one)}`)].join("\n");
}

function tableText({ head, rows, numbers }: Extract<Block, { kind: "table" }>): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    row(head.map((one) => lineText(one, true))),
    row(head.map((_, i) => (numbers.has(i) ? "---:" : "---"))),
    ...rows.map((cells) => row(head.map((_, i) => lineText(cells[i] ?? "", true)))),
  ].join("\n");
}

/** The fence is longer than any row of backticks inside. */
function fenceText(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text.replace(/\n$/, "")}\n${mark}`;
}

function lineText(line: Line, inTable = false): string {
  const text = spansOf(line)
    .map((part) => spanText(part, inTable))
    .join("");
  return inTable ? text.trim() : startEscaped(text);
}

function spanText(part: string | Span, inTable: boolean): string {
  if (typeof part === "string") return escaped(part);
  if (part.text === "") return "";
  switch (part.kind) {
    case "code":
      return codeText(part.text, inTable);
    case "strong":
      return `**${escaped(part.text.trim())}**`;
    case "emphasis":
      return `*${escaped(part.text.trim())}*`;
    case "link":
      return `[${escaped(part.text)}](${address(part.to)})`;
  }
}

/** What code cannot say in every place, such as a backtick, is said as text. */
function codeText(text: string, inTable: boolean): string {
  if (/[`\\\p{Cc}\p{Cf}\u2028\u2029]/u.test(text) || text.trim() !== text) return escaped(text);
  return `\`${inTable ? text.replaceAll("|", "\\|") : text}\``;
}

/**
 * Plain text, as Markdown says it. Breaks and tabs are spaces; other signs that would be obeyed and not seen are
 * shown. Tags and entities cannot begin, also where a reader of Markdown knows no backslashes before them.
 */
export function escaped(text: string): string {
  return printable(flat(text))
    .replaceAll(/[\\`*[\]|~]/g, "\\$&")
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/\$(?!\d)/g, "\\$")
    .replaceAll("://", "\\://")
    .replaceAll(/\b(www)\./gi, "$1\\.")
    .replaceAll("@", "\\@");
}

/** One line of it. */
export function flat(text: string): string {
  return text.replaceAll(/[\s\u2028\u2029]+/gu, " ");
}

/** What makes a heading, a list, a quotation or a rule at the beginning of a line. */
function startEscaped(text: string): string {
  return text
    .trim()
    .replace(/^(?:#{1,6}(?=\s|$)|[+-](?=\s|$)|-{2,}|=+|>)/, "\\$&")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2");
}

function address(to: string): string {
  return to.split("/").map(encodeURIComponent).join("/");
}
