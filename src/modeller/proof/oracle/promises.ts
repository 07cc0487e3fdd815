/** What a design promises about entities beyond storing them: numbers kept in transactions, entities inside of others, unique values. */
import type { Aggregate } from "../../../model/design.ts";
import type { Model } from "../../../model/model.ts";
import type { Action, Entity, Pattern } from "../../../model/requirements.ts";
import { type Pair, pairsBetween } from "./belonging.ts";

/** Numbers that are kept in the same transaction as what they count, unless the pattern changes them itself. */
export function keptBy(model: Model, pattern: Pattern, of: string): readonly Aggregate[] {
  const aggregates = [...(model.design?.tables.values() ?? [])].flatMap((one) => one.aggregates);
  return aggregates.filter(
    (one) =>
      one.of === of &&
      one.by === "transaction" &&
      !pattern.actions.some((action) => isSeenTo(action, one)),
  );
}

function isSeenTo({ kind, entity, adds, changes, removes }: Action, { into }: Aggregate): boolean {
  if (entity !== into.entity) return false;
  if (kind === "create" || kind === "delete") return true;
  const touched = [...adds, ...changes].map(({ attribute }) => attribute);
  return [...touched, ...removes].includes(into.attribute);
}

/** An entity that is stored inside of another one's item. */
export interface Inside {
  readonly host: Entity;
  /** The attributes that say in which one. */
  readonly pairs: readonly Pair[];
  /** A list has no identity: it does not know whether something is in it already. */
  readonly isList: boolean;
}

/** Where an entity is stored that has no item of its own. */
export function insideOf(model: Model, entity: Entity): Inside | undefined {
  const placements = [...(model.design?.tables.values() ?? [])].flatMap(({ placements: all }) => [
    ...all.values(),
  ]);
  if (placements.some((one) => one.entity === entity.name)) return undefined;
  for (const { entity: name, embeds } of placements) {
    const host = model.entities.get(name);
    const embedded = embeds.find((one) => one.entity === entity.name);
    if (host === undefined || embedded === undefined) continue;
    const pairs = pairsBetween(model, host, entity).filter(({ own }) => host.id.includes(own));
    if (pairs.length === 0) continue;
    const isList = embedded.by === undefined && embedded.one !== true;
    return { host, pairs, isList };
  }
  return undefined;
}

/** The attributes whose values no two entities share. An id of one attribute is unique by itself. */
export function uniqueIn({ id, attributes }: Entity): readonly string[] {
  return [...attributes.values()].flatMap(({ name, unique }) =>
    unique && !(id.length === 1 && id[0] === name) ? [name] : [],
  );
}

/** Whether entities are stored inside of an item: a create does not replace it, for they would be lost. */
export function isHost({ design }: Model, { name }: Entity): boolean {
  return [...(design?.tables.values() ?? [])].some(
    ({ placements }) => (placements.get(name)?.embeds ?? []).length > 0,
  );
}
