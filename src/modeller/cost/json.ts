import { pricesDate, sources } from "../prices/sources.ts";
import type { CostReport } from "./report.ts";

/** The report for programs: as it is, with where the prices are from. */
export function costJson(report: CostReport) {
  const { prices, month, lines, ...rest } = report;
  return {
    ...rest,
    month: month.name,
    hours: month.hours,
    pricesDate,
    sources,
    lines: lines.map(({ price, how, ...line }) => ({
      ...line,
      how: how(),
      price: price.usd,
      basis: price.basis,
      source: price.source,
    })),
  };
}
