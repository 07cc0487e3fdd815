import type { AttributeDocument, FormatName } from "../../src/model/document-requirements.ts";
import { addAttribute, type DraftEntity, plainNames } from "./draft-entity.ts";
import type { ModelRandom } from "./model-random.ts";
import { randomAttribute, versionAttribute } from "./random-attributes.ts";

/** Draws entities with ids and plain attributes. Relations between them are in random-relations.ts. */

export const entityNames = [
  "Person",
  "Account",
  "Invoice",
  "Ticket",
  "Device",
  "Reading",
  "Room",
  "Booking",
  "Course",
  "Lesson",
  "Team",
  "Message",
  "Folder",
  "Product",
  "Payment",
  "Vehicle",
  "Line_item",
  "sensor",
  "Map",
] as const;

/** A part of an id that tells items of one owner apart. */
export const partNames = ["position", "slot", "revision", "onDay", "code"] as const;
export const tenantName = "tenantId";

export function idName(entity: string): string {
  return `${entity.charAt(0).toLowerCase()}${entity.slice(1)}Id`;
}

/** An entity that belongs to no other one. */
export function standaloneEntity(random: ModelRandom, name: string): DraftEntity {
  const entity: DraftEntity = {
    name,
    id: [],
    attributes: new Map(),
    count: Math.round(random.magnitude(1, random.chance(0.1) ? 8 : 6)),
    references: [],
  };
  if (random.chance(0.12)) {
    addIdPart(entity, tenantName, {
      type: "S",
      format: "uuid",
      distinct: random.amount(Math.max(1, Math.round(entity.count / 50))),
    });
  }
  const own = random.weighted({ derived: 8, id: 1.5, handle: 1, sku: 0.5 });
  addIdPart(entity, own === "derived" ? idName(name) : own, idAttribute(random, own));
  if (random.chance(0.1)) addPart(random, entity);
  return entity;
}

function addIdPart(entity: DraftEntity, name: string, attribute: AttributeDocument): void {
  if (addAttribute(entity, name, attribute)) entity.id.push(name);
}

/** Adds another part to an id: a position, a day, a version. */
export function addPart(random: ModelRandom, entity: DraftEntity): void {
  const name = random.pick(partNames);
  addIdPart(entity, name, partAttribute(random, name));
}

function partAttribute(random: ModelRandom, name: (typeof partNames)[number]): AttributeDocument {
  switch (name) {
    case "position":
    case "slot":
    case "revision":
      return {
        type: "N",
        ...random.maybe(0.8, () => ({ digits: random.between(2, 5) })),
        ...random.maybe(0.3, () => ({ distinct: random.magnitude(1, 3) })),
      };
    case "onDay":
      return random.chance(0.7)
        ? { type: "S", format: "iso-date" }
        : { type: "N", format: "epoch-seconds" };
    case "code":
      return { type: "S", bytes: random.bytes(0.5, 1.3) };
  }
}

function idAttribute(random: ModelRandom, name: string): AttributeDocument {
  const attribute = random.choose<AttributeDocument>([
    [7, () => ({ type: "S", format: random.pick<FormatName>(["ulid", "uuid", "ksuid"]) })],
    [2, () => ({ type: "S", bytes: random.bytes(0.7, 1.4) })],
    [1.5, () => ({ type: "N", digits: random.between(6, 12) })],
    [0.4, () => ({ type: "B", format: random.pick<FormatName>(["ulid", "uuid", "ksuid"]) })],
    [0.3, () => ({ type: "B", bytes: 16 })],
    [0.2, () => ({ type: "S", values: ["eu", "us", "ap"] })],
  ]);
  return {
    ...attribute,
    ...random.maybe(0.05, () => ({ unique: true })),
    ...random.maybe(0.05, () => ({ mutable: random.contradicts(0.5) })),
    ...random.maybe(name === "handle" ? 0.4 : 0.02, () => ({ personal: true })),
  };
}

/** Adds attributes that are in no id, and perhaps a version. */
export function addPlainAttributes(random: ModelRandom, entity: DraftEntity): void {
  const wanted = 1 + random.few(random.extent.attributes);
  for (let i = 0; i < wanted; i += 1) {
    const { name, attribute } = randomAttribute(random);
    addAttribute(entity, name, attribute);
  }
  if (random.chance(0.2)) {
    const name = random.chance(0.7) ? "version" : "revisionCount";
    if (addAttribute(entity, name, versionAttribute(random))) entity.version = name;
  }
  if (plainNames(entity).length === 0 && random.chance(0.7)) {
    addAttribute(entity, "total", { type: "N", digits: 5 });
  }
}
