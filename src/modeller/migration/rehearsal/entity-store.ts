import type { SeededRandom } from "../../../base/random.ts";
import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { EntityValues } from "../../values/render-key.ts";

/**
 * All entities as they should be, found by id or by the value of an attribute. It knows of no table and no key: what
 * readers get and what is stored is held against it.
 */
export class EntityStore {
  private readonly kinds = new Map<string, Kind>();

  constructor(ids: ReadonlyMap<string, readonly string[]>) {
    for (const [entity, id] of ids) this.kinds.set(entity, new Kind(id));
  }

  put(entity: string, values: EntityValues): void {
    this.kinds.get(entity)?.put(values);
  }

  remove(entity: string, values: EntityValues): void {
    this.kinds.get(entity)?.remove(values);
  }

  /** The one with the same id. */
  get(entity: string, values: EntityValues): EntityValues | undefined {
    return this.kinds.get(entity)?.get(values);
  }

  all(entity: string): readonly EntityValues[] {
    return this.kinds.get(entity)?.list ?? [];
  }

  pick(entity: string, random: SeededRandom): EntityValues | undefined {
    const list = this.all(entity);
    return list[random.below(list.length)];
  }

  /** Those with a value, upper and lower case taken for the same. */
  having(entity: string, attribute: string, value: AttributeValue): readonly EntityValues[] {
    return this.kinds.get(entity)?.having(attribute, value) ?? [];
  }

  get size(): number {
    return [...this.kinds.values()].reduce((sum, { list }) => sum + list.length, 0);
  }
}

export function valueText(value: AttributeValue | undefined): string {
  return JSON.stringify(value ?? null).toLowerCase();
}

/** The entities of one kind. */
class Kind {
  readonly list: EntityValues[] = [];
  private readonly id: readonly string[];
  /** Where in the list each is. */
  private readonly places = new Map<string, number>();
  /** By attribute, then by value; made when it is first asked for. */
  private readonly indexes = new Map<string, Map<string, Set<string>>>();

  constructor(id: readonly string[]) {
    this.id = id;
  }

  private key(values: EntityValues): string {
    return JSON.stringify(this.id.map((name) => values.get(name) ?? null));
  }

  get(values: EntityValues): EntityValues | undefined {
    const place = this.places.get(this.key(values));
    return place === undefined ? undefined : this.list[place];
  }

  put(values: EntityValues): void {
    const key = this.key(values);
    const place = this.places.get(key);
    if (place === undefined) {
      this.places.set(key, this.list.length);
      this.list.push(values);
    } else {
      this.note(key, this.list[place] as EntityValues, "delete");
      this.list[place] = values;
    }
    this.note(key, values, "add");
  }

  remove(values: EntityValues): void {
    const key = this.key(values);
    const place = this.places.get(key);
    if (place === undefined) return;
    this.note(key, this.list[place] as EntityValues, "delete");
    this.places.delete(key);
    const last = this.list.pop() as EntityValues;
    if (place === this.list.length) return;
    this.list[place] = last;
    this.places.set(this.key(last), place);
  }

  having(attribute: string, value: AttributeValue): readonly EntityValues[] {
    const index = this.indexes.get(attribute) ?? this.index(attribute);
    const keys = index.get(valueText(value)) ?? [];
    return [...keys].flatMap((key) => this.list[this.places.get(key) ?? -1] ?? []);
  }

  private index(attribute: string): Map<string, Set<string>> {
    const index = new Map<string, Set<string>>();
    this.indexes.set(attribute, index);
    for (const values of this.list) enter(index, values.get(attribute), this.key(values));
    return index;
  }

  private note(key: string, values: EntityValues, how: "add" | "delete"): void {
    for (const [attribute, index] of this.indexes) {
      const value = values.get(attribute);
      if (how === "add") enter(index, value, key);
      else index.get(valueText(value))?.delete(key);
    }
  }
}

function enter(
  index: Map<string, Set<string>>,
  value: AttributeValue | undefined,
  key: string,
): void {
  if (value === undefined) return;
  const text = valueText(value);
  const keys = index.get(text) ?? new Set<string>();
  index.set(text, keys.add(key));
}
