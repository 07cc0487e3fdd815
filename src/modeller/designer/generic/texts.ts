import type { KeyText } from "../../../model/key-text.ts";
import type { Attribute, Entity } from "../../../model/requirements.ts";
import type { MadeKey } from "../../records/record.ts";
import { segmentOf } from "../keys.ts";

/** What a key attribute becomes inside of a text, and whether it is seen where it ends. */
interface Piece {
  readonly text: string;
  readonly even: boolean;
}

/** Attributes that are known by value in one text; nothing if it could not be told apart. Marks are not needed there. */
export function partitionText(entity: Entity, keys: readonly MadeKey[]): string | undefined {
  const pieces = keys.filter(({ text }) => !isConstant(text)).map((key) => pieceOf(entity, key));
  const known = pieces.flatMap((one) => one ?? []);
  const open = known.filter(({ even }) => !even);
  if (known.length < pieces.length || open.length > 1) return undefined;
  return joined([...known.filter(({ even }) => even), ...open]);
}

/** What is sorted by in one text that sorts alike; nothing if there is none. */
export function sortText(entity: Entity, keys: readonly MadeKey[]): string | undefined {
  const pieces = keys.map((key) => sortPieceOf(entity, key));
  const known = pieces.flatMap((one) => one ?? []);
  if (known.length < pieces.length) return undefined;
  return known.slice(0, -1).every(({ even }) => even) ? joined(known) : undefined;
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("#");
}

function isConstant({ segments }: KeyText): boolean {
  return segments.every(({ kind }) => kind === "text");
}

function pieceOf(entity: Entity, { text }: MadeKey): Piece | undefined {
  const attribute = entity.attributes.get(text.native ?? "");
  // Numbers are written in one way, and without what separates them.
  if (attribute?.type === "N") return { text: paddedOf(attribute) ?? text.text, even: true };
  return sortPieceOf(entity, { text });
}

function sortPieceOf(entity: Entity, { text }: Pick<MadeKey, "text">): Piece | undefined {
  const { native, segments } = text;
  if (native === undefined) return { text: text.text, even: endsEvenly(entity, text) };
  const attribute = entity.attributes.get(native);
  if (attribute === undefined || attribute.type === "B") return undefined;
  if (attribute.type === "N") {
    const padded = paddedOf(attribute);
    return padded === undefined ? undefined : { text: padded, even: true };
  }
  return { text: text.text, even: segments.length > 0 && isEven(attribute) };
}

const epochDigits: Readonly<Record<string, number>> = {
  "epoch-seconds": 10,
  "epoch-milliseconds": 13,
};

/** A number with as many digits as the longest of its kind: it then sorts as a text. */
function paddedOf({ name, format, digits, canBeNegative }: Attribute): string | undefined {
  const length = epochDigits[format ?? ""] ?? digits;
  return length === undefined || canBeNegative ? undefined : `{${name}|pad:${length}}`;
}

function isEven(attribute: Attribute): boolean {
  return segmentOf(attribute, false) !== undefined;
}

function endsEvenly({ attributes }: Entity, { segments }: KeyText): boolean {
  const last = segments.at(-1);
  if (last?.kind !== "attribute") return true;
  const attribute = attributes.get(last.attribute);
  return attribute !== undefined && isEven(attribute);
}
