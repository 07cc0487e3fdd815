import { keyBytesMax, longestKey } from "../../sizes/key-limits.ts";
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
      for (const role of ["partition", "sort"] as const) {
        const max = keyBytesMax[role];
        const sides = key[role];
        const longest = longestKey(
          entity.attributes,
          sides.map(({ text }) => text),
        );
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
