import { marked } from "marked";
import { describe, expect, it } from "vitest";
import {
  code,
  emphasis,
  escaped,
  fence,
  heading,
  image,
  joined,
  link,
  list,
  markdownOf,
  paragraph,
  strong,
  table,
} from "./markdown.ts";

const html = (markdown: string): string => marked.parse(markdown, { async: false }).trim();

describe("texts", () => {
  it.each([
    "*a* **b** _c_ __proto__ `d` ~~e~~",
    "<b onclick=x>f</b> <!-- g --> &lt; &amp;amp; &copy;",
    "[a](http://b) ![a](b) <http://c.example> www.d.example e@f.example https://g.example",
    "a | b \\| c \\",
    "# heading",
    "###### six",
    "- item",
    "+ item",
    "1. item",
    "23) item",
    "---",
    "===",
    "> quote",
    "- [ ] task",
    "$a$ and $$b$$ and $5",
    "snake_case_name and 2*3*4",
  ])("say %s as it is", (text) => {
    const seen = html(markdownOf([paragraph(text)]));
    const shown = text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;");
    expect(seen).toBe(`<p>${shown}</p>`);
  });

  it("show what would be obeyed and not seen, and keep to one line", () => {
    expect(escaped("a\n  b\tc\u2028d")).toBe("a b c d");
    expect(escaped("a\u202eb\u0000")).toBe("a\\\\u{202e}b\\\\u{0}");
  });

  it("leave names and money readable", () => {
    expect(escaped("customer_id costs $1,557.25, see #4 - 50 %.")).toBe(
      "customer_id costs $1,557.25, see #4 - 50 %.",
    );
    expect(markdownOf([paragraph("#4 is 9.9 GB"), paragraph("9.9 GB"), paragraph("-1")])).toBe(
      "#4 is 9.9 GB\n\n9.9 GB\n\n-1\n",
    );
  });
});

describe("blocks", () => {
  it("are separated by an empty line", () => {
    const blocks = [
      heading(2, ["Table ", code("A#")]),
      paragraph([strong("x:"), " ", emphasis("y"), " ", link("z", "a b/c.md")]),
      ...list([
        "one",
        { line: "two", ticked: true, below: ["three"] },
        { line: "four", ticked: false },
      ]),
      image("five", "p/q.svg"),
    ];
    expect(markdownOf(blocks)).toBe(
      [
        "## Table `A#`",
        "",
        "**x:** *y* [z](a%20b/c.md)",
        "",
        "- one",
        "- [x] two",
        "  - three",
        "- [ ] four",
        "",
        "![five](p/q.svg)",
        "",
      ].join("\n"),
    );
    expect(list([])).toEqual([]);
  });

  it("keep the columns of a table, whatever is in the cells", () => {
    const cells = ["a|b", "\\", "\\|", "x\ny", code("{a|pad:3}"), code("a\\|b"), code("`"), ""];
    const block = table(
      ["1", "2"],
      cells.map((cell) => [cell, "end"]),
      { numbers: [1], otherwise: "" },
    );
    const markdown = markdownOf([block]);
    expect(markdown.split("\n").slice(0, 2)).toEqual(["| 1 | 2 |", "| --- | ---: |"]);
    const [token] = marked.lexer(markdown);
    const rows = (token as { rows: { text: string }[][] }).rows;
    expect(rows.map((row) => row.length)).toEqual(cells.map(() => 2));
    expect(rows.every((row) => row[1]?.text === "end")).toBe(true);
    expect(html(markdown)).toContain("<code>{a|pad:3}</code>");
    expect(html(markdown)).toContain("<td>a\\|b</td>");
  });

  it("say so if a table has no rows", () => {
    expect(markdownOf([table(["a"], [], { otherwise: "Nothing." })])).toBe("Nothing.\n");
  });

  it("fence texts that have fences in them, and do not close headings", () => {
    expect(markdownOf([fence("json", "```\n````\n")])).toBe("`````json\n```\n````\n`````\n");
    expect(html(markdownOf([heading(1, "C #")]))).toBe("<h1>C #</h1>");
  });

  it("join lines", () => {
    expect(markdownOf([paragraph(joined([code("a"), ["b", strong("c")]], ", "))])).toBe(
      "`a`, b**c**\n",
    );
  });
});
