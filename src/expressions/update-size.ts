import { textSize, valueSize } from "../item/size.ts";
import type { Path, Update, UpdateAction, UpdateValue } from "./tree.ts";

/**
 * What UpdateItem weighs an update expression at, in bytes. The service refuses a statement whose
 * charge exceeds the item limit, before it evaluates the condition and besides the limit on the
 * finished item. The charge counts what the statement writes and a fixed price per construct; the
 * key, untouched attributes and values that are only read are free. (Measured on the service.)
 */
export function updateSizeCharge(update: Update): number {
  // AttributeUpdates are judged by the finished item alone.
  if (update.legacy === true) return 0;
  let charge = 3;
  for (const action of update.actions) charge += actionCharge(action);
  return charge;
}

function actionCharge(action: UpdateAction): number {
  switch (action.kind) {
    case "set":
      return 19 + targetCharge(action.path) + valueCharge(action.value);
    case "add":
      return 19 + targetCharge(action.path) + valueSize(action.value);
    case "remove":
    case "delete":
      return 1 + targetCharge(action.path);
  }
}

function valueCharge(value: UpdateValue): number {
  switch (value.kind) {
    case "value":
      return valueSize(value.value);
    case "path":
      return operandCharge(value);
    case "plus":
      return 34 + valueCharge(value.left) + valueCharge(value.right);
    case "minus":
    case "list_append":
      return 37 + valueCharge(value.left) + valueCharge(value.right);
    case "if_not_exists":
      return 39 + operandCharge(value.path) + valueCharge(value.otherwise);
  }
}

/** A path that is written to: nearly what its name takes in the item. */
function targetCharge(path: Path): number {
  let charge = -4;
  for (const step of path.steps) charge += 4 + stepBytes(step);
  return charge;
}

/** A path that is read from. */
function operandCharge(path: Path): number {
  let charge = 1;
  for (const step of path.steps) charge += 14 + stepBytes(step);
  return charge;
}

function stepBytes(step: string | number): number {
  return typeof step === "number" ? String(step).length : textSize(step);
}
