import { partitionKeyBytesMax, sortKeyBytesMax } from "../../api/limits.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { Attribute } from "../../model/requirements.ts";
import type { StoredRecord } from "../records/record.ts";
import { attributeBytes } from "./attribute-size.ts";
import { type Attributes, keyBytes } from "./key-size.ts";

/** How long keys can become, against what DynamoDB takes: writes of items with longer keys are refused. */

export type KeyRole = "partition" | "sort";

/** All attributes of one side of a key together. */
export const keyBytesMax: Readonly<Record<KeyRole, number>> = {
  partition: partitionKeyBytesMax,
  sort: sortKeyBytesMax,
};

/** The bytes of one side of a key when each attribute in it is at its largest. */
export function longestKey(attributes: Attributes, texts: readonly KeyText[]): number {
  return texts.reduce((sum, text) => sum + (keyBytes(attributes, text)?.max ?? 0), 0);
}

/** Whether the values of attributes, as they are, always fit into one side of a key. */
export function fitsKey(attributes: readonly Attribute[], role: KeyRole): boolean {
  const most = attributes.reduce((sum, one) => sum + (attributeBytes(one)?.max ?? 0), 0);
  return most <= keyBytesMax[role];
}

/** One side of a key that can become longer than DynamoDB takes. */
export interface LongKey {
  readonly role: KeyRole;
  /** The index; nothing for the key of the table. */
  readonly index: string | undefined;
  readonly bytes: number;
}

/** The keys of an item and of its index entries that can become too long. */
export function longKeysOf({ entity, key, memberships }: StoredRecord): readonly LongKey[] {
  const sides = [
    { index: undefined, partition: key.slice(0, 1), sort: key.slice(1) },
    ...memberships.map((one) => ({ ...one, index: one.index.name })),
  ];
  return sides.flatMap(({ index, partition, sort }) =>
    Object.entries({ partition, sort }).flatMap(([side, parts]) => {
      const role = side as KeyRole;
      const bytes = longestKey(
        entity.attributes,
        parts.map(({ text }) => text),
      );
      return bytes > keyBytesMax[role] ? [{ role, index, bytes }] : [];
    }),
  );
}
