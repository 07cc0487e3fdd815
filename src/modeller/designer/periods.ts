import type { DesignDocument, TableDocument } from "../../model/document-design.ts";
import { formats } from "../../model/formats.ts";
import type { Model } from "../../model/model.ts";
import { readDesign } from "../../model/read-design.ts";
import { Reading } from "../../model/reading.ts";
import type { Entity } from "../../model/requirements.ts";
import { type Priced, priced } from "../lint/bills.ts";
import type { Plan } from "../plans/plan.ts";
import type { RegionPrices } from "../prices/price.ts";
import { namedIn } from "./keys.ts";
import { record } from "./layouts.ts";

type Every = NonNullable<TableDocument["periods"]>["every"];

const dayMs = 86_400_000;

/** The days that so many of them in a row have at least, wherever they begin: one, two, … a year. */
const leastDays: Readonly<Record<Every, readonly number[]>> = {
  day: [1],
  week: [7],
  month: [28, 59, 89, 120, 150, 181, 212, 242, 273, 303, 334, 365],
  quarter: [90, 181, 273, 365],
  year: [365],
};

/** So many whole periods are needed before what lies in the oldest may go. */
function wholeOf(every: Every, days: number): number {
  const least = leastDays[every];
  const [round, rest] = [least.at(-1) as number, least.findIndex((one) => one >= days)];
  if (rest >= 0) return rest + 1;
  const rounds = Math.floor(days / round);
  const left = days - rounds * round;
  return rounds * least.length + (left <= 0 ? 0 : wholeOf(every, left));
}

/** More tables than these nobody wants to look after; of two, hardly anything would be old. */
const tablesMax = 24;
const tablesMin = 3;

/** A table for each period, with what was in one table. */
export interface PeriodsOption {
  readonly every: Every;
  readonly keep: number;
  readonly table: TableDocument;
}

/**
 * A table as tables of periods, those that are over in the class for infrequent access: for one kind of items that is
 * kept for a time and has the time in its key, so that whoever writes knows where to.
 */
export function periodsOf(model: Model, table: TableDocument): readonly PeriodsOption[] {
  const [name, more] = Object.keys(table.entities ?? {});
  const entity = model.entities.get(name ?? "");
  if (entity?.retentionMs === undefined || more !== undefined) return [];
  if (table.unique ?? table.versioning ?? table.aggregates ?? table.dax) return [];
  const attribute = timeIn(entity, table);
  if (attribute === undefined) return [];
  const { retentionMs } = entity;
  return (Object.keys(leastDays) as Every[]).flatMap((every): PeriodsOption[] => {
    // The running one is not whole yet.
    const keep = wholeOf(every, retentionMs / dayMs) + 1;
    if (keep < tablesMin || keep > tablesMax) return [];
    const older = { class: "infrequent-access", billing: "on-demand" } as const;
    return [{ every, keep, table: { ...table, periods: { every, attribute, keep, older } } }];
  });
}

/** What every item has in its key for ever, and that says when it began. */
function timeIn(entity: Entity, table: TableDocument): string | undefined {
  const texts = Object.values(table.entities?.[entity.name]?.key ?? {});
  const named = texts.flatMap((text) => namedIn(entity, text));
  return named.find((name) => {
    const { format, mutable, present } = entity.attributes.get(name) ?? {};
    const isTime = format !== undefined && formats[format].order === "time";
    return isTime && (!mutable || entity.id.includes(name)) && present?.value === 1;
  });
}

/** The bill of a design with one table as it could be; nothing if the design cannot be read then. */
export function billWith(
  model: Model,
  prices: RegionPrices,
  design: DesignDocument,
  name: string,
  table: TableDocument,
): Priced | undefined {
  const reading = new Reading();
  const tables = record(
    Object.entries(design.tables).map(([one, old]) => [one, one === name ? table : old] as const),
  );
  const read = readDesign(reading, { ...design, tables }, model.entities, model.patterns);
  if (reading.issues.length > 0) return undefined;
  const found = priced({ ...model, design: read }, prices);
  return [...found.plans.values()].some(isBroken) ? undefined : found;
}

function isBroken({ problem, pattern }: Plan): boolean {
  return problem !== undefined && pattern.status !== "declined" && pattern.status !== "alternative";
}

export function periodsWords({ every, keep }: Pick<PeriodsOption, "every" | "keep">): string {
  return `a table for each ${every}, ${keep} of them, the older ones in the class for infrequent access`;
}
