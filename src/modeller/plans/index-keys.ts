import { attributeNames, type KeyText } from "../../model/key-text.ts";
import type { Predicate } from "../../model/requirements.ts";
import type { Membership, StoredRecord } from "../records/record.ts";
import { holdsFor, needsValue } from "../records/shares.ts";
import { type Changes, touchedBy } from "./plan.ts";

/** The key attributes of one index that an update writes, for they follow from what it changes. */
export interface RemadeKey {
  readonly membership: Membership;
  /** Attributes that are only there for the index. They are all there if the item is in the index, and none otherwise. */
  readonly made: readonly { readonly name: string; readonly text: KeyText }[];
  /** The texts of the key that decide whether the item is in the index, also of attributes that the item has anyway. */
  readonly texts: readonly KeyText[];
  /** Whether the item is in the index may change. */
  readonly isDecided: boolean;
}

/** Key attributes of indexes that an update has to write; the only place that derives them from the changes. */
export function remadeKeys(record: StoredRecord, changes: Changes): readonly RemadeKey[] {
  const touched = touchedBy(changes);
  return record.memberships.flatMap((membership): readonly RemadeKey[] => {
    const { index, only, partition, sort } = membership;
    const keys = [...partition, ...sort];
    const texts = keys.map(({ text }) => text);
    const canLeave = (name: string): boolean =>
      touched.has(name) && (changes.removes.includes(name) || isOptional(record, name));
    const isDecided =
      only.some(({ attribute }) => touched.has(attribute)) || attributeNames(keys).some(canLeave);
    const made = record.attributes.flatMap(({ membership: of, name, content }) =>
      of === index.name && content.kind === "key" ? [{ name, text: content.text }] : [],
    );
    const remade = made.filter(
      ({ text }) => isDecided || namesIn([text]).some((name) => touched.has(name)),
    );
    if (remade.length === 0) return [];
    // Attributes that every item has say nothing about whether the item is in the index, and need not be known.
    const deciding = texts.filter(
      (text) =>
        remade.some((one) => one.text === text) ||
        namesIn([text]).some((name) => isOptional(record, name)),
    );
    return [{ membership, made: remade, texts: isDecided ? texts : deciding, isDecided }];
  });
}

/** Attributes of the old item that an update must know to write the key attributes of indexes. */
export function remadeFrom(record: StoredRecord, changes: Changes): ReadonlySet<string> {
  const needed = remadeKeys(record, changes).flatMap(({ membership, texts, isDecided }) => {
    const { only } = membership;
    const all = namesIn(texts);
    if (isDecided && staysOut(only, all, changes)) return [];
    return [...all, ...only.map(({ attribute }) => attribute)];
  });
  const told = new Set(changes.sets.map(({ attribute }) => attribute));
  return new Set(needed.filter((name) => !told.has(name)));
}

function namesIn(texts: readonly KeyText[]): readonly string[] {
  return attributeNames(texts.map((text) => ({ text })));
}

function isOptional({ entity }: StoredRecord, name: string): boolean {
  return entity.attributes.get(name)?.isOptional === true;
}

/** The change itself says that the item leaves the index, so nothing has to be known to take it out. */
function staysOut(only: readonly Predicate[], names: readonly string[], changes: Changes): boolean {
  if (names.some((name) => changes.removes.includes(name))) return true;
  return only.some((condition) => {
    const { attribute, operator, exists } = condition;
    if (changes.removes.includes(attribute)) return needsValue(condition);
    const to = changes.sets.find((one) => one.attribute === attribute)?.to;
    if (operator === "exists") return !exists && to !== undefined;
    return to?.kind === "constant" && holdsFor(condition)?.(to.value) === false;
  });
}
