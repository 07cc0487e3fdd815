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
export function structuresOf(record: StoredRecord): readonly Structure[] {
  const { table, memberships } = record;
  return [
    tableStructure(record),
    ...memberships.map((membership) => ({
      table,
      index: membership.index,
      record,
      membership,
      partition: membership.partition,
      sort: membership.sort,
    })),
  ];
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
  return structuresOf(record).find(
    ({ table, index }) => table === structure.table && index === structure.index,
  );
}

/**
 * Whether two texts can give the same value. Literals must agree as far as they are known from the left;
 * what attributes hold is open.
 */
export function canMeet(one: KeyText, other: KeyText): boolean {
  return headsAgree(literalHead(one), literalHead(other));
}

function headsAgree(a: Head, b: Head): boolean {
  if (a.whole && b.whole) return a.text === b.text;
  if (a.whole) return a.text.startsWith(b.text);
  if (b.whole) return b.text.startsWith(a.text);
  return a.text.startsWith(b.text) || b.text.startsWith(a.text);
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
  return head.whole
    ? head.text.startsWith(literal)
    : head.text.startsWith(literal) || literal.startsWith(head.text);
}
