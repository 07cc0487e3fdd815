import * as limits from "../../../api/limits.ts";
import { burstSeconds } from "../../../capacity/credit.ts";
import { transactionFactor } from "../../../capacity/metering.ts";
import {
  accountQuota,
  growthMinutes,
  onDemandStart,
  partitionBytesMax,
  partitionUnitsMax,
  tableQuota,
} from "../../../capacity/throughput.ts";
import { dollars, prices, region } from "../book.ts";
import { bytes, count } from "../figures.ts";
import type { LimitPage } from "../page.ts";

const table = (title: string, rows: readonly (readonly [string, string])[]) => ({
  head: [title, "At most"],
  rows,
});

export const page: LimitPage = {
  id: "constants",
  summary:
    "What the service allows, in one list; 1 KB is 1,024 bytes, and a limit itself is allowed.",
  numbers: [
    table("Items and keys", [
      ["An item, names and values", bytes(limits.itemSizeBytesMax)],
      ["A partition key's value", `${count(limits.partitionKeyBytesMax)} bytes`],
      ["A sort key's value, all its attributes together", `${count(limits.sortKeyBytesMax)} bytes`],
      ["The name of an attribute", bytes(limits.attributeNameBytesMax)],
      ["The name of a key attribute or projected one", bytes(limits.keyAttributeNameBytesMax)],
      ["Levels of nesting", count(limits.nestingLevelsMax)],
      ["An item collection, with a local index only", bytes(limits.itemCollectionBytesMax)],
    ]),
    table("Throughput, units a second", [
      ["A partition, reads / writes", pair(partitionUnitsMax)],
      ["Bytes of a partition", bytes(partitionBytesMax)],
      ["A new on-demand table at once, reads / writes", pair(onDemandStart)],
      ["A table with its indexes, reads / writes; can be raised", pair(tableQuota)],
      ["An account, provisioned, reads / writes; can be raised", pair(accountQuota)],
      ["Burst, seconds of unused throughput", count(burstSeconds)],
      ["On-demand: twice the former peak, again after minutes", count(growthMinutes)],
      ["Decreases at once; then one an hour", count(limits.decreasesAtOnceMax)],
      [`Changes to on-demand in ${limits.modeSwitchesHours} hours`, count(limits.modeSwitchesMax)],
      ["A transaction's units, times", count(transactionFactor)],
    ]),
    table("Requests", [
      ["A page of Query or Scan", bytes(limits.pageBytesMax)],
      ["BatchGetItem, keys", count(limits.batchGetKeysMax)],
      ["BatchGetItem, answer", bytes(limits.batchGetResponseBytesMax)],
      ["BatchWriteItem, puts and deletes", count(limits.batchWriteRequestsMax)],
      ["Transaction, actions", count(limits.transactionActionsMax)],
      ["Transaction, bytes", bytes(limits.transactionBytesMax)],
      ["Minutes in which a ClientRequestToken is known", count(limits.requestTokenMinutes)],
      ["An expression", bytes(limits.expressionBytesMax)],
      ["Operators in an expression", count(limits.expressionOperatorsMax)],
      ["Operands of IN, the left one included", count(limits.inOperandsMax)],
      ["PartiQL statements in a batch", count(limits.statementBatchMax)],
      ["Segments of a parallel scan", count(limits.scanSegmentsMax)],
    ]),
    table("Tables, indexes, streams, time to live", [
      ["Global indexes of a table; can be raised", count(limits.globalIndexesMax)],
      ["Local indexes of a table", count(limits.localIndexesMax)],
      [
        "Attributes of a global index's partition key, and of its sort key",
        count(limits.indexKeyAttributesPerTypeMax),
      ],
      ["Projected attributes, all indexes together", count(limits.projectedAttributesMax)],
      ["Tags", count(limits.tagsMax)],
      ["Hours that a stream keeps records", count(limits.streamRetentionHours)],
      ["Records of one GetRecords", count(limits.streamRecordsMax)],
      ["Years since expiry; older items are left alone", count(limits.expiredYearsMax)],
      ["Target of auto scaling, per cent", count(limits.targetPercentMax)],
    ]),
    {
      head: [`Prices in ${region}, Standard class`, "Dollars"],
      rows: [
        ["A million read / write request units", both("readRequests", "writeRequests")],
        ["A read / write capacity unit, an hour", both("readCapacity", "writeCapacity")],
        ["Storage, a GB and month", dollars(prices.standard.storage)],
      ],
    },
    {
      head: ["Rule of thumb", "Where"],
      rows: [
        ["100 different partition keys in use at any time", "partition-key"],
        ["80 % together: combine; 20 %: keep apart", "embedding"],
        ["below 50 KB room to grow, above 300 KB think again", "item-size"],
        ["collections above 64 KB: an index instead of a filter", "global-index"],
        ["more than 90 % filtered out: a sparse index", "sparse-index"],
        ["five calls in a workflow: another shape", "workflows"],
      ],
    },
  ],
  see: {
    topics: ["item-size", "partition", "batches", "transactions", "on-demand"],
    rules: ["key-too-long"],
  },
};

function pair({ read, write }: { readonly read: number; readonly write: number }): string {
  return `${count(read)} / ${count(write)}`;
}

type Name = keyof typeof prices.standard;

function both(read: Name, write: Name): string {
  return `${dollars(prices.standard[read])} / ${dollars(prices.standard[write])}`;
}
