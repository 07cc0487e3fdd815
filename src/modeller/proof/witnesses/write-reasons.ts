/** Why a mutant of a write changes nothing that any data could show. Cases are the same for all mutants (`write-cases.ts`). */
import { contradictionIn } from "../../../model/contradiction.ts";
import { attributesOf, type KeyText } from "../../../model/key-text.ts";
import type { Action, Attribute, Entity, Operand, Predicate } from "../../../model/requirements.ts";
import { actionsIn } from "../mutants/mutant.ts";
import { needsOldValues } from "../oracle/effects.ts";
import type { WitnessContext } from "./context.ts";
import { readsFirst } from "./race-witnesses.ts";
import { holdsFor } from "./solve.ts";
import type { MutantOperator } from "./witness.ts";
import { conditionsOf } from "./write-steps.ts";

export function whySame(context: WitnessContext, operator: MutantOperator): string | undefined {
  const entity = "entity" in operator ? context.entity(operator.entity) : undefined;
  const { actions } = context.job.plan.pattern;
  const own = actions.filter((one) => one.entity === entity?.name);
  if (entity === undefined || own.length === 0) return undefined;
  return whySameFor(context, entity, own, operator);
}

function whySameFor(
  context: WitnessContext,
  entity: Entity,
  actions: readonly Action[],
  operator: MutantOperator,
): string | undefined {
  const open = operator.kind === "condition" ? whyOpen(context, entity, actions) : undefined;
  if (open !== undefined) return open;
  const isCondition = operator.kind === "condition" || operator.kind === "beyond the key";
  // Another client may delete what was looked up: then the condition fails.
  if (isCondition && readsFirst(context) && isDeleted(context, entity)) return undefined;
  if (operator.kind === "owner") return whyNoRace(context, entity, operator.attribute);
  if (operator.kind === "condition") {
    const asked = actions.map(({ condition }) =>
      condition?.kind === "where" ? condition.predicates : [],
    );
    return asked.every((one) => one.length > 0) ? whyAlways(entity, asked.flat()) : undefined;
  }
  if (operator.kind === "beyond the key") {
    return whyAlways(
      entity,
      actions.flatMap(({ where }) =>
        where.filter(({ attribute }) => operator.attributes.includes(attribute)),
      ),
    );
  }
  if (operator.kind === "index key") return whyKeyStays(context, entity, actions, operator.index);
  if (operator.kind !== "change") return undefined;
  const [name = "", more] = operator.attributes;
  const attribute = entity.attributes.get(name);
  const isSet = actions.some(({ changes }) => changes.some((one) => one.attribute === name));
  const isSame = more === undefined && isSet && attribute !== undefined;
  const isThere = attribute?.isOptional === false || actions.every((one) => asksFor(one, name));
  return isSame && isThere && hasOneValue(attribute)
    ? `${name} of ${entity.name} has only one value`
    : undefined;
}

/** Why a condition that only the plan has tells nothing: what was read is compared, and a missing item may become anything. */
function whyOpen(
  { job: { plan, right } }: WitnessContext,
  entity: Entity,
  actions: readonly Action[],
): string | undefined {
  const isOpen = actions.every(
    (action) =>
      action.kind === "update" &&
      action.condition === undefined &&
      action.where.every(({ attribute }) => entity.id.includes(attribute)) &&
      !needsOldValues(right.model, plan.pattern, action),
  );
  const isCompared = actionsIn(plan).every(
    ({ record, asRead }) => record.entity !== entity || asRead !== undefined,
  );
  return isOpen && isCompared
    ? "the item is compared with what was read of it, and what becomes of a missing one is left open"
    : undefined;
}

/** Whether a pattern deletes entities of one kind. */
function isDeleted({ job }: WitnessContext, { name }: Entity): boolean {
  return [...job.right.model.patterns.values()].some(
    ({ actions, with: others }) =>
      actions.some((one) => one.kind === "delete" && one.entity === name) ||
      (actions[0]?.kind === "delete" && others.some((one) => one.entity === name)),
  );
}

/** Why no other client can give an old unique value to another entity between the read and the write of a pattern. */
function whyNoRace({ job }: WitnessContext, entity: Entity, attribute: string): string | undefined {
  const { actions } = job.plan.pattern;
  if (actions.some((one) => one.entity === entity.name && one.condition?.kind === "version")) {
    return `the same transaction compares the version of ${entity.name}`;
  }
  const isChanged = [...job.right.model.patterns.values()].some((pattern) =>
    pattern.actions.some(
      (one) =>
        one.entity === entity.name &&
        (one.changes.some((change) => change.attribute === attribute) ||
          one.adds.some((add) => add.attribute === attribute) ||
          one.removes.includes(attribute)),
    ),
  );
  const isGuarded = actions.every(
    (one) => one.entity !== entity.name || one.condition !== undefined,
  );
  if (isChanged || !isGuarded) return undefined;
  return `no pattern changes ${attribute} of ${entity.name}, and the transaction fails if the entity is gone`;
}

function hasOneValue({ type, values }: Attribute): boolean {
  return values?.length === 1 || type === "NULL";
}

