import type { SeededRandom } from "../../../base/random.ts";
import type { AttributeValue } from "../../../item/attribute-value.ts";
import type { Action, Entity, Pattern, Predicate } from "../../../model/requirements.ts";
import { linkOf } from "../../plans/links.ts";
import { type Expected, expectedOf } from "../../proof/oracle/answers.ts";
import { effectOfSteps } from "../../proof/oracle/effects.ts";
import { type Given, operandValues } from "../../requests/given.ts";
import type { EntityValues } from "../../values/render-key.ts";
import type { EntityStore } from "./entity-store.ts";
import type { Side } from "./side.ts";

/** What a write does to one entity, under common names. */
export interface Effect {
  readonly entity: string;
  readonly before: EntityValues | undefined;
  readonly after: EntityValues | undefined;
}

type Lists = Map<string, Map<EntityValues, EntityValues>>;

/**
 * What every request should answer and do. The proof's oracle looks at every entity one by one; here it is shown only
 * those that a condition on one attribute leaves, which is the same and does not take longer the more there are.
 */
export class Ledger {
  readonly store: EntityStore;

  constructor(store: EntityStore) {
    this.store = store;
  }

  /** `folds`: attributes in whose order upper and lower case are the same. */
  expected(
    side: Side,
    pattern: Pattern,
    given: Given,
    folds: ReadonlySet<string> = new Set(),
  ): Expected {
    const lists: Lists = new Map();
    for (const action of pattern.actions) {
      this.show(side, lists, action.entity, this.candidates(side, action, given));
    }
    const [main] = pattern.actions;
    const own = main && side.model.entities.get(main.entity);
    for (const { entity } of pattern.together) {
      const other = side.model.entities.get(entity);
      if (own === undefined || other === undefined) continue;
      const links = [...linkOf(side.facts, own, other, [], new Map(), 0)].flatMap(
        ([theirs, binding]) =>
          binding.kind === "result" ? [[theirs, binding.attribute] as const] : [],
      );
      const [link] = links;
      for (const values of lists.get(own.name)?.values() ?? []) {
        const value = link && values.get(link[1]);
        const found =
          link === undefined || value === undefined
            ? this.store.all(side.common(entity))
            : this.having(side, entity, link[0], value);
        this.show(side, lists, entity, found);
      }
    }
    const state = [...stateOf(lists)].map(
      ([name, list]) => [name, list.map((one) => folded(one, folds))] as const,
    );
    return expectedOf(side.model, pattern, given.parameters, new Map(state));
  }

  /** What a write changes; nothing if it must be refused. */
  effects(side: Side, pattern: Pattern, given: Given): readonly Effect[] | undefined {
    const lists: Lists = new Map();
    for (const action of pattern.actions) {
      this.show(side, lists, action.entity, this.touched(side, action, given));
    }
    for (const { entity } of pattern.with) {
      this.show(side, lists, entity, this.same(side, entity, given.items(entity)));
    }
    for (const { entity } of pattern.actions) this.holders(side, lists, entity, given);
    return effectsOn(side, pattern, given, lists);
  }

  apply(effects: readonly Effect[]): void {
    for (const { entity, before, after } of effects) {
      if (after !== undefined) this.store.put(entity, after);
      else if (before !== undefined) this.store.remove(entity, before);
    }
  }

  /** A few entities of every kind with all that they belong to, to make requests of. */
  some(side: Side, random: SeededRandom, each = 8): ReadonlyMap<string, readonly EntityValues[]> {
    const lists: Lists = new Map();
    for (const name of side.model.entities.keys()) {
      for (let i = 0; i < each; i += 1) {
        const one = this.store.pick(side.common(name), random);
        if (one !== undefined) this.showWithParents(side, lists, name, one, 3);
      }
    }
    return stateOf(lists);
  }

  private showWithParents(
    side: Side,
    lists: Lists,
    entity: string,
    one: EntityValues,
    depth: number,
  ): void {
    this.show(side, lists, entity, [one]);
    if (depth === 0) return;
    const own = lists.get(entity)?.get(one) ?? one;
    for (const parent of side.parents.get(entity) ?? []) {
      const id = new Map(
        parent.pairs.flatMap(([theirs, ours]) => {
          const value = own.get(ours);
          return value === undefined ? [] : [[theirs, value] as const];
        }),
      );
      const [found] = this.same(side, parent.entity, [id]);
      if (found !== undefined) {
        this.showWithParents(side, lists, parent.entity, found, depth - 1);
      }
    }
  }

  private show(side: Side, lists: Lists, entity: string, found: readonly EntityValues[]): void {
    const list = lists.get(entity) ?? new Map<EntityValues, EntityValues>();
    lists.set(entity, list);
    for (const one of found) if (!list.has(one)) list.set(one, side.toOwn(entity, one));
  }

  /** Those with the ids of others. */
  private same(
    side: Side,
    entity: string,
    others: readonly EntityValues[],
  ): readonly EntityValues[] {
    return others.flatMap(
      (one) => this.store.get(side.common(entity), side.toCommon(entity, one)) ?? [],
    );
  }

