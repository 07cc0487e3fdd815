import type { TokenPlace } from "../api/errors/statement.ts";

/**
 * What the parser makes of a text: names and operators as written, with the places of tokens that
 * complaints point at. It depends on the text alone, so it can be kept.
 */
export type Expression =
  | { readonly kind: "string"; readonly text: string; readonly place: TokenPlace }
  | { readonly kind: "number"; readonly text: string; readonly place: TokenPlace }
  | { readonly kind: "boolean"; readonly value: boolean; readonly place: TokenPlace }
  | { readonly kind: "null" | "missing"; readonly place: TokenPlace }
  /** The nth `?`, counted from 0. */
  | { readonly kind: "parameter"; readonly at: number; readonly place: TokenPlace }
  | NameSyntax
  | PathSyntax
  | CallSyntax
  | {
      readonly kind: "list" | "bag";
      readonly elements: readonly Expression[];
      readonly place: TokenPlace;
    }
  | {
      readonly kind: "struct";
      readonly members: readonly (readonly [Expression, Expression])[];
      readonly place: TokenPlace;
    }
  | {
      readonly kind: "unary";
      readonly op: "not" | "+" | "-";
      readonly operand: Expression;
      readonly place: TokenPlace;
    }
  | {
      readonly kind: "binary";
      readonly op: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly place: TokenPlace;
    }
  | {
      readonly kind: "between";
      readonly subject: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly place: TokenPlace;
    }
  | {
      readonly kind: "is";
      readonly subject: Expression;
      readonly type: string;
      readonly place: TokenPlace;
    }
  | SelectSyntax
  | InsertSyntax
  | ChangeSyntax;

export type BinaryOperator =
  | "or"
  | "and"
  | "="
  | "<>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "like"
  | "+"
  | "-"
  | "||"
  | "*"
  | "/"
  | "%";

export interface NameSyntax {
  readonly kind: "name";
  readonly name: string;
  readonly place: TokenPlace;
}

export type PathStep =
  | { readonly kind: "member"; readonly name: string; readonly place: TokenPlace }
  | { readonly kind: "element"; readonly index: Expression }
  | { readonly kind: "star"; readonly place: TokenPlace };

export interface PathSyntax {
  readonly kind: "path";
  readonly root: Expression;
  readonly steps: readonly PathStep[];
  readonly place: TokenPlace;
}

export interface CallSyntax {
  readonly kind: "call";
  /** In small letters. */
  readonly name: string;
  readonly operands: readonly Expression[];
  readonly place: TokenPlace;
}

/** A table, or what stands where one should. */
export interface SourceSyntax {
  readonly expression: Expression;
  readonly aliased: boolean;
  /** More than one source. */
  readonly joined: boolean;
}

export interface SelectSyntax {
  readonly kind: "select";
  /** Undefined: all. */
  readonly columns: readonly ColumnSyntax[] | undefined;
  readonly from: SourceSyntax;
  readonly where: Expression | undefined;
  readonly order: readonly OrderSyntax[];
  /** Clauses that are read but never carried out: LIMIT, GROUP BY and so on. */
  readonly unsupported: readonly { readonly clause: string; readonly place: TokenPlace }[];
  readonly place: TokenPlace;
}

export interface ColumnSyntax {
  readonly expression: Expression;
  readonly aliased: boolean;
}

export interface OrderSyntax {
  readonly expression: Expression;
  readonly descending: boolean;
}

export interface InsertSyntax {
  readonly kind: "insert";
  readonly into: Expression;
  readonly value: Expression;
  readonly place: TokenPlace;
}

/** UPDATE, DELETE and the form of UPDATE that begins with FROM. */
export interface ChangeSyntax {
  readonly kind: "update" | "delete";
  readonly from: SourceSyntax;
  readonly clauses: readonly ClauseSyntax[];
  readonly where: Expression | undefined;
  readonly returning: Returning | undefined;
  readonly place: TokenPlace;
}

export type ClauseSyntax =
  | { readonly kind: "set"; readonly target: Expression; readonly value: Expression }
  | { readonly kind: "remove"; readonly target: Expression };

export type Returning = "ALL OLD" | "ALL NEW" | "MODIFIED OLD" | "MODIFIED NEW";
