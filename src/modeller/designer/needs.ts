import type { Model } from "../../model/model.ts";
import type {
  Action,
  Attribute,
  Entity,
  Order,
  Pattern,
  Predicate,
} from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { withCopies } from "../plans/copies.ts";
import { linkOf } from "../plans/links.ts";

/** What one pattern asks of one entity before keys are known. Candidates for keys are made of these. */
export interface Need {
  readonly pattern: string;
  readonly entity: string;
  /** Attributes that are known by value. */
  readonly equal: readonly string[];
  /** Attributes that are compared with bounds. */
  readonly ranged: readonly string[];
  readonly order: readonly Order[];
  /** All attributes that conditions speak of. */
  readonly asked: readonly string[];
  readonly returns: readonly string[];
  readonly strong: boolean;
  /** It looks for the table's key of what it changes, whatever that is made of. */
  readonly locates: boolean;
  /** It is read with something else, and what ties the two together counts as asked about. */
  readonly tied: boolean;
  /** A page is wanted, not all. */
  readonly limited: boolean;
  /** Conditions with constants alone: what fulfils them can be told when an item is written. */
  readonly constants: readonly Predicate[];
  /** What its caller is bound to. */
  readonly scope: readonly string[];
}

/** What a need asks about, and what it wants things sorted by. */
export function lookedAt({ asked, order }: Need): readonly string[] {
  return [...asked, ...order.map(({ attribute }) => attribute)];
}

/** Patterns that a design has to serve, as they are carried out. */
export function servedPatterns(model: Model): readonly Pattern[] {
  return [...model.patterns.values()]
    .filter(({ status }) => status !== "alternative" && status !== "declined")
    .map((one) => withCopies(model, one));
}

/** The entities that a pattern reads or writes. */
export function entitiesOf({ actions, together, with: others }: Pattern): ReadonlySet<string> {
  return new Set([...actions, ...together, ...others].map(({ entity }) => entity));
}

export function needsOf(model: Model): readonly Need[] {
  const facts = Facts.of(model);
  return servedPatterns(model).flatMap((pattern) => {
    const strong = pattern.consistency === "strong";
    const own = pattern.actions.flatMap((action) => actionNeed(pattern, action, strong, model));
    const [main] = pattern.actions;
    const host = main && model.entities.get(main.entity);
    if (main === undefined || host === undefined) return own;
    const linked = new Set<string>();
    const others = pattern.together.flatMap((one): Need[] => {
      const entity = model.entities.get(one.entity);
      if (entity === undefined) return [];
      const links = linkOf(facts, host, entity, main.where, new Map(), 0);
      for (const by of links.values()) if (by.kind === "result") linked.add(by.attribute);
      const need = needOf(pattern, entity, one, [...links.keys()], strong);
      return [{ ...need, tied: true }];
    });
    // What tells the others has to be in the first answer, too.
    const telling = own.map((need) =>
      need.locates ? need : { ...need, returns: unique([...need.returns, ...linked]) },
    );
    return [...telling, ...others];
  });
}

function actionNeed(
  pattern: Pattern,
  action: Action,
  strong: boolean,
  model: Model,
): readonly Need[] {
  const entity = model.entities.get(action.entity);
  if (entity === undefined || action.kind === "create") return [];
  if (action.kind === "read") return [needOf(pattern, entity, action, [], strong)];
  // Who changes something has to find its key.
  const { where } = action;
  const found = { where, order: [], returns: entity.id, limit: undefined };
  const newest = strong || action.follows === true;
  return [{ ...needOf(pattern, entity, found, [], newest), locates: true }];
}

const rangeOperators: readonly string[] = [
  "less",
  "at-most",
  "greater",
  "at-least",
  "between",
  "begins-with",
];

function needOf(
  { id, scope }: Pattern,
  entity: Entity,
  { where, order, returns, limit }: Pick<Action, "where" | "order" | "returns" | "limit">,
  known: readonly string[],
  strong: boolean,
): Need {
  const named = (operators: readonly string[]): readonly string[] =>
    where.filter(({ operator }) => operators.includes(operator)).map((one) => one.attribute);
  return {
    pattern: id,
    entity: entity.name,
    equal: unique([...named(["equals", "one-of"]), ...known]),
    ranged: unique(named(rangeOperators)),
    order,
    asked: unique([...where.map((one) => one.attribute), ...known]),
    returns,
    strong,
    locates: false,
    tied: false,
    limited: typeof limit === "number",
    constants: where.filter(
      ({ operator, operands, exists }) =>
        (operator === "exists" && exists) ||
        (operator !== "exists" && operands.every(({ kind }) => kind === "constant")),
    ),
    scope,
  };
}

export function unique<T>(list: readonly T[]): readonly T[] {
  return [...new Set(list)];
}

/** Whether an attribute can be a key as it is. */
export function isKeyType({ type }: Pick<Attribute, "type">): boolean {
  return type === "S" || type === "N" || type === "B";
}

/** Attributes of an entity that some pattern changes, or that are kept up. */
export function changedOf(model: Model, { name, attributes }: Entity): ReadonlySet<string> {
  const kept = [...attributes.values()].filter(({ keeps }) => keeps !== undefined);
  return new Set([
    ...kept.map((one) => one.name),
    ...servedPatterns(model).flatMap(({ actions }) =>
      actions.flatMap(({ entity, changes, adds, appends, removes, condition }) => {
        if (entity !== name) return [];
        const version = condition?.kind === "version" ? [condition.attribute] : [];
        const named = [...changes, ...adds].map(({ attribute }) => attribute);
        return [...named, ...appends, ...removes, ...version];
      }),
    ),
  ]);
}
