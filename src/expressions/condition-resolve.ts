import {
  anyAttributeType,
  betweenBoundsReversed,
  betweenTypesDiffer,
  type ExpressionKind,
  invalidTypeName,
  operandsNotDistinct,
  pathRequired,
  tooManyInOperands,
  wrongOperandCount,
  wrongOperandType,
} from "../api/errors/expression.ts";
import { inOperandsMax } from "../api/limits.ts";
import { assert } from "../base/assert.ts";
import { type AttributeType, type AttributeValue, typeOf } from "../item/attribute-value.ts";
import { compareValues } from "../item/compare.ts";
import { type ComparisonSyntax, type ConditionSyntax, parseCondition } from "./condition-parser.ts";
import { foldLogical } from "./logical-tree.ts";
import { type CallSyntax, type OperandSyntax, type Placeholders, resolvePath } from "./parser.ts";
import type { Comparison, Condition, Operand, Path } from "./tree.ts";

/** Both phases in one. */
export function compileCondition(
  kind: ExpressionKind,
  text: string,
  placeholders: Placeholders,
): Condition {
  return resolveCondition(parseCondition(kind, text), placeholders, kind);
}

/**
 * The second phase. Comparisons and functions are judged one after the other, as written. Within one:
 * names and values that are not defined, then the number of operands, operands that must differ, and
 * last the types of constants.
 */
export function resolveCondition(
  syntax: ConditionSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): Condition {
  const resolver = new ConditionResolver(placeholders, kind);
  return foldLogical<ComparisonSyntax, Condition>(syntax, {
    leaf: (comparison) => resolver.comparison(comparison),
    not: (inner) => ({ kind: "not", inner }),
    join: (operator, left, right) => ({ kind: operator, left, right }),
  });
}

/** An operand with names and values put in; a call still has its operands unjudged. */
type Named = Exclude<Operand, { kind: "size" }> | NamedCall;

interface NamedCall {
  readonly kind: "call";
  readonly name: string;
  readonly operands: readonly Named[];
}

class ConditionResolver {
  readonly #placeholders: Placeholders;
  readonly #kind: ExpressionKind;

  constructor(placeholders: Placeholders, kind: ExpressionKind) {
    this.#placeholders = placeholders;
    this.#kind = kind;
  }

  comparison(syntax: ComparisonSyntax): Comparison {
    switch (syntax.kind) {
      case "compare":
        return this.#compare(syntax);
      case "between":
        return this.#between(syntax);
      case "in":
        return this.#in(syntax);
      case "call":
        return this.#function(syntax);
    }
  }

