import { describe, expect, test } from "vitest";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";

const now = Date.UTC(2026, 0, 15, 12);

describe.each(examples)("%s", (_, text) => {
  test("is proved, and wrong designs are found out", { timeout: 120_000 }, async () => {
    const proofs = await proveModel(modelOf(text), { now });
    expect(
      proofs.flatMap(({ pattern, failure }) =>
        failure === undefined ? [] : [`${pattern}: ${failure.what}`],
      ),
    ).toEqual([]);
    const mutants = proofs.flatMap((one) => one.mutants);
    expect(mutants.filter(({ killed }) => killed).length).toBeGreaterThan(mutants.length / 2);
  });
});

const shop = (key: string, more = ""): string => `keywright: 1
name: proof
entities:
  Order:
    id: [orderId]
    count: 100
    attributes:
      orderId: { type: S, format: ulid }
      shop: { type: S, values: [north, south] }
      score: { type: N, digits: 3 }
patterns:
  best: { name: The best, read: Order, where: { shop: equals }, order: { score: descending }, limit: 5, rps: { average: 1, peak: 1 } }
  change: { name: Change, update: Order, where: { orderId: equals }, changes: [score], condition: exists, rps: { average: 1, peak: 1 } }
design:
  tables:
    Orders:
      key: { orderId: S }
      entities: { Order: { key: { orderId: "{orderId}" } } }
      indexes:
        Best: { key: { partition: shop, sort: rank }, sets: { Order: { rank: "${key}" } } }
${more}`;

async function failures(text: string): Promise<readonly string[]> {
  const proofs = await proveModel(modelOf(text), { now });
  return proofs.flatMap(({ pattern, failure }) => (failure === undefined ? [] : [pattern]));
}

test("a right design, and its mutants", async () => {
  const [best, change] = await proveModel(modelOf(shop("{score|pad:4}#{orderId}")), { now });
  expect(best?.failure).toBeUndefined();
  expect(change?.failure).toBeUndefined();
  expect(best?.mutants.filter(({ killed }) => !killed)).toEqual([]);
  expect(best?.mutants.map(({ name }) => name)).toEqual([
    "parts swapped in Best.rank of Order",
    "pad left out in Best.rank of Order",
    "score missing from Best",
    "read in the other direction",
  ]);
  expect(change?.mutants).toContainEqual({ name: "keys of indexes are not kept", killed: true });
});

test("a plan that is stated and wrong is found out", async () => {
  const stated = `  plans:
    best: { steps: [{ operation: Query, table: Orders, index: Best, key: { shop: "{shop}" }, order: ascending, limit: 5 }] }
`;
  expect(await failures(shop("{score|pad:4}#{orderId}", stated))).toContain("best");
});
