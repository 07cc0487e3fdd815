/**
 * One lexer serves all expression kinds. It never fails: a character that no expression may hold
 * becomes an `invalid` token, so that the parser decides where the first error lies.
 */
export type TokenKind =
  /** A bare attribute or function name. */
  | "name"
  /** `#name` */
  | "name-placeholder"
  /** `:value` */
  | "value-placeholder"
  | "number"
  /** A keyword, an operator or punctuation; `symbol` says which. */
  | "symbol"
  | "invalid"
  | "end";

export type Keyword = "AND" | "OR" | "NOT" | "BETWEEN" | "IN" | "SET" | "REMOVE" | "ADD" | "DELETE";

export type TokenSymbol =
  | Keyword
  | "="
  | "<>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "+"
  | "-"
  | "("
  | ")"
  | "["
  | "]"
  | "."
  | ",";

export interface Token {
  readonly kind: TokenKind;
  /** The token as written; `<EOF>` at the end. */
  readonly text: string;
  /** The keyword in capitals, the operator or the punctuation; undefined for other kinds. */
  readonly symbol: TokenSymbol | undefined;
  readonly start: number;
  readonly end: number;
}

/** Keywords are keywords in every expression kind: `set = :v` is a syntax error in a filter too. */
const keywords: ReadonlySet<string> = new Set<Keyword>([
  "AND",
  "OR",
  "NOT",
  "BETWEEN",
  "IN",
  "SET",
  "REMOVE",
  "ADD",
  "DELETE",
]);
const keywordLengthMax = 7;

/** All tokens of the text; the last one is of kind `end`. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
    if (at >= text.length) break;
    const token = tokenAt(text, at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({
    kind: "end",
    text: "<EOF>",
    symbol: undefined,
    start: text.length,
    end: text.length,
  });
  return tokens;
}

function tokenAt(text: string, start: number): Token {
  const code = text.charCodeAt(start);
  if (isLetter(code)) return wordToken(text, start);
  if (isDigit(code)) return plainToken("number", text, start, numberEnd(text, start));
  if (code === 0x23 || code === 0x3a) {
    const end = wordEnd(text, start + 1);
    if (end === start + 1) return plainToken("invalid", text, start, end);
    return plainToken(code === 0x23 ? "name-placeholder" : "value-placeholder", text, start, end);
  }
  const symbol = symbolAt(text, start);
  if (symbol !== undefined) {
    return { kind: "symbol", text: symbol, symbol, start, end: start + symbol.length };
  }
  const width = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  return plainToken("invalid", text, start, start + width);
}

function plainToken(kind: TokenKind, text: string, start: number, end: number): Token {
  return { kind, text: text.slice(start, end), symbol: undefined, start, end };
}

function wordToken(text: string, start: number): Token {
  const end = wordEnd(text, start);
  const word = text.slice(start, end);
  if (word.length <= keywordLengthMax) {
    const upper = word.toUpperCase();
    if (keywords.has(upper)) {
      return { kind: "symbol", text: word, symbol: upper as Keyword, start, end };
    }
  }
  return { kind: "name", text: word, symbol: undefined, start, end };
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && isWordPart(text.charCodeAt(at))) at++;
  return at;
}

/** A number has no leading zeros: `00` is two tokens. */
function numberEnd(text: string, start: number): number {
  let at = start + 1;
  if (text.charCodeAt(start) === 0x30) return at;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

function symbolAt(text: string, at: number): TokenSymbol | undefined {
  const character = text[at];
  switch (character) {
    case "<": {
      const next = text[at + 1];
      return next === ">" ? "<>" : next === "=" ? "<=" : "<";
    }
    case ">":
      return text[at + 1] === "=" ? ">=" : ">";
    case "=":
    case "+":
    case "-":
    case "(":
    case ")":
    case "[":
    case "]":
    case ".":
    case ",":
      return character;
    default:
      return undefined;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isWordPart(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f;
}
