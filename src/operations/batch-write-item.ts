import { itemTooLarge } from "../api/errors/item.ts";
import { keysRepeated, tooManyItems, writeRequestAmbiguous } from "../api/errors/transaction.ts";
import { batchWriteRequestsMax, itemSizeBytesMax } from "../api/limits.ts";
import {
  type BatchWriteItemRequest,
  batchWriteItemShape,
  type WriteRequest,
} from "../api/requests/batch-write-item.ts";
import { checkItem } from "../api/values.ts";
import { latin1Of } from "../base/bytes.ts";
import { whenThere } from "../base/maybe-promise.ts";
import { emptyRecord } from "../base/record.ts";
import { UnitsByTable } from "../capacity/consumed.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { checkIndexKeys, checkKey, checkKeyWithin, refuseEmptyKeys } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import { StoredItem } from "../engine/stored-item.ts";
import type { WriteAction, WriteOutcome } from "../engine/write.ts";
import type { Item } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import { valueLayer } from "./envelope.ts";
import type { Context, Operation } from "./operation.ts";
import { tablesOf } from "./table-name.ts";
import { addWriteUnits, CollectionMetrics } from "./write-answer.ts";

export const batchWriteItem: Operation<BatchWriteItemRequest> = {
  name: "BatchWriteItem",
  shape: batchWriteItemShape,
  async run(context, request) {
    const writes = prepare(context, request);
    const { database, traffic } = context;
    let actions: readonly WriteAction[] = [];
    const admission = traffic.admission(context, false);
    const outcomes = await database.write(
      () =>
        whenThere(tablesOf(context, writes), (tables) => {
          actions = planActions(tables, writes);
          return actions;
        }),
      { atomic: false, ...(admission !== undefined && { admit: admission.admit }) },
    );
    tell(context, writes, actions, outcomes);
    for (const { refusal, throttled } of outcomes) {
      if (refusal !== undefined && throttled !== true) throw refusal;
    }
    if (outcomes.every(({ throttled }) => throttled === true)) throw outcomes[0]?.refusal;
    return answer(request, writes, actions, outcomes);
  },
};

interface PreparedWrite {
  /** As the request names it. */
  readonly table: string;
  readonly request: WriteRequest;
  /** The item to put, or the key to delete. */
  readonly item: Item;
  readonly stored: StoredItem | undefined;
}

function prepare(
  context: Context,
  { RequestItems }: BatchWriteItemRequest,
): readonly PreparedWrite[] {
  const layer = valueLayer(context.dialect, "BatchWriteItem");
  const writes: PreparedWrite[] = [];
  for (const table in RequestItems) {
    for (const request of RequestItems[table] as readonly WriteRequest[]) {
      const { PutRequest: put, DeleteRequest: remove } = request;
      if ((put === undefined) === (remove === undefined)) throw writeRequestAmbiguous();
      if (put !== undefined) {
        checkItem(put.Item, layer);
        const size = itemSize(put.Item);
        if (size > itemSizeBytesMax) throw itemTooLarge();
        const stored = StoredItem.make(put.Item, size);
        writes.push({ table, request, item: put.Item, stored });
      } else if (remove !== undefined) {
        checkItem(remove.Key, layer);
        writes.push({ table, request, item: remove.Key, stored: undefined });
      }
    }
  }
  if (writes.length > batchWriteRequestsMax) throw tooManyItems("BatchWriteItem");
  return writes;
}

function planActions(
  tables: readonly TableDescriptor[],
  writes: readonly PreparedWrite[],
): readonly WriteAction[] {
  const actions: WriteAction[] = [];
  const seen = new Set<string>();
  for (let i = 0; i < writes.length; i += 1) {
    const { item, stored } = writes[i] as PreparedWrite;
    const table = tables[i] as TableDescriptor;
    if (stored === undefined) checkKey(table, item);
    else {
      checkPutKey(table, item);
      checkIndexKeys(table, item);
    }
    const address = itemAddress(table, item);
    const identity = latin1Of(address.key);
    if (seen.has(identity)) throw keysRepeated();
    seen.add(identity);
    actions.push(
      stored === undefined
        ? { kind: "delete", table, address }
        : { kind: "put", table, address, item: stored },
    );
  }
  return actions;
}

/** Empty keys come first: a batch complains of them before it does of missing ones. */
function checkPutKey(table: TableDescriptor, item: Item): void {
  refuseEmptyKeys(table, item);
  checkKeyWithin(table, item);
}

/** Counts what each table has done and what it was too busy for. */
function tell(
  context: Context,
  writes: readonly PreparedWrite[],
  actions: readonly WriteAction[],
  outcomes: readonly WriteOutcome[],
): void {
  const { traffic } = context;
  const tables = new Map<TableDescriptor, boolean>();
  outcomes.forEach((outcome, i) => {
    const { table } = actions[i] as WriteAction;
    const written = outcome.refusal === undefined;
    if (written) traffic.wrote(table, outcome, (writes[i] as PreparedWrite).item);
    tables.set(table, written || tables.get(table) === true);
  });
  for (const [table, written] of tables) {
    if (written) traffic.answered(context, "BatchWriteItem", table, 0, 0);
    else if (outcomes.every(({ throttled }) => throttled === true)) {
      traffic.throttledRequest(table, "BatchWriteItem");
    }
  }
}

function answer(
  request: BatchWriteItemRequest,
  writes: readonly PreparedWrite[],
  actions: readonly WriteAction[],
  outcomes: readonly WriteOutcome[],
): object {
  const units = new UnitsByTable();
  const metrics = new CollectionMetrics(request.ReturnItemCollectionMetrics);
  const unprocessed = emptyRecord<WriteRequest[]>();
  outcomes.forEach((outcome, i) => {
    const { table: name, item, request: write } = writes[i] as PreparedWrite;
    if (outcome.throttled === true) {
      const list = unprocessed[name];
      if (list === undefined) unprocessed[name] = [write];
      else list.push(write);
      return;
    }
    addWriteUnits(units.of(name), outcome);
    metrics.add(name, (actions[i] as WriteAction).table, item, outcome);
  });
  if (
    request.ReturnConsumedCapacity === undefined &&
    request.ReturnItemCollectionMetrics === undefined
  ) {
    return { UnprocessedItems: unprocessed };
  }
  return {
    UnprocessedItems: unprocessed,
    ...metrics.report(),
    ...units.report(request.ReturnConsumedCapacity),
  };
}
