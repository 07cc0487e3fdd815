import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkModel, isSound, modelCheckText } from "../../src/workbench/model-check.ts";
import { folderForTests } from "../folder-for-tests.ts";
import { root } from "../tidy/source-files.ts";
import { endOfCli } from "./child-support.ts";

const folder = folderForTests("check");

const shop = join(root, "examples/models/online-shop.yaml");
const text = readFileSync(shop, "utf8");

const keywright = (...args: string[]) => endOfCli(args, root);

function fileWith(content: string): string {
  const file = join(mkdtempSync(join(folder, "model-")), "model.yaml");
  writeFileSync(file, content);
  return file;
}

test("a model that is whole is summed up", { timeout: 120_000 }, async () => {
  const { code, out } = await keywright("check", shop);
  expect(out).toContain("online-shop states 4 entities with 28 attributes, 3 relations,");
  expect(out).toContain("14 patterns (8 read, 6 write), 1 workflow, 1 table.");
  expect(out).toContain("  Shop: Customer, Order, OrderItem, Product; indexes GSI1, GSI2");
  expect(out).toContain("4 numbers assumed.\n\nChecklist: ");
  expect(out).toContain("DynamoDB fits, with 1 exception; what decides: access-by-key and search");
  expect(out).toMatch(/\n\nNo open questions\.\n$/);
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

test("what is open is listed with its place; what is wrong stands under its check", {
  timeout: 120_000,
}, async () => {
  const file = fileWith(
    text
      .replace("    rps: { average: 500, peak: 2_000 }\n", "")
      .replace("    limit: 50\n    rps: { average: 2", "    rps: { average: 2")
      .replace("condition: version\n", "considerations: [the last one wins]\n"),
  );
  const { code, out } = await keywright("check", file);
  expect(code).toBe(1);
  const line = (what: string) =>
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((one) => one.includes(what)) + 1;
  expect(out).toContain("  open  Every pattern has an average and a peak rate");
  expect(out).toContain("  wrong Writers who meet on one item do so under a condition");
  const flat = out.replaceAll(/\s+/g, " ");
  expect(flat).toContain(
    `${file}:${line("name: Change a profile")}:5: Pattern 12 (Change a profile) changes Customer without a condition, and 2 write at once`,
  );
  expect(flat).toContain(
    `${file}:${line("name: A customer's profile")}:5: How many requests per second has pattern 1, A customer's profile? (rps)`,
  );
});

test("--json has every check with its id, its points with their places, and the verdict", {
  timeout: 120_000,
}, async () => {
  const file = fileWith(
    text.replace("          purpose: orders that somebody still has to work on\n", ""),
  );
  const { code, out } = await keywright("check", file, "--json");
  const { checks, fit, summary } = JSON.parse(out);
  expect(summary.openQuestions).toEqual([]);
  expect(checks.find(({ id }: { id: string }) => id === "indexes-justified")).toEqual({
    id: "indexes-justified",
    title: expect.any(String),
    verdict: "open",
    evidence: ["With a purpose or a decision: 1 of 2 indexes."],
    points: [
      {
        kind: "open",
        path: "design.tables.Shop.indexes.GSI2",
        line: expect.any(Number),
        column: 11,
        text: "What is index Shop.GSI2 for? (purpose)",
      },
    ],
  });
  expect(fit).toMatchObject({
    verdict: "fits-with-exceptions",
    deciding: ["access-by-key", "search-and-analytics"],
    exceptions: [{ path: "patterns.search", instead: "search engine", service: "OpenSearch" }],
  });
  expect(code).toBe(1);
});

test("every example holds", () => {
  const folder = join(root, "examples/models");
  for (const name of readdirSync(folder)) {
    const result = checkModel(readFileSync(join(folder, name), "utf8"), name);
    const wrong = result.checks?.flatMap(({ id, points }) =>
      points.map((one) => `${id}: ${one.text}`),
    );
    expect({ name, wrong, isSound: isSound(result) }).toEqual({ name, wrong: [], isSound: true });
  }
});

test("a document without patterns is asked for them", () => {
  const small =
    "keywright: 1\nname: x\nentities: { A: { id: [a], attributes: { a: { type: N } } } }\n";
  const result = checkModel(small, "x.yaml");
  expect(isSound(result)).toBe(false);
  const said = modelCheckText(result, { width: 80, colour: false });
  expect(said).toContain(
    "x states 1 entity with 1 attribute, 0 relations,\n0 patterns (0 read, 0 write), 0 workflows, 0 tables.\n\nChecklist: ",
  );
  expect(said).toContain("\nWhether DynamoDB fits cannot be told before there are patterns.\n");
  expect(said.slice(said.indexOf("4 open questions"))).toBe(`4 open questions:
  x.yaml:1:1: What is the application about? (domain)
  x.yaml:1:1: How many users or requests per second are expected? (scale)
  x.yaml:3:16: How many A are there? (count)
  x.yaml:1:1: What is asked of the data? (patterns)
`);
});

test("no line is wider than it may be, unless a word is; names cannot speak to the terminal", () => {
  const hostile = text.replaceAll("Customer:", '"Cust\\e[31momer":');
  for (const width of [40, 80, 120]) {
    const said = modelCheckText(checkModel(text, "m.yaml"), { width, colour: false });
    const [, checklist = "", fit = ""] = said.split("\n\n");
    for (const line of [...checklist.split("\n"), ...fit.split("\n")]) {
      expect(line.length <= width || !/\S\s+\S/.test(line.trim()), line).toBe(true);
    }
  }
  const coloured = modelCheckText(checkModel(text, "m.yaml"), { width: 80, colour: true });
  expect(coloured).toContain("\u001b[32m  fine  \u001b[0m");
  const said = modelCheckText(checkModel(hostile, "m\u001b[1m.yaml"), { width: 80, colour: false });
  expect(said).not.toContain("\u001b");
});
