import {
  isCollection,
  isMap,
  isSeq,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
  type Document as Yaml,
} from "yaml";
import { nameOf } from "./node-value.ts";
import { type Path, pathText } from "./path.ts";

/** A change of a document: a value is put at a path, put before a place in a list, or taken away. */
export type Edit =
  | { readonly kind: "set"; readonly path: Path; readonly value: unknown }
  | { readonly kind: "insert"; readonly path: Path; readonly value: unknown }
  | { readonly kind: "delete"; readonly path: Path };

/** The edit does not go with the document; the message says why. */
export class EditError extends Error {
  override readonly name = "EditError";
}

/**
 * The text with the edits made, in order. Comments, the order of names and the style of what is not
 * touched stay. The text must be readable (`Source.read`).
 */
export function editText(text: string, edits: readonly Edit[]): string {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  if (document.errors.length > 0) throw new EditError("The text cannot be read.");
  for (const edit of edits) apply(document, edit);
  const written = document.toString({ lineWidth: 0 });
  return text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written;
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
  const value = document.createNode(edit.value);
  if (edit.kind === "insert") {
    if (!isSeq(parent) || typeof step !== "number" || step > parent.items.length) {
      throw new EditError(`${pathText(path)} is not a place in a list.`);
    }
    parent.items.splice(step, 0, value);
  } else if (isMap(parent)) {
    keepStyle(parent.get(key(parent, step), true), value);
    parent.set(key(parent, step), value);
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
      node.set(key(node, step), document.createNode({}));
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
