import type { ServiceError } from "../api/errors/service-error.ts";
import { type LimitOwner, throttled } from "../api/errors/throttling.ts";
import { indexWriteUnits, tableWriteUnits, writeUnits } from "../capacity/metering.ts";
import type { Charge } from "../capacity/table-throughput.ts";
import { reasonOf, type Throttle } from "../capacity/throttling.ts";
import type { Direction } from "../capacity/throughput.ts";
import type { IndexDescriptor, TableDescriptor } from "../engine/descriptor.ts";
import type { WriteAction, WriteOutcome } from "../engine/write.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Bytes } from "../storage/store.ts";
import { WriteAdmission } from "./admission.ts";
import { collectionOf, type Price, positionOf, priceOf, single, writeCharges } from "./charges.ts";
import type { Enforcement } from "./enforcement.ts";
import type { Metrics } from "./metrics.ts";

/** On whose behalf a request runs, and since when: a point on the clock that `elapsed` reads. */
export interface Requester {
  readonly account: string;
  readonly region: string;
  readonly startedAt: number;
}

/** Follows single keys, where somebody wants to know them. */
export interface KeyWatcher {
  access(resource: Resource, key: Item, direction: Direction, units: number): void;
  throttled(resource: Resource, key: Item): void;
  forget(id: number): void;
}

type Resource = TableDescriptor | IndexDescriptor;

export interface TrafficOptions {
  readonly metrics: Metrics;
  readonly keys: KeyWatcher;
  /** Without it, nothing is ever throttled. */
  readonly enforcement: Enforcement | undefined;
  /** Milliseconds on a clock that only runs forward. */
  readonly elapsed: () => number;
}

/** One read of one place: a key and its units. */
export interface Read {
  readonly table: TableDescriptor;
  /** The index that is read, if not the table. */
  readonly index: IndexDescriptor | undefined;
  /** Where it begins. */
  readonly key: Bytes;
  /** The key's attributes, as far as they are known. */
  readonly item: Item;
  readonly units: number;
}

/**
 * All that requests do passes here: operations tell it, throughput is enforced by it, and what is
 * counted is counted here. Calls that every request makes take no objects, so that they cost nothing
 * but the counting.
 */
export class Traffic {
  readonly metrics: Metrics;
  readonly enforcement: Enforcement | undefined;
  readonly #keys: KeyWatcher;
  readonly #elapsed: () => number;

  constructor({ metrics, keys, enforcement, elapsed }: TrafficOptions) {
    this.metrics = metrics;
    this.enforcement = enforcement;
    this.#keys = keys;
    this.#elapsed = elapsed;
  }

  /** A read that is about to be answered: throws if throughput forbids it. */
  read(
    who: Requester,
    operation: string,
    table: TableDescriptor,
    index: IndexDescriptor | undefined,
    key: Bytes,
    item: Item,
    units: number,
  ): void {
    if (this.enforcement !== undefined) {
      const refusal = this.#admitRead(this.enforcement, who, { table, index, key, item, units });
      if (refusal !== undefined) {
        this.throttledRequest(table, operation);
        throw refusal;
      }
    }
    this.#consumeRead(table, index, item, units);
  }

  /** A read that stands for itself among others: answers why it must be left out. */
  readPart(who: Requester, read: Read): ServiceError | undefined {
    if (this.enforcement !== undefined) {
      const refusal = this.#admitRead(this.enforcement, who, read);
      if (refusal !== undefined) return refusal;
    }
    this.#consumeRead(read.table, read.index, read.item, read.units);
    return undefined;
  }

  /** Reads that are answered together or not at all: then why, for each of them. */
  readTogether(
    who: Requester,
    reads: readonly Read[],
  ): readonly (ServiceError | undefined)[] | undefined {
    const parts = reads.map((read) => ({ table: read.table, charges: [readCharge(read)] }));
    const verdicts = this.enforcement?.admitTogether("read", parts);
    if (verdicts !== undefined) {
      return verdicts.map((throttle, i) => {
        const { table, item } = reads[i] as Read;
        return throttle && this.refuse(who, table, throttle, item);
      });
    }
    for (const { table, index, item, units } of reads) {
      this.#consumeRead(table, index, item, units);
    }
    return undefined;
  }

  /**
   * Decides in the midst of a commit whether writes may go on; nothing if none is ever forbidden.
   * `together`: all or none. In a transaction the table's part counts `factor` times.
   */
  admission(who: Requester, together: boolean, factor = 1): WriteAdmission | undefined {
    return this.enforcement === undefined
      ? undefined
      : new WriteAdmission(this, this.enforcement, who, together, factor);
  }

  /** A write has been carried out. */
  wrote(table: TableDescriptor, outcome: WriteOutcome, item: Item, factor = 1): void {
    this.metrics.of(table).wrote(outcome, factor, false);
    if (isWatched(table)) this.#watchWrite(table, outcome, item, { factor, onlyTable: false });
  }

