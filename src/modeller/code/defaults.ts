import type { Attribute, Entity } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Use } from "./key-code.ts";

/** An attribute that the code sets if the one who makes the entity does not. */
export interface Default {
  readonly attribute: Attribute;
  /** In words. */
  readonly text: string;
  readonly code: (use: Use) => string;
}

/** Versions begin at 1 and counters at 0; what is kept only for a time expires when it is over. */
export function defaultsOf(facts: Facts, entity: Entity): readonly Default[] {
  const ttl = [...(facts.model.design?.tables.values() ?? [])]
    .filter(({ placements }) => placements.has(entity.name))
    .map((table) => table.ttl)
    .find((one) => one?.entities.includes(entity.name));
  return [...entity.attributes.values()].flatMap((attribute): readonly Default[] => {
    if (attribute.type !== "N" || attribute.isOptional) return [];
    if (attribute.name === entity.version) return [fixed(attribute, "1")];
    if (attribute.counter && attribute.values === undefined) return [fixed(attribute, "0")];
    const { retentionMs } = entity;
    if (ttl?.attribute !== attribute.name || retentionMs === undefined) return [];
    return [
      {
        attribute,
        text: "the end of the time that it is kept for",
        code: (use) => `${use("expiresIn")}(${retentionMs}, access.now())`,
      },
    ];
  });
}

function fixed(attribute: Attribute, value: string): Default {
  return { attribute, text: value, code: () => value };
}
