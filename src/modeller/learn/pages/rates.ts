import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "rates",
  summary: "The average decides what you pay, the peak decides whether keys and throughput hold.",
  what: [
    "Every pattern states `rps: { average, peak }`. Cost uses the average, because on-demand requests are paid one by one and a month contains all hours. Heat uses the peak, because a partition is overrun in a second.",
    "A month is 730 hours (8,760 / 12) in AWS's calculator and here; 30 days are 720 hours, 1.4 % less. `keywright cost --month 30d` counts so.",
  ],
  follows: [
    {
      list: [
        "Never invent a rate. Derive it: users × visits a day × requests a visit / 86,400, and a peak of two to ten times that; then write it as `{ assumed: 40, why: 100k users, 20 visits, … }`.",
        "A rate divided by the number of keys says little. Ask for the hottest key: `skew: { key: userId, hottest: 0.01 }`.",
        "Patterns of a workflow run together: its rate must agree with theirs.",
      ],
    },
  ],
  see: {
    topics: ["hot-partitions", "on-demand", "workflows"],
    rules: ["rates-do-not-add-up", "numbers-do-not-add-up", "peak-above-capacity"],
  },
};
