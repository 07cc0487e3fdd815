/** What a write pattern is tried with: inputs that it is for, and inputs that have to be refused. */
import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Action, Attribute, Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Given } from "../requests/given.ts";
import type { EntityValues, Writing } from "../values/render-key.ts";
import type { State } from "./oracle/state.ts";
import type { Inputs } from "./trial.ts";
import { type Aim, type Choose, WriteContext, type WriteDraw } from "./write-context.ts";
import { needsItem, WriteItems } from "./write-items.ts";
import { WriteParameters } from "./write-parameters.ts";

export type { Aim, Choose } from "./write-context.ts";

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
  return new WriteInputs({ facts, pattern, state, random, aim, choose, part }).inputs();
}

function drawing(random: SeededRandom): Choose {
  return (list, _, fits) => {
    const fitting = list.filter(fits);
    return fitting[random.below(fitting.length)];
  };
}

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

class WriteInputs {
  private readonly context: WriteContext;
  private readonly told: WriteParameters;
  private readonly made: WriteItems;

  constructor(draw: WriteDraw) {
    this.context = new WriteContext(draw);
    this.told = new WriteParameters(this.context);
    this.made = new WriteItems(this.context, this.told);
  }

  inputs(): Inputs | undefined {
    const { pattern } = this.context.draw;
    const created = pattern.actions.filter(({ kind }) => kind === "create");
    if (
      created.length === 0 &&
      (this.context.draw.aim === "taken" || this.context.draw.aim === "doubled")
    ) {
      if (this.context.draw.aim === "taken" || !this.changesUnique()) return undefined;
    }
    this.context.victim = created[this.context.draw.random.below(created.length)]?.entity;
    for (const action of created) {
      if (!this.made.create(action.entity, this.context.countOf(action), action.condition))
        return undefined;
    }
    for (const { entity } of pattern.actions[0]?.kind === "create" ? pattern.with : []) {
      this.made.create(entity, 2);
    }
    for (const action of pattern.actions) {
      // What follows from another action asks for nothing of its own.
      if (action.kind !== "create" && !action.follows && !this.aim(action)) return undefined;
    }
    if (this.context.draw.aim === "missing" && !this.told.miss() && !created.some(isReplacing))
      return undefined;
    return { parameters: this.context.parameters, items: this.context.items };
  }

  private changesUnique(): boolean {
    return this.context.draw.pattern.actions.some(({ entity, changes }) =>
      changes.some(
        ({ attribute }) =>
          this.context.draw.facts.model.entities.get(entity)?.attributes.get(attribute)?.unique,
      ),
    );
  }

  /** Parameters for what an action changes: something that there is and that its condition allows. */
  private aim(action: Action): boolean {
    const entity = this.context.entity(action.entity);
    const { condition, where } = action;
    const all = this.context.all(entity);
    const targets: EntityValues[] = [];
    const count = this.context.countOf(action);
    for (let i = 0; i < count * 4 && targets.length < count; i += 1) {
      const [first] = targets;
      const at = targets.length;
      const target = this.context.draw.choose(
        all,
        "target",
        (values) =>
          !this.context.isNamed(entity, values) &&
          this.told.isMeant(entity, action, values, at) &&
          (first === undefined || isLike(action, first, values)) &&
          this.told.isAllowed(entity, condition, values) &&
          this.belongs(action, values),
      );
      if (target === undefined) break;
      if (first === undefined) this.told.tellCondition(entity, condition, target);
      targets.push(target);
      this.context.name(entity, target);
    }
    if (targets.length === 0 && !this.follow(action, targets)) return false;
    this.told.tellWhere(entity, where, targets);
    if (this.context.draw.aim === "unfit") this.told.spoil(entity, action, all);
    if (condition?.kind === "absent" && this.context.draw.aim !== "unfit")
      this.told.lose(entity, where);
    for (const { attribute, to } of action.changes) {
      const described = entity.attributes.get(attribute) as Attribute;
      const like = this.context.draw
        .choose(all, "value", (one) => one.has(attribute))
        ?.get(attribute);
      this.told.tellNew(to, this.told.newValue(described, like));
    }
    for (const attribute of action.appends)
      this.context.parameters.set(attribute, [elementsToAppend(entity, attribute)]);
    return true;
  }

  /** Where nothing belongs to what is created, what is created belongs to something that fits. */
  private follow(action: Action, targets: EntityValues[]): boolean {
    const entity = this.context.entity(action.entity);
    const target = this.context.draw.choose(
      this.context.all(entity),
      "target",
      (values) =>
        !this.context.isNamed(entity, values) &&
        this.told.isMeant(entity, action, values, 0) &&
        this.told.isAllowed(entity, action.condition, values),
    );
    if (target === undefined || action.average.value > 1) return false;
    for (const { attribute } of action.where) {
      const value = target.get(attribute);
      for (const item of [...this.context.items.values()].flat()) {
        const own = item.get(attribute);
        if (value !== undefined && own !== undefined && isOfOneType(value, own)) {
          item.set(attribute, value);
        }
      }
    }
    this.told.tellCondition(entity, action.condition, target);
    targets.push(target);
    return true;
  }

  /** What is created with it names it. */
  private belongs(action: Action, values: EntityValues): boolean {
    for (const { attribute } of action.where) {
      for (const [name, made] of this.context.items) {
        const value = name === action.entity ? undefined : made[0]?.get(attribute);
        const own = values.get(attribute);
        if (value === undefined || own === undefined || action.average.value > 1) continue;
        if (isOfOneType(value, own) && JSON.stringify(value) !== JSON.stringify(own)) return false;
      }
    }
    return true;
  }
}

/** Attributes of one name may have other types in another entity, and then do not link the two. */
function isOfOneType(a: AttributeValue, b: AttributeValue): boolean {
  return Object.keys(a).join() === Object.keys(b).join();
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

/** Elements for a list or a set. */
export function elementsToAppend(entity: Entity, attribute: string): AttributeValue {
  const type = entity.attributes.get(attribute)?.type;
  if (type === "SS") return { SS: ["more"] };
  if (type === "NS") return { NS: ["77"] };
  return type === "BS" ? { BS: ["bW9yZQ=="] } : { L: [{ S: "more" }] };
}
