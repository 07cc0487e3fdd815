import type { PricePage } from "../page.ts";

export const page: PricePage = {
  id: "provisioned-and-auto-scaling",
  summary:
    "Provisioned units are paid by the hour, used or not; auto scaling follows the traffic some minutes behind.",
  paid: [
    "In us-east-1, Standard class: 0.00013 dollars for a read unit in an hour, 0.00065 for a write unit: 0.0949 and 0.4745 in a month of 730 hours. Each global index has units of its own. In full use a unit costs 3.46 times less than on-demand, so it pays off above 28.9 % of use.",
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
