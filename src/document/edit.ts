import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
  type Document as Yaml,
} from "yaml";
import { nameOf, nodeValue } from "./node-value.ts";
import { type Path, pathText } from "./path.ts";
import {
  adding,
  deleting,
  emptying,
  inserting,
  type Piece,
  positionOf,
  replacing,
  spliced as splice,
} from "./splice.ts";

/**
 * A change of a document: a value is put at a path, put before a place in a list, taken away, or its
 * name is another.
 */
export type Edit =
  | { readonly kind: "set"; readonly path: Path; readonly value: unknown }
  | { readonly kind: "insert"; readonly path: Path; readonly value: unknown }
  | { readonly kind: "delete"; readonly path: Path }
  | { readonly kind: "rename"; readonly path: Path; readonly name: string };

/** The edit does not go with the document; the message says why. */
export class EditError extends Error {
  override readonly name = "EditError";
}

/**
 * The text with the edits made, in order. What is not touched stays as it is, sign for sign, where
 * the change is one piece of text; else the document is printed anew, and comments and the order of
 * names stay. The text must be readable (`Source.read`).
 */
export function editText(text: string, edits: readonly Edit[]): string {
  const lines = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  const written = edits.reduce(editOnce, lines);
  if (edits.length === 0) parsed(lines);
  return lines === text ? written : written.replaceAll("\n", "\r\n");
}

function editOnce(text: string, edit: Edit): string {
  const original = parsedOnce(text);
  const piece = pieceOf(text, original, edit);
  const document = original.clone();
  apply(document, edit);
  const spliced = piece && splice(text, piece);
  const isRight = spliced !== undefined && hasMeaningOf(document, spliced);
  return isRight ? spliced : document.toString({ lineWidth: 0 });
}

/** The last text that was parsed: several edits are often tried on the same text. Its document is never changed. */
let last: { readonly text: string; readonly document: Yaml } | undefined;

function parsedOnce(text: string): Yaml {
  if (last?.text !== text) last = { text, document: parsed(text) };
  return last.document;
}

function parse(text: string): Yaml {
  return parseDocument(text, { prettyErrors: false, uniqueKeys: false });
}

function parsed(text: string): Yaml {
  const document = parse(text);
  if (document.errors.length > 0) throw new EditError("The text cannot be read.");
  return document;
}

/** Whether a text reads as what a document is. */
function hasMeaningOf(document: Yaml, text: string): boolean {
  const { contents, errors } = parse(text);
  if (errors.length > 0) return false;
  const [meant, read] = [document.contents, contents].map((node) =>
    JSON.stringify(nodeValue(node as Node | null, () => undefined)),
  );
  return meant === read;
}

function pieceOf(text: string, document: Yaml, { path, ...edit }: Edit): Piece | undefined {
  let parent: unknown = document.contents;
  let around: Pair | undefined;
  for (const [depth, step] of path.entries()) {
    if (!isCollection(parent)) return undefined;
    const within = parent as YAMLMap | YAMLSeq;
    const at = positionOf(within, step);
    const item = within.items[at] as Node | Pair | undefined;
    if (depth === path.length - 1 && edit.kind === "insert") {
      return isSeq(within) ? inserting(text, within, at, edit.value) : undefined;
    }
    if (depth === path.length - 1 && edit.kind === "delete") {
      return within.items.length === 1
        ? emptying(text, within, around)
        : deleting(text, within, at);
    }
    if (item === undefined) {
      if (edit.kind !== "set" || !isMap(within)) return undefined;
      const value = path
        .slice(depth + 1)
        .reduceRight<unknown>((inner, name) => ({ [name]: inner }), edit.value);
      return adding(text, within, String(step), value);
    }
    if (depth === path.length - 1 && edit.kind === "rename") {
      return isPair(item) ? replacing(item.key as Node, edit.name) : undefined;
    }
    around = isPair(item) ? item : undefined;
    parent = isPair(item) ? item.value : item;
  }
  return edit.kind === "set" && isNode(parent) ? replacing(parent, edit.value) : undefined;
}

function apply(document: Yaml, edit: Edit): void {
  const { path } = edit;
  const step = path.at(-1);
  if (step === undefined) throw new EditError("The whole document cannot be edited at once.");
  const parent = parentOf(document, path, edit.kind === "set");
  if (edit.kind === "delete") {
    if (!has(parent, step)) throw new EditError(`There is no ${pathText(path)}.`);
    (parent as YAMLMap | YAMLSeq).delete(key(parent, step));
    return;
  }
  if (edit.kind === "rename") {
    const pair = isMap(parent)
      ? parent.items.find((one) => nameOf(one) === String(step))
      : undefined;
    if (pair === undefined) throw new EditError(`There is no ${pathText(path)}.`);
    pair.key = document.createNode(edit.name);
    return;
  }
  // The reader takes no aliases: what stands in several places is written out in each.
  const value = document.createNode(edit.value, { aliasDuplicateObjects: false });
  if (edit.kind === "insert") {
    if (!isSeq(parent) || typeof step !== "number" || step > parent.items.length) {
      throw new EditError(`${pathText(path)} is not a place in a list.`);
    }
    parent.items.splice(step, 0, value);
  } else if (isMap(parent)) {
    keepStyle(parent.get(key(parent, step), true), value);
    parent.set(newKey(document, parent, step), value);
  } else if (isSeq(parent) && typeof step === "number" && step <= parent.items.length) {
    keepStyle(parent.get(step, true), value);
    parent.set(step, value);
  } else {
    throw new EditError(`${pathText(path)} cannot be set.`);
  }
}

/** What stood beside and before the old value is about the place, not the value. */
function keepStyle(before: unknown, after: Node): void {
  const old = before as Node | undefined | null;
  if (old?.comment) after.comment = old.comment;
  if (old?.commentBefore) after.commentBefore = old.commentBefore;
  if (isCollection(old) && isCollection(after) && old.flow === true) after.flow = true;
}

/** The collection that a path's last step is in; maps on the way are made if wanted. */
function parentOf(document: Yaml, path: Path, make: boolean): unknown {
  let node: unknown = document.contents;
  for (const [depth, step] of path.slice(0, -1).entries()) {
    if (!has(node, step)) {
      if (!make || !isMap(node)) {
        throw new EditError(`There is no ${pathText(path.slice(0, depth + 1))}.`);
      }
      node.set(newKey(document, node, step), document.createNode({}));
    }
    node = isCollection(node) ? node.get(key(node, step), true) : undefined;
  }
  return node;
}

function has(node: unknown, step: string | number): boolean {
  return isCollection(node) && node.has(key(node, step));
}

/** A name in a map may have been read as a number: `1:` is found under "1". */
function key(node: unknown, step: string | number): unknown {
  if (!isMap(node)) return step;
  const pair = node.items.find((one) => nameOf(one) === String(step));
  return pair === undefined ? step : pair.key;
}

/** The same as a node, so that a pair that is added is like those that were read. */
function newKey(document: Yaml, map: YAMLMap, step: string | number): unknown {
  const known = key(map, step);
  return isNode(known) ? known : document.createNode(known);
}
