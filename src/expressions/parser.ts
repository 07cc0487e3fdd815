import {
  type ExpressionKind,
  emptyExpression,
  listIndexOutOfRange,
  pathTooDeep,
  redundantParentheses,
  reservedKeyword,
  syntaxError,
  undefinedName,
  undefinedValue,
} from "../api/errors/expression.ts";
import type { ServiceError } from "../api/errors/service-error.ts";
import { listIndexMax, nestingLevelsMax } from "../api/limits.ts";
import type { BoundedCache } from "../base/bounded-cache.ts";
import { own } from "../base/record.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import { type Token, type TokenSymbol, tokenise } from "./lexer.ts";
import { isReservedWord } from "./reserved-words.ts";
import type { Path } from "./tree.ts";

/*
 * Every expression is read in two phases.
 *
 * 1. `parse…(kind, text)` makes a syntax tree that depends on the text alone and is cached by it.
 *    Names and values are still placeholders. It raises all errors that the text alone decides.
 * 2. `resolve…(syntax, placeholders, kind)` substitutes names and values, records which were used,
 *    raises the errors that depend on them and returns a tree of `tree.ts`.
 *
 * A path without placeholders is the same object in both phases.
 */

/** `:name` */
export interface PlaceholderSyntax {
  readonly kind: "placeholder";
  readonly name: string;
}

export interface CallSyntax {
  readonly kind: "call";
  readonly name: string;
  readonly operands: readonly OperandSyntax[];
  /** Where the call starts in the text: the earliest problem is the one reported. */
  readonly start: number;
}

/** A path's steps may be `#placeholders`; attribute names of bare paths never begin with `#`. */
export type OperandSyntax = Path | PlaceholderSyntax | CallSyntax;

/**
 * A cursor over the tokens of one expression, with the productions that several expression kinds
 * share. Errors of syntax are thrown where they are met. Errors that are reported only when the
 * whole text is well formed are noted, and `finish` throws the one that is earliest in the text.
 */
export class Parser {
  readonly kind: ExpressionKind;
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #noted: ServiceError | undefined;
  #notedAt = Number.POSITIVE_INFINITY;

  constructor(kind: ExpressionKind, text: string) {
    this.kind = kind;
    this.#text = text;
    this.#tokens = tokenise(text);
  }

  get token(): Token {
    return this.#tokens[this.#at] as Token;
  }

  get next(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)] as Token;
  }

  advance(): Token {
    const token = this.token;
    if (token.kind !== "end") this.#at++;
    return token;
  }

  is(symbol: TokenSymbol): boolean {
    return this.token.symbol === symbol;
  }

  accept(symbol: TokenSymbol): boolean {
    if (this.token.symbol !== symbol) return false;
    this.#at++;
    return true;
  }

  expect(symbol: TokenSymbol): void {
    if (!this.accept(symbol)) this.fail();
  }

  /** The current token cannot stand here. `near` runs from the token before to the token after. */
  fail(): never {
    const from = this.#at > 0 ? (this.#tokens[this.#at - 1] as Token).start : 0;
    throw syntaxError(this.kind, this.token.text, this.#text.slice(from, this.next.end));
  }

  note(start: number, error: ServiceError): void {
    if (start >= this.#notedAt) return;
    this.#notedAt = start;
    this.#noted = error;
  }

  finish(): void {
    if (this.token.kind !== "end") this.fail();
    if (this.#noted !== undefined) throw this.#noted;
  }

  /** Path = Name { "." Name | "[" number "]" } */
  path(): Path {
    return this.#pathFrom([this.#name()]);
  }

  #pathFrom(steps: [string, ...(string | number)[]]): Path {
    for (;;) {
      if (this.accept(".")) steps.push(this.#name());
      else if (this.accept("[")) steps.push(this.#index());
      else return { kind: "path", steps };
    }
  }

  /** Name = name | "#" name */
  #name(): string {
    const token = this.token;
    if (token.kind !== "name" && token.kind !== "name-placeholder") this.fail();
    this.#at++;
    if (token.kind === "name" && isReservedWord(token.text)) {
      this.note(token.start, reservedKeyword(this.kind, token.text));
    }
    return token.text;
  }

  #index(): number {
    const token = this.token;
    if (token.kind !== "number") this.fail();
    this.#at++;
    this.expect("]");
    const index = Number(token.text);
    if (index > listIndexMax) this.note(token.start, listIndexOutOfRange(this.kind, token.text));
    return index;
  }

  /** Placeholder = ":" name */
  placeholder(): PlaceholderSyntax {
    const token = this.token;
    if (token.kind !== "value-placeholder") this.fail();
    this.#at++;
    return { kind: "placeholder", name: token.text };
  }

  /**
   * Operand = Placeholder | Call | Path | "(" Operand ")"
   * Call = name Operands
   *
   * Calls that are still open are kept in a list and not on the stack: 4,096 bytes can nest deeply.
   */
  operand(): OperandSyntax {
    const calls: OpenCall[] = [];
    for (;;) {
      const open = this.#openings();
      if (this.token.kind === "name" && this.next.symbol === "(") {
        const { text: name, start } = this.advance();
        this.advance();
        calls.push({ name, start, open, operands: [] });
        continue;
      }
      const bare = this.token.kind === "value-placeholder" ? this.placeholder() : this.path();
      const operand = this.#closeCalls(calls, this.#closings(bare, open));
      if (operand !== undefined) return operand;
    }
  }

  /** Operands = "(" Operand { "," Operand } ")" */
  operands(): OperandSyntax[] {
    this.expect("(");
    const operands = [this.operand()];
    while (this.accept(",")) operands.push(this.operand());
    this.expect(")");
    return operands;
  }

  /** Ends the calls whose last operand this is; undefined if another operand has to follow. */
  #closeCalls(calls: OpenCall[], last: OperandSyntax): OperandSyntax | undefined {
    let operand = last;
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      call.operands.push(operand);
      if (this.accept(",")) return undefined;
      this.expect(")");
      calls.pop();
      const { name, start, operands, open } = call;
      operand = this.#closings({ kind: "call", name, operands, start }, open);
    }
    return operand;
  }

  #openings(): number {
    let count = 0;
    while (this.accept("(")) count++;
    return count;
  }

  #closings(inner: OperandSyntax, count: number): OperandSyntax {
    let operand = inner;
    let wrapped = false;
    for (let left = count; left > 0; left--) {
      this.expect(")");
      if (wrapped) throw redundantParentheses(this.kind);
      const longer = this.continued(operand);
      wrapped = longer === operand;
      operand = longer;
    }
    return operand;
  }

  /** In conditions a path in parentheses may go on: `(a).b`. An update knows no such path. */
  continued<Syntax extends { readonly kind: string }>(operand: Syntax): Syntax | Path {
    if (!isPath(operand) || this.kind === "UpdateExpression") return operand;
    if (!this.is(".") && !this.is("[")) return operand;
    return this.#pathFrom([...operand.steps]);
  }
}

