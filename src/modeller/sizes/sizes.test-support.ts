import type { AttributeDocument } from "../../model/document-requirements.ts";
import { type KeyText, parseKeyText } from "../../model/key-text.ts";
import { readAttribute } from "../../model/read-attributes.ts";
import { Reading } from "../../model/reading.ts";
import type { Attribute } from "../../model/requirements.ts";

export function attributeOf(document: AttributeDocument, name = "a"): Attribute {
  const reading = new Reading();
  const attribute = readAttribute(reading, name, document, false, []);
  if (reading.issues.length > 0) throw new Error(JSON.stringify(reading.issues));
  return attribute;
}

export function attributesFrom(
  documents: Readonly<Record<string, AttributeDocument>>,
): ReadonlyMap<string, Attribute> {
  return new Map(
    Object.entries(documents).map(([name, document]) => [name, attributeOf(document, name)]),
  );
}

export function keyTextOf(text: string): KeyText {
  return parseKeyText(text, (message) => {
    throw new Error(message);
  });
}
