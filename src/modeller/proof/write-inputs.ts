import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { equalValues } from "../../item/compare.ts";
import type {
  Action,
  Attribute,
  Condition,
  Entity,
  Operand,
  Pattern,
  Predicate,
} from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { addedToId } from "../key-identity.ts";
import { linkOf } from "../plans/links.ts";
import { type Given, passes } from "../requests/given.ts";
import { toldOf } from "../values/embedded.ts";
import { referencesOf } from "../values/references.ts";
import type { EntityValues, Writing } from "../values/render-key.ts";
import { swapped } from "./folding.ts";
import { hostOf, roomyHosts } from "./hosted.ts";
import {
  type Identity,
  idsOf,
  idText,
  makeNew,
  otherValue,
  plainValue,
  versionOf,
} from "./identity.ts";
import { foldedIn, inOneCase } from "./oracle/case.ts";
import type { State } from "./oracle/state.ts";
import { parametersFor } from "./parameters.ts";
import type { Inputs } from "./trial.ts";

/**
 * What a write is tried with. `fitting`: what it is for. The others have to be refused: `taken` creates what is there,
 * `doubled` gives something new a value that has to be unique and is not, `missing` changes what is not there, `unfit`
 * what its condition does not allow.
 */
export type Aim = "fitting" | "taken" | "doubled" | "missing" | "unfit";

export const refusedAims: readonly Aim[] = ["taken", "doubled", "missing", "unfit"];

/** What a write pattern is handed; nothing if there is no such input. `part` is that of an id which alone is new. */
export function inputsFor(
  facts: Facts,
  pattern: Pattern,
  state: State,
  random: SeededRandom,
  aim: Aim,
  { choose = drawing(random), part = -1 }: { choose?: Choose | undefined; part?: number } = {},
): Inputs | undefined {
  return new Making(facts, pattern, state, random, aim, choose, part).inputs();
}

/** One of a list that fits, or nothing if none does. */
export type Choose = (
  list: readonly EntityValues[],
  purpose: "like" | "target" | "value",
  fits: (one: EntityValues) => boolean,
) => EntityValues | undefined;

function drawing(random: SeededRandom): Choose {
  return (list, _, fits) => {
    const fitting = list.filter(fits);
    return fitting[random.below(fitting.length)];
  };
}

const always = (): boolean => true;

/** What a write pattern is handed, so that it does what it is for. Entities are drawn, if nobody chooses them. */
export function writeInputs(
  facts: Facts,
  pattern: Pattern,
  state: State,
  random: SeededRandom,
  writing: Writing,
  choose?: Choose,
): Given | undefined {
  const inputs = inputsFor(facts, pattern, state, random, "fitting", { choose });
  return (
    inputs && {
      parameters: inputs.parameters,
      items: (entity) => inputs.items.get(entity) ?? [],
      writing,
    }
  );
}

const nothing: Given = {
  parameters: new Map(),
  items: () => [],
  writing: { shard: () => 0, now: 0 },
};

class Making {
  private readonly facts: Facts;
  private readonly pattern: Pattern;
  private readonly state: State;
  private readonly random: SeededRandom;
  private readonly making: Identity;
  private readonly to: Aim;
  /** The part of an id in which something new differs from what there is; in all, if there is no such part. */
  private readonly part: number;
  private readonly choose: Choose;
  /** Of several entities that are created, the one that is not new. */
  private victim: string | undefined;
  private readonly parameters = new Map<string, readonly AttributeValue[]>();
  private readonly items = new Map<string, Map<string, AttributeValue>[]>();

  constructor(
    facts: Facts,
    pattern: Pattern,
    state: State,
    random: SeededRandom,
    aim: Aim,
    choose: Choose,
    part: number,
  ) {
    this.to = aim;
    this.part = part;
    this.choose = choose;
    this.facts = facts;
    this.pattern = pattern;
    this.state = state;
    this.random = random;
    this.making = { facts, references: referencesOf(facts.model), random };
  }