  /** Writes that stood or fell together were not carried out, but what they looked at is paid for. */
  failedTogether(
    actions: readonly WriteAction[],
    outcomes: readonly WriteOutcome[],
    items: readonly Item[],
  ): void {
    const price = priceOf(outcomes, 1);
    for (let i = 0; i < outcomes.length; i += 1) {
      const outcome = outcomes[i] as WriteOutcome;
      const { table } = actions[i] as WriteAction;
      if (outcome.conditionFailed === true) this.metrics.of(table).conditionFailures += 1;
      if (price === undefined || outcome.throttled === true) continue;
      this.metrics.wrote(table, outcome, price);
      if (isWatched(table)) this.#watchWrite(table, outcome, items[i] as Item, price);
    }
  }

  /** The building of an index has written entries of these sizes. */
  backfilled(table: TableDescriptor, index: IndexDescriptor, sizes: readonly number[]): void {
    const metrics = this.metrics.of(table).index(index.name);
    for (const size of sizes) metrics.backfill += writeUnits(size);
  }

  /** The service has deleted items whose time was over, which nobody pays for. */
  expired(
    table: TableDescriptor,
    actions: readonly WriteAction[],
    outcomes: readonly WriteOutcome[],
  ): void {
    const metrics = this.metrics.of(table);
    for (let i = 0; i < outcomes.length; i += 1) {
      const outcome = outcomes[i] as WriteOutcome;
      if (outcome.before === undefined) continue;
      metrics.expired += 1;
      this.enforcement?.resize(table, writeCharges(actions[i] as WriteAction, outcome, single));
    }
  }

  /** A request on a table has been answered with so many items. */
  answered(
    who: Requester,
    operation: string,
    table: TableDescriptor,
    items: number,
    bytes: number,
  ): void {
    const metrics = this.metrics.of(table).operation(operation);
    metrics.latency.add(this.#elapsed() - who.startedAt);
    metrics.returnedItems += items;
    metrics.returnedBytes += bytes;
  }

  /** A SELECT reads a table or index from one end to the other, though it may want a single item. */
  scannedByStatement(table: TableDescriptor, index: IndexDescriptor | undefined): void {
    const name = index?.kind === "global" ? index.name : undefined;
    this.metrics.of(table).resource(name).statementScans += 1;
  }

  throttledRequest(table: TableDescriptor, operation: string): void {
    this.metrics.of(table).operation(operation).throttledRequests += 1;
  }

  /** Counts a verdict and words it. */
  refuse(who: Requester, table: TableDescriptor, throttle: Throttle, item: Item): ServiceError {
    this.metrics.of(table).resource(throttle.index).throttled(throttle);
    const index = table.indexes.find(({ name }) => name === throttle.index);
    this.#keys.throttled(index ?? table, item);
    const arn = `arn:aws:dynamodb:${who.region}:${who.account}:table/${table.name}`;
    return throttled(ownerOf(throttle, table), throttle.index === undefined ? "table" : "index", {
      reason: reasonOf(throttle),
      resource: throttle.index === undefined ? arn : `${arn}/index/${throttle.index}`,
    });
  }

  /** A table is gone. */
  forget(table: TableDescriptor): void {
    this.metrics.forget(table.id);
    this.enforcement?.forget(table.id);
    this.#keys.forget(table.id);
    for (const { id } of table.indexes) this.#keys.forget(id);
  }

  #admitRead(enforcement: Enforcement, who: Requester, read: Read): ServiceError | undefined {
    const throttle = enforcement.admit(read.table, "read", [readCharge(read)]);
    return throttle && this.refuse(who, read.table, throttle, read.item);
  }

  #consumeRead(
    table: TableDescriptor,
    index: IndexDescriptor | undefined,
    item: Item,
    units: number,
  ): void {
    const metrics = this.metrics.of(table);
    if (index?.kind === "global") {
      metrics.index(index.name).read += units;
      if (index.insights !== undefined) this.#keys.access(index, item, "read", units);
    } else {
      metrics.read += units;
      if (table.insights !== undefined) this.#keys.access(table, item, "read", units);
    }
  }

  #watchWrite(
    table: TableDescriptor,
    { before, after, indexes }: WriteOutcome,
    item: Item,
    { factor, onlyTable }: Price,
  ): void {
    const units = factor * tableWriteUnits(before?.size, after?.size);
    this.#keys.access(table, item, "write", units);
    if (onlyTable) return;
    for (const change of indexes) {
      const entry = change.after ?? change.before;
      if (change.index.kind === "local" || entry === undefined) continue;
      this.#keys.access(change.index, entry.item, "write", indexWriteUnits(change));
    }
  }
}

/** Local indexes use the throughput of their table. */
function readCharge({ index, key, units }: Read): Charge {
  if (index === undefined) return { index: undefined, position: positionOf(key), units };
  if (index.kind === "local") return { index: undefined, position: collectionOf(key), units };
  return { index: index.name, position: positionOf(key), units };
}

function isWatched(table: TableDescriptor): boolean {
  if (table.insights !== undefined) return true;
  for (let i = 0; i < table.indexes.length; i += 1) {
    if (table.indexes[i]?.insights !== undefined) return true;
  }
  return false;
}

function ownerOf({ limit }: Throttle, { billingMode }: TableDescriptor): LimitOwner {
  if (limit === "AccountLimitExceeded") return "account";
  if (limit === "MaxOnDemandThroughputExceeded") return "on-demand maximum";
  return billingMode === "PROVISIONED" ? "provisioned" : "on-demand";
}
