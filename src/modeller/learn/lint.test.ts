import { expect, test } from "vitest";
import type { Model } from "../../model/model.ts";
import { parseModel } from "../../model/parse.ts";
import { lint } from "../lint/lint.ts";
import { allPages } from "./pages.ts";

/** What a small example leaves out, because it is the same for every table. */
const leftOut = ["no-point-in-time-recovery"];

const examples = [...allPages.values()].flatMap((page) =>
  "example" in page ? [[page.id, page.example.model] as const] : [],
);

test.each(examples)("the example of %s keeps the rules", (_, text) => {
  const { model } = parseModel(text, "example.yaml");
  const { findings } = lint(model as Model, { severity: "warning" });
  const told = findings.filter(({ rule }) => !leftOut.includes(rule));
  expect(told.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
});
