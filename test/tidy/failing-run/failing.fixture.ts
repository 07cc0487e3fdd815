import { expect, inject, test } from "vitest";

test("fails", () => {
  expect(inject("postgresUrl")).toBe("something else");
});
