import { months } from "../cost/month.ts";
import { breakEvenUtilisation } from "../cost/throughput.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import type { Price, RegionPrices } from "../prices/price.ts";

/** The prices that pages tell, from the book, so that a page cannot differ from a bill. */

export const region = defaultRegion;
export const prices = pricesOf(defaultRegion) as RegionPrices;

/** In dollars, as they are listed; what is not sure says so. */
export function dollars({ usd, basis }: Price): string {
  const text = usd.toLocaleString("en-US", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
    useGrouping: false,
  });
  return basis === "unsure" ? `about ${text}` : text;
}

/** A unit of provisioned capacity for a month. */
export function monthly({ usd }: Price): string {
  return (usd * months["730h"].hours).toFixed(4);
}

/** The use of provisioned capacity above which it is cheaper than on-demand. */
export const utilisation = breakEvenUtilisation(prices.standard, "write");

/** Standard-IA is cheaper if storage is more than this share of throughput, both in Standard. */
export const storageShare =
  (prices.infrequentAccess.writeRequests.usd / prices.standard.writeRequests.usd - 1) /
  (1 - prices.infrequentAccess.storage.usd / prices.standard.storage.usd);

export const perCent = (share: number, digits = 0): string => `${(share * 100).toFixed(digits)} %`;

/** How much less a reservation of so many years costs for a unit that is used all the time. */
export function reservedDiscount(years: 1 | 3): number {
  const one = prices.reserved[years]?.write;
  if (one === undefined) return 0;
  const hour = (one.upfront.usd / (years * 12 * months["730h"].hours) + one.hour.usd) / 100;
  return 1 - hour / prices.standard.writeCapacity.usd;
}
