import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "single-or-several-tables",
  summary:
    "Entities that are read together may share a table; others are better off with their own: a choice by numbers, not by creed.",
  what: [
    {
      head: ["One table", "A table for each entity"],
      rows: [
        [
          "one request reads a parent and its children",
          "backup, restore and recovery of one entity alone",
        ],
        ["fewer round trips, rounding once", "a stream with one kind of record; no filters"],
        ["one index may serve several entities", "throughput, class and time to live per entity"],
        ["keys have generic names and need documents", "keys say what they are"],
        ["a mistake reaches everything", "rights and costs are told apart by themselves"],
      ],
    },
    "Transactions work across tables as well as within one. So atomicity is no reason for a single table.",
  ],
  follows: [
    "Start with tables of their own. Bring entities together where some pattern reads them in one request and is frequent enough to matter; that is the only thing that a single table can do and several cannot. Look at the whole workflow: five calls where one would do is the signal.",
    "Write the decision down with what was rejected and why.",
  ],
  see: {
    topics: ["item-collection", "workflows", "natural-names", "overloaded-index"],
    examples: ["online-shop", "code-hosting", "saas-workspaces"],
    rules: ["together-but-apart", "n-plus-one"],
  },
};
