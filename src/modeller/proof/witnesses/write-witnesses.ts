import type { Action, Pattern } from "../../../model/requirements.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { type Effect, effectOfSteps } from "../oracle/effects.ts";
import type { Inputs } from "../trial.ts";
import { type Aim, type Choose, inputsFor } from "../write-inputs.ts";
import type { WitnessContext } from "./context.ts";
import {
  type Construction,
  impossible,
  type MutantOperator,
  type WriteWitness,
  witnesses,
} from "./witness.ts";
import { differing, type Setting, settingsFor } from "./write-settings.ts";

/**
 * Witnesses for the mutants of writes: for each kind of mistake, entities and inputs for which the oracle expects something else
 * of the wrong pattern than of the right one.
 */

const witnessesMax = 4;
const drawsMax = 12;
const aims: readonly Aim[] = ["fitting", "taken", "doubled", "missing", "unfit"];

/** A change of the pattern that has the effect of the mutant, as far as entities show it. */
type Mistake = (pattern: Pattern, inputs: Inputs) => readonly [Pattern, Inputs];

export function writeWitnesses(context: WitnessContext, operator: MutantOperator): Construction {
  const { pattern } = context.job.plan;
  const mistake = mistakeOf(operator);
  const settings: Setting[] = [];
  const reasons: string[] = [];
  const entityName = "entity" in operator ? operator.entity : "";
  for (const action of pattern.actions) {
    const entity = context.entity(action.entity);
    if (entity === undefined || action.entity !== entityName) continue;
    const { list, reason } = settingsFor(context, action, entity, operator);
    settings.push(...list);
    if (reason !== undefined) reasons.push(reason);
  }
  for (const { entity: name } of pattern.with) {
    const entity = name === entityName ? context.entity(name) : undefined;
    const names = operator.kind === "key" && entity !== undefined ? operator.attributes : [];
    for (const attribute of names.filter((one) => entity?.id.includes(one))) {
      const state = context.stateWith(new Map());
      const twins = entity && { entity, attribute };
      settings.push({ state, targets: [], parameters: new Map(), ...(twins && { twins }) });
    }
  }
  settings.push({
    state: context.stateWith(new Map()),
    targets: [],
    parameters: new Map(),
  });
  const list: WriteWitness[] = [];
  for (const setting of settings) list.push(...tellingInputs(context, setting, mistake));
  const [reason] = reasons;
  return list.length === 0 && reason !== undefined ? impossible(reason) : witnesses(list);
}

/** Inputs for which the mistake shows, according to the oracle. */
function tellingInputs(
  context: WitnessContext,
  { state, targets, parameters, items: made = new Map(), twins }: Setting,
  mistake: Mistake,
): readonly WriteWitness[] {
  const { right, plan } = context.job;
  const { random } = context.making;
  const list: WriteWitness[] = [];
  const choose: Choose = (all, purpose, fits) => {
    const target = targets.find((one) => purpose === "target" && all.includes(one));
    if (target !== undefined) return target;
    const fitting = all.filter(fits);
    return fitting[random.below(fitting.length)];
  };
  const isChosen = targets.length + made.size > 0;
  for (let draw = 0; draw < drawsMax && list.length < witnessesMax; draw += 1) {
    const aim = aims[draw % aims.length] ?? "fitting";
    const part = draw % 3 === 0 ? -1 : draw % 3;
    const drawn = inputsFor(right, plan.pattern, state, random, isChosen ? "fitting" : aim, {
      choose,
      part,
    });
    if (drawn === undefined) continue;
    const inputs = {
      parameters: new Map([...drawn.parameters, ...parameters]),
      items: new Map([...drawn.items, ...made, ...twinsIn(context, drawn, twins)]),
    };
    const after = (pattern: Pattern, given: Inputs): Effect | undefined => {
      const items = (name: string): readonly EntityValues[] => given.items.get(name) ?? [];
      try {
        return effectOfSteps(right.model, pattern, { ...given, items }, state);
      } catch {
        return undefined;
      }
    };
    const expected = after(plan.pattern, inputs);
    if (expected === undefined || expected.kind === "untried") continue;
    if (isSameEffect(expected, after(...mistake(plan.pattern, inputs)))) continue;
    list.push({ kind: "write", state, inputs });
  }
  return list;
}

/** Entities that neither effect changes are the same objects in both states. */
function isSameEffect(a: Effect, b: Effect | undefined): boolean {
  if (a.kind !== "done" || b?.kind !== "done") return a.kind === b?.kind;
  const text = (values: EntityValues | undefined): string => JSON.stringify([...(values ?? [])]);
  return [...a.state].every(([name, list]) => {
    const others = b.state.get(name) ?? [];
    return (
      list.length === others.length &&
      list.every((one, i) => one === others[i] || text(one) === text(others[i]))
    );
  });
}

function twinsIn(
  context: WitnessContext,
  { items }: Inputs,
  twins: Setting["twins"],
): Inputs["items"] {
  if (twins === undefined) return new Map();
  const { entity, attribute } = twins;
  const [first] = items.get(entity.name) ?? [];
  const own = first?.get(attribute);
  const value = own && differing(context, entity, attribute, own);
  if (first === undefined || value === undefined) return new Map();
  const twin = context.withNewUnique(entity, new Map(first).set(attribute, value));
  return new Map([[entity.name, [first, twin]]]);
}

function mistakeOf(operator: MutantOperator): Mistake {
  const changing =
    (change: (action: Action) => readonly Action[]): Mistake =>
    (pattern, inputs) => [
      {
        ...pattern,
        actions: pattern.actions.flatMap((one) =>
          "entity" in operator && one.entity === operator.entity ? change(one) : [one],
        ),
      },
      inputs,
    ];
  switch (operator.kind) {
    case "condition":
      return changing((one) => [{ ...one, condition: undefined }]);
    case "beyond the key":
      return changing((one) => [
        {
          ...one,
          where: one.where.filter(({ attribute }) => !operator.attributes.includes(attribute)),
          condition: undefined,
        },
      ]);
    case "change":
    case "index key":
      return changing((one) => [
        {
          ...one,
          changes: one.changes.filter(({ attribute }) => !operator.attributes.includes(attribute)),
          adds: one.adds.filter(({ attribute }) => !operator.attributes.includes(attribute)),
          appends: one.appends.filter((name) => !operator.attributes.includes(name)),
          removes: one.removes.filter((name) => !operator.attributes.includes(name)),
        },
      ]);
    case "written":
      return (pattern, inputs) => [
        pattern,
        {
          ...inputs,
          items: new Map(
            [...inputs.items].map(([name, list]) => [
              name,
              name === operator.entity
                ? list.map((one) => without(one, operator.attributes))
                : list,
            ]),
          ),
        },
      ];
    // An item that is left out may hold a part of an entity only, so every write that does something may tell.
    default:
      return (pattern, inputs) => [{ ...pattern, actions: [], with: [] }, inputs];
  }
}

function without(values: EntityValues, names: readonly string[]): EntityValues {
  return new Map([...values].filter(([name]) => !names.includes(name)));
}
