import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { ReadRequest } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import type { ValueCode } from "./key-code.ts";
import type { Loop, Scope } from "./scope.ts";
import { memberOf } from "./source.ts";

/** The attribute that tells the period of an item, if it says a time. */
function periodAttribute({ table, entity }: StoredRecord): Attribute | undefined {
  const { periods } = table;
  const attribute = periods && entity.attributes.get(periods.attribute);
  return attribute?.format === undefined || attribute.format === "uuid" ? undefined : attribute;
}

/** The table that an item is written to. */
export function tableCode(scope: Scope, record: StoredRecord, codeFor: ValueCode): string {
  const { table } = record;
  const own = memberOf("access.tables", scope.names.table(table.name));
  if (table.periods === undefined) return own;
  const attribute = periodAttribute(record);
  const value = attribute === undefined ? undefined : codeFor(attribute.name);
  const moment =
    value === undefined
      ? "access.now()"
      : `${scope.use("momentOf")}(${value}, "${attribute?.format}")`;
  return `${own}(${scope.use("periodName")}("${table.periods.every}", ${moment}))`;
}

/** The table that is read, in a loop if there is one for each period. */
export function readTable(
  scope: Scope,
  request: ReadRequest,
  codeFor: ValueCode,
): { readonly loops: readonly Loop[]; readonly code: string } {
  const { table, record, forward } = request;
  const own = memberOf("access.tables", scope.names.table(table.name));
  const { periods } = table;
  if (periods === undefined) return { loops: [], code: own };
  const all = `${memberOf("access.periods", scope.names.table(table.name))}()`;
  const attribute = periodAttribute(record);
  const value = attribute === undefined ? undefined : codeFor(attribute.name);
  const code = `${own}(period)`;
  if (attribute !== undefined && value !== undefined) {
    const moment = `${scope.use("momentOf")}(${value}, "${attribute.format}")`;
    const over = `${scope.use("periodOf")}(${all}, "${periods.every}", ${moment})`;
    return { loops: [{ over, as: "period" }], code };
  }
  const span = [
    ...request.filter,
    ...request.sort.flatMap(({ predicate }) => predicate ?? []),
  ].find(
    (predicate: Predicate) =>
      predicate.attribute === attribute?.name && predicate.operator === "between",
  );
  const ends =
    attribute === undefined || span === undefined
      ? []
      : span.operands.map(
          (one) =>
            `${scope.use("momentOf")}(${scope.operand(one, attribute).code}, "${attribute.format}")`,
        );
  const [from, to] = ends;
  const options = [
    ...(from === undefined ? [] : [`from: ${from}`]),
    ...(to === undefined ? [] : [`to: ${to}`]),
    `forward: ${forward}`,
  ];
  const over = `${scope.use("periodsWithin")}(${all}, "${periods.every}", { ${options.join(", ")} })`;
  return { loops: [{ over, as: "period" }], code };
}
