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

const known = new WeakMap<StoredRecord, readonly Structure[]>();

/** All ways to a kind of item: its table first, then the indexes that it is in. */
export function structuresOf(record: StoredRecord): readonly Structure[] {
  const { table, memberships } = record;
  const structures = known.get(record) ?? [
    tableStructure(record),
    ...memberships.map((membership) => {
      const { index, partition, sort } = membership;
      return { table, index, record, membership, partition, sort };
    }),
  ];
  known.set(record, structures);
  return structures;
}

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

export interface Head {
  readonly text: string;
  /** There is nothing after it. */
  readonly whole: boolean;
}

/** The literal that a text begins with; a number or binary value by itself has none. */
export function literalHead({ segments }: KeyText): Head {
  const [first, ...rest] = segments;
  if (first === undefined) return { text: "", whole: true };
  if (first.kind !== "text") return { text: "", whole: false };
  return { text: first.text, whole: rest.length === 0 };
}

/** Whether a text's value can begin with this literal. */
export function canBegin(text: KeyText, literal: string): boolean {
  const head = literalHead(text);
  if (head.text === "") return false;
  return head.text.startsWith(literal) || (!head.whole && literal.startsWith(head.text));
}
