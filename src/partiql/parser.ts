import { notWellFormed, syntax } from "../api/errors/statement.ts";
import { BoundedCache } from "../base/bounded-cache.ts";
import { ExpressionParser } from "./expression-parser.ts";
import type { Token } from "./lexer.ts";
import type {
  ChangeSyntax,
  ClauseSyntax,
  ColumnSyntax,
  Expression,
  InsertSyntax,
  OrderSyntax,
  Returning,
  SelectSyntax,
  SourceSyntax,
} from "./syntax.ts";
import { TokenCursor } from "./token-cursor.ts";

/** What binds looser than this ends the expressions of a SELECT. */
const insideSelect = 6;

const cache = new BoundedCache<Expression>();

/** Statement = Expression [";"]: whether it is one that can be carried out is not judged here. */
export function parseStatement(text: string): Expression {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const parsed = new StatementParser(text).statement();
  cache.set(text, parsed);
  return parsed;
}

class StatementParser {
  readonly #cursor: TokenCursor;
  readonly #expressions: ExpressionParser;

  constructor(text: string) {
    this.#cursor = new TokenCursor(text);
    this.#expressions = new ExpressionParser(this.#cursor, (keyword) => this.#read(keyword));
  }

  statement(): Expression {
    const statement = this.#expressions.expression();
    const semicolon = this.#cursor.acceptSymbol(";");
    if (!this.#cursor.atEnd()) {
      throw notWellFormed(semicolon ? syntax.afterSemicolon : syntax.leftover);
    }
    return statement;
  }

  #read(keyword: Token): Expression | undefined {
    switch (keyword.text) {
      case "select":
        this.#cursor.advance();
        return this.#select(keyword);
      case "insert":
        if (this.#cursor.next.text !== "into") return undefined;
        this.#cursor.advance();
        this.#cursor.advance();
        return this.#insert(keyword);
      case "update":
        this.#cursor.advance();
        return this.#update(keyword);
      case "delete":
        this.#cursor.advance();
        return this.#delete(keyword);
      case "from":
        this.#cursor.advance();
        return this.#fromFirst(keyword);
      default:
        return undefined;
    }
  }

  /** SELECT ( "*" | Column { "," Column } ) FROM Source [ WHERE Expression ] [ ORDER BY … ] */
  #select(place: Token): SelectSyntax {
    const unsupported: { clause: string; place: Token }[] = [];
    for (const clause of ["distinct", "all", "value"]) {
      const { token } = this.#cursor;
      if (!this.#cursor.acceptKeyword(clause)) continue;
      // ALL is what happens anyway.
      if (clause !== "all")
        unsupported.push({ clause: `SELECT ${clause.toUpperCase()}`, place: token });
    }
    const columns = this.#columns();
    this.#cursor.expectKeyword("from", syntax.fromAfterSelect);
    const from = this.#source();
    const where = this.#cursor.acceptKeyword("where")
      ? this.#expressions.expression(insideSelect)
      : undefined;
    const order = this.#order();
    this.#tail(unsupported);
    return { kind: "select", columns, from, where, order, unsupported, place };
  }

