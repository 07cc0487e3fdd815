import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { EntityValues } from "../../values/render-key.ts";
import { limitMax } from "../focus.ts";
import { otherValue } from "../identity.ts";
import type { Question, WitnessContext } from "./context.ts";
import {
  addReason,
  either,
  isFixed,
  moreIn,
  orderOf,
  type Scene,
  sceneFor,
  whyNeverFails,
  whyNoMatch,
  whyOneMatch,
  witnessOf,
} from "./scene.ts";
import { type Construction, impossible, type ReadWitness, witnesses } from "./witness.ts";

/** Witnesses for the mutants of reads: for each kind of mistake, entities of which the wrong read answers others. */

const none: Construction = witnesses([]);

/** One entity that meets everything but one condition. */
export function filterWitnesses(
  context: WitnessContext,
  attribute: string,
  parts: readonly number[],
): Construction {
  const list: ReadWitness[] = [];
  const reasons: string[] = [];
  for (const part of parts) {
    const question = context.question(part);
    if (question === undefined) continue;
    for (const predicate of context.predicatesOf(question)) {
      if (predicate.attribute !== attribute) continue;
      const scene = sceneFor(context, question, { fails: new Set([predicate]) });
      if (scene === undefined) {
        addReason(reasons, whyNeverFails(question, predicate) ?? whyNoMatch(context, question));
        continue;
      }
      const { found } = scene;
      list.push(witnessOf(context, scene, [found.values]));
    }
  }
  return either(list, reasons);
}

/** Two entities that the order tells apart. */
export function directionWitnesses(context: WitnessContext): Construction {
  const { actions, together } = context.job.plan.pattern;
  const list: ReadWitness[] = [];
  const reasons: string[] = [];
  for (const part of [...actions, ...together].keys()) {
    const question = context.question(part);
    if (question === undefined || question.asked.order.length === 0) continue;
    const scene = sceneFor(context, question);
    if (scene === undefined) {
      addReason(reasons, whyNoMatch(context, question));
      continue;
    }
    const { entity } = question;
    const names = orderOf(scene);
    for (const name of names) {
      const few = moreIn(context, scene, 5, [name]);
      const values = new Set(few.map((one) => JSON.stringify(one.get(name))));
      if (values.size > 1) list.push(witnessOf(context, scene, few));
      const isSame = isFixed(scene, names);
      const same = `all ${entity.name} of an answer have the same ${names.join(" and ")}`;
      addReason(reasons, whyOneMatch(context, scene) ?? (isSame ? same : undefined));
    }
  }
  return either(list, reasons);
}

/** One entity more than the limit. */
export function limitWitnesses(context: WitnessContext): Construction {
  const question = context.question(0);
  const limit = question?.asked.limit;
  if (question === undefined || typeof limit !== "number" || limit > limitMax) return none;
  const scene = sceneFor(context, question);
  if (scene === undefined) return noMatch(context, question);
  const reason = whyOneMatch(context, scene);
  if (reason !== undefined) return impossible(reason);
  const { entity } = scene.question;
  const more = moreIn(context, scene, limit + 1, orderOf(scene));
  if (more.length <= limit) {
    const most = mostMatches(context, scene);
    return most !== undefined && most <= limit
      ? impossible(`there are at most ${most} different ids of ${entity.name} for one request`)
      : none;
  }
  return witnesses([witnessOf(context, scene, more)]);
}

function noMatch(context: WitnessContext, question: Question): Construction {
  const reason = whyNoMatch(context, question);
  return reason === undefined ? none : impossible(reason);
}

/** How many ids there can be under the conditions, where all their parts have listed values. */
function mostMatches(context: WitnessContext, scene: Scene): number | undefined {
  const { question, where, found } = scene;
  const { entity } = question;
  let most = 1;
  for (const name of entity.id) {
    if (isFixed(scene, [name])) continue;
    const described = entity.attributes.get(name);
    if (described?.values === undefined && described?.type !== "BOOL") return undefined;
    most *= context.matching(entity, name, where, found.values, new Map()).length;
  }
  return most;
}

