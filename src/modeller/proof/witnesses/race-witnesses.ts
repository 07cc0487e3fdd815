import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Entity } from "../../../model/requirements.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { otherValue } from "../identity.ts";
import type { Inputs } from "../trial.ts";
import { inputsFor } from "../write-inputs.ts";
import type { WitnessContext } from "./context.ts";
import { type Construction, impossible, type RaceWitness, witnesses } from "./witness.ts";

/**
 * Witnesses for an owner of a unique value that is not compared. Between the read and the write of one client, two others
 * give the entity another value and its old value to another entity.
 */
export function ownerWitnesses(
  context: WitnessContext,
  entityName: string,
  attribute: string,
): Construction {
  const { pattern } = context.job.plan;
  const entity = context.entity(entityName);
  const [first, second] = context
    .entitiesOf(entityName)
    .filter((one) => one.has(attribute))
    .slice(0, 2);
  const action = pattern.actions.find((one) => one.entity === entityName);
  if (entity === undefined || action === undefined) return witnesses([]);
  const reason = whyNoRace(context, entity, attribute);
  if (reason !== undefined) return impossible(reason);
  const to = action.changes.find((one) => one.attribute === attribute)?.to;
  const old = first?.get(attribute);
  if (to?.kind !== "parameter" || !first || !second || !old) return witnesses([]);
  const described = entity.attributes.get(attribute);
  if (described === undefined) return witnesses([]);
  const fresh = () => otherValue(described, old, context.making.random);
  const [own, between, taken] = [
    inputsAbout(context, first, to.name, fresh()),
    inputsAbout(context, first, to.name, fresh()),
    inputsAbout(context, second, to.name, old),
  ];
  if (!own || !between || !taken) return witnesses([]);
  const state = context.stateWith(new Map());
  const race: RaceWitness = { kind: "race", state, inputs: own, others: [between, taken] };
  return witnesses([race]);
}

/** Why nothing can come between the read and the write of the pattern. */
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

function inputsAbout(
  context: WitnessContext,
  target: EntityValues,
  name: string,
  value: AttributeValue,
): Inputs | undefined {
  const { right, plan, focus } = context.job;
  const { random } = context.making;
  const inputs = inputsFor(right, plan.pattern, focus.state, random, "fitting", {
    choose: (list, purpose, fits) => {
      if (purpose === "target" && list.includes(target)) return target;
      const fitting = list.filter(fits);
      return fitting[random.below(fitting.length)];
    },
  });
  return inputs && { ...inputs, parameters: new Map(inputs.parameters).set(name, [value]) };
}
