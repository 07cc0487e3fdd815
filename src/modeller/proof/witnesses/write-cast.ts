/**
 * Constructs entities and parameters for which all steps of a write succeed at once: what each step is about, and what has to be
 * there with it. The conditions of one step after the other are solved; a parameter of several steps keeps its value.
 */
import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Action, Entity, Pattern, Predicate } from "../../../model/requirements.ts";
import { linkOf } from "../../plans/links.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { hostOf } from "../hosted.ts";
import { idsOf, idText, makeNew, otherValue, plainValue } from "../identity.ts";
import { belongsTo, pairsBetween } from "../oracle/belonging.ts";
import { changedValues } from "../oracle/changes.ts";
import { keptBy } from "../oracle/promises.ts";
import type { Parameters } from "../oracle/state.ts";
import { elementsToAppend } from "../write-inputs.ts";
import { needsItem } from "../write-items.ts";
import type { WitnessContext } from "./context.ts";
import { type Solution, solve } from "./solve.ts";
import { conditionsOf, isSameItem, pinnedIn, stepsOf } from "./write-steps.ts";

/** What one step does to one entity. */
export interface Role {
  readonly action: Action;
  readonly entity: Entity;
  /** What is there before the write under the same id. */
  readonly before: EntityValues | undefined;
  /** What the caller hands in to be created. */
  readonly item: EntityValues | undefined;
}

export interface NamedEntity {
  readonly entity: Entity;
  readonly values: EntityValues;
}

export interface Cast {
  /** Number of entities of a step with several. */
  readonly count: number;
  readonly roles: readonly Role[];
  readonly parameters: Parameters;
  /** What has to be there although no step names it: hosts of embedded entities, and entities with aggregates. */
  readonly support: readonly NamedEntity[];
  /** What must not be there. */
  readonly absent: readonly NamedEntity[];
}

/** What one step is about, apart from its conditions. */
export interface Demand {
  readonly action?: Action;
  /** Predicates of the step that must fail. */
  readonly fails?: readonly Predicate[];
  /** More predicates that hold, or fail if they are in `fails`. */
  readonly more?: readonly Predicate[];
}

/** Largest number of entities of a step. */
const countMax = 2;

/** Casts that meet the conditions, with fewer and fewer entities. */
export function* castsFor(
  context: WitnessContext,
  demand: Demand = {},
  most = countMax,
): Generator<Cast> {
  const steps = stepsOf(context);
  const isLate = (one: Action): number => (one.follows ? 2 : one.kind === "create" ? 1 : 0);
  const isFirst = (one: Action): number => (one === demand.action ? 0 : 1);
  const sorted = (list: readonly Action[]): readonly Action[] =>
    list.toSorted((a, b) => isFirst(a) - isFirst(b) || isLate(a) - isLate(b));
  const [forward, backward] = [sorted(steps), sorted(steps.toReversed())];
  for (let count = most; count > 0; count -= 1) {
    for (const order of [forward, backward]) {
      const cast = new CastMaker(context, demand, count).make(order);
      if (cast !== undefined) yield cast;
    }
  }
}

class CastMaker {
  private readonly context: WitnessContext;
  private readonly demand: Demand;
  private readonly count: number;
  private readonly roles: Role[] = [];
  private readonly support: NamedEntity[] = [];
  private readonly absent: NamedEntity[] = [];
  private parameters: Parameters = new Map();

  constructor(context: WitnessContext, demand: Demand, count: number) {
    this.context = context;
    this.demand = demand;
    this.count = count;
  }

  make(steps: readonly Action[]): Cast | undefined {
    const done = new Set<Action>();
    for (const action of steps) {
      const entity = this.context.entity(action.entity);
      if (entity === undefined) return undefined;
      if (done.has(action)) continue;
      const same = steps.filter((one) => one === action || isSameItem(entity, one, action));
      for (const one of same) done.add(one);
      const isMade =
        action.kind === "create" ? this.create(action, entity) : this.aim(same, entity);
      if (!isMade && !action.follows) return undefined;
    }
    for (const role of this.roles) this.tellChanges(role);
    for (const role of [...this.roles]) this.addSupport(role);
    const { count, roles, parameters, support, absent } = this;
    return { count, roles, parameters, support, absent };
  }

