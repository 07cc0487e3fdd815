import { describe, expect, test } from "vitest";
import { shop } from "../modeller/explain/explain.test-support.ts";
import { explainModel, modelExplainOutput } from "./model-explain.ts";

const explained = (text: string, parameters?: string) =>
  explainModel(shop, "shop.yaml", { statement: { text, parameters } });

describe("a statement", () => {
  test("that reads one item", () => {
    const found = explained(`SELECT * FROM "Shop" WHERE owner = 'C#1' AND part = 'PROFILE'`);
    expect(found.plan?.kind).toBe("get");
    expect(found.plan?.scans).toBe(false);
    expect(found.explanations.map(({ id }) => id)).toEqual(["GetItem"]);
    expect(modelExplainOutput(found, "text")).toMatch(/^The statement gets one item: Shop\.\n/);
  });

  test("that queries, once for each partition", () => {
    const found = explained(
      "SELECT * FROM Shop WHERE owner IN [?, ?]",
      '[{"S":"C#1"},{"S":"C#2"}]',
    );
    expect(found.plan?.requests.map(({ operation }) => operation)).toEqual(["Query", "Query"]);
    expect(modelExplainOutput(found, "text")).toContain("The statement comes to 2 queries: Shop.");
  });

  test("that scans says so, and that this reads everything", () => {
    const found = explained("SELECT * FROM Shop WHERE total > 5");
    expect(found.plan?.scans).toBe(true);
    const text = modelExplainOutput(found, "text");
    expect(text).toContain("The statement scans: Shop.\nIt reads everything there");
    expect(JSON.parse(modelExplainOutput(found, "json")).plan.scans).toBe(true);
  });

  test("that scans an index", () => {
    const text = modelExplainOutput(explained('SELECT * FROM "Shop"."ByState"'), "text");
    expect(text).toContain("The statement scans: Shop, index ByState.");
  });

  test("that writes", () => {
    const found = explained("DELETE FROM Shop WHERE owner = 'C#1' AND part = 'PROFILE'");
    expect(found.plan?.requests[0]?.operation).toBe("DeleteItem");
    expect(found.plan?.scans).toBe(false);
  });

  test.each([
    ["SELECT * FROM Shp", undefined, "The model has no table 'Shp'; did you mean 'Shop'?"],
    [
      "SELECT",
      undefined,
      "ValidationException: Statement wasn't well formed, can't be processed: Unexpected term",
    ],
    [
      "SELECT * FROM Shop WHERE owner = ?",
      undefined,
      "ValidationException: Number of parameters in request and statement don't match.",
    ],
    [
      "SELECT * FROM Shop WHERE owner = ?",
      "x",
      'Parameters are a JSON list of values: [{"S":"a"},{"N":"1"}].',
    ],
  ])("%s (%s) is refused", (text, parameters, why) => {
    expect(explained(text, parameters).why).toBe(why);
  });
});
