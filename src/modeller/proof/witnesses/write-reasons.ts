/** Why a mutant of a write changes nothing that any data could show. Cases are the same for all mutants (`write-cases.ts`). */
import type { Action, Attribute, Entity, Predicate } from "../../../model/requirements.ts";
import type { WitnessContext } from "./context.ts";
import { readsFirst } from "./race-witnesses.ts";
import { holdsFor } from "./solve.ts";
import type { MutantOperator } from "./witness.ts";

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
  if (operator.kind === "index key") return whyNeverIn(context, entity, operator.attributes);
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

/** Why an index never has an entity: what it asks for never holds. */
function whyNeverIn(
  { job }: WitnessContext,
  entity: Entity,
  names: readonly string[],
): string | undefined {
  const asked = job.right
    .itemsOf(entity.name)
    .flatMap(({ memberships }) => memberships.flatMap(({ only }) => only))
    .filter(({ attribute }) => names.includes(attribute));
  const never = asked.find((one) => verdictOn(entity, one) === "never");
  return never && `no ${entity.name} has a value of ${never.attribute} that the index asks for`;
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
