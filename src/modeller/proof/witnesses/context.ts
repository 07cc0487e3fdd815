import { SeededRandom } from "../../../base/random.ts";
import type { AttributeValue } from "../../../item/attribute-value.ts";
import { attributesOf } from "../../../model/key-text.ts";
import type {
  Action,
  Attribute,
  Entity,
  Predicate,
  Together,
} from "../../../model/requirements.ts";
import { linkOf } from "../../plans/links.ts";
import { referencesOf } from "../../values/references.ts";
import type { EntityValues } from "../../values/render-key.ts";
import type { Job } from "../attempt.ts";
import { sparseIn } from "../findable.ts";
import { hostOf, storable } from "../hosted.ts";
import { type Identity, idText, makeNew, otherValue, versionOf } from "../identity.ts";
import type { Parameters, State } from "../oracle/state.ts";
import { type Candidate, domainOf, fewest, fractionsOf, placesIn } from "./domain.ts";
import { holdsFor, type Solution, solve } from "./solve.ts";

/** One question of a read: the place in the pattern's actions, followed by its `together`. */
export interface Question {
  readonly part: number;
  readonly asked: Action | Together;
  readonly entity: Entity;
  /** Whether it is about children of what the first question finds. */
  readonly isChild: boolean;
}

export interface Wanted {
  readonly fails?: ReadonlySet<Predicate>;
  readonly fixed?: EntityValues;
  readonly parameters?: Parameters;
}

export interface Variation {
  /** Attributes that differ first of all. */
  readonly spread?: readonly string[];
  /** Attributes that stay as they are. */
  readonly fixed?: EntityValues;
  /** Conditions that all fail. */
  readonly fails?: ReadonlySet<Predicate>;
  /** Others that there are, too. */
  readonly beside?: readonly EntityValues[];
  /** Not even the first of them is the entity that they are like. */
  readonly isNew?: boolean;
}

/** What witnesses of one pattern are made of: the entities of its trial, and a source of new ids. */
export class WitnessContext {
  readonly job: Job;
  readonly making: Identity;
  /** Parameters that stand for lists. */
  private readonly lists: ReadonlySet<string>;
  private readonly pinned = new Map<string, ReadonlySet<string>>();

  constructor(job: Job) {
    this.job = job;
    const { actions, together } = job.plan.pattern;
    this.lists = new Set(
      [...actions, ...together]
        .flatMap(({ where }) => where)
        .flatMap(({ operator, operands }) => (operator === "one-of" ? operands : []))
        .flatMap((one) => (one.kind === "parameter" ? [one.name] : [])),
    );
    const { right, seed } = job;
    const random = new SeededRandom(seed, 11);
    this.making = { facts: right, references: referencesOf(right.model), random };
  }

  question(part: number): Question | undefined {
    const { actions, together } = this.job.plan.pattern;
    const asked = [...actions, ...together][part];
    const entity = asked && this.entity(asked.entity);
    return entity && asked && { part, asked, entity, isChild: part >= actions.length };
  }

  entity(name: string): Entity | undefined {
    return this.job.right.model.entities.get(name);
  }

  entitiesOf(name: string): readonly EntityValues[] {
    return this.job.focus.state.get(name) ?? [];
  }

  /** Whether a condition leaves an attribute one value: no list stands for its parameter. */
  isOneValue({ operator, operands: [operand, second] }: Predicate): boolean {
    if (operand === undefined) return false;
    if (operator === "between") return JSON.stringify(operand) === JSON.stringify(second);
    if (second !== undefined) return false;
    if (operand.kind === "constant") return operator === "equals" || operator === "one-of";
    return operator === "equals" && !this.lists.has(operand.name);
  }

  /** Conditions of a question, and what holds for all that its sparse indexes have. */
  predicatesOf({ part, asked }: Question): readonly Predicate[] {
    return part === 0 ? [...asked.where, ...sparseIn(this.job.plan)] : asked.where;
  }

  /** An entity that meets the conditions of a question but for those that must fail. */
  solve(
    entity: Entity,
    where: readonly Predicate[],
    { fails = new Set(), fixed = new Map(), parameters = new Map() }: Wanted = {},
  ): Solution | undefined {
    const known = this.entitiesOf(entity.name);
    const [fullest = new Map()] = known.toSorted((a, b) => b.size - a.size);
    return solve({
      entity,
      like: new Map([...this.withAll(entity, fullest), ...fixed]),
      known,
      where,
      fails,
      fixed: new Set(fixed.keys()),
      pinned: this.pinnedIn(entity),
      parameters,
    });
  }