  /** A caller hands in a list of what is created with something, and a list of the latter only where the pattern has several. */
  private countOf({ average, entity }: Action): number {
    const { pattern } = this.context.job.plan;
    const wanted = Math.round(average.value * (pattern.batch?.value ?? 1));
    const [main] = pattern.actions;
    const isWith =
      main?.kind === "create" &&
      main.entity !== entity &&
      pattern.with.some((one) => one.entity === entity);
    return Math.min(this.count, Math.max(isWith ? this.count : 1, wanted));
  }

  /** An entity that a step names, or several that check it and write it, and parameters that name it. */
  private aim(same: readonly Action[], entity: Entity): boolean {
    const action = same.find(({ kind }) => kind !== "check") ?? same[0];
    if (action === undefined) return false;
    const isDemanded = this.demand.action !== undefined && same.includes(this.demand.action);
    const more = isDemanded ? (this.demand.more ?? []) : [];
    const conditions = [...same.flatMap(conditionsOf), ...more];
    const fails = new Set(isDemanded ? this.demand.fails : []);
    const like = this.fresh(entity);
    for (const { attribute: name } of same.flatMap(({ adds }) => adds)) {
      const { unique, values } = entity.attributes.get(name) ?? {};
      // A number with all its digits leaves no room for what is added.
      if (!unique && values === undefined) like?.set(name, { N: "1" });
    }
    const first = like && this.solve(entity, conditions, like, fails);
    if (first === undefined || this.isNamed(entity, first.values)) return false;
    this.parameters = first.parameters;
    if (same.some(({ condition }) => condition?.kind === "absent")) {
      this.absent.push({ entity, values: first.values });
      return true;
    }
    this.roles.push({ action, entity, before: first.values, item: undefined });
    const isMany = this.countOf(action) > 1 && action.average.value * this.batch() > 1.5;
    if (isMany) this.aimAtSecond(action, entity, conditions, first);
    return true;
  }

  /** What is told for a parameter until now. */
  private listOf([operand]: Predicate["operands"]): readonly AttributeValue[] {
    return operand?.kind === "parameter" ? (this.parameters.get(operand.name) ?? []) : [];
  }

  private batch(): number {
    return this.context.job.plan.pattern.batch?.value ?? 1;
  }

  /** Another entity for the same step: the parameters that it equals become lists, or one of the alternatives is its own. */
  private aimAtSecond(
    action: Action,
    entity: Entity,
    conditions: readonly Predicate[],
    first: Solution,
  ): void {
    const isOpen = (operator: Predicate["operator"]) => (one: Predicate) =>
      one.operator === operator && one.operands[0]?.kind === "parameter";
    const alternatives = action.where.filter(isOpen("one-of"));
    const listed = alternatives.length > 0 ? alternatives : action.where.filter(isOpen("equals"));
    const rest = conditions.filter((one) => !listed.includes(one));
    const asked = new Map<string, AttributeValue>();
    for (const { attribute, operands } of listed) {
      // A step before may have told what the second one is asked by; a new id is made below.
      const [old = first.values.get(attribute), told] = this.listOf(operands);
      const isNew = told === undefined && !entity.id.includes(attribute);
      const value = isNew ? otherValueOf(this.context, entity, attribute, old) : told;
      if (value !== undefined) asked.set(attribute, value);
    }
    const kept = new Set([...rest.map(({ attribute }) => attribute), ...asked.keys()]);
    const like = this.fresh(entity, first.values, kept, asked);
    const second = like && this.solve(entity, rest, like, new Set());
    if (second === undefined || this.isNamed(entity, second.values)) return;
    const parameters = new Map(this.parameters);
    for (const { attribute, operands } of listed) {
      const [operand] = operands;
      const [one = first.values.get(attribute)] = this.listOf(operands);
      const other = second.values.get(attribute);
      if (operand?.kind !== "parameter" || one === undefined || other === undefined) return;
      parameters.set(operand.name, [one, other]);
    }
    this.parameters = parameters;
    this.roles.push({ action, entity, before: second.values, item: undefined });
  }

