import type { PricePage } from "../page.ts";

export const page: PricePage = {
  id: "standard-infrequent-access",
  summary:
    "The class for data that lies more than it is used: storage costs 60 % less, requests about 25 % more.",
  paid: [
    "In us-east-1: 0.10 instead of 0.25 dollars for a GB in a month, 0.155 instead of 0.125 for a million read units, 0.780 instead of 0.625 for a million write units. It covers the table and all its indexes. Speed and durability are the same. No reserved capacity. The class can be changed twice in 30 days.",
  ],
  worth: [
    "It is cheaper when storage in the Standard class costs more than about 41 % of what the requests cost: 0.15 of 0.25 saved on storage, against a quarter more on requests. AWS's own rule says 50 %, which is on the safe side.",
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
