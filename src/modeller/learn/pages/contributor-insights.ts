import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "contributor-insights",
  summary:
    "Contributor Insights shows which keys are used and throttled most, for a price per event.",
  what: [
    "Switched on per table or index, it lists the most accessed and the most throttled partition keys, and pairs with the sort key. There is a mode for throttled keys alone, which is cheap while nothing throttles.",
  ],
  follows: [
    "Keep the cheap mode on for tables whose keys may run hot, and the full one while you look for a skew. Then write what you found into the model as `skew`, so that the simulation uses what is true. Key values may be personal data: it shows them in plain text.",
    "The engine of Keywright has it too, per table, with the same calls.",
  ],
  see: {
    topics: ["hot-partitions", "rates", "security-and-monitoring"],
    rules: ["personal-data-in-key", "hot-partition-read"],
  },
};
