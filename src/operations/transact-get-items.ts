import { ServiceError } from "../api/errors/service-error.ts";
import { transactionCanceled, transactionTargetsRepeated } from "../api/errors/transaction.ts";
import {
  type TransactGetItemsRequest,
  transactGetItemsShape,
} from "../api/requests/transact-get-items.ts";
import { checkItem } from "../api/values.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { checkKey, refuseEmptyKeys } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import { project } from "../expressions/project.ts";
import type { Projection } from "../expressions/tree.ts";
import type { Item } from "../item/attribute-value.ts";
import { validationReasons } from "./cancellation.ts";
import { valueLayer } from "./envelope.ts";
import type { Context, Operation } from "./operation.ts";
import { checkKeyPaths, compileTexts } from "./parameters.ts";
import { tableNameOf } from "./table-name.ts";
import { readTogether, type TransactionRead } from "./transaction-reads.ts";

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
    const reads = await planReads(context, request, projections);
    return readTogether(context, "TransactGetItems", request.ReturnConsumedCapacity, reads);
  },
};

async function planReads(
  context: Context,
  { TransactItems }: TransactGetItemsRequest,
  projections: readonly (Projection | undefined)[],
): Promise<readonly TransactionRead[]> {
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
    const projection = projections[i];
    try {
      checkKey(table, get.Key);
      checkKeyPaths(table, projection?.paths);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw transactionCanceled(validationReasons(TransactItems.length, i, error));
    }
    const { key } = itemAddress(table, get.Key);
    const identity = Buffer.from(key).toString("latin1");
    if (seen.has(identity)) throw transactionTargetsRepeated();
    seen.add(identity);
    const shown = projection === undefined ? undefined : (item: Item) => project(projection, item);
    return { name: get.TableName, table, key, item: get.Key, shown };
  });
}
