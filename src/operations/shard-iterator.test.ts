import { expect, test } from "vitest";
import { iteratorText, readIterator } from "./shard-iterator.ts";

const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Things/stream/2026-01-01T00:00:00.000";
const secret = Buffer.alloc(32, 7);
const place = { shard: 3, position: 2 ** 45 + 1, issuedAt: 1_767_225_600_000 };
const minute = 60_000;

test("what was handed out is read back", () => {
  const text = iteratorText(arn, place, secret);
  expect(readIterator(text, secret, place.issuedAt)).toEqual({ arn, place });
});

test("is good for 15 minutes", () => {
  const text = iteratorText(arn, place, secret);
  readIterator(text, secret, place.issuedAt + 15 * minute);
  expect(() => readIterator(text, secret, place.issuedAt + 15 * minute + 1)).toThrow(
    expect.objectContaining({ type: "ExpiredIteratorException" }),
  );
});

const refused = expect.objectContaining({
  type: "ValidationException",
  message: "Invalid ShardIterator",
});

test("no character of it can be changed, left out or added", () => {
  const text = iteratorText(arn, place, secret);
  for (let i = 0; i < text.length; i += 1) {
    const other = text[i] === "A" ? "B" : "A";
    for (const wrong of [
      text.slice(0, i) + other + text.slice(i + 1),
      text.slice(0, i) + text.slice(i + 1),
      `${text.slice(0, i)}A${text.slice(i)}`,
    ]) {
      expect(() => readIterator(wrong, secret, place.issuedAt), wrong).toThrow(refused);
    }
  }
});

test("one of another store is none", () => {
  const text = iteratorText(arn, place, Buffer.alloc(32, 8));
  expect(() => readIterator(text, secret, place.issuedAt)).toThrow(refused);
});

test.each(["", "|", "||", "|1|", `${arn}|1|`, `${arn}|1|AAAA`, "\u0000", "x".repeat(2_048)])(
  "%j is none",
  (text) => {
    expect(() => readIterator(text, secret, 0)).toThrow(refused);
  },
);
