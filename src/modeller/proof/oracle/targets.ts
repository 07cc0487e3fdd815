/** What a step names: the parameters of each thing, and the entities that they find. */
import type { Model } from "../../../model/model.ts";
import type { Action, Entity, Operand, Predicate } from "../../../model/requirements.ts";
import { foldedIn, inOneCase, lowered } from "./case.ts";
import { askFor } from "./meaning.ts";
import type { EntityValues, Parameters } from "./state.ts";

/** A step about one thing, with its parameters. */
export interface StepQuestion {
  readonly action: Action;
  readonly parameters: Parameters;
}

/** The things that a step names: alternatives of an id, with lists of values that something equals zipped. */
export function questionsOf(
  action: Action,
  { id }: Entity,
  parameters: Parameters,
): readonly StepQuestion[] {
  const isOpen = ({ attribute, operator }: Predicate): boolean =>
    operator === "one-of" && id.includes(attribute);
  const alternatives = action.where
    .filter(isOpen)
    .reduce<readonly StepQuestion[]>(
      (all, predicate) => all.flatMap((one) => alternativesOf(one, predicate)),
      [{ action, parameters }],
    );
  return alternatives.flatMap((one) =>
    zippedQuestions(one.action.where, one.parameters).map((own) => ({ ...one, parameters: own })),
  );
}

/** A step for each value of a condition: a constant of it, or one of a parameter's values. */
function alternativesOf(
  { action, parameters }: StepQuestion,
  predicate: Predicate,
): readonly StepQuestion[] {
  return predicate.operands.flatMap((operand): readonly StepQuestion[] => {
    const where = action.where.map((one) =>
      one === predicate ? { ...one, operands: [operand] } : one,
    );
    const own = { ...action, where };
    const values = operand.kind === "parameter" ? (parameters.get(operand.name) ?? []) : [];
    if (operand.kind !== "parameter" || values.length < 2) return [{ action: own, parameters }];
    return values.map((value) => ({
      action: own,
      parameters: new Map(parameters).set(operand.name, [value]),
    }));
  });
}

function zippedQuestions(
  where: readonly Predicate[],
  parameters: Parameters,
): readonly Parameters[] {
  const names = where.flatMap(({ operator, operands }) =>
    operator === "equals" ? operands.flatMap((one) => listed(one, parameters)) : [],
  );
  if (names.length === 0) return [parameters];
  const count = Math.min(...names.map((name) => parameters.get(name)?.length ?? 0));
  return Array.from(
    { length: count },
    (_, at) =>
      new Map(
        [...parameters].map(([name, values]) => [
          name,
          names.includes(name) ? values.slice(at, at + 1) : values,
        ]),
      ),
  );
}

function listed(operand: Operand, parameters: Parameters): readonly string[] {
  if (operand.kind !== "parameter") return [];
  return (parameters.get(operand.name) ?? []).length > 1 ? [operand.name] : [];
}

export function targetsOf(
  model: Model,
  entity: Entity,
  { where }: Action,
  parameters: Parameters,
  all: readonly EntityValues[],
): readonly EntityValues[] {
  const folded = foldedIn(model, entity);
  const asked = inCase(where, parameters, folded);
  const isTarget = askFor(entity.attributes, where, asked);
  return all.filter((values) => isTarget(inOneCase(values, folded)));
}

/** Parameters that are compared with what the design does not tell apart by case. */
function inCase(
  where: readonly Predicate[],
  parameters: Parameters,
  folded: ReadonlySet<string>,
): Parameters {
  if (folded.size === 0) return parameters;
  const compared = where.filter(({ attribute }) => folded.has(attribute));
  const names = new Set(
    compared.flatMap(({ operands }) =>
      operands.flatMap((one) => (one.kind === "parameter" ? [one.name] : [])),
    ),
  );
  return new Map(
    [...parameters].map(([name, list]) => [name, names.has(name) ? list.map(lowered) : list]),
  );
}
