import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "natural-names",
  summary:
    "Keys called after what they hold need no document; generic names are the price of sharing.",
  what: [
    "`customerId`, `orderId`, `OrdersByCustomer` explain themselves. `PK`, `SK`, `GSI1` say nothing, but are honest where a key holds different things for different entities.",
  ],
  follows: [
    {
      list: [
        "One entity, one meaning: natural names, also for indexes.",
        "Several entities in one key: generic names, a `discriminator` attribute, and a `purpose` for each index that says whose questions it answers.",
        "Whichever you choose, choose it once: `design.style` states it.",
        "Some words are reserved in expressions (`name`, `status`, `region`, `date`, …) and need a placeholder such as `#status`. Placeholders for all names are the safe habit.",
      ],
    },
  ],
  see: {
    topics: ["single-or-several-tables", "overloaded-index"],
    examples: ["device-readings", "documents", "game-leaderboard"],
    rules: ["generic-key-names", "reserved-word", "long-names"],
  },
};