interface OpenCall {
  readonly name: string;
  readonly start: number;
  /** How many parentheses stand around the call. */
  readonly open: number;
  readonly operands: OperandSyntax[];
}

function isPath(syntax: { readonly kind: string }): syntax is Path {
  return syntax.kind === "path";
}

/**
 * Runs the first phase: cache, the production and what it noted. The text is known to be within the
 * limit on its size, which bounds all that follows.
 */
export function parseText<Syntax>(
  kind: ExpressionKind,
  text: string,
  cache: BoundedCache<Syntax>,
  production: (parser: Parser) => Syntax,
): Syntax {
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (text === "") throw emptyExpression(kind);
  const parser = new Parser(kind, text);
  const syntax = production(parser);
  parser.finish();
  cache.set(text, syntax);
  return syntax;
}

/** The names and values of one request, and which of them its expressions have used. */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>> | undefined;
  readonly #values: Readonly<Record<string, AttributeValue>> | undefined;
  readonly #used = new Set<string>();

  constructor(
    names: Readonly<Record<string, string>> | undefined,
    values: Readonly<Record<string, AttributeValue>> | undefined,
  ) {
    this.#names = names;
    this.#values = values;
  }

  /** `placeholder` includes its `#`. */
  name(kind: ExpressionKind, placeholder: string): string {
    const name = this.#names === undefined ? undefined : own(this.#names, placeholder);
    if (name === undefined) throw undefinedName(kind, placeholder);
    this.#used.add(placeholder);
    return name;
  }

  /** `placeholder` includes its `:`. */
  value(kind: ExpressionKind, placeholder: string): AttributeValue {
    const value = this.#values === undefined ? undefined : own(this.#values, placeholder);
    if (value === undefined) throw undefinedValue(kind, placeholder);
    this.#used.add(placeholder);
    return value;
  }

  isUsed(placeholder: string): boolean {
    return this.#used.has(placeholder);
  }
}

/** The path with its `#placeholders` replaced; the very same path when it has none. */
export function resolvePath(path: Path, placeholders: Placeholders, kind: ExpressionKind): Path {
  const { steps } = path;
  if (steps.length > nestingLevelsMax) throw pathTooDeep(kind, steps.length);
  // By far most paths are one name.
  if (steps.length === 1) {
    const name = resolveStep(steps[0], placeholders, kind);
    return name === steps[0] ? path : { kind: "path", steps: [name] };
  }
  if (!steps.some(isNamePlaceholder)) return path;
  const [first, ...rest] = steps;
  return {
    kind: "path",
    steps: [
      resolveStep(first, placeholders, kind),
      ...rest.map((step) =>
        typeof step === "number" ? step : resolveStep(step, placeholders, kind),
      ),
    ],
  };
}

function isNamePlaceholder(step: string | number): boolean {
  return typeof step === "string" && step.charCodeAt(0) === 0x23;
}

function resolveStep(step: string, placeholders: Placeholders, kind: ExpressionKind): string {
  return isNamePlaceholder(step) ? placeholders.name(kind, step) : step;
}
