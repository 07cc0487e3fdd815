import type { ReadRequest } from "../plans/plan.ts";
import { storedName } from "../requests/stored-names.ts";
import { namesIn, openShards } from "./key-code.ts";
import type { Brought, Resolved, Scope } from "./scope.ts";
import { choiceCode, literal } from "./source.ts";

/** Statements that carry out a read, and what they leave behind. */
export interface ReadCode {
  readonly statements: readonly string[];
  readonly brought: Brought;
  /** It is a page, with a token for the next. */
  readonly isPage: boolean;
}

/** Whether a read finds one item at most: it names all that identifies one. */
export function findsOne(scope: Scope, request: ReadRequest): boolean {
  const { record, bindings } = request;
  if (request.together.length > 0) return false;
  const { of = record.entity.name } = request;
  const isFixed = (name: string): boolean => {
    const binding = bindings.get(name);
    if (binding === undefined) return false;
    if (binding.kind === "constant") return true;
    if (binding.kind === "item") return scope.inputs.created.get(of)?.isList === false;
    if (binding.kind === "parameter") {
      return scope.inputs.parameters.get(binding.name)?.isList !== true;
    }
    const shape = binding.kind === "result" ? scope.brought[binding.request]?.shape : undefined;
    return shape === "one" || shape === "entity";
  };
  const { entity } = record;
  const byKey = record.key.every(({ text }) => namesIn(text).every(isFixed));
  if (request.operation !== "Query" && request.operation !== "Scan") {
    const isSpread =
      request.table.periods !== undefined ||
      record.key.some(({ text }) => openShards(text, isFixed).length > 0);
    return byKey && !isSpread;
  }
  const isUnique = [...entity.attributes.values()].some(
    ({ unique, name }) => unique && isFixed(name),
  );
  return (
    request.operation === "Query" &&
    request.table.periods === undefined &&
    (entity.id.every(isFixed) || isUnique)
  );
}

/** The variable for what a read brings. */
export function variableFor(number: number): string {
  return number === 0 ? "found" : `found${number + 1}`;
}

/** The value of a statement that only makes sense if earlier reads brought something. */
export function guarded({ needs, missing }: Resolved, code: string): string {
  if (needs.length === 0) return code;
  const tests = [...needs.map(({ variable }) => `${variable} === undefined`), ...missing];
  return choiceCode(tests.join(" || "), "undefined", code);
}

/** The attribute of time to live of what a read finds. */
export function expiry({ table, record }: ReadRequest): string | undefined {
  const { ttl } = table;
  if (ttl === undefined || !ttl.entities.includes(record.entity.name)) return undefined;
  return literal(storedName(record, ttl.attribute) ?? ttl.attribute);
}

export function tableKeyNames({ partition, sort }: ReadRequest["table"]): readonly string[] {
  return [partition.name, ...(sort === undefined ? [] : [sort.name])];
}

/** The order that the caller sorts by, by the names in the table. */
export function ordersOf({ record, remainder }: ReadRequest): readonly string[] {
  return remainder.order.map(({ attribute, direction }) => {
    const stored = storedName(record, attribute) ?? attribute;
    return `[${literal(stored)}, "${direction}"]`;
  });
}

export function orderCode(scope: Scope, orders: readonly string[]): string {
  return `${scope.use("byAttributes")}(${orders.join(", ")})`;
}
