import { perCent, prices, region, reservedDiscount } from "../book.ts";
import type { PricePage } from "../page.ts";

const year = prices.reserved[1];

export const page: PricePage = {
  id: "reserved",
  summary: `Reserved capacity is provisioned throughput paid in advance for one or three years: about ${perCent(reservedDiscount(1))} or ${perCent(reservedDiscount(3))} off.`,
  paid: [
    `Blocks of 100 units, partly at once and partly by the hour. In ${region} for one year: 100 write units for ${year?.write.upfront.usd} dollars and ${year?.write.hour.usd} an hour, 100 read units for ${year?.read.upfront.usd} dollars and ${year?.read.hour.usd} an hour. It is paid whether used or not, applies to the Standard class only, and not to on-demand or replicated writes.`,
  ],
  worth: [
    {
      list: [
        "The part of the load that is there every hour of every day for the whole time: the lowest point of the curve, not its average.",
        "All tables of an account in a Region share it.",
        "Not before the design has settled: a dropped index or a better key halves the need, the contract stays.",
      ],
    },
  ],
  see: {
    topics: ["provisioned-and-auto-scaling", "standard-infrequent-access"],
    examples: ["device-readings", "marketplace"],
    rules: ["provisioned-cheaper"],
  },
};
