import type { BillLine, Lines, Note, TableFacts } from "./bill.ts";
import { placeOf } from "./bill.ts";
import type { Load } from "./load.ts";
import { secondsOf } from "./month.ts";
import { classPrices, type Market } from "./throughput-lines.ts";
import { amount } from "./words.ts";

export const bytesPerGigabyte = 1_024 ** 3;

/** What lies in a table and its indexes. */
export function storageLines(loads: readonly Load[], market: Market): readonly BillLine[] {
  return loads
    .filter(({ storageBytes }) => storageBytes > 0)
    .map((load) => {
      const price = classPrices(market.prices, load).storage;
      const dollars = gigabytes(load.storageBytes) * price.usd;
      return {
        ...placeOf(load, market.replica),
        kind: "storage" as const,
        pattern: undefined,
        how: () =>
          `${amount(gigabytes(load.storageBytes))} GB in ${amount(load.items)} ${load.index === undefined ? "items" : "entries"} at $${price.usd}`,
        price,
        dollars: { average: dollars, peak: dollars },
        grows: "bytes" as const,
        assumed: load.storageAssumed,
      };
    });
}

/** Of the table and its local indexes: global indexes are built anew. */
export function backupLines(facts: TableFacts, market: Market): readonly BillLine[] {
  const { pointInTimeRecovery, backups, loads } = facts;
  const kept = loads.filter(({ index, local }) => index === undefined || local);
  const [first] = kept;
  if (first === undefined) return [];
  const size = gigabytes(kept.reduce((sum, { storageBytes }) => sum + storageBytes, 0));
  const assumed = kept.some(({ storageAssumed }) => storageAssumed);
  const line = (
    kind: "point-in-time recovery" | "backups",
    copies: number,
    price: BillLine["price"],
  ): BillLine => {
    const dollars = size * copies * price.usd;
    return {
      ...placeOf(first, market.replica),
      kind,
      pattern: undefined,
      how: () =>
        `${amount(size)} GB${kind === "backups" ? ` × ${amount(copies)} backups kept` : ""} at $${price.usd}`,
      price,
      dollars: { average: dollars, peak: dollars },
      grows: "bytes",
      assumed,
    };
  };
  const { prices } = market;
  return [
    ...(pointInTimeRecovery ? [line("point-in-time recovery", 1, prices.pointInTimeRecovery)] : []),
    // One is made every so often and lives so long: that many exist at a time.
    ...(backups === undefined
      ? []
      : [line("backups", backups.keepMs / backups.everyMs, prices.backup)]),
  ];
}

const streamUnit = 100_000;

export function streamLines(facts: TableFacts, market: Market): Lines {
  const price = market.prices.streamReads;
  const lines = facts.loads
    .filter(({ streamReads }) => streamReads.average > 0)
    .map((load): BillLine => {
      const each = (price.usd / streamUnit) * secondsOf(market.month);
      const { average, peak } = load.streamReads;
      return {
        ...placeOf(load, market.replica),
        kind: "stream reads",
        pattern: undefined,
        how: () => `${amount(average)} units of GetRecords/s at $${price.usd} for 100,000`,
        price,
        dollars: { average: average * each, peak: peak * each },
        grows: "requests",
        assumed: false,
      };
    });
  const notes: Note[] =
    facts.streamFunctions > 0
      ? [
          {
            table: facts.name,
            text: "what Lambda reads from the stream is free; the functions themselves are not in the bill",
          },
        ]
      : [];
  return { lines, notes };
}

export function cacheLines({ name, loads, dax }: TableFacts, market: Market): Lines {
  const [first] = loads;
  if (dax === undefined || first === undefined) return { lines: [], notes: [] };
  const notes: Note[] = [];
  if (dax.hitRate === undefined) {
    notes.push({
      table: name,
      text: "how many reads DAX answers is not stated (dax.hitRate): none are taken off",
    });
  }
  const price = market.prices.dax.get(dax.node) ?? market.prices.dax.get(`dax.${dax.node}`);
  if (price === undefined) {
    notes.push({
      table: name,
      text: `no price of ${dax.node} in ${market.prices.region} is known: its ${dax.nodes} nodes are not in the bill`,
    });
    return { lines: [], notes };
  }
  const dollars = dax.nodes * price.usd * market.month.hours;
  const line: BillLine = {
    ...placeOf(first, market.replica),
    kind: "cache",
    pattern: undefined,
    how: () => `${dax.nodes} × ${dax.node} at $${price.usd} an hour`,
    price,
    dollars: { average: dollars, peak: dollars },
    grows: "not",
    assumed: false,
  };
  return { lines: [line], notes };
}

export function gigabytes(bytes: number): number {
  return bytes / bytesPerGigabyte;
}
