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
import { UnitsByTable } from "../capacity/consumed.ts";
import { readUnits, transactionFactor } from "../capacity/metering.ts";
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
import type { WriteAction, WriteOutcome } from "../engine/write.ts";
import type { Condition, Update } from "../expressions/tree.ts";
import { updateSizeCharge } from "../expressions/update-size.ts";
import type { Item } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import { reasonsOf, throttlingReasons, validationReasons } from "./cancellation.ts";
import { valueLayer } from "./envelope.ts";
import type { Context, Operation } from "./operation.ts";
import { checkKeyPaths, compileTexts, conditionPaths } from "./parameters.ts";
import { tablesOf } from "./table-name.ts";
import { checkUpdate } from "./update-item.ts";
import { addWriteUnits, CollectionMetrics } from "./write-answer.ts";

export const transactWriteItems: Operation<TransactWriteItemsRequest> = {
  name: "TransactWriteItems",
  shape: transactWriteItemsShape,
  async run(context, request) {
    const prepared = prepare(context, request);
    const { database, namespace, traffic } = context;
    const token =
      request.ClientRequestToken === undefined
        ? undefined
        : database.token(
            namespace,
            request.ClientRequestToken,
            JSON.stringify(request.TransactItems),
          );
    let actions: readonly WriteAction[] = [];
    const admission = traffic.admission(context, true, transactionFactor);
    const outcomes = await database.write(
      () =>
        whenThere(tablesOf(context, prepared), (tables) => {
          actions = planActions(tables, prepared);
          return actions;
        }),
      {
        atomic: true,
        ...(token !== undefined && { token: token.writes() }),
        ...(admission !== undefined && { admit: admission.admit }),
      },
    );
    if (token?.bytes !== undefined) {
      tellReplay(context, prepared, actions, token.bytes);
      return replayAnswer(request, prepared, token.bytes);
    }
    tell(context, prepared, actions, outcomes);
    const reasons = reasonsOf(outcomes, (i) => (prepared[i] as PreparedAction).wantsItem);
    if (reasons !== undefined) throw transactionCanceled(reasons);
    return answer(request, prepared, actions, outcomes);
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
  context: Context,
  { TransactItems }: TransactWriteItemsRequest,
): readonly PreparedAction[] {
  const layer = valueLayer(context.dialect, "TransactWriteItems");
  const current = context.dialect === "2026-10";
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

/** Counts what each table has done, or was too busy for. Throws if it was the account. */
function tell(
  context: Context,
  prepared: readonly PreparedAction[],
  actions: readonly WriteAction[],
  outcomes: readonly WriteOutcome[],
): void {
  const { traffic } = context;
  const refused = outcomes.some(({ refusal }) => refusal !== undefined);
  const throttled = new Set<TableDescriptor>();
  outcomes.forEach((outcome, i) => {
    const { table } = actions[i] as WriteAction;
    if (outcome.throttled === true) throttled.add(table);
    else if (!refused) {
      traffic.wrote(table, outcome, (prepared[i] as PreparedAction).item, transactionFactor);
    }
  });
  for (const table of throttled) traffic.throttledRequest(table, "TransactWriteItems");
  if (throttled.size > 0) {
    const account = outcomes.find(({ refusal }) => refusal?.type === "RequestLimitExceeded");
    if (account !== undefined) throw account.refusal;
  } else if (refused) {
    const items = prepared.map(({ item }) => item);
    traffic.failedTogether(actions, outcomes, items);
  } else {
    for (const table of new Set(actions.map((action) => action.table))) {
      traffic.answered(context, "TransactWriteItems", table, 0, 0);
    }
  }
}

/** What the first run of the same request has written is read again. */
function tellReplay(
  context: Context,
  prepared: readonly PreparedAction[],
  actions: readonly WriteAction[],
  bytes: readonly number[],
): void {
  const reads = actions.map(({ table, address }, i) => ({
    table,
    index: undefined,
    key: address.key,
    item: (prepared[i] as PreparedAction).item,
    units: replayUnits(bytes[i]),
  }));
  const refusals = context.traffic.readTogether(context, reads);
  if (refusals === undefined) return;
  for (const table of new Set(actions.map((action) => action.table))) {
    context.traffic.throttledRequest(table, "TransactWriteItems");
  }
  throw transactionCanceled(throttlingReasons(refusals));
}

function replayUnits(bytes: number | undefined): number {
  return transactionFactor * readUnits(bytes ?? 0, true);
}

function answer(
  request: TransactWriteItemsRequest,
  prepared: readonly PreparedAction[],
  actions: readonly WriteAction[],
  outcomes: readonly WriteOutcome[],
): object {
  if (
    request.ReturnConsumedCapacity === undefined &&
    request.ReturnItemCollectionMetrics === undefined
  ) {
    return {};
  }
  const units = new UnitsByTable();
  const metrics = new CollectionMetrics(request.ReturnItemCollectionMetrics);
  outcomes.forEach((outcome, i) => {
    const { table: name, item } = prepared[i] as PreparedAction;
    const { table, kind } = actions[i] as WriteAction;
    addWriteUnits(units.of(name), outcome, transactionFactor);
    if (kind !== "check") metrics.add(name, table, item, outcome);
  });
  return { ...units.report(request.ReturnConsumedCapacity, "write"), ...metrics.report() };
}

/** The same token again: nothing is done, and reading what was done costs read units. */
function replayAnswer(
  request: TransactWriteItemsRequest,
  prepared: readonly PreparedAction[],
  bytes: readonly number[],
): object {
  const units = new UnitsByTable();
  prepared.forEach(({ table }, i) => {
    units.of(table).table += replayUnits(bytes[i]);
  });
  return units.report(request.ReturnConsumedCapacity, "read");
}
