import { prices, region } from "../book.ts";
import type { ConceptPage } from "../page.ts";

/** Eventual reads, 8 KB for a unit. */
const tenGigabytes = ((10 * 1_024 ** 3) / 8_192 / 1_000_000) * prices.standard.readRequests.usd;

export const page: ConceptPage = {
  id: "scans",
  summary:
    "A Scan reads every item and costs the whole table; in a request path it is a defect, in a rare job it may be right.",
  what: [
    `A Scan goes through all partitions, 1 MB at a time, and can be divided into segments that run in parallel. A filter does not make it cheaper. 10 GB read eventually are about 1.3 million units: ${tenGigabytes.toFixed(2)} dollars in ${region}, each time.`,
  ],
  follows: [
    {
      list: [
        "A pattern that users wait for must have a key. Give it an index, a copy, or another service.",
        "A job once a night may scan: an index costs its share of every write, all day. `keywright lint` compares both.",
        "A scan of a sparse index reads only what is in it: fine for small ones.",
        "For analytics, export to S3: it reads the recovery log, not your throughput.",
        "Limit a job's pace, or it throttles the users.",
      ],
    },
  ],
  see: {
    topics: ["sparse-index", "partiql", "search-and-analytics-elsewhere", "filters"],
    rules: ["scan-in-pattern"],
  },
};
