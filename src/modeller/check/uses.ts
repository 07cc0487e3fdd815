import { attributesOf } from "../../model/key-text.ts";
import type { Action, Entity, Pattern } from "../../model/requirements.ts";
import type { CheckContext } from "./check-context.ts";

/** What the patterns and the design do with an entity. */
export interface EntityUse {
  isRead: boolean;
  /** Created, changed or deleted. */
  isWritten: boolean;
  isCreated: boolean;
  /** A pattern that would do it is declined, with its reason. */
  readDeclined: boolean;
  createDeclined: boolean;
  /** Attributes that a change gives other values. */
  readonly changed: Set<string>;
  /** Attributes that somebody gets, asks about, or that keys and numbers are made of. */
  readonly looked: Set<string>;
  /** Attributes that somebody gives a value, besides those who create the whole entity. */
  readonly written: Set<string>;
}

export function usesOf(context: CheckContext): ReadonlyMap<string, EntityUse> {
  const uses = new Map(context.entities.map(({ name }) => [name, nothing()]));
  const of = (name: string): EntityUse => uses.get(name) ?? nothing();
  for (const pattern of context.patterns) addPattern(context, pattern, of);
  for (const table of context.tables) {
    for (const { of: source, into, attribute } of table.aggregates) {
      // What is counted is read by who counts it; the holder gets its number from it.
      of(source).isRead = true;
      if (attribute !== undefined) of(source).looked.add(attribute);
      const holder = of(into.entity);
      holder.isWritten = true;
      holder.isCreated ||= isMadeByCounting(context, into.entity);
      holder.written.add(into.attribute);
    }
    if (table.ttl !== undefined) {
      for (const name of table.ttl.entities) of(name).looked.add(table.ttl.attribute);
    }
  }
  addKeys(context, of);
  for (const { name, id, version, attributes } of context.entities) {
    const use = of(name);
    for (const one of id) use.written.add(one);
    if (version !== undefined) use.looked.add(version);
    for (const { copyOf, keeps, name: own } of attributes.values()) {
      if (keeps !== undefined) {
        use.written.add(own);
        if (keeps.attribute !== undefined) of(keeps.of).looked.add(keeps.attribute);
      }
      if (copyOf === undefined) continue;
      use.written.add(own);
      of(copyOf.entity).looked.add(copyOf.attribute);
    }
  }
  return uses;
}

function nothing(): EntityUse {
  return {
    isRead: false,
    isWritten: false,
    isCreated: false,
    readDeclined: false,
    createDeclined: false,
    changed: new Set(),
    looked: new Set(),
    written: new Set(),
  };
}

/** An entity that has nothing but its id and numbers that are kept comes to be with its first number. */
function isMadeByCounting({ entities, tables }: CheckContext, name: string): boolean {
  const entity = entities.find((one) => one.name === name);
  const kept = new Set(
    tables.flatMap(({ aggregates }) =>
      aggregates.filter(({ into }) => into.entity === name).map(({ into }) => into.attribute),
    ),
  );
  return [...(entity?.attributes.keys() ?? [])].every(
    (one) => kept.has(one) || entity?.id.includes(one),
  );
}

function addPattern(
  { model }: CheckContext,
  { actions, together, with: others, status }: Pattern,
  of: (name: string) => EntityUse,
): void {
  if (status === "declined") {
    for (const { entity, kind } of actions) {
      if (kind === "read") of(entity).readDeclined = true;
      if (kind === "create") of(entity).createDeclined = true;
    }
    return;
  }
  for (const action of actions) {
    const entity = model.entities.get(action.entity);
    if (entity !== undefined) addAction(action, entity, of(action.entity));
  }
  for (const { entity, returns, where, order } of together) {
    const use = of(entity);
    use.isRead = true;
    for (const name of returns) use.looked.add(name);
    for (const { attribute } of [...where, ...order]) use.looked.add(attribute);
  }
  const creates = actions[0]?.kind === "create";
  for (const { entity } of others) {
    of(entity).isWritten = true;
    if (creates) of(entity).isCreated = true;
  }
}

function addAction(
  { kind, where, order, returns, condition, changes, adds, appends, removes }: Action,
  entity: Entity,
  use: EntityUse,
): void {
  if (kind === "read" || kind === "check") use.isRead = true;
  else use.isWritten = true;
  if (kind === "create") use.isCreated = true;
  if (kind === "read") for (const name of returns) use.looked.add(name);
  for (const { attribute } of [...where, ...order]) use.looked.add(attribute);
  if (condition?.kind === "where") {
    for (const { attribute } of condition.predicates) use.looked.add(attribute);
  }
  if (condition?.kind === "version") {
    use.looked.add(condition.attribute);
    use.written.add(condition.attribute);
  }
  const touched = [
    ...changes.map(({ attribute }) => attribute),
    ...adds.map(({ attribute }) => attribute),
    ...appends,
  ];
  // An update without a condition makes the item if there is none: what it gives values to is then all there is.
  const isWhole = [...entity.attributes.keys()].every(
    (name) => entity.id.includes(name) || touched.includes(name),
  );
  if (kind === "update" && condition === undefined && isWhole) use.isCreated = true;
  for (const name of [...touched, ...removes]) use.changed.add(name);
  for (const name of touched) use.written.add(name);
}

/** What keys are made of serves whoever asks by them. */
function addKeys({ facts }: CheckContext, of: (name: string) => EntityUse): void {
  for (const { entity, key, memberships } of facts.records) {
    const use = of(entity.name);
    const texts = [
      ...key.map(({ text }) => text),
      ...memberships.flatMap(({ partition, sort }) =>
        [...partition, ...sort].map(({ text }) => text),
      ),
    ];
    for (const text of texts) {
      for (const { attribute } of attributesOf(text)) use.looked.add(attribute);
    }
    for (const { only } of memberships) {
      for (const { attribute } of only) use.looked.add(attribute);
    }
  }
}
