import {
  functionMisused,
  functionNotAllowed,
  invalidFunctionName,
  repeatedSection,
  tooManyOperators,
  type UpdateSection,
} from "../api/errors/expression.ts";
import type { ServiceError } from "../api/errors/service-error.ts";
import { expressionOperatorsMax } from "../api/limits.ts";
import { BoundedCache } from "../base/bounded-cache.ts";
import {
  type CallSyntax,
  type OperandSyntax,
  type Parser,
  type PlaceholderSyntax,
  parseText,
} from "./parser.ts";
import type { Path } from "./tree.ts";

const kind = "UpdateExpression";

export interface ArithmeticSyntax {
  readonly kind: "arithmetic";
  readonly operator: "+" | "-";
  readonly left: OperandSyntax;
  readonly right: OperandSyntax;
}

export type ValueSyntax = OperandSyntax | ArithmeticSyntax;

export type ActionSyntax =
  | { readonly kind: "set"; readonly path: Path; readonly value: ValueSyntax }
  | { readonly kind: "remove"; readonly path: Path }
  | { readonly kind: "add" | "delete"; readonly path: Path; readonly value: PlaceholderSyntax };

export interface UpdateSyntax {
  readonly actions: readonly ActionSyntax[];
}

const cache = new BoundedCache<UpdateSyntax>();

/** The first phase: everything that the text alone decides. */
export function parseUpdate(text: string): UpdateSyntax {
  return parseText(kind, text, cache, (parser) => new UpdateParser(parser).update());
}

const conditionFunctions: ReadonlySet<string> = new Set([
  "attribute_exists",
  "attribute_not_exists",
  "attribute_type",
  "begins_with",
  "contains",
  "size",
]);

/**
 * Reads an update by its grammar. A text that is well formed is then judged in stages: reserved
 * words, functions, sections; the first problem of the first stage that has one is reported.
 */
class UpdateParser {
  readonly #parser: Parser;
  readonly #actions: ActionSyntax[] = [];
  readonly #sections = new Set<UpdateSection>();
  #functionUnknown: ServiceError | undefined;
  #functionMisused: ServiceError | undefined;
  #sectionRepeated: ServiceError | undefined;
  #operators = 0;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Update = Section { Section } */
  update(): UpdateSyntax {
    do this.#section();
    while (this.#parser.token.kind !== "end");
    this.#parser.finish();
    const problem = this.#functionUnknown ?? this.#functionMisused ?? this.#sectionRepeated;
    if (problem !== undefined) throw problem;
    return { actions: this.#actions };
  }

  /** Section = ( "SET" | "REMOVE" | "ADD" | "DELETE" ) Action { "," Action } */
  #section(): void {
    const section = this.#parser.token.symbol;
    if (section !== "SET" && section !== "REMOVE" && section !== "ADD" && section !== "DELETE") {
      this.#parser.fail();
    }
    this.#parser.advance();
    if (this.#sections.has(section)) this.#sectionRepeated ??= repeatedSection(section);
    this.#sections.add(section);
    do this.#actions.push(this.#action(section));
    while (this.#parser.accept(","));
  }

  #action(section: UpdateSection): ActionSyntax {
    switch (section) {
      case "SET":
        return this.#set();
      case "REMOVE":
        return { kind: "remove", path: this.#parser.path() };
      case "ADD":
        return this.#change("add");
      case "DELETE":
        return this.#change("delete");
    }
  }

  /** SetAction = Path "=" Value */
  #set(): ActionSyntax {
    const path = this.#parser.path();
    this.#parser.expect("=");
    return { kind: "set", path, value: this.#value() };
  }

  /** AddAction = DeleteAction = Path Placeholder */
  #change(action: "add" | "delete"): ActionSyntax {
    const path = this.#parser.path();
    return { kind: action, path, value: this.#parser.placeholder() };
  }

  /** Value = Sum | "(" Value ")" ; Sum = Operand [ ( "+" | "-" ) Operand ] */
  #value(): ValueSyntax {
    let open = 0;
    while (this.#parser.accept("(")) open++;
    let value = this.#sum(this.#bareOperand(false));
    for (; open > 0; open--) {
      this.#parser.expect(")");
      // What stood in the parentheses may have been an operand only, and the sum is still to come.
      if (value.kind !== "arithmetic") value = this.#sum(value);
    }
    return value;
  }

  #sum(left: OperandSyntax): ValueSyntax {
    if (!this.#parser.is("+") && !this.#parser.is("-")) return left;
    if (left.kind === "call") this.#checkNested(left);
    const operator = this.#parser.advance().symbol === "+" ? "+" : "-";
    this.#countOperator();
    return { kind: "arithmetic", operator, left, right: this.#operand() };
  }

  /** Operand = "(" Operand ")" | Placeholder | Call | Path, as part of something larger. */
  #operand(): OperandSyntax {
    let open = 0;
    while (this.#parser.accept("(")) open++;
    const operand = this.#bareOperand(true);
    for (; open > 0; open--) this.#parser.expect(")");
    return operand;
  }

  #bareOperand(nested: boolean): OperandSyntax {
    const { token, next } = this.#parser;
    if (token.kind === "value-placeholder") return this.#parser.placeholder();
    if (token.kind !== "name" || next.symbol !== "(") return this.#parser.path();
    const call = this.#call();
    if (nested) this.#checkNested(call);
    return call;
  }

  /** Call = name "(" Operand { "," Operand } ")". Calls nest no deeper than there may be operators. */
  #call(): CallSyntax {
    const { text: name, start } = this.#parser.advance();
    this.#checkFunction(name);
    this.#countOperator();
    this.#parser.expect("(");
    const operands: OperandSyntax[] = [];
    do operands.push(this.#operand());
    while (this.#parser.accept(","));
    this.#parser.expect(")");
    return { kind: "call", name, operands, start };
  }

  /** Arithmetic and, unlike in conditions, functions; the `=` of a SET is none. */
  #countOperator(): void {
    this.#operators++;
    if (this.#operators > expressionOperatorsMax) throw tooManyOperators(kind, this.#operators);
  }

  #checkFunction(name: string): void {
    if (name === "if_not_exists" || name === "list_append") return;
    this.#functionUnknown ??= conditionFunctions.has(name)
      ? functionNotAllowed(kind, name)
      : invalidFunctionName(kind, name);
  }

  /** The service takes `list_append` only as the whole right-hand side. */
  #checkNested({ name }: CallSyntax): void {
    if (name === "list_append") this.#functionMisused ??= functionMisused(kind, name);
  }
}
