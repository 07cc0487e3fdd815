import type { Provisioned } from "../../model/design.ts";
import type { ClassPrices, RegionPrices } from "../prices/price.ts";
import type { BillLine, Lines, Note } from "./bill.ts";
import { placeOf } from "./bill.ts";
import { type Scaling, shareAbove } from "./capacity-over-day.ts";
import { type Load, type LoadLine, type PerSecond, sumOfLines } from "./load.ts";
import type { Month } from "./month.ts";
import {
  aboveReserved,
  blockDollars,
  capacityDollars,
  capacityOf,
  capacityPrice,
  type Dollars,
  requestDollars,
  requestPrice,
  reservedBlock,
  reservedDollars,
  reservedPrice,
  type UnitKind,
} from "./throughput.ts";
import { amount, percent } from "./words.ts";

/** Where and at which prices. */
export interface Market {
  readonly prices: RegionPrices;
  /** If it is a replica's Region. */
  readonly replica: string | undefined;
  readonly month: Month;
}

const lineKinds = { read: "reads", write: "writes", replicated: "replicated writes" } as const;
export const unitNames = { read: "RRU", write: "WRU", replicated: "rWRU" } as const;
export const capacityNames = { read: "RCU", write: "WCU", replicated: "rWCU" } as const;

export function classPrices(prices: RegionPrices, load: Load): ClassPrices {
  return load.class === "standard" ? prices.standard : prices.infrequentAccess;
}

export function unitsOf(kind: UnitKind): (line: LoadLine) => PerSecond {
  return kind === "read" ? ({ reads }) => reads : ({ writes }) => writes;
}

/** Reads and writes of a table and its indexes, as their billing says. */
export function throughputLines(
  loads: readonly Load[],
  kindsOf: (load: Load) => readonly UnitKind[],
  market: Market,
): Lines {
  const lines: BillLine[] = [];
  const notes: Note[] = [];
  const table = loads.find(({ index }) => index === undefined);
  const stated = table?.billing.mode === "provisioned" ? table.billing.reserved : undefined;
  const years = stated?.years ?? 1;
  /** Units that are still free; they count for the table first, then for its indexes. */
  const reserved = { read: blocksOf(stated?.read), write: blocksOf(stated?.write) };
  if (market.replica !== undefined) reserved.read = reserved.write = 0;
  for (const load of loads) {
    if (load.local) continue;
    for (const kind of kindsOf(load)) {
      if (load.billing.mode === "on-demand") {
        lines.push(...requestLines(load, kind, market));
        continue;
      }
      const isCovered =
        kind !== "replicated" &&
        load.class === "standard" &&
        reservedPrice(market.prices, years, kind) !== undefined;
      const units = isCovered ? reserved[kind] : 0;
      const found = capacityLines(load, load.billing.provisioned, kind, market, { units, years });
      lines.push(...found.lines);
      notes.push(...found.notes);
      if (isCovered) reserved[kind] = Math.max(0, units - found.most);
    }
  }
  for (const kind of ["read", "write"] as const) {
    const price = reservedPrice(market.prices, years, kind);
    if (reserved[kind] === 0 || table === undefined || price === undefined) continue;
    const dollars = (reserved[kind] / reservedBlock) * blockDollars(price, years, market.month);
    lines.push({
      ...placeOf(table, market.replica),
      kind: lineKinds[kind],
      pattern: undefined,
      how: () =>
        `${amount(reserved[kind])} reserved ${capacityNames[kind]} that cover nothing here`,
      price: price.hour,
      dollars: { average: dollars, peak: dollars },
      grows: "not",
      assumed: false,
    });
  }
  return { lines, notes };
}

/** Reservations are sold by the hundred. */
function blocksOf(units = 0): number {
  return Math.ceil(units / reservedBlock) * reservedBlock;
}

function requestLines(load: Load, kind: UnitKind, market: Market): readonly BillLine[] {
  const price = requestPrice(classPrices(market.prices, load), kind);
  const { table, index, period } = load;
  const lines: BillLine[] = [];
  for (const line of load.lines) {
    const units = kind === "read" ? line.reads : line.writes;
    if (!(units.average > 0 || units.peak > 0)) continue;
    lines.push({
      table,
      index,
      period,
      replica: market.replica,
      kind: lineKinds[kind],
      pattern: line.pattern,
      how: () =>
        `${line.what}: ${amount(units.average)} ${unitNames[kind]}/s at $${price.usd} a million`,
      price,
      dollars: requestDollars(units, price, market.month),
      grows: "requests",
      assumed: line.assumed,
    });
  }
  return lines;
}

/** The capacity of a table is shared by its patterns as they use it. */
function capacityLines(
  load: Load,
  provisioned: Provisioned,
  kind: UnitKind,
  market: Market,
  reserved: { readonly units: number; readonly years: 1 | 3 },
): Lines & { readonly most: number } {
  const side = kind === "read" ? "read" : "write";
  const scaling = provisioned.autoScaling[side];
  const capacity: number | Scaling = scaling ?? provisioned[side];
  const most = typeof capacity === "number" ? capacity : capacity.max;
  const units = sumOfLines(load.lines, unitsOf(kind));
  const price = capacityPrice(classPrices(market.prices, load), kind);
  const block = reservedPrice(market.prices, reserved.years, kind);
  const cost = (consumed: PerSecond): number => {
    if (reserved.units === 0 || block === undefined) {
      return capacityDollars(capacityOf(consumed, capacity), price, market.month);
    }
    const covers = Math.min(reserved.units, most);
    const above = aboveReserved(consumed, capacity, covers);
    return reservedDollars(covers, above, { block, capacity: price }, reserved.years, market.month);
  };
  const dollars: Dollars = {
    average: cost(units),
    peak: cost({ average: units.peak, peak: units.peak }),
  };
  const mean = capacityOf(units, capacity);
  const name = capacityNames[kind];
  const where = load.index === undefined ? "" : ` of ${load.index}`;
  const how = (): string => {
    const held =
      scaling === undefined
        ? `${amount(mean)} ${name}`
        : `${amount(mean)} ${name} on average, ${amount(scaling.min)} to ${amount(scaling.max)} at ${scaling.target} %`;
    return `${held}${reserved.units > 0 ? `, ${amount(Math.min(reserved.units, most))} of them reserved for ${reserved.years} y` : ""}, ${percent(mean > 0 ? units.average / mean : 0)} used, at $${price.usd} an hour`;
  };
  const used = load.lines.filter((line) => unitsOf(kind)(line).average > 0);
  const base = {
    ...placeOf(load, market.replica),
    kind: lineKinds[kind],
    price,
    grows: scaling === undefined ? ("not" as const) : ("requests" as const),
  };
  const share = (line: LoadLine): number => unitsOf(kind)(line).average / units.average;
  const lines: BillLine[] =
    used.length === 0
      ? [{ ...base, pattern: undefined, how, dollars, assumed: false }]
      : used.map((line) => ({
          ...base,
          pattern: line.pattern,
          how: () => `${line.what}: ${percent(share(line))} of ${how()}`,
          dollars: { average: dollars.average * share(line), peak: dollars.peak * share(line) },
          assumed: line.assumed,
        }));
  const above = shareAbove(units, most);
  const notes: Note[] =
    units.peak > most * 1.001
      ? [
          {
            table: load.table,
            text: `${side}s${where} rise to ${amount(units.peak)} units/s, above the ${amount(most)} ${name} that it has: about ${percent(above)} of the day is throttled or lives on burst`,
          },
        ]
      : [];
  return { lines, notes, most };
}
