import {
  isCollection,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { nameOf } from "./node-value.ts";
import { asMaps } from "./print.ts";

/** A piece of a text and what is to stand there instead. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Collection = YAMLMap | YAMLSeq;

/** The text of a value that is put where another was; nothing if that is not one piece of a line. */
export function replacing(old: Node, value: unknown): Piece | undefined {
  if (!isInline(old) || old.range == null) return undefined;
  const quoted = isScalar(old) && old.type === "QUOTE_DOUBLE";
  const [start, end] = old.range;
  return start === end ? undefined : { start, end, text: inline(value, quoted) };
}

/** A name that is new in a map, behind the last one. */
export function adding(
  text: string,
  map: YAMLMap,
  name: string,
  value: unknown,
): Piece | undefined {
  const last = map.items.at(-1);
  const start = last && startOf(last);
  if (last === undefined || start === undefined) return undefined;
  const end = endOf(last);
  if (end === undefined) return undefined;
  const alone = lineBefore(text, start).trim() === "";
  if (map.flow === true) {
    const gap = alone ? `,\n${lineBefore(text, start)}` : ", ";
    return { start: end, end, text: `${gap}${inline(name)}: ${inline(value)}` };
  }
  const first = map.items[0] && startOf(map.items[0]);
  if (first === undefined) return undefined;
  const indent = " ".repeat(lineBefore(text, first).length);
  const at = lineEnd(text, end);
  const lines = stringify(new Map([[name, asMaps(value)]]), { lineWidth: 0 })
    .trimEnd()
    .split("\n");
  return { start: at, end: at, text: lines.map((line) => `\n${indent}${line}`).join("") };
}

/** An element that is put before the one at a position, or behind the last. */
export function inserting(
  text: string,
  list: YAMLSeq,
  at: number,
  value: unknown,
): Piece | undefined {
  const next = list.items[at] as Node | undefined;
  const before = list.items[at - 1] as Node | undefined;
  if (list.flow === true) {
    const start = next === undefined ? before && endOf(before) : startOf(next);
    if (start === undefined) return undefined;
    const said = inline(value);
    return { start, end: start, text: next === undefined ? `, ${said}` : `${said}, ` };
  }
  const [neighbour] = [next ?? before];
  const start = neighbour && startOf(neighbour);
  const indent = start === undefined ? undefined : /^ *(?=- +$)/.exec(lineBefore(text, start))?.[0];
  if (neighbour === undefined || start === undefined || indent === undefined) return undefined;
  const line = `${indent}- ${inline(value)}`;
  if (next !== undefined) {
    const place = commentsAbove(text, start, indent);
    return { start: place, end: place, text: `${line}\n` };
  }
  const end = endOf(neighbour);
  if (end === undefined) return undefined;
  const place = lineEnd(text, end);
  return { start: place, end: place, text: `\n${line}` };
}

/** Without one of several elements or names. */
export function deleting(text: string, within: Collection, at: number): Piece | undefined {
  const item = within.items[at] as Node | Pair | undefined;
  const start = item && startOf(item);
  const end = item && endOf(item);
  if (start === undefined || end === undefined || within.items.length < 2) return undefined;
  if (within.flow === true) {
    const next = within.items[at + 1] as Node | Pair | undefined;
    const before = within.items[at - 1] as Node | Pair | undefined;
    const [from, to] = next === undefined ? [before && endOf(before), end] : [start, startOf(next)];
    return from === undefined || to === undefined ? undefined : { start: from, end: to, text: "" };
  }
  const head = lineBefore(text, start);
  const indent = (isSeq(within) ? /^ *(?=- +$)/ : /^ *$/).exec(head)?.[0];
  if (indent === undefined) return undefined;
  return { start: commentsAbove(text, start, indent), end: lineEnd(text, end) + 1, text: "" };
}

/** A collection that loses its only element; one that is not in brackets needs the name before it. */
export function emptying(
  text: string,
  within: Collection,
  pair: Pair | undefined,
): Piece | undefined {
  const nothing = isSeq(within) ? "[]" : "{}";
  if (within.flow === true && within.range != null) {
    const [start, end] = within.range;
    return { start, end, text: nothing };
  }
  const key = (pair?.key as Node | null | undefined)?.range?.[1];
  const end = endOf(within);
  if (key === undefined || end === undefined || text[key] !== ":") return undefined;
  return { start: key + 1, end, text: ` ${nothing}` };
}

export function spliced(text: string, { start, end, text: by }: Piece): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`;
}

/** Where an item is in its collection. */
export function positionOf(within: Collection, step: string | number): number {
  if (isSeq(within)) return Number(step);
  return within.items.findIndex((pair) => nameOf(pair) === String(step));
}

function isInline(node: Node): boolean {
  if (isCollection(node)) return node.flow === true;
  return isScalar(node) && node.type !== "BLOCK_FOLDED" && node.type !== "BLOCK_LITERAL";
}

function startOf(item: Node | Pair): number | undefined {
  return ((isPair(item) ? item.key : item) as Node | null)?.range?.[0];
}

/** Where the last sign of an item is written, without what is beside or below it. */
function endOf(item: Node | Pair): number | undefined {
  const node = (isPair(item) ? (item.value ?? item.key) : item) as Node | null;
  if (node === null || node.range == null) return undefined;
  if (isInline(node)) return node.range[1];
  const last = isCollection(node) ? (node.items.at(-1) as Node | Pair | undefined) : undefined;
  return last === undefined ? undefined : endOf(last);
}

function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Where the comments begin that stand right above a line, as far in as the line itself. */
function commentsAbove(text: string, at: number, indent: string): number {
  let start = text.lastIndexOf("\n", at - 1) + 1;
  while (start > 0) {
    const above = text.lastIndexOf("\n", start - 2) + 1;
    if (!text.startsWith(`${indent}#`, above)) break;
    start = above;
  }
  return start;
}

/** A value on one line, as it can stand among brackets. */
function inline(value: unknown, quoted = false): string {
  if (Array.isArray(value)) return `[${value.map((one) => inline(one)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, one]) => `${inline(name)}: ${inline(one)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  const written = stringify([value], {
    lineWidth: 0,
    collectionStyle: "flow",
    flowCollectionPadding: false,
    ...(quoted && { defaultStringType: "QUOTE_DOUBLE" as const }),
  });
  return written.trimEnd().slice(1, -1);
}
