import { notWellFormed, syntax } from "../api/errors/statement.ts";
import { statementNestingMax } from "../api/limits.ts";
import type { Token } from "./lexer.ts";
import type { BinaryOperator, Expression, PathStep } from "./syntax.ts";
import type { TokenCursor } from "./token-cursor.ts";
import { isTypeName } from "./type-names.ts";

const or = 10;
const and = 20;
const not = 30;
const equality = 40;
const comparison = 50;
const addition = 60;
const multiplication = 70;

const precedences: Readonly<Record<BinaryOperator, number>> = {
  or,
  and,
  "=": equality,
  "<>": equality,
  in: equality,
  "<": comparison,
  "<=": comparison,
  ">": comparison,
  ">=": comparison,
  like: comparison,
  "+": addition,
  "-": addition,
  "||": addition,
  "*": multiplication,
  "/": multiplication,
  "%": multiplication,
};

type Infix = BinaryOperator | "is" | "between";

const operatorWords: ReadonlySet<string> = new Set(["or", "and", "is", "in", "between", "like"]);
const negatable: ReadonlySet<string> = new Set(["in", "between", "like"]);

/** Keywords that begin a call if a parenthesis follows. */
const functionWords: ReadonlySet<string> = new Set(
  (
    "exists count avg max min sum substring char_length character_length octet_length " +
    "bit_length upper lower size nullif coalesce sexp list bag"
  ).split(" "),
);
const aggregates: ReadonlySet<string> = new Set(["count", "avg", "max", "min", "sum"]);

/** Reads a statement that stands where an expression may; nothing if the keyword begins none. */
export type StatementReader = (keyword: Token) => Expression | undefined;

/** Expressions, by precedence. Statements are terms, as they are in the language. */
export class ExpressionParser {
  readonly #cursor: TokenCursor;
  readonly #statement: StatementReader;
  #parameters = 0;
  #depth = 0;

  constructor(cursor: TokenCursor, statement: StatementReader) {
    this.#cursor = cursor;
    this.#statement = statement;
  }

