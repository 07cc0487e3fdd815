/** Entities that a write creates: like those there are, with ids of their own, and belonging to what is created with them. */
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Condition, Entity } from "../../model/requirements.ts";
import { addedToId } from "../key-identity.ts";
import { linkOf } from "../plans/links.ts";
import { toldOf } from "../values/embedded.ts";
import { referencesOf } from "../values/references.ts";
import type { EntityValues } from "../values/render-key.ts";
import { swapped } from "./folding.ts";
import { hostOf, roomyHosts } from "./hosted.ts";
import { type Identity, idsOf, idText, makeNew, otherValue, versionOf } from "./identity.ts";
import type { WriteContext } from "./write-context.ts";
import type { WriteParameters } from "./write-parameters.ts";

const always = (): boolean => true;

export class WriteItems {
  private readonly context: WriteContext;
  private readonly told: WriteParameters;
  private readonly making: Identity;

  constructor(context: WriteContext, told: WriteParameters) {
    this.context = context;
    this.told = told;
    const { facts, random } = context.draw;
    this.making = { facts, references: referencesOf(facts.model), random };
  }

  /** New entities like those there are, with other ids, and belonging to what is created with them. */
  create(name: string, count: number, condition?: Condition): boolean {
    const entity = this.context.entity(name);
    const list = this.context.items.get(name) ?? [];
    this.context.items.set(name, list);
    for (let i = 0; i < count; i += 1) {
      const replaces = needsItem(condition);
      const like = this.context.draw.choose(
        this.context.all(entity),
        "like",
        (one) =>
          !replaces ||
          (!this.context.isNamed(entity, one) && this.told.isAllowed(entity, condition, one)),
      );
      if (like === undefined) return false;
      const item = new Map(like);
      for (const [other, made] of this.context.items) {
        const [owner] = made;
        const parent = this.context.entity(other);
        if (other === name || owner === undefined) continue;
        for (const [theirs, binding] of linkOf(
          this.context.draw.facts,
          parent,
          entity,
          [],
          new Map(),
          0,
        )) {
          const value = binding.kind === "result" ? owner.get(binding.attribute) : undefined;
          if (value !== undefined) item.set(theirs, value);
        }
      }
      if (!this.enter(entity, item)) return false;
      if (this.context.draw.part >= 0) this.fill(entity, item);
      if (replaces) this.told.tellCondition(entity, condition, like);
      const isTaken = replaces
        ? this.context.draw.aim !== "missing"
        : this.context.draw.aim === "taken" && name === this.context.victim;
      if (isTaken) this.take(entity, item, condition);
      else this.renew(entity, item, list, like);
      this.context.name(entity, item);
      // A request names an item once.
      if (list.every((one) => idText(entity, one) !== idText(entity, item))) list.push(item);
    }
    return true;
  }

  /** What lies inside of another entity belongs to one that is made with it, or that is there. */
  private enter(entity: Entity, item: Map<string, AttributeValue>): boolean {
    const host = hostOf(this.context.draw.facts, entity.name);
    const [made] = this.context.items.get(host?.entity.name ?? "") ?? [];
    if (host === undefined || (this.context.draw.aim === "taken" && made === undefined))
      return true;
    const owner =
      made ??
      this.context.draw.choose(roomyHosts(host, entity, this.context.draw.state), "value", always);
    if (owner === undefined) return false;
    for (const [name, value] of toldOf(host, owner)) item.set(name, value);
    return true;
  }

  /** Some of what is missing is taken from others. */
  private fill(entity: Entity, item: Map<string, AttributeValue>): void {
    const all = this.context.all(entity);
    for (const { name, isOptional } of entity.attributes.values()) {
      if (item.has(name) || !isOptional || this.context.draw.random.unit() < 0.4) continue;
      const value = this.context.draw.choose(all, "value", (one) => one.has(name))?.get(name);
      if (value !== undefined) item.set(name, value);
    }
  }

