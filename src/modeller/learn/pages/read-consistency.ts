import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "read-consistency",
  summary:
    "Eventual reads cost half and may miss the last moments; strong reads see every acknowledged write.",
  what: [
    "Data lies on three replicas. An eventual read asks any of them; it is usually a few milliseconds behind, without a promise. A strong read asks the leader. Global indexes and streams are always behind, and a global table's other Regions are about a second behind.",
    "Even a strong answer may be old when it arrives. Only a condition in the write itself protects a decision.",
  ],
  follows: [
    {
      list: [
        "Default to eventual. Ask for strong where somebody reads right after writing and would act on old data, such as a balance before it is shown as final, or an idempotency check.",
        "Never use a strong read to check and then write: put the condition into the write.",
        "There is no consistent write to ask for: all writes go to the leader and a majority.",
        "A cache in front passes strong reads through.",
      ],
    },
  ],
  see: {
    topics: ["read-units", "conditional-writes", "global-index", "dax"],
    examples: ["device-readings", "documents", "game-leaderboard"],
    rules: ["strong-read-without-need", "strong-read-on-index", "read-before-write"],
  },
};
