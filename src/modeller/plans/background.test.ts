import { describe, expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { Facts } from "../facts.ts";
import { estimateRun } from "../units/estimate.ts";
import { backgroundOf } from "./background.ts";
import { plansOf } from "./planner.ts";
import { scheduleSeconds } from "./schedule.ts";

function backgrounds(aggregates: string, copy = ""): readonly object[] {
  const facts = new Facts(
    modelOf(`keywright: 1
name: background
entities:
  Shop:
    id: [shopId]
    count: 100
    attributes:
      shopId: { type: S, bytes: 10 }
      title: { type: S, bytes: 20 }
      sales: { type: N, digits: 5, counter: true }
      income: { type: N, digits: 8, counter: true }
  Sale:
    id: [shopId, saleId]
    count: 10_000
    attributes:
      shopId: { type: S, bytes: 10 }
      saleId: { type: S, format: ulid }
      price: { type: N, digits: 5 }
      shopTitle: { type: S, bytes: 20${copy} }
relations:
  - { from: Shop, to: Sale, kind: one-to-many, average: 100 }
patterns:
  sell: { name: Sell, create: Sale, batch: 2, rps: { average: 3, peak: 30 } }
  undo: { name: Undo, delete: Sale, where: { shopId: equals, saleId: equals }, rps: { average: 1, peak: 10 } }
  correct: { name: Correct, update: Sale, where: { shopId: equals, saleId: equals }, changes: [price], rps: { average: 0.5, peak: 5 } }
  rename: { name: Rename, update: Shop, where: { shopId: equals }, changes: [title], rps: { average: 0.25, peak: 1 } }
design:
  tables:
    Shops:
      key: { shopId: S, part: S }
      entities:
        Shop: { key: { shopId: "{shopId}", part: SHOP } }
        Sale: { key: { shopId: "{shopId}", part: "SALE#{saleId}" } }
      stream: new-image
${aggregates === "" ? "" : `      aggregates: [${aggregates}]\n`}`),
  );
  return backgroundOf(facts, plansOf(facts)).map(({ name, rate, requests, problem }) => {
    const { read, write } = estimateRun(facts, requests);
    return {
      name,
      rate: rate && [rate.average, rate.peak],
      requests: requests.map(({ operation }) => operation),
      units: [read, write],
      problem,
    };
  });
}

describe("numbers that are kept", () => {
  test("by a stream: once for each item that comes or goes", () => {
    expect(backgrounds("{ of: Sale, into: Shop.sales, by: stream }")).toEqual([
      // Six come and one goes in a second.
      {
        name: "Shop.sales by stream",
        rate: [7, 70],
        requests: ["UpdateItem"],
        units: [0, 1],
        problem: undefined,
      },
    ]);
  });

  test("a sum also when the number changes", () => {
    const sum = "{ of: Sale, into: Shop.income, what: sum, attribute: price, by: stream }";
    expect(backgrounds(sum)).toMatchObject([{ rate: [7.5, 75] }]);
  });

  test("by a schedule: who has changed is read and written once", () => {
    const kept = (schedule: string) =>
      backgrounds(`{ of: Sale, into: Shop.sales, by: { schedule: ${schedule} } }`);
    expect(kept("rate(1 minute)")).toMatchObject([
      // 420 happen in a minute, more than the 100 sales that a shop has: all 100 shops may have changed.
      { rate: [100 / 60, 100 / 60], requests: ["Query", "UpdateItem"], problem: undefined },
    ]);
    // 7 in a second can all be one shop's.
    expect(kept("rate(1 second)")).toMatchObject([{ rate: [1, 1] }]);
  });

  test("nothing for those that are kept in the transaction itself", () => {
    expect(backgrounds("{ of: Sale, into: Shop.sales, by: transaction }")).toEqual([]);
  });
});

test("a copy that may not be behind is updated wherever it is", () => {
  const copies = backgrounds("", ", copyOf: Shop.title, staleness: refused");
  expect(copies).toMatchObject([
    {
      name: "Sale.shopTitle after Shop.title",
      rate: [0.25, 1],
      requests: ["Query", "UpdateItem"],
      // A hundred sales are updated, one unit each.
      units: [expect.any(Number), 100],
    },
  ]);
  expect(backgrounds("", ", copyOf: Shop.title, staleness: accepted")).toEqual([]);
});

test("the seconds between two runs", () => {
  expect(
    [
      "rate(5 minutes)",
      "rate(1 hour)",
      "rate(2 days)",
      "cron(*/10 * * * ? *)",
      "cron(0 * * * ? *)",
      "cron(0 */6 * * ? *)",
      "cron(15 3 * * ? *)",
    ].map(scheduleSeconds),
  ).toEqual([300, 3_600, 172_800, 600, 3_600, 21_600, 86_400]);
});
