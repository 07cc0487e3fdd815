import { memoized } from "../../base/memoized.ts";
import type { Index, Table } from "../../model/design.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { MadeKey, Membership, StoredRecord } from "../records/record.ts";

/** A table or an index, as the way to one kind of item. */
export interface Structure {
  readonly table: Table;
  readonly index: Index | undefined;
  readonly record: StoredRecord;
  readonly membership: Membership | undefined;
  readonly partition: readonly MadeKey[];
  readonly sort: readonly MadeKey[];
}

/** All ways to a kind of item: its table first, then the indexes that it is in. */
export const structuresOf = memoized((record: StoredRecord): readonly Structure[] => [
  tableStructure(record),
  ...record.memberships.map((membership) => {
    const { index, partition, sort } = membership;
    return { table: record.table, index, record, membership, partition, sort };
  }),
]);

/** The table or index that a request reads. */
export function structureOf({
  record,
  index,
}: Pick<Structure, "record" | "index">): Structure | undefined {
  return structuresOf(record).find((one) => one.index === index);
}

export function tableStructure(record: StoredRecord): Structure {
  const { table, key } = record;
  const made = key.map(
    ({ text }, i): MadeKey => ({
      attribute: (i === 0 ? table.partition : table.sort) ?? table.partition,
      text,
    }),
  );
  return {
    table,
    index: undefined,
    record,
    membership: undefined,
    partition: made.slice(0, 1),
    sort: made.slice(1),
  };
}

/** The same table or index as the way to another kind of item; nothing if that is not in it. */
export function sameStructure(structure: Structure, record: StoredRecord): Structure | undefined {
  return structure.table === record.table
    ? structureOf({ record, index: structure.index })
    : undefined;
}

/** Whether two kinds of items can lie under one partition key. */
export function canShare(one: Structure, other: Structure): boolean {
  return one.partition.every(({ text }, i) => {
    const theirs = other.partition[i]?.text;
    return theirs !== undefined && canMeet(text, theirs);
  });
}

/**
 * Whether two texts can give the same value: the same literals in the same places. What attributes hold is taken
 * not to look like a literal of another key.
 */
export function canMeet(one: KeyText, other: KeyText): boolean {
  return (
    one.segments.length === other.segments.length &&
    one.segments.every((segment, i) => {
      const theirs = other.segments[i];
      if (segment.kind !== "text" || theirs?.kind !== "text") {
        return segment.kind !== "text" && theirs?.kind !== "text";
      }
      return segment.text === theirs.text;
    })
  );
}

/** The literal that a text begins with; a number or binary value by itself has none. */
export function literalHead({ segments: [first] }: KeyText): string {
  return first?.kind === "text" ? first.text : "";
}

/** Whether a text's value can begin with this literal. */
export function canBegin(text: KeyText, literal: string): boolean {
  const head = literalHead(text);
  if (head === "") return false;
  return head.startsWith(literal) || (text.segments.length > 1 && literal.startsWith(head));
}
