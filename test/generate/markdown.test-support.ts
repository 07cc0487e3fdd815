import { marked, type Token, type Tokens } from "marked";

/** What a reader of Markdown makes of a document. */
export interface Parsed {
  readonly headings: readonly string[];
  readonly tables: readonly (readonly (readonly string[])[])[];
  /** The texts of paragraphs, items of lists, headings and cells, as they are seen. */
  readonly texts: readonly string[];
  readonly links: readonly string[];
  readonly images: readonly string[];
  readonly fences: readonly { readonly language: string; readonly text: string }[];
  readonly ticks: readonly boolean[];
  /** Tags and comments that would be handed on as they are. */
  readonly html: readonly string[];
}

export function parseMarkdown(markdown: string): Parsed {
  const parsed = {
    headings: [] as string[],
    tables: [] as string[][][],
    texts: [] as string[],
    links: [] as string[],
    images: [] as string[],
    fences: [] as { language: string; text: string }[],
    ticks: [] as boolean[],
    html: [] as string[],
  };
  const look = (token: Token): void => {
    if (token.type === "link") parsed.links.push((token as Tokens.Link).href);
    if (token.type === "image") parsed.images.push((token as Tokens.Image).href);
    if (token.type === "html") parsed.html.push(token.raw);
    if (token.type === "code") {
      const { lang = "", text } = token as Tokens.Code;
      parsed.fences.push({ language: lang, text });
    }
    if (token.type === "heading") parsed.headings.push(textOf((token as Tokens.Heading).tokens));
    if (token.type === "list_item" && (token as Tokens.ListItem).task) {
      parsed.ticks.push((token as Tokens.ListItem).checked === true);
    }
    if (["heading", "paragraph", "text"].includes(token.type) && "tokens" in token) {
      parsed.texts.push(textOf(token.tokens ?? []));
    }
    if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      const cells = [header, ...rows].map((row) => row.map(({ tokens }) => textOf(tokens)));
      parsed.tables.push(cells);
      parsed.texts.push(...cells.flat());
    }
  };
  marked.walkTokens(marked.lexer(markdown), look);
  return parsed;
}

/** What is seen of inline tokens: the lexer leaves entities as they are written. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if ("tokens" in token && token.tokens !== undefined) return textOf(token.tokens);
      if (token.type === "codespan") return (token as Tokens.Codespan).text;
      const text = "text" in token ? String(token.text) : token.raw;
      return text.replaceAll("&lt;", "<").replaceAll("&amp;", "&");
    })
    .join("");
}

/** How many cells a line of a table has, by the rule of GitHub: a pipe without a backslash ends one. */
export function tableLines(markdown: string): readonly (readonly number[])[] {
  const tables: number[][] = [];
  let isTable = false;
  let fence = "";
  for (const line of markdown.split("\n")) {
    const mark = /^`{3,}/.exec(line)?.[0];
    if (mark !== undefined) fence = fence === "" ? mark : mark === fence ? "" : fence;
    const isRow = fence === "" && line.startsWith("| ");
    if (isRow && !isTable) tables.push([]);
    if (isRow) tables.at(-1)?.push([...line.matchAll(/(?<!\\)(?:\\\\)*\|/g)].length - 1);
    isTable = isRow;
  }
  return tables;
}
