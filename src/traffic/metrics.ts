import { type ErrorType, ServiceError } from "../api/errors/service-error.ts";
import { indexWriteUnits, tableWriteUnits } from "../capacity/metering.ts";
import { limitKinds, type Throttle } from "../capacity/throttling.ts";
import type { Direction } from "../capacity/throughput.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { WriteOutcome } from "../engine/write.ts";
import type { Price } from "./charges.ts";
import { LatencyHistogram } from "./histogram.ts";

/** More tables than an account has, and more indexes than a table, by far. */
const tablesMax = 10_000;
const indexesMax = 100;

/** What a table without its indexes, or a global index, has used and refused. */
export class ResourceMetrics {
  read = 0;
  write = 0;
  /** By direction and limit. */
  readonly throttles = new Float64Array(2 * limitKinds.length);
  /** What the building of an index has written. */
  backfill = 0;
  /** SELECT statements that read all of it because they named no partition. */
  statementScans = 0;

  throttled({ direction, limit }: Throttle): void {
    const at = throttleAt(direction, limitKinds.indexOf(limit));
    this.throttles[at] = (this.throttles[at] as number) + 1;
  }
}

export function throttleAt(direction: Direction, limit: number): number {
  return direction === "read" ? limit : limitKinds.length + limit;
}

/** One operation on one table. */
export class OperationMetrics {
  readonly latency = new LatencyHistogram();
  returnedItems = 0;
  returnedBytes = 0;
  throttledRequests = 0;
}

export class TableMetrics extends ResourceMetrics {
  readonly table: Pick<TableDescriptor, "id" | "namespace" | "name">;
  readonly operations = new Map<string, OperationMetrics>();
  readonly indexes = new Map<string, ResourceMetrics>();
  conditionFailures = 0;
  /** Items that were deleted because their time was over. */
  expired = 0;

  constructor({ id, namespace, name }: TableDescriptor) {
    super();
    this.table = { id, namespace, name };
  }

  operation(name: string): OperationMetrics {
    let metrics = this.operations.get(name);
    if (metrics === undefined) {
      metrics = new OperationMetrics();
      this.operations.set(name, metrics);
    }
    return metrics;
  }

  index(name: string): ResourceMetrics {
    let metrics = this.indexes.get(name);
    if (metrics === undefined) {
      metrics = new ResourceMetrics();
      this.indexes.set(name, metrics);
      dropOldest(this.indexes, indexesMax);
    }
    return metrics;
  }

  /** The table, or a global index by name. */
  resource(index: string | undefined): ResourceMetrics {
    return index === undefined ? this : this.index(index);
  }

  /** The units of one write, by the same rules as its answer tells them. */
  wrote({ before, after, indexes }: WriteOutcome, factor: number, onlyTable: boolean): void {
    this.write += factor * tableWriteUnits(before?.size, after?.size);
    if (onlyTable) return;
    for (let i = 0; i < indexes.length; i += 1) {
      const change = indexes[i] as WriteOutcome["indexes"][number];
      const { index } = change;
      const resource = index.kind === "global" ? this.index(index.name) : this;
      resource.write += indexWriteUnits(change);
    }
  }
}

const countedElsewhere: ReadonlySet<string> = new Set<ErrorType>([
  "ConditionalCheckFailedException",
  "ProvisionedThroughputExceededException",
  "ThrottlingException",
  "RequestLimitExceeded",
]);

/** Requests that came to nothing, by operation. */
export class FailureMetrics {
  userErrors = 0;
  systemErrors = 0;
  transactionConflicts = 0;
}

/** Counters that requests add to. Nothing here is known of how they are shown. */
export class Metrics {
  readonly tables = new Map<number, TableMetrics>();
  readonly failures = new Map<string, FailureMetrics>();

  of(table: TableDescriptor): TableMetrics {
    return this.tables.get(table.id) ?? this.#begin(table);
  }

  failuresOf(operation: string): FailureMetrics {
    let failures = this.failures.get(operation);
    if (failures === undefined) {
      failures = new FailureMetrics();
      this.failures.set(operation, failures);
    }
    return failures;
  }

  wrote(table: TableDescriptor, outcome: WriteOutcome, { factor, onlyTable }: Price): void {
    this.of(table).wrote(outcome, factor, onlyTable);
  }

  /** A request has failed; conditions and throttling are counted where they happen. */
  failed(operation: string, error: unknown): void {
    const failures = this.failuresOf(operation);
    if (!(error instanceof ServiceError) || error.status >= 500) failures.systemErrors += 1;
    else if (!countedElsewhere.has(error.type)) failures.userErrors += 1;
    if (error instanceof ServiceError && error.type === "TransactionConflictException") {
      failures.transactionConflicts += 1;
    }
  }

  forget(tableId: number): void {
    this.tables.delete(tableId);
  }

  #begin(table: TableDescriptor): TableMetrics {
    const metrics = new TableMetrics(table);
    this.tables.set(table.id, metrics);
    dropOldest(this.tables, tablesMax);
    return metrics;
  }
}

/** Tables and indexes come and go: those that were first used longest ago are forgotten first. */
export function dropOldest<Key>(map: Map<Key, unknown>, max: number): void {
  if (map.size <= max) return;
  const { value } = map.keys().next();
  map.delete(value as Key);
}
