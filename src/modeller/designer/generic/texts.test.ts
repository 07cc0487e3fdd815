import { expect, test } from "vitest";
import { parseKeyText } from "../../../model/key-text.ts";
import { parseModel } from "../../../model/parse.ts";
import type { Entity } from "../../../model/requirements.ts";
import type { MadeKey } from "../../records/record.ts";
import { partitionText, sortText } from "./texts.ts";

const { model } = parseModel(
  `keywright: 1
name: things
entities:
  Thing:
    id: [id]
    attributes:
      id: { type: S, format: ulid }
      owner: { type: S, bytes: 9 }
      place: { type: S, bytes: 9 }
      state: { type: S, values: [open, done] }
      rank: { type: N, digits: 4 }
      weight: { type: N }
      at: { type: N, format: epoch-seconds }
      hash: { type: B, bytes: 32 }
`,
  "things.yaml",
);
const thing = model?.entities.get("Thing") as Entity;

const made = (...texts: readonly string[]): readonly MadeKey[] =>
  texts.map((text) => ({
    attribute: { name: "any", type: "S" },
    text: parseKeyText(text, (message) => expect.fail(message)),
  }));

test.each([
  [["{owner}"], "{owner}"],
  [["{owner}", "{id}"], "{id}#{owner}"],
  [["{owner}", "1"], "{owner}"],
  [["1"], ""],
  [["{weight}", "{rank}"], "{weight}#{rank|pad:4}"],
  [["{owner}", "{shard:4:id}"], "{shard:4:id}#{owner}"],
  // Who could tell "a#b" and "c" from "a" and "b#c"?
  [["{owner}", "{place}"], undefined],
  [["{hash}"], undefined],
])("values that are known, in one text: %j", (texts, text) => {
  expect(partitionText(thing, made(...texts))).toBe(text);
});

test.each([
  [[], ""],
  [["{rank}"], "{rank|pad:4}"],
  [["{at}", "{owner}"], "{at|pad:10}#{owner}"],
  [["{state}", "{rank}"], "{state}#{rank|pad:4}"],
  [["#THING"], "#THING"],
  // A text of any length would not sort before what follows it, and a number of any length not as a text.
  [["{owner}", "{rank}"], undefined],
  [["{weight}"], undefined],
  [["{hash}"], undefined],
])("what sorts, in one text: %j", (texts, text) => {
  expect(sortText(thing, made(...texts))).toBe(text);
});
