import { transactionActionsMax } from "../../api/limits.ts";
import { memoized } from "../../base/memoized.ts";
import type { Model } from "../../model/model.ts";
import type { Action, Attribute, Entity, Pattern } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { linkOf } from "./links.ts";

/** A copy that must not be behind. */
export interface StrictCopy {
  readonly entity: Entity;
  readonly attribute: Attribute;
  readonly source: Entity;
  /** The attribute that is repeated. */
  readonly of: string;
}

export function strictCopies({ entities }: Model): readonly StrictCopy[] {
  return copiesAmong(entities);
}

const copiesAmong = memoized((entities: Model["entities"]): readonly StrictCopy[] =>
  [...entities.values()].flatMap((entity) =>
    [...entity.attributes.values()].flatMap((attribute): readonly StrictCopy[] => {
      const { copyOf, staleness } = attribute;
      const source = entities.get(copyOf?.entity ?? "");
      if (copyOf === undefined || source === undefined || staleness !== "refused") return [];
      return [{ entity, attribute, source, of: copyOf.attribute }];
    }),
  ),
);

/** Whether an action gives an attribute another value. */
function changes(action: Action, entity: Entity, name: string): boolean {
  if (action.kind !== "update" || action.entity !== entity.name) return false;
  const { changes: sets, adds, removes } = action;
  return removes.includes(name) || [...sets, ...adds].some((one) => one.attribute === name);
}

/** What changes the source of a copy and leaves the copy as it is. */
export function changeOf({ actions }: Pattern, copy: StrictCopy): Action | undefined {
  if (actions.some((one) => changes(one, copy.entity, copy.attribute.name))) return undefined;
  return actions.find((one) => changes(one, copy.source, copy.of));
}

/**
 * The pattern as it is carried out: copies that must not be behind are changed in the same transaction as their source,
 * where it can hold all that there may be.
 */
export function withCopies(model: Model, pattern: Pattern): Pattern {
  const copies = strictCopies(model);
  if (pattern.kind === "read" || copies.length === 0) return pattern;
  const added = copies.flatMap((copy) => {
    const change = changeOf(pattern, copy);
    if (change === undefined || obstacle(model, pattern, copy) !== undefined) return [];
    return [following(model, change, copy)];
  });
  if (added.length === 0) return pattern;
  return { ...pattern, transaction: true, actions: [...pattern.actions, ...merged(added)] };
}

function following(model: Model, change: Action, copy: StrictCopy): Action {
  const { entity, attribute, source, of } = copy;
  const { name, path } = attribute;
  const link = linkTo(model, copy) ?? "";
  return {
    ...change,
    path,
    entity: entity.name,
    where: change.where.flatMap((one) =>
      one.attribute === source.id[0] ? [{ ...one, attribute: link }] : [],
    ),
    order: [],
    limit: "all",
    returns: [],
    changes: change.changes.flatMap((one) =>
      one.attribute === of ? [{ ...one, attribute: name }] : [],
    ),
    adds: change.adds.flatMap((one) => (one.attribute === of ? [{ ...one, attribute: name }] : [])),
    appends: [],
    removes: change.removes.includes(of) ? [name] : [],
    condition: undefined,
    average: { value: 1, assumed: false },
    follows: true,
  };
}

/** Copies in one entity are changed at once: a transaction names an item once. */
function merged(actions: readonly Action[]): readonly Action[] {
  const found = new Map<string, Action>();
  for (const one of actions) {
    const key = JSON.stringify([one.entity, one.where]);
    const before = found.get(key) ?? { changes: [], adds: [], removes: [] };
    found.set(key, {
      ...one,
      ...before,
      changes: [...before.changes, ...one.changes],
      adds: [...before.adds, ...one.adds],
      removes: [...before.removes, ...one.removes],
    });
  }
  return [...found.values()];
}

/** The attribute of an entity with copies that tells whose they are. */
function linkTo(model: Model, { entity, source }: StrictCopy): string | undefined {
  const [id = "", more] = source.id;
  if (more !== undefined) return undefined;
  const links = linkOf(Facts.of(model), source, entity, [], new Map(), 0);
  return [...links].find(
    ([, binding]) => binding.kind === "result" && binding.attribute === id,
  )?.[0];
}

/** How many copies there may be of one source; nothing if nobody has said it. */
function mostOf({ relations }: Model, { entity, source }: StrictCopy): number | undefined {
  const found = relations.find(
    ({ from, to, via }) => from === source.name && to === entity.name && via === undefined,
  );
  return found?.kind === "one-to-one" ? 1 : found?.max?.value;
}

/** Why a transaction cannot change a copy with its source; nothing if it can. */
export function obstacle(model: Model, pattern: Pattern, copy: StrictCopy): string | undefined {
  const { entity, source, of } = copy;
  const change = changeOf(pattern, copy);
  if (change === undefined) return undefined;
  const said = `pattern ${pattern.id} changes ${source.name}.${of}`;
  const isNamed = change.where.some(
    ({ attribute, operator }) => attribute === source.id[0] && operator === "equals",
  );
  if (linkTo(model, copy) === undefined || entity === source) {
    return `${said}, and no attribute of ${entity.name} names its ${source.name}`;
  }
  if (!isNamed) return `${said} and does not name its ${source.id.join(", ")}`;
  if ((pattern.batch?.value ?? 1) > 1 || change.average.value > 1) {
    return `${said} of several at once`;
  }
  const most = mostOf(model, copy);
  if (most === undefined) {
    return `${said}, and their relation states no max of ${entity.name} for one ${source.name}`;
  }
  const others = strictCopies(model)
    .filter((one, i, all) => all.findIndex((two) => two.entity === one.entity) === i)
    .filter((one) => one.entity !== entity && changeOf(pattern, one) !== undefined)
    .reduce((sum, one) => sum + (mostOf(model, one) ?? 0), 0);
  const own = pattern.actions.length + others;
  if (own + most <= transactionActionsMax) return undefined;
  return `${said}, and up to ${most.toLocaleString("en-US")} ${entity.name} repeat it; a transaction writes ${transactionActionsMax} items`;
}
