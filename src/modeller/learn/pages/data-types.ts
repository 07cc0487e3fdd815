import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "data-types",
  summary: "Scalars, sets and documents; keys are texts, numbers or binary.",
  what: [
    {
      head: ["Type", "Holds", "Good to know"],
      rows: [
        ["S", "UTF-8 text", "sorted by bytes; empty allowed outside of keys"],
        [
          "N",
          "a number of up to 38 digits",
          "sorted by value; sent as text, so that nothing is rounded",
        ],
        ["B", "bytes", "base64 on the wire, counted raw"],
        ["BOOL, NULL", "true, false; nothing", "one byte; no key types"],
        ["SS, NS, BS", "a set of one type, no duplicates", "never empty; no order"],
        ["L, M", "a list, a map, mixed and nested to 32 levels", "3 bytes, and 1 for each element"],
      ],
    },
  ],
  follows: [
    {
      list: [
        "Keys of tables and indexes are S, N or B, and never empty.",
        "There is no date type: see `temporal-values`.",
        "Money: a number of cents, or N with decimals. N is exact, a float in your language is not.",
        "A set grows by `ADD` without being read; a list by `list_append`. Both are written whole each time.",
      ],
    },
  ],
  see: {
    topics: ["item-size", "temporal-values", "sorting", "update-expressions"],
    rules: ["unbounded-list", "time-without-format"],
  },
};
