import { transactionCanceled, transactionTooLarge } from "../api/errors/transaction.ts";
import { transactionBytesMax } from "../api/limits.ts";
import { RawJson } from "../api/response-json.ts";
import { type CapacityDetail, UnitsByTable } from "../capacity/consumed.ts";
import { readUnits, transactionFactor } from "../capacity/metering.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { StoredItem } from "../engine/stored-item.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Bytes } from "../storage/store.ts";
import { throttlingReasons } from "./cancellation.ts";
import type { Context } from "./operation.ts";

/** One item of a transaction that reads. */
export interface TransactionRead {
  /** The table as the request names it. */
  readonly name: string;
  readonly table: TableDescriptor;
  readonly key: Bytes;
  /** The key's attributes. */
  readonly item: Item;
  /** What is shown of an item; undefined: all. */
  readonly shown: ((item: Item) => Item) | undefined;
}

/** What TransactGetItems and ExecuteTransaction answer to reads. */
export async function readTogether(
  context: Context,
  operation: string,
  detail: CapacityDetail,
  reads: readonly TransactionRead[],
): Promise<object> {
  const found = await context.database.getAll(reads.map(({ key }) => key));
  let bytes = 0;
  for (const stored of found) bytes += stored?.size ?? 0;
  if (bytes > transactionBytesMax) throw transactionTooLarge();
  tell(context, operation, reads, found);
  const units = new UnitsByTable();
  reads.forEach(({ name }, i) => {
    units.of(name).table += unitsFor(found[i]);
  });
  return {
    Responses: found.map((stored, i) => response(stored, (reads[i] as TransactionRead).shown)),
    ...units.report(detail, "read"),
  };
}

/** All reads are paid for, or the transaction is cancelled for lack of throughput. */
function tell(
  context: Context,
  operation: string,
  reads: readonly TransactionRead[],
  found: readonly (StoredItem | undefined)[],
): void {
  const { traffic } = context;
  const refusals = traffic.readTogether(
    context,
    reads.map(({ table, key, item }, i) => ({
      table,
      index: undefined,
      key,
      item,
      units: unitsFor(found[i]),
    })),
  );
  const bytes = new Map<TableDescriptor, number>();
  reads.forEach(({ table }, i) => {
    bytes.set(table, (bytes.get(table) ?? 0) + (found[i]?.size ?? 0));
  });
  for (const [table, size] of bytes) {
    if (refusals === undefined) traffic.answered(context, operation, table, 0, size);
    else if (refusals.some((refusal, i) => refusal !== undefined && reads[i]?.table === table)) {
      traffic.throttledRequest(table, operation);
    }
  }
  if (refusals !== undefined) throw transactionCanceled(throttlingReasons(refusals));
}

function unitsFor(stored: StoredItem | undefined): number {
  return transactionFactor * readUnits(stored?.size ?? 0, true);
}

function response(
  stored: StoredItem | undefined,
  shown: ((item: Item) => Item) | undefined,
): { Item?: RawJson | Item } {
  if (stored === undefined) return {};
  if (shown === undefined) return { Item: new RawJson(stored.json) };
  const item = shown(stored.item);
  return Object.keys(item).length === 0 ? {} : { Item: item };
}
