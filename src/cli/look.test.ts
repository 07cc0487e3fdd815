import { expect, test } from "vitest";
import { lookOf } from "./look.ts";

const plain = (look: ReturnType<typeof lookOf>): boolean => look.heading("x") === "x";

test("colours are for terminals whose owner does not mind", () => {
  const look = lookOf({ isTTY: true, columns: 80 }, {});
  expect(look.heading("x")).toBe("\u001b[1mx\u001b[0m");
  expect(look.code("x")).toBe("\u001b[36mx\u001b[0m");
  expect(plain(lookOf({ isTTY: true }, { NO_COLOR: "1" }))).toBe(true);
  expect(plain(lookOf({ isTTY: true }, { NO_COLOR: "" }))).toBe(false);
  expect(plain(lookOf({ isTTY: true }, { TERM: "dumb" }))).toBe(true);
  expect(plain(lookOf({}, {}))).toBe(true);
});

test("lines are as wide as the terminal, within reason", () => {
  expect(lookOf({ columns: 72 }, {}).width).toBe(72);
  expect(lookOf({ columns: 300 }, {}).width).toBe(100);
  expect(lookOf({ columns: 10 }, {}).width).toBe(40);
  expect(lookOf({}, {}).width).toBe(100);
});
