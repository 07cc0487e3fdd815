import { notWellFormed, type TokenPlace } from "../api/errors/statement.ts";
import { readJavaNumber } from "../item/java-number.ts";
import { keywords } from "./keywords.ts";

/**
 * The tokens of a statement. Keywords and the operators that are words come in small letters; a name
 * keeps its letters. Comments are blanks.
 */
export type TokenKind =
  | "keyword"
  | "name"
  | "quoted"
  | "string"
  | "number"
  | "symbol"
  | "parameter"
  | "end";

export interface Token extends TokenPlace {
  readonly kind: TokenKind;
  /** Of a name or string without its quotes. */
  readonly text: string;
}

const symbols: readonly string[] = [
  "<<",
  ">>",
  "<=",
  ">=",
  "<>",
  "!=",
  "||",
  ..."+-*/%<>=()[]{},;:.@",
];

const lineFeed = 10;
const carriageReturn = 13;

export function tokenise(text: string): readonly Token[] {
  const lexer = new Lexer(text);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.kind === "end") return tokens;
  }
}

class Lexer {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    this.#skipBlanks();
    const text = this.#text;
    const from = this.#at;
    if (from >= text.length) return this.#token("end", "", from);
    const code = text.charCodeAt(from);
    if (isNameStart(code)) return this.#word(from);
    if (isDigit(code) || (code === dot && isDigit(text.charCodeAt(from + 1)))) {
      return this.#number(from);
    }
    switch (text[from]) {
      case "'":
        return this.#quoted("string", "'", from);
      case '"':
        return this.#quoted("quoted", '"', from);
      case "?":
        this.#at += 1;
        return this.#token("parameter", "?", from);
    }
    for (const symbol of symbols) {
      if (!text.startsWith(symbol, from)) continue;
      this.#at += symbol.length;
      return this.#token("symbol", symbol === "!=" ? "<>" : symbol, from);
    }
    throw notWellFormed("");
  }

  #token(kind: TokenKind, text: string, from: number): Token {
    const column = from - this.#lineStart + 1;
    return { kind, text, line: this.#line, column, length: this.#at - from };
  }

  #word(from: number): Token {
    const text = this.#text;
    while (isNamePart(text.charCodeAt(this.#at))) this.#at += 1;
    const word = text.slice(from, this.#at);
    const lower = word.toLowerCase();
    return keywords.has(lower)
      ? this.#token("keyword", lower, from)
      : this.#token("name", word, from);
  }

  /** `digits [. digits] [e [sign] digits]` or `. digits …`. A letter right behind is no token. */
  #number(from: number): Token {
    this.#digits();
    if (this.#text.charCodeAt(this.#at) === dot) {
      this.#at += 1;
      this.#digits();
    }
    if (/^[eE]$/.test(this.#text[this.#at] ?? "")) {
      this.#at += 1;
      if (/^[+-]$/.test(this.#text[this.#at] ?? "")) this.#at += 1;
      const digits = this.#at;
      this.#digits();
      if (this.#at === digits) throw notWellFormed("");
    }
    const text = this.#text.slice(from, this.#at);
    if (isNamePart(this.#text.charCodeAt(this.#at)) || !isConvertible(text)) {
      throw notWellFormed("");
    }
    return this.#token("number", text, from);
  }

  #digits(): void {
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  /** A quote within is doubled. */
  #quoted(kind: "string" | "quoted", quote: string, from: number): Token {
    const { line, column } = this.#token("end", "", from);
    let content = "";
    this.#at += 1;
    for (;;) {
      const end = this.#text.indexOf(quote, this.#at);
      if (end < 0) throw notWellFormed("");
      content += this.#text.slice(this.#at, end);
      this.#countLines(this.#at, end);
      this.#at = end + 1;
      if (this.#text[this.#at] !== quote) break;
      content += quote;
      this.#at += 1;
    }
    return { kind, text: content, line, column, length: this.#at - from };
  }

  #skipBlanks(): void {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (isBlank(code)) {
        this.#countLines(this.#at, this.#at + 1);
        this.#at += 1;
      } else if (text.startsWith("--", this.#at)) {
        while (this.#at < text.length && !isNewline(text.charCodeAt(this.#at))) this.#at += 1;
      } else if (text.startsWith("/*", this.#at)) {
        const end = text.indexOf("*/", this.#at + 2);
        if (end < 0) throw notWellFormed("");
        this.#countLines(this.#at, end);
        this.#at = end + 2;
      } else return;
    }
  }

  #countLines(from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (!isNewline(code)) continue;
      // A carriage return and a line feed are one end of a line.
      const half = code === lineFeed && this.#text.charCodeAt(at - 1) === carriageReturn;
      if (!half) this.#line += 1;
      this.#lineStart = at + 1;
    }
  }
}

const dot = 46;

/** An exponent can be too long to be read at all. */
function isConvertible(number: string): boolean {
  const read = readJavaNumber(number);
  return typeof read === "string" || read.problem !== "not-a-number";
}

function isNewline(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

/** Tab, vertical tab, form feed, space, and the ends of lines. */
function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A letter, `_` or `$`. */
function isNameStart(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || isDigit(code);
}
