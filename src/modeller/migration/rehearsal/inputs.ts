import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Pattern } from "../../../model/requirements.ts";
import type { Plan } from "../../plans/plan.ts";
import { parametersFor } from "../../proof/parameters.ts";
import { writeInputs } from "../../proof/write-inputs.ts";
import type { Given } from "../../requests/given.ts";
import { holds } from "../../values/holds.ts";
import type { EntityValues } from "../../values/render-key.ts";
import type { Side } from "./side.ts";
import { type World, writingOf } from "./world.ts";

/** Values for attributes that only the new document has, by entity. */
export type Pools = ReadonlyMap<string, ReadonlyMap<string, readonly AttributeValue[]>>;

/** What a caller of a write hands in, with entities that there are. */
export function givenFor(
  world: World,
  side: Side,
  pattern: Pattern,
  pools: Pools,
): Given | undefined {
  const state = world.ledger.some(side, world.random);
  const given = writeInputs(side.facts, pattern, state, world.random, writingOf(world));
  if (given === undefined || side.which === "old" || pools.size === 0) return given;
  const items = new Map<string, readonly EntityValues[]>();
  const completed = (entity: string): readonly EntityValues[] => {
    const known = items.get(entity) ?? given.items(entity).map((one) => complete(entity, one));
    items.set(entity, known);
    return known;
  };
  const complete = (entity: string, one: EntityValues): EntityValues => {
    const values = new Map(one);
    for (const [name, pool] of pools.get(entity) ?? []) {
      const drawn = pool[world.random.below(pool.length)];
      if (!values.has(name) && drawn !== undefined) values.set(name, drawn);
    }
    return values;
  };
  return { ...given, items: completed };
}

/** What a caller of a read asks for: something that there is, and that the plan can find. */
export function askedOf(world: World, side: Side, plan: Plan): Given | undefined {
  const { pattern } = plan;
  const [action] = pattern.actions;
  if (action === undefined) return undefined;
  const draw = (): EntityValues | undefined => {
    const one = world.ledger.store.pick(side.common(action.entity), world.random);
    return one && side.toOwn(action.entity, one);
  };
  for (let round = 0; round < 20; round += 1) {
    const chosen = draw();
    if (chosen === undefined || !isFindable(plan, chosen)) continue;
    const others = [draw(), draw(), draw()].flatMap((one) =>
      one !== undefined && isFindable(plan, one) ? [one] : [],
    );
    return {
      parameters: parametersFor(pattern, action, chosen, others),
      items: () => [],
      writing: writingOf(world),
    };
  }
  return undefined;
}

/** An index that leaves items out cannot be asked for them. */
function isFindable({ pattern, requests }: Plan, values: EntityValues): boolean {
  const [action] = pattern.actions;
  return requests.every((request) => {
    if (request.kind !== "read" || request.record.entity.name !== action?.entity) return true;
    const { record, index } = request;
    const membership = record.memberships.find((one) => one.index === index);
    return membership === undefined || holds(membership.only, record.entity, values);
  });
}
