import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import { priced } from "./bills.ts";
import { modelOf } from "./lint.test-support.ts";
import { LintContext } from "./lint-context.ts";
import { whatIf, withIndex, withoutIndex, withTable } from "./what-if.ts";

const examples = readdirSync("examples/models");

/** Every index dropped, cut down and filled up, and every table with a replica more. */
function changesOf(model: Model): readonly (readonly [Table, Model])[] {
  return [...(model.design?.tables.values() ?? [])].flatMap((table) => [
    [table, withTable(model, { ...table, replicas: ["eu-west-1"] })] as const,
    ...[...table.indexes.values()].flatMap((index) => [
      [table, withoutIndex(model, table, index)] as const,
      [table, withIndex(model, table, { ...index, projection: "keys" })] as const,
      [table, withIndex(model, table, { ...index, projection: "all" })] as const,
    ]),
  ]);
}

test.each(examples)("a part of %s saves what the whole would", (name) => {
  const context = new LintContext(modelOf(readFileSync(`examples/models/${name}`, "utf8")));
  const { model, design, prices } = context;
  const changes = changesOf(model);
  expect(changes.length).toBeGreaterThan(0);
  for (const [table, changed] of changes) {
    const whole = design.total - priced(changed, prices).total;
    expect(whatIf(context, table, changed).saved).toBeCloseTo(whole, 6);
  }
});
