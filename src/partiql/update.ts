import {
  setFunctionCount,
  setFunctionTarget,
  setFunctionValue,
  unrecognizedFunction,
  unsupportedOperation,
} from "../api/errors/statement.ts";
import type { OperandSyntax, PlaceholderSyntax } from "../expressions/parser.ts";
import type { Path, Update } from "../expressions/tree.ts";
import type { ActionSyntax, ValueSyntax } from "../expressions/update-parser.ts";
import { resolveUpdate } from "../expressions/update-resolve.ts";
import { Constants } from "./constants.ts";
import { isValue, nodeName, type Parameters, valueFrom } from "./literal.ts";
import { isPath, pathOf } from "./path.ts";
import type { CallSyntax, ClauseSyntax, Expression } from "./syntax.ts";

/** SET and REMOVE as the update that an expression would be. */
export function updateOf(clauses: readonly ClauseSyntax[], parameters: Parameters): Update {
  const compiler = new UpdateCompiler(parameters);
  const actions = clauses.map((clause) => compiler.action(clause));
  return resolveUpdate({ actions }, compiler.constants.placeholders, "Statement");
}

class UpdateCompiler {
  readonly constants = new Constants();
  readonly #parameters: Parameters;

  constructor(parameters: Parameters) {
    this.#parameters = parameters;
  }

  action(clause: ClauseSyntax): ActionSyntax {
    const path = this.constants.path(pathOf(clause.target));
    if (clause.kind === "remove") return { kind: "remove", path };
    const { value } = clause;
    if (value.kind === "call" && (value.name === "set_add" || value.name === "set_delete")) {
      const kind = value.name === "set_add" ? "add" : "delete";
      return { kind, path, value: this.#members(value, path) };
    }
    return { kind: "set", path, value: this.#value(value) };
  }

  /** The set that `set_add(path, set)` adds to the path that is assigned to. */
  #members({ name, operands, place }: CallSyntax, target: Path): PlaceholderSyntax {
    const shown = name.toUpperCase();
    const [first, second] = operands;
    if (first === undefined || second === undefined || operands.length !== 2) {
      throw setFunctionCount(shown, place);
    }
    if (!isPath(first) || !samePath(pathOf(first), target)) throw setFunctionTarget(shown, place);
    if (!isValue(second)) throw setFunctionValue(shown, first.place);
    const value = valueFrom(second, this.#parameters);
    if (!("SS" in value || "NS" in value || "BS" in value)) {
      throw setFunctionValue(shown, first.place);
    }
    return this.constants.value(value);
  }

  #value(expression: Expression): ValueSyntax {
    if (expression.kind === "binary" && (expression.op === "+" || expression.op === "-")) {
      const { op, left, right } = expression;
      return {
        kind: "arithmetic",
        operator: op,
        left: this.#operand(left),
        right: this.#operand(right),
      };
    }
    return this.#operand(expression);
  }

  #operand(expression: Expression): OperandSyntax {
    if (isPath(expression)) return this.constants.path(pathOf(expression));
    if (isValue(expression)) return this.constants.value(valueFrom(expression, this.#parameters));
    if (expression.kind !== "call") throw unsupportedOperation(nodeName(expression));
    const { name, operands, place } = expression;
    if (name !== "list_append" && name !== "if_not_exists") throw unrecognizedFunction(name, place);
    return {
      kind: "call",
      name,
      operands: operands.map((operand) => this.#operand(operand)),
      start: 0,
    };
  }
}

function samePath(one: Path, two: Path): boolean {
  return (
    one.steps.length === two.steps.length && one.steps.every((step, i) => step === two.steps[i])
  );
}
