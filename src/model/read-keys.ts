import type { Path } from "../document/path.ts";
import type { KeyAttribute, KeyPart } from "./design.ts";
import type { KeyTexts, KeyType } from "./document-design.ts";
import { formats, timeUnits } from "./formats.ts";
import { attributesOf, parseKeyText, type Transform } from "./key-text.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Attribute, Entity } from "./requirements.ts";

/** Reads the texts that key attributes are made of, for an entity. */
export function readKeyTexts(
  reading: Reading,
  texts: KeyTexts,
  entity: Entity,
  path: Path,
): readonly KeyPart[] {
  return entriesOf(texts).map(([attribute, text]) => {
    const at = [...path, attribute];
    const complain = (message: string, within: number): void => {
      reading.say(at, message, { within });
    };
    const parsed = parseKeyText(text, complain);
    for (const { attribute: name, transforms, at: within } of attributesOf(parsed)) {
      const found = reading.attribute(entity, name, at, { within });
      if (found === undefined) continue;
      if (!["S", "N", "B"].includes(found.type)) {
        complain(`has '${name}' of type ${found.type}; keys are made of S, N and B`, within);
      } else if (found.type === "B" && parsed.native === undefined) {
        complain(`has '${name}' of type B, which can only be a key by itself`, within);
      } else {
        checkTransforms(found, transforms, (message) => complain(message, within));
      }
    }
    return { attribute, path: at, text: parsed };
  });
}

function checkTransforms(
  { name, type, format, canBeNegative }: Attribute,
  transforms: readonly Transform[],
  complain: (message: string) => void,
): void {
  const time = format === undefined ? undefined : formats[format].finest;
  let isTime = time !== undefined;
  let isNumber = type === "N";
  for (const transform of transforms) {
    if (transform.kind === "truncate") {
      if (!isTime) {
        complain(`cannot cut '${name}' off after the ${transform.unit}: it is no time`);
      } else if (time && timeUnits.indexOf(transform.unit) < timeUnits.indexOf(time)) {
        complain(`cannot cut '${name}' off after the ${transform.unit}: it has only days`);
      }
      // What is left is a text such as 2026-11.
      isNumber = false;
    } else if (transform.kind === "pad") {
      if (!isNumber) complain(`cannot pad '${name}': it is no number`);
      else if (canBeNegative) complain(negativeText("pad", name));
      isNumber = false;
      isTime = false;
    } else if (transform.kind === "descending") {
      if (isNumber && canBeNegative) complain(negativeText("reverse", name));
      if (!isNumber && !isTime) {
        complain(`cannot turn '${name}' round: it is neither a number nor a time`);
      }
    } else if (type !== "S") {
      complain(`cannot change the case of '${name}': it has type ${type}`);
    }
  }
}

function negativeText(what: string, name: string): string {
  return `cannot ${what} '${name}': the model states a negative value of it, and texts sort a minus wrongly`;
}

/** The type that a key attribute gets from what it is made of. */
export function typeOf({ text }: KeyPart, entity: Entity): KeyType {
  const native = text.native === undefined ? undefined : entity.attributes.get(text.native);
  return native?.type === "N" || native?.type === "B" ? native.type : "S";
}

/** Reads a whole key: each key attribute of the table must be there, with its type, and no other. */
export function readKey(
  reading: Reading,
  texts: KeyTexts,
  key: readonly KeyAttribute[],
  entity: Entity,
  path: Path,
  /** An attribute that some items may lack: they have no item with this key. */
  optional?: string,
): readonly KeyPart[] {
  const parts = readKeyTexts(reading, texts, entity, path);
  const names = key.map(({ name }) => name);
  for (const { attribute } of parts) {
    if (names.includes(attribute)) continue;
    const at = [...path, attribute];
    reading.unknown(at, attribute, "key attribute of the table", names, { isName: true });
  }
  return key.flatMap(({ name, type }) => {
    const part = parts.find(({ attribute }) => attribute === name);
    if (part === undefined) {
      reading.say(path, `needs '${name}', which is in the table's key`);
      return [];
    }
    checkPart(reading, part, type, entity, optional);
    return [part];
  });
}

function checkPart(
  reading: Reading,
  part: KeyPart,
  type: KeyType,
  entity: Entity,
  optional: string | undefined,
): void {
  const made = typeOf(part, entity);
  if (part.text.segments.length > 0 && made !== type) {
    const hint = made === "S" ? "; write {attribute} alone" : "; write text beside it, or pad it";
    reading.say(part.path, `is of type ${made}, and the key is of type ${type}${hint}`);
  }
  for (const { attribute, at } of attributesOf(part.text)) {
    const found = entity.attributes.get(attribute);
    if (found !== undefined && found.present.value < 1 && attribute !== optional) {
      reading.say(part.path, `has '${attribute}', which some items do not have`, { within: at });
    }
  }
}
