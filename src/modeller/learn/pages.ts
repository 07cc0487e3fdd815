import type { Page } from "./page.ts";
import { page as accessPatternsFirst } from "./pages/access-patterns-first.ts";
import { page as accessScopes } from "./pages/access-scopes.ts";
import { page as adaptiveCapacityAndSplits } from "./pages/adaptive-capacity-and-splits.ts";
import { page as adjacencyList } from "./pages/adjacency-list.ts";
import { page as batches } from "./pages/batches.ts";
import { page as beginsWith } from "./pages/begins-with.ts";
import { page as burst } from "./pages/burst.ts";
import { page as calculatedShards } from "./pages/calculated-shards.ts";
import { page as choosing } from "./pages/choosing.ts";
import { page as compositeSortKey } from "./pages/composite-sort-key.ts";
import { page as conditionalWrites } from "./pages/conditional-writes.ts";
import { page as constants } from "./pages/constants.ts";
import { page as contributorInsights } from "./pages/contributor-insights.ts";
import { page as dataTypes } from "./pages/data-types.ts";
import { page as dax } from "./pages/dax.ts";
import { page as denormalisation } from "./pages/denormalisation.ts";
import { page as embedding } from "./pages/embedding.ts";
import { page as filters } from "./pages/filters.ts";
import { page as globalIndex } from "./pages/global-index.ts";
import { page as globalTables } from "./pages/global-tables.ts";
import { page as hierarchy } from "./pages/hierarchy.ts";
import { page as hotPartitions } from "./pages/hot-partitions.ts";
import { page as identifyingRelationship } from "./pages/identifying-relationship.ts";
import { page as indexWrites } from "./pages/index-writes.ts";
import { page as invertedIndex } from "./pages/inverted-index.ts";
import { page as itemCollection } from "./pages/item-collection.ts";
import { page as itemSize } from "./pages/item-size.ts";
import { page as largeItems } from "./pages/large-items.ts";
import { page as leaderboard } from "./pages/leaderboard.ts";
import { page as localIndex } from "./pages/local-index.ts";
import { page as manyToMany } from "./pages/many-to-many.ts";
import { page as monotonicKeys } from "./pages/monotonic-keys.ts";
import { page as multiAttributeKeys } from "./pages/multi-attribute-keys.ts";
import { page as naturalBoundaries } from "./pages/natural-boundaries.ts";
import { page as naturalNames } from "./pages/natural-names.ts";
import { page as onDemand } from "./pages/on-demand.ts";
import { page as oneToMany } from "./pages/one-to-many.ts";
import { page as oneToOne } from "./pages/one-to-one.ts";
import { page as optimisticLocking } from "./pages/optimistic-locking.ts";
import { page as orderingPrefix } from "./pages/ordering-prefix.ts";
import { page as overloadedIndex } from "./pages/overloaded-index.ts";
import { page as paging } from "./pages/paging.ts";
import { page as partiql } from "./pages/partiql.ts";
import { page as partition } from "./pages/partition.ts";
import { page as partitionKey } from "./pages/partition-key.ts";
import { page as periodTables } from "./pages/period-tables.ts";
import { page as pitrAndBackups } from "./pages/pitr-and-backups.ts";
import { page as projection } from "./pages/projection.ts";
import { page as provisionedAndAutoScaling } from "./pages/provisioned-and-auto-scaling.ts";
import { page as rates } from "./pages/rates.ts";
import { page as readConsistency } from "./pages/read-consistency.ts";
import { page as readUnits } from "./pages/read-units.ts";
import { page as reserved } from "./pages/reserved.ts";
import { page as scans } from "./pages/scans.ts";
import { page as scheduledAggregates } from "./pages/scheduled-aggregates.ts";
import { page as searchAndAnalyticsElsewhere } from "./pages/search-and-analytics-elsewhere.ts";
import { page as securityAndMonitoring } from "./pages/security-and-monitoring.ts";
import { page as shortCircuitCopies } from "./pages/short-circuit-copies.ts";
import { page as singleOrSeveralTables } from "./pages/single-or-several-tables.ts";
import { page as sortKey } from "./pages/sort-key.ts";
import { page as sorting } from "./pages/sorting.ts";
import { page as sparseIndex } from "./pages/sparse-index.ts";
import { page as standardInfrequentAccess } from "./pages/standard-infrequent-access.ts";
import { page as streamAggregates } from "./pages/stream-aggregates.ts";
import { page as streams } from "./pages/streams.ts";
import { page as table } from "./pages/table.ts";
import { page as temporalValues } from "./pages/temporal-values.ts";
import { page as timeSeries } from "./pages/time-series.ts";
import { page as timeShards } from "./pages/time-shards.ts";
import { page as transactions } from "./pages/transactions.ts";
import { page as ttl } from "./pages/ttl.ts";
import { page as uniqueValues } from "./pages/unique-values.ts";
import { page as updateExpressions } from "./pages/update-expressions.ts";
import { page as versioning } from "./pages/versioning.ts";
import { page as verticalSplit } from "./pages/vertical-split.ts";
import { page as whenDynamodbFits } from "./pages/when-dynamodb-fits.ts";
import { page as workflows } from "./pages/workflows.ts";
import { page as writeSharding } from "./pages/write-sharding.ts";
import { page as writeUnits } from "./pages/write-units.ts";
import type { TopicId } from "./topics.ts";

/** Every page, in the order of the topics. */
const inOrder: readonly Page[] = [
  choosing,
  whenDynamodbFits,
  accessPatternsFirst,
  rates,
  table,
  dataTypes,
  itemSize,
  partition,
  partitionKey,
  sortKey,
  itemCollection,
  singleOrSeveralTables,
  naturalNames,
  globalIndex,
  localIndex,
  projection,
  indexWrites,
  readConsistency,
  readUnits,
  writeUnits,
  transactions,
  batches,
  updateExpressions,
  filters,
  scans,
  paging,
  beginsWith,
  sorting,
  temporalValues,
  partiql,
  hotPartitions,
  adaptiveCapacityAndSplits,
  burst,
  monotonicKeys,
  contributorInsights,
  streams,
  denormalisation,
  workflows,
  accessScopes,
  securityAndMonitoring,
  searchAndAnalyticsElsewhere,
  oneToOne,
  oneToMany,
  manyToMany,
  identifyingRelationship,
  adjacencyList,
  invertedIndex,
  compositeSortKey,
  hierarchy,
  naturalBoundaries,
  orderingPrefix,
  sparseIndex,
  overloadedIndex,
  multiAttributeKeys,
  embedding,
  verticalSplit,
  largeItems,
  shortCircuitCopies,
  conditionalWrites,
  optimisticLocking,
  uniqueValues,
  versioning,
  ttl,
  writeSharding,
  calculatedShards,
  timeShards,
  timeSeries,
  periodTables,
  streamAggregates,
  scheduledAggregates,
  leaderboard,
  dax,
  constants,
  onDemand,
  provisionedAndAutoScaling,
  reserved,
  standardInfrequentAccess,
  pitrAndBackups,
  globalTables,
];

export const allPages: ReadonlyMap<TopicId, Page> = new Map(inOrder.map((page) => [page.id, page]));
