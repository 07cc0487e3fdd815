import { dollars, monthly, perCent, prices, region, utilisation } from "../book.ts";
import type { PricePage } from "../page.ts";

export const page: PricePage = {
  id: "provisioned-and-auto-scaling",
  summary:
    "Provisioned units are paid by the hour, used or not; auto scaling follows the traffic some minutes behind.",
  paid: [
    `In ${region}, Standard class: ${dollars(prices.standard.readCapacity)} dollars for a read unit in an hour, ${dollars(prices.standard.writeCapacity)} for a write unit: ${monthly(prices.standard.readCapacity)} and ${monthly(prices.standard.writeCapacity)} in a month of 730 hours. Each global index has units of its own. In full use on-demand costs ${(1 / utilisation).toFixed(2)} times as much, so units pay off above ${perCent(utilisation, 1)} of use.`,
    "What exceeds the units is throttled, after 300 seconds of burst are spent. Auto scaling keeps the use near a target, 70 % unless you say otherwise: it rises after about two minutes above, and falls after about fifteen below. Raising is free, lowering is limited to four times at once and then once an hour.",
  ],
  worth: [
    {
      list: [
        "Steady or slowly changing load, known from at least some weeks.",
        "Peaks that rise over many minutes. A spike of two minutes is over before scaling helps.",
        "The time of engineers who tend it counts too: a small table is not worth it.",
        "The index gets at least as many write units as its entries change, or it holds up the table.",
      ],
    },
  ],
  see: {
    topics: ["on-demand", "reserved", "burst", "index-writes"],
    examples: ["device-readings", "marketplace"],
    rules: [
      "provisioned-cheaper",
      "on-demand-cheaper",
      "peak-above-capacity",
      "index-underprovisioned",
    ],
  },
};
