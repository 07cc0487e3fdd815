import { expect, test } from "vitest";
import { encodeKeyValue } from "../item/key-encoding.ts";
import { noSort } from "./position.ts";
import { positionText, sortText } from "./position-text.ts";

test("sort keys that are text can be read", () => {
  for (const text of ["a", "12345678", "ORDER#2026-11-16", "día 7"]) {
    expect(sortText(encodeKeyValue({ S: text }))).toBe(text);
  }
  expect(sortText(Buffer.concat([encodeKeyValue({ S: "x" }), Buffer.alloc(16, 9)]))).toBe("x");
  expect(sortText(encodeKeyValue({ S: "y".repeat(100) }))).toBe(`${"y".repeat(60)}…`);
});

test("others are shown as bytes", () => {
  expect(sortText(Uint8Array.of(1, 255))).toBe("0x01ff");
  expect(sortText(encodeKeyValue({ S: "\u0000" }))).toMatch(/^0x/);
  expect(sortText(Buffer.alloc(40, 255))).toBe(`0x${"ff".repeat(30)}…`);
});

test("a position is its hash, and the sort key if there is one", () => {
  expect(positionText({ hash: 0xabc, sort: noSort })).toBe("hash 000000000abc");
  expect(positionText({ hash: 1, sort: encodeKeyValue({ S: "z" }) })).toBe("hash 000000000001 · z");
});
