import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { ttlTrusted } from "./ttl-trusted.ts";

const looks = "where: { sessionId: equals, expiresAt: { greater: $now } }";
const trusts = "where: { sessionId: equals }";

testRule(ttlTrusted, {
  "a session by its id": {
    bad: [[looks, trusts]],
    at: ["patterns.session"],
    line: "session: {",
    says: [
      "Pattern session reads Session of Sessions without a look at expiresAt",
      "kept for 24 hours",
    ],
    good: {
      "a consideration": [[looks, `${trusts}, considerations: [refused if expiresAt has passed]`]],
      "what is kept for long": [
        [looks, trusts],
        ["retention: 1d", "retention: 365d"],
      ],
      "nothing expires": [
        [looks, trusts],
        ["      ttl: expiresAt\n", ""],
      ],
    },
  },
  "another list, where one is an id": {
    bad: [[looks, "where: { customerId: equals, sessionId: one-of }"]],
    at: ["patterns.session"],
    line: "session: {",
    says: ["Pattern session reads Session"],
  },
});

test("a list is worth a hint, as is a time that nobody stated", () => {
  const list = swapped(soundModel, [[looks, "where: { customerId: equals }"]]);
  expect(findingsOf(ttlTrusted, list)[0]?.severity).toBe("hint");
  const unsaid = swapped(soundModel, [
    [looks, trusts],
    ["    retention: 1d\n", ""],
  ]);
  expect(findingsOf(ttlTrusted, unsaid)[0]).toMatchObject({
    severity: "warning",
    evidence: expect.stringContaining("Nothing says how long a Session is valid"),
  });
});
