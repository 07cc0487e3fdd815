import { soundModel, testRule } from "../lint.test-support.ts";
import { reservedWord } from "./reserved-word.ts";

const base = soundModel.replaceAll("owner", "holder");

testRule(reservedWord, {
  "a discriminator and a short name": {
    base,
    bad: [
      ["discriminator: kind", "discriminator: Type"],
      ['part: "#ORDER" } }', 'part: "#ORDER" }, names: { amount: value } }'],
    ],
    at: ["design.tables.Shop"],
    line: "key: { holder: S",
    says: ["Shop uses Type and value, which are reserved words", "#Type"],
    good: {
      "a name of the requirements": [["amount: { type: N", "value: { type: N"]],
    },
  },
  "a key": {
    base,
    bad: [
      ["key: { sessionId: S }", "key: { token: S }"],
      [
        'Session: { key: { sessionId: "{sessionId}" } }',
        'Session: { key: { token: "{sessionId}" } }',
      ],
    ],
    at: ["design.tables.Sessions"],
    line: "key: { token: S }",
    says: ["Sessions uses token, which is a reserved word"],
  },
});
