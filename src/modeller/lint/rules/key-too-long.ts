import { partitionKeyBytesMax, sortKeyBytesMax } from "../../../api/limits.ts";
import { keyBytes } from "../../sizes/key-size.ts";
import type { Rule } from "../rule.ts";
import { bytesText } from "../words.ts";

const nearShare = 0.8;

export const keyTooLong: Rule = {
  id: "key-too-long",
  severity: "error",
  title: "A key can be longer than DynamoDB takes, so writes of such items fail.",
  topic: "constants",
  *check({ keys }) {
    for (const { entity, what, path, ...key } of keys) {
      for (const [role, max] of [
        ["partition", partitionKeyBytesMax],
        ["sort", sortKeyBytesMax],
      ] as const) {
        const sides = key[role];
        let longest = 0;
        for (const { text } of sides) longest += keyBytes(entity.attributes, text)?.max ?? 0;
        if (longest <= nearShare * max) continue;
        const isOver = longest > max;
        yield {
          path: sides[0]?.path ?? path,
          severity: isOver ? "error" : "warning",
          message: `The ${role} key in ${what} can be ${isOver ? "too long" : "nearly too long"}.`,
          evidence: `It can have ${bytesText(longest)}; ${bytesText(max)} are the most.`,
          cure: "Use a short id or a hash of the long text in the key, and store the text beside it.",
        };
      }
    }
  },
};
