import type { Path } from "../document/path.ts";
import type { KeyAttribute, Placement } from "./design.ts";
import type { PlacementDocument } from "./document-design.ts";
import { attributesOf } from "./key-text.ts";
import { readKey } from "./read-keys.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Entity } from "./requirements.ts";

export function readPlacement(
  reading: Reading,
  document: PlacementDocument,
  key: readonly KeyAttribute[],
  entity: Entity,
  entities: ReadonlyMap<string, Entity>,
  path: Path,
): Placement {
  const { embeds = [] } = document;
  const ownKey = readKey(reading, document.key, key, entity, [...path, "key"]);
  const inKey = new Set(
    ownKey.flatMap(({ text }) => attributesOf(text)).map((one) => one.attribute),
  );
  const splits = (document.split ?? []).map((split, i) => {
    const at = [...path, "split", i];
    const attributes = reading.attributes(entity, split.attributes, [...at, "attributes"]);
    for (const { name } of attributes) {
      const place = [...at, "attributes", split.attributes.indexOf(name)];
      if (entity.id.includes(name)) reading.say(place, "is in the id, which both items have");
      else if (inKey.has(name)) {
        reading.say(place, `is in the key of ${entity.name}, so it stays in its item`);
      }
    }
    return {
      name: split.name,
      key: readKey(reading, split.key, key, entity, [...at, "key"]),
      attributes: attributes.map(({ name }) => name),
    };
  });
  const elsewhere = (document.elsewhere ?? []).map(({ attribute, service, pointer }, i) => {
    const at = [...path, "elsewhere", i];
    reading.attribute(entity, attribute, [...at, "attribute"]);
    if (pointer !== undefined) reading.attribute(entity, pointer, [...at, "pointer"]);
    return { attribute, service, pointer };
  });
  for (const [i, { entity: inner, as, by, one }] of embeds.entries()) {
    const at = [...path, "embeds", i];
    const found = reading.find(entities, inner, "entity", [...at, "entity"]);
    const named = found && by !== undefined && reading.attribute(found, by, [...at, "by"]);
    if (named && named.type !== "S" && named.type !== "N") {
      reading.say([...at, "by"], `is '${by}', which is no text and no number`);
    }
    if (by !== undefined && one) reading.say([...at, "one"], "contradicts by, which tells several");
    if (inner === entity.name) reading.say([...at, "entity"], "cannot lie inside itself");
    if (entity.attributes.has(as)) {
      reading.say([...at, "as"], `is '${as}', which is an attribute of ${entity.name} already`);
    }
  }
  const away = new Set([
    ...splits.flatMap(({ attributes }) => attributes),
    ...elsewhere.map(({ attribute }) => attribute),
  ]);
  const { stores = [...entity.attributes.keys()].filter((name) => !away.has(name)) } = document;
  if (document.stores !== undefined) {
    for (const { name } of reading.attributes(entity, stores, [...path, "stores"])) {
      if (away.has(name)) {
        const at = [...path, "stores", stores.indexOf(name)];
        reading.say(at, `is '${name}', which lies in another item or elsewhere`);
      }
    }
  }
  return {
    entity: entity.name,
    path,
    key: ownKey,
    stores,
    names: readNames(reading, document, entity, path),
    splits,
    embeds,
    elsewhere,
  };
}

function readNames(
  reading: Reading,
  document: PlacementDocument,
  entity: Entity,
  path: Path,
): ReadonlyMap<string, string> {
  const names = new Map(entriesOf(document.names));
  const taken = new Set([...entity.attributes.keys()].filter((name) => !names.has(name)));
  for (const [name, stored] of names) {
    const at = [...path, "names", name];
    reading.attribute(entity, name, at, { isName: true });
    if (taken.has(stored)) reading.say(at, `is '${stored}', which another attribute is called`);
    taken.add(stored);
  }
  return names;
}
