import { attributesOf } from "../../../model/key-text.ts";
import type { Operand, Predicate } from "../../../model/requirements.ts";
import type { Facts } from "../../facts.ts";
import { remadeKeys } from "../../plans/index-keys.ts";
import { type Changes, type Plan, touchedBy, type WriteAction } from "../../plans/plan.ts";
import type { StoredAttribute } from "../../records/record.ts";
import type { MutantOperator } from "../witnesses/witness.ts";
import { actionsIn, changingAction, type Mutant } from "./mutant.ts";

/** What can be wrong with how something is written. */
export function writeMutants(facts: Facts, plan: Plan): readonly Mutant[] {
  const actions = actionsIn(plan);
  return actions.flatMap((action, place) =>
    mistakesIn(facts, plan, action).map(({ name, operator, change, reason }) => ({
      name,
      operator,
      model: facts.model,
      requests: changingAction(place, change),
      ...(reason !== undefined && { reason }),
    })),
  );
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
      whyImplied(action, all) ?? whyFound(facts, plan, action),
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
    );
  }
  return [
    ...mistakes,
    ...changeMistakes(plan, action),
    ...indexMistakes(action),
    ...putMistakes(action),
  ];
}

/** The entity that the pattern names: what is written may be the item that it is embedded in. */
function namedEntity({ pattern }: Plan, { record, of }: WriteAction): string {
  const { name } = record.entity;
  return pattern.actions.some((one) => one.entity === name) ? name : of;
}

/** Why the rest of a write asks for the same as its condition. */
function whyImplied(
  { kind, record, condition, also, inner }: WriteAction,
  all: readonly WriteAction[],
): string | undefined {
  if (inner !== undefined) return undefined;
  const isAsked = (one: Predicate): boolean => also.some((other) => isSame(one, other));
  if (condition?.kind === "exists") {
    const there = also.find(
      ({ attribute, operator, exists }) =>
        isStored(record, attribute) && (operator !== "exists" || exists),
    );
    return there && `the look at ${there.attribute} fails as well if there is no item`;
  }
  if (condition?.kind === "where" && condition.predicates.every(isAsked)) {
    return "the request looks at the same attributes anyway";
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

/** Why an item that the pattern has just found is still there. */
function whyFound(
  { model }: Facts,
  plan: Plan,
  { record, condition, bindings }: WriteAction,
): string | undefined {
  const isFound = record.entity.id.some((name) => bindings.get(name)?.kind === "result");
  const isDeleted = [...model.patterns.values()].some(({ actions }) =>
    actions.some(({ kind, entity }) => kind === "delete" && entity === record.entity.name),
  );
  const isSimple =
    record.role === "item" && condition?.kind === "exists" && plan.pattern.kind === "write";
  if (!isFound || !isSimple || isDeleted) return undefined;
  return `the pattern has read the item before, and no pattern deletes ${record.entity.name}`;
}

/** Whether an item has the attribute as it is: only then can a condition look at it. */
function isStored({ attributes }: WriteAction["record"], name: string): boolean {
  return attributes.some(
    ({ content }) => content.kind === "attribute" && content.attribute.name === name,
  );
}

function isSame(one: Predicate, other: Predicate): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A change that is forgotten. */
function changeMistakes(plan: Plan, { kind, record, changes }: WriteAction): readonly Mistake[] {
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
    reason: whyUnchanged(plan, record.entity.name, changes, attribute),
  }));
}

/** Why an attribute has the value already that it gets. */
function whyUnchanged(
  { pattern }: Plan,
  entity: string,
  { sets }: Changes,
  name: string,
): string | undefined {
  const to = sets.find(({ attribute }) => attribute === name)?.to;
  if (pattern.batch !== undefined || (to?.kind !== "parameter" && to?.kind !== "constant")) {
    return undefined;
  }
  const isAsked = pattern.actions.some(({ entity: own, where, condition }) => {
    const all = condition?.kind === "where" ? [...where, ...condition.predicates] : where;
    return (
      own === entity &&
      all.some(
        ({ attribute, operator, operands: [operand] }) =>
          attribute === name && operator === "equals" && operand && isOperand(operand, to),
      )
    );
  });
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
  return record.memberships.flatMap(({ index, only }): readonly Mistake[] => {
    const made = record.attributes.flatMap(({ membership, content }) =>
      membership === index.name && content.kind === "key" ? [content.text] : [],
    );
    if (kind === "put" ? made.length === 0 : !remade.has(index)) return [];
    const named = made.flatMap((text) => attributesOf(text).map(({ attribute }) => attribute));
    const needed = new Set([...named, ...only.map(({ attribute }) => attribute)]);
    const what = kind === "put" ? "is not set" : "stays as it was";
    return [
      {
        name: `the key of ${index.name} ${what}`,
        operator: { kind: "index key", entity: record.entity.name, attributes: [...needed] },
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
