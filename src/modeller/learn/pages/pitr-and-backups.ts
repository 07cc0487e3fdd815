import { dollars, prices, region } from "../book.ts";
import type { PricePage } from "../page.ts";

export const page: PricePage = {
  id: "pitr-and-backups",
  summary:
    "Point-in-time recovery restores any second of the last 1 to 35 days; backups keep a moment for as long as you like.",
  paid: [
    `In ${region}: recovery ${dollars(prices.pointInTimeRecovery)} dollars for a GB in a month, whatever the number of days; backups ${dollars(prices.backup)}; restoring ${dollars(prices.restore)} for a GB; an export to S3 ${dollars(prices.exporting)} for a GB, for which recovery must be on. None of them uses throughput.`,
  ],
  worth: [
    {
      list: [
        "Recovery belongs to every table that cannot be rebuilt. A bug that overwrites data is the usual disaster, and a replica copies it within a second.",
        "Restoring makes a new table. Streams, time to live, tags, policies, auto scaling and recovery itself must be set again: write it down and try it once.",
        "The unit is a table. Entities that must be restored alone want tables of their own.",
        "Backups for years of keeping: compliance, before a migration.",
        "Deletion protection is free.",
      ],
    },
  ],
  see: {
    topics: ["security-and-monitoring", "single-or-several-tables", "global-tables"],
    examples: ["online-shop", "device-readings"],
    rules: ["no-point-in-time-recovery", "no-deletion-protection"],
  },
};
