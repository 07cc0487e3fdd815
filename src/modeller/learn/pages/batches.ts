import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "batches",
  summary:
    "A batch saves round trips, not units: 100 gets or 25 puts and deletes in one call, each for itself.",
  what: [
    {
      list: [
        "`BatchGetItem`: up to 100 keys and 16 MB. What did not fit or was throttled comes back in `UnprocessedKeys`.",
        "`BatchWriteItem`: up to 25 puts and deletes. No updates, no conditions, not atomic. What was throttled comes back in `UnprocessedItems`, with status 200.",
        "Each item is rounded on its own and pays what it would alone.",
        "PartiQL's `BatchExecuteStatement` takes 25 statements that may have conditions besides the full key.",
      ],
    },
  ],
  follows: [
    {
      list: [
        "Never loop over GetItem when the keys are known.",
        "Look at what was unprocessed, and send it again with growing pauses.",
        "Creation that must not overwrite needs conditions: single puts or a transaction.",
        "Children of one parent come cheaper by one Query.",
      ],
    },
  ],
  see: {
    topics: ["workflows", "transactions", "conditional-writes", "partiql"],
    examples: ["code-hosting", "game-leaderboard", "social-network"],
    rules: ["n-plus-one", "batch-without-retry", "batch-too-large", "condition-in-batch"],
  },
};
