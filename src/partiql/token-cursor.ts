import { notWellFormed } from "../api/errors/statement.ts";
import { type Token, tokenise } from "./lexer.ts";

/** A place in the tokens of a statement. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokenise(text);
  }

  get token(): Token {
    return this.#tokens[this.#at] as Token;
  }

  get next(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)] as Token;
  }

  /** Nothing is left. */
  atEnd(): boolean {
    return this.token.kind === "end";
  }

  advance(): Token {
    const { token } = this;
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  isKeyword(text: string): boolean {
    return this.token.kind === "keyword" && this.token.text === text;
  }

  isSymbol(text: string): boolean {
    return this.token.kind === "symbol" && this.token.text === text;
  }

  isName(): boolean {
    return this.token.kind === "name" || this.token.kind === "quoted";
  }

  acceptKeyword(text: string): boolean {
    if (!this.isKeyword(text)) return false;
    this.#at += 1;
    return true;
  }

  acceptSymbol(text: string): boolean {
    if (!this.isSymbol(text)) return false;
    this.#at += 1;
    return true;
  }

  /** `otherwise` is what the parser says if the symbol is not there. */
  expectSymbol(text: string, otherwise: string): void {
    if (!this.acceptSymbol(text)) throw notWellFormed(otherwise);
  }

  expectKeyword(text: string, otherwise: string): void {
    if (!this.acceptKeyword(text)) throw notWellFormed(otherwise);
  }
}
