import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "burst",
  summary:
    "Unused provisioned throughput of the last 300 seconds can be spent at once, without a promise.",
  what: [
    "Each partition saves up to 5 minutes of its unused share. A burst spends it. Background work of the service may spend it first. It never lifts a partition above 3,000 reads or 1,000 writes a second.",
  ],
  follows: [
    "Burst bridges the minutes until auto scaling reacts. Do not plan with it: a load test right after a quiet hour looks better than the day will be. If the peak lasts longer than five minutes, provide for it.",
  ],
  see: {
    topics: ["provisioned-and-auto-scaling", "adaptive-capacity-and-splits"],
    rules: ["peak-above-capacity"],
  },
};
