import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "update-expressions",
  summary: "One UpdateItem sets, adds, removes and deletes in place, without reading first.",
  what: [
    {
      head: ["Clause", "Does"],
      rows: [
        ["SET a = :v, b = if_not_exists(b, :zero) + :one", "gives values; sums; list_append"],
        ["REMOVE c, d[2]", "takes attributes or elements away"],
        ["ADD n :one, tags :set", "adds to a number (from 0) or to a set"],
        ["DELETE tags :set", "takes elements out of a set"],
      ],
    },
    "Each clause may occur once and takes several actions with commas between: `ADD a :x, b :y`, not `ADD a :x, ADD b :y`. There is no AND between clauses; that belongs to conditions. Every value is a placeholder: `SET version = version + :one`.",
  ],
  follows: [
    {
      list: [
        "An update creates the item if it is missing; `attribute_exists(key)` as a condition prevents that.",
        "Counters by `ADD` need no read and no lock, but a repeated request counts twice. Make it harmless with a condition or an event id.",
        "Remove the key attributes of a sparse index in the same update that ends their reason.",
      ],
    },
  ],
  see: {
    topics: ["conditional-writes", "write-units", "sparse-index"],
    rules: ["counter-not-idempotent", "read-before-write", "hot-counter", "reserved-word"],
  },
};
