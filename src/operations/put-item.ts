import { itemTooLarge, returnValuesOldOnly } from "../api/errors/item.ts";
import { itemSizeBytesMax } from "../api/limits.ts";
import { type PutItemRequest, putItemShape } from "../api/requests/put-item.ts";
import { RawJson } from "../api/response-json.ts";
import { checkItem } from "../api/values.ts";
import { checkIndexKeys, checkItemKey } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import { StoredItem } from "../engine/stored-item.ts";
import type { Item } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import { compileWriteCondition } from "./condition.ts";
import { enveloped } from "./envelope.ts";
import type { Operation } from "./operation.ts";
import { checkKeyPaths, conditionPaths } from "./parameters.ts";
import { writeOne } from "./single-write.ts";

export const putItem: Operation<PutItemRequest> = {
  name: "PutItem",
  shape: putItemShape,
  run(context, request) {
    let size: number | undefined;
    const condition = enveloped(context.dialect, request, (layer) =>
      compileWriteCondition("PutItem", request, layer, () => {
        checkItem(request.Item, layer);
        checkReturnValues(request);
        // The older layer measures the item before it looks at conditions.
        if (layer === "older") size = allowedSize(request.Item);
      }),
    );
    size ??= allowedSize(request.Item);
    const item = StoredItem.make(request.Item, size);
    return writeOne(
      "PutItem",
      context,
      request,
      request.Item,
      (table) => {
        checkItemKey(table, request.Item);
        checkIndexKeys(table, request.Item);
        checkKeyPaths(table, conditionPaths(condition));
        return { kind: "put", table, address: itemAddress(table, request.Item), item, condition };
      },
      ({ before }) =>
        request.ReturnValues === "ALL_OLD" && before !== undefined
          ? new RawJson(before.json)
          : undefined,
    );
  },
};

function allowedSize(item: Item): number {
  const size = itemSize(item);
  if (size > itemSizeBytesMax) throw itemTooLarge();
  return size;
}

function checkReturnValues({ ReturnValues }: PutItemRequest): void {
  if (ReturnValues !== undefined && ReturnValues !== "ALL_OLD" && ReturnValues !== "NONE") {
    throw returnValuesOldOnly();
  }
}
