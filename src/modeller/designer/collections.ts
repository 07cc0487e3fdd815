import type { PlacementDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Entity, Pattern, Together } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { blobWords, elsewhereOf } from "./blobs.ts";
import type { Layout } from "./drafts.ts";
import { ttlOf } from "./expiry.ts";
import { openTexts, partOf, plural, textOf } from "./keys.ts";
import { guardTables, isSafe, record } from "./layouts.ts";
import { unique } from "./needs.ts";

/** A child that is read with its parent: what holds the parent's id, and the order in which it is wanted. */
interface Child {
  readonly entity: Entity;
  /** As many as the parent's id has. */
  readonly link: readonly string[];
  readonly order: readonly string[];
  /** A page of the last ones is read, so the parent has to come after them. */
  readonly fromEnd: boolean;
}

/** Of so many children every choice is tried. */
export const allSubsetsMax = 3;

/** Tables in which entities that some pattern reads together lie under one partition key. */
export function jointLayouts(model: Model, patterns: readonly Pattern[]): readonly Layout[] {
  const families = new Map<string, Child[]>();
  for (const { actions, together } of patterns) {
    const parent = model.entities.get(actions[0]?.entity ?? "");
    if (parent === undefined) continue;
    for (const one of together) {
      const child = childOf(model, parent, one);
      const known = families.get(parent.name) ?? [];
      if (child === undefined || known.some(({ entity }) => entity === child.entity)) continue;
      families.set(parent.name, [...known, child]);
    }
  }
  return [...families].flatMap(([name, children]) => {
    const parent = model.entities.get(name) as Entity;
    return groupsOf(children).flatMap((group) => layoutOf(model, parent, group) ?? []);
  });
}

/** Every choice of a few; of many each by itself, and all. */
function groupsOf(children: readonly Child[]): readonly (readonly Child[])[] {
  if (children.length > allSubsetsMax) return [...children.map((one) => [one]), children];
  return Array.from({ length: 2 ** children.length - 1 }, (_, set) =>
    children.filter((_child, i) => ((set + 1) >> i) & 1),
  );
}

function childOf(model: Model, parent: Entity, one: Together): Child | undefined {
  const entity = model.entities.get(one.entity);
  const [id = "", more] = parent.id;
  if (entity === undefined || entity === parent) return undefined;
  const { cardinality } = Facts.of(model);
  const isHeld = parent.id.every((name) => entity.attributes.has(name));
  const other = [...entity.attributes.keys()].find(
    (name) => more === undefined && cardinality.parentOf(entity, name) === parent,
  );
  const link = isHeld ? parent.id : other === undefined ? undefined : [other];
  if (id === "" || link === undefined) return undefined;
  return {
    entity,
    link,
    order: one.order.map(({ attribute }) => attribute).filter((name) => !link.includes(name)),
    fromEnd: typeof one.limit === "number" && one.order[0]?.direction === "descending",
  };
}

function layoutOf(model: Model, parent: Entity, children: readonly Child[]): Layout | undefined {
  // An id of several texts is put together, as in tables of its own.
  const made = partOf(parent, parent.id, { lenient: true });
  if (made === undefined) return undefined;
  const { name: id, type } = made;
  const entities = [parent, ...children.map(({ entity }) => entity)];
  const part = ["part", "itemPart", "sortKey"].find(
    (name) => !entities.some(({ attributes }) => attributes.has(name)),
  );
  const isTaken = parent.id.length > 1 && entities.some(({ attributes }) => attributes.has(id));
  if (part === undefined || isTaken) return undefined;
  // `#` comes before all letters and `~` after them: the parent is read first in either direction.
  const first = children.some(({ fromEnd }) => fromEnd) ? "~" : "#";
  const placements: [string, PlacementDocument][] = [
    [
      parent.name,
      {
        key: record([[id, made.text] as const, [part, `${first}${word(parent)}`] as const]),
        ...elsewhereOf(model, parent),
      },
    ],
  ];
  for (const { entity, link, order } of children) {
    const names = unique([...order, ...entity.id.filter((name) => !link.includes(name))]);
    const rest = names.length === 0 ? "" : textOf(entity, names);
    const held = partOf(entity, link, { lenient: true });
    if (rest === undefined || held === undefined || held.type !== type) return undefined;
    if (!isSafe(model, entity, [...link, ...names])) return undefined;
    const text = rest === "" ? word(entity) : `${word(entity)}#${rest}`;
    placements.push([
      entity.name,
      {
        key: record([[id, held.text] as const, [part, text] as const]),
        ...elsewhereOf(model, entity),
      },
    ]);
  }
  const main = plural(parent.name);
  const guards = guardTables(model, entities, main);
  const document: TableDocument = {
    billing: "on-demand",
    key: record([[id, type] as const, [part, "S"] as const]),
    entities: record(placements),
    ...ttlOf(entities),
    ...(guards.unique.length > 0 && { unique: guards.unique }),
  };
  const names = entities.map(({ name }) => name);
  const open = openTexts(parent, parent.id);
  const without = open.length === 0 ? "" : ` (no # may be in ${open.join(", ")})`;
  const words = `under one ${id}${blobWords(model, entities)}${without}`;
  return {
    id: `${main} ${words}: ${names.join(", ")}`,
    entities: names,
    main,
    tables: new Map([[main, document], ...guards.tables]),
    words,
  };
}

function word({ name }: Entity): string {
  return name.toUpperCase();
}
