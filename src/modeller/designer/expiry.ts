import type { TableDocument } from "../../model/document-design.ts";
import type { Entity } from "../../model/requirements.ts";
import { expiryAttributeOf } from "../expiry-attribute.ts";
import { numberText } from "../lint/words.ts";

/** The time to live of a table: one attribute, and nobody else in the table may have one of that name. */
export function ttlOf(entities: readonly Entity[]): Pick<TableDocument, "ttl"> {
  const names = entities.flatMap((entity) => expiryAttributeOf(entity) ?? []);
  const attribute = names.find((name) =>
    entities.every((one) => expiryAttributeOf(one) === name || !one.attributes.has(name)),
  );
  return attribute === undefined ? {} : { ttl: attribute };
}

/** Entities with a retention that no TTL of the design enforces, a sentence for each. */
export function unlimited(
  entities: Iterable<Entity>,
  design: readonly TableDocument[],
): readonly string[] {
  return [...entities].flatMap((entity) => {
    if (entity.retentionMs === undefined) return [];
    const table = design.find((one) => Object.hasOwn(one.entities ?? {}, entity.name));
    if (table?.ttl !== undefined && table.ttl === expiryAttributeOf(entity)) return [];
    const days = Math.round(entity.retentionMs / 86_400_000);
    return [
      `${entity.name} has a retention of ${numberText(days)} days but no TTL: it needs an attribute with the second at which it expires (type N, format epoch-seconds, such as expiresAt).`,
    ];
  });
}
