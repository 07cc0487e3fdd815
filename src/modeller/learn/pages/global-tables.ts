import { dollars, prices, region } from "../book.ts";
import type { PricePage } from "../page.ts";

export const page: PricePage = {
  id: "global-tables",
  summary:
    "Replicas in other Regions bring data near and survive a Region; each multiplies writes and storage.",
  paid: [
    `Every write is paid in every Region, as replicated write units (${dollars(prices.standard.replicatedWriteRequests)} dollars for a million in ${region}), and so is storage, indexes included, and the transfer between Regions. Two replicas are at least twice the write bill.`,
    "With eventual consistency between Regions, changes arrive after about a second and the last writer wins. Strong consistency between Regions needs three of them and slower writes, and has narrower rules.",
  ],
  worth: [
    {
      list: [
        "Users in several continents who write, or a promise to go on when a Region fails.",
        "Readers far away alone: a cache or a copy of some tables may do.",
        "Against mistakes it does not help: they are replicated. Take recovery.",
        "Conditions and counters hold within one Region only. Give each item a home Region, or count by events.",
        "Expiry: the deletion is free where it happens and a replicated write elsewhere.",
      ],
    },
  ],
  see: {
    topics: ["pitr-and-backups", "write-units", "conditional-writes"],
    examples: ["social-network", "marketplace"],
    rules: ["global-table-without-need"],
  },
};
