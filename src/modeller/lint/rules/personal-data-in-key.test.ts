import { expect, test } from "vitest";
import { findingsOf, soundModel, swapped, testRule } from "../lint.test-support.ts";
import { personalDataInKey } from "./personal-data-in-key.ts";

const key = [
  'Customer: { key: { owner: "C#{customerId}", part: PROFILE } }',
  'Customer: { key: { owner: "C#{customerId}", part: "PROFILE#{mail}" } }',
] as const;
const law = ["overview: {", "overview: { compliance: [GDPR],"] as const;

testRule(personalDataInKey, {
  "an address in a key": {
    bad: [key, law],
    at: ["design.tables.Shop.entities.Customer.key.part"],
    line: "PROFILE#{mail}",
    says: ["Customer.mail is personal and in the key of Customer in Shop", "which GDPR covers too"],
    good: {
      "an address that is about nobody": [
        key,
        law,
        ["bytes: 40, unique: true, personal: true", "bytes: 40, unique: true"],
      ],
    },
  },
});

test("without a law that applies, or in an index, it is a hint", () => {
  expect(findingsOf(personalDataInKey, swapped(soundModel, [key]))[0]?.severity).toBe("hint");
  expect(findingsOf(personalDataInKey, swapped(soundModel, [key, law]))[0]?.severity).toBe(
    "warning",
  );
  const index = [
    "      indexes:\n",
    "      indexes:\n        ByMail:\n          key: { partition: mail }\n",
  ] as const;
  expect(findingsOf(personalDataInKey, swapped(soundModel, [index, law]))[0]?.severity).toBe(
    "hint",
  );
});
