import type { Position } from "./position.ts";

const groupBytes = 8;
const continues = 9;
const textMax = 60;

/** A position for people: the hash, and the sort key as far as it can be read. */
export function positionText({ hash, sort }: Position): string {
  const place = `hash ${hash.toString(16).padStart(12, "0")}`;
  return sort.length === 0 ? place : `${place} · ${sortText(sort)}`;
}

/** The text that was encoded as a sort key (see item/key-encoding), or else bytes in hexadecimal. */
export function sortText(sort: Uint8Array): string {
  const text = decoded(sort);
  if (text !== undefined) return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
  const hex = Buffer.from(sort.subarray(0, textMax / 2)).toString("hex");
  return `0x${hex}${sort.length > textMax / 2 ? "…" : ""}`;
}

function decoded(sort: Uint8Array): string | undefined {
  const bytes: number[] = [];
  for (let at = 0; at + groupBytes < sort.length; at += groupBytes + 1) {
    const marker = sort[at + groupBytes] as number;
    if (marker > continues) return undefined;
    bytes.push(...sort.subarray(at, at + Math.min(marker, groupBytes)));
    if (marker === continues) continue;
    const text = Buffer.from(bytes).toString("utf8");
    return /^[^\p{C}\ufffd]+$/u.test(text) ? text : undefined;
  }
  return undefined;
}
