import type { Model } from "../model/model.ts";
import type { Entity } from "../model/requirements.ts";
import { Cardinality } from "./records/cardinality.ts";

/** What a table key may have beside the id. Designer, linter and proof use the same answer. */

const drawnFormats: readonly (string | undefined)[] = ["ulid", "ksuid", "uuid"];

/**
 * Attributes by which two items with one id can be side by side if a table key has them. What belongs to the id for ever is
 * not among them: the id of those without whom the entity means nothing, and what is stated never to change where ids are
 * drawn, so that none is handed in a second time with other values.
 */
export function addedToId(
  model: Model,
  entity: Entity,
  /** The attributes of the key, and that of the periods of its table. */
  names: Iterable<string>,
): readonly string[] {
  const { id, attributes } = entity;
  const parents = parentIds(model, entity);
  const cardinality = Cardinality.of(model);
  const isDrawn = id.some(
    (name) =>
      drawnFormats.includes(attributes.get(name)?.format) &&
      cardinality.parentOf(entity, name) === undefined,
  );
  return [...new Set(names)].filter((name) => {
    const { mutable = true, mutableStated = false } = attributes.get(name) ?? {};
    const isFixed = isDrawn && mutableStated && !mutable;
    return !id.includes(name) && !parents.has(name) && !isFixed;
  });
}

/** What identifies those without whom an entity means nothing. */
export function parentIds(model: Model, { name }: Entity): ReadonlySet<string> {
  return new Set(
    model.relations
      .filter(({ to, identifying }) => identifying && to === name)
      .flatMap(({ from }) => model.entities.get(from)?.id ?? []),
  );
}
