import { expect, test } from "vitest";
import { BoundedCache } from "./bounded-cache.ts";

test("a cache stays small and keeps what is in use", () => {
  const cache = new BoundedCache<number>(10);
  cache.set("used", 1);
  for (let index = 0; index < 1_000; index++) {
    cache.set(`text ${index}`, index);
    expect(cache.get("used")).toBe(1);
  }
  expect(cache.size).toBeLessThanOrEqual(20);
  expect(cache.get("text 999")).toBe(999);
  expect(cache.get("text 1")).toBeUndefined();
});
