import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "workflows",
  summary:
    "Count the calls of what a user does in one go; five or more in a row ask for another shape of the data.",
  what: [
    "A workflow is an ordered list of patterns with a rate: sign in, list, open, change. Each call adds a round trip, and the calls of a list grow with it: reading ten items and then one more for each is the N+1 problem.",
  ],
  follows: [
    {
      list: [
        "Parent and children in one collection: one Query.",
        "Keys known beforehand: one BatchGetItem, or calls at the same time.",
        "One attribute missing: copy it.",
        "Two steps that always follow each other: store together what they read.",
        "Do not pay for it in every write if the workflow is rare: see what both cost in a month.",
      ],
    },
  ],
  see: {
    topics: ["item-collection", "batches", "short-circuit-copies", "embedding"],
    examples: ["online-shop", "social-network", "code-hosting"],
    rules: ["long-workflow", "n-plus-one", "rates-do-not-add-up"],
  },
};
