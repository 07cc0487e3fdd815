import {
  type ExpressionKind,
  pathRequired,
  wrongActionOperandType,
  wrongOperandCount,
  wrongOperandType,
} from "../api/errors/expression.ts";
import { type AttributeType, typeOf } from "../item/attribute-value.ts";
import { type OperandSyntax, type Placeholders, resolvePath } from "./parser.ts";
import { checkPathsApart } from "./path.ts";
import type { Update, UpdateAction, UpdateValue } from "./tree.ts";
import {
  type ActionSyntax,
  parseUpdate,
  type UpdateSyntax,
  type ValueSyntax,
} from "./update-parser.ts";

/** Both phases in one. */
export function compileUpdate(text: string, placeholders: Placeholders): Update {
  return resolveUpdate(parseUpdate(text), placeholders, "UpdateExpression");
}

/**
 * The second phase. The service goes over the whole expression once for each sort of problem: names,
 * values, paths that get into each other's way, operands of ADD and DELETE, functions.
 */
export function resolveUpdate(
  syntax: UpdateSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): Update {
  const named = syntax.actions.map((action) => withNames(action, placeholders, kind));
  for (const action of named) {
    if (action.kind !== "remove") touchValues(action.value, placeholders, kind);
  }
  checkPathsApart(
    named.map(({ path }) => path),
    kind,
  );
  for (const action of named) checkActionOperand(action, placeholders, kind);
  return {
    kind: "update",
    actions: named.map((action) => resolveAction(action, placeholders, kind)),
  };
}

function withNames(
  action: ActionSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): ActionSyntax {
  const path = resolvePath(action.path, placeholders, kind);
  if (action.kind === "set") {
    return { kind: "set", path, value: valueWithNames(action.value, placeholders, kind) };
  }
  return path === action.path ? action : { ...action, path };
}

function valueWithNames(
  value: ValueSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): ValueSyntax {
  if (value.kind !== "arithmetic") return operandWithNames(value, placeholders, kind);
  const left = operandWithNames(value.left, placeholders, kind);
  const right = operandWithNames(value.right, placeholders, kind);
  return { kind: "arithmetic", operator: value.operator, left, right };
}

function operandWithNames(
  operand: OperandSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): OperandSyntax {
  switch (operand.kind) {
    case "placeholder":
      return operand;
    case "path":
      return resolvePath(operand, placeholders, kind);
    case "call": {
      const operands = operand.operands.map((inner) => operandWithNames(inner, placeholders, kind));
      return { ...operand, operands };
    }
  }
}

/** Every value that the expression names must be defined, and counts as used. */
function touchValues(value: ValueSyntax, placeholders: Placeholders, kind: ExpressionKind): void {
  switch (value.kind) {
    case "placeholder":
      placeholders.value(kind, value.name);
      break;
    case "call":
      for (const operand of value.operands) touchValues(operand, placeholders, kind);
      break;
    case "arithmetic":
      touchValues(value.left, placeholders, kind);
      touchValues(value.right, placeholders, kind);
      break;
    case "path":
      break;
  }
}

function checkActionOperand(
  action: ActionSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): void {
  if (action.kind !== "add" && action.kind !== "delete") return;
  const type = typeOf(placeholders.value(kind, action.value.name));
  if (type === "SS" || type === "NS" || type === "BS") return;
  if (action.kind === "delete") throw wrongActionOperandType("DELETE", type);
  if (type !== "N") throw wrongActionOperandType("ADD", type);
}

function resolveAction(
  action: ActionSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): UpdateAction {
  switch (action.kind) {
    case "set":
      return {
        kind: "set",
        path: action.path,
        value: resolveValue(action.value, placeholders, kind),
      };
    case "remove":
      return action;
    case "add":
    case "delete":
      return {
        kind: action.kind,
        path: action.path,
        value: placeholders.value(kind, action.value.name),
      };
  }
}

function resolveValue(
  value: ValueSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): UpdateValue {
  if (value.kind !== "arithmetic") return resolveOperand(value, placeholders, kind);
  const left = resolveOperand(value.left, placeholders, kind);
  const right = resolveOperand(value.right, placeholders, kind);
  checkConstant(left, value.operator, "N", kind);
  checkConstant(right, value.operator, "N", kind);
  return { kind: value.operator === "+" ? "plus" : "minus", left, right };
}

function resolveOperand(
  operand: OperandSyntax,
  placeholders: Placeholders,
  kind: ExpressionKind,
): UpdateValue {
  switch (operand.kind) {
    case "path":
      return operand;
    case "placeholder":
      return {
        kind: "value",
        value: placeholders.value(kind, operand.name),
        placeholder: operand.name,
      };
    case "call":
      return resolveCall(
        operand.name,
        operand.operands.map((inner) => resolveOperand(inner, placeholders, kind)),
        kind,
      );
  }
}

function resolveCall(
  name: string,
  operands: readonly UpdateValue[],
  kind: ExpressionKind,
): UpdateValue {
  const [first, second] = operands;
  if (first === undefined || second === undefined || operands.length !== 2) {
    throw wrongOperandCount(kind, name, operands.length);
  }
  if (name === "if_not_exists") {
    if (first.kind !== "path") throw pathRequired(kind, name);
    return { kind: "if_not_exists", path: first, otherwise: second };
  }
  checkConstant(first, name, "L", kind);
  checkConstant(second, name, "L", kind);
  return { kind: "list_append", left: first, right: second };
}

/** Only a constant has a type before an item is read. */
function checkConstant(
  operand: UpdateValue,
  name: string,
  wanted: AttributeType,
  kind: ExpressionKind,
): void {
  if (operand.kind !== "value") return;
  const type = typeOf(operand.value);
  if (type !== wanted) throw wrongOperandType(kind, name, type);
}
