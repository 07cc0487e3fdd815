import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderForTests } from "../folder-for-tests.ts";
import { read } from "../tidy/source-files.ts";
import { endOfCli } from "./child-support.ts";

const folder = folderForTests("init");

const keywright = (...args: string[]) => endOfCli(args, folder);

test("a first model is written, once", { timeout: 120_000 }, async () => {
  const first = await keywright("init");
  expect(first.err).toBe("");
  expect(first.code).toBe(0);
  const text = readFileSync(join(folder, "model.yaml"), "utf8");
  expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/node_modules\/keywright\/dist\//);
  const again = await keywright("init", "model.yaml", "--example", "voting");
  expect(again.err).toBe(
    "keywright: model.yaml is there already and stays as it is; name another file: keywright init FILE.\n",
  );
  expect(again.code).toBe(2);
  expect(readFileSync(join(folder, "model.yaml"), "utf8")).toBe(text);
});

test("an example is copied, with the schema seen from there", { timeout: 120_000 }, async () => {
  mkdirSync(join(folder, "design"));
  const { code } = await keywright("init", "design/shop.yaml", "--example", "online-shop");
  expect(code).toBe(0);
  const [comment, ...rest] = readFileSync(join(folder, "design/shop.yaml"), "utf8").split("\n");
  expect(comment).toBe(
    "# yaml-language-server: $schema=../node_modules/keywright/dist/model.schema.json",
  );
  expect(rest.join("\n")).toBe(read("examples/models/online-shop.yaml"));
});

test("what cannot be done is told in a sentence", { timeout: 120_000 }, async () => {
  const [unknown, outside, json, nowhere] = await Promise.all([
    keywright("init", "a.yaml", "--example", "onlin-shop"),
    keywright("init", "a.yaml", "--example", "../models/voting"),
    keywright("init", "a.json"),
    keywright("init", "nowhere/a.yaml"),
  ]);
  expect(unknown.err).toContain("There is no example 'onlin-shop', but code-hosting, ");
  expect(unknown.err).toContain(" Did you mean 'online-shop'?\n");
  expect(outside.err).toContain("There is no example '../models/voting', but ");
  expect(json.err).toBe("keywright: A model is written as YAML; call it a.yaml.\n");
  expect(nowhere.err).toBe("keywright: nowhere/a.yaml cannot be written: ENOENT.\n");
  expect([unknown, outside, json, nowhere].map(({ code }) => code)).toEqual([2, 2, 2, 2]);
});
