import type { Rule } from "./rule.ts";
import { batchTooLarge } from "./rules/batch-too-large.ts";
import { batchWithoutRetry } from "./rules/batch-without-retry.ts";
import { coldStart } from "./rules/cold-start.ts";
import { conditionInBatch } from "./rules/condition-in-batch.ts";
import { consumerWithoutFilter } from "./rules/consumer-without-filter.ts";
import { copyWithoutUpkeep } from "./rules/copy-without-upkeep.ts";
import { counterNotIdempotent } from "./rules/counter-not-idempotent.ts";
import { createOverwrites } from "./rules/create-overwrites.ts";
import { daxBypassed } from "./rules/dax-bypassed.ts";
import { denseIndexForFew } from "./rules/dense-index-for-few.ts";
import { duplicateIndex } from "./rules/duplicate-index.ts";
import { fetchAfterIndex } from "./rules/fetch-after-index.ts";
import { filterDiscardsMost } from "./rules/filter-discards-most.ts";
import { gatherTooWide } from "./rules/gather-too-wide.ts";
import { globalTableWithoutNeed } from "./rules/global-table-without-need.ts";
import { hotCounter } from "./rules/hot-counter.ts";
import { hotPartitionRead } from "./rules/hot-partition-read.ts";
import { hotPartitionWrite } from "./rules/hot-partition-write.ts";
import { indexForSmallCollection } from "./rules/index-for-small-collection.ts";
import { indexUnderprovisioned } from "./rules/index-underprovisioned.ts";
import { infrequentAccessCheaper } from "./rules/infrequent-access-cheaper.ts";
import { limitWithoutOrder } from "./rules/limit-without-order.ts";
import { localIndexCollectionLimit } from "./rules/local-index-collection-limit.ts";
import { longWorkflow } from "./rules/long-workflow.ts";
import { missingCondition } from "./rules/missing-condition.ts";
import { nPlusOne } from "./rules/n-plus-one.ts";
import { noDeletionProtection } from "./rules/no-deletion-protection.ts";
import { noPointInTimeRecovery } from "./rules/no-point-in-time-recovery.ts";
import { numberNotKept } from "./rules/number-not-kept.ts";
import { onDemandCheaper } from "./rules/on-demand-cheaper.ts";
import { overProjection } from "./rules/over-projection.ts";
import { peakAboveCapacity } from "./rules/peak-above-capacity.ts";
import { provisionedCheaper } from "./rules/provisioned-cheaper.ts";
import { readBeforeWrite } from "./rules/read-before-write.ts";
import { replaceableIndex } from "./rules/replaceable-index.ts";
import { risingSortKey } from "./rules/rising-sort-key.ts";
import { scanInPattern } from "./rules/scan-in-pattern.ts";
import { scopeNotLeading } from "./rules/scope-not-leading.ts";
import { sortInClient } from "./rules/sort-in-client.ts";
import { standardCheaper } from "./rules/standard-cheaper.ts";
import { streamWithoutConsumer } from "./rules/stream-without-consumer.ts";
import { strongReadOnIndex } from "./rules/strong-read-on-index.ts";
import { strongReadWithoutNeed } from "./rules/strong-read-without-need.ts";
import { tooFewShards } from "./rules/too-few-shards.ts";
import { tooManyShards } from "./rules/too-many-shards.ts";
import { transactionContention } from "./rules/transaction-contention.ts";
import { transactionWithoutNeed } from "./rules/transaction-without-need.ts";
import { uniquenessByIndex } from "./rules/uniqueness-by-index.ts";
import { unlimitedList } from "./rules/unlimited-list.ts";
import { unusedIndex } from "./rules/unused-index.ts";
import { writeAmplification } from "./rules/write-amplification.ts";

/** Rules about reads, indexes, heat, writes and operations, in the order in which they are listed. */
export const accessRules: readonly Rule[] = [
  // Reads
  scanInPattern,
  filterDiscardsMost,
  sortInClient,
  unlimitedList,
  limitWithoutOrder,
  strongReadWithoutNeed,
  strongReadOnIndex,
  fetchAfterIndex,
  gatherTooWide,
  nPlusOne,
  longWorkflow,
  scopeNotLeading,
  // Indexes
  unusedIndex,
  overProjection,
  replaceableIndex,
  duplicateIndex,
  denseIndexForFew,
  indexForSmallCollection,
  localIndexCollectionLimit,
  uniquenessByIndex,
  indexUnderprovisioned,
  // Heat
  hotPartitionWrite,
  hotPartitionRead,
  tooFewShards,
  tooManyShards,
  risingSortKey,
  writeAmplification,
  hotCounter,
  // Writes
  missingCondition,
  createOverwrites,
  conditionInBatch,
  batchWithoutRetry,
  batchTooLarge,
  transactionWithoutNeed,
  transactionContention,
  readBeforeWrite,
  copyWithoutUpkeep,
  numberNotKept,
  counterNotIdempotent,
  // Operations
  provisionedCheaper,
  onDemandCheaper,
  infrequentAccessCheaper,
  standardCheaper,
  peakAboveCapacity,
  coldStart,
  globalTableWithoutNeed,
  noPointInTimeRecovery,
  noDeletionProtection,
  streamWithoutConsumer,
  consumerWithoutFilter,
  daxBypassed,
];
