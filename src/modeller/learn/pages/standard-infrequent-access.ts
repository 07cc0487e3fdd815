import { dollars, perCent, prices, region, storageShare } from "../book.ts";
import type { PricePage } from "../page.ts";

const { standard, infrequentAccess: infrequent } = prices;

export const page: PricePage = {
  id: "standard-infrequent-access",
  summary:
    "The class for data that lies more than it is used: storage costs 60 % less, requests about 25 % more.",
  paid: [
    `In ${region}: ${dollars(infrequent.storage)} instead of ${dollars(standard.storage)} dollars for a GB in a month, ${dollars(infrequent.readRequests)} instead of ${dollars(standard.readRequests)} for a million read units, ${dollars(infrequent.writeRequests)} instead of ${dollars(standard.writeRequests)} for a million write units. It covers the table and all its indexes. Speed and durability are the same. No reserved capacity. The class can be changed twice in 30 days.`,
  ],
  worth: [
    `It is cheaper when storage in the Standard class costs more than about ${perCent(storageShare)} of what the requests cost: ${perCent(1 - infrequent.storage.usd / standard.storage.usd)} saved on storage, against a quarter more on requests. AWS's own rule says 50 %, which is on the safe side.`,
    {
      list: [
        "Logs, old orders, tables of past periods.",
        "Delete first: what nobody needs is cheapest with time to live.",
        "Look again when traffic changes.",
      ],
    },
  ],
  see: {
    topics: ["period-tables", "ttl", "on-demand"],
    examples: ["device-readings", "documents", "marketplace"],
    rules: ["infrequent-access-cheaper", "standard-cheaper"],
  },
};
