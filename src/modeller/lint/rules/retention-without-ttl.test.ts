import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { retentionWithoutTtl } from "./retention-without-ttl.ts";

const ttl = "      ttl: expiresAt\n";

testRule(retentionWithoutTtl, {
  "no expiry": {
    bad: [[ttl, ""]],
    at: ["entities.Session.retention"],
    line: "retention: 1d",
    says: [
      "Session is kept for 1 day, and nothing deletes it from Sessions",
      "All that there is has",
    ],
    good: {
      "somebody deletes it": [
        [ttl, ""],
        [
          "  session: { name",
          "  leave: { name: Sign out, delete: Session, where: { sessionId: equals }, rps: { average: 1, peak: 2 } }\n  session: { name",
        ],
      ],
      "nothing is to be deleted": [
        [ttl, ""],
        ["    retention: 1d\n", ""],
      ],
    },
  },
});

test("what stays is priced; ten years are a hint", () => {
  const text = swapped(soundModel, [
    [ttl, ""],
    ["retention: 1d", "retention: 3650d"],
  ]);
  const [finding] = findingsOf(retentionWithoutTtl, text);
  expect(finding?.severity).toBe("hint");
  // Each item: three names and their values.
  const bytes = 200_000 * (9 + 36 + 10 + 26 + 9 + 6);
  expect(finding?.price).toEqual({
    kind: "money",
    perMonth: expect.closeTo((bytes / 1_024 ** 3) * 0.25, 6),
    assumed: false,
  });
});
