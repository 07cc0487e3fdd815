import { dollars, perCent, prices, region, utilisation } from "../book.ts";
import type { PricePage } from "../page.ts";

export const page: PricePage = {
  id: "on-demand",
  summary: `On-demand throughput is paid per request, costs nothing when idle, and about ${(1 / utilisation).toFixed(1)} times as much as provisioned units in full use.`,
  paid: [
    `In ${region}, Standard class: ${dollars(prices.standard.readRequests)} dollars for a million read units, ${dollars(prices.standard.writeRequests)} for a million write units, and ${dollars(prices.standard.storage)} for a GB in a month. Indexes pay their own units and bytes.`,
    "It serves twice its former peak at once, from a start of 12,000 reads and 4,000 writes a second; more than that within about 30 minutes may throttle. A maximum can be set, so that a runaway job cannot cost a fortune.",
  ],
  worth: [
    {
      list: [
        "New, spiky or unknown traffic; nights without any; development.",
        `Below about ${perCent(utilisation)} average use of the units you would have to provide.`,
        "A known rush on a cold table needs warm throughput, bought in advance, or a step-wise rise. It is the one case where on-demand is not enough by itself.",
        "It does not lift the ceiling of a partition.",
      ],
    },
  ],
  see: {
    topics: ["provisioned-and-auto-scaling", "rates", "adaptive-capacity-and-splits", "partition"],
    examples: ["device-readings", "game-leaderboard", "social-network"],
    rules: ["provisioned-cheaper", "cold-start", "peak-above-capacity", "on-demand-cheaper"],
  },
};
