import type { Model } from "../../../model/model.ts";
import type { Condition, Entity, Operand, Predicate } from "../../../model/requirements.ts";
import type { Facts } from "../../facts.ts";
import { addedToId } from "../../key-identity.ts";
import { remadeKeys } from "../../plans/index-keys.ts";
import {
  type Changes,
  needsItem,
  type Plan,
  touchedBy,
  type WriteAction,
} from "../../plans/plan.ts";
import { keyAttributes } from "../../plans/stored-changes.ts";
import type { StoredAttribute } from "../../records/record.ts";
import type { MutantOperator } from "../witnesses/witness.ts";
import { actionsIn, changingAction, type Mutant } from "./mutant.ts";

/** What can be wrong with how something is written. */
export function writeMutants(facts: Facts, plan: Plan): readonly Mutant[] {
  const actions = actionsIn(plan);
  const mutants = actions.flatMap((action, place) =>
    mistakesIn(facts, plan, action).map(({ name, operator, change, reason }) => ({
      name,
      place,
      operator,
      model: facts.model,
      requests: changingAction(place, change),
      ...(reason !== undefined && { reason }),
    })),
  );
  // Several actions on one record may differ in what is known of them: a name stands for one mutant.
  return mutants.map(({ place, ...mutant }) => {
    const { name } = mutant;
    const isRepeated = mutants.some((one) => one.name === name && one.place !== place);
    return isRepeated ? { ...mutant, name: `${name} (action ${place + 1})` } : mutant;
  });
}

interface Mistake {
  readonly name: string;
  readonly operator: MutantOperator;
  readonly change: (action: WriteAction) => readonly WriteAction[];
  readonly reason?: string | undefined;
}

function mistakesIn(facts: Facts, plan: Plan, action: WriteAction): readonly Mistake[] {
  const all = actionsIn(plan);
  const { kind, record, because } = action;
  const mistakes: Mistake[] = [];
  const entity = namedEntity(plan, action);
  const add = (
    name: string,
    operator: MutantOperator,
    change: Mistake["change"],
    reason?: string,
  ): void => {
    mistakes.push({ name, operator, change, reason });
  };
  if (all.length > 1) {
    const what = because === undefined ? `the ${kind} of ${record.name}` : `${kind}: ${because}`;
    add(`left out: ${what}`, { kind: "action", entity }, () => []);
  }
  if (kind !== "check" && action.condition !== undefined) {
    add(
      `the condition on ${record.name} is left out`,
      { kind: "condition", entity },
      (one) => [{ ...one, condition: undefined }],
      whyImplied(action, all) ?? whyFound(facts, plan, action) ?? whyTwice(plan, action),
    );
  }
  if (kind !== "check" && action.also.length > 0) {
    const names = action.also.map(({ attribute }) => attribute);
    add(
      `${names.join(", ")} of ${record.name} is not looked at`,
      record.role === "unique"
        ? { kind: "owner", entity, attribute: record.name.slice(record.entity.name.length + 1) }
        : { kind: "beyond the key", entity, attributes: names },
      (one) => [{ ...one, also: [] }],
      whyAsked(action) ?? whyFixed(facts, plan, action),
    );
  }
  if (kind !== "check" && action.equal !== undefined && action.equal.length > 0) {
    add(
      `${action.equal.join(", ")} of ${record.name} is not looked at`,
      { kind: "action", entity },
      (one) => [{ ...one, equal: [] }],
    );
  }
  return [...mistakes, ...changeMistakes(action), ...indexMistakes(action), ...putMistakes(action)];
}

/** The entity that the pattern names: what is written may be the item that it is embedded in. */
function namedEntity({ pattern }: Plan, { record, of }: WriteAction): string {
  const { name } = record.entity;
  return pattern.actions.some((one) => one.entity === name) ? name : of;
}

/** Why the rest of a write asks for the same as its condition. */
function whyImplied(
  { kind, record, condition, also, equal = [], inner }: WriteAction,
  all: readonly WriteAction[],
): string | undefined {
  if (inner !== undefined) return undefined;
  if (condition?.kind === "exists") {
    const asked = also.filter(({ operator, exists }) => operator !== "exists" || exists);
    const there = [...asked.map(({ attribute }) => attribute), ...equal].find((name) =>
      isStored(record, name),
    );
    return there && `the look at ${there} fails as well if there is no item`;
  }
  const asked = predicatesOf(condition);
  if (asked.length > 0 && asked.every((one) => also.some((other) => implies(other, one)))) {
    return sameAttributes;
  }
  if (kind !== "put" || record.role !== "item" || condition?.kind !== "absent") return undefined;
  const unique = record.entity.id.find((name) =>
    all.some(
      (one) =>
        one.record.role === "unique" &&
        one.record.name === `${record.entity.name}.${name}` &&
        one.kind === "put" &&
        one.condition?.kind === "absent",
    ),
  );
  return unique && `${unique} is part of the id and unique, and its own item has to be new`;
}

