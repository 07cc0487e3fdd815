import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { editText } from "../../src/document/edit.ts";
import type { Model } from "../../src/model/model.ts";
import { parseModel } from "../../src/model/parse.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 120_000;

interface Asked {
  readonly show?: number;
  readonly products?: number;
  readonly where?: string;
  readonly consistency?: "eventual" | "strong";
}

const catalogue = ({
  show = 4_000,
  products = 20_000,
  where = "productId: equals",
  consistency = "eventual",
}: Asked): string => `keywright: 1
name: catalogue
entities:
  Product:
    id: [productId]
    count: ${products}
    attributes:
      productId: { type: S, format: ulid }
      shelfId: { type: S, bytes: 8, distinct: 300 }
      price: { type: N, digits: 6 }
      text: { type: S, bytes: 3_000 }
patterns:
  show: { name: A product, read: Product, where: { ${where} }, consistency: ${consistency}, rps: { average: ${show}, peak: ${2 * show} } }
  stock: { name: A product as it is now, read: Product, where: { productId: equals }, consistency: strong, rps: 300 }
  shelf: { name: A shelf, read: Product, where: { shelfId: equals }, order: { price: ascending }, limit: 20, rps: 100 }
  add: { name: Add, create: Product, condition: absent, rps: 1 }
  price: { name: Change the price, update: Product, where: { productId: equals }, changes: [price], rps: 5 }
`;

async function designed(asked: Asked) {
  const design = await designModel(catalogue(asked), "catalogue.yaml", { now });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { text = "" } = design;
  const { tables = {}, decisions = [] } = design.designed?.design ?? {};
  return { text, total: design.designed?.total ?? 0, dax: tables.Products?.dax, decisions };
}

const dollarsOf = (text: string): number =>
  costModel(text, "catalogue.yaml").report?.total.average ?? Number.NaN;

test("a cache that saves more than it costs is taken, for those who may get old answers", {
  timeout,
}, async () => {
  const { text, total, dax, decisions } = await designed({});
  expect(dax).toMatchObject({
    node: "dax.r5.large",
    nodes: 3,
    hitRate: { assumed: 0.98 },
    patterns: ["shelf", "show"],
  });
  expect(dollarsOf(text)).toBeCloseTo(total, 2);
  const decision = decisions.find(({ about }) => about === "design.tables.Products.dax");
  expect(decision?.chosen).toContain("pattern shelf, show");
  expect(decision?.chosen).toContain("98 % of their reads");
  const [none] = decision?.rejected ?? [];
  expect(none?.what).toBe("no cache");
  // At the share that is told it costs what the best without a cache costs.
  const edge = Number(/below (\d+) %/.exec(decision?.chosen ?? "")?.[1]) / 100;
  const path = ["design", "tables", "Products", "dax", "hitRate", "assumed"];
  const atEdge = dollarsOf(editText(text, [{ kind: "set", path, value: edge }]));
  const without = total + (none?.perMonth ?? 0);
  expect(Math.abs(atEdge - without)).toBeLessThan(without * 0.01);
});

test("fewer readers do not pay for a cache, and it is told what it would cost", {
  timeout,
}, async () => {
  const { dax, decisions } = await designed({ show: 1_700 });
  expect(dax).toBeUndefined();
  const [table] = decisions;
  const rejected = table?.rejected?.find(({ what }) => what.startsWith("with a cache of 3"));
  expect(rejected?.perMonth).toBeGreaterThan(0);
  expect(rejected?.perMonth).toBeLessThan(60);
  expect((await designed({ show: 1_800 })).dax).toBeDefined();
});

test("who needs the newest state is never answered by a cache", { timeout }, async () => {
  const { dax, decisions } = await designed({ consistency: "strong" });
  expect(dax).toBeUndefined();
  // What is said of caches is about those who list a shelf.
  expect(JSON.stringify(decisions)).not.toMatch(/cache[^"]*(show|stock)/);
});

test("where hardly anybody asks the same again, there is no cache", { timeout }, async () => {
  expect((await designed({ products: 200_000_000 })).dax).toBeUndefined();
  expect((await designed({ where: "shelfId: equals, price: between" })).dax).toBeUndefined();
});

test("the same index behind a cache is no design without it", { timeout }, async () => {
  const text = readFileSync("examples/models/social-network.yaml", "utf8");
  const solver = await integerSolver();
  const model = parseModel(text, "social-network.yaml").model as Model;
  const { decisions = [] } = designOf(model, solver).designed?.design ?? {};
  const index = decisions.find(({ about }) => about.endsWith(".PostsByAuthor"));
  const without = index?.rejected?.find(({ what }) => what.startsWith("without it"));
  // Nothing is as fast by other keys: all posts would be read.
  expect(without?.what).not.toContain("authorId");
  expect(without?.why).toBe("it takes longer than allowed");
});
