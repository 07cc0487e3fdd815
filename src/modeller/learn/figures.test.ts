import { expect, test } from "vitest";
import { bytes, count } from "./figures.ts";

test("thousands are told apart", () => {
  expect(count(25)).toBe("25");
  expect(count(1_000)).toBe("1,000");
  expect(count(1_234_567)).toBe("1,234,567");
});

test("bytes are shown in the unit that leaves them whole", () => {
  expect(bytes(255)).toBe("255 bytes");
  expect(bytes(2_048)).toBe("2 KB");
  expect(bytes(409_600)).toBe("400 KB");
  expect(bytes(16 * 1_024 ** 2)).toBe("16 MB");
  expect(bytes(10 * 1_024 ** 3)).toBe("10 GB");
  expect(bytes(2_000 * 1_024 ** 3)).toBe("2,000 GB");
});
