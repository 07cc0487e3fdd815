import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "projection",
  summary:
    "A projection says which attributes an index copies: too many cost writes and storage, too few cost second reads.",
  what: [
    {
      list: [
        "`keys`: keys of the index and the table. The smallest entries; whoever needs more reads the items afterwards.",
        "A list: keys and these. At most 100 attributes over all indexes of a table.",
        "`all`: the whole item. Twice the storage, and every change of any attribute writes the entry again.",
      ],
    },
  ],
  follows: [
    "List for each index what its patterns return and filter on. If that is little, project it; if patterns want almost everything, take `all`; if only a few of the found items are ever opened, take `keys` and get those.",
    "Entries below 1 KB cost one unit to write whatever is in them, and a change of an attribute that is not projected costs nothing. So leave out what changes often. A projection cannot be changed: make a second index and drop the first.",
  ],
  see: {
    topics: ["global-index", "index-writes", "read-units"],
    examples: ["device-readings", "online-shop", "social-network"],
    rules: ["over-projection", "fetch-after-index"],
  },
};
