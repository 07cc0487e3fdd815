import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkModel, modelCheckText } from "../../src/workbench/model-check.ts";
import { root } from "../tidy/source-files.ts";
import { run } from "./child-support.ts";

const shop = join(root, "examples/models/online-shop.yaml");
const text = readFileSync(shop, "utf8");

async function keywright(...args: string[]) {
  const cli = join(root, "src/cli/main.ts");
  const child = run(process.execPath, [join(root, "scripts/run-ts.mjs"), cli, ...args], root);
  return { code: await child.ended, ...child.written };
}

function fileWith(content: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "keywright-check-")), "model.yaml");
  writeFileSync(file, content);
  return file;
}

test("a model that is whole is summed up", { timeout: 120_000 }, async () => {
  const { code, out } = await keywright("check", shop);
  expect(out).toContain("online-shop states 4 entities with 28 attributes, 3 relations,");
  expect(out).toContain("14 patterns (8 read, 6 write), 1 workflow, 1 table.");
  expect(out).toContain("  Shop: Customer, Order, OrderItem, Product; indexes GSI1, GSI2");
  expect(out).toContain("4 numbers assumed.\nNo open questions.");
  expect(code).toBe(0);
});

test("what is wrong has its place, and the command ends with 2", { timeout: 120_000 }, async () => {
  const file = fileWith(text.replace("read: Customer", "read: Custmer"));
  const { code, out } = await keywright("check", file);
  const line = text.split("\n").findIndex((one) => one.includes("read: Customer")) + 1;
  expect(out).toBe(
    `${file}:${line}:11: patterns.1.read names 'Custmer', which is no entity; did you mean 'Customer'?\n`,
  );
  expect(code).toBe(2);
});

test("open questions end it with 1; --json has all", { timeout: 120_000 }, async () => {
  const file = fileWith(text.replace("    rps: { average: 500, peak: 2_000 }\n", ""));
  const { code, out } = await keywright("check", file, "--json");
  const { summary, complaints } = JSON.parse(out);
  expect(complaints).toEqual([]);
  expect(summary.openQuestions).toEqual([
    {
      path: "patterns.1",
      line: expect.any(Number),
      column: 5,
      question: "How many requests per second has pattern 1, A customer's profile? (rps)",
    },
  ]);
  expect(code).toBe(1);
});

test("a file that is not there is told in a sentence", { timeout: 120_000 }, async () => {
  const { code, err } = await keywright("check", "nowhere.yaml");
  expect(err).toBe("keywright: nowhere.yaml cannot be read: ENOENT.\n");
  expect(code).toBe(2);
});

test("questions are listed with their places", () => {
  const small =
    "keywright: 1\nname: x\nentities: { A: { id: [a], attributes: { a: { type: N } } } }\n";
  expect(modelCheckText(checkModel(small, "x.yaml"))).toBe(
    `x states 1 entity with 1 attribute, 0 relations,
0 patterns (0 read, 0 write), 0 workflows, 0 tables.
1 open question:
  x.yaml:3:16: How many A are there? (count)
`,
  );
});
