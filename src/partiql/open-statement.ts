import {
  aliasing,
  emptyPathComponent,
  multiAttributeIndex,
  singleTableOnly,
  tooManyPathComponents,
  unsupportedOperation,
} from "../api/errors/statement.ts";
import { nodeName } from "./literal.ts";
import { parseStatement } from "./parser.ts";
import type {
  ChangeSyntax,
  Expression,
  InsertSyntax,
  SelectSyntax,
  SourceSyntax,
} from "./syntax.ts";
import type { TableShape } from "./table-shape.ts";

/** A statement that has been read: what it is and what it names, but nothing of what it says. */
export type OpenStatement = Target &
  (
    | { readonly kind: "select"; readonly syntax: SelectSyntax }
    | { readonly kind: "exists"; readonly syntax: SelectSyntax }
    | { readonly kind: "insert"; readonly syntax: InsertSyntax }
    | { readonly kind: "update" | "delete"; readonly syntax: ChangeSyntax }
  );

interface Target {
  /** A name or an ARN. */
  readonly table: string;
  readonly index: string | undefined;
}

export function openStatement(text: string): OpenStatement {
  const syntax = parseStatement(text);
  switch (syntax.kind) {
    case "select":
      return { kind: "select", syntax, ...targetOf(syntax.from) };
    case "insert": {
      if (syntax.into.kind !== "name") throw singleTableOnly();
      const [table] = componentsOf(syntax.into);
      return { kind: "insert", syntax, table: table as string, index: undefined };
    }
    case "update":
    case "delete":
      return { kind: syntax.kind, syntax, ...targetOf(syntax.from) };
    case "call": {
      const [operand] = syntax.operands;
      if (syntax.name !== "exists" || operand?.kind !== "select") break;
      return { kind: "exists", syntax: operand, ...targetOf(operand.from) };
    }
  }
  throw unsupportedOperation(nodeName(syntax));
}

/** Reads are SELECTs; all else, EXISTS too, goes with writes. */
export function isRead({ kind }: OpenStatement): boolean {
  return kind === "select";
}

function targetOf({ expression, aliased, joined }: SourceSyntax): Target {
  if (joined) throw singleTableOnly();
  if (aliased) throw aliasing();
  const [table, index, third] = componentsOf(expression);
  if (third !== undefined) throw tooManyPathComponents();
  return { table: table as string, index };
}

function componentsOf(expression: Expression): readonly string[] {
  const { root, steps } = expression.kind === "path" ? expression : { root: expression, steps: [] };
  if (root.kind !== "name") throw singleTableOnly();
  const components = [root.name];
  for (const step of steps) {
    if (step.kind !== "member") throw singleTableOnly();
    components.push(step.name);
  }
  if (components.includes("")) throw emptyPathComponent();
  return components;
}

/** The service has no PartiQL for indexes whose keys have several attributes, and says so early. */
export function refuseMultiAttributeIndex(
  { index: name }: OpenStatement,
  table: TableShape | undefined,
): void {
  const index = table?.indexes.find((one) => one.name === name);
  if (index === undefined) return;
  if (index.key.hash.length > 1 || index.key.range.length > 1) throw multiAttributeIndex();
}
