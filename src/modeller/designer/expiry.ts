import type { TableDocument } from "../../model/document-design.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";

/** `expiresAt`, `ttl`, `validUntil`: a second after which an item may go. */
const spoken = /expir|^ttl$|until|purge|deleteA(t|fter)/i;

/** The attribute that says when an item of an entity that is kept for a time may go. */
export function expiryOf({ retentionMs, attributes }: Entity): string | undefined {
  if (retentionMs === undefined) return undefined;
  return [...attributes.values()].find(isExpiry)?.name;
}

function isExpiry({ name, type, format }: Attribute): boolean {
  return type === "N" && format === "epoch-seconds" && spoken.test(name);
}

/** The time to live of a table: one attribute, and nobody else in the table may have one of that name. */
export function ttlOf(entities: readonly Entity[]): Pick<TableDocument, "ttl"> {
  const names = entities.flatMap((entity) => expiryOf(entity) ?? []);
  const attribute = names.find((name) =>
    entities.every((one) => expiryOf(one) === name || !one.attributes.has(name)),
  );
  return attribute === undefined ? {} : { ttl: attribute };
}

/** What is to be kept for a time and says nowhere when it is over, in sentences. */
export function unlimited(
  entities: Iterable<Entity>,
  design: readonly TableDocument[],
): readonly string[] {
  return [...entities].flatMap((entity) => {
    if (entity.retentionMs === undefined) return [];
    const table = design.find((one) => Object.hasOwn(one.entities ?? {}, entity.name));
    if (table?.ttl !== undefined && table.ttl === expiryOf(entity)) return [];
    const days = Math.round(entity.retentionMs / 86_400_000);
    return [
      `${entity.name} is to be kept for ${days} days, and nothing takes it away: it needs an attribute with the second at which it expires (type N, format epoch-seconds, such as expiresAt).`,
    ];
  });
}
