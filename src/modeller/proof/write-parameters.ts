/** Parameters with which a write names entities and its conditions hold, or do not. */
import type { AttributeValue } from "../../item/attribute-value.ts";
import { equalValues } from "../../item/compare.ts";
import type {
  Action,
  Attribute,
  Condition,
  Entity,
  Operand,
  Predicate,
} from "../../model/requirements.ts";
import { type Given, passes } from "../requests/given.ts";
import type { EntityValues } from "../values/render-key.ts";
import { swapped } from "./folding.ts";
import { otherValue, plainValue } from "./identity.ts";
import { parametersFor } from "./parameters.ts";
import type { WriteContext } from "./write-context.ts";

const nothing: Given = {
  parameters: new Map(),
  items: () => [],
  writing: { shard: () => 0, now: 0 },
};

export class WriteParameters {
  private readonly context: WriteContext;

  constructor(context: WriteContext) {
    this.context = context;
  }

  /** Whether an entity can be what an action names: parameters that are told already name it, and others can. */
  isMeant(entity: Entity, { where }: Action, values: EntityValues, at: number): boolean {
    return where.every((predicate) => {
      const [operand] = predicate.operands;
      const told =
        operand?.kind === "parameter" ? this.context.parameters.get(operand.name) : undefined;
      if (
        predicate.operator === "equals" &&
        told !== undefined &&
        this.context.draw.aim !== "unfit"
      ) {
        const own = JSON.stringify(values.get(predicate.attribute));
        return JSON.stringify(told[Math.min(at, told.length - 1)]) === own;
      }
      return this.canHold(entity, predicate, values);
    });
  }

  /** Whether the condition of an action allows it, or can. */
  isAllowed(entity: Entity, condition: Condition | undefined, values: EntityValues): boolean {
    if (this.context.draw.aim === "unfit") return true;
    if (condition?.kind === "version") {
      const told = this.context.parameters.get(condition.attribute)?.[0];
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
      (one) => one.kind === "constant" || this.context.parameters.has(one.name),
    );
    const given = { ...nothing, parameters: this.context.parameters };
    return isKnown
      ? this.context.draw.aim === "unfit" || passes(given, entity.attributes, [predicate], values)
      : values.has(predicate.attribute);
  }

  tellCondition(entity: Entity, condition: Condition | undefined, target: EntityValues): void {
    if (condition?.kind === "version") {
      const { attribute } = condition;
      const own = target.get(attribute) ?? { N: "1" };
      const stale = "N" in own ? { N: String(Number(own.N) + 1) } : own;
      this.context.parameters.set(attribute, [this.context.draw.aim === "unfit" ? stale : own]);
    }
    if (condition?.kind === "where") this.tellAll(entity, condition.predicates, [target]);
  }

  /** Parameters with which predicates hold for the first of some entities; those that are told stay. */
  private tellAll(
    entity: Entity,
    where: readonly Predicate[],
    [target = new Map(), ...others]: readonly EntityValues[],
  ): void {
    const pattern = { ...this.context.draw.pattern, batch: undefined };
    const told = parametersFor(pattern, { where }, target, others, entity.attributes);
    for (const [name, values] of told) {
      if (!this.context.parameters.has(name)) this.context.parameters.set(name, values);
    }
  }

  /** What something equals has a value for each target; the rest is the same for all. */
  tellWhere(entity: Entity, where: readonly Predicate[], targets: readonly EntityValues[]): void {
    const isOneOf = where.some(({ operator }) => operator === "one-of");
    for (const { attribute, operator, operands } of isOneOf ? [] : where) {
      const [operand] = operands;
      if (operator !== "equals" || operand?.kind !== "parameter") continue;
      const values = targets.flatMap((one) => one.get(attribute) ?? []);
      this.context.parameters.set(operand.name, this.inSomeCase(entity, attribute, values));
    }
    this.tellAll(entity, where, targets);
  }

  /** What is asked of one attribute is another one's. */
  spoil(
    entity: Entity,
    { where, condition }: Pick<Action, "where" | "condition">,
    all: readonly EntityValues[],
  ): void {
    const asked = [...where, ...(condition?.kind === "where" ? condition.predicates : [])].filter(
      ({ attribute }) => !entity.id.includes(attribute),
    );
    const wild = asked[this.context.draw.random.below(asked.length)];
    if (wild === undefined) return;
    const other = this.context.draw.choose(all, "value", (one) => one.has(wild.attribute));
    if (other === undefined) return;
    for (const operand of wild.operands) this.context.parameters.delete(nameOf(operand));
    this.tellAll(entity, [wild], [other]);
  }

  /** Parameters that name what is there name nothing: the last part of the id is another one. */
  lose({ id, attributes }: Entity, where: readonly Predicate[]): void {
    const predicate = where.findLast(
      ({ attribute, operands: [operand] }) =>
        id.includes(attribute) && operand?.kind === "parameter",
    );
    const [operand] = predicate?.operands ?? [];
    const described = attributes.get(predicate?.attribute ?? "");
    if (operand?.kind !== "parameter" || described === undefined) return;
    const values = this.context.parameters.get(operand.name) ?? [];
    this.context.parameters.set(
      operand.name,
      values.map((one) => otherValue(described, one, this.context.draw.random)),
    );
  }

  /** A part of a key that does not keep its case may be asked for in another one. */
  private inSomeCase(
    entity: Entity,
    name: string,
    values: readonly AttributeValue[],
  ): readonly AttributeValue[] {
    const isAny = entity.id.includes(name) && this.context.folded(entity).has(name);
    return isAny && this.context.draw.random.unit() < 0.5 ? values.map(swapped) : values;
  }

  /** The ids that the parameters of one action name become those of nothing. */
  miss(): boolean {
    const named = this.context.draw.pattern.actions.flatMap(({ entity: name, where, kind }) => {
      const entity = this.context.draw.facts.model.entities.get(name);
      if (entity === undefined || kind === "create") return [];
      return where.flatMap(({ attribute, operator, operands: [operand] }) => {
        const described = entity.attributes.get(attribute);
        if (operator !== "equals" || operand?.kind !== "parameter") return [];
        if (described === undefined || !entity.id.includes(attribute)) return [];
        return [{ described, parameter: operand.name }];
      });
    });
    const one = named[this.context.draw.random.below(named.length)];
    if (one === undefined) return false;
    const { described, parameter } = one;
    const values = this.context.parameters.get(parameter) ?? [];
    this.context.parameters.set(
      parameter,
      values.map((value) => otherValue(described, value, this.context.draw.random)),
    );
    return true;
  }

  newValue(described: Attribute, like: AttributeValue | undefined): AttributeValue {
    if (like === undefined) return plainValue(described);
    if (this.context.draw.aim === "doubled" && described.unique) return like;
    return otherValue(described, like, this.context.draw.random);
  }

  tellNew(operand: Operand, value: AttributeValue): void {
    const isTold = operand.kind === "parameter" && this.context.parameters.has(operand.name);
    if (operand.kind === "parameter" && !isTold) this.context.parameters.set(operand.name, [value]);
  }
}

function nameOf(operand: Operand): string {
  return operand.kind === "parameter" ? operand.name : "";
}