  inputs(): Inputs | undefined {
    const { pattern } = this;
    const created = pattern.actions.filter(({ kind }) => kind === "create");
    if (created.length === 0 && (this.to === "taken" || this.to === "doubled")) {
      if (this.to === "taken" || !this.changesUnique()) return undefined;
    }
    this.victim = created[this.random.below(created.length)]?.entity;
    for (const action of created) {
      if (!this.create(action.entity, this.countOf(action), action.condition)) return undefined;
    }
    for (const { entity } of pattern.actions[0]?.kind === "create" ? pattern.with : []) {
      this.create(entity, 2);
    }
    for (const action of pattern.actions) {
      // What follows from another action asks for nothing of its own.
      if (action.kind !== "create" && !action.follows && !this.aim(action)) return undefined;
    }
    if (this.to === "missing" && !this.miss() && !created.some(isReplacing)) return undefined;
    return { parameters: this.parameters, items: this.items };
  }

  private countOf({ average }: Action): number {
    return Math.max(1, Math.round(average.value * Math.min(3, this.pattern.batch?.value ?? 1)));
  }

  private changesUnique(): boolean {
    return this.pattern.actions.some(({ entity, changes }) =>
      changes.some(
        ({ attribute }) => this.facts.model.entities.get(entity)?.attributes.get(attribute)?.unique,
      ),
    );
  }

  /** The ids that the parameters of one action name become those of nothing. */
  private miss(): boolean {
    const named = this.pattern.actions.flatMap(({ entity: name, where, kind }) => {
      const entity = this.facts.model.entities.get(name);
      if (entity === undefined || kind === "create") return [];
      return where.flatMap(({ attribute, operator, operands: [operand] }) => {
        const described = entity.attributes.get(attribute);
        if (operator !== "equals" || operand?.kind !== "parameter") return [];
        if (described === undefined || !entity.id.includes(attribute)) return [];
        return [{ described, parameter: operand.name }];
      });
    });
    const one = named[this.random.below(named.length)];
    if (one === undefined) return false;
    const { described, parameter } = one;
    const values = this.parameters.get(parameter) ?? [];
    this.parameters.set(
      parameter,
      values.map((value) => otherValue(described, value, this.random)),
    );
    return true;
  }

  /** New entities like those there are, with other ids, and belonging to what is created with them. */
  private create(name: string, count: number, condition?: Condition): boolean {
    const entity = this.facts.model.entities.get(name) as Entity;
    const list = this.items.get(name) ?? [];
    this.items.set(name, list);
    for (let i = 0; i < count; i += 1) {
      const replaces = needsItem(condition);
      const like = this.choose(
        this.state.get(name) ?? [],
        "like",
        (one) =>
          !replaces || (!this.isNamed(entity, one) && this.isAllowed(entity, condition, one)),
      );
      if (like === undefined) return false;
      const item = new Map(like);
      for (const [other, made] of this.items) {
        const [owner] = made;
        const parent = this.facts.model.entities.get(other) as Entity;
        if (other === name || owner === undefined) continue;
        for (const [theirs, binding] of linkOf(this.facts, parent, entity, [], new Map(), 0)) {
          const value = binding.kind === "result" ? owner.get(binding.attribute) : undefined;
          if (value !== undefined) item.set(theirs, value);
        }
      }
      if (!this.enter(entity, item)) return false;
      if (this.part >= 0) this.fill(entity, item);
      if (replaces) this.tellCondition(entity, condition, like);
      const isTaken = replaces
        ? this.to !== "missing"
        : this.to === "taken" && name === this.victim;
      if (isTaken) this.take(entity, item);
      else this.renew(entity, item, list, like);
      this.name(entity, item);
      // A request names an item once.
      if (list.every((one) => idText(entity, one) !== idText(entity, item))) list.push(item);
    }
    return true;
  }

  /** What lies inside of another entity belongs to one that is made with it, or that is there. */
  private enter(entity: Entity, item: Map<string, AttributeValue>): boolean {
    const host = hostOf(this.facts, entity.name);
    const [made] = this.items.get(host?.entity.name ?? "") ?? [];
    if (host === undefined || (this.to === "taken" && made === undefined)) return true;
    const owner = made ?? this.choose(roomyHosts(host, entity, this.state), "value", always);
    if (owner === undefined) return false;
    for (const [name, value] of toldOf(host, owner)) item.set(name, value);
    return true;
  }

