import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "global-index",
  summary:
    "A global index is a copy of the table under another key, kept by the service, a moment behind.",
  what: [
    {
      list: [
        "It has partitions, throughput and a price of its own. Its key need not be unique; there is no GetItem, only Query and Scan.",
        "Items that lack a part of its key are not in it.",
        "Reads are always eventually consistent, usually well below a second behind.",
        "Each write that changes an entry costs write units in the index, too. If the index cannot take them, writes to the table are throttled.",
        "It can be added and dropped at any time. Key attributes that are made of others must first be written to the old items; keys of several attributes need no such backfill.",
      ],
    },
  ],
  follows: [
    "Ask of each index whether it is needed. An identifying relationship, another order of the sort key, a filter over a small collection or a rare scan may be cheaper. As a rule of thumb, collections of up to 64 KB on average are cheaper to filter than to index; `keywright lint` compares the prices.",
    "Drop an index that no pattern uses: writes keep paying for it.",
  ],
  see: {
    topics: [
      "projection",
      "index-writes",
      "sparse-index",
      "identifying-relationship",
      "multi-attribute-keys",
    ],
    rules: [
      "unused-index",
      "replaceable-index",
      "duplicate-index",
      "index-for-small-collection",
      "index-underprovisioned",
      "strong-read-on-index",
    ],
  },
};
