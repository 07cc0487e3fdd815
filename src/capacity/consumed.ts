import { emptyRecord } from "../base/record.ts";

export type CapacityDetail = "INDEXES" | "TOTAL" | "NONE" | undefined;

/** Transactions say whether their units are read or write units, other requests do not. */
export type UnitKind = "read" | "write";

export interface Units {
  readonly CapacityUnits: number;
  readonly ReadCapacityUnits?: number;
  readonly WriteCapacityUnits?: number;
}

export interface ConsumedCapacity extends Units {
  readonly TableName: string;
  readonly Table?: Units;
  readonly LocalSecondaryIndexes?: Record<string, Units>;
  readonly GlobalSecondaryIndexes?: Record<string, Units>;
}

/** The units one request takes from one table and its indexes. */
export class TableUnits {
  table = 0;
  /** Of statements in a batch that failed: part of the sum, but of nothing that it is made of. */
  failed = 0;
  readonly #local = new Map<string, number>();
  readonly #global = new Map<string, number>();

  addIndex(kind: "local" | "global", name: string, units: number): void {
    const arms = kind === "local" ? this.#local : this.#global;
    arms.set(name, (arms.get(name) ?? 0) + units);
  }

  get total(): number {
    let sum = this.table + this.failed;
    for (const units of this.#local.values()) sum += units;
    for (const units of this.#global.values()) sum += units;
    return sum;
  }

  /** The answer's `ConsumedCapacity`, if it was asked for. */
  report(
    tableName: string,
    detail: CapacityDetail,
    transactional?: UnitKind,
  ): ConsumedCapacity | undefined {
    if (detail !== "TOTAL" && detail !== "INDEXES") return undefined;
    const sum = { TableName: tableName, ...units(this.total, transactional) };
    if (detail === "TOTAL") return sum;
    return {
      ...sum,
      Table: units(this.table, transactional),
      ...(this.#local.size > 0 && { LocalSecondaryIndexes: arms(this.#local, transactional) }),
      ...(this.#global.size > 0 && { GlobalSecondaryIndexes: arms(this.#global, transactional) }),
    };
  }
}

/** The units of a request that names several tables. */
export class UnitsByTable {
  readonly #tables = new Map<string, TableUnits>();

  of(tableName: string): TableUnits {
    let units = this.#tables.get(tableName);
    if (units === undefined) {
      units = new TableUnits();
      this.#tables.set(tableName, units);
    }
    return units;
  }

  /** One entry per table, if any was asked for. */
  report(
    detail: CapacityDetail,
    transactional?: UnitKind,
  ): { readonly ConsumedCapacity?: readonly ConsumedCapacity[] } {
    const consumed: ConsumedCapacity[] = [];
    for (const [name, units] of this.#tables) {
      const report = units.report(name, detail, transactional);
      if (report !== undefined) consumed.push(report);
    }
    return consumed.length > 0 ? { ConsumedCapacity: consumed } : {};
  }
}

function arms(byIndex: Map<string, number>, kind: UnitKind | undefined): Record<string, Units> {
  const record = emptyRecord<Units>();
  for (const [name, sum] of byIndex) record[name] = units(sum, kind);
  return record;
}

function units(sum: number, kind: UnitKind | undefined): Units {
  if (kind === "read") return { CapacityUnits: sum, ReadCapacityUnits: sum };
  if (kind === "write") return { CapacityUnits: sum, WriteCapacityUnits: sum };
  return { CapacityUnits: sum };
}
