import type { Table } from "../../model/design.ts";
import type { RegionPrices } from "../prices/price.ts";
import type { Price } from "./rule.ts";

const hoursPerMonth = 730;
const secondsPerMonth = hoursPerMonth * 3_600;
const gigabyte = 1_024 ** 3;

/** What some units per second, around the clock, and some bytes cost in a month. */
export interface Usage {
  readonly reads?: number;
  readonly writes?: number;
  readonly bytes?: number;
}

/**
 * The price of a little more or less in a table or its indexes. Provisioned units cost what the hour
 * costs: nothing is said of how well they are used. Every replica pays for writes and bytes again.
 */
export function monthly(prices: RegionPrices, table: Table, usage: Usage): number {
  const { reads = 0, writes = 0, bytes = 0 } = usage;
  const own = table.class === "standard" ? prices.standard : prices.infrequentAccess;
  const copies = 1 + table.replicas.length;
  const onDemand = table.billing.mode === "on-demand";
  const perRead = onDemand
    ? (own.readRequests.usd / 1e6) * secondsPerMonth
    : own.readCapacity.usd * hoursPerMonth;
  const perWrite = onDemand
    ? (own.writeRequests.usd / 1e6) * secondsPerMonth
    : own.writeCapacity.usd * hoursPerMonth;
  return (
    reads * perRead + writes * copies * perWrite + ((bytes * copies) / gigabyte) * own.storage.usd
  );
}

export function money(perMonth: number, assumed: boolean): Price {
  return { kind: "money", perMonth, assumed };
}
