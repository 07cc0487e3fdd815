import type { Action, Entity, Pattern, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredAttribute, StoredRecord } from "../records/record.ts";
import { linkOf } from "./links.ts";
import { bindingsOf } from "./match-key.ts";
import { type Bindings, type Held, noChanges, type WriteAction } from "./plan.ts";
import { changesOf } from "./stored-changes.ts";
import { itemBindings, keyFrom, write } from "./write-actions.ts";

type Embedded = Extract<StoredAttribute["content"], { kind: "embedded" }>;

/** The attribute of an item that another entity lies in. */
export function placeIn(
  host: StoredRecord,
  inner: string,
): { readonly as: string; readonly content: Embedded } | undefined {
  for (const { name, content } of host.attributes) {
    if (content.kind === "embedded" && content.entity.name === inner) return { as: name, content };
  }
  return undefined;
}

/** The item that a pattern makes and that an entity is to lie in: it is put with what lies inside. */
export function madeHost(
  facts: Facts,
  { actions }: Pattern,
  inner: string,
): { readonly host: StoredRecord; readonly action: Action } | undefined {
  if (facts.itemsOf(inner).length > 0) return undefined;
  for (const host of facts.hostsOf(inner)) {
    const action = actions.find(
      ({ kind, entity }) => kind === "create" && entity === host.entity.name,
    );
    if (action !== undefined) return { host, action };
  }
  return undefined;
}

/** Entities that a pattern makes and that lie inside of an item. */
export function madeInside(pattern: Pattern, host: StoredRecord): readonly Held[] {
  const created = pattern.actions.filter(({ kind }) => kind === "create");
  const made = [...created, ...pattern.with].map(({ entity }) => entity);
  return embeddedIn(host).flatMap(({ entity, links }) =>
    made.includes(entity.name) && links.length > 0 ? [{ entity, links }] : [],
  );
}

/** What lies inside of the items of a kind. */
export function embeddedIn({ attributes }: StoredRecord): readonly Embedded[] {
  return attributes.flatMap(({ content }) => (content.kind === "embedded" ? [content] : []));
}

/** A write of an entity that lies inside of an item: that one is updated. Why it cannot be, in a sentence. */
export function innerWrite(
  facts: Facts,
  host: StoredRecord,
  action: Action,
  count: number,
): WriteAction | string {
  const inner = facts.model.entities.get(action.entity) as Entity;
  const place = placeIn(host, inner.name);
  if (place === undefined) return `${inner.name} is in no table`;
  const { as, content } = place;
  const isNew = action.kind === "create";
  const isList = content.by === undefined && !content.one;
  if (isList && (!isNew || action.condition !== undefined)) {
    return isNew
      ? `${inner.name} lies in a list, where nobody can ask whether it is there`
      : `${inner.name} lies in a list, where nobody can tell which one is meant`;
  }
  const known: Bindings = isNew
    ? itemBindings(inner)
    : bindingsOf(action.where.filter(isEqual), new Map());
  const key = keyFrom(host, [], linkOf(facts, inner, host.entity, action.where, known, 0));
  if (key === undefined) {
    return `which ${host.entity.name} holds the ${inner.name} cannot be told`;
  }
  const changes = { ...noChanges, appends: [as] };
  const because = `${inner.name} lies in ${host.entity.name}.${as}`;
  const more = { of: inner.name, count, changes, because };
  if (isList) return write("update", host, key.bindings, more);
  const binding = known.get(content.by ?? "");
  if (content.by !== undefined && binding === undefined) {
    return `which ${inner.name} in ${host.entity.name}.${as} is meant cannot be told`;
  }
  if (count > 1) return `several ${inner.name} lie in one item, which a request writes once`;
  const sets = action.appends.find((one) => inner.attributes.get(one)?.type !== "L");
  if (sets !== undefined) return `${inner.name}.${sets} is a set inside of another item`;
  const told = [...host.entity.id, content.by].filter((one) => inner.attributes.has(one ?? ""));
  const also = action.where.filter((one) => !(isEqual(one) && told.includes(one.attribute)));
  return write(action.kind === "check" ? "check" : "update", host, key.bindings, {
    ...more,
    inner: {
      kind: action.kind === "read" ? "check" : action.kind,
      entity: inner,
      as,
      by: binding && { attribute: content.by ?? "", binding },
      changes: changesOf(action),
      condition: action.condition,
      also,
    },
  });
}

const isEqual = ({ operator }: Predicate): boolean => operator === "equals";
