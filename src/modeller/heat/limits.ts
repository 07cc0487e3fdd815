import {
  type Direction,
  onDemandStart,
  tableQuota,
  type UnitsPerSecond,
} from "../../capacity/throughput.ts";
import type { Billing, Index, Table } from "../../model/design.ts";
import type { KeyLoad } from "./key-load.ts";

/** What a table or index as a whole may use, against the peak. */
export interface PlaceLimit {
  readonly direction: Direction;
  readonly kind: "provisioned" | "auto scaling" | "maximum" | "new table";
  readonly limit: number;
  readonly peak: number;
  readonly over: boolean;
  /** It holds only until the service or auto scaling has followed, in minutes. */
  readonly passing: boolean;
}

/** The limits that are set for a table or index, or that it begins with. */
export function placeLimits({ table, index, read, write }: KeyLoad): readonly PlaceLimit[] {
  const peaks = { read: read.peak, write: write.peak };
  return (["read", "write"] as const).flatMap((direction) =>
    limitsOf(table, index, direction).map(({ kind, limit, passing }) => ({
      direction,
      kind,
      limit,
      peak: peaks[direction],
      over: peaks[direction] > limit + 1e-9,
      passing,
    })),
  );
}

function limitsOf(
  table: Table,
  index: Index | undefined,
  direction: Direction,
): readonly Pick<PlaceLimit, "kind" | "limit" | "passing">[] {
  const billing = billingOf(table, index);
  if (billing.mode === "provisioned") {
    const { provisioned } = billing;
    const scaling = provisioned.autoScaling[direction];
    const own = provisioned[direction];
    if (scaling === undefined) return [{ kind: "provisioned", limit: own, passing: false }];
    return [
      { kind: "provisioned", limit: own, passing: true },
      { kind: "auto scaling", limit: scaling.max, passing: false },
    ];
  }
  const maximum = (index ?? table).maximum?.[direction];
  const warm = warmUnits(index ?? table);
  return [
    ...(maximum === undefined
      ? []
      : [{ kind: "maximum", limit: maximum, passing: false } as const]),
    { kind: "new table", limit: warm[direction], passing: true },
  ];
}

/** What a new on-demand table or index can do at once. */
export function warmUnits({ prewarm }: Pick<Table, "prewarm">): UnitsPerSecond {
  return {
    read: Math.max(onDemandStart.read, prewarm?.read ?? 0),
    write: Math.max(onDemandStart.write, prewarm?.write ?? 0),
  };
}

/** A global index of a provisioned table has its own throughput, or as much as the table. */
export function billingOf({ billing }: Table, index: Index | undefined): Billing {
  if (billing.mode === "on-demand" || index === undefined) return billing;
  return { ...billing, provisioned: index.throughput ?? billing.provisioned };
}

/** A table and its indexes together against the quota that every account begins with. */
export interface QuotaUse {
  readonly table: string;
  readonly direction: Direction;
  readonly peak: number;
  readonly quota: number;
  readonly over: boolean;
}

export function quotasOf(loads: readonly KeyLoad[]): readonly QuotaUse[] {
  const tables = [...new Set(loads.map(({ table }) => table))];
  return tables.flatMap((table) =>
    (["read", "write"] as const).map((direction): QuotaUse => {
      const peak = loads
        .filter((one) => one.table === table)
        .reduce((sum, one) => sum + one[direction].peak, 0);
      const quota = tableQuota[direction];
      return { table: table.name, direction, peak, quota, over: peak > quota };
    }),
  );
}