  /** The same entity with every attribute that one can have. */
  private withAll(entity: Entity, values: EntityValues): EntityValues {
    const all = new Map(values);
    for (const attribute of entity.attributes.values()) {
      const value = all.has(attribute.name) ? undefined : this.valueFor(entity, attribute);
      if (value !== undefined) all.set(attribute.name, value);
    }
    return all;
  }

  /** A value that another entity has, or a new one; nothing where other entities decide what it is. */
  private valueFor(entity: Entity, attribute: Attribute): AttributeValue | undefined {
    const { name, unique, copyOf, keeps } = attribute;
    const [source, theirs] =
      copyOf === undefined ? [entity.name, name] : [copyOf.entity, copyOf.attribute];
    const known = this.entitiesOf(source).flatMap((one) => one.get(theirs) ?? []);
    if (known[0] !== undefined && !unique) return known[0];
    if (attribute.isOptional && (keeps !== undefined || entity.version === name)) return undefined;
    const taken = new Set(known.map((one) => JSON.stringify(one)));
    const isFree = !this.pinnedIn(entity).has(name) || !attribute.isOptional;
    const all = isFree
      ? domainOf(entity, attribute, [], this.entitiesOf(entity.name), false, taken.size + 1)
      : [];
    return all.find((one) => one !== undefined && !taken.has(JSON.stringify(one)));
  }

  private candidates(
    entity: Entity,
    attribute: Attribute,
    where: readonly Predicate[],
    first: readonly EntityValues[],
    wanted?: number,
    isFit?: (value: Candidate) => boolean,
  ): readonly Candidate[] {
    const known = [...first, ...this.entitiesOf(entity.name)];
    const isPinned = this.pinnedIn(entity).has(attribute.name);
    return domainOf(entity, attribute, where, known, isPinned, wanted, isFit);
  }

  /** More entities that meet the same conditions, or fail the same: all have an id of their own. */
  moreLike(
    entity: Entity,
    where: readonly Predicate[],
    { values: first, parameters }: Solution,
    count: number,
    { spread = [], fixed = new Map(), fails = new Set(), beside = [], isNew }: Variation = {},
  ): readonly EntityValues[] {
    const free = this.variable(entity, [...where, ...fails], spread, fixed).map((attribute) => {
      const { name } = attribute;
      const own = where.filter((one) => one.attribute === name);
      const isPart = entity.id.includes(name);
      const isAsked = isPart || own.length > 0 || spread.includes(name);
      const wanted = isAsked ? 2 * count + fewest : fewest;
      const isFit = (value: Candidate): boolean =>
        own.every((one) => holdsFor(attribute, one, value, parameters) !== fails.has(one));
      const whole = this.candidates(entity, attribute, where, [first], wanted, isFit);
      const isEnough = !isPart || whole.length >= count || this.isTurned(entity, name);
      const values = isEnough ? whole : [...whole, ...fractionsOf(attribute).filter(isFit)];
      // What nothing asks for differs from what the first one has.
      return {
        name,
        isPart,
        values: isAsked ? values : [...values.slice(1), ...values.slice(0, 1)],
      };
    });
    const ids = new Set(beside.map((one) => idText(entity, one)));
    const list: EntityValues[] = isNew || ids.has(idText(entity, first)) ? [] : [first];
    for (const one of list) ids.add(idText(entity, one));
    const version = versionOf(this.making.facts, entity.name);
    const keep = new Set(entity.id.filter((name) => name !== version || fixed.has(name)));
    for (const at of placesIn(free)) {
      if (list.length >= count) break;
      const item = new Map([...first, ...fixed]);
      const place = (): void => {
        for (const [i, { name, values }] of free.entries()) {
          if (values.length === 0) continue;
          const value = values[(at[i] ?? 0) % values.length];
          if (value === undefined) item.delete(name);
          else item.set(name, value);
        }
      };
      place();
      makeNew(this.making, entity, item, version === undefined ? [] : list, { keep });
      // New unique values are drawn; those that conditions look at are not.
      place();
      const id = idText(entity, item);
      if (ids.has(id)) continue;
      ids.add(id);
      list.push(item);
    }
    return list;
  }

  /** Attributes that the table key of an entity is made of and that may repeat. */
  inTableKeys({ name, attributes }: Entity): readonly string[] {
    const texts = this.job.right.itemsOf(name).flatMap(({ key }) => key.map(({ text }) => text));
    const names = texts.flatMap((text) => attributesOf(text).map(({ attribute }) => attribute));
    return names.filter((one) => attributes.get(one)?.unique !== true);
  }

