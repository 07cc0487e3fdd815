import type { Clock } from "../base/clock.ts";
import { emptyRecord } from "../base/record.ts";
import { type Charge, TableThroughput } from "../capacity/table-throughput.ts";
import type { Throttle } from "../capacity/throttling.ts";
import type { Direction, ThroughputSettings } from "../capacity/throughput.ts";
import { hasLocalIndex, type IndexDescriptor, type TableDescriptor } from "../engine/descriptor.ts";
import type { Position } from "../partitions/position.ts";
import { dropOldest } from "./metrics.ts";
import { sameSettings, settingsOf } from "./settings.ts";

/** The throughput of a table and the description that its settings were taken from. */
interface TableState {
  readonly throughput: TableThroughput;
  table: TableDescriptor;
}

/** What one part of a request takes from one table. */
export interface Part {
  readonly table: TableDescriptor;
  readonly charges: readonly Charge[];
}

/** A table's partitions were split at these hashes. It is told in the midst of a request. */
export type Split = (table: TableDescriptor, places: readonly number[]) => void;

/** As many as an account may have; each takes some tens of kilobytes. */
const tablesMax = 2_500;

/** Holds requests to the throughput of their tables. What was used is in memory and ends with the process. */
export class Enforcement {
  readonly #clock: Clock;
  readonly #scale: number;
  readonly #split: Split | undefined;
  readonly #tables = new Map<number, TableState>();
  #now = 0;

  /** All limits are multiplied with the scale. `split` is told of partitions that split. */
  constructor(clock: Clock, scale: number, split?: Split) {
    this.#clock = clock;
    this.#scale = scale;
    this.#split = split;
  }

  /** Takes the units of one request from one table, or tells which limit forbids it. */
  admit(
    table: TableDescriptor,
    direction: Direction,
    charges: readonly Charge[],
  ): Throttle | undefined {
    const now = this.#time();
    return this.#throughputOf(table, now).admit(direction, charges, now);
  }

  /** Takes the units of all parts, or of none: then the verdict on each of them. */
  admitTogether(
    direction: Direction,
    parts: readonly Part[],
  ): readonly (Throttle | undefined)[] | undefined {
    const now = this.#time();
    let refused = false;
    const verdicts = parts.map(({ table, charges }) => {
      const throttle = this.#throughputOf(table, now).refusal(direction, charges, now, true);
      if (throttle !== undefined) refused = true;
      return throttle;
    });
    for (const { table } of parts) this.#throughputOf(table, now).letGo(direction);
    if (refused) return verdicts;
    for (const { table, charges } of parts) {
      this.#throughputOf(table, now).take(direction, charges, now);
    }
    return undefined;
  }

  /** What was written changes the size of partitions and takes no units. */
  resize(table: TableDescriptor, charges: readonly Charge[]): void {
    this.#tables.get(table.id)?.throughput.resize(charges, this.#time());
  }

  /** The throughput of a table, for those who look on; nothing before its first request. */
  throughput(tableId: number): TableThroughput | undefined {
    return this.#tables.get(tableId)?.throughput;
  }

  /** A table has been changed: new settings hold from now on, not from its next request. */
  follow(table: TableDescriptor): void {
    const state = this.#tables.get(table.id);
    if (state !== undefined) this.#follow(state, table, this.#time());
  }

  forget(tableId: number): void {
    this.#tables.delete(tableId);
  }

  get tableIds(): Iterable<number> {
    return this.#tables.keys();
  }

  /** The clock of a machine may be set back, that of throughput may not. */
  #time(): number {
    const now = this.#clock.now();
    if (now > this.#now) this.#now = now;
    return this.#now;
  }

  #throughputOf(table: TableDescriptor, now: number): TableThroughput {
    const state = this.#tables.get(table.id);
    if (state === undefined) return this.#begin(table, now);
    if (state.table !== table) this.#follow(state, table, now);
    return state.throughput;
  }

  #begin(table: TableDescriptor, now: number): TableThroughput {
    const indexes = emptyRecord<ThroughputSettings>();
    for (const index of globalIndexes(table)) {
      indexes[index.name] = settingsOf(table.billingMode, index);
    }
    const throughput = new TableThroughput({
      settings: settingsOf(table.billingMode, table),
      indexes,
      localIndex: hasLocalIndex(table),
      scale: this.#scale,
      now,
      onSplit: (places) => this.#tellSplit(table, places),
    });
    this.#tables.set(table.id, { throughput, table });
    dropOldest(this.#tables, tablesMax);
    return throughput;
  }

  #tellSplit(first: TableDescriptor, places: readonly Position[]): void {
    const table = this.#tables.get(first.id)?.table ?? first;
    const hashes = places.map(({ hash }) => hash);
    this.#split?.(table, hashes);
  }

  /** The table has been changed since: its throughput, its indexes. */
  #follow(state: TableState, table: TableDescriptor, now: number): void {
    const { throughput, table: before } = state;
    // A request that was planned before the change may come after one that was not.
    if (table.version <= before.version) return;
    state.table = table;
    const settings = settingsOf(table.billingMode, table);
    if (!sameSettings(settings, settingsOf(before.billingMode, before))) {
      throughput.table.change(settings, now, "settings");
    }
    for (const old of globalIndexes(before)) {
      if (!table.indexes.some(({ id }) => id === old.id)) throughput.removeIndex(old.name);
    }
    for (const index of globalIndexes(table)) {
      const wanted = settingsOf(table.billingMode, index);
      const old = before.indexes.find(({ id }) => id === index.id);
      if (old === undefined) throughput.addIndex(index.name, wanted, now);
      else if (!sameSettings(wanted, settingsOf(before.billingMode, old))) {
        throughput.resource(index.name)?.change(wanted, now, "settings");
      }
    }
  }
}

function globalIndexes(table: TableDescriptor): readonly IndexDescriptor[] {
  return table.indexes.filter(({ kind }) => kind === "global");
}
