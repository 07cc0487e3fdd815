import type { Entity } from "../../../model/requirements.ts";
import type { Facts } from "../../facts.ts";
import { remadeKeys } from "../../plans/index-keys.ts";
import { linkOf } from "../../plans/links.ts";
import { type Changes, type Plan, touchedBy, type WriteAction } from "../../plans/plan.ts";
import { actionsIn, changingAction, type Mutant } from "./mutant.ts";

/** What can be wrong with how something is written. */
export function writeMutants(facts: Facts, plan: Plan): readonly Mutant[] {
  const actions = actionsIn(plan);
  return actions.flatMap((action, place) =>
    mistakesIn(facts, action, actions).map(({ name, change, reason }) => ({
      name,
      model: facts.model,
      requests: changingAction(place, change),
      ...(reason !== undefined && { reason }),
    })),
  );
}

interface Mistake {
  readonly name: string;
  readonly change: (action: WriteAction) => readonly WriteAction[];
  readonly reason?: string | undefined;
}

function mistakesIn(
  facts: Facts,
  action: WriteAction,
  all: readonly WriteAction[],
): readonly Mistake[] {
  const { kind, record, because } = action;
  const mistakes: Mistake[] = [];
  const add = (name: string, change: Mistake["change"], reason?: string): void => {
    mistakes.push({ name, change, reason });
  };
  if (all.length > 1) {
    const what = because === undefined ? `the ${kind} of ${record.name}` : `${kind}: ${because}`;
    add(`left out: ${what}`, () => []);
  }
  if (kind !== "check" && action.condition !== undefined) {
    add(
      `the condition on ${record.name} is left out`,
      (one) => [{ ...one, condition: undefined }],
      whyAbsent(facts, action, all),
    );
  }
  if (kind !== "check" && action.also.length > 0) {
    const names = action.also.map(({ attribute }) => attribute).join(", ");
    add(`${names} of ${record.name} is not looked at`, (one) => [{ ...one, also: [] }]);
  }
  return [...mistakes, ...changeMistakes(action), ...indexMistakes(action), ...putMistakes(action)];
}

/** Something new cannot be there if it bears the id of something that is new, too, and has to be. */
function whyAbsent(
  facts: Facts,
  { kind, record, condition }: WriteAction,
  all: readonly WriteAction[],
): string | undefined {
  if (kind !== "put" || record.role !== "item" || condition?.kind !== "absent") return undefined;
  const owner = all.find(
    (one) =>
      one.kind === "put" &&
      one.record.role === "item" &&
      one.record.entity !== record.entity &&
      one.condition?.kind === "absent" &&
      bearsId(facts, one.record.entity, record.entity),
  );
  return (
    owner &&
    `its id has that of the ${owner.record.name} in it, which is created with it and has to be new`
  );
}

function bearsId(facts: Facts, owner: Entity, other: Entity): boolean {
  const links = [...linkOf(facts, owner, other, [], new Map(), 0)];
  return owner.id.every((name) =>
    links.some(
      ([theirs, binding]) =>
        other.id.includes(theirs) && binding.kind === "result" && binding.attribute === name,
    ),
  );
}

/** A change that is forgotten. */
function changeMistakes({ kind, record, changes }: WriteAction): readonly Mistake[] {
  if (kind !== "update") return [];
  const [only, second] = changes.adds;
  // A change that does nothing else must stay one.
  if (only !== undefined && second === undefined && touchedBy(changes).size === 1) {
    return [
      {
        name: `${only.attribute} of ${record.name} is not added to`,
        change: (one) => [
          { ...one, changes: { ...one.changes, adds: [{ attribute: only.attribute, amount: 0 }] } },
        ],
      },
    ];
  }
  if (touchedBy(changes).size < 2) return [];
  return [...touchedBy(changes)].map((attribute) => ({
    name: `${attribute} of ${record.name} is not changed`,
    change: (one) => [{ ...one, changes: without(one.changes, attribute) }],
  }));
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
    const isMade = record.attributes.some(
      ({ membership, content }) => membership === index.name && content.kind === "key",
    );
    if (kind === "put" ? !isMade : !remade.has(index)) return [];
    const what = kind === "put" ? "is not set" : "stays as it was";
    return [
      {
        name: `the key of ${index.name} ${what}`,
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
    plain.find(
      ({ content }) => content.kind === "attribute" && content.attribute.present.value === 1,
    ) ?? plain[0];
  if (lost === undefined) return [];
  return [
    {
      name: `${lost.name} of ${record.name} is not written`,
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
