/** What a read has to answer, by looking at every entity, one by one. */
import type { Model } from "../../../model/model.ts";
import type { Action, Entity, Order, Pattern, Predicate } from "../../../model/requirements.ts";
import { belongsTo, pairsBetween } from "./belonging.ts";
import { inOneCase } from "./case.ts";
import { askFor, compareInOrder, normalForm, operandValues } from "./meaning.ts";
import type { EntityValues, Parameters, State } from "./state.ts";

export interface Expected {
  /** All that fulfil the conditions, in order; ties are in no order. */
  readonly matches: readonly EntityValues[];
  readonly limit: number | undefined;
  /** How many of the matches each step of a transaction finds, one step after the other, and in which order; otherwise all of them. */
  readonly steps: readonly { readonly count: number; readonly order: readonly Order[] }[];
  /** The attributes that identify a match. */
  readonly id: readonly string[];
  /** The attributes that are asked for of a match. */
  readonly returnsOf: (match: EntityValues) => readonly string[];
  /** For each child entity, what belongs to each of some parents. Where matches tie, the answer decides which they are. */
  readonly childrenOf: (
    parents: readonly EntityValues[],
  ) => ReadonlyMap<string, readonly Children[]>;
}

/** The children of one parent, in order; ties are in no order. */
export interface Children {
  readonly matches: readonly EntityValues[];
  readonly limit: number | undefined;
}

type Requirements = Pick<Model, "entities" | "relations">;

export function expectedOf(
  model: Requirements,
  pattern: Pattern,
  parameters: Parameters,
  state: State,
  folded: ReadonlySet<string> = new Set(),
): Expected {
  const [action] = pattern.actions;
  const own = model.entities.get(action?.entity ?? "");
  if (action === undefined || own === undefined) {
    const nothing = { matches: [], steps: [], limit: undefined, id: [] };
    return { ...nothing, returnsOf: () => [], childrenOf: () => new Map() };
  }
  // The steps of a transaction are answered one by one, each with as many as it wants.
  const steps = pattern.transaction ? pattern.actions : [action];
  const answers = steps.map((one) => {
    const all = matching(model, one, parameters, state, folded);
    return { ...one, all: pattern.transaction ? all.slice(0, limitOf(one)) : all };
  });
  const returns = new Map(answers.flatMap((one) => one.all.map((match) => [match, one.returns])));
  return {
    matches: answers.flatMap(({ all }) => all),
    steps: answers.map(({ all, order }) => ({ count: all.length, order })),
    limit: pattern.transaction ? undefined : limitOf(action),
    id: own.id,
    returnsOf: (match) => returns.get(match) ?? [],
    childrenOf: (parents) =>
      new Map(
        pattern.together.flatMap((one) => {
          const other = model.entities.get(one.entity);
          if (other === undefined) return [];
          const pairs = pairsBetween(model, own, other);
          const children = (state.get(one.entity) ?? [])
            .filter(askFor(other.attributes, one.where, parameters))
            .toSorted((a, b) => compareInOrder(one.order, a, b));
          const limit = limitOf(one);
          const found = parents.map((parent) => ({
            matches: children.filter((values) => belongsTo(pairs, parent, values)),
            limit,
          }));
          return [[one.entity, found] as const];
        }),
      ),
  };
}

/** Whether steps of a transaction name one item twice, which DynamoDB refuses. */
export function namesItemTwice(
  { entities }: Requirements,
  { transaction, actions }: Pattern,
  parameters: Parameters,
): boolean {
  const named = new Set<string>();
  for (const { entity: name, where } of transaction ? actions : []) {
    const entity = entities.get(name);
    if (entity === undefined) continue;
    for (const id of idsNamed(entity, where, parameters)) {
      const item = `${name} ${id}`;
      if (named.has(item)) return true;
      named.add(item);
    }
  }
  return false;
}

/** The ids that conditions name: lists of values that something equals are zipped, those of `one-of` are alternatives. */
function idsNamed(
  { id, attributes }: Entity,
  where: readonly Predicate[],
  parameters: Parameters,
): readonly string[] {
  const lists = id.map((name) => {
    const predicate = where.find(
      ({ attribute, operator }) =>
        attribute === name && (operator === "equals" || operator === "one-of"),
    );
    const attribute = attributes.get(name);
    const values =
      predicate && attribute
        ? predicate.operands.flatMap((one) => operandValues(one, attribute, parameters))
        : [];
    return { isZipped: predicate?.operator === "equals", texts: values.map(normalForm) };
  });
  if (lists.some(({ texts }) => texts.length === 0)) return [];
  const lengths = lists.flatMap(({ isZipped, texts }) =>
    isZipped && texts.length > 1 ? [texts.length] : [],
  );
  const count = lengths.length === 0 ? 1 : Math.min(...lengths);
  return Array.from({ length: count }, (_, at) => at).flatMap((at) =>
    lists.reduce<readonly string[]>(
      (ids, { isZipped, texts }) => {
        const own = isZipped ? [texts[texts.length > 1 ? at : 0] ?? ""] : texts;
        return ids.flatMap((before) => own.map((text) => `${before} ${text}`));
      },
      [""],
    ),
  );
}

function limitOf({ limit }: Pick<Action, "limit">): number | undefined {
  return typeof limit === "number" ? limit : undefined;
}

function matching(
  { entities }: Requirements,
  action: Action,
  parameters: Parameters,
  state: State,
  folded: ReadonlySet<string>,
): readonly EntityValues[] {
  const entity = entities.get(action.entity) as Entity;
  const isMatch = askFor(entity.attributes, action.where, parameters);
  return (state.get(action.entity) ?? [])
    .map((values) => ({ values, seen: inOneCase(values, folded) }))
    .filter(({ seen }) => isMatch(seen))
    .toSorted((a, b) => compareInOrder(action.order, a.seen, b.seen))
    .map(({ values }) => values);
}
