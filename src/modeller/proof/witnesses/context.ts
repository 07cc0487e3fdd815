import { SeededRandom } from "../../../base/random.ts";
import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Action, Entity, Predicate, Together } from "../../../model/requirements.ts";
import { linkOf } from "../../plans/links.ts";
import { referencesOf } from "../../values/references.ts";
import type { EntityValues } from "../../values/render-key.ts";
import type { Job } from "../attempt.ts";
import { sparseIn } from "../findable.ts";
import { storable } from "../hosted.ts";
import { type Identity, idText, makeNew, otherValue } from "../identity.ts";
import type { Parameters, State } from "../oracle/state.ts";
import { domainOf } from "./domain.ts";
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

/** What witnesses of one pattern are made of: the entities of its trial, and a source of new ids. */
export class WitnessContext {
  readonly job: Job;
  readonly making: Identity;
  private readonly pinned = new Map<string, ReadonlySet<string>>();

  constructor(job: Job) {
    this.job = job;
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
    const [fullest] = known.toSorted((a, b) => b.size - a.size);
    if (fullest === undefined) return undefined;
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
    for (const { name, unique } of entity.attributes.values()) {
      if (all.has(name) || unique) continue;
      const value = this.entitiesOf(entity.name)
        .find((one) => one.has(name))
        ?.get(name);
      if (value !== undefined) all.set(name, value);
    }
    return all;
  }

  /** More entities that meet the same conditions: new ids, and the values of `spread` one after the other. */
  moreLike(
    entity: Entity,
    where: readonly Predicate[],
    { values: first, parameters }: Solution,
    count: number,
    { spread = [], fixed = new Map() }: { spread?: readonly string[]; fixed?: EntityValues } = {},
  ): readonly EntityValues[] {
    const list: EntityValues[] = [first];
    const keep = new Set([...where.map(({ attribute }) => attribute), ...fixed.keys()]);
    // Parts of an id that no condition names are drawn; all others go through their values.
    const isOpen = (name: string): boolean =>
      !fixed.has(name) && (keep.has(name) || !entity.id.includes(name));
    const free = [...new Set([...spread, ...entity.id])].filter(
      (name) => isOpen(name) && (spread.includes(name) || keep.has(name)),
    );
    const domains = free.map(
      (name) => [name, this.matching(entity, name, where, first, parameters)] as const,
    );
    const ids = new Set([idText(entity, first)]);
    for (let i = 0; list.length < count && i < 4 * count + 20; i += 1) {
      const item = new Map(first);
      makeNew(this.making, entity, item, list, { keep });
      let rest = i + 1;
      for (const [name, domain] of domains) {
        const value = domain[rest % domain.length];
        if (value !== undefined) item.set(name, value);
        rest = domains.length > 1 ? Math.floor(rest / Math.max(1, domain.length)) + i : rest;
      }
      const id = idText(entity, item);
      if (ids.has(id) || !this.meets(entity, where, item, parameters)) continue;
      ids.add(id);
      list.push(item);
    }
    return list;
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
    const known = [like, ...this.entitiesOf(entity.name)];
    const isPinned = this.pinnedIn(entity).has(name);
    const own = where.filter((one) => one.attribute === name);
    return domainOf(entity, attribute, where, known, isPinned).flatMap((value) =>
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
    const { model, cardinality } = this.job.right;
    const names = new Set(
      [...entity.attributes.values()].flatMap(({ name, copyOf }) =>
        copyOf !== undefined || cardinality.parentOf(entity, name) !== undefined ? [name] : [],
      ),
    );
    for (const { periods, ttl, versioning } of model.design?.tables.values() ?? []) {
      for (const one of [periods, ttl, versioning]) if (one !== undefined) names.add(one.attribute);
    }
    this.pinned.set(entity.name, names);
    return names;
  }
}