  private having(
    side: Side,
    entity: string,
    attribute: string,
    value: AttributeValue,
  ): readonly EntityValues[] {
    const [common = attribute] = side.toCommon(entity, new Map([[attribute, value]])).keys();
    return this.store.having(side.common(entity), common, value);
  }

  /** Those that one of the conditions leaves: the one that leaves fewest. */
  private candidates(side: Side, action: Action, given: Given): readonly EntityValues[] {
    const { attributes } = side.model.entities.get(action.entity) as Entity;
    let fewest: readonly EntityValues[] | undefined;
    for (const { attribute, operator, operands } of action.where as readonly Predicate[]) {
      const described = attributes.get(attribute);
      if ((operator !== "equals" && operator !== "one-of") || described === undefined) continue;
      const values = operands.flatMap((one) => operandValues(given, described, one));
      const found = [
        ...new Set(values.flatMap((one) => this.having(side, action.entity, attribute, one))),
      ];
      if (fewest === undefined || found.length < fewest.length) fewest = found;
    }
    return fewest ?? this.store.all(side.common(action.entity));
  }

  /** What an action of a write can see: its targets, those with the same id, and those with a value that is guarded. */
  private touched(side: Side, action: Action, given: Given): readonly EntityValues[] {
    const items = action.kind === "create" ? given.items(action.entity) : [];
    const found =
      action.kind === "create"
        ? this.same(side, action.entity, items)
        : this.candidates(side, action, given);
    const entity = side.model.entities.get(action.entity) as Entity;
    const guarded = side.facts.records.flatMap((one) =>
      one.role === "unique" && one.entity === entity
        ? [one.name.slice(entity.name.length + 1)]
        : [],
    );
    const values = guarded.flatMap((name) => [
      ...items.flatMap((one) => one.get(name) ?? []),
      ...action.changes.flatMap(({ attribute, to }) => {
        const described = entity.attributes.get(name);
        return attribute === name && described ? operandValues(given, described, to) : [];
      }),
    ]);
    const others = guarded.flatMap((name) =>
      values.flatMap((value) => this.having(side, action.entity, name, value)),
    );
    return [...found, ...others];
  }

  /** The entities whose numbers change with others, in the same transaction. */
  private holders(side: Side, lists: Lists, entity: string, given: Given): void {
    for (const { aggregates } of side.model.design?.tables.values() ?? []) {
      for (const { of, into, by } of aggregates) {
        if (of !== entity || by !== "transaction") continue;
        const parent = side.parents.get(entity)?.find((one) => one.entity === into.entity);
        const sources = [...given.items(entity), ...(lists.get(entity)?.values() ?? [])];
        for (const source of parent === undefined ? [] : sources) {
          const id = new Map(
            (parent?.pairs ?? []).flatMap(([theirs, ours]) => {
              const value = source.get(ours);
              return value === undefined ? [] : [[theirs, value] as const];
            }),
          );
          this.show(side, lists, into.entity, this.same(side, into.entity, [id]));
        }
      }
    }
  }
}

/** The same with some values in lower case. */
export function folded(values: EntityValues, names: ReadonlySet<string>): EntityValues {
  if (names.size === 0) return values;
  return new Map(
    [...values].map(([name, value]) => [
      name,
      names.has(name) && "S" in value ? { S: value.S.toLowerCase() } : value,
    ]),
  );
}

function stateOf(lists: Lists): ReadonlyMap<string, readonly EntityValues[]> {
  return new Map([...lists].map(([name, list]) => [name, [...list.values()]]));
}

/** What a write makes of the entities that it is shown; nothing if it must be refused. */
export function effectsOn(
  side: Side,
  pattern: Pattern,
  given: Given,
  lists: ReadonlyMap<string, ReadonlyMap<EntityValues, EntityValues>>,
): readonly Effect[] | undefined {
  const state = new Map([...lists].map(([name, list]) => [name, [...list.values()]]));
  const effect = effectOfSteps(side.model, pattern, given, state);
  if (effect.kind !== "done") return undefined;
  return [...effect.state].flatMap(([name, list]) => {
    const entity = side.model.entities.get(name) as Entity;
    const key = (values: EntityValues): string =>
      JSON.stringify(entity.id.map((one) => values.get(one) ?? null));
    const before = new Map(
      [...(lists.get(name) ?? [])].map(([common, own]) => [key(own), { common, own }]),
    );
    const left = new Map(list.map((one) => [key(one), one]));
    const changed = [...left].flatMap(([id, own]): readonly Effect[] => {
      const was = before.get(id);
      if (was?.own === own) return [];
      const values = side.toCommon(name, own, was?.common);
      return [{ entity: side.common(name), before: was?.common, after: values }];
    });
    const removed = [...before].flatMap(([id, { common }]): readonly Effect[] =>
      left.has(id) ? [] : [{ entity: side.common(name), before: common, after: undefined }],
    );
    return [...changed, ...removed];
  });
}
