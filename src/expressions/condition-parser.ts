import {
  type ExpressionKind,
  functionMisused,
  functionNotAllowed,
  invalidFunctionName,
  redundantParentheses,
  tooManyOperators,
} from "../api/errors/expression.ts";
import { expressionOperatorsMax } from "../api/limits.ts";
import { BoundedCache } from "../base/bounded-cache.ts";
import type { TokenSymbol } from "./lexer.ts";
import { type CallSyntax, type OperandSyntax, type Parser, parseText } from "./parser.ts";
import type { Comparator, Logical } from "./tree.ts";

/** A comparison, or a call that is true or false. */
export type ComparisonSyntax =
  | CallSyntax
  | {
      readonly kind: "compare";
      readonly op: Comparator;
      readonly left: OperandSyntax;
      readonly right: OperandSyntax;
    }
  | {
      readonly kind: "between";
      readonly subject: OperandSyntax;
      readonly low: OperandSyntax;
      readonly high: OperandSyntax;
    }
  | {
      readonly kind: "in";
      readonly subject: OperandSyntax;
      readonly candidates: readonly OperandSyntax[];
    };

export type ConditionSyntax = Logical<ComparisonSyntax>;

const cache = new BoundedCache<ConditionSyntax>();

/** The first phase, for conditions, filters and key conditions: their grammar is one. */
export function parseCondition(kind: ExpressionKind, text: string): ConditionSyntax {
  return parseText(kind, text, cache, (parser) => new ConditionParser(parser).condition());
}

/** What is begun and waits for its right-hand side, innermost last. */
type Pending =
  | { readonly kind: "(" }
  | { readonly kind: "not" }
  | { readonly kind: "and" | "or"; readonly left: ConditionSyntax };

/** What has been read last: only what follows tells an operand from a condition. */
interface Term {
  readonly syntax: ConditionSyntax | OperandSyntax;
  /** It stands in parentheses of its own. */
  readonly wrapped: boolean;
}

/**
 * The grammar, loosest first:
 *
 *   Condition  = Conjunction { "OR" Conjunction }
 *   Conjunction = Negation { "AND" Negation }
 *   Negation   = "NOT" Negation | Primary
 *   Primary    = "(" Condition ")" | Comparison | Call
 *   Comparison = Operand ( comparator Operand | "BETWEEN" Operand "AND" Operand | "IN" Operands )
 *
 * An opening parenthesis may begin a condition or an operand, which shows only at its end, and 4,096
 * bytes can hold that many of them. So the parser keeps what is pending in a list of its own instead
 * of descending into functions.
 */
