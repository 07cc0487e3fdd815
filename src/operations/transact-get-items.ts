import { ServiceError } from "../api/errors/service-error.ts";
import {
  transactionCanceled,
  transactionTargetsRepeated,
  transactionTooLarge,
} from "../api/errors/transaction.ts";
import { transactionBytesMax } from "../api/limits.ts";
import {
  type TransactGetItem,
  type TransactGetItemsRequest,
  transactGetItemsShape,
} from "../api/requests/transact-get-items.ts";
import { RawJson } from "../api/response-json.ts";
import { checkItem } from "../api/values.ts";
import { UnitsByTable } from "../capacity/consumed.ts";
import { readUnits, transactionFactor } from "../capacity/metering.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { checkKey, refuseEmptyKeys } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import type { StoredItem } from "../engine/stored-item.ts";
import { project } from "../expressions/project.ts";
import type { Projection } from "../expressions/tree.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Bytes } from "../storage/store.ts";
import { throttlingReasons, validationReasons } from "./cancellation.ts";
import { valueLayer } from "./envelope.ts";
import type { Context, Operation } from "./operation.ts";
import { checkKeyPaths, compileTexts } from "./parameters.ts";
import { tableNameOf } from "./table-name.ts";

export const transactGetItems: Operation<TransactGetItemsRequest> = {
  name: "TransactGetItems",
  shape: transactGetItemsShape,
  async run(context, request) {
    const layer = valueLayer(context.dialect, "TransactGetItems");
    const projections = request.TransactItems.map(({ Get: get }) => {
      const { projection } = compileTexts(get, layer);
      checkItem(get.Key, layer);
      return projection;
    });
    const places = await planReads(context, request, projections);
    const found = await context.database.getAll(places.map(({ key }) => key));
    let bytes = 0;
    for (const stored of found) bytes += stored?.size ?? 0;
    if (bytes > transactionBytesMax) throw transactionTooLarge();
    tell(context, request, places, found);
    return {
      Responses: found.map((stored, i) => response(stored, projections[i])),
      ...unitsOf(request, found).report(request.ReturnConsumedCapacity, "read"),
    };
  },
};

interface Place {
  readonly table: TableDescriptor;
  readonly key: Bytes;
}

/** All reads are paid for, or the transaction is cancelled for lack of throughput. */
function tell(
  context: Context,
  { TransactItems }: TransactGetItemsRequest,
  places: readonly Place[],
  found: readonly (StoredItem | undefined)[],
): void {
  const { traffic } = context;
  const reads = places.map(({ table, key }, i) => ({
    table,
    index: undefined,
    key,
    item: (TransactItems[i] as TransactGetItem).Get.Key,
    units: unitsFor(found[i]),
  }));
  const refusals = traffic.readTogether(context, reads);
  const bytes = new Map<TableDescriptor, number>();
  places.forEach(({ table }, i) => {
    bytes.set(table, (bytes.get(table) ?? 0) + (found[i]?.size ?? 0));
  });
  for (const [table, size] of bytes) {
    if (refusals === undefined) traffic.answered(context, "TransactGetItems", table, 0, size);
    else if (refusals.some((refusal, i) => refusal !== undefined && places[i]?.table === table)) {
      traffic.throttledRequest(table, "TransactGetItems");
    }
  }
  if (refusals !== undefined) throw transactionCanceled(throttlingReasons(refusals));
}

function unitsFor(stored: StoredItem | undefined): number {
  return transactionFactor * readUnits(stored?.size ?? 0, true);
}

async function planReads(
  context: Context,
  { TransactItems }: TransactGetItemsRequest,
  projections: readonly (Projection | undefined)[],
): Promise<readonly Place[]> {
  const tables: TableDescriptor[] = [];
  for (const { Get: get } of TransactItems) {
    tables.push(
      await context.database.table(context.namespace, tableNameOf(context, get.TableName)),
    );
  }
  TransactItems.forEach(({ Get: get }, i) => {
    refuseEmptyKeys(tables[i] as TableDescriptor, get.Key);
  });
  const seen = new Set<string>();
  return TransactItems.map(({ Get: get }, i) => {
    const table = tables[i] as TableDescriptor;
    try {
      checkKey(table, get.Key);
      checkKeyPaths(table, projections[i]?.paths);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw transactionCanceled(validationReasons(TransactItems.length, i, error));
    }
    const { key } = itemAddress(table, get.Key);
    const identity = Buffer.from(key).toString("latin1");
    if (seen.has(identity)) throw transactionTargetsRepeated();
    seen.add(identity);
    return { table, key };
  });
}

function response(
  stored: StoredItem | undefined,
  projection: Projection | undefined,
): { Item?: RawJson | Item } {
  if (stored === undefined) return {};
  if (projection === undefined) return { Item: new RawJson(stored.json) };
  const item = project(projection, stored.item);
  return Object.keys(item).length === 0 ? {} : { Item: item };
}

function unitsOf(
  { TransactItems }: TransactGetItemsRequest,
  found: readonly (StoredItem | undefined)[],
): UnitsByTable {
  const units = new UnitsByTable();
  TransactItems.forEach(({ Get: get }, i) => {
    units.of(get.TableName).table += unitsFor(found[i]);
  });
  return units;
}
