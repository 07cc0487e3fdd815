/** The steps of a write: those of the document, those that follow from them, and what is created with something. */
import type { Action, Condition, Entity, Predicate } from "../../../model/requirements.ts";
import { withDerivedSteps } from "../oracle/derived-steps.ts";
import type { WitnessContext } from "./context.ts";

const knownSteps = new WeakMap<WitnessContext, readonly Action[]>();

/** The pattern of the document with the steps that follow from it: the same objects each time. */
export function stepsOf(context: WitnessContext): readonly Action[] {
  const steps = knownSteps.get(context) ?? madeSteps(context);
  knownSteps.set(context, steps);
  return steps;
}

function madeSteps({ job }: WitnessContext): readonly Action[] {
  const { model } = job.right;
  const written = model.patterns.get(job.plan.pattern.id) ?? job.plan.pattern;
  const { actions, with: others } = withDerivedSteps(model, written);
  const [main] = actions;
  const created = main?.kind === "create" ? others : [];
  // What is created with something new is new, too.
  const condition = main?.condition?.kind === "absent" ? main.condition : undefined;
  return [...actions, ...created.map(({ entity }) => ({ ...(main as Action), entity, condition }))];
}

/** The conditions on what is there before a step. */
export function conditionsOf({ kind, where, condition }: Action): readonly Predicate[] {
  const named = kind === "create" ? [] : where;
  if (condition?.kind === "where") return [...named, ...condition.predicates];
  return condition?.kind === "version" ? [...named, versionPredicate(condition)] : named;
}

const versionPredicates = new WeakMap<VersionCondition, Predicate>();
type VersionCondition = Extract<Condition, { readonly kind: "version" }>;

/** The predicate of a version condition: the same object each time, as those of other conditions are. */
function versionPredicate(condition: VersionCondition): Predicate {
  const { attribute } = condition;
  const operands = [{ kind: "parameter" as const, name: attribute }];
  const predicate: Predicate = versionPredicates.get(condition) ?? {
    attribute,
    operator: "equals",
    operands,
    exists: true,
  };
  versionPredicates.set(condition, predicate);
  return predicate;
}

/** Whether two steps name the same item: by the same operands for the whole id. */
export function isSameItem({ id }: Entity, one: Action, other: Action): boolean {
  if (one.entity !== other.entity || one.kind === "create" || other.kind === "create") return false;
  const operands = ({ where }: Action): readonly string[] =>
    id.map((name) => {
      const found = where.find(
        ({ attribute, operator }) => attribute === name && operator === "equals",
      );
      return found === undefined ? "" : JSON.stringify(found.operands);
    });
  const [own, others] = [operands(one), operands(other)];
  return own.every((text, i) => text !== "" && text === others[i]);
}

/** Attributes that decide when an item expires, or in which table it is stored. */
export function pinnedIn({ job }: WitnessContext): ReadonlySet<string> {
  const tables = [...(job.right.model.design?.tables.values() ?? [])];
  return new Set(
    tables.flatMap(({ periods, ttl, versioning }) =>
      [periods, ttl, versioning].flatMap((one) => one?.attribute ?? []),
    ),
  );
}