class ConditionParser {
  readonly #parser: Parser;
  readonly #pending: Pending[] = [];
  #operators = 0;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  condition(): ConditionSyntax {
    const parser = this.#parser;
    for (;;) {
      let term = this.#first();
      while (parser.is(")")) term = this.#close(term);
      if (parser.token.kind === "end") return this.#end(term);
      this.#join(term);
    }
  }

  /** The prefixes "NOT" and "(", then an operand or a whole comparison. */
  #first(): Term {
    for (;;) {
      if (this.#parser.accept("NOT")) this.#pending.push({ kind: "not" });
      else if (this.#parser.accept("(")) this.#pending.push({ kind: "(" });
      else return this.#compared({ syntax: this.#parser.operand(), wrapped: false });
    }
  }

  /** Comparison = Operand ( comparator Operand | "BETWEEN" … | "IN" … ), its subject being read. */
  #compared(term: Term): Term {
    const parser = this.#parser;
    const { symbol } = parser.token;
    if (!isOperand(term.syntax) || symbol === undefined) return term;
    const subject = term.syntax;
    if (isComparator(symbol)) {
      parser.advance();
      const right = this.#operand();
      return this.#node({ kind: "compare", op: symbol, left: this.#checked(subject), right });
    }
    if (symbol === "BETWEEN") {
      parser.advance();
      const low = this.#operand();
      parser.expect("AND");
      const high = this.#operand();
      return this.#node({ kind: "between", subject: this.#checked(subject), low, high });
    }
    if (symbol === "IN") {
      parser.advance();
      const candidates = parser.operands();
      for (const candidate of candidates) this.#checked(candidate);
      return this.#node({ kind: "in", subject: this.#checked(subject), candidates });
    }
    return term;
  }

  #operand(): OperandSyntax {
    return this.#checked(this.#parser.operand());
  }

  /** The current token is ")". */
  #close(term: Term): Term {
    let inner = term;
    while (this.#pending.at(-1)?.kind !== "(") {
      if (this.#pending.length === 0) this.#parser.fail();
      inner = this.#reduce(inner);
    }
    this.#parser.advance();
    this.#pending.pop();
    if (inner.wrapped) throw redundantParentheses(this.#parser.kind);
    const syntax = this.#parser.continued(inner.syntax);
    return this.#compared({ syntax, wrapped: syntax === inner.syntax });
  }

  /** "AND" or "OR" is to follow; whatever binds tighter than it is complete. */
  #join(term: Term): void {
    const { symbol } = this.#parser.token;
    if (symbol !== "AND" && symbol !== "OR") this.#parser.fail();
    let left = term;
    for (let last = this.#pending.at(-1)?.kind; last !== undefined; ) {
      if (last === "(" || (last === "or" && symbol === "AND")) break;
      left = this.#reduce(left);
      last = this.#pending.at(-1)?.kind;
    }
    const syntax = this.#asCondition(left);
    this.#parser.advance();
    this.#pending.push({ kind: symbol === "AND" ? "and" : "or", left: syntax });
  }

  #end(term: Term): ConditionSyntax {
    let whole = term;
    while (this.#pending.length > 0) {
      if (this.#pending.at(-1)?.kind === "(") this.#parser.fail();
      whole = this.#reduce(whole);
    }
    return this.#asCondition(whole);
  }

  /** Completes the innermost pending operator, which is not a parenthesis. */
  #reduce(term: Term): Term {
    const inner = this.#asCondition(term);
    const pending = this.#pending.pop();
    if (pending === undefined || pending.kind === "(") this.#parser.fail();
    if (pending.kind === "not") return this.#node({ kind: "not", inner });
    return this.#node({ kind: pending.kind, left: pending.left, right: inner });
  }

  #node(syntax: ConditionSyntax): Term {
    this.#operators++;
    if (this.#operators > expressionOperatorsMax) {
      throw tooManyOperators(this.#parser.kind, this.#operators);
    }
    return { syntax, wrapped: false };
  }

  /** A call may be a condition; any other operand lacks its comparison, and the token is wrong. */
  #asCondition({ syntax }: Term): ConditionSyntax {
    if (syntax.kind === "path" || syntax.kind === "placeholder") this.#parser.fail();
    if (syntax.kind === "call") this.#checkCalls(syntax, "condition");
    return syntax;
  }

  #checked(operand: OperandSyntax): OperandSyntax {
    if (operand.kind === "call") this.#checkCalls(operand, "operand");
    return operand;
  }

  /** The call and all calls in it, in any order: of what is noted, the earliest in the text counts. */
  #checkCalls(outermost: CallSyntax, place: FunctionPlace): void {
    this.#checkPlace(outermost, place);
    const waiting: OperandSyntax[] = [...outermost.operands];
    for (let operand = waiting.pop(); operand !== undefined; operand = waiting.pop()) {
      if (operand.kind !== "call") continue;
      this.#checkPlace(operand, "operand");
      for (const inner of operand.operands) waiting.push(inner);
    }
  }

  #checkPlace({ name, start }: CallSyntax, place: FunctionPlace): void {
    const { kind } = this.#parser;
    const right = functionPlaces.get(name);
    if (right === undefined) this.#parser.note(start, invalidFunctionName(kind, name));
    else if (right === "update") this.#parser.note(start, functionNotAllowed(kind, name));
    else if (right !== place) this.#parser.note(start, functionMisused(kind, name));
  }
}

type FunctionPlace = "condition" | "operand" | "update";

const functionPlaces: ReadonlyMap<string, FunctionPlace> = new Map<string, FunctionPlace>([
  ["attribute_exists", "condition"],
  ["attribute_not_exists", "condition"],
  ["attribute_type", "condition"],
  ["begins_with", "condition"],
  ["contains", "condition"],
  ["size", "operand"],
  ["if_not_exists", "update"],
  ["list_append", "update"],
]);

function isOperand(syntax: ConditionSyntax | OperandSyntax): syntax is OperandSyntax {
  return syntax.kind === "path" || syntax.kind === "placeholder" || syntax.kind === "call";
}

function isComparator(symbol: TokenSymbol): symbol is Comparator {
  switch (symbol) {
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return true;
    default:
      return false;
  }
}