  #compare({ op, left, right }: ComparisonSyntax & { kind: "compare" }): Comparison {
    const named = [this.#name(left), this.#name(right)];
    for (const operand of named) this.#checkCounts(operand);
    this.#checkDistinct(op, named);
    const [one, two] = named.map((operand) => this.#operand(operand)) as [Operand, Operand];
    if (op !== "=" && op !== "<>") {
      this.#checkOrdered(op, one);
      this.#checkOrdered(op, two);
    }
    return { kind: "compare", op, left: one, right: two };
  }

  #between(syntax: ComparisonSyntax & { kind: "between" }): Comparison {
    const named = [syntax.subject, syntax.low, syntax.high].map((operand) => this.#name(operand));
    for (const operand of named) this.#checkCounts(operand);
    this.#checkDistinct("BETWEEN", named);
    const operands = named.map((operand) => this.#operand(operand));
    for (const operand of operands) this.#checkOrdered("BETWEEN", operand);
    const [subject, low, high] = operands as [Operand, Operand, Operand];
    if (low.kind === "value" && high.kind === "value") this.#checkBounds(low.value, high.value);
    return { kind: "between", subject, low, high };
  }

  #checkBounds(low: AttributeValue, high: AttributeValue): void {
    const order = compareValues(low, high);
    if (order === undefined) throw betweenTypesDiffer(this.#kind, low, high);
    if (order > 0) throw betweenBoundsReversed(this.#kind, low, high);
  }

  #in({ subject, candidates }: ComparisonSyntax & { kind: "in" }): Comparison {
    const named = [subject, ...candidates].map((operand) => this.#name(operand));
    for (const operand of named) this.#checkCounts(operand);
    // Of a statement only the list is counted.
    const count = this.#kind === "Statement" ? candidates.length : named.length;
    if (count > inOperandsMax) throw tooManyInOperands(this.#kind, count);
    this.#checkDistinct("IN", named);
    const [first, ...rest] = named.map((operand) => this.#operand(operand));
    return { kind: "in", subject: first as Operand, candidates: rest };
  }

  #function(syntax: CallSyntax): Comparison {
    const call = this.#name(syntax) as NamedCall;
    this.#checkCounts(call);
    this.#checkDistinct(call.name, call.operands);
    const [first, second] = call.operands.map((operand) => this.#operand(operand));
    assert(first !== undefined, "a function without operands");
    switch (call.name) {
      case "attribute_exists":
      case "attribute_not_exists":
        return { kind: call.name, path: this.#path(call.name, first) };
      case "attribute_type":
        return { kind: "attribute_type", subject: first, type: this.#typeName(second as Operand) };
      case "begins_with":
        this.#checkPrefixable(first);
        this.#checkPrefixable(second as Operand);
        return { kind: "begins_with", subject: first, prefix: second as Operand };
      default:
        assert(call.name === "contains", "a function that the parser should have refused");
        return { kind: "contains", subject: first, member: second as Operand };
    }
  }

  /** Names and values put in; undefined ones are an error. Calls can nest deeply: see `Parser.operand`. */
  #name(operand: OperandSyntax): Named {
    const open: { readonly syntax: CallSyntax; readonly operands: Named[] }[] = [];
    for (let next = operand; ; ) {
      if (next.kind === "call") {
        open.push({ syntax: next, operands: [] });
      } else {
        const named = this.#nameBare(next);
        const call = open.at(-1);
        if (call === undefined) return named;
        call.operands.push(named);
      }
      for (;;) {
        const call = open.at(-1) as (typeof open)[number];
        const following = call.syntax.operands[call.operands.length];
        if (following !== undefined) {
          next = following;
          break;
        }
        open.pop();
        const named: Named = { kind: "call", name: call.syntax.name, operands: call.operands };
        const outer = open.at(-1);
        if (outer === undefined) return named;
        outer.operands.push(named);
      }
    }
  }

  #nameBare(operand: Exclude<OperandSyntax, CallSyntax>): Named {
    if (operand.kind === "path") return resolvePath(operand, this.#placeholders, this.#kind);
    const value = this.#placeholders.value(this.#kind, operand.name);
    return { kind: "value", value, placeholder: operand.name };
  }

  /** Inner calls before the call that they are an operand of, and those before them first. */
  #checkCounts(operand: Named): void {
    if (operand.kind !== "call") return;
    const calls: NamedCall[] = [];
    const waiting: Named[] = [operand];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.kind !== "call") continue;
      calls.push(next);
      for (const inner of next.operands) waiting.push(inner);
    }
    for (const { name, operands } of calls.reverse()) {
      const count = operands.length;
      if (count !== functionOperands[name]) throw wrongOperandCount(this.#kind, name, count);
    }
  }

  #checkDistinct(operator: string, [first, ...rest]: readonly Named[]): void {
    if (first === undefined || first.kind !== "path") return;
    for (const other of rest) {
      if (other.kind === "path" && samePath(first, other)) {
        throw operandsNotDistinct(this.#kind, operator, first.steps);
      }
    }
  }

  /** The only call that can be an operand is `size`. */
  #operand(named: Named): Operand {
    if (named.kind !== "call") return named;
    let of = named.operands[0] as Named;
    let isNested = false;
    while (of.kind === "call") {
      isNested = true;
      of = of.operands[0] as Named;
    }
    const type = constantType(of);
    if (type === "N" || type === "BOOL" || type === "NULL") {
      throw wrongOperandType(this.#kind, "size", type);
    }
    // A size is a number, which has no size.
    if (isNested) throw wrongOperandType(this.#kind, "size", "N");
    return { kind: "size", of };
  }

  #path(name: string, operand: Operand): Path {
    if (operand.kind !== "path") throw pathRequired(this.#kind, name);
    return operand;
  }

  #typeName(operand: Operand): Operand {
    if (operand.kind !== "value") {
      const type = operand.kind === "size" ? "N" : anyAttributeType;
      throw wrongOperandType(this.#kind, "attribute_type", type);
    }
    const { value } = operand;
    if (!("S" in value)) throw wrongOperandType(this.#kind, "attribute_type", typeOf(value));
    if (!typeNames.has(value.S)) throw invalidTypeName(this.#kind, value.S);
    return operand;
  }

  #checkPrefixable(operand: Operand): void {
    const type = constantType(operand);
    if (type !== undefined && type !== "S" && type !== "B") {
      throw wrongOperandType(this.#kind, "begins_with", type);
    }
  }

  #checkOrdered(operator: string, operand: Operand): void {
    const type = constantType(operand);
    if (type !== undefined && type !== "S" && type !== "N" && type !== "B") {
      throw wrongOperandType(this.#kind, operator, type);
    }
  }
}

const functionOperands: Readonly<Record<string, number>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
  size: 1,
};

const typeNames: ReadonlySet<string> = new Set<AttributeType>([
  "S",
  "N",
  "B",
  "SS",
  "NS",
  "BS",
  "BOOL",
  "NULL",
  "L",
  "M",
]);

/** The type of an operand that does not depend on an item. */
function constantType(operand: Operand): AttributeType | undefined {
  if (operand.kind === "value") return typeOf(operand.value);
  return operand.kind === "size" ? "N" : undefined;
}

function samePath(one: Path, two: Path): boolean {
  if (one.steps.length !== two.steps.length) return false;
  return one.steps.every((step, index) => step === two.steps[index]);
}
