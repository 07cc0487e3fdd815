import type { TopicId } from "../../src/modeller/learn/topics.ts";
import {
  actionsOf,
  adjacencyList,
  aggregatesBy,
  attributesIn,
  batches,
  type Detection,
  drillDown,
  expiryFiltered,
  formatted,
  hierarchy,
  identifyingRelationship,
  indexesOf,
  invertedIndex,
  leaderboard,
  localStrong,
  namesIn,
  orderingPrefix,
  overloadedIndex,
  patternsOf,
  placementsOf,
  relation,
  servedBy,
  severalUnique,
  shardsBy,
  sparseIndex,
  styled,
  table,
  tablesOf,
  tenants,
  timeSeries,
  versionsBy,
} from "./detections.ts";

/** A way to design, and how to see in a model that it is used. */
export interface Technique {
  readonly name: string;
  /** The page of `keywright learn` that explains it. */
  readonly topic: TopicId;
  readonly uses: Detection;
}

export const techniques: readonly Technique[] = [
  { name: "Tables with natural names", topic: "natural-names", uses: styled("natural") },
  {
    name: "One table with generic names",
    topic: "single-or-several-tables",
    uses: (model) => styled("generic")(model) && tablesOf(model).length === 1,
  },
  {
    name: "Several entities in one answer",
    topic: "item-collection",
    uses: (model) => patternsOf(model).some(({ together }) => together.length > 0),
  },
  { name: "One to one", topic: "one-to-one", uses: relation("one-to-one") },
  { name: "One to many", topic: "one-to-many", uses: relation("one-to-many") },
  { name: "Many to many", topic: "many-to-many", uses: relation("many-to-many") },
  {
    name: "Identifying relationship instead of an index",
    topic: "identifying-relationship",
    uses: identifyingRelationship,
  },
  { name: "Adjacency list", topic: "adjacency-list", uses: adjacencyList },
  { name: "Inverted index", topic: "inverted-index", uses: invertedIndex },
  {
    name: "Composite sort key",
    topic: "composite-sort-key",
    uses: (model) => placementsOf(model).some(({ key: [, sort] }) => namesIn(sort).length > 1),
  },
  { name: "Hierarchy, read like folders", topic: "hierarchy", uses: hierarchy },
  { name: "Ordering prefix", topic: "ordering-prefix", uses: orderingPrefix },
  {
    name: "Access bound to a tenant or owner",
    topic: "access-scopes",
    uses: (model) => patternsOf(model).some(({ scope }) => scope.length > 0),
  },
  { name: "Sparse index", topic: "sparse-index", uses: sparseIndex },
  { name: "Overloaded index", topic: "overloaded-index", uses: overloadedIndex },
  {
    name: "Index with keys only",
    topic: "projection",
    uses: (model) => indexesOf(model).some(({ projection }) => projection === "keys"),
  },
  {
    name: "Index key of several attributes: time series",
    topic: "multi-attribute-keys",
    uses: timeSeries,
  },
  {
    name: "Index key of several attributes: tenants",
    topic: "multi-attribute-keys",
    uses: tenants,
  },
  {
    name: "Index key of several attributes: from region to order",
    topic: "multi-attribute-keys",
    uses: drillDown,
  },
  { name: "Local index with strong reads", topic: "local-index", uses: localStrong },
  { name: "Random shards", topic: "write-sharding", uses: shardsBy("random") },
  { name: "Calculated shards", topic: "calculated-shards", uses: shardsBy("calculated") },
  { name: "Shards by time", topic: "time-shards", uses: shardsBy("time") },
  {
    name: "A table for each period",
    topic: "period-tables",
    uses: table(({ periods }) => periods !== undefined),
  },
  {
    name: "Embedding",
    topic: "embedding",
    uses: (model) => placementsOf(model).some(({ embeds }) => embeds.length > 0),
  },
  {
    name: "Vertical split",
    topic: "vertical-split",
    uses: (model) => placementsOf(model).some(({ splits }) => splits.length > 0),
  },
  {
    name: "Large values in S3",
    topic: "large-items",
    uses: (model) =>
      placementsOf(model).some(({ elsewhere }) => elsewhere.some((one) => one.service === "S3")),
  },
  {
    name: "Short-circuit copies",
    topic: "short-circuit-copies",
    uses: (model) => attributesIn(model).some(({ copyOf }) => copyOf !== undefined),
  },
  {
    name: "Conditions where writers race",
    topic: "conditional-writes",
    uses: (model) =>
      patternsOf(model).some(
        ({ writers, actions }) =>
          (writers?.value ?? 0) > 1 && actions.some(({ condition }) => condition?.kind === "where"),
      ),
  },
  {
    name: "Optimistic locking",
    topic: "optimistic-locking",
    uses: (model) => actionsOf(model).some(({ condition }) => condition?.kind === "version"),
  },
  { name: "Several unique values at once", topic: "unique-values", uses: severalUnique },
  { name: "Versions, the newest as a copy", topic: "versioning", uses: versionsBy("copy") },
  { name: "Versions, the newest by a query", topic: "versioning", uses: versionsBy("query") },
  {
    name: "Transactions",
    topic: "transactions",
    uses: (model) => patternsOf(model).some(({ transaction }) => transaction),
  },
  { name: "Batches of reads", topic: "batches", uses: batches("read") },
  { name: "Batches of writes", topic: "batches", uses: batches("write") },
  {
    name: "Strong reads where they are needed",
    topic: "read-consistency",
    uses: (model) => patternsOf(model).some(({ consistency }) => consistency === "strong"),
  },
  { name: "Items that expire", topic: "ttl", uses: table(({ ttl }) => ttl !== undefined) },
  { name: "Expired items are refused", topic: "ttl", uses: expiryFiltered },
  { name: "Aggregates by a transaction", topic: "transactions", uses: aggregatesBy("transaction") },
  { name: "Aggregates by a stream", topic: "stream-aggregates", uses: aggregatesBy("stream") },
  {
    name: "Aggregates on a schedule",
    topic: "scheduled-aggregates",
    uses: aggregatesBy("schedule"),
  },
  { name: "Leaderboard behind a cache", topic: "leaderboard", uses: leaderboard },
  { name: "DAX", topic: "dax", uses: table(({ dax }) => dax !== undefined) },
  { name: "ULIDs", topic: "temporal-values", uses: formatted("ulid") },
  { name: "KSUIDs", topic: "temporal-values", uses: formatted("ksuid") },
  { name: "ISO times", topic: "temporal-values", uses: formatted("iso-date", "iso-time") },
  {
    name: "Epoch times",
    topic: "temporal-values",
    uses: formatted("epoch-seconds", "epoch-milliseconds"),
  },
  {
    name: "Search elsewhere",
    topic: "search-and-analytics-elsewhere",
    uses: servedBy(true),
  },
  {
    name: "Analytics elsewhere",
    topic: "search-and-analytics-elsewhere",
    uses: servedBy(false),
  },
  {
    name: "Patterns that are declined",
    topic: "access-patterns-first",
    uses: (model) => patternsOf(model).some(({ status }) => status === "declined"),
  },
  { name: "Workflows", topic: "workflows", uses: ({ workflows }) => workflows.size > 0 },
  {
    name: "Provisioned throughput with auto scaling",
    topic: "provisioned-and-auto-scaling",
    uses: table(
      ({ billing }) =>
        billing.mode === "provisioned" && billing.provisioned.autoScaling.read !== undefined,
    ),
  },
  {
    name: "Reserved capacity",
    topic: "reserved",
    uses: table(({ billing }) => billing.mode === "provisioned" && billing.reserved !== undefined),
  },
  {
    name: "Throughput from the beginning",
    topic: "on-demand",
    uses: table(({ prewarm }) => prewarm !== undefined),
  },
  {
    name: "Infrequent access",
    topic: "standard-infrequent-access",
    uses: table(
      (one) =>
        one.class === "infrequent-access" || one.periods?.older.class === "infrequent-access",
    ),
  },
  {
    name: "Global tables",
    topic: "global-tables",
    uses: table(({ replicas }) => replicas.length > 0),
  },
];
