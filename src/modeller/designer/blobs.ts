import { itemSizeBytesMax } from "../../api/limits.ts";
import { textSize } from "../../item/size.ts";
import type { PlacementDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import { attributeMax } from "../lint/largest.ts";
import { servedPatterns } from "./needs.ts";

type Elsewhere = NonNullable<PlacementDocument["elsewhere"]>;

/** Keys that are made and what indexes put on items have to fit in, too. */
export const spareBytes = 4_096;
const pointerEndings = ["Key", "Url", "Uri", "Path", "Pointer"];

/**
 * Attributes that lie elsewhere already, and those that make an item larger than one can be: the largest first, as few as
 * it takes, and nobody asks about them.
 */
export function blobsOf(model: Model, entity: Entity): Elsewhere {
  const weight = (one: Attribute): number => textSize(one.name) + attributeMax(one);
  const all = [...entity.attributes.values()];
  const asked = askedAbout(model, entity);
  const movable = all
    .filter(({ name, unique }) => !unique && !entity.id.includes(name) && !asked.has(name))
    .toSorted((a, b) => weight(b) - weight(a));
  const there = (entity.elsewhere ?? []).filter((one) =>
    movable.some(({ name }) => name === one.attribute),
  );
  const isThere = ({ name }: Attribute): boolean =>
    there.some(({ attribute }) => attribute === name);
  let bytes = all.reduce((sum, one) => sum + (isThere(one) ? 0 : weight(one)), 0);
  const found: Attribute[] = [];
  for (const one of movable) {
    if (isThere(one)) continue;
    if (bytes <= itemSizeBytesMax - spareBytes) break;
    found.push(one);
    bytes -= weight(one);
  }
  const moved = found.map(({ name }) => {
    const pointer = pointerEndings
      .map((ending) => `${name}${ending}`)
      .find((one) => entity.attributes.get(one)?.type === "S");
    return { attribute: name, service: "S3", ...(pointer !== undefined && { pointer }) };
  });
  return [...there, ...moved];
}

/** The requirements alone; what the design that is there has elsewhere is told with them, for its bytes stay there. */
export function withoutDesign(model: Model): Model {
  const placed = [...(model.design?.tables.values() ?? [])].flatMap(({ placements }) => [
    ...placements.values(),
  ]);
  const entities = [...model.entities].map(([name, entity]): [string, Entity] => {
    const own = placed.filter((one) => one.entity === name);
    const elsewhere = own.flatMap((one) =>
      one.elsewhere.map(({ pointer, ...rest }) => ({ ...rest, ...(pointer && { pointer }) })),
    );
    return [name, elsewhere.length === 0 ? entity : { ...entity, elsewhere }];
  });
  return { ...model, entities: new Map(entities), design: undefined };
}

function askedAbout(model: Model, { name }: Entity): ReadonlySet<string> {
  return new Set(
    servedPatterns(model).flatMap(({ actions, together }) =>
      [...actions, ...together]
        .filter(({ entity }) => entity === name)
        .flatMap(({ where, order }) => [...where, ...order].map(({ attribute }) => attribute)),
    ),
  );
}

/** A member of a placement, if there is something in it. */
export function elsewhereOf(model: Model, entity: Entity): Pick<PlacementDocument, "elsewhere"> {
  const elsewhere = blobsOf(model, entity);
  return elsewhere.length === 0 ? {} : { elsewhere };
}

/** `, photo in S3`. */
export function blobWords(model: Model, entities: readonly Entity[]): string {
  return entities
    .flatMap((entity) => blobsOf(model, entity))
    .map(({ attribute, service }) => `, ${attribute} in ${service}`)
    .join("");
}
