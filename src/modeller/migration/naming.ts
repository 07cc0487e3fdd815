import type { KeyText, Segment, ShardBy } from "../../model/key-text.ts";
import type { Model } from "../../model/model.ts";
import type { EntityValues } from "../values/render-key.ts";

/** A statement that something has another name in the new document: `Customer=Client`, `Customer.mail=email`. */
export interface Rename {
  readonly entity: string;
  /** Nothing if the entity itself is renamed. */
  readonly attribute: string | undefined;
  readonly to: string;
}

/** What entities and attributes of the old document are called in the new one. */
export class Naming {
  private readonly entities = new Map<string, string>();
  private readonly backwards = new Map<string, string>();
  private readonly attributes = new Map<string, Map<string, string>>();

  constructor(renames: readonly Rename[] = []) {
    for (const { entity, attribute, to } of renames) {
      if (attribute === undefined) {
        this.entities.set(entity, to);
        this.backwards.set(to, entity);
      } else {
        const known = this.attributes.get(entity) ?? new Map<string, string>();
        this.attributes.set(entity, known.set(attribute, to));
      }
    }
  }

  newEntity(old: string): string {
    return this.entities.get(old) ?? old;
  }

  oldEntity(name: string): string {
    return this.backwards.get(name) ?? name;
  }

  /** Of an attribute of an old entity. */
  newAttribute(oldEntity: string, attribute: string): string {
    return this.attributes.get(oldEntity)?.get(attribute) ?? attribute;
  }

  isRenamed(oldEntity: string, attribute: string): boolean {
    return this.newAttribute(oldEntity, attribute) !== attribute;
  }

  /** The values of an entity under their old names: only what the old document knows of. */
  toOld(old: Model, oldEntity: string, values: EntityValues): EntityValues {
    const names = [...(old.entities.get(oldEntity)?.attributes.keys() ?? [])];
    return new Map(
      names.flatMap((name) => {
        const value = values.get(this.newAttribute(oldEntity, name));
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
  }

  /** Old values under their new names. What `kept` has and the old document does not know of stays. */
  toNew(old: Model, oldEntity: string, values: EntityValues, kept?: EntityValues): EntityValues {
    const known = [...(old.entities.get(oldEntity)?.attributes.keys() ?? [])];
    const names = new Set(known.map((name) => this.newAttribute(oldEntity, name)));
    const others = [...(kept ?? [])].filter(([name]) => !names.has(name));
    return new Map([
      ...others,
      ...[...values].map(([name, value]) => [this.newAttribute(oldEntity, name), value] as const),
    ]);
  }

  /** What a key of an old entity is made of, in the names of the new document; equal texts make equal keys. */
  keyShape(oldEntity: string, text: KeyText): string {
    return JSON.stringify(
      text.segments.map((segment): Segment => {
        if (segment.kind === "text") return segment;
        if (segment.kind === "attribute") {
          const attribute = this.newAttribute(oldEntity, segment.attribute);
          return { kind: "attribute", attribute, transforms: segment.transforms };
        }
        return { ...segment, by: this.shardBy(oldEntity, segment.by) };
      }),
    );
  }

  private shardBy(oldEntity: string, by: ShardBy): ShardBy {
    if (by.kind !== "calculated") return by;
    const attribute = this.newAttribute(oldEntity, by.attribute);
    return { kind: "calculated", attribute, transforms: by.transforms };
  }
}

/** What a key of the new document is made of, comparable with `keyShape`. */
export const shapeOf = (text: KeyText): string => new Naming().keyShape("", text);

/** Reads `old=new`; nothing if it names no entity or attribute of the old document, or none of the new one. */
export function readRename(text: string, old: Model, next: Model): Rename | undefined {
  const at = text.indexOf("=");
  if (at < 1) return undefined;
  const [from, to] = [text.slice(0, at), text.slice(at + 1)];
  if (old.entities.has(from)) {
    return next.entities.has(to) ? { entity: from, attribute: undefined, to } : undefined;
  }
  const dot = from.indexOf(".");
  const [entity, attribute] = [from.slice(0, dot), from.slice(dot + 1)];
  if (dot < 1 || !old.entities.get(entity)?.attributes.has(attribute)) return undefined;
  const name = to.includes(".") ? to.slice(to.indexOf(".") + 1) : to;
  const isThere = [...next.entities.values()].some(({ attributes }) => attributes.has(name));
  return isThere ? { entity, attribute, to: name } : undefined;
}
