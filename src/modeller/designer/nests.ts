import { itemSizeBytesMax } from "../../api/limits.ts";
import { textSize } from "../../item/size.ts";
import type { EmbedDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Attribute, Entity, Pattern, Relation } from "../../model/requirements.ts";
import { expiryAttributeOf } from "../expiry-attribute.ts";
import { attributeMax, embeddedMax } from "../lint/largest.ts";
import { blobsOf, spareBytes } from "./blobs.ts";
import type { Layout } from "./drafts.ts";
import { plural } from "./keys.ts";
import { ownLayouts, record } from "./layouts.ts";
import { entitiesOf, type Need } from "./needs.ts";

/** An entity that could lie inside of another one's item. */
interface Inner {
  readonly entity: Entity;
  readonly embed: EmbedDocument;
  /** With all that there can be of it. */
  readonly bytesMax: number;
}

/**
 * Layouts of entities with others inside of their items: those that some pattern reads or makes together with them, of
 * which there can only be so many that the item stays small enough.
 */
export function nestedLayouts(
  model: Model,
  needs: readonly Need[],
  patterns: readonly Pattern[],
): readonly Layout[] {
  return [...model.entities.values()].flatMap((host) => {
    const inners = model.relations.flatMap((one) => innerOf(model, patterns, host, one) ?? []);
    if (inners.length === 0 || host.id.length !== 1 || !isNew(patterns, host)) return [];
    const groups = inners.length === 1 ? [inners] : [...inners.map((one) => [one]), inners];
    const plain = ownLayouts(model, host, needs);
    return groups
      .filter((group) => fits(host, group))
      .flatMap((group) => plain.map((layout) => nested(host, layout, group)));
  });
}

/** Nobody puts one where another one may be: what lies inside of that would be gone. */
function isNew(patterns: readonly Pattern[], { name }: Entity): boolean {
  return patterns.every(({ actions, with: others }) => {
    const made = actions.filter(({ kind, entity }) => kind === "create" && entity === name);
    return (
      made.every(({ condition }) => condition?.kind === "absent") &&
      !others.some(({ entity }) => entity === name)
    );
  });
}

function innerOf(
  model: Model,
  patterns: readonly Pattern[],
  host: Entity,
  { from, to, via, kind, max, identifying }: Relation,
): Inner | undefined {
  const entity = model.entities.get(to);
  const [link = ""] = host.id;
  if (from !== host.name || entity === undefined || entity === host || via !== undefined) {
    return undefined;
  }
  const isOne = kind === "one-to-one";
  const rest = entity.id.filter((name) => name !== link);
  const [by, more] = rest;
  if (!entity.id.includes(link) || more !== undefined) return undefined;
  if (isOne ? by !== undefined : by === undefined || max === undefined) return undefined;
  const type = entity.attributes.get(by ?? "")?.type;
  if (by !== undefined && type !== "S" && type !== "N") return undefined;
  const goes =
    expiryAttributeOf(host) !== undefined || patterns.some((one) => leaves(one, host, entity));
  if (goes && !identifying) return undefined;
  if (!isPlain(model, entity) || !patterns.some((one) => isAboutBoth(one, host, entity))) {
    return undefined;
  }
  const count = isOne ? 1 : (max?.value ?? 1);
  const named = by === undefined ? 0 : nameMax(entity, by);
  return {
    entity,
    embed: {
      entity: to,
      as: placeName(host, entity, isOne),
      ...(by === undefined ? { one: true } : { by }),
    },
    bytesMax: count * (embeddedMax(entity) + named),
  };
}

/** Whether a pattern takes the one away and would leave the other one. */
function leaves({ actions, with: others }: Pattern, host: Entity, { name }: Entity): boolean {
  return (
    actions.some(({ kind, entity }) => kind === "delete" && entity === host.name) &&
    !others.some(({ entity }) => entity === name)
  );
}

/** Nothing of it is guarded, expires or lies elsewhere by itself. */
function isPlain(model: Model, entity: Entity): boolean {
  const isUnique = [...entity.attributes.values()].some(({ unique }) => unique);
  const all = [...model.entities.values()].flatMap((one) => [...one.attributes.values()]);
  // Numbers and copies are kept by those that write items.
  if (all.some(({ keeps, copyOf }) => (keeps?.of ?? copyOf?.entity) === entity.name)) return false;
  const isKept = ({ keeps, staleness }: Attribute): boolean =>
    keeps !== undefined || staleness === "refused";
  if ([...entity.attributes.values()].some(isKept)) return false;
  return (
    !isUnique && expiryAttributeOf(entity) === undefined && blobsOf(model, entity).length === 0
  );
}

function isAboutBoth(pattern: Pattern, host: Entity, { name }: Entity): boolean {
  const about = entitiesOf(pattern);
  return about.has(host.name) && about.has(name);
}

function nameMax({ attributes }: Entity, by: string): number {
  const attribute = attributes.get(by);
  return attribute === undefined ? 0 : Math.max(attribute.digits ?? 0, attributeMax(attribute));
}

function fits({ attributes }: Entity, group: readonly Inner[]): boolean {
  const own = [...attributes.values()].reduce(
    (sum, one) => sum + textSize(one.name) + attributeMax(one),
    0,
  );
  const inside = group.reduce((sum, one) => sum + one.bytesMax, 0);
  return own + inside <= itemSizeBytesMax - spareBytes;
}

/** `OrderLine` lies in `lines` of an `Order`; where that is taken, in `orderLines`. */
function placeName(host: Entity, { name }: Entity, isOne: boolean): string {
  const short = name.startsWith(host.name) && name.length > host.name.length;
  const words = [short ? name.slice(host.name.length) : name, name, `${name}Inside`].map((word) => {
    const first = word.slice(0, 1).toLowerCase() + word.slice(1);
    return isOne ? first : plural(first);
  });
  return words.find((word) => !host.attributes.has(word)) ?? words.join("");
}

function nested(host: Entity, layout: Layout, group: readonly Inner[]): Layout {
  const table = layout.tables.get(layout.main) as TableDocument;
  const placement = table.entities?.[host.name];
  const document: TableDocument = {
    ...table,
    entities: record([
      [
        host.name,
        { key: placement?.key ?? {}, ...placement, embeds: group.map(({ embed }) => embed) },
      ],
    ]),
  };
  const names = group.map(({ entity }) => entity.name);
  const inside = names.map((name) => `each ${name} inside of its ${host.name}`).join(", ");
  const words = `${layout.words}, ${inside}`;
  return {
    ...layout,
    id: `${layout.main} ${words}`,
    entities: [host.name, ...names],
    idea: "nested",
    plain: layout,
    inside: names,
    words,
    tables: new Map([...layout.tables, [layout.main, document]]),
  };
}
