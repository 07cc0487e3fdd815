import type { Aggregate } from "../../model/design.ts";
import { attributeNames } from "../../model/key-text.ts";
import type { Action, Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { heldBy } from "./index-contents.ts";
import { remadeFrom } from "./index-keys.ts";
import { linkedFrom, linksBetween } from "./links.ts";
import { type Changes, noChanges, touchedBy } from "./plan.ts";

/**
 * What a write of an entity changes in what is stored, and what of the old entity must be known for it. It is derived here alone:
 * items of all roles and the keys of indexes by `itemChanges`, aggregates by `numberChanges`.
 */

export interface EntityChange {
  readonly kind: "create" | "update" | "delete";
  /** A create that takes the place of an entity with the same id, if there is one. */
  readonly replaces: boolean;
  readonly changes: Changes;
}

/** What becomes of one stored item of an entity. */
export interface ItemChange {
  readonly record: StoredRecord;
  /** `move`: its key changes, so it is deleted and put again. */
  readonly kind: "put" | "update" | "delete" | "move";
  readonly changes: Changes;
  /** Attributes of the entity before the write. */
  readonly needs: readonly string[];
}

/** What becomes of an aggregate. */
export interface NumberChange {
  readonly aggregate: Aggregate;
  /** What the entity counted before is taken off. */
  readonly isTakenOff: boolean;
  /** What the entity counts after the write is added. */
  readonly isAdded: boolean;
  /** The write itself states by how much the counted value changes. */
  readonly amount: number | undefined;
  /** Attributes of the entity before the write. */
  readonly needs: readonly string[];
}

/** The stored items of an entity that a write puts, updates, deletes or moves: its own item first. */
export function itemChanges(
  facts: Facts,
  own: StoredRecord,
  { kind, replaces, changes }: EntityChange,
): readonly ItemChange[] {
  const touched = touchedBy(changes);
  const set = new Set(changes.sets.map(({ attribute }) => attribute));
  return [own, ...companionsOf(facts, own)].flatMap((record): readonly ItemChange[] => {
    const key = keyAttributes(record);
    if (kind === "delete") return [{ record, kind, changes: noChanges, needs: key }];
    if (kind === "create") {
      // An entity that is replaced may have the same unique values already, also those of its id.
      const isOld = record.role === "unique" || key.some((name) => mayDiffer(own.entity, name));
      const moves = replaces && record !== own && isOld;
      const needs = moves ? key : [];
      return [{ record, kind: moves ? "move" : "put", changes: noChanges, needs }];
    }
    const isEmptied = record.role === "split" && isAllRemoved(record, changes);
    if (isEmptied || (record !== own && key.some((name) => changes.removes.includes(name)))) {
      return [{ record, kind: "delete", changes: noChanges, needs: key }];
    }
    if (key.some((name) => touched.has(name))) {
      const kept = [...heldBy(record.attributes)].filter((name) => !set.has(name));
      return [{ record, kind: "move", changes, needs: [...key, ...kept] }];
    }
    const part = changesIn(record, changes);
    if (touchedBy(part).size === 0) return [];
    const needs = [...key, ...remadeFrom(record, part)];
    return [{ record, kind, changes: part, needs }];
  });
}

/** Whether an entity that replaces another one of the same id may have another value of an attribute. */
function mayDiffer({ id, attributes }: Entity, name: string): boolean {
  return !id.includes(name) && attributes.get(name)?.mutable !== false;
}

/** Whether a part of an entity has no attribute left: such a part is not stored. */
function isAllRemoved(record: StoredRecord, { removes }: Changes): boolean {
  const { id } = record.entity;
  const parts = [...heldBy(record.attributes)].filter((name) => !id.includes(name));
  return parts.every((name) => removes.includes(name));
}

/** What a write changes in aggregates. */
export function numberChanges(
  facts: Facts,
  aggregates: readonly Aggregate[],
  { kind, replaces, changes }: EntityChange,
): readonly NumberChange[] {
  const touched = touchedBy(changes);
  return aggregates.flatMap((aggregate): readonly NumberChange[] => {
    const { attribute, what } = aggregate;
    const links = linkNames(facts, aggregate);
    const names = attribute === undefined || what === "count" ? links : [...links, attribute];
    const isTakenOff = kind !== "create" || replaces;
    const change = { aggregate, isTakenOff, isAdded: kind !== "delete", amount: undefined };
    if (kind !== "update") return [{ ...change, needs: isTakenOff ? names : [] }];
    if (!names.some((name) => touched.has(name))) return [];
    const added = changes.adds.find((one) => one.attribute === attribute);
    if (added === undefined) return [{ ...change, needs: names }];
    return [{ ...change, isTakenOff: false, amount: added.amount, needs: links }];
  });
}

/** The attributes of what is counted that name the entity with the aggregate. */
export function linkNames(facts: Facts, { of, into }: Aggregate): readonly string[] {
  return linkedFrom(linksBetween({ facts, own: of, other: into.entity }));
}

/** The items that belong to an entity's own item: its parts, its unique items, the copy of its newest version. */
function companionsOf(facts: Facts, own: StoredRecord): readonly StoredRecord[] {
  return facts.records.filter(
    ({ entity, role, table }) =>
      entity === own.entity && role !== "item" && (role === "unique" || table === own.table),
  );
}

/** The attributes that an item's key is made of. */
export function keyAttributes({ key }: StoredRecord): readonly string[] {
  return attributeNames(key);
}

/** The part of some changes that concerns the attributes of one item. */
function changesIn(record: StoredRecord, changes: Changes): Changes {
  const held = heldBy(record.attributes);
  return {
    sets: changes.sets.filter(({ attribute }) => held.has(attribute)),
    adds: changes.adds.filter(({ attribute }) => held.has(attribute)),
    appends: changes.appends.filter((one) => held.has(one)),
    removes: changes.removes.filter((one) => held.has(one)),
  };
}

/** What an action does to attributes. */
export function changesOf(action: Action): Changes {
  const { changes: sets, adds, appends, removes, condition } = action;
  const { attribute } = condition?.kind === "version" ? condition : {};
  const isRaised =
    attribute !== undefined && ![...sets, ...adds].some((one) => one.attribute === attribute);
  return { sets, adds: isRaised ? [...adds, { attribute, amount: 1 }] : adds, appends, removes };
}
