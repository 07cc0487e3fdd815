import { formats } from "./formats.ts";
import type { Reading } from "./reading.ts";
import type { Attribute, Entity, Relation } from "./requirements.ts";

type Entities = ReadonlyMap<string, Entity>;

/** Numbers that are worked out from others: what they name is there, and it can be told whose they are. */
export function checkKept(
  reading: Reading,
  entities: Entities,
  relations: readonly Relation[],
): void {
  for (const holder of entities.values()) {
    for (const attribute of holder.attributes.values()) {
      if (attribute.keeps !== undefined) {
        checkOne(reading, holder, attribute, attribute.keeps, entities, relations);
      }
    }
  }
}

function checkOne(
  reading: Reading,
  holder: Entity,
  { name, path, unique }: Attribute,
  { what, of, attribute }: NonNullable<Attribute["keeps"]>,
  entities: Entities,
  relations: readonly Relation[],
): void {
  const at = [...path, "keeps", what];
  if (holder.id.includes(name)) reading.say([...path, "keeps"], "cannot be of an id, which stays");
  if (unique) reading.say([...path, "keeps"], "cannot be of a value that is unique");
  const source = reading.find(entities, of, "entity", at);
  if (source === undefined) return;
  const summed = attribute === undefined ? undefined : reading.attribute(source, attribute, at);
  if (summed !== undefined && summed.type !== "N") {
    reading.say(at, `has type ${summed.type}, not N`);
  }
  if (source === holder) reading.say(at, `names ${of} itself; what is counted belongs to another`);
  else if (!isRelated(holder, source, relations)) {
    reading.say(at, `names ${of}, and no relation says which ${holder.name} it belongs to`);
  }
}

/** A relation leads to the holder, or all of its id is there: by name, or as the only moment of the same format. */
function isRelated(holder: Entity, source: Entity, relations: readonly Relation[]): boolean {
  const ends = [holder.name, source.name];
  const isStated = relations.some(({ from, to, via }) =>
    via === undefined
      ? ends.includes(from) && ends.includes(to) && from !== to
      : via === source.name && (from === holder.name || to === holder.name),
  );
  if (isStated) return true;
  const shares = holder.id.some((id) => source.attributes.has(id));
  const isThere = (id: string): boolean => {
    const format = holder.attributes.get(id)?.format;
    if (source.attributes.has(id)) return true;
    if (format === undefined || formats[format].finest === undefined) return false;
    return [...source.attributes.values()].filter((one) => one.format === format).length === 1;
  };
  return shares && holder.id.every(isThere);
}
