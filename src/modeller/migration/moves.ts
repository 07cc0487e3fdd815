import type { Model } from "../../model/model.ts";
import type { Attribute } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import type { Naming } from "./naming.ts";
import { contentOf, isRekeyed, recordName } from "./target.ts";

/** What becomes of the items of one kind. */
export interface RecordMove {
  /** The kind before and after; one is missing if there are such items only before or only after. */
  readonly before: StoredRecord | undefined;
  readonly after: StoredRecord | undefined;
  /** Attributes that existing items get, and those that they lose in the end. */
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

/** What becomes of all items of an entity that both documents have. */
export interface EntityMove {
  readonly entity: string;
  readonly moves: readonly RecordMove[];
}

/** Entities whose stored items differ between the two designs. */
export function movesOf(old: Model, target: Model, naming: Naming): readonly EntityMove[] {
  const [before, after] = [Facts.of(old), Facts.of(target)];
  const moves: EntityMove[] = [];
  for (const name of target.entities.keys()) {
    const oldName = naming.oldEntity(name);
    if (!old.entities.has(oldName)) continue;
    const theirs = before.records.filter(({ entity }) => entity.name === oldName);
    const own = after.records.filter(({ entity }) => entity.name === name);
    if (theirs.length === 0) continue;
    const changed = changesOf(naming, old, theirs, own);
    if (changed.length > 0) moves.push({ entity: name, moves: changed });
  }
  return moves;
}

function changesOf(
  naming: Naming,
  old: Model,
  theirs: readonly StoredRecord[],
  own: readonly StoredRecord[],
): readonly RecordMove[] {
  const left = new Set(theirs);
  const moves: RecordMove[] = [];
  for (const after of own) {
    const before = theirs.find(
      (one) =>
        one.table.name === after.table.name &&
        recordName(naming, one) === after.name &&
        !isRekeyed(naming, one, after),
    );
    if (before === undefined) {
      moves.push({ before, after, gains: after.attributes.map(({ name }) => name), loses: [] });
      continue;
    }
    left.delete(before);
    const gains = missingIn(before, after, naming, old);
    const loses = before.attributes
      .filter((one) => {
        const other = after.attributes.find(({ name }) => name === one.name);
        return other === undefined;
      })
      .map(({ name }) => name);
    if (gains.length > 0 || loses.length > 0) moves.push({ before, after, gains, loses });
  }
  for (const before of left) moves.push({ before, after: undefined, gains: [], loses: [] });
  return moves;
}

/** Attributes that items have after, have not before, and could have by what is known of the entity. */
function missingIn(
  before: StoredRecord,
  after: StoredRecord,
  naming: Naming,
  old: Model,
): readonly string[] {
  const oldEntity = old.entities.get(before.entity.name);
  const known = new Set(
    [...(oldEntity?.attributes.keys() ?? [])].map((one) =>
      naming.newAttribute(before.entity.name, one),
    ),
  );
  return after.attributes.flatMap((one) => {
    const other = before.attributes.find(({ name }) => name === one.name);
    if (
      other !== undefined &&
      contentOf(naming, before, other) === contentOf(undefined, after, one)
    )
      return [];
    const { content } = one;
    // A new attribute of the entity has no values yet, unless it is a copy of something.
    if (content.kind === "attribute" && !known.has(content.attribute.name))
      return content.attribute.copyOf === undefined ? [] : [one.name];
    return [one.name];
  });
}

/** Whether existing items have to be written, by anybody, before new readers are right. */
export function needsData(moves: readonly EntityMove[]): boolean {
  return moves.some((one) => one.moves.some(({ after, gains }) => after && gains.length > 0));
}

/** Whether something is left over in tables that stay, after nobody reads it any more. */
export function leavesRests({ moves }: EntityMove, target: Model): boolean {
  return moves.some(
    ({ before, after, loses }) =>
      loses.length > 0 ||
      (after === undefined &&
        before !== undefined &&
        target.design?.tables.get(before.table.name) !== undefined),
  );
}

/** New attributes that are copies: their values come from another entity. */
export function newCopies(old: Model, target: Model, naming: Naming): readonly Attribute[] {
  return [...target.entities.values()].flatMap((entity) => {
    const before = old.entities.get(naming.oldEntity(entity.name));
    if (before === undefined) return [];
    const known = new Set(
      [...before.attributes.keys()].map((one) => naming.newAttribute(before.name, one)),
    );
    return [...entity.attributes.values()].filter(
      ({ name, copyOf }) => copyOf !== undefined && !known.has(name),
    );
  });
}
