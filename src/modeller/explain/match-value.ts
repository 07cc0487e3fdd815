import { own } from "../../base/record.ts";
import type { AttributeValue, Item } from "../../item/attribute-value.ts";
import type { KeyText, Segment } from "../../model/key-text.ts";
import { canBegin } from "../plans/structures.ts";
import type { MadeKey, StoredRecord } from "../records/record.ts";

/** Values of a request held against the texts that a model makes keys of. */

/** What a key value looks like in words. */
export function valueText(value: AttributeValue): string {
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  if ("B" in value) return value.B;
  return JSON.stringify(value);
}

/** Whether a value can be made by a text. */
export function fits({ attribute, text }: MadeKey, value: AttributeValue): boolean {
  if (!(attribute.type in value)) return false;
  if (text.native !== undefined) return true;
  return "S" in value && expressionOf(text.segments).test(value.S);
}

/** Whether a value that a text makes can begin with this. */
export function canBeginWith({ text }: MadeKey, prefix: string): boolean {
  return canBegin(text, prefix);
}

/** The attributes whose values a beginning holds as a whole. */
export function boundBy({ segments }: KeyText, prefix: string): readonly string[] {
  for (let n = segments.length; n > 0; n -= 1) {
    const head = segments.slice(0, n);
    // An attribute at the end may go on after the beginning, unless there is nothing after it.
    const isOpen = head.at(-1)?.kind === "attribute" && n < segments.length;
    if (!isOpen && expressionOf(head).test(prefix)) return attributesIn(head);
  }
  return [];
}

export function attributesIn(segments: readonly Segment[]): readonly string[] {
  return segments.flatMap((one) => (one.kind === "attribute" ? [one.attribute] : []));
}

function expressionOf(segments: readonly Segment[]): RegExp {
  const parts = segments.map((segment) => {
    if (segment.kind === "text") return segment.text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return segment.kind === "shard" ? "[0-9]+" : "[^]+?";
  });
  return new RegExp(`^${parts.join("")}$`, "u");
}

/** The kinds of items that can lie under a key of a table; those with most literals first. */
export function recordsAt(records: readonly StoredRecord[], key: Item): readonly StoredRecord[] {
  const literals = ({ key: parts }: StoredRecord): number =>
    parts.reduce(
      (sum, { text }) =>
        sum +
        text.segments.reduce((all, one) => all + (one.kind === "text" ? one.text.length : 0), 0),
      0,
    );
  return records
    .filter(({ key: parts, table }) =>
      parts.every(({ attribute, text }, i) => {
        const value = own(key, attribute);
        const made = (i === 0 ? table.partition : table.sort) ?? table.partition;
        return value !== undefined && fits({ attribute: made, text }, value);
      }),
    )
    .toSorted((a, b) => literals(b) - literals(a));
}
