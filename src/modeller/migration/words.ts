import type { StoredRecord } from "../records/record.ts";
import type { EntityMove, RecordMove } from "./moves.ts";

/** `PK = ORDER#{orderId}, SK = #ORDER` */
export function keyWords({ key }: StoredRecord): string {
  return key.map(({ attribute, text }) => `${attribute} = ${text.text}`).join(", ");
}

/** What the items of an entity get, in sentences. */
export function gainWords({ entity, moves }: EntityMove): readonly string[] {
  return moves.flatMap((one) => gain(entity, one));
}

function gain(entity: string, { before, after, gains }: RecordMove): readonly string[] {
  if (after === undefined || gains.length === 0) return [];
  if (before !== undefined) {
    return [`${after.name} in ${after.table.name}: ${gains.join(", ")} in the same item`];
  }
  const what = {
    item: "an item",
    split: "a part",
    unique: "a guard",
    latest: "a copy of the newest",
  };
  return [`${entity}: ${what[after.role]} in ${after.table.name} under ${keyWords(after)}`];
}

/** What goes when nobody reads it any more. */
export function lossWords({ moves }: EntityMove, tables: ReadonlySet<string>): readonly string[] {
  return moves.flatMap(({ before, after, loses }) => {
    if (before === undefined || !tables.has(before.table.name)) return [];
    if (after === undefined)
      return [`${before.name} items in ${before.table.name} under ${keyWords(before)}`];
    return loses.length === 0
      ? []
      : [`${loses.join(", ")} of ${before.name} items in ${before.table.name}`];
  });
}
