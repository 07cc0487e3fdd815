import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shop } from "../../src/modeller/explain/explain.test-support.ts";
import { folderForTests } from "../folder-for-tests.ts";
import { root } from "../tidy/source-files.ts";
import { endOfCli } from "./child-support.ts";

const keywright = (...args: string[]) => endOfCli(args, root);

const folder = folderForTests("explain");

function fileWith(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const model = fileWith("shop.yaml", shop);

test("a pattern, and all of them", { timeout: 120_000 }, async () => {
  const one = await keywright("explain", model, "profile");
  expect(one.out).toContain("Key condition: owner = C#{customerId} AND part = PROFILE");
  expect(one.out).toContain("$0.13 for a million, $32.85 a month at the average rate");
  expect(one.code).toBe(0);
  const thirty = await keywright("explain", model, "profile", "--month", "30d", "--json");
  // 720 hours instead of 730.
  expect(JSON.parse(thirty.out).explanations[0].dollars.perMonth).toBeCloseTo(32.4, 6);
  const all = await keywright("explain", model);
  expect(all.out.split("\n").length).toBe(1 + 9 + 1);
  expect(all.code).toBe(0);
});

test("a request from a file", { timeout: 120_000 }, async () => {
  const input = { TableName: "Shop", IndexName: "ByState" };
  const file = fileWith("scan.json", JSON.stringify({ operation: "Scan", input }));
  const { code, out } = await keywright("explain", model, "--request", file);
  expect(out).toContain("Scan on Shop.ByState for Order");
  expect(code).toBe(0);
  const other = fileWith("other.json", '{"operation":"Scan","input":{"TableName":"Shp"}}');
  const refused = await keywright("explain", model, "--request", other);
  expect(refused.out).toBe(`${other}: the model has no table 'Shp'; did you mean 'Shop'?\n`);
  expect(refused.code).toBe(2);
});

test("a PartiQL statement", { timeout: 120_000 }, async () => {
  const text = "SELECT * FROM Shop WHERE total > ?";
  const scan = ["--statement", text, "--parameters", '[{"N":"5"}]'];
  const { code, out } = await keywright("explain", model, ...scan);
  expect(out).toContain("The statement scans: Shop.");
  expect(code).toBe(0);
  const refused = await keywright("explain", model, "profile", ...scan);
  expect(refused.err).toContain("only one of them");
  expect(refused.code).toBe(2);
});

test("what is not there, not served or not right", { timeout: 120_000 }, async () => {
  const unknown = await keywright("explain", model, "profil");
  expect(unknown.out).toMatch(/^There is no pattern 'profil'; did you mean 'profile'\?/);
  expect(unknown.code).toBe(2);
  expect((await keywright("explain", model, "search")).code).toBe(1);
  const wrong = fileWith("wrong.yaml", shop.replace("read: Customer", "read: Custmer"));
  const told = await keywright("explain", wrong);
  expect(told.out).toContain("'Custmer', which is no entity");
  expect(told.code).toBe(2);
  const bare = fileWith("bare.yaml", shop.slice(0, shop.indexOf("design:")));
  const empty = await keywright("explain", bare);
  expect([empty.out, empty.code]).toEqual([
    "There is no design yet, so nothing can be priced.\n",
    1,
  ]);
});
