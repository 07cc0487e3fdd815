import { cannotUpdateKey, updatedItemTooLarge } from "../api/errors/item.ts";
import type { ValueLayer } from "../api/errors/value.ts";
import { itemSizeBytesMax } from "../api/limits.ts";
import { type UpdateItemRequest, updateItemShape } from "../api/requests/update-item.ts";
import { RawJson } from "../api/response-json.ts";
import { checkItem, checkValue } from "../api/values.ts";
import { keyAttributes, type TableDescriptor } from "../engine/descriptor.ts";
import { checkKey, checkUpdateOfIndexKeys } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import type { WriteOutcome } from "../engine/write.ts";
import { compileAttributeUpdates } from "../expressions/legacy-update.ts";
import type { Update } from "../expressions/tree.ts";
import { returnedAttributes } from "../expressions/update-returned.ts";
import { updateSizeCharge } from "../expressions/update-size.ts";
import { pathsOfUpdate } from "../expressions/update-statics.ts";
import { compileExpectation } from "./condition.ts";
import { enveloped } from "./envelope.ts";
import type { Operation } from "./operation.ts";
import { checkKeyPaths, compileParameters, conditionPaths } from "./parameters.ts";
import { writeOne } from "./single-write.ts";

const emptyUpdate: Update = { kind: "update", actions: [] };

export const updateItem: Operation<UpdateItemRequest> = {
  name: "UpdateItem",
  shape: updateItemShape,
  run(context, request) {
    const { condition, update } = enveloped(context.dialect, request, (layer) =>
      prepare(layer, request),
    );
    return writeOne(
      "UpdateItem",
      context,
      request,
      request.Key,
      (table) => {
        checkKey(table, request.Key);
        checkUpdate(table, update, context.dialect === "2026-10");
        checkKeyPaths(table, conditionPaths(condition));
        return {
          kind: "update",
          table,
          address: itemAddress(table, request.Key),
          key: request.Key,
          update,
          condition,
        };
      },
      (outcome) => attributesOf(request, update, outcome),
    );
  },
};

function prepare(layer: ValueLayer, request: UpdateItemRequest) {
  const compiled = compileParameters("UpdateItem", request, layer, () => {
    checkItem(request.Key, layer);
    const updates = request.AttributeUpdates;
    for (const name in updates) {
      const value = updates[name]?.Value;
      if (value !== undefined) checkValue(value, layer);
    }
    const update = updates === undefined ? undefined : compileAttributeUpdates(updates);
    return { update, condition: compileExpectation(request, layer) };
  });
  return {
    update: compiled.update ?? compiled.before.update ?? emptyUpdate,
    condition: compiled.condition ?? compiled.before.condition,
  };
}

/** What an update may not do to a table's keys, and the weight of its statement. */
export function checkUpdate(table: TableDescriptor, update: Update, weigh: boolean): void {
  for (const { name } of keyAttributes(table.key)) {
    for (const { path } of update.actions) {
      if (path.steps[0] === name) throw cannotUpdateKey(name);
    }
  }
  checkUpdateOfIndexKeys(table, update);
  checkKeyPaths(table, pathsOfUpdate(update));
  if (weigh && updateSizeCharge(update) > itemSizeBytesMax) throw updatedItemTooLarge();
}

function attributesOf(
  { ReturnValues }: UpdateItemRequest,
  update: Update,
  { before, after }: WriteOutcome,
): unknown {
  switch (ReturnValues) {
    case "ALL_OLD":
      return before === undefined ? undefined : new RawJson(before.json);
    case "ALL_NEW":
      return after === undefined ? undefined : new RawJson(after.json);
    case "UPDATED_OLD":
    case "UPDATED_NEW":
      return returnedAttributes(ReturnValues, update, before?.item, after?.item);
    default:
      return undefined;
  }
}