  /** Some of what is missing is taken from others. */
  private fill(entity: Entity, item: Map<string, AttributeValue>): void {
    const all = this.state.get(entity.name) ?? [];
    for (const { name, present } of entity.attributes.values()) {
      if (item.has(name) || present.value === 1 || this.random.unit() < 0.4) continue;
      const value = this.choose(all, "value", (one) => one.has(name))?.get(name);
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
    const part = entity.id.length < 2 ? undefined : entity.id[this.part];
    const isNumbered = versionOf(this.facts, entity.name) !== undefined;
    const inside = hostOf(this.facts, entity.name)?.links.map(({ own }) => own) ?? [];
    const keep = new Set(
      part === undefined || inside.includes(part) || isNumbered
        ? inside
        : entity.id.filter((one) => one !== part),
    );
    const before = this.state.get(entity.name) ?? [];
    const ids = knownIds(entity, before);
    const made = new Set(list.map((one) => idText(entity, one)));
    const options = {
      taken: { has: (id: string) => ids.has(id) || made.has(id) },
      choose: () => this.choose(before, "value", always),
    };
    const all = list.length === 0 ? before : [...before, ...list];
    const isNew = makeNew(this.making, entity, item, all, { ...options, keep });
    if (!isNew) makeNew(this.making, entity, item, all, { ...options, keep: new Set(inside) });
    if (this.to !== "doubled" || entity.name !== this.victim) return;
    const name = this.oneUnique(entity);
    const value = name === undefined ? undefined : like.get(name);
    if (name !== undefined && value !== undefined)
      item.set(name, this.inOtherCase(entity, name, value));
  }

  /**
   * The same id, in another case if that makes no difference, with unique values of its own. All else is another one's, now
   * and then, unless it belongs to the id: the id is taken, whatever is stored beside it.
   */
  private take(entity: Entity, item: Map<string, AttributeValue>): void {
    const { model } = this.facts;
    const all = this.state.get(entity.name) ?? [];
    const free = addedToId(model, entity, [...entity.attributes.keys()]);
    for (const attribute of entity.attributes.values()) {
      const { name, unique } = attribute;
      const value = item.get(name);
      if (value === undefined) continue;
      if (entity.id.includes(name)) item.set(name, this.inOtherCase(entity, name, value));
      else if (unique) item.set(name, otherValue(attribute, value, this.random));
      else if (free.includes(name) && this.random.unit() < 0.5) {
        const other = this.choose(all, "value", (one) => one.has(name))?.get(name);
        if (other !== undefined) item.set(name, other);
      }
    }
  }

  private oneUnique(entity: Entity): string | undefined {
    const names = [...entity.attributes.values()].flatMap(({ name, unique }) =>
      unique && !entity.id.includes(name) ? [name] : [],
    );
    return names[this.random.below(names.length)];
  }

  private inOtherCase(entity: Entity, name: string, value: AttributeValue): AttributeValue {
    return this.folded(entity).has(name) ? swapped(value) : value;
  }

  /** Parameters for what an action changes: something that there is and that its condition allows. */
  private aim(action: Action): boolean {
    const entity = this.facts.model.entities.get(action.entity) as Entity;
    const { condition, where } = action;
    const all = this.state.get(action.entity) ?? [];
    const targets: EntityValues[] = [];
    const count = this.countOf(action);
    for (let i = 0; i < count * 4 && targets.length < count; i += 1) {
      const [first] = targets;
      const at = targets.length;
      const target = this.choose(
        all,
        "target",
        (values) =>
          !this.isNamed(entity, values) &&
          this.isMeant(entity, action, values, at) &&
          (first === undefined || isLike(action, first, values)) &&
          this.isAllowed(entity, condition, values) &&
          this.belongs(action, values),
      );
      if (target === undefined) break;
      if (first === undefined) this.tellCondition(entity, condition, target);
      targets.push(target);
      this.name(entity, target);
    }
    if (targets.length === 0 && !this.follow(action, targets)) return false;
    this.tellWhere(entity, where, targets);
    if (this.to === "unfit") this.spoil(entity, action, all);
    if (condition?.kind === "absent" && this.to !== "unfit") this.lose(entity, where);
    for (const { attribute, to } of action.changes) {
      const described = entity.attributes.get(attribute) as Attribute;
      const like = this.choose(all, "value", (one) => one.has(attribute))?.get(attribute);
      this.tellNew(to, this.newValue(described, like));
    }
    for (const attribute of action.appends)
      this.parameters.set(attribute, [more(entity, attribute)]);
    return true;
  }

  /** A transaction names an item once. */
  private readonly named = new Set<string>();

  private isNamed(entity: Entity, values: EntityValues): boolean {
    return this.named.has(this.nameOf(entity, values));
  }

  private name(entity: Entity, values: EntityValues): void {
    this.named.add(this.nameOf(entity, values));
  }

  private nameOf(entity: Entity, values: EntityValues): string {
    return `${entity.name} ${idText(entity, inOneCase(values, this.folded(entity)))}`;
  }

  /** Whether an entity can be what an action names: parameters that are told already name it, and others can. */
  private isMeant(entity: Entity, { where }: Action, values: EntityValues, at: number): boolean {
    return where.every((predicate) => {
      const [operand] = predicate.operands;
      const told = operand?.kind === "parameter" ? this.parameters.get(operand.name) : undefined;
      if (predicate.operator === "equals" && told !== undefined && this.to !== "unfit") {
        const own = JSON.stringify(values.get(predicate.attribute));
        return JSON.stringify(told[Math.min(at, told.length - 1)]) === own;
      }
      return this.canHold(entity, predicate, values);
    });
  }

  /** Whether the condition of an action allows it, or can. */
  private isAllowed(
    entity: Entity,
    condition: Condition | undefined,
    values: EntityValues,
  ): boolean {
    if (this.to === "unfit") return true;
    if (condition?.kind === "version") {
      const told = this.parameters.get(condition.attribute)?.[0];
      const own = values.get(condition.attribute);
      return own !== undefined && (told === undefined || equalValues(told, own));
    }
    return (
      condition?.kind !== "where" ||
      condition.predicates.every((one) => this.canHold(entity, one, values))
    );
  }

  /** Whether a predicate holds for an entity, or does with parameters that are still to be told. */
  private canHold(entity: Entity, predicate: Predicate, values: EntityValues): boolean {
    const isKnown = predicate.operands.every(
      (one) => one.kind === "constant" || this.parameters.has(one.name),
    );
    const given = { ...nothing, parameters: this.parameters };
    return isKnown
      ? this.to === "unfit" || passes(given, entity.attributes, [predicate], values)
      : values.has(predicate.attribute);
  }

  private tellCondition(
    entity: Entity,
    condition: Condition | undefined,
    target: EntityValues,
  ): void {
    if (condition?.kind === "version") {
      const { attribute } = condition;
      const own = target.get(attribute) ?? { N: "1" };
      const stale = "N" in own ? { N: String(Number(own.N) + 1) } : own;
      this.parameters.set(attribute, [this.to === "unfit" ? stale : own]);
    }
    if (condition?.kind === "where") this.tellAll(entity, condition.predicates, [target]);
  }

  /** Parameters with which predicates hold for the first of some entities; those that are told stay. */
  private tellAll(
    entity: Entity,
    where: readonly Predicate[],
    [target = new Map(), ...others]: readonly EntityValues[],
  ): void {
    const pattern = { ...this.pattern, batch: undefined };
    const told = parametersFor(pattern, { where }, target, others, entity.attributes);
    for (const [name, values] of told) {
      if (!this.parameters.has(name)) this.parameters.set(name, values);
    }
  }

  /** What something equals has a value for each target; the rest is the same for all. */
  private tellWhere(
    entity: Entity,
    where: readonly Predicate[],
    targets: readonly EntityValues[],
  ): void {
    const isOneOf = where.some(({ operator }) => operator === "one-of");
    for (const { attribute, operator, operands } of isOneOf ? [] : where) {
      const [operand] = operands;
      if (operator !== "equals" || operand?.kind !== "parameter") continue;
      const values = targets.flatMap((one) => one.get(attribute) ?? []);
      this.parameters.set(operand.name, this.inSomeCase(entity, attribute, values));
    }
    this.tellAll(entity, where, targets);
  }

  /** What is asked of one attribute is another one's. */
  private spoil(
    entity: Entity,
    { where, condition }: Pick<Action, "where" | "condition">,
    all: readonly EntityValues[],
  ): void {
    const asked = [...where, ...(condition?.kind === "where" ? condition.predicates : [])].filter(
      ({ attribute }) => !entity.id.includes(attribute),
    );
    const wild = asked[this.random.below(asked.length)];
    if (wild === undefined) return;
    const other = this.choose(all, "value", (one) => one.has(wild.attribute));
    if (other === undefined) return;
    for (const operand of wild.operands) this.parameters.delete(nameOf(operand));
    this.tellAll(entity, [wild], [other]);
  }

  /** Parameters that name what is there name nothing: the last part of the id is another one. */
  private lose({ id, attributes }: Entity, where: readonly Predicate[]): void {
    const predicate = where.findLast(
      ({ attribute, operands: [operand] }) =>
        id.includes(attribute) && operand?.kind === "parameter",
    );
    const [operand] = predicate?.operands ?? [];
    const described = attributes.get(predicate?.attribute ?? "");
    if (operand?.kind !== "parameter" || described === undefined) return;
    const values = this.parameters.get(operand.name) ?? [];
    this.parameters.set(
      operand.name,
      values.map((one) => otherValue(described, one, this.random)),
    );
  }

  /** A part of a key that does not keep its case may be asked for in another one. */
  private inSomeCase(
    entity: Entity,
    name: string,
    values: readonly AttributeValue[],
  ): readonly AttributeValue[] {
    const isAny = entity.id.includes(name) && this.folded(entity).has(name);
    return isAny && this.random.unit() < 0.5 ? values.map(swapped) : values;
  }

  private folded(entity: Entity): ReadonlySet<string> {
    return foldedIn(this.facts.model, entity);
  }

  /** Where nothing belongs to what is created, what is created belongs to something that fits. */
  private follow(action: Action, targets: EntityValues[]): boolean {
    const entity = this.facts.model.entities.get(action.entity) as Entity;
    const target = this.choose(
      this.state.get(action.entity) ?? [],
      "target",
      (values) =>
        !this.isNamed(entity, values) &&
        this.isMeant(entity, action, values, 0) &&
        this.isAllowed(entity, action.condition, values),
    );
    if (target === undefined || action.average.value > 1) return false;
    for (const { attribute } of action.where) {
      const value = target.get(attribute);
      for (const item of [...this.items.values()].flat()) {
        if (value !== undefined && item.has(attribute)) item.set(attribute, value);
      }
    }
    this.tellCondition(entity, action.condition, target);
    targets.push(target);
    return true;
  }

  private newValue(described: Attribute, like: AttributeValue | undefined): AttributeValue {
    if (like === undefined) return plainValue(described);
    if (this.to === "doubled" && described.unique) return like;
    return otherValue(described, like, this.random);
  }

  /** What is created with it names it. */
  private belongs(action: Action, values: EntityValues): boolean {
    for (const { attribute } of action.where) {
      for (const [name, made] of this.items) {
        const value = name === action.entity ? undefined : made[0]?.get(attribute);
        if (value === undefined || action.average.value > 1) continue;
        if (JSON.stringify(value) !== JSON.stringify(values.get(attribute))) return false;
      }
    }
    return true;
  }

  private tellNew(operand: Operand, value: AttributeValue): void {
    const isTold = operand.kind === "parameter" && this.parameters.has(operand.name);
    if (operand.kind === "parameter" && !isTold) this.parameters.set(operand.name, [value]);
  }
}

function nameOf(operand: Operand): string {
  return operand.kind === "parameter" ? operand.name : "";
}

/** Whether a condition on what is created can only hold of an item that there is. */
function needsItem(condition: Condition | undefined): boolean {
  if (condition?.kind !== "where")
    return condition?.kind === "exists" || condition?.kind === "version";
  return condition.predicates.some(({ operator, exists }) => operator !== "exists" || exists);
}

function isReplacing({ condition }: Action): boolean {
  return needsItem(condition);
}

/** Whether two entities can be named together: they differ only where there is a list of values. */
function isLike({ where }: Action, first: EntityValues, values: EntityValues): boolean {
  if (first === values) return false;
  const isOneOf = where.some(({ operator }) => operator === "one-of");
  return where.every(
    ({ attribute, operator }) =>
      operator === "one-of" ||
      operator === "exists" ||
      (operator === "equals" && !isOneOf) ||
      JSON.stringify(first.get(attribute)) === JSON.stringify(values.get(attribute)),
  );
}

const takenIds = new WeakMap<readonly EntityValues[], ReadonlySet<string>>();

/** The ids that are taken; worked out once for a list. */
function knownIds(entity: Entity, list: readonly EntityValues[]): ReadonlySet<string> {
  const known = takenIds.get(list) ?? idsOf(entity, list);
  takenIds.set(list, known);
  return known;
}

function more(entity: Entity, attribute: string): AttributeValue {
  const type = entity.attributes.get(attribute)?.type;
  if (type === "SS") return { SS: ["more"] };
  if (type === "NS") return { NS: ["77"] };
  return type === "BS" ? { BS: ["bW9yZQ=="] } : { L: [{ S: "more" }] };
}