const sameAttributes = "the request looks at the same attributes anyway";

/** Why the condition of a write asks for all that it looks at beside it. */
function whyAsked({ condition, also, inner }: WriteAction): string | undefined {
  if (inner !== undefined) return undefined;
  const asked = predicatesOf(condition);
  return also.every((one) => asked.some((other) => implies(other, one)))
    ? sameAttributes
    : undefined;
}

function predicatesOf(condition: Condition | undefined): readonly Predicate[] {
  if (condition?.kind === "where") return condition.predicates;
  if (condition?.kind !== "version") return [];
  const { attribute } = condition;
  const operands = [{ kind: "parameter" as const, name: attribute }];
  return [{ attribute, operator: "equals", operands, exists: true }];
}

/** Operators that hold for the same operands whenever another one does. */
const weaker: Partial<Record<Predicate["operator"], readonly Predicate["operator"][]>> = {
  equals: ["at-most", "at-least"],
  less: ["at-most"],
  greater: ["at-least"],
  "begins-with": ["contains"],
};

/** Whether all that meets one predicate meets another one. */
function implies(one: Predicate, other: Predicate): boolean {
  if (one.attribute !== other.attribute) return false;
  if (other.operator === "exists")
    return (one.operator !== "exists" || one.exists) === other.exists;
  const isWeaker =
    one.operator === other.operator || weaker[one.operator]?.includes(other.operator) === true;
  return isWeaker && JSON.stringify(one.operands) === JSON.stringify(other.operands);
}

/** Why another action of the same transaction always writes the same item under the same condition. */
function whyTwice(plan: Plan, action: WriteAction): string | undefined {
  const { record, condition } = action;
  const reads = plan.requests.filter((one) => one.kind === "read");
  const all = plan.requests.flatMap((one) =>
    one.kind === "write" && one.operation === "TransactWriteItems" ? one.actions : [],
  );
  const needed = new Set(all.map((one) => (needsItem(one) ? one.asRead?.request : undefined)));
  // A value that was read by itself is what it was read by, unless the key does not keep case.
  const sourcesOf = ({ bindings }: WriteAction): string => {
    const sources = keyAttributes(record).map((name) => {
      const binding = bindings.get(name);
      const read = binding?.kind === "result" ? reads[binding.request] : undefined;
      const isExact = read?.record.key.every(({ text }) => !/\|(lower|upper)/.test(text.text));
      return binding?.kind === "result" && isExact
        ? (read?.bindings.get(binding.attribute) ?? binding)
        : binding;
    });
    return JSON.stringify(sources);
  };
  const isAlwaysWritten = ({ bindings }: WriteAction): boolean =>
    [...bindings.values()].every((one) => one.kind !== "result" || needed.has(one.request));
  const isTwin = (one: WriteAction): boolean =>
    one !== action &&
    one.record === record &&
    isAlwaysWritten(one) &&
    JSON.stringify(one.condition) === JSON.stringify(condition) &&
    sourcesOf(one) === sourcesOf(action);
  return all.includes(action) && all.some(isTwin)
    ? `the same item of ${record.name} is written with the same condition anyway`
    : undefined;
}

/** Whether an item of one id never has another value of an attribute, also after it was deleted. */
function belongsToId(model: Model, entity: Entity, name: string): boolean {
  return addedToId(model, entity, [name]).length === 0;
}

/** Whether the key of an item comes from a read of the same entity: another entity may name one that is not there. */
function isLookedUp({ requests }: Plan, { record, bindings }: WriteAction): boolean {
  return record.entity.id.some((name) => {
    const binding = bindings.get(name);
    const request = binding?.kind === "result" ? requests[binding.request] : undefined;
    return request?.kind === "read" && request.record.entity.name === record.entity.name;
  });
}

/** Why an item that was looked up still has what it was looked up by: no other client can change it. */
function whyFixed({ model }: Facts, plan: Plan, action: WriteAction): string | undefined {
  const { kind, record, condition, also, inner } = action;
  const isGoneSeen = kind === "delete" || condition !== undefined;
  if (inner !== undefined || !isGoneSeen || !isLookedUp(plan, action)) return undefined;
  const names = [...new Set(also.map(({ attribute }) => attribute))];
  return names.every((name) => belongsToId(model, record.entity, name))
    ? `the item was looked up by ${names.join(" and ")}, which no ${record.entity.name} ever changes`
    : undefined;
}

/** Why an item that the pattern has just found is still there. */
function whyFound({ model }: Facts, plan: Plan, action: WriteAction): string | undefined {
  const { record, condition } = action;
  const { name: own } = record.entity;
  const isDeleted = [...model.patterns.values()].some(({ actions, with: others }) => {
    const deletes = actions.filter(({ kind }) => kind === "delete");
    return deletes.length > 0 && [...deletes, ...others].some(({ entity }) => entity === own);
  });
  const isSimple =
    record.role === "item" && condition?.kind === "exists" && plan.pattern.kind === "write";
  if (!isLookedUp(plan, action) || !isSimple || isDeleted) return undefined;
  return `the pattern has read the item before, and no pattern deletes ${record.entity.name}`;
}

