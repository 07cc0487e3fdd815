import { formats } from "../../../model/formats.ts";
import type { ConceptPage } from "../page.ts";

/** As a number where it can be one, else as a text. */
function bytesOf(name: keyof typeof formats): string {
  const { N: number, S: text } = formats[name].bytes;
  return String(number ?? text);
}

export const page: ConceptPage = {
  id: "temporal-values",
  summary:
    "Times are texts (ISO 8601) or numbers (epoch); ids such as ULID and KSUID carry their time.",
  what: [
    {
      head: ["Form", "Bytes", "Sorts by time", "For"],
      rows: [
        [
          "iso-time `2026-11-16T09:30:00.000Z`",
          bytesOf("iso-time"),
          "yes",
          "people, prefixes: a day, a month",
        ],
        ["iso-date `2026-11-16`", bytesOf("iso-date"), "yes", "days"],
        ["epoch-seconds (N)", bytesOf("epoch-seconds"), "yes", "time to live, arithmetic"],
        ["epoch-milliseconds (N)", bytesOf("epoch-milliseconds"), "yes", "arithmetic, finer times"],
        ["ulid", bytesOf("ulid"), "yes", "ids in order; 48 bits of time, 80 of chance"],
        ["ksuid", bytesOf("ksuid"), "yes", "ids in order; seconds and 128 bits of chance"],
        ["uuid (v4)", bytesOf("uuid"), "no", "ids without order"],
      ],
    },
  ],
  follows: [
    {
      list: [
        "One form per attribute, always UTC, always the same number of digits behind the second: `…:00Z` and `…:00.500Z` do not sort together.",
        "ISO can be cut: `begins_with` a day, `{takenAt|month}` in a key. Epochs can be subtracted, are smaller, and take ranges only.",
        "Two events in one millisecond: put an id behind the time.",
        "Ids with time in them rise. As a partition key that does not matter, because it is hashed; as a sort key of a busy collection it does.",
      ],
    },
  ],
  see: {
    topics: ["sorting", "monotonic-keys", "time-series", "ttl"],
    examples: ["code-hosting", "documents", "game-leaderboard"],
    rules: ["time-without-format", "uuid-for-order", "ttl-in-milliseconds"],
  },
};
