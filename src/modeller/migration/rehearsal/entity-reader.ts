import type { Action, Entity, Pattern, Predicate } from "../../../model/requirements.ts";
import type { Plan } from "../../plans/plan.ts";
import { planOf } from "../../plans/planner.ts";
import type { Given } from "../../requests/given.ts";
import { runPlan } from "../../requests/run-plan.ts";
import type { EntityValues } from "../../values/render-key.ts";
import type { Side } from "./side.ts";
import { periodsOf, type World, writingOf } from "./world.ts";

const plans = new WeakMap<Side, Map<string, Plan>>();

/** How whole entities are found on a side, by conditions. */
export function wholePlan(side: Side, entity: string, where: readonly Predicate[]): Plan {
  const known = plans.get(side) ?? new Map<string, Plan>();
  plans.set(side, known);
  const key = JSON.stringify([entity, where]);
  const plan = known.get(key) ?? planned(side, entity, where);
  known.set(key, plan);
  return plan;
}

function planned(side: Side, entity: string, where: readonly Predicate[]): Plan {
  const strong = planOf(side.facts, patternFor(side, entity, where, "strong"));
  // What is found through an index cannot be asked for strongly; the conditions of the write see to the rest.
  return strong.problem === undefined
    ? strong
    : planOf(side.facts, patternFor(side, entity, where, "eventual"));
}

function patternFor(
  side: Side,
  entity: string,
  where: readonly Predicate[],
  consistency: Pattern["consistency"],
): Pattern {
  const described = side.model.entities.get(entity) as Entity;
  const action: Action = {
    kind: "read",
    path: described.path,
    entity,
    where,
    order: [],
    limit: "all",
    returns: [...described.attributes.keys()],
    changes: [],
    adds: [],
    appends: [],
    removes: [],
    condition: undefined,
    average: { value: 1, assumed: false },
  };
  return {
    id: "",
    path: described.path,
    name: "",
    story: undefined,
    kind: "read",
    transaction: false,
    actions: [action],
    together: [],
    with: [],
    consistency,
    matches: undefined,
    batch: undefined,
    rps: { average: undefined, peak: undefined },
    latencyMs: undefined,
    writers: undefined,
    scope: [],
    skew: undefined,
    requirements: [],
    considerations: [],
    status: undefined,
    alternative: undefined,
    declined: undefined,
  };
}

/** Conditions that an entity has these values in its id. */
export function idPredicates({ id }: Entity): readonly Predicate[] {
  return id.map((attribute) => ({
    attribute,
    operator: "equals",
    operands: [{ kind: "parameter", name: attribute }],
    exists: true,
  }));
}

/** Whole entities as a side has them stored, under its own names. */
export async function readWhole(
  world: World,
  side: Side,
  entity: string,
  where: readonly Predicate[],
  parameters: Given["parameters"],
): Promise<readonly EntityValues[]> {
  const plan = wholePlan(side, entity, where);
  if (plan.problem !== undefined) return [];
  const given = { parameters, items: () => [], writing: writingOf(world) };
  const { items, consumed } = await runPlan(
    plan,
    given,
    world.ground.execute,
    periodsOf(world, side),
  );
  for (const units of consumed.values()) world.counts.units += units;
  return items;
}

/** The entity with these values in its id, as a side has it stored; under its own names. */
export async function readOne(
  world: World,
  side: Side,
  entity: string,
  values: EntityValues,
): Promise<EntityValues | undefined> {
  const described = side.model.entities.get(entity);
  if (described === undefined) return undefined;
  const parameters = new Map(
    described.id.flatMap((name) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, [value]] as const];
    }),
  );
  if (parameters.size < described.id.length) return undefined;
  const where = idPredicates(described);
  return (await readWhole(world, side, entity, where, parameters))[0];
}
