import type { Dialect } from "../api/dialect.ts";
import { itemTooLarge, updatedItemTooLarge } from "../api/errors/item.ts";
import { ServiceError } from "../api/errors/service-error.ts";
import {
  actionAmbiguous,
  actionEmpty,
  transactionCanceled,
  transactionTargetsRepeated,
  transactionTooLarge,
} from "../api/errors/transaction.ts";
import type { ValueLayer } from "../api/errors/value.ts";
import { itemSizeBytesMax, transactionBytesMax } from "../api/limits.ts";
import {
  type TransactWriteItem,
  type TransactWriteItemsRequest,
  transactWriteItemsShape,
} from "../api/requests/transact-write-items.ts";
import { checkItem } from "../api/values.ts";
import { latin1Of } from "../base/bytes.ts";
import { whenThere } from "../base/maybe-promise.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import {
  checkIndexKeys,
  checkItemKey,
  checkKey,
  refuseEmptyIndexKeys,
  refuseEmptyKeys,
  refuseEmptyUpdatesOfIndexKeys,
} from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import { StoredItem } from "../engine/stored-item.ts";
import type { WriteAction } from "../engine/write.ts";
import type { Condition, Update } from "../expressions/tree.ts";
import { updateSizeCharge } from "../expressions/update-size.ts";
import type { Item } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import { reasonsOf, validationReasons } from "./cancellation.ts";
import { judged } from "./envelope.ts";
import type { Operation } from "./operation.ts";
import { checkKeyPaths, compileTexts, conditionPaths } from "./parameters.ts";
import { tablesOf } from "./table-name.ts";
import { writeTogether } from "./transaction-writes.ts";
import { checkUpdate } from "./update-item.ts";

export const transactWriteItems: Operation<TransactWriteItemsRequest> = {
  name: "TransactWriteItems",
  shape: transactWriteItemsShape,
  run(context, request) {
    const { dialect } = context;
    const prepared = judged(dialect, "TransactWriteItems", request, (layer) =>
      prepare(dialect, layer, request),
    );
    const { ClientRequestToken: value } = request;
    return writeTogether(
      context,
      {
        operation: "TransactWriteItems",
        token: value === undefined ? undefined : { space: context.namespace, value },
        payload: () => JSON.stringify(request.TransactItems),
        ReturnConsumedCapacity: request.ReturnConsumedCapacity,
        ReturnItemCollectionMetrics: request.ReturnItemCollectionMetrics,
        reasons: (outcomes) =>
          reasonsOf(outcomes, (i) => (prepared[i] as PreparedAction).wantsItem),
      },
      {
        parts: () => prepared,
        actions: () =>
          whenThere(tablesOf(context, prepared), (tables) => planActions(tables, prepared)),
      },
    );
  },
};

interface PreparedAction {
  /** As the request names it. */
  readonly table: string;
  /** The item to put, or the key. */
  readonly item: Item;
  readonly condition: Condition | undefined;
  /** The old item is wanted if the condition fails. */
  readonly wantsItem: boolean;
  readonly kind: "put" | "update" | "delete" | "check";
  /** What the action brings along, not what it finds: that is what the size of a transaction is. */
  readonly requestBytes: number;
  readonly stored: StoredItem | undefined;
  readonly update: Update | undefined;
}

/** Action by action, everything that can be said without the tables. */
function prepare(
  dialect: Dialect,
  layer: ValueLayer,
  { TransactItems }: TransactWriteItemsRequest,
): readonly PreparedAction[] {
  const current = dialect === "2026-10";
  let bytes = 0;
  const prepared = TransactItems.map((action) => {
    const one = prepareAction(action, layer, current);
    bytes += one.requestBytes;
    return one;
  });
  if (bytes > transactionBytesMax) throw transactionTooLarge();
  return prepared;
}

function prepareAction(
  { Put: put, Update: update, Delete: remove, ConditionCheck: check }: TransactWriteItem,
  layer: ValueLayer,
  current: boolean,
): PreparedAction {
  const action = put ?? update ?? remove ?? check;
  if (action === undefined) throw actionEmpty(current);
  if (
    (put !== undefined && (update !== undefined || remove !== undefined || check !== undefined)) ||
    (update !== undefined && (remove !== undefined || check !== undefined)) ||
    (remove !== undefined && check !== undefined)
  ) {
    throw actionAmbiguous();
  }
  const compiled = compileTexts(action, layer, true);
  const item = checkItem(put === undefined ? (action as { Key: Item }).Key : put.Item, layer);
  const size = itemSize(item);
  const { ExpressionAttributeValues: values } = action;
  const requestBytes = size + (values === undefined ? 0 : itemSize(values as Item));
  if (put !== undefined && size > itemSizeBytesMax) throw itemTooLarge();
  const tooLarge = compiled.update !== undefined && current;
  if (tooLarge && updateSizeCharge(compiled.update) > itemSizeBytesMax) throw updatedItemTooLarge();
  // One shape for all kinds: what is made and read so often is faster so.
  return {
    table: action.TableName,
    item,
    condition: compiled.condition,
    wantsItem: action.ReturnValuesOnConditionCheckFailure === "ALL_OLD",
    kind:
      put !== undefined
        ? "put"
        : update !== undefined
          ? "update"
          : remove !== undefined
            ? "delete"
            : "check",
    requestBytes,
    stored: put === undefined ? undefined : StoredItem.make(item, size),
    update: compiled.update,
  };
}

function planActions(
  tables: readonly TableDescriptor[],
  prepared: readonly PreparedAction[],
): readonly WriteAction[] {
  prepared.forEach(({ kind, item, update }, i) => {
    const table = tables[i] as TableDescriptor;
    refuseEmptyKeys(table, item);
    if (kind === "put") refuseEmptyIndexKeys(table, item);
    if (update !== undefined) refuseEmptyUpdatesOfIndexKeys(table, update);
  });
  const seen = new Set<string>();
  return prepared.map((one, i) => {
    const table = tables[i] as TableDescriptor;
    let action: WriteAction;
    try {
      action = planAction(table, one);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw transactionCanceled(validationReasons(prepared.length, i, error));
    }
    const identity = latin1Of(action.address.key);
    if (seen.has(identity)) throw transactionTargetsRepeated();
    seen.add(identity);
    return action;
  });
}

function planAction(table: TableDescriptor, one: PreparedAction): WriteAction {
  const { item, condition, stored, update } = one;
  if (stored !== undefined) {
    checkItemKey(table, item);
    checkIndexKeys(table, item);
  } else {
    checkKey(table, item);
    if (update !== undefined) checkUpdate(table, update, false);
  }
  checkKeyPaths(table, conditionPaths(condition));
  const address = itemAddress(table, item);
  if (stored !== undefined) return { kind: "put", table, address, condition, item: stored };
  if (update !== undefined) return { kind: "update", table, address, condition, key: item, update };
  return { kind: one.kind === "check" ? "check" : "delete", table, address, condition };
}
