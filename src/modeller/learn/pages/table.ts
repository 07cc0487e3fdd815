import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "table",
  summary:
    "A table is a hash table of items without a schema, except for its key, and the unit of all settings.",
  what: [
    "Items of one table share its key attributes and nothing else. All that is switched on is switched on for a whole table: billing mode, table class, streams, time to live, recovery, replicas, encryption, deletion protection, cache.",
    "The primary key is a partition key alone, which must then be unique, or a partition key and a sort key, whose pair must be unique. Neither names nor types of the key can change; the values of an item's key cannot either: to change one is to delete an item and put another.",
  ],
  follows: [
    {
      list: [
        "What lies in one table is coupled: restored together, replicated together, in one stream.",
        "Put nothing into a table key that changes, such as a status.",
        "A put replaces the whole item that has the same key, without a word. Conditions prevent that.",
      ],
    },
  ],
  see: {
    topics: ["single-or-several-tables", "partition-key", "sort-key", "conditional-writes"],
    rules: ["mutable-attribute-in-key", "key-does-not-identify", "no-deletion-protection"],
  },
};
