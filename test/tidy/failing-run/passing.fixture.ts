import { expect, inject, test } from "vitest";

test("passes", () => {
  expect(inject("postgresUrl")).toMatch(/^postgres:/);
});
