import { expect, test } from "vitest";
import { amountText, bytesText, rateText } from "./amounts.ts";

test("counts, sizes and rates are told as people read them", () => {
  expect(amountText(1, "item", "items")).toBe("1 item");
  expect(amountText(1_234_567, "item", "items")).toBe("1,234,567 items");
  expect(bytesText(1023)).toBe("1023 B");
  expect(bytesText(1536)).toBe("1.5 KB");
  expect(bytesText(3 * 1024 ** 3)).toBe("3.0 GB");
  expect(rateText(3_000, 1_500)).toBe("1.5 s, 2,000 items/s");
  expect(rateText(0, 0)).toBe("0.0 s, 0 items/s");
});
