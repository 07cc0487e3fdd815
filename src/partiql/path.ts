import {
  emptyPathComponent,
  listIndexNotAllowed,
  unexpectedPathComponent,
} from "../api/errors/statement.ts";
import { listIndexMax } from "../api/limits.ts";
import type { Path } from "../expressions/tree.ts";
import { wellFormed } from "../item/text.ts";
import type { Expression, PathStep } from "./syntax.ts";

/** The path that an expression is; complains if it is none. */
export function pathOf(expression: Expression): Path {
  if (expression.kind === "name") return { kind: "path", steps: [nameStep(expression.name)] };
  if (expression.kind !== "path" || expression.root.kind !== "name") {
    throw unexpectedPathComponent(expression.place);
  }
  return {
    kind: "path",
    steps: [nameStep(expression.root.name), ...expression.steps.map(stepOf)],
  };
}

export function isPath({ kind }: Expression): boolean {
  return kind === "name" || kind === "path";
}

function nameStep(name: string): string {
  if (name === "") throw emptyPathComponent();
  return wellFormed(name);
}

function stepOf(step: PathStep): string | number {
  switch (step.kind) {
    case "member":
      return nameStep(step.name);
    case "star":
      throw unexpectedPathComponent(step.place);
    case "element": {
      const { index } = step;
      if (index.kind !== "number" || !/^-?\d+$/.test(index.text)) {
        throw unexpectedPathComponent(index.place);
      }
      const position = Number(index.text);
      if (position < 0 || position > listIndexMax) {
        throw listIndexNotAllowed(index.text, index.place);
      }
      // A zero may have a sign.
      return Math.abs(position);
    }
  }
}