  /** Whether a key turns an attribute's digits round, so that it has no fraction. */
  private isTurned({ name: entity }: Entity, name: string): boolean {
    const texts = this.job.right
      .itemsOf(entity)
      .flatMap(({ key, memberships }) => [
        ...key,
        ...memberships.flatMap(({ partition, sort }) => [...partition, ...sort]),
      ]);
    return texts.some(({ text }) =>
      text.segments.some(
        (one) =>
          one.kind === "attribute" &&
          one.attribute === name &&
          one.transforms.some(({ kind }) => kind === "descending"),
      ),
    );
  }

  /** Attributes that may differ between entities that are asked for, those that are to differ first. */
  private variable(
    entity: Entity,
    where: readonly Predicate[],
    spread: readonly string[],
    fixed: EntityValues,
  ): readonly Attribute[] {
    const asked = [...spread, ...entity.id, ...where.map(({ attribute }) => attribute)];
    const pinned = this.pinnedIn(entity);
    // Only writes decide what an entity's version is.
    const isFree = this.job.plan.pattern.kind === "read";
    const others = [...entity.attributes.values()].filter(
      ({ name, unique, keeps }) =>
        !unique && keeps === undefined && (isFree || name !== entity.version) && !pinned.has(name),
    );
    const version = versionOf(this.making.facts, entity.name);
    const names = new Set([...asked, ...others.map(({ name }) => name)]);
    return [...names].flatMap((name) =>
      fixed.has(name) || name === version ? [] : (entity.attributes.get(name) ?? []),
    );
  }

  /** The same entity with unique values of its own. */
  withNewUnique(entity: Entity, values: EntityValues): EntityValues {
    const item = new Map(values);
    for (const attribute of entity.attributes.values()) {
      const value = item.get(attribute.name);
      if (!attribute.unique || value === undefined || entity.id.includes(attribute.name)) continue;
      item.set(attribute.name, otherValue(attribute, value, this.making.random));
    }
    return item;
  }

  /** Values of one attribute for which the conditions hold. */
  matching(
    entity: Entity,
    name: string,
    where: readonly Predicate[],
    like: EntityValues,
    parameters: Parameters,
  ): readonly AttributeValue[] {
    const attribute = entity.attributes.get(name);
    if (attribute === undefined) return [];
    const own = where.filter((one) => one.attribute === name);
    return this.candidates(entity, attribute, where, [like]).flatMap((value) =>
      value !== undefined && own.every((one) => holdsFor(attribute, one, value, parameters))
        ? [value]
        : [],
    );
  }

  meets(
    entity: Entity,
    where: readonly Predicate[],
    values: EntityValues,
    parameters: Parameters,
  ): boolean {
    return where.every((one) => {
      const attribute = entity.attributes.get(one.attribute);
      return attribute && holdsFor(attribute, one, values.get(one.attribute), parameters);
    });
  }

  /** Attributes of a child, and those of its parent that they repeat. */
  linksTo(child: Entity, parent: Entity): ReadonlyMap<string, string> {
    const links = linkOf(this.job.right, parent, child, [], new Map(), 0);
    return new Map(
      [...links].flatMap(([theirs, binding]) =>
        binding.kind === "result" ? [[theirs, binding.attribute] as const] : [],
      ),
    );
  }

  /** The entities of the trial, with other ones of some kinds. */
  stateWith(lists: ReadonlyMap<string, readonly EntityValues[]>): State {
    return storable(this.job.right, new Map([...this.job.focus.state, ...lists]));
  }

  private pinnedIn(entity: Entity): ReadonlySet<string> {
    const known = this.pinned.get(entity.name);
    if (known !== undefined) return known;
    const { right, plan } = this.job;
    const { model, cardinality } = right;
    // Nothing that is read needs a parent, unless it is embedded in it.
    const isLoose = plan.pattern.kind === "read" && hostOf(right, entity.name) === undefined;
    const isLinked = (name: string): boolean =>
      !isLoose && cardinality.parentOf(entity, name) !== undefined;
    const names = new Set(
      [...entity.attributes.values()].flatMap(({ name, copyOf }) =>
        copyOf !== undefined || isLinked(name) ? [name] : [],
      ),
    );
    for (const { periods, ttl, versioning } of model.design?.tables.values() ?? []) {
      for (const one of [periods, ttl, versioning]) if (one !== undefined) names.add(one.attribute);
    }
    this.pinned.set(entity.name, names);
    return names;
  }
}
