import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { costModel, modelCostOutput } from "../../src/workbench/model-cost.ts";
import { folderForTests } from "../folder-for-tests.ts";
import { root } from "../tidy/source-files.ts";
import { endOfCli } from "./child-support.ts";

const shop = join(root, "examples/models/online-shop.yaml");
const text = readFileSync(shop, "utf8");
const folder = folderForTests("cost");

const keywright = (...args: string[]) => endOfCli(args, root);

function fileWith(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

test("a bill in the terminal, and as a picture", { timeout: 120_000 }, async () => {
  const svg = join(folder, "bill.svg");
  const { code, out } = await keywright("cost", shop, "--svg", svg);
  expect(out).toBe(modelCostOutput(costModel(text, shop), "text"));
  expect(out).toMatch(/^online-shop costs \$[\d,.]+ a month in us-east-1, /);
  expect(readFileSync(svg, "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(code).toBe(0);
});

test("another month, another Region, as JSON", { timeout: 120_000 }, async () => {
  const args = ["--month", "30d", "--region", "eu-central-1", "--json"];
  const { code, out } = await keywright("cost", shop, ...args);
  const bill = JSON.parse(out);
  expect(bill).toMatchObject({ region: "eu-central-1", month: "30d", hours: 720, complaints: [] });
  const home = costModel(text, shop).report?.patterns.find(({ id }) => id === "10");
  const there = bill.patterns.find(({ id }: { id: string }) => id === "10");
  // 450 RRU/s: 450 × 2,592,000 × 0.1525 / 1M = 177.876 against 450 × 2,628,000 × 0.125 / 1M = 147.825
  expect(there.dollars.average).toBeCloseTo(177.876, 6);
  expect(home?.dollars.average).toBeCloseTo(147.825, 6);
  expect(code).toBe(0);
});

test("a rate that is missing is missing in the bill, which ends it with 1", {
  timeout: 120_000,
}, async () => {
  const open = fileWith("open.yaml", text.replace("    rps: { average: 500, peak: 2_000 }\n", ""));
  const { code, out } = await keywright("cost", open);
  expect(out).toContain(
    "Not in the bill: pattern 1: how often it happens on average is not known.",
  );
  expect(code).toBe(1);
});

test("a wrong document prints its complaints and ends with 2", { timeout: 120_000 }, async () => {
  const wrong = fileWith("wrong.yaml", text.replace("read: Customer", "read: Custmer"));
  const { code, out } = await keywright("cost", wrong);
  expect(out).toContain(
    "patterns.1.read names 'Custmer', which is no entity; did you mean 'Customer'?",
  );
  expect(code).toBe(2);
});

test("a Region and a month that there are not", { timeout: 120_000 }, async () => {
  const region = await keywright("cost", shop, "--region", "mars-1");
  expect(region.err).toMatch(/^keywright: --region takes us-east-1 or .*, not 'mars-1'\.\n$/);
  expect(region.code).toBe(2);
  const month = await keywright("cost", shop, "--month", "31d");
  expect(month.err).toBe("keywright: --month takes 730h or 30d, not '31d'.\n");
  expect(month.code).toBe(2);
  const mars = fileWith("mars.yaml", text.replace("region: us-east-1", "region: mars-1"));
  const { out, code } = await keywright("cost", mars);
  expect(out).toMatch(/^No prices of mars-1 are known\. There are prices of us-east-1, /);
  expect(code).toBe(1);
});
