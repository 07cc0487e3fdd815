import { describe, expect, it } from "vitest";
import { described, exampleModel } from "./examples.test-support.ts";

describe("what has to exist", () => {
  it("lets callers of a scope use the keys of that scope, and the application all that it asks for", () => {
    const { policies } = described(exampleModel("online-shop"));
    const own = [`CUSTOMER#\${aws:PrincipalTag/customerId}`];
    expect(policies.map(({ scope }) => scope)).toEqual([["customerId"], []]);
    expect(policies[0]?.statements).toEqual([
      {
        table: "Shop",
        index: undefined,
        actions: ["dynamodb:GetItem", "dynamodb:UpdateItem"],
        leadingKeys: own,
      },
      { table: "Shop", index: "GSI1", actions: ["dynamodb:Query"], leadingKeys: own },
    ]);
    expect(policies[1]?.statements.every((one) => one.leadingKeys === undefined)).toBe(true);
  });

  it("gives an alarm at four fifths of the most units that there can be", () => {
    const [spread, monthly] = described(exampleModel("rich")).tables;
    const full = (alarms: typeof spread) =>
      alarms?.alarms
        .filter(({ what }) => what.endsWith("capacity"))
        .map(({ index, metric, threshold }) => [index, metric, threshold]);
    expect(full(spread)).toEqual([
      [undefined, "ConsumedReadCapacityUnits", 40 * 60 * 0.8],
      [undefined, "ConsumedWriteCapacityUnits", 50 * 60 * 0.8],
      ["ByOwner", "ConsumedReadCapacityUnits", 7 * 60 * 0.8],
      ["ByOwner", "ConsumedWriteCapacityUnits", 3 * 60 * 0.8],
    ]);
    expect(full(monthly)).toEqual([
      [undefined, "ConsumedReadCapacityUnits", 500 * 60 * 0.8],
      ["ByTime", "ConsumedWriteCapacityUnits", 200 * 60 * 0.8],
    ]);
  });

  it("says what is left out", () => {
    expect(described(exampleModel("game-leaderboard")).missing).toEqual([
      "The DAX cluster of Scores is not in it: it needs subnets and a role of your network.",
    ]);
  });
});
