import { type Contributor, HeavyKeys } from "../capacity/contributors.ts";
import type { Direction } from "../capacity/throughput.ts";
import type {
  IndexDescriptor,
  InsightsMode,
  KeyAttribute,
  TableDescriptor,
} from "../engine/descriptor.ts";
import { type AttributeValue, attribute, type Item } from "../item/attribute-value.ts";

/** A table, or one of its global indexes: each has insights of its own. */
export type InsightsResource =
  | Pick<TableDescriptor, "id" | "key" | "insights">
  | Pick<IndexDescriptor, "id" | "key" | "insights">;

/** In ConsumedThroughputUnits, by which the service ranks keys, a write unit weighs three read units. */
const weight: Readonly<Record<Direction, number>> = { read: 1, write: 3 };

/** Four times as many keys are followed as are shown, so that the shown ones are hardly in doubt. */
export const contributorsMax = 25;
const countersMax = 4 * contributorsMax;

export interface ContributorReport {
  readonly mode: InsightsMode;
  /** In milliseconds since the epoch: when the counting began, here or with this process. */
  readonly since: number;
  readonly accessed: KeyReport | undefined;
  readonly throttled: KeyReport;
}

export interface KeyReport {
  /** Of all keys together: ConsumedThroughputUnits, or throttled requests. */
  readonly total: number;
  readonly partitionKeys: readonly Contributor[];
  /** Undefined where there is no sort key. */
  readonly keys: readonly Contributor[] | undefined;
}

class Counts {
  readonly since: number;
  partitions = new HeavyKeys(countersMax);
  keys = new HeavyKeys(countersMax);
  readonly throttledPartitions = new HeavyKeys(countersMax);
  readonly throttledKeys = new HeavyKeys(countersMax);

  constructor(since: number) {
    this.since = since;
  }
}

/**
 * Which keys are accessed and throttled most, of the tables and indexes that have Contributor Insights
 * enabled. Counts live in memory and end with the process, or when insights are disabled.
 */
export class Insights {
  readonly #now: () => number;
  readonly #counts = new Map<number, Counts>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * One access. `key` holds the attributes of the resource's key, and may hold others; without the sort
   * key (a query reads many) only the partition key is counted. Costs nothing where insights are off.
   */
  access(resource: InsightsResource, key: Item, direction: Direction, units: number): void {
    if (resource.insights === undefined) return;
    if (resource.insights.mode === "THROTTLED_KEYS") return;
    const counts = this.#countsOf(resource.id);
    const weighed = weight[direction] * units;
    add(counts.partitions, counts.keys, resource, key, weighed);
  }

  /** One request that was throttled because of this key. */
  throttled(resource: InsightsResource, key: Item): void {
    if (resource.insights === undefined) return;
    const counts = this.#countsOf(resource.id);
    add(counts.throttledPartitions, counts.throttledKeys, resource, key, 1);
  }

  /** Undefined where insights are not enabled. */
  report(resource: InsightsResource, limit = contributorsMax): ContributorReport | undefined {
    if (resource.insights === undefined) return undefined;
    const counts = this.#countsOf(resource.id);
    const { mode } = resource.insights;
    const sorted = resource.key.range.length > 0;
    return {
      mode,
      since: counts.since,
      accessed:
        mode === "THROTTLED_KEYS"
          ? undefined
          : reportOf(counts.partitions, sorted ? counts.keys : undefined, limit),
      throttled: reportOf(
        counts.throttledPartitions,
        sorted ? counts.throttledKeys : undefined,
        limit,
      ),
    };
  }

  /** Insights of the resource were disabled, or it is gone. */
  forget(id: number): void {
    this.#counts.delete(id);
  }

  /** From now on only what is throttled is counted; what was throttled so far stays. */
  forgetAccesses(id: number): void {
    const counts = this.#counts.get(id);
    if (counts === undefined) return;
    counts.partitions = new HeavyKeys(countersMax);
    counts.keys = new HeavyKeys(countersMax);
  }

  #countsOf(id: number): Counts {
    let counts = this.#counts.get(id);
    if (counts === undefined) {
      counts = new Counts(this.#now());
      this.#counts.set(id, counts);
    }
    return counts;
  }
}

function reportOf(partitions: HeavyKeys, keys: HeavyKeys | undefined, limit: number): KeyReport {
  return {
    total: partitions.total,
    partitionKeys: partitions.top(limit),
    keys: keys?.top(limit),
  };
}

function add(
  partitions: HeavyKeys,
  keys: HeavyKeys,
  { key: schema }: InsightsResource,
  key: Item,
  count: number,
): void {
  const partition = keyText(schema.hash, key);
  if (partition === undefined) return;
  partitions.add(partition, count);
  if (schema.range.length === 0) return;
  const sort = keyText(schema.range, key);
  if (sort !== undefined) keys.add(`${partition}\n${sort}`, count);
}

/** `name=value`, one line each; undefined if the key lacks an attribute. */
function keyText(attributes: readonly KeyAttribute[], key: Item): string | undefined {
  let text = "";
  for (const { name } of attributes) {
    const value = attribute(key, name);
    if (value === undefined) return undefined;
    if (text !== "") text += "\n";
    text += `${name}=${scalarText(value)}`;
  }
  return text;
}

/** Keys are strings, numbers or binaries; these are shown as the service sends them, in base 64. */
function scalarText(value: AttributeValue): string {
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  return "B" in value ? value.B : "";
}