  /** A new id, or one that differs from another one's in one part alone. */
  private renew(
    entity: Entity,
    item: Map<string, AttributeValue>,
    list: readonly EntityValues[],
    like: EntityValues,
  ): void {
    const part = entity.id.length < 2 ? undefined : entity.id[this.context.draw.part];
    const isNumbered = versionOf(this.context.draw.facts, entity.name) !== undefined;
    const inside = hostOf(this.context.draw.facts, entity.name)?.links.map(({ own }) => own) ?? [];
    const keep = new Set(
      part === undefined || inside.includes(part) || isNumbered
        ? inside
        : entity.id.filter((one) => one !== part),
    );
    const before = this.context.all(entity);
    const ids = knownIds(entity, before);
    const made = new Set(list.map((one) => idText(entity, one)));
    const options = {
      taken: { has: (id: string) => ids.has(id) || made.has(id) },
      choose: () => this.context.draw.choose(before, "value", always),
    };
    const all = list.length === 0 ? before : [...before, ...list];
    const isNew = makeNew(this.making, entity, item, all, { ...options, keep });
    if (!isNew) makeNew(this.making, entity, item, all, { ...options, keep: new Set(inside) });
    if (this.context.draw.aim !== "doubled" || entity.name !== this.context.victim) return;
    const name = this.oneUnique(entity);
    const value = name === undefined ? undefined : like.get(name);
    if (name === undefined || value === undefined) return;
    item.set(name, this.inOtherCase(entity, name, value));
    this.vary(entity, item, () => false);
  }

  /** The same id, in another case if that makes no difference, with unique values of its own. */
  private take(
    entity: Entity,
    item: Map<string, AttributeValue>,
    condition: Condition | undefined,
  ): void {
    const { random } = this.context.draw;
    for (const attribute of entity.attributes.values()) {
      const { name, unique } = attribute;
      const value = item.get(name);
      if (value === undefined) continue;
      if (entity.id.includes(name)) item.set(name, this.inOtherCase(entity, name, value));
      else if (unique) item.set(name, otherValue(attribute, value, random));
    }
    // What takes the place of an item has the same value of what never changes.
    const isKept = (name: string): boolean =>
      condition?.kind !== "absent" && entity.attributes.get(name)?.mutable === false;
    this.vary(entity, item, isKept);
  }

  /** An id or a unique value is taken, whatever is stored beside it: all that does not belong to the id is another one's, now and then. */
  private vary(
    entity: Entity,
    item: Map<string, AttributeValue>,
    isKept: (name: string) => boolean,
  ): void {
    const { facts, choose, random } = this.context.draw;
    const all = this.context.all(entity);
    for (const name of addedToId(facts.model, entity, [...item.keys()])) {
      if (isKept(name) || entity.attributes.get(name)?.unique || random.unit() < 0.5) continue;
      const other = choose(all, "value", (one) => one.has(name))?.get(name);
      if (other !== undefined) item.set(name, other);
    }
  }

  private oneUnique(entity: Entity): string | undefined {
    const names = [...entity.attributes.values()].flatMap(({ name, unique }) =>
      unique && !entity.id.includes(name) ? [name] : [],
    );
    return names[this.context.draw.random.below(names.length)];
  }

  private inOtherCase(entity: Entity, name: string, value: AttributeValue): AttributeValue {
    return this.context.folded(entity).has(name) ? swapped(value) : value;
  }
}

/** Whether a condition on what is created can only hold of an item that there is. */
export function needsItem(condition: Condition | undefined): boolean {
  if (condition?.kind !== "where")
    return condition?.kind === "exists" || condition?.kind === "version";
  return condition.predicates.some(({ operator, exists }) => operator !== "exists" || exists);
}

const takenIds = new WeakMap<readonly EntityValues[], ReadonlySet<string>>();

/** The ids that are taken; worked out once for a list. */
function knownIds(entity: Entity, list: readonly EntityValues[]): ReadonlySet<string> {
  const known = takenIds.get(list) ?? idsOf(entity, list);
  takenIds.set(list, known);
  return known;
}
