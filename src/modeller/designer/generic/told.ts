import type {
  DecisionDocument,
  DesignDocument,
  TableDocument,
} from "../../../model/document-design.ts";
import { counted } from "../../lint/words.ts";
import type { Generic, Natural, Shared } from "./generic.ts";
import { type Unit, unitId } from "./units.ts";

/** What was decided, and where everything is now. */
export function told(
  { design: before, bill: natural, stays }: Natural,
  { design, bill, slots, own }: Shared,
  { apart, alone }: Readonly<Record<"apart" | "alone", ReadonlyMap<string, string>>>,
  /** What indexes would save by themselves. */
  saved: ReadonlyMap<Unit, number>,
): Pick<Generic, "decisions" | "moved"> {
  const [shared = ""] = Object.keys(design.tables);
  const placeOf = (table: string, index: string): string => {
    const is = (unit: Unit): boolean => unit.table === table && unit.name === index;
    const at = slots.findIndex((slot) => slot.some(is));
    return `design.tables.${shared}.indexes.${at < 0 ? index : `GSI${at + 1}`}`;
  };
  const moved = new Map<string, string>();
  for (const [name, { entities = {}, indexes = {} }] of Object.entries(before.tables)) {
    const [first] = Object.keys(entities);
    if (apart.has(name) || first === undefined) continue;
    moved.set(`design.tables.${name}`, `design.tables.${shared}.entities.${first}`);
    for (const index of Object.keys(indexes)) {
      moved.set(`design.tables.${name}.indexes.${index}`, placeOf(name, index));
    }
  }
  const style: DecisionDocument = {
    about: "design.style",
    chosen: `one table with generic names: ${sizeText(design)}`,
    rejected: [
      { what: `natural names: ${sizeText(before)}`, perMonth: cents(natural.total - bill.total) },
    ],
    why: "it was asked for",
  };
  const tables = [...apart]
    .filter(([name]) => !stays.has(name))
    .map(([name, why]) => ({
      about: `design.tables.${name}`,
      chosen: "a table of its own, with natural names",
      why,
    }));
  const indexes = own.map((unit) => ({
    about: placeOf(unit.table, unit.name),
    chosen: "an index of its own, with natural names",
    why: alone.get(unitId(unit)) ?? "",
  }));
  const dear = [...saved].map(([{ table, name }, less]) => ({
    about: placeOf(table, name),
    chosen: `${name} in an index with others`,
    rejected: [{ what: `${name} in an index of its own`, perMonth: cents(-less) }],
    why: "as few indexes as can be; what others want of the same name is held of these, too",
  }));
  const padded = paddedIn(design.tables[shared], before);
  const numbers: readonly DecisionDocument[] =
    padded.length === 0
      ? []
      : [
          {
            about: `design.tables.${shared}`,
            chosen: `numbers in keys as texts of one length: ${padded.join(", ")}`,
            why: "texts then sort as the numbers do; none of them may be below 0 or have more digits",
          },
        ];
  return { moved, decisions: [style, ...tables, ...indexes, ...dear, ...numbers] };
}

/** Numbers that are texts in the shared table and were numbers before: `Post.score (6)`. */
function paddedIn(table: TableDocument | undefined, before: DesignDocument): readonly string[] {
  const texts = [
    ...Object.entries(table?.entities ?? {}).map(([name, { key }]) => [name, key] as const),
    ...Object.values(table?.indexes ?? {}).flatMap(({ sets = {} }) => Object.entries(sets)),
  ];
  const known = JSON.stringify(before.tables);
  const found = texts.flatMap(([entity, key]) =>
    Object.values(key).flatMap((text) =>
      [...text.matchAll(/\{([^{}|]+)\|pad:(\d+)\}/g)].flatMap(([whole, name, digits]) =>
        known.includes(whole) ? [] : [`${entity}.${name} (${digits})`],
      ),
    ),
  );
  return [...new Set(found)];
}

function sizeText({ tables }: DesignDocument): string {
  const all = Object.values(tables);
  const indexes = all.reduce((sum, { indexes: own = {} }) => sum + Object.keys(own).length, 0);
  return `${counted(all.length, "table")}, ${counted(indexes, "index", "indexes")}`;
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100 || 0;
}