/** Whether an action succeeds only where the attribute is there. */
function asksFor({ where, condition }: Action, name: string): boolean {
  const all = condition?.kind === "where" ? [...where, ...condition.predicates] : where;
  return all.some(
    ({ attribute, operator, exists }) => attribute === name && (operator !== "exists" || exists),
  );
}

/** Why predicates hold for every entity that the model allows. */
function whyAlways(entity: Entity, asked: readonly Predicate[]): string | undefined {
  if (asked.length === 0 || !asked.every((one) => verdictOn(entity, one) === "always"))
    return undefined;
  const names = [...new Set(asked.map(({ attribute }) => attribute))].join(" and ");
  return asked.every(({ operator }) => operator === "exists")
    ? `every ${entity.name} has ${names}, so the condition always holds`
    : `the condition holds for all values of ${names}`;
}

/** Why the key of an index need not be written: the item is never in the index, or all that makes the key is as it was. */
function whyKeyStays(
  { job }: WitnessContext,
  entity: Entity,
  actions: readonly Action[],
  index: string,
): string | undefined {
  const records = job.right.itemsOf(entity.name);
  const memberships = records.flatMap((record) =>
    record.memberships.filter((one) => one.index.name === index),
  );
  const only = memberships.flatMap((one) => one.only);
  const writes = actions.filter(({ kind }) => kind === "create" || kind === "update");
  if (writes.length === 0) return undefined;
  const isNeverIn = writes.every(
    (action) =>
      (action.kind === "create" || excluded(entity, [...conditionsOf(action), ...only])) &&
      excluded(entity, only, action),
  );
  if (isNeverIn)
    return `no ${entity.name} that is written is in ${index}, before the write or after it`;
  const namesOf = (texts: readonly KeyText[]): readonly string[] =>
    texts.flatMap((text) => attributesOf(text).map(({ attribute }) => attribute));
  const made = records.flatMap(({ attributes }) =>
    attributes.flatMap(({ membership, content }) =>
      membership === index && content.kind === "key" ? [content.text] : [],
    ),
  );
  const keys = memberships.flatMap(({ partition, sort }) =>
    [...partition, ...sort].map(({ text }) => text),
  );
  const fixed = new Set([...namesOf(made), ...only.map(({ attribute }) => attribute)]);
  const present = new Set(namesOf(keys));
  // What another entity decides changes with that.
  const isOwn = [...fixed, ...present].every((name) => {
    const { keeps, copyOf } = entity.attributes.get(name) ?? {};
    return keeps === undefined && copyOf === undefined;
  });
  const isSame = writes.every(
    (action) =>
      isOwn &&
      action.kind === "update" &&
      [...changedBy(action)].every(
        (name) =>
          !fixed.has(name) &&
          (!present.has(name) || (!action.removes.includes(name) && isThere(entity, action, name))),
      ),
  );
  return isSame ? `the write changes nothing that the key of ${index} is made of` : undefined;
}

function changedBy({ changes, adds, appends, removes }: Action): ReadonlySet<string> {
  const names = [...changes, ...adds].map(({ attribute }) => attribute);
  return new Set([...names, ...appends, ...removes]);
}

function isThere({ attributes }: Entity, action: Action, name: string): boolean {
  return attributes.get(name)?.isOptional === false || asksFor(action, name);
}

/** Whether nothing meets all predicates: no entity at all, or none that an action has changed. */
function excluded(
  { attributes }: Entity,
  predicates: readonly Predicate[],
  action?: Action,
): boolean {
  return predicates.some(({ attribute: name }) => {
    const attribute = attributes.get(name);
    const own = predicates.filter((one) => one.attribute === name);
    if (attribute === undefined) return false;
    if (action?.removes.includes(name)) {
      return own.some(({ operator, exists }) => operator !== "exists" || exists);
    }
    const isTouched = action !== undefined && changedBy(action).has(name);
    const to = action?.changes.find((one) => one.attribute === name)?.to;
    const told = isTouched ? (to === undefined ? [] : [equalTo(name, to)]) : [];
    const asked =
      action === undefined || isTouched || action.kind === "create" ? [] : conditionsOf(action);
    const all = [...own, ...told, ...asked.filter((one) => one.attribute === name)];
    return contradictionIn(attribute, all) !== undefined;
  });
}

function equalTo(attribute: string, operand: Operand): Predicate {
  return { attribute, operator: "equals", operands: [operand], exists: true };
}

/** Whether a predicate holds for every entity that the model allows, or for none; nothing if it depends. */
function verdictOn(
  { attributes, id }: Entity,
  predicate: Predicate,
): "always" | "never" | undefined {
  const attribute = attributes.get(predicate.attribute);
  if (attribute === undefined) return undefined;
  const isThere = !attribute.isOptional || id.includes(attribute.name);
  if (predicate.operator === "exists") {
    return isThere ? (predicate.exists ? "always" : "never") : undefined;
  }
  const isConstant = predicate.operands.every(({ kind }) => kind === "constant");
  if (attribute.values === undefined || !isConstant) return undefined;
  const results = attribute.values.map(({ value }) =>
    holdsFor(
      attribute,
      predicate,
      attribute.type === "N" ? { N: String(value) } : { S: String(value) },
      new Map(),
    ),
  );
  if (results.every((one) => !one)) return "never";
  return isThere && results.every((one) => one) ? "always" : undefined;
}