/** Whether an item has the attribute as it is: only then can a condition look at it. */
function isStored({ attributes }: WriteAction["record"], name: string): boolean {
  return attributes.some(
    ({ content }) => content.kind === "attribute" && content.attribute.name === name,
  );
}

/** A change that is forgotten. */
function changeMistakes(action: WriteAction): readonly Mistake[] {
  const { kind, record, changes } = action;
  if (kind !== "update") return [];
  const [only, second] = changes.adds;
  // A change that does nothing else must stay one.
  if (only !== undefined && second === undefined && touchedBy(changes).size === 1) {
    return [
      {
        name: `${only.attribute} of ${record.name} is not added to`,
        operator: { kind: "change", entity: record.entity.name, attributes: [only.attribute] },
        change: (one) => [
          { ...one, changes: { ...one.changes, adds: [{ attribute: only.attribute, amount: 0 }] } },
        ],
      },
    ];
  }
  if (touchedBy(changes).size < 2) return [];
  return [...touchedBy(changes)].map((attribute) => ({
    name: `${attribute} of ${record.name} is not changed`,
    operator: { kind: "change", entity: record.entity.name, attributes: [attribute] },
    change: (one) => [{ ...one, changes: without(one.changes, attribute) }],
    reason: whyUnchanged(action, attribute),
  }));
}

/** Why an attribute has the value already that it gets: the request itself asks for it. */
function whyUnchanged(
  { condition, also, changes, inner, count }: WriteAction,
  name: string,
): string | undefined {
  const to = changes.sets.find(({ attribute }) => attribute === name)?.to;
  if (to?.kind !== "parameter" && to?.kind !== "constant") return undefined;
  // A parameter may then be a list.
  if (inner !== undefined || count > 1) return undefined;
  const asked = condition?.kind === "where" ? [...also, ...condition.predicates] : also;
  const isAsked = asked.some(
    ({ attribute, operator, operands: [operand] }) =>
      attribute === name && operator === "equals" && operand && isOperand(operand, to),
  );
  return isAsked ? `the conditions ask for the value that ${name} gets` : undefined;
}

function isOperand(one: Operand, other: Operand): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function without(changes: Changes, name: string): Changes {
  return {
    sets: changes.sets.filter(({ attribute }) => attribute !== name),
    adds: changes.adds.filter(({ attribute }) => attribute !== name),
    appends: changes.appends.filter((attribute) => attribute !== name),
    removes: changes.removes.filter((attribute) => attribute !== name),
  };
}

/** Keys of indexes that are not made, not made anew, or not taken away. */
function indexMistakes({ kind, record, changes }: WriteAction): readonly Mistake[] {
  if (kind !== "put" && kind !== "update") return [];
  const remade = new Set(remadeKeys(record, changes).map(({ membership }) => membership.index));
  return record.memberships.flatMap(({ index }): readonly Mistake[] => {
    const made = record.attributes.flatMap(({ membership, content }) =>
      membership === index.name && content.kind === "key" ? [content.text] : [],
    );
    if (kind === "put" ? made.length === 0 : !remade.has(index)) return [];
    const what = kind === "put" ? "is not set" : "stays as it was";
    return [
      {
        name: `the key of ${index.name} ${what}`,
        operator: { kind: "index key", entity: record.entity.name, index: index.name },
        change: (one) => [
          {
            ...one,
            record: {
              ...one.record,
              attributes: one.record.attributes.filter((a) => a.membership !== index.name),
              memberships: one.record.memberships.filter((a) => a.index.name !== index.name),
            },
          },
        ],
      },
    ];
  });
}

/** An attribute that is not written with the item. */
function putMistakes({ kind, record }: WriteAction): readonly Mistake[] {
  if (kind !== "put") return [];
  const keys = new Set(record.key.map(({ attribute }) => attribute));
  const plain = record.attributes.filter(
    ({ name, content }) => content.kind === "attribute" && !keys.has(name),
  );
  const lost =
    plain.find(({ content }) => content.kind === "attribute" && !content.attribute.isOptional) ??
    plain[0];
  if (lost === undefined) return [];
  return [
    {
      name: `${lost.name} of ${record.name} is not written`,
      operator: { kind: "written", entity: record.entity.name, attributes: [attributeOf(lost)] },
      change: (one) => [
        {
          ...one,
          record: {
            ...one.record,
            attributes: one.record.attributes.filter(({ name }) => name !== lost.name),
          },
        },
      ],
    },
  ];
}

function attributeOf({ name, content }: StoredAttribute): string {
  return content.kind === "attribute" ? content.attribute.name : name;
}
