import type { EntityValues } from "../../values/render-key.ts";
import { readOne } from "./entity-reader.ts";
import { commonNames, type Side } from "./side.ts";
import type { World } from "./world.ts";

/** An attribute that only the new document has, and that repeats one of another entity. */
export interface Copy {
  readonly attribute: string;
  readonly source: string;
  readonly from: string;
  /** What tells the source: attributes of its id, and what they equal. */
  readonly pairs: readonly (readonly [theirs: string, ours: string])[];
}

/** Copies that existing entities do not have yet, by entity. */
export function copiesOf(old: Side, next: Side): ReadonlyMap<string, readonly Copy[]> {
  const copies = new Map<string, readonly Copy[]>();
  for (const entity of next.model.entities.values()) {
    const before = old.own(entity.name);
    const known = new Set(commonNames(old, before));
    if (known.size === 0) continue;
    const own = [...entity.attributes.values()].flatMap(({ name, copyOf }): readonly Copy[] => {
      const parent = next.parents.get(entity.name)?.find((one) => one.entity === copyOf?.entity);
      if (copyOf === undefined || parent === undefined || known.has(name)) return [];
      const { entity: source, attribute: from } = copyOf;
      return [{ attribute: name, source, from, pairs: parent.pairs }];
    });
    if (own.length > 0) copies.set(entity.name, own);
  }
  return copies;
}

/** An entity with the copies that it lacks, as their sources are stored now. */
export async function withCopies(
  world: World,
  lead: Side,
  entity: string,
  values: EntityValues,
): Promise<EntityValues> {
  const whole = new Map(values);
  for (const { attribute, source, from, pairs } of world.copies.get(entity) ?? []) {
    if (whole.has(attribute)) continue;
    const id = new Map(
      pairs.flatMap(([theirs, ours]) => {
        const value = values.get(ours);
        return value === undefined ? [] : [[theirs, value] as const];
      }),
    );
    const name = lead.own(source);
    const found = await readOne(world, lead, name, lead.toOwn(name, id));
    const value = found && lead.toCommon(name, found).get(from);
    if (value !== undefined) whole.set(attribute, value);
  }
  return whole;
}

/** The copies that were written are there from now on. */
export function noteCopies(world: World, entity: string, values: EntityValues): void {
  const copies = world.copies.get(entity);
  const known = copies && world.ledger.store.get(entity, values);
  if (copies === undefined || known === undefined) return;
  const whole = new Map(known);
  for (const { attribute } of copies) {
    const value = values.get(attribute);
    if (value !== undefined) whole.set(attribute, value);
  }
  world.ledger.store.put(entity, whole);
}