/** Two values of which only the second one finds something. */
export function valuesWitnesses(context: WitnessContext): Construction {
  const list: ReadWitness[] = [];
  const { pattern } = context.job.plan;
  for (const part of pattern.actions.keys()) {
    const question = context.question(part);
    const scene = question && sceneFor(context, question);
    if (scene === undefined) continue;
    const {
      question: { entity },
      where,
      found,
    } = scene;
    for (const { attribute, operator, operands } of where) {
      const isSeveral =
        operator === "one-of" || (operator === "equals" && pattern.batch !== undefined);
      const described = entity.attributes.get(attribute);
      const own = found.values.get(attribute);
      if (!isSeveral || described === undefined || own === undefined) continue;
      const known = context.matching(entity, attribute, [], found.values, new Map());
      const other =
        known.find((one) => JSON.stringify(one) !== JSON.stringify(own)) ??
        differentValue(() => otherValue(described, own, context.making.random), own);
      for (const operand of operands) {
        if (operand.kind !== "parameter" || other === undefined) continue;
        const parameters = new Map(found.parameters).set(operand.name, [other, own]);
        list.push(witnessOf(context, scene, [found.values], parameters));
      }
    }
  }
  return witnesses(list);
}

function differentValue(
  draw: () => AttributeValue,
  own: AttributeValue,
): AttributeValue | undefined {
  return Array.from({ length: 20 }, draw).find(
    (one) => JSON.stringify(one) !== JSON.stringify(own),
  );
}

/** One match that has all attributes. */
export function storedWitnesses(
  context: WitnessContext,
  part: number,
  attribute: string,
): Construction {
  const question = context.question(part);
  if (question === undefined) return none;
  const scene = sceneFor(context, question);
  if (scene === undefined) return noMatch(context, question);
  const { values } = scene.found;
  const { entity } = scene.question;
  const isNever = !values.has(attribute);
  if (
    isNever &&
    scene.where.some(
      (one) => one.attribute === attribute && one.operator === "exists" && !one.exists,
    )
  ) {
    return impossible(`a condition asks for ${entity.name} without ${attribute}`);
  }
  return witnesses([witnessOf(context, scene, [values])]);
}

/** Entities that differ in one part of a key alone, one of which is asked for. */
export function keyWitnesses(
  context: WitnessContext,
  entityName: string,
  names: readonly string[],
): Construction {
  const { actions, together } = context.job.plan.pattern;
  const list: ReadWitness[] = [];
  const reasons: string[] = [];
  for (const part of [...actions, ...together].keys()) {
    const question = context.question(part);
    if (question === undefined || question.entity.name !== entityName) continue;
    const scene = sceneFor(context, question);
    if (scene === undefined) {
      addReason(reasons, whyNoMatch(context, question));
      continue;
    }
    const few = moreIn(context, scene, 24, [...names, ...orderOf(scene)]);
    const twins = names.flatMap((name) => twinsOf(context, scene, name));
    list.push(
      witnessOf(context, scene, [scene.found.values, ...twins]),
      witnessOf(context, scene, [...twins, scene.found.values], scene.found.parameters),
      witnessOf(context, scene, few),
    );
    // What is asked for is not there, and another one comes.
    for (const twin of twins) list.push(witnessOf(context, scene, [twin]));
  }
  return either(list, reasons);
}

/** A parent with one child of each kind. */
export function togetherWitnesses(context: WitnessContext): Construction {
  const { actions, together } = context.job.plan.pattern;
  const list = [...together.keys()].flatMap((i): readonly ReadWitness[] => {
    const question = context.question(actions.length + i);
    const scene = question && sceneFor(context, question);
    return scene === undefined ? [] : [witnessOf(context, scene, [scene.found.values])];
  });
  return witnesses(list);
}

/** The same entity with another value of one attribute; a new id, unless that is part of it. */
function twinsOf(context: WitnessContext, scene: Scene, name: string): readonly EntityValues[] {
  const {
    question: { entity },
    found,
    where,
    links,
  } = scene;
  const own = found.values.get(name);
  const described = entity.attributes.get(name);
  if (own === undefined || described === undefined) return [];
  const known = context.matching(entity, name, [], found.values, new Map());
  const others = known.filter((one) => JSON.stringify(one) !== JSON.stringify(own)).slice(0, 3);
  const drawn = differentValue(() => otherValue(described, own, context.making.random), own);
  return [...others, ...(drawn === undefined ? [] : [drawn])].flatMap((value) => {
    if (entity.id.includes(name)) return [new Map(found.values).set(name, value)];
    const without = where.filter(({ attribute }) => attribute !== name);
    const [, twin] = context.moreLike(entity, without, found, 2, {
      fixed: new Map([...links, [name, value]]),
    });
    return twin === undefined ? [] : [new Map(twin).set(name, value)];
  });
}
