import { collectionBytesMax, collectionOf } from "../../heat/collection.ts";
import { hotKeys } from "../hot-keys.ts";
import type { Rule } from "../rule.ts";
import { bytesText, listText } from "../words.ts";

/** From half of the limit on, somebody should know. */
const nearness = 0.5;

export const localIndexCollectionLimit: Rule = {
  id: "local-index-collection-limit",
  severity: "error",
  title: "With a local index, what lies under one partition key may not grow beyond 10 GB.",
  topic: "local-index",
  *check(context) {
    for (const { family, load, path, name } of hotKeys(context, "write")) {
      const local = [...load.table.indexes.values()].filter((index) => index.local);
      if (load.index !== undefined || local.length === 0) continue;
      const collection = collectionOf(context.facts, family);
      const largest = Math.max(collection?.average ?? 0, collection?.max ?? 0);
      if (collection === undefined || largest < collectionBytesMax * nearness) continue;
      const isOver = largest > collectionBytesMax;
      const most = collection.max === undefined ? "" : `, ${bytesText(collection.max)} at most`;
      yield {
        path,
        severity: isOver ? "error" : "warning",
        message: `The collections under ${name} ${isOver ? "grow beyond" : "come near"} the 10 GB that a local index allows.`,
        evidence: `${listText(family.records)} with the entries of ${listText(local.map((index) => index.name))} have ${bytesText(collection.average)} under one key on average${most}; beyond ${bytesText(collectionBytesMax)} every write that adds to them is refused.`,
        cure: "Make the index global, or spread the collection over several partition keys, by time or by shards.",
      };
    }
  },
};
