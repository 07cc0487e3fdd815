import { returnValuesOldOnly } from "../api/errors/item.ts";
import { type DeleteItemRequest, deleteItemShape } from "../api/requests/delete-item.ts";
import { RawJson } from "../api/response-json.ts";
import { checkItem } from "../api/values.ts";
import { checkKey } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import { compileWriteCondition } from "./condition.ts";
import { enveloped } from "./envelope.ts";
import type { Operation } from "./operation.ts";
import { checkKeyPaths, conditionPaths } from "./parameters.ts";
import { writeOne } from "./single-write.ts";

export const deleteItem: Operation<DeleteItemRequest> = {
  name: "DeleteItem",
  shape: deleteItemShape,
  run(context, request) {
    const condition = enveloped(context.dialect, request, (layer) =>
      compileWriteCondition("DeleteItem", request, layer, () => {
        checkItem(request.Key, layer);
        checkReturnValues(request);
      }),
    );
    return writeOne(
      "DeleteItem",
      context,
      request,
      request.Key,
      (table) => {
        checkKey(table, request.Key);
        checkKeyPaths(table, conditionPaths(condition));
        return { kind: "delete", table, address: itemAddress(table, request.Key), condition };
      },
      ({ before }) =>
        request.ReturnValues === "ALL_OLD" && before !== undefined
          ? new RawJson(before.json)
          : undefined,
    );
  },
};

function checkReturnValues({ ReturnValues }: DeleteItemRequest): void {
  if (ReturnValues !== undefined && ReturnValues !== "ALL_OLD" && ReturnValues !== "NONE") {
    throw returnValuesOldOnly();
  }
}
