import type { ReadRequest } from "../plans/plan.ts";
import { periodOf } from "../values/item-of.ts";
import type { EntityValues } from "../values/render-key.ts";
import { periodName, timeOf } from "../values/time-of.ts";
import { operandValues } from "./given.ts";
import type { Run } from "./run.ts";
import { tableName } from "./table-requests.ts";

/** The tables that a read has to look into: one, or those of the periods that it asks about, newest first. */
export function tablesOf(run: Run, request: ReadRequest, values: EntityValues): readonly string[] {
  const { table, record } = request;
  const { periods } = table;
  if (periods === undefined) return [table.name];
  const all = run.periods(table.name);
  const attribute = record.entity.attributes.get(periods.attribute);
  if (attribute === undefined) return all.map((period) => tableName(table, period));
  const own = periodOf(table, record.entity, values);
  if (own !== undefined) return all.includes(own) ? [tableName(table, own)] : [];
  const span = [
    ...request.filter,
    ...request.sort.flatMap(({ predicate }) => predicate ?? []),
  ].find(
    (predicate) => predicate.attribute === periods.attribute && predicate.operator === "between",
  );
  const ends = span?.operands
    .flatMap((one) => operandValues(run.given, attribute, one))
    .map((value) => timeOf(attribute, value));
  const [from, to] = (ends ?? []).map((time) =>
    time === undefined ? undefined : periodName(periods.every, time),
  );
  return all
    .filter(
      (period) => (from === undefined || period >= from) && (to === undefined || period <= to),
    )
    .toSorted((a, b) => (request.forward ? (a < b ? -1 : 1) : a < b ? 1 : -1))
    .map((period) => tableName(table, period));
}
