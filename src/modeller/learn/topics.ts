/** All pages, in the order of the list: first by group, then from the ground up. */

export const groups = ["concept", "pattern", "limit", "price"] as const;
export type Group = (typeof groups)[number];

export const groupTitles: Readonly<Record<Group, string>> = {
  concept: "Concepts",
  pattern: "Patterns",
  limit: "Limits",
  price: "Prices",
};

interface Topic {
  readonly title: string;
  readonly group: Group;
}

const concept = (title: string) => ({ title, group: "concept" }) as const;
const pattern = (title: string) => ({ title, group: "pattern" }) as const;
const limit = (title: string) => ({ title, group: "limit" }) as const;
const price = (title: string) => ({ title, group: "price" }) as const;

const known = {
  choosing: concept("Which pattern for which need"),
  "when-dynamodb-fits": concept("When DynamoDB fits"),
  "access-patterns-first": concept("Access patterns come first"),
  rates: concept("Requests per second, average and peak"),
  table: concept("Tables"),
  "data-types": concept("Types of values"),
  "item-size": concept("The size of an item"),
  partition: concept("Partitions"),
  "partition-key": concept("Partition keys"),
  "sort-key": concept("Sort keys"),
  "item-collection": concept("Item collections"),
  "single-or-several-tables": concept("One table or several"),
  "natural-names": concept("Names that say what they name"),
  "global-index": concept("Global secondary indexes"),
  "local-index": concept("Local secondary indexes"),
  projection: concept("Projections"),
  "index-writes": concept("What indexes add to writes"),
  "read-consistency": concept("Strong and eventual reads"),
  "read-units": concept("Read units"),
  "write-units": concept("Write units"),
  transactions: concept("Transactions"),
  batches: concept("Batches"),
  "update-expressions": concept("Updates in place"),
  filters: concept("Filters"),
  scans: concept("Scans"),
  paging: concept("Pages"),
  "begins-with": concept("Conditions on sort keys"),
  sorting: concept("How keys are sorted"),
  "temporal-values": concept("Times and ids that carry time"),
  partiql: concept("PartiQL"),
  "hot-partitions": concept("Hot partitions and hot keys"),
  "adaptive-capacity-and-splits": concept("Adaptive capacity and splits"),
  burst: concept("Burst capacity"),
  "monotonic-keys": concept("Keys that only rise"),
  "contributor-insights": concept("Contributor Insights"),
  streams: concept("Streams"),
  denormalisation: concept("Denormalisation"),
  workflows: concept("Workflows and the number of calls"),
  "access-scopes": concept("Who may see what: leading keys"),
  "security-and-monitoring": concept("Encryption, rights and alarms"),
  "search-and-analytics-elsewhere": concept("Search and analytics belong elsewhere"),
  "one-to-one": pattern("One to one"),
  "one-to-many": pattern("One to many"),
  "many-to-many": pattern("Many to many"),
  "identifying-relationship": pattern("Identifying relationship"),
  "adjacency-list": pattern("Adjacency list"),
  "inverted-index": pattern("Inverted index"),
  "composite-sort-key": pattern("Composite sort key"),
  hierarchy: pattern("Hierarchy in a sort key"),
  "natural-boundaries": pattern("Natural boundaries: tenants"),
  "ordering-prefix": pattern("Ordering prefix"),
  "sparse-index": pattern("Sparse index"),
  "overloaded-index": pattern("Overloaded index"),
  "multi-attribute-keys": pattern("Index keys of several attributes"),
  embedding: pattern("Embedding"),
  "vertical-split": pattern("Vertical split"),
  "large-items": pattern("Large values in S3"),
  "short-circuit-copies": pattern("Short-circuit copies"),
  "conditional-writes": pattern("Conditional writes"),
  "optimistic-locking": pattern("Optimistic locking"),
  "unique-values": pattern("Unique values"),
  versioning: pattern("Versions"),
  ttl: pattern("Time to live"),
  "write-sharding": pattern("Write sharding"),
  "calculated-shards": pattern("Calculated shards"),
  "time-shards": pattern("Shards by time"),
  "time-series": pattern("Time series"),
  "period-tables": pattern("A table for each period"),
  "stream-aggregates": pattern("Aggregates kept by a stream"),
  "scheduled-aggregates": pattern("Aggregates kept on a schedule"),
  leaderboard: pattern("Leaderboard"),
  dax: pattern("A cache: DAX"),
  constants: limit("Limits and constants"),
  "on-demand": price("On-demand throughput"),
  "provisioned-and-auto-scaling": price("Provisioned throughput and auto scaling"),
  reserved: price("Reserved capacity"),
  "standard-infrequent-access": price("Table class Standard-Infrequent Access"),
  "pitr-and-backups": price("Point-in-time recovery and backups"),
  "global-tables": price("Global tables"),
} satisfies Record<string, Topic>;

export type TopicId = keyof typeof known;

export const topics: ReadonlyMap<TopicId, Topic> = new Map(
  Object.entries(known) as [TopicId, Topic][],
);

export function isTopic(word: string): word is TopicId {
  return Object.hasOwn(known, word);
}

/** Other words that people use for a topic. */
const aliases: ReadonlyMap<string, TopicId> = new Map([
  ["gsi", "global-index"],
  ["lsi", "local-index"],
  ["rcu", "read-units"],
  ["wcu", "write-units"],
  ["pitr", "pitr-and-backups"],
  ["backups", "pitr-and-backups"],
  ["provisioned", "provisioned-and-auto-scaling"],
  ["auto-scaling", "provisioned-and-auto-scaling"],
  ["standard-ia", "standard-infrequent-access"],
  ["single-table", "single-or-several-tables"],
  ["sharding", "write-sharding"],
  ["n-plus-one", "workflows"],
  ["limits", "constants"],
  ["throttling", "hot-partitions"],
  ["s3", "large-items"],
]);

/** The topic that a word stands for, in any case. */
export function topicOf(word: string): TopicId | undefined {
  const lower = word.toLowerCase();
  return isTopic(lower) ? lower : aliases.get(lower);
}
