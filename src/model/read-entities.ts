import { durationMs } from "../document/measures.ts";
import type { Path } from "../document/path.ts";
import { type Traits, traitsIn } from "./derived-traits.ts";
import type { Amount } from "./document-parts.ts";
import type { EntityDocument, RelationDocument } from "./document-requirements.ts";
import type { ModelDocument } from "./model-document.ts";
import { type Quantity, quantity, quantityOf } from "./quantities.ts";
import { readAttribute } from "./read-attributes.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Attribute, Entity, Relation } from "./requirements.ts";

export function readEntities(
  reading: Reading,
  document: ModelDocument,
): ReadonlyMap<string, Entity> {
  const traits = traitsIn(document);
  const entities = new Map(
    entriesOf(document.entities).map(([name, one]) => [
      name,
      readEntity(reading, name, one, traits),
    ]),
  );
  for (const entity of entities.values()) {
    for (const attribute of entity.attributes.values()) {
      if (attribute.copyOf !== undefined) checkCopy(reading, entity, attribute, entities);
      if (attribute.refersTo !== undefined) checkReference(reading, attribute, entities);
    }
  }
  return entities;
}

function readEntity(
  reading: Reading,
  name: string,
  document: EntityDocument,
  traits: Traits,
): Entity {
  const path = ["entities", name];
  const attributes = new Map<string, Attribute>();
  for (const [attribute, one] of entriesOf(document.attributes)) {
    const isId = document.id.includes(attribute);
    const at = [...path, "attributes", attribute];
    const place = `${name}.${attribute}`;
    const isOptional = traits.optional.has(place);
    const canBeNegative = traits.negative.has(place);
    attributes.set(attribute, {
      ...readAttribute(reading, attribute, one, isId, at, isOptional),
      canBeNegative,
    });
  }
  const { growth, retention, version } = document;
  const entity: Entity = {
    name,
    path,
    description: document.description,
    id: document.id,
    count: quantityOf(document.count),
    growthPerMonth: growth && perMonth(growth),
    retentionMs: retention === undefined ? undefined : durationMs(retention),
    version,
    attributes,
  };
  reading.attributes(entity, document.id, [...path, "id"]);
  if (version !== undefined) {
    const found = reading.attribute(entity, version, [...path, "version"]);
    if (found !== undefined && found.type !== "N") {
      reading.say([...path, "version"], `names '${version}', which is no number`);
    }
  }
  return entity;
}

function perMonth(growth: NonNullable<EntityDocument["growth"]>): Quantity | undefined {
  const times = (amount: Amount, factor: number): Quantity => {
    const one = quantity(amount);
    return { ...one, value: one.value * factor };
  };
  if (growth.perDay !== undefined) return times(growth.perDay, 365 / 12);
  if (growth.perYear !== undefined) return times(growth.perYear, 1 / 12);
  return quantityOf(growth.perMonth);
}

function checkCopy(
  reading: Reading,
  { name }: Entity,
  attribute: Attribute,
  entities: ReadonlyMap<string, Entity>,
): void {
  const path = [...attribute.path, "copyOf"];
  const { entity = "", attribute: of = "" } = attribute.copyOf ?? {};
  const source = reading.find(entities, entity, "entity", path);
  const original = source && reading.attribute(source, of, path);
  if (original === undefined) return;
  if (source?.name === name && of === attribute.name) reading.say(path, "is the attribute itself");
  if (original.type !== attribute.type) {
    reading.say(path, `has type ${original.type}, and the copy ${attribute.type}`);
  }
}

/** What an attribute refers to is a part of an id, and has the same type. */
function checkReference(
  reading: Reading,
  { type, path: at, refersTo }: Attribute,
  entities: ReadonlyMap<string, Entity>,
): void {
  const path = [...at, "refersTo"];
  const { entity = "", attribute = "" } = refersTo ?? {};
  const target = reading.find(entities, entity, "entity", path);
  const id = target && reading.attribute(target, attribute, path);
  if (id === undefined || target === undefined) return;
  if (!target.id.includes(attribute)) {
    reading.say(path, `names '${entity}.${attribute}', which is not in the id of ${entity}`);
  }
  if (id.type !== type) reading.say(path, `has type ${id.type}, and this attribute ${type}`);
}

export function readRelation(
  reading: Reading,
  document: RelationDocument,
  path: Path,
  entities: ReadonlyMap<string, Entity>,
): Relation {
  const { from, to, via, kind, reverse } = document;
  reading.find(entities, from, "entity", [...path, "from"]);
  reading.find(entities, to, "entity", [...path, "to"]);
  if (via !== undefined) {
    reading.find(entities, via, "entity", [...path, "via"]);
    if (kind !== "many-to-many") reading.say([...path, "via"], "is for many-to-many relations");
  }
  if (document.identifying === true && kind === "many-to-many") {
    reading.say([...path, "identifying"], "is not for many-to-many relations");
  }
  const relation: Relation = {
    path,
    from,
    to,
    kind,
    via,
    description: document.description,
    average: quantityOf(document.average),
    max: quantityOf(document.max),
    reverse: { average: quantityOf(reverse?.average), max: quantityOf(reverse?.max) },
    identifying: document.identifying ?? false,
    together: quantityOf(document.together),
  };
  for (const [{ average, max }, at] of [
    [relation, path],
    [relation.reverse, [...path, "reverse"]],
  ] as const) {
    if (average !== undefined && max !== undefined && average.value > max.value) {
      reading.say(at, "has an average above its max");
    }
  }
  return relation;
}