  #columns(): readonly ColumnSyntax[] | undefined {
    const columns: ColumnSyntax[] = [];
    let star = false;
    let count = 0;
    do {
      count += 1;
      if (this.#cursor.acceptSymbol("*")) star = true;
      else {
        const expression = this.#expressions.expression();
        columns.push({ expression, aliased: this.#alias() });
      }
    } while (this.#cursor.acceptSymbol(","));
    if (star && count > 1) throw notWellFormed(syntax.starNotAlone);
    return star ? undefined : columns;
  }

  /** AS name, or a name by itself. */
  #alias(): boolean {
    if (this.#cursor.acceptKeyword("as")) {
      if (!this.#cursor.isName()) throw notWellFormed(syntax.alias);
      this.#cursor.advance();
      return true;
    }
    if (!this.#cursor.isName()) return false;
    this.#cursor.advance();
    return true;
  }

  #source(): SourceSyntax {
    const expression = this.#expressions.expression(insideSelect);
    const aliased = this.#alias();
    let joined = false;
    while (this.#joins()) {
      joined = true;
      this.#expressions.expression(insideSelect);
      this.#alias();
      if (this.#cursor.acceptKeyword("on")) this.#expressions.expression(insideSelect);
    }
    return { expression, aliased, joined };
  }

  #joins(): boolean {
    if (this.#cursor.acceptSymbol(",")) return true;
    let any = false;
    for (const word of ["inner", "left", "right", "full", "outer", "cross", "join"]) {
      any = this.#cursor.acceptKeyword(word) || any;
    }
    return any;
  }

  #order(): readonly OrderSyntax[] {
    const order: OrderSyntax[] = [];
    if (!this.#cursor.acceptKeyword("order")) return order;
    this.#cursor.expectKeyword("by", syntax.expected("BY"));
    do {
      const expression = this.#expressions.expression();
      const descending = this.#cursor.acceptKeyword("desc");
      if (!descending) this.#cursor.acceptKeyword("asc");
      order.push({ expression, descending });
    } while (this.#cursor.acceptSymbol(","));
    return order;
  }

  /** The clauses that the language has and the service has not. */
  #tail(unsupported: { clause: string; place: Token }[]): void {
    if (this.#cursor.acceptKeyword("group")) {
      this.#cursor.acceptKeyword("partial");
      this.#cursor.expectKeyword("by", syntax.expected("BY"));
      unsupported.push({ clause: "GROUP BY", place: this.#cursor.token });
      do this.#expressions.expression(insideSelect);
      while (this.#cursor.acceptSymbol(","));
    }
    for (const clause of ["having", "limit"]) {
      if (!this.#cursor.acceptKeyword(clause)) continue;
      unsupported.push({ clause: clause.toUpperCase(), place: this.#cursor.token });
      this.#expressions.expression(insideSelect);
    }
  }

  /** INSERT INTO SimplePath VALUE Expression */
  #insert(place: Token): InsertSyntax {
    const into = this.#expressions.simplePath();
    this.#cursor.acceptKeyword("value");
    return { kind: "insert", into, value: this.#expressions.expression(), place };
  }

  /** UPDATE SimplePath Clause { Clause } [ WHERE … ] [ RETURNING … ] */
  #update(place: Token): ChangeSyntax {
    const from = this.#target();
    const clauses = this.#clauses();
    const where = this.#where();
    return { kind: "update", from, clauses, where, returning: this.#returning(), place };
  }

  /** DELETE FROM SimplePath [ WHERE … ] [ RETURNING … ] */
  #delete(place: Token): ChangeSyntax {
    this.#cursor.expectKeyword("from", syntax.fromAfterDelete);
    const from = this.#target();
    const where = this.#where();
    return { kind: "delete", from, clauses: [], where, returning: this.#returning(), place };
  }

  /** FROM Source [ WHERE … ] Clause { Clause } [ RETURNING … ] */
  #fromFirst(place: Token): ChangeSyntax {
    const from = this.#source();
    const where = this.#where();
    const clauses = this.#clauses();
    return { kind: "update", from, clauses, where, returning: this.#returning(), place };
  }

  #target(): SourceSyntax {
    const expression = this.#expressions.simplePath();
    return { expression, aliased: this.#alias(), joined: false };
  }

  #clauses(): readonly ClauseSyntax[] {
    const clauses: ClauseSyntax[] = [];
    for (;;) {
      if (this.#cursor.acceptKeyword("set")) {
        do clauses.push(this.#assignment());
        while (this.#cursor.acceptSymbol(","));
      } else if (this.#cursor.acceptKeyword("remove")) {
        clauses.push({ kind: "remove", target: this.#expressions.simplePath() });
      } else if (clauses.length > 0) return clauses;
      else throw notWellFormed(syntax.dataManipulation);
    }
  }

  #assignment(): ClauseSyntax {
    const target = this.#expressions.simplePath();
    this.#cursor.expectSymbol("=", syntax.assignment);
    return { kind: "set", target, value: this.#expressions.expression() };
  }

  #where(): Expression | undefined {
    return this.#cursor.acceptKeyword("where") ? this.#expressions.expression() : undefined;
  }

  /** RETURNING ( ALL | MODIFIED ) ( OLD | NEW ) "*" */
  #returning(): Returning | undefined {
    if (!this.#cursor.acceptKeyword("returning")) return undefined;
    const { token, next } = this.#cursor;
    const what = `${token.text} ${next.text}`.toUpperCase();
    if (!/^(ALL|MODIFIED) (OLD|NEW)$/.test(what)) throw notWellFormed(syntax.returning);
    this.#cursor.advance();
    this.#cursor.advance();
    this.#cursor.expectSymbol("*", syntax.returningColumn);
    return what as Returning;
  }
}
