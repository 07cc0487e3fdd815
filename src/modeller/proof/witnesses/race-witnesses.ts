/**
 * Races: between the reads and the writes of a pattern, other clients change or delete what it has read, create what it has
 * not found, or take an old unique value. The oracle says what a write may still do then.
 */
import type { Attribute } from "../../../model/requirements.ts";
import { addedToId } from "../../key-identity.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { idsOf, idText } from "../identity.ts";
import type { Parameters, State } from "../oracle/state.ts";
import { questionsOf, targetsOf } from "../oracle/targets.ts";
import type { WitnessContext } from "./context.ts";
import { solve } from "./solve.ts";
import type { RaceWitness } from "./witness.ts";
import { type Change, caseOf, castOf, neighboursOf, otherInAll } from "./write-cases.ts";
import { otherValueOf, type Role } from "./write-cast.ts";
import { conditionsOf, pinnedIn, stepsOf } from "./write-steps.ts";

export function raceWitnesses(context: WitnessContext): readonly RaceWitness[] {
  const cast = readsFirst(context) ? castOf(context) : undefined;
  if (cast === undefined) return [];
  const { state, inputs } = caseOf(context, cast, {});
  const changes = [
    ...cast.roles.flatMap((role) => changesOf(context, role, cast.parameters)),
    ...cast.support.map(({ values }): Change => ({ replaced: new Map([[values, undefined]]) })),
  ];
  return changes.flatMap((change): readonly RaceWitness[] => {
    const { state: changed } = caseOf(context, cast, change);
    if (findsMore(context, state, changed, cast.parameters)) return [];
    return [{ kind: "race", state, inputs, changed }];
  });
}

/** Whether a write waits for an answer before it writes. */
export function readsFirst({ job }: WitnessContext): boolean {
  return job.plan.requests.some(({ kind }) => kind === "read");
}

/** Whether a step is about an entity that it has not read (a phantom): its caller cannot know of it. */
function findsMore(
  context: WitnessContext,
  state: State,
  changed: State,
  parameters: Parameters,
): boolean {
  const { model } = context.job.right;
  return stepsOf(context).some((action) => {
    const entity = context.entity(action.entity);
    if (entity === undefined || action.kind === "create") return false;
    const targetsIn = (all: State): readonly EntityValues[] =>
      questionsOf(action, entity, parameters).flatMap((one) =>
        targetsOf(model, entity, one.action, one.parameters, all.get(entity.name) ?? []),
      );
    const known = idsOf(entity, targetsIn(state));
    return targetsIn(changed).some((one) => !known.has(idText(entity, one)));
  });
}

function changesOf(context: WitnessContext, role: Role, parameters: Parameters): readonly Change[] {
  const { action, entity, before, item } = role;
  if (before === undefined) {
    const others = item === undefined ? [] : [otherInAll(context, entity, item), item];
    return others.map((values) => ({ there: [{ entity, values }] }));
  }
  const gone: Change = { replaced: new Map([[before, undefined]]) };
  // What follows from another step is deleted as it was found.
  if (action.follows) return [gone];
  const [other] = neighboursOf(context, { ...role, item: undefined });
  const changes = [...entity.attributes.values()].flatMap((attribute): readonly Change[] => {
    if (!canChange(context, role, attribute)) return [];
    const { name, unique } = attribute;
    const old = before.get(name);
    return variantsOf(context, role, attribute, parameters).flatMap((values): readonly Change[] => {
      const replaced = new Map([[before, values]]);
      if (!unique || old === undefined || other === undefined) return [{ replaced }];
      const taken = { entity, values: new Map(other.values).set(name, old) };
      return [{ replaced }, { replaced, there: [taken] }];
    });
  });
  return [gone, ...changes];
}

/** Whether another client may change an attribute, and the model reference says what becomes of the write then. */
function canChange(
  context: WitnessContext,
  { action, entity }: Role,
  { name, mutable, copyOf, keeps }: Attribute,
): boolean {
  const isSet = action.changes.some(({ attribute }) => attribute === name);
  // What never changes may be another one's if an id is used again.
  const canDiffer = mutable || addedToId(context.job.right.model, entity, [name]).length > 0;
  const isPlain = canDiffer && copyOf === undefined && keeps === undefined;
  if (entity.id.includes(name) || !(isPlain || isSet) || pinnedIn(context).has(name)) return false;
  // A delete does not look again at what its item was looked up by.
  const isLookedUp = action.where.some(({ attribute }) => attribute === name);
  return action.kind !== "delete" || !isLookedUp;
}

/** An entity with another value of one attribute: one that a condition does not allow, any other, or none. */
function variantsOf(
  context: WitnessContext,
  { action, entity, before = new Map() }: Role,
  { name, isOptional }: Attribute,
  parameters: Parameters,
): readonly EntityValues[] {
  const where = conditionsOf(action);
  const known = context.entitiesOf(entity.name);
  const fixed = new Set([...entity.attributes.keys()].filter((one) => one !== name));
  const pinned = new Set<string>();
  const failing = where
    .filter(({ attribute }) => attribute === name)
    .flatMap((one) => {
      const goal = { entity, like: before, known, where, fixed, pinned, parameters };
      return solve({ ...goal, fails: new Set([one]) })?.values ?? [];
    });
  const other = otherValueOf(context, entity, name, before.get(name));
  const without = new Map([...before].filter(([own]) => own !== name));
  return [
    ...failing,
    ...(other === undefined ? [] : [new Map(before).set(name, other)]),
    ...(isOptional && before.has(name) ? [without] : []),
  ];
}
