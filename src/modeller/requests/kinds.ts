import { own } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { StoredRecord } from "../records/record.ts";

/** Which kind an item is, of those that can lie where it was found. */
export function kindOf(item: Item, records: readonly StoredRecord[]): StoredRecord | undefined {
  const [first, ...others] = records;
  if (first === undefined || others.length === 0) return first;
  const told = records.filter(({ attributes, table }) => {
    const name = table.discriminator;
    const said = name === undefined ? undefined : own(item, name);
    if (said === undefined) return true;
    return attributes.some(
      (one) =>
        one.name === name &&
        one.content.kind === "text" &&
        "S" in said &&
        one.content.text === said.S,
    );
  });
  // Parts of an item say the same of themselves as the item: their keys tell them apart.
  const fitting = told.filter(({ key }) =>
    key.every(({ attribute, text }) => fits(own(item, attribute), text)),
  );
  return fitting.toSorted((a, b) => literals(b) - literals(a))[0];
}

/** How much of its key is fixed text: the more, the surer that a fitting key is meant. */
function literals({ key }: StoredRecord): number {
  return key
    .flatMap(({ text }) => text.segments)
    .reduce((sum, segment) => sum + (segment.kind === "text" ? segment.text.length : 0), 0);
}

function fits(value: AttributeValue | undefined, text: KeyText): boolean {
  if (value === undefined) return false;
  if (text.native !== undefined) return true;
  if (!("S" in value)) return false;
  let at = 0;
  for (const [i, segment] of text.segments.entries()) {
    if (segment.kind !== "text") continue;
    const found = value.S.indexOf(segment.text, at);
    if (found < 0 || (i === 0 && found !== 0)) return false;
    at = found + segment.text.length;
  }
  const last = text.segments.at(-1);
  return last?.kind !== "text" || value.S.endsWith(last.text);
}
