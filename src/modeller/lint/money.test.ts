import { expect, test } from "vitest";
import { pricesOf } from "../prices/book.ts";
import { modelOf, soundModel, swapped } from "./lint.test-support.ts";
import { LintContext } from "./lint-context.ts";
import { monthly } from "./money.ts";

const tableWith = (...lines: readonly string[]) => {
  const text = swapped(soundModel, [
    [
      "      ttl: expiresAt\n",
      `      ttl: expiresAt\n${lines.map((line) => `      ${line}\n`).join("")}`,
    ],
  ]);
  const context = new LintContext(modelOf(text));
  const table = context.model.design?.tables.get("Sessions");
  if (table === undefined) throw new Error("no table");
  return (usage: Parameters<typeof monthly>[2]) => monthly(context.prices, table, usage);
};

test("on demand: units of 730 hours, and bytes", () => {
  const cost = tableWith();
  // 10 × 2,628,000 s = 26.28 M units.
  expect(cost({ reads: 10 })).toBeCloseTo(26.28 * 0.125, 6);
  expect(cost({ writes: 10 })).toBeCloseTo(26.28 * 0.625, 6);
  expect(cost({ bytes: 4 * 1_024 ** 3 })).toBeCloseTo(1, 6);
});

test("another class, provisioned units and replicas have other prices", () => {
  expect(tableWith("class: infrequent-access")({ writes: 10 })).toBeCloseTo(26.28 * 0.78, 6);
  const provisioned = tableWith("billing: { provisioned: { read: 5, write: 5 } }");
  expect(provisioned({ reads: 2, writes: 1 })).toBeCloseTo(730 * (2 * 0.00013 + 0.00065), 6);
  const global = tableWith("replicas: [eu-west-1]");
  expect(global({ reads: 10, writes: 10, bytes: 1_024 ** 3 })).toBeCloseTo(
    26.28 * 0.125 + 2 * 26.28 * 0.625 + 2 * 0.25,
    6,
  );
});

test("prices are those of the model's Region, or of us-east-1", () => {
  const pricesIn = (overview: string) =>
    new LintContext(
      modelOf(swapped(soundModel, [["overview: { scale: { requests: 120 } }", overview]])),
    ).prices;
  expect(pricesIn("overview: {}")).toBe(pricesOf("us-east-1"));
  expect(pricesIn("overview: { region: eu-west-1 }")).toBe(pricesOf("eu-west-1"));
  expect(pricesIn("overview: { region: mars-north-1 }")).toBe(pricesOf("us-east-1"));
});
