import { expect, test } from "vitest";
import type { Model } from "../../model/model.ts";
import { parseModel } from "../../model/parse.ts";
import type { Pattern } from "../../model/requirements.ts";
import { hitRateOf } from "./hit-rate.ts";

const rateOf = (pattern: string): number | undefined => {
  const text = `keywright: 1
name: notes
entities:
  Note:
    id: [ownerId, noteId]
    count: 1_000_000
    attributes:
      ownerId: { type: S, format: ulid, distinct: 10_000 }
      noteId: { type: N, digits: 5 }
      day: { type: S, format: iso-date }
      text: { type: S, bytes: 300 }
patterns:
  one: { name: One, ${pattern} }
`;
  const { model } = parseModel(text, "notes.yaml");
  return hitRateOf(model as Model, model?.patterns.get("one") as Pattern);
};

const list = "read: Note, where: { ownerId: equals }";

test("who asks once in five minutes for each is answered by a cache every second time", () => {
  expect(rateOf(`${list}, rps: ${10_000 / 300}`)).toBeCloseTo(0.5, 9);
  expect(rateOf(`${list}, rps: ${(9 * 10_000) / 300}`)).toBeCloseTo(0.9, 9);
  const whole = "read: Note, where: { ownerId: equals, noteId: equals }";
  expect(rateOf(`${whole}, rps: ${1_000_000 / 300}`)).toBeCloseTo(0.5, 9);
  expect(rateOf(`read: Note, limit: 5, rps: ${1 / 300}`)).toBeCloseTo(0.5, 9);
});

test("what many ask for is answered more often", () => {
  const hottest = rateOf(`${list}, rps: 10, skew: { key: ownerId, hottest: 0.5 }`) ?? 0;
  const [hot, others] = [1_500 / 1_501, 1_500 / 9_999];
  expect(hottest).toBeCloseTo(0.5 * hot + (0.5 * others) / (1 + others), 9);
  // Summed one by one.
  const shares = Array.from({ length: 10_000 }, (_, i) => 1 / (i + 1));
  const all = shares.reduce((sum, one) => sum + one, 0);
  const exact = shares.reduce((sum, one) => {
    const times = (3_000 * one) / all;
    return sum + ((one / all) * times) / (1 + times);
  }, 0);
  expect(rateOf(`${list}, rps: 10, skew: { key: ownerId, zipf: 1 }`)).toBeCloseTo(exact, 2);
});

test.each([
  ["needs the newest state", `${list}, consistency: strong, rps: 100`],
  [
    "is a transaction",
    "transaction: [{ read: Note, where: { ownerId: equals, noteId: equals } }], rps: 9",
  ],
  ["has bounds of the caller", "read: Note, where: { ownerId: equals, noteId: between }, rps: 100"],
  ["asks for what nobody has counted", "read: Note, where: { noteId: equals }, rps: 100"],
  ["writes", "delete: Note, where: { ownerId: equals, noteId: equals }, rps: 100"],
])("no answer of a cache is good for who %s", (_why, pattern) => {
  expect(rateOf(pattern)).toBeUndefined();
});