  /** Something new, or what replaces something that the condition allows. */
  private create(action: Action, entity: Entity): boolean {
    for (let i = 0; i < this.countOf(action); i += 1) {
      const linked = this.linksOf(entity);
      const [first] = this.roles.filter((one) => one.action === action);
      const item = this.fresh(entity, undefined, new Set(linked.keys()), linked);
      if (item === undefined) return first !== undefined;
      const isDemanded = this.demand.action === action;
      const more = isDemanded ? (this.demand.more ?? []) : [];
      if (!needsItem(action.condition)) {
        const solution = more.length === 0 ? undefined : this.solve(entity, more, item, new Set());
        this.roles.push({ action, entity, before: undefined, item: solution?.values ?? item });
        continue;
      }
      const fails = new Set(isDemanded ? this.demand.fails : []);
      // What replaces something has its id.
      const ofId = more.filter(({ attribute }) => entity.id.includes(attribute));
      const there = this.solve(entity, [...conditionsOf(action), ...ofId], item, fails);
      if (there === undefined) return false;
      this.parameters = there.parameters;
      const next = this.context.withNewUnique(entity, there.values);
      const wanted = more.length === 0 ? undefined : this.solve(entity, more, next, new Set());
      this.roles.push({ action, entity, before: there.values, item: wanted?.values ?? next });
    }
    return true;
  }

  /** Attributes with which a new entity belongs to another one of the same write, or another one to it. */
  private linksOf(entity: Entity): EntityValues {
    const linked = new Map<string, AttributeValue>();
    for (const { entity: other, before, item } of this.roles) {
      const up = this.pairsOf(other, entity);
      const down = this.pairsOf(entity, other).map(([theirs, own]) => [own, theirs] as const);
      for (const [name, others] of up.length > 0 ? up : down) {
        const value = (item ?? before)?.get(others);
        if (value !== undefined && !linked.has(name)) linked.set(name, value);
      }
    }
    return linked;
  }

  /** The attributes of a child that repeat the whole id of its parent, and what they repeat. */
  private pairsOf(parent: Entity, child: Entity): readonly (readonly [string, string])[] {
    if (parent === child) return [];
    const links = linkOf(this.context.job.right, parent, child, [], new Map(), 0);
    const pairs = [...links].flatMap(([theirs, binding]) =>
      binding.kind === "result" ? [[theirs, binding.attribute] as const] : [],
    );
    const ours = pairs.map(([, own]) => own);
    return parent.id.every((name) => ours.includes(name)) ? pairs : [];
  }

  private isNamed(entity: Entity, values: EntityValues): boolean {
    return this.taken(entity).has(idText(entity, values));
  }

  private taken(entity: Entity): ReadonlySet<string> {
    const roles = this.roles.flatMap(({ entity: own, before, item }) =>
      own === entity ? [before, item].flatMap((one) => one ?? []) : [],
    );
    const others = [...this.support, ...this.absent].flatMap((one) =>
      one.entity === entity ? [one.values] : [],
    );
    return idsOf(entity, [...roles, ...others]);
  }

  /** A new entity with all attributes that one can have; `keep` are attributes that stay as they are in `base` or `values`. */
  private fresh(
    entity: Entity,
    base?: EntityValues,
    keep: ReadonlySet<string> = new Set(),
    values: EntityValues = new Map(),
  ): Map<string, AttributeValue> | undefined {
    const known = this.context.entitiesOf(entity.name);
    const [fullest] = known.toSorted((a, b) => b.size - a.size);
    const like = base ?? fullest;
    if (like === undefined) return undefined;
    const item = new Map([...like, ...values]);
    for (const attribute of entity.attributes.values()) {
      const { name } = attribute;
      if (item.has(name)) continue;
      item.set(name, known.find((one) => one.has(name))?.get(name) ?? plainValue(attribute));
    }
    const isNew = makeNew(this.context.making, entity, item, known, {
      keep,
      taken: this.taken(entity),
    });
    return isNew ? item : undefined;
  }

