import { type AttributeType, typeOf } from "../item/attribute-value.ts";
import type { Path, Update, UpdateAction, UpdateValue } from "./tree.ts";

/** What can be said of an update before any item is read. */

/** All paths that an update names, to write to or to read from. */
export function pathsOfUpdate({ actions }: Update): Path[] {
  const paths: Path[] = [];
  for (const action of actions) {
    paths.push(action.path);
    if (action.kind === "set") collect(action.value, paths);
  }
  return paths;
}

function collect(value: UpdateValue, paths: Path[]): void {
  switch (value.kind) {
    case "value":
      return;
    case "path":
      paths.push(value);
      return;
    case "if_not_exists":
      paths.push(value.path);
      collect(value.otherwise, paths);
      return;
    case "plus":
    case "minus":
    case "list_append":
      collect(value.left, paths);
      collect(value.right, paths);
  }
}

/** The type that an action deals in; undefined if only the item can tell. */
export function actionType(action: UpdateAction): AttributeType | undefined {
  switch (action.kind) {
    case "remove":
      return undefined;
    case "add":
    case "delete":
      return typeOf(action.value);
    case "set":
      return valueType(action.value);
  }
}

function valueType(value: UpdateValue): AttributeType | undefined {
  switch (value.kind) {
    case "value":
      return typeOf(value.value);
    case "plus":
    case "minus":
      return "N";
    case "list_append":
      return "L";
    case "path":
    case "if_not_exists":
      return undefined;
  }
}
