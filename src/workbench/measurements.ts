import { limitKinds } from "../capacity/throttling.ts";
import type { Direction } from "../capacity/throughput.ts";
import type { Database } from "../engine/database.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { hashSpace } from "../partitions/position.ts";
import { positionOf } from "../traffic/charges.ts";
import { latencyBounds } from "../traffic/histogram.ts";
import { type ResourceMetrics, type TableMetrics, throttleAt } from "../traffic/metrics.ts";
import type { Traffic } from "../traffic/traffic.ts";

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** How many requests took how long: one count more than bounds, for what is above the last. */
export interface LatencySample {
  readonly labels: Labels;
  /** In milliseconds. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly sum: number;
}

/** One metric by the name that CloudWatch has for it. */
export type Measurement = { readonly name: string } & (
  | { readonly kind: "counter" | "gauge"; readonly samples: readonly Sample[] }
  | { readonly kind: "latency"; readonly samples: readonly LatencySample[] }
);

const directions: readonly (readonly [Direction, string])[] = [
  ["read", "Read"],
  ["write", "Write"],
];

/** Of the tables that there are; what was counted of others is forgotten. */
export async function measurements(
  database: Database,
  traffic: Traffic,
): Promise<readonly Measurement[]> {
  const counted = [...traffic.metrics.tables.values()];
  const enforced = [...(traffic.enforcement?.tableIds ?? [])];
  const tables = new Map((await database.catalog.all()).map((table) => [table.id, table]));
  for (const { table } of counted) if (!tables.has(table.id)) traffic.metrics.forget(table.id);
  for (const id of enforced) if (!tables.has(id)) traffic.enforcement?.forget(id);
  const all = new Families();
  for (const metrics of counted) {
    const table = tables.get(metrics.table.id);
    if (table !== undefined) addTable(all, metrics, table);
  }
  for (const table of tables.values()) addSettings(all, table, traffic);
  await addProgress(all, database, tables);
  for (const [operation, failures] of traffic.metrics.failures) {
    all.add("UserErrors", "counter", { operation }, failures.userErrors);
    all.add("SystemErrors", "counter", { operation }, failures.systemErrors);
    all.add("TransactionConflict", "counter", { operation }, failures.transactionConflicts);
  }
  return all.list();
}

class Families {
  readonly #simple = new Map<string, { kind: "counter" | "gauge"; samples: Sample[] }>();
  readonly #latency: LatencySample[] = [];

  add(name: string, kind: "counter" | "gauge", labels: Labels, value: number): void {
    const family = this.#simple.get(name);
    if (family === undefined) this.#simple.set(name, { kind, samples: [{ labels, value }] });
    else family.samples.push({ labels, value });
  }

  addLatency(sample: LatencySample): void {
    this.#latency.push(sample);
  }

  list(): Measurement[] {
    const list: Measurement[] = [...this.#simple].map(([name, family]) => ({ name, ...family }));
    if (this.#latency.length > 0) {
      list.push({ name: "SuccessfulRequestLatency", kind: "latency", samples: this.#latency });
    }
    return list;
  }
}

function labelsOf({ namespace, name }: TableDescriptor): Labels {
  const [account = "", region = ""] = namespace.split("/");
  return { account, region, table: name };
}

function addTable(all: Families, metrics: TableMetrics, table: TableDescriptor): void {
  const labels = labelsOf(table);
  addResource(all, metrics, labels);
  all.add("ConditionalCheckFailedRequests", "counter", labels, metrics.conditionFailures);
  if (table.timeToLive !== undefined || metrics.expired > 0) {
    all.add("TimeToLiveDeletedItemCount", "counter", labels, metrics.expired);
  }
  for (const [name, index] of metrics.indexes) {
    const described = table.indexes.find((one) => one.name === name);
    if (described === undefined) {
      metrics.indexes.delete(name);
      continue;
    }
    const indexLabels = { ...labels, index: name };
    addResource(all, index, indexLabels);
    if (index.backfill > 0) {
      all.add("OnlineIndexConsumedWriteCapacity", "counter", indexLabels, index.backfill);
    }
  }
  for (const [operation, one] of metrics.operations) {
    const own = { ...labels, operation };
    const { counts, sum } = one.latency;
    all.addLatency({ labels: own, bounds: latencyBounds, counts: [...counts], sum });
    all.add("ThrottledRequests", "counter", own, one.throttledRequests);
    if (operation === "Query" || operation === "Scan" || operation === "ExecuteStatement") {
      all.add("ReturnedItemCount", "counter", own, one.returnedItems);
    }
    if (operation === "GetRecords") {
      all.add("ReturnedRecordsCount", "counter", own, one.returnedItems);
    }
    if (one.returnedBytes > 0) all.add("ReturnedBytes", "counter", own, one.returnedBytes);
  }
}

function addResource(all: Families, metrics: ResourceMetrics, labels: Labels): void {
  // Not one of CloudWatch's, which does not tell these scans from other reads.
  if (metrics.statementScans > 0) {
    all.add("StatementScans", "counter", labels, metrics.statementScans);
  }
  for (const [direction, word] of directions) {
    all.add(`Consumed${word}CapacityUnits`, "counter", labels, metrics[direction]);
    let events = 0;
    for (const [i, limit] of limitKinds.entries()) {
      const count = metrics.throttles[throttleAt(direction, i)] as number;
      events += count;
      const kind = limit.slice(0, -"Exceeded".length);
      all.add(`${word}${kind}ThrottleEvents`, "counter", labels, count);
    }
    all.add(`${word}ThrottleEvents`, "counter", labels, events);
  }
}

/** What is provisioned: on-demand tables have nothing to show. */
function addSettings(all: Families, table: TableDescriptor, traffic: Traffic): void {
  if (table.billingMode !== "PROVISIONED") return;
  const labels = labelsOf(table);
  // Auto scaling works on the throughput that is enforced.
  const enforced = traffic.enforcement?.throughput(table.id);
  for (const [direction, word] of directions) {
    const name = `Provisioned${word}CapacityUnits`;
    const own = enforced?.table.available ?? table.throughput;
    all.add(name, "gauge", labels, own[direction]);
    for (const index of table.indexes) {
      if (index.kind === "local") continue;
      const units = enforced?.resource(index.name)?.available ?? index.throughput;
      all.add(name, "gauge", { ...labels, index: index.name }, units?.[direction] ?? 0);
    }
  }
}

/** How far the building of indexes has come through the keys of their tables. */
async function addProgress(
  all: Families,
  database: Database,
  tables: ReadonlyMap<number, TableDescriptor>,
): Promise<void> {
  for (const { indexId, cursor } of await database.jobs.backfills()) {
    for (const table of tables.values()) {
      const index = table.indexes.find(({ id }) => id === indexId);
      if (index === undefined) continue;
      const share = cursor === undefined ? 0 : positionOf(cursor).hash / hashSpace;
      const labels = { ...labelsOf(table), index: index.name };
      all.add("OnlineIndexPercentageProgress", "gauge", labels, 100 * share);
    }
  }
}
