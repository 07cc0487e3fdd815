import { functionMisused, wrongOperandCount, wrongOperandType } from "../api/errors/expression.ts";
import { unrecognizedFunction, unsupportedOperation } from "../api/errors/statement.ts";
import { statementConditionCopiesMax, statementConditionNodesMax } from "../api/limits.ts";
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

/** A condition, with the number of its comparisons and operators. */
interface Built {
  readonly syntax: ConditionSyntax;
  readonly nodes: number;
}

/**
 * Translates a condition without recursion: a chain of comparisons nests as deeply as it is long. The
 * steps that are still to be done are kept in a list, the next one last; each takes its operands from
 * the end of `#built` and puts its result there.
 */
class ConditionCompiler {
  readonly #constants: Constants;
  readonly #parameters: Parameters;
  readonly #steps: (() => void)[] = [];
  readonly #built: Built[] = [];
  #copies = 0;

  constructor(constants: Constants, parameters: Parameters) {
    this.#constants = constants;
    this.#parameters = parameters;
  }

  condition(root: Expression): ConditionSyntax {
    this.#next([() => this.#translate(root)]);
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) step();
    return this.#take().syntax;
  }

  /** These steps come before all that are waiting, in this order. */
  #next(steps: readonly (() => void)[]): void {
    for (let at = steps.length - 1; at >= 0; at--) this.#steps.push(steps[at] as () => void);
  }

  #take(): Built {
    return this.#built.pop() as Built;
  }

  #put(built: Built): void {
    if (built.nodes > statementConditionNodesMax) throw unsupportedOperation("Eq");
    this.#built.push(built);
  }

  /** Puts the expression's condition to the others, at once or in steps that come next. */
  #translate(expression: Expression): void {
    switch (expression.kind) {
      case "unary": {
        const { op, operand } = expression;
        if (op !== "not") break;
        this.#next([() => this.#translate(operand), () => this.#put(negated(this.#take()))]);
        return;
      }
      case "binary":
        this.#binary(expression);
        return;
      case "between":
        this.#put(leaf(this.#between(expression)));
        return;
      case "is":
        this.#put(leaf(this.#is(expression)));
        return;
      case "call":
        this.#put(leaf(this.#call(expression)));
        return;
    }
    throw unsupportedOperation(nodeName(expression));
  }

  #binary(expression: Expression & { kind: "binary" }): void {
    const { op, left, right } = expression;
    switch (op) {
      case "and":
      case "or":
        this.#next([
          () => this.#translate(left),
          () => this.#translate(right),
          () => {
            const second = this.#take();
            this.#put(joined(op, this.#take(), second));
          },
        ]);
        return;
      case "in":
        this.#in(left, right);
        return;
      case "=":
      case "<>":
      case "<":
      case "<=":
      case ">":
      case ">=":
        this.#compare(op, left, right);
        return;
      default:
        throw unsupportedOperation(nodeName(expression));
    }
  }

  #compare(op: Comparator, left: Expression, right: Expression): void {
    if (!isCondition(left) && !isCondition(right)) {
      const operands = { left: this.#operand(left), right: this.#operand(right) };
      this.#put(leaf({ kind: "compare", op, ...operands }));
      return;
    }
    if (op !== "=" && op !== "<>") throw wrongOperandType("Statement", op, "BOOL");
    const [one, two] = isCondition(left) ? [left, right] : [right, left];
    this.#next([
      () => this.#translate(one),
      () => this.#truthIs(this.#take(), two),
      () => {
        const equal = this.#take();
        this.#put(op === "=" ? equal : negated(equal));
      },
    ]);
  }

  /** A condition has no place among operands: that it equals something is said with AND, OR and NOT. */
  #truthIs(truth: Built, other: Expression): void {
    const untrue = negated(truth);
    if (isCondition(other)) {
      this.#next([
        () => this.#translate(other),
        () => {
          const condition = this.#take();
          this.#countCopy();
          this.#put(
            joined(
              "or",
              joined("and", truth, condition),
              joined("and", untrue, negated(condition)),
            ),
          );
        },
      ]);
      return;
    }
    const operand = this.#operand(other);
    if (operand.kind === "placeholder") {
      const value = this.#constants.of(operand);
      if ("BOOL" in value) this.#put(value.BOOL ? truth : untrue);
      else this.#put(this.#equals(this.#constants.value({ BOOL: true }), false));
      return;
    }
    this.#countCopy();
    this.#put(
      joined(
        "or",
        joined("and", truth, this.#equals(operand, true)),
        joined("and", untrue, this.#equals(operand, false)),
      ),
    );
  }

  #equals(left: OperandSyntax, value: boolean): Built {
    const right = this.#constants.value({ BOOL: value });
    return leaf({ kind: "compare", op: "=", left, right });
  }

  /** Each copy can double the condition, so the number of copies is limited. */
  #countCopy(): void {
    this.#copies += 1;
    if (this.#copies > statementConditionCopiesMax) throw unsupportedOperation("Eq");
  }

  #in(subject: Expression, list: Expression): void {
    if (list.kind !== "list") throw unsupportedOperation("InCollection");
    const { elements } = list;
    if (elements.length === 0) throw wrongOperandCount("Statement", "IN", 1);
    if (!isCondition(subject)) {
      const candidates = elements.map((candidate) => this.#operand(candidate));
      this.#put(leaf({ kind: "in", subject: this.#operand(subject), candidates }));
      return;
    }
    this.#next([() => this.#translate(subject), () => this.#truthIsIn(this.#take(), elements)]);
  }

  #truthIsIn(truth: Built, candidates: readonly Expression[]): void {
    this.#next(
      candidates.flatMap((candidate, at) => {
        const test = () => this.#truthIs(truth, candidate);
        if (at === 0) return [test];
        const join = () => {
          const second = this.#take();
          this.#put(joined("or", this.#take(), second));
        };
        return [test, join];
      }),
    );
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

function leaf(syntax: ConditionSyntax): Built {
  return { syntax, nodes: 1 };
}

function negated({ syntax, nodes }: Built): Built {
  return { syntax: { kind: "not", inner: syntax }, nodes: nodes + 1 };
}

function joined(kind: "and" | "or", left: Built, right: Built): Built {
  return {
    syntax: { kind, left: left.syntax, right: right.syntax },
    nodes: left.nodes + right.nodes + 1,
  };
}
