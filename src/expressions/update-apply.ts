import { updateOperandType, updatePathInvalid } from "../api/errors/expression.ts";
import { updateTypeMismatch } from "../api/errors/legacy.ts";
import type { ServiceError } from "../api/errors/service-error.ts";
import { nestedTooDeep } from "../api/errors/value.ts";
import { nestingLevelsMax } from "../api/limits.ts";
import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { lookup } from "./path.ts";
import type { Path, Update, UpdateAction } from "./tree.ts";
import { addEdit, type Edit, type Edits, editItem } from "./update-edit.ts";
import { added, deleted, evaluateUpdateValue } from "./update-operand.ts";

export interface AppliedUpdate {
  /** Undefined if there was no item and the update had nothing to write: none is made then. */
  readonly item: Item | undefined;
  /** Names of the top-level attributes that were written, removed or changed inside. */
  readonly touched: readonly string[];
}

/**
 * The item after an update. `before` is the item as it is, undefined if there is none; `key` holds
 * the key attributes, with which a new item begins. Every operand is read, and every list position
 * counted, in the item as it was. Neither argument is changed; the result shares with `before` what
 * the update does not touch.
 */
export function applyUpdate(update: Update, before: Item | undefined, key: Item): AppliedUpdate {
  if (before === undefined && onlyTakesAway(update)) return { item: undefined, touched: [] };
  const item = before ?? key;
  const { actions } = update;
  // The service reads the operands of all SET actions before it looks at any target.
  const values: (AttributeValue | undefined)[] = new Array(actions.length);
  for (let at = 0; at < actions.length; at++) {
    const action = actions[at] as UpdateAction;
    if (action.kind === "set") values[at] = evaluateUpdateValue(action.value, item);
  }
  const edits: Edits = new Map();
  const typeError = update.legacy === true ? updateTypeMismatch : updateOperandType;
  for (let at = 0; at < actions.length; at++) {
    const action = actions[at] as UpdateAction;
    checkParent(item, action.path);
    const edit = editOf(action, values[at], item, typeError);
    if (edit !== undefined) {
      if (edit.kind === "write") checkDepth(action.path, edit.value);
      addEdit(edits, action.path, edit);
    }
  }
  return { item: editItem(item, edits), touched: [...edits.keys()] as string[] };
}

/**
 * An update that only removes does not make an item, and on a missing item its paths are not even
 * looked at. An update without any action (a bare key, empty AttributeUpdates) does make one.
 */
function onlyTakesAway({ actions }: Update): boolean {
  return (
    actions.length > 0 &&
    actions.every((action) => action.kind === "remove" || action.kind === "delete")
  );
}

/** The map or list that a nested path leads into must be there already. */
function checkParent(item: Item, { steps }: Path): void {
  if (steps.length === 1) return;
  const [first, ...inner] = steps;
  const last = inner.pop();
  const parent = lookup({ kind: "path", steps: [first, ...inner] }, item);
  const member = typeof last === "number" ? "L" : "M";
  if (parent === undefined || !(member in parent)) throw updatePathInvalid();
}

function editOf(
  action: UpdateAction,
  value: AttributeValue | undefined,
  item: Item,
  typeError: () => ServiceError,
): Edit | undefined {
  if (action.kind === "set") {
    return value === undefined ? undefined : { kind: "write", value };
  }
  const existing = lookup(action.path, item);
  if (action.kind === "remove") return existing === undefined ? undefined : { kind: "remove" };
  if (action.kind === "add") {
    if (existing === undefined) return { kind: "write", value: action.value };
    const sum = added(existing, action.value);
    if (sum === undefined) throw typeError();
    return { kind: "write", value: sum };
  }
  if (existing === undefined) return undefined;
  const rest = deleted(existing, action.value);
  if (rest === undefined) throw typeError();
  return rest === "empty" ? { kind: "remove" } : { kind: "write", value: rest };
}

/** A value that was not too deep where it came from can be so where it goes. */
function checkDepth({ steps }: Path, value: AttributeValue): void {
  if (steps.length - 1 + nestingLevels(value) > nestingLevelsMax) throw nestedTooDeep();
}

function nestingLevels(value: AttributeValue): number {
  let deepest = 0;
  if ("M" in value) {
    for (const name in value.M) {
      deepest = Math.max(deepest, nestingLevels(value.M[name] as AttributeValue));
    }
  } else if ("L" in value) {
    for (const element of value.L) deepest = Math.max(deepest, nestingLevels(element));
  }
  return deepest + 1;
}