  /** Expression = Unary { Infix Expression } with what binds tighter than `above` only. */
  expression(above = -1): Expression {
    return this.#nested(() => {
      let left = this.#unary();
      for (;;) {
        const negated = this.#cursor.isKeyword("not") && negatable.has(this.#cursor.next.text);
        const infix = this.#infix(negated);
        if (infix === undefined || above >= precedenceOf(infix)) return left;
        const place = this.#cursor.token;
        if (negated) this.#cursor.advance();
        this.#cursor.advance();
        left = this.#infixed(infix, left, place);
        if (negated) left = { kind: "unary", op: "not", operand: left, place };
      }
    });
  }

  /** The parser descends into functions, so this limit also bounds the stack that it takes. */
  #nested<T>(read: () => T): T {
    if (this.#depth >= statementNestingMax) throw notWellFormed("");
    this.#depth += 1;
    const made = read();
    this.#depth -= 1;
    return made;
  }

  #infix(negated: boolean): Infix | undefined {
    const { kind, text } = negated ? this.#cursor.next : this.#cursor.token;
    if (kind === "keyword") return operatorWords.has(text) ? (text as Infix) : undefined;
    return kind === "symbol" && Object.hasOwn(precedences, text) ? (text as Infix) : undefined;
  }

  #infixed(infix: Infix, left: Expression, place: Token): Expression {
    if (infix === "is") {
      const negated = this.#cursor.acceptKeyword("not");
      const is: Expression = { kind: "is", subject: left, type: this.#type(), place };
      return negated ? { kind: "unary", op: "not", operand: is, place } : is;
    }
    if (infix === "in" && this.#cursor.isSymbol("(") && this.#cursor.next.text !== "select") {
      const list = this.#cursor.advance();
      const elements = this.#elements(")", "RIGHT_PAREN");
      return {
        kind: "binary",
        op: "in",
        left,
        right: { kind: "list", elements, place: list },
        place,
      };
    }
    if (this.#cursor.atEnd()) throw notWellFormed(syntax.rightSide);
    const right = this.expression(precedenceOf(infix));
    if (infix !== "between") return { kind: "binary", op: infix, left, right, place };
    this.#cursor.expectKeyword("and", syntax.expectedKeyword("AND"));
    if (this.#cursor.atEnd()) throw notWellFormed(syntax.afterAnd);
    const high = this.expression(comparison);
    return { kind: "between", subject: left, low: right, high, place };
  }

  /** `CHARACTER VARYING` and `DOUBLE PRECISION` are two words; an arity in parentheses may follow. */
  #type(): string {
    const { token, next } = this.#cursor;
    const word = token.text.toLowerCase();
    const two = `${word} ${next.text}`;
    const known = isTypeName(two) ? two : word;
    if ((token.kind !== "keyword" && token.kind !== "name") || !isTypeName(known)) {
      throw notWellFormed(syntax.typeName);
    }
    this.#cursor.advance();
    if (known === two) this.#cursor.advance();
    if (this.#cursor.acceptSymbol("(")) this.#elements(")", "RIGHT_PAREN");
    return known;
  }

  /** Unary = NOT Expression | ("+" | "-") Unary | Path */
  #unary(): Expression {
    const { token } = this.#cursor;
    if (token.kind === "keyword" && token.text === "not") {
      this.#cursor.advance();
      return { kind: "unary", op: "not", operand: this.expression(not), place: token };
    }
    if (token.kind !== "symbol" || (token.text !== "+" && token.text !== "-")) return this.#path();
    const op = token.text;
    this.#cursor.advance();
    const operand = this.#nested(() => this.#unary());
    return signed(op, operand) ?? { kind: "unary", op, operand, place: token };
  }

  /** Path = Term { "." name | "." "*" | "[" Expression "]" } */
  #path(): Expression {
    return this.#steps(this.#term(), false);
  }

  /** The same, beginning with a name: what statements change. */
  simplePath(): Expression {
    if (!this.#cursor.isName()) throw notWellFormed(syntax.simplePath);
    return this.#steps(nameOf(this.#cursor.advance()), true);
  }

  #steps(root: Expression, simple: boolean): Expression {
    const steps: PathStep[] = [];
    for (;;) {
      if (this.#cursor.acceptSymbol(".")) steps.push(this.#member());
      else if (this.#cursor.acceptSymbol("[")) steps.push(this.#element(simple));
      else break;
    }
    return steps.length === 0 ? root : { kind: "path", root, steps, place: root.place };
  }

  #member(): PathStep {
    const { token } = this.#cursor;
    if (this.#cursor.isName()) {
      this.#cursor.advance();
      return { kind: "member", name: token.text, place: token };
    }
    if (!this.#cursor.acceptSymbol("*")) throw notWellFormed(syntax.dotComponent);
    return { kind: "star", place: token };
  }

  #element(simple: boolean): PathStep {
    const { token } = this.#cursor;
    if (this.#cursor.acceptSymbol("*")) {
      this.#cursor.expectSymbol("]", syntax.expected("RIGHT_BRACKET"));
      return { kind: "star", place: token };
    }
    const index = this.expression();
    this.#cursor.expectSymbol("]", syntax.expected("RIGHT_BRACKET"));
    if (simple && index.kind !== "number" && index.kind !== "string") {
      throw notWellFormed(syntax.bracketComponent);
    }
    return { kind: "element", index };
  }

  #term(): Expression {
    const { token } = this.#cursor;
    switch (token.kind) {
      case "name":
      case "quoted":
        this.#cursor.advance();
        return this.#cursor.isSymbol("(") ? this.#call(token) : nameOf(token);
      case "string":
      case "number":
        this.#cursor.advance();
        return { kind: token.kind, text: token.text, place: token };
      case "parameter":
        this.#cursor.advance();
        this.#parameters += 1;
        return { kind: "parameter", at: this.#parameters - 1, place: token };
      case "keyword":
        return this.#keyword(token);
      case "symbol":
        return this.#group(token);
      case "end":
        throw notWellFormed(syntax.term);
    }
  }

  #keyword(token: Token): Expression {
    const { text } = token;
    switch (text) {
      case "true":
      case "false":
        this.#cursor.advance();
        return { kind: "boolean", value: text === "true", place: token };
      case "null":
      case "missing":
        this.#cursor.advance();
        return { kind: text, place: token };
    }
    if (functionWords.has(text) && this.#cursor.next.text === "(") {
      this.#cursor.advance();
      return this.#call(token);
    }
    const statement = this.#nested(() => this.#statement(token));
    if (statement !== undefined) return statement;
    throw notWellFormed(operatorWords.has(text) ? syntax.operator : syntax.keyword);
  }

  #call(name: Token): Expression {
    this.#cursor.advance();
    const text = name.text.toLowerCase();
    const call = (operands: readonly Expression[]): Expression => ({
      kind: "call",
      name: text,
      operands,
      place: name,
    });
    if (this.#cursor.acceptSymbol(")")) {
      if (aggregates.has(text)) throw notWellFormed(syntax.aggregate);
      return call([]);
    }
    if (this.#cursor.acceptSymbol("*")) {
      if (text !== "count") throw notWellFormed(syntax.callWithStar(text));
      this.#cursor.expectSymbol(")", syntax.expected("RIGHT_PAREN"));
      return call([]);
    }
    return call(this.#elements(")", "RIGHT_PAREN"));
  }

  #group(token: Token): Expression {
    switch (token.text) {
      case "(": {
        this.#cursor.advance();
        const elements = this.#elements(")", "RIGHT_PAREN");
        const [first] = elements;
        return elements.length === 1 && first !== undefined
          ? first
          : { kind: "list", elements, place: token };
      }
      case "[":
        this.#cursor.advance();
        return { kind: "list", elements: this.#optional("]", "RIGHT_BRACKET"), place: token };
      case "<<": {
        this.#cursor.advance();
        const elements = this.#optional(">>", "RIGHT_DOUBLE_ANGLE_BRACKET");
        return { kind: "bag", elements, place: token };
      }
      case "{":
        this.#cursor.advance();
        return { kind: "struct", members: this.#members(), place: token };
    }
    const isOperator = Object.hasOwn(precedences, token.text) && token.text !== "*";
    throw notWellFormed(isOperator || token.text === "@" ? syntax.operator : syntax.term);
  }

  /** At least one, up to the closing symbol. */
  #elements(close: string, name: string): readonly Expression[] {
    const elements = [this.expression()];
    while (this.#cursor.acceptSymbol(",")) elements.push(this.expression());
    this.#cursor.expectSymbol(close, syntax.expected(name));
    return elements;
  }

  #optional(close: string, name: string): readonly Expression[] {
    return this.#cursor.acceptSymbol(close) ? [] : this.#elements(close, name);
  }

  #members(): readonly (readonly [Expression, Expression])[] {
    const members: (readonly [Expression, Expression])[] = [];
    if (this.#cursor.acceptSymbol("}")) return members;
    do {
      const name = this.expression();
      this.#cursor.expectSymbol(":", syntax.expected("COLON"));
      members.push([name, this.expression()]);
    } while (this.#cursor.acceptSymbol(","));
    this.#cursor.expectSymbol("}", syntax.expected("RIGHT_CURLY"));
    return members;
  }
}

function precedenceOf(infix: Infix): number {
  if (infix === "is") return equality;
  return infix === "between" ? comparison : precedences[infix];
}

function nameOf(token: Token): Expression {
  return { kind: "name", name: token.text, place: token };
}

/** A number literal takes the sign before it. */
function signed(op: "+" | "-", operand: Expression): Expression | undefined {
  if (operand.kind !== "number") return undefined;
  if (op === "+") return operand;
  const text = operand.text.startsWith("-") ? operand.text.slice(1) : `-${operand.text}`;
  return { ...operand, text };
}
