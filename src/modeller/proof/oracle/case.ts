/** What a design does not tell apart by upper and lower case, and values seen that way. */
import type { AttributeValue } from "../../../item/attribute-value.ts";
import { attributesOf, type KeyText } from "../../../model/key-text.ts";
import type { Model } from "../../../model/model.ts";
import type { Entity } from "../../../model/requirements.ts";
import type { EntityValues } from "./state.ts";

const foldedEntities = new WeakMap<Model, Map<string, ReadonlySet<string>>>();

/**
 * Attributes whose case a key does not keep. To such a design values that differ only in case are the same, so data has
 * none that do; but the same value may be asked for in another case.
 */
export function foldedIn(model: Model, { name }: Pick<Entity, "name">): ReadonlySet<string> {
  const known = foldedEntities.get(model) ?? new Map<string, ReadonlySet<string>>();
  foldedEntities.set(model, known);
  const folded = known.get(name) ?? new Set(keyTexts(model, name).flatMap(foldedBy));
  known.set(name, folded);
  return folded;
}

/** The texts of all keys that the design makes for an entity. */
function keyTexts({ design }: Model, entity: string): readonly KeyText[] {
  return [...(design?.tables.values() ?? [])].flatMap(
    ({ placements, indexes, unique, versioning }) => {
      const placement = placements.get(entity);
      const keys = [
        ...(placement?.key ?? []),
        ...(placement?.splits ?? []).flatMap(({ key }) => key),
        ...[...indexes.values()].flatMap(({ members }) => members.get(entity)?.sets ?? []),
        ...unique.flatMap((one) => (one.entity === entity ? one.key : [])),
        ...(versioning?.entity === entity ? versioning.key : []),
      ];
      return keys.map(({ text }) => text);
    },
  );
}

/** The attributes in the text of a key whose case it changes. */
export function foldedBy(text: KeyText): readonly string[] {
  return attributesOf(text).flatMap(({ attribute, transforms }) =>
    transforms.some(({ kind }) => kind === "lower" || kind === "upper") ? [attribute] : [],
  );
}

/** Values as a design sees them that does not keep the case of some. */
export function inOneCase(values: EntityValues, folded: ReadonlySet<string>): EntityValues {
  if (folded.size === 0) return values;
  return new Map(
    [...values].map(([name, value]) => [name, folded.has(name) ? lowered(value) : value]),
  );
}

export function lowered(value: AttributeValue): AttributeValue {
  return "S" in value ? { S: value.S.toLowerCase() } : value;
}
