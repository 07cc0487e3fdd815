import { unreachable } from "../base/assert.ts";
import type { AttributeValue } from "../item/attribute-value.ts";
import type {
  Comparison,
  Condition,
  Constant,
  KeyComparison,
  KeyCondition,
  Operand,
  Path,
  Projection,
  Update,
  UpdateAction,
  UpdateValue,
} from "./tree.ts";

/** How names and constants are written; everything else is the expression language. */
export interface Notation {
  readonly name: (name: string) => string;
  readonly constant: (constant: Constant) => string;
}

/** For people: names in double quotes, values as literals. */
export const readable: Notation = {
  name: (name) => `"${name.replaceAll('"', '""')}"`,
  constant: ({ value }) => literal(value),
};

export function printCondition(condition: Condition, notation: Notation = readable): string {
  return new Printer(notation).condition(condition, loosest);
}

export function printKeyCondition(condition: KeyCondition, notation: Notation = readable): string {
  const printer = new Printer(notation);
  return condition.comparisons
    .map(({ attribute, is }) => printer.keyComparison(attribute, is))
    .join(" AND ");
}

export function printProjection(projection: Projection, notation: Notation = readable): string {
  const printer = new Printer(notation);
  return projection.paths.map((path) => printer.path(path)).join(", ");
}

export function printUpdate(update: Update, notation: Notation = readable): string {
  const printer = new Printer(notation);
  const sections: string[] = [];
  for (const kind of ["set", "remove", "add", "delete"] as const) {
    const actions = update.actions.filter((action) => action.kind === kind);
    if (actions.length === 0) continue;
    const printed = actions.map((action) => printer.action(action)).join(", ");
    sections.push(`${kind.toUpperCase()} ${printed}`);
  }
  return sections.join(" ");
}

/** How tightly each kind binds; what binds looser than its surroundings gets parentheses. */
const loosest = 0;
const conjunction = 1;
const negation = 2;

/** A part of a printed condition. */
type Piece = string | { readonly condition: Condition; readonly surroundings: number };

class Printer {
  readonly #notation: Notation;

  constructor(notation: Notation) {
    this.#notation = notation;
  }

  /** What is still to be printed is kept in a list: conditions can nest deeper than the call stack. */
  condition(root: Condition, rootSurroundings: number): string {
    const printed: string[] = [];
    const waiting: Piece[] = [{ condition: root, surroundings: rootSurroundings }];
    for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
      if (typeof piece === "string") printed.push(piece);
      else {
        const pieces = this.#piecesOf(piece);
        for (let at = pieces.length - 1; at >= 0; at--) waiting.push(pieces[at] as Piece);
      }
    }
    return printed.join("");
  }

  /** AND and OR group to the left, so one on the right of its like needs parentheses. */
  #piecesOf({ condition, surroundings }: Exclude<Piece, string>): readonly Piece[] {
    switch (condition.kind) {
      case "or": {
        const left = { condition: condition.left, surroundings: loosest };
        const right = { condition: condition.right, surroundings: conjunction };
        return surroundings > loosest ? ["(", left, " OR ", right, ")"] : [left, " OR ", right];
      }
      case "and": {
        const left = { condition: condition.left, surroundings: conjunction };
        const right = { condition: condition.right, surroundings: negation };
        return surroundings > conjunction
          ? ["(", left, " AND ", right, ")"]
          : [left, " AND ", right];
      }
      case "not":
        return ["NOT ", { condition: condition.inner, surroundings: negation }];
      default:
        return [this.#comparison(condition)];
    }
  }

  #comparison(condition: Comparison): string {
    switch (condition.kind) {
      case "compare":
        return `${this.operand(condition.left)} ${condition.op} ${this.operand(condition.right)}`;
      case "between": {
        const [low, high] = [this.operand(condition.low), this.operand(condition.high)];
        return `${this.operand(condition.subject)} BETWEEN ${low} AND ${high}`;
      }
      case "in": {
        const list = condition.candidates.map((candidate) => this.operand(candidate));
        return `${this.operand(condition.subject)} IN (${list.join(", ")})`;
      }
      case "attribute_exists":
      case "attribute_not_exists":
        return `${condition.kind}(${this.path(condition.path)})`;
      case "attribute_type":
        return this.#call(condition.kind, condition.subject, condition.type);
      case "begins_with":
        return this.#call(condition.kind, condition.subject, condition.prefix);
      case "contains":
        return this.#call(condition.kind, condition.subject, condition.member);
      default:
        return unreachable(condition);
    }
  }

  #call(name: string, first: Operand, second: Operand): string {
    return `${name}(${this.operand(first)}, ${this.operand(second)})`;
  }

  keyComparison(attribute: string, is: KeyComparison): string {
    const name = this.#notation.name(attribute);
    const print = (value: AttributeValue) => this.#notation.constant({ kind: "value", value });
    switch (is.op) {
      case "between":
        return `${name} BETWEEN ${print(is.low)} AND ${print(is.high)}`;
      case "begins_with":
        return `begins_with(${name}, ${print(is.value)})`;
      default:
        return `${name} ${is.op} ${print(is.value)}`;
    }
  }

  operand(operand: Operand): string {
    switch (operand.kind) {
      case "path":
        return this.path(operand);
      case "value":
        return this.#notation.constant(operand);
      case "size":
        return `size(${this.operand(operand.of)})`;
    }
  }

  path({ steps }: Path): string {
    let text = "";
    for (const step of steps) {
      if (typeof step === "number") text += `[${step}]`;
      else text += text === "" ? this.#notation.name(step) : `.${this.#notation.name(step)}`;
    }
    return text;
  }

  action(action: UpdateAction): string {
    const path = this.path(action.path);
    switch (action.kind) {
      case "set":
        return `${path} = ${this.updateValue(action.value)}`;
      case "remove":
        return path;
      case "add":
      case "delete":
        return `${path} ${this.#notation.constant({ kind: "value", value: action.value })}`;
    }
  }

  updateValue(value: UpdateValue): string {
    switch (value.kind) {
      case "path":
        return this.path(value);
      case "value":
        return this.#notation.constant(value);
      case "plus":
        return `${this.updateValue(value.left)} + ${this.updateValue(value.right)}`;
      case "minus":
        return `${this.updateValue(value.left)} - ${this.updateValue(value.right)}`;
      case "if_not_exists":
        return `if_not_exists(${this.path(value.path)}, ${this.updateValue(value.otherwise)})`;
      case "list_append":
        return `list_append(${this.updateValue(value.left)}, ${this.updateValue(value.right)})`;
      default:
        return unreachable(value);
    }
  }
}

function literal(value: AttributeValue): string {
  if ("S" in value) return quoted(value.S);
  if ("N" in value) return value.N;
  if ("B" in value) return `base64 ${quoted(value.B)}`;
  if ("BOOL" in value) return value.BOOL ? "true" : "false";
  if ("NULL" in value) return "null";
  if ("SS" in value) return `<<${value.SS.map(quoted).join(", ")}>>`;
  if ("NS" in value) return `<<${value.NS.join(", ")}>>`;
  if ("BS" in value) {
    return `<<${value.BS.map((member) => `base64 ${quoted(member)}`).join(", ")}>>`;
  }
  if ("L" in value) return `[${value.L.map(literal).join(", ")}]`;
  const members = Object.entries(value.M);
  return `{${members.map(([name, member]) => `${quoted(name)}: ${literal(member)}`).join(", ")}}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
