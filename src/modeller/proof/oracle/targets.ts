/** What a step names: the parameters of each thing, and the entities that they find. */
import type { Model } from "../../../model/model.ts";
import type { Action, Entity, Operand, Predicate } from "../../../model/requirements.ts";
import { foldedIn, inOneCase, lowered } from "./case.ts";
import { askFor } from "./meaning.ts";
import type { EntityValues, Parameters } from "./state.ts";

/** The parameters of each thing that a step names: alternatives of an id, with lists of values that something equals zipped. */
export function questionsOf(
  { where }: Action,
  { id }: Entity,
  parameters: Parameters,
): readonly Parameters[] {
  const alternatives = where.flatMap(({ attribute, operator, operands }) =>
    operator === "one-of" && id.includes(attribute)
      ? operands.flatMap((one) => listed(one, parameters))
      : [],
  );
  return alternatives
    .reduce<readonly Parameters[]>(
      (all, name) =>
        all.flatMap((one) =>
          (parameters.get(name) ?? []).map((value) => new Map(one).set(name, [value])),
        ),
      [parameters],
    )
    .flatMap((one) => zippedQuestions(where, one));
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