  /** An entity like another one that meets the conditions; ids and unique values stay, unless a condition decides them. */
  private solve(
    entity: Entity,
    where: readonly Predicate[],
    like: EntityValues,
    fails: ReadonlySet<Predicate>,
  ): Solution | undefined {
    const item = new Map(like);
    for (const one of where) {
      const [operand] = one.operands;
      if (one.operator !== "equals" || operand?.kind !== "parameter" || fails.has(one)) continue;
      const [value] = this.parameters.get(operand.name) ?? [];
      if (value !== undefined) item.set(one.attribute, value);
    }
    const isFixed = ([name]: readonly [string, AttributeValue]): boolean => {
      const own = where.filter(({ attribute }) => attribute === name);
      if (own.length === 0) return true;
      const isPart = entity.id.includes(name) || entity.attributes.get(name)?.unique === true;
      return isPart && own.every((one) => isNaming(one) && !fails.has(one));
    };
    const fixed = new Set([...item].filter(isFixed).map(([name]) => name));
    return solve({
      entity,
      like: item,
      known: this.context.entitiesOf(entity.name),
      where,
      fails,
      fixed,
      pinned: pinnedIn(this.context),
      parameters: this.parameters,
    });
  }

  /** Parameters for new values, which differ from the old ones. */
  private tellChanges({ action, entity, before }: Role): void {
    const parameters = new Map(this.parameters);
    for (const { attribute: name, to } of action.changes) {
      if (to.kind !== "parameter" || parameters.has(to.name)) continue;
      const value = otherValueOf(this.context, entity, name, before?.get(name));
      if (value !== undefined) parameters.set(to.name, [value]);
    }
    for (const name of action.appends) {
      if (!parameters.has(name)) parameters.set(name, [elementsToAppend(entity, name)]);
    }
    this.parameters = parameters;
  }

  /** What an entity is embedded in, and what has an aggregate of it, before the write and after it. */
  private addSupport({ action, entity, before, item }: Role): void {
    const { right, plan } = this.context.job;
    const pattern: Pattern = right.model.patterns.get(plan.pattern.id) ?? plan.pattern;
    const after =
      item ?? (before && changedValues(action, entity, this.parameters, before)) ?? before;
    for (const values of [before, after]) {
      if (values === undefined) continue;
      const host = hostOf(right, entity.name);
      if (host !== undefined) {
        const pairs = host.links.map((one) => ({ own: one.own, other: one.host }));
        this.addOwner(host.entity, pairs, values);
      }
      for (const { into } of keptBy(right.model, pattern, entity.name)) {
        const holder = this.context.entity(into.entity);
        if (holder === undefined) continue;
        this.addOwner(holder, pairsBetween(right.model, entity, holder), values);
      }
    }
  }

  private addOwner(
    owner: Entity,
    pairs: readonly { readonly own: string; readonly other: string }[],
    values: EntityValues,
  ): void {
    if (pairs.some(({ own }) => !values.has(own))) return;
    const roles = this.roles.filter((one) => one.entity === owner);
    const all = [
      ...roles.flatMap(({ before, item }) => [before, item].flatMap((one) => one ?? [])),
      ...this.support.flatMap((one) => (one.entity === owner ? [one.values] : [])),
    ];
    if (all.some((one) => belongsTo(pairs, values, one))) return;
    const linked = new Map(
      pairs.flatMap(({ own, other }) => {
        const value = values.get(own);
        return value === undefined ? [] : [[other, value] as const];
      }),
    );
    const made = this.fresh(owner, undefined, new Set(linked.keys()), linked);
    if (made !== undefined) this.support.push({ entity: owner, values: made });
  }
}

function isNaming({ operator, operands }: Predicate): boolean {
  return operator === "equals" && operands[0]?.kind === "parameter";
}

/** Another value that the model allows. */
export function otherValueOf(
  context: WitnessContext,
  entity: Entity,
  name: string,
  own: AttributeValue | undefined,
): AttributeValue | undefined {
  const attribute = entity.attributes.get(name);
  if (attribute === undefined) return undefined;
  const isOther = (one: AttributeValue): boolean => JSON.stringify(one) !== JSON.stringify(own);
  const like = new Map(own === undefined ? [] : [[name, own]]);
  const known = context.matching(entity, name, [], like, new Map()).find(isOther);
  if (known !== undefined && !attribute.unique) return known;
  const base = own ?? known ?? plainValue(attribute);
  const drawn = Array.from({ length: 20 }, () =>
    otherValue(attribute, base, context.making.random),
  );
  return drawn.find(isOther) ?? own;
}
