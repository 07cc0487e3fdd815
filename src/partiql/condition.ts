import { functionMisused, wrongOperandCount, wrongOperandType } from "../api/errors/expression.ts";
import { unrecognizedFunction, unsupportedOperation } from "../api/errors/statement.ts";
import type { ConditionSyntax } from "../expressions/condition-parser.ts";
import { resolveCondition } from "../expressions/condition-resolve.ts";
import type { CallSyntax as CallOperand, OperandSyntax } from "../expressions/parser.ts";
import type { Comparator, Condition } from "../expressions/tree.ts";
import { Constants } from "./constants.ts";
import { isValue, nodeName, type Parameters, valueFrom } from "./literal.ts";
import { isPath, pathOf } from "./path.ts";
import type { CallSyntax, Expression } from "./syntax.ts";
import { attributeTypeOf } from "./type-names.ts";

/** The WHERE of a statement as the condition that an expression would be. */
export function conditionOf(expression: Expression, parameters: Parameters): Condition {
  const constants = new Constants();
  const syntax = new ConditionCompiler(constants, parameters).condition(expression);
  return resolveCondition(syntax, constants.placeholders, "Statement");
}

const conditionFunctions: ReadonlySet<string> = new Set([
  "attribute_exists",
  "attribute_not_exists",
  "attribute_type",
  "begins_with",
  "contains",
]);

const copiesMax = 8;

const comparators: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);

/** True or false, and not an operand. */
function isCondition(expression: Expression): boolean {
  switch (expression.kind) {
    case "between":
    case "is":
      return true;
    case "unary":
      return expression.op === "not";
    case "call":
      return conditionFunctions.has(expression.name);
    case "binary":
      return (
        expression.op === "and" ||
        expression.op === "or" ||
        expression.op === "in" ||
        comparators.has(expression.op)
      );
    default:
      return false;
  }
}

class ConditionCompiler {
  readonly #constants: Constants;
  readonly #parameters: Parameters;
  #copies = 0;

  constructor(constants: Constants, parameters: Parameters) {
    this.#constants = constants;
    this.#parameters = parameters;
  }

  condition(expression: Expression): ConditionSyntax {
    switch (expression.kind) {
      case "unary":
        if (expression.op !== "not") break;
        return { kind: "not", inner: this.condition(expression.operand) };
      case "binary":
        return this.#binary(expression);
      case "between":
        return this.#between(expression);
      case "is":
        return this.#is(expression);
      case "call":
        return this.#call(expression);
    }
    throw unsupportedOperation(nodeName(expression));
  }

  #binary(expression: Expression & { kind: "binary" }): ConditionSyntax {
    const { op, left, right } = expression;
    switch (op) {
      case "and":
      case "or":
        return { kind: op, left: this.condition(left), right: this.condition(right) };
      case "in":
        return this.#in(left, right);
      case "=":
      case "<>":
      case "<":
      case "<=":
      case ">":
      case ">=":
        return this.#compare(op, left, right);
      default:
        throw unsupportedOperation(nodeName(expression));
    }
  }

  #compare(op: Comparator, left: Expression, right: Expression): ConditionSyntax {
    if (!isCondition(left) && !isCondition(right)) {
      return { kind: "compare", op, left: this.#operand(left), right: this.#operand(right) };
    }
    if (op !== "=" && op !== "<>") throw wrongOperandType("Statement", op, "BOOL");
    const [one, two] = isCondition(left) ? [left, right] : [right, left];
    const equal = this.#truthIs(this.condition(one), two);
    return op === "=" ? equal : { kind: "not", inner: equal };
  }

  /** A condition has no place among operands: that it equals something is said with AND, OR and NOT. */
  #truthIs(truth: ConditionSyntax, other: Expression): ConditionSyntax {
    const untrue: ConditionSyntax = { kind: "not", inner: truth };
    if (isCondition(other)) {
      const condition = this.condition(other);
      this.#countCopy();
      return either(both(truth, condition), both(untrue, { kind: "not", inner: condition }));
    }
    const operand = this.#operand(other);
    if (operand.kind === "placeholder") {
      const value = this.#constants.of(operand);
      if ("BOOL" in value) return value.BOOL ? truth : untrue;
      return this.#equals(this.#constants.value({ BOOL: true }), false);
    }
    this.#countCopy();
    return either(
      both(truth, this.#equals(operand, true)),
      both(untrue, this.#equals(operand, false)),
    );
  }

  #equals(left: OperandSyntax, value: boolean): ConditionSyntax {
    return { kind: "compare", op: "=", left, right: this.#constants.value({ BOOL: value }) };
  }

  /** What is said twice doubles what stands in it: a few times is enough for anybody. */
  #countCopy(): void {
    this.#copies += 1;
    if (this.#copies > copiesMax) throw unsupportedOperation("Eq");
  }

  #in(subject: Expression, list: Expression): ConditionSyntax {
    if (list.kind !== "list") throw unsupportedOperation("InCollection");
    const [first, ...rest] = list.elements;
    if (first === undefined) throw wrongOperandCount("Statement", "IN", 1);
    if (isCondition(subject)) {
      const truth = this.condition(subject);
      return rest.reduce(
        (any, candidate) => either(any, this.#truthIs(truth, candidate)),
        this.#truthIs(truth, first),
      );
    }
    const candidates = list.elements.map((candidate) => this.#operand(candidate));
    return { kind: "in", subject: this.#operand(subject), candidates };
  }

  #between({ subject, low, high }: Expression & { kind: "between" }): ConditionSyntax {
    if ([subject, low, high].some(isCondition)) {
      throw wrongOperandType("Statement", "BETWEEN", "BOOL");
    }
    return {
      kind: "between",
      subject: this.#operand(subject),
      low: this.#operand(low),
      high: this.#operand(high),
    };
  }

  /** Only MISSING is about whether there is an attribute; NULL is a type like others. */
  #is({ subject, type }: Expression & { kind: "is" }): ConditionSyntax {
    const operand = this.#operand(subject);
    if (type === "missing") return call("attribute_not_exists", [operand]);
    const name = attributeTypeOf(type);
    if (name === undefined) throw unsupportedOperation("IsType");
    return call("attribute_type", [operand, this.#constants.value({ S: name })]);
  }

  #call({ name, operands, place }: CallSyntax): ConditionSyntax {
    if (name === "size") throw functionMisused("Statement", name);
    if (!conditionFunctions.has(name)) throw unrecognizedFunction(name, place);
    return call(
      name,
      operands.map((operand) => this.#operand(operand)),
    );
  }

  #operand(expression: Expression): OperandSyntax {
    if (isPath(expression)) return this.#constants.path(pathOf(expression));
    if (isValue(expression)) {
      return this.#constants.value(valueFrom(expression, this.#parameters));
    }
    if (expression.kind !== "call") throw unsupportedOperation(nodeName(expression));
    const { name, operands, place } = expression;
    if (conditionFunctions.has(name)) throw functionMisused("Statement", name);
    if (name !== "size") throw unrecognizedFunction(name, place);
    return call(
      name,
      operands.map((operand) => {
        if (operand.kind === "call") throw functionMisused("Statement", operand.name);
        return this.#operand(operand);
      }),
    );
  }
}

function call(name: string, operands: readonly OperandSyntax[]): CallOperand {
  return { kind: "call", name, operands, start: 0 };
}

function both(left: ConditionSyntax, right: ConditionSyntax): ConditionSyntax {
  return { kind: "and", left, right };
}

function either(left: ConditionSyntax, right: ConditionSyntax): ConditionSyntax {
  return { kind: "or", left, right };
}
