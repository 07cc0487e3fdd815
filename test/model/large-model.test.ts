import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { openQuestions } from "../../src/model/open-questions.ts";
import { parseModel } from "../../src/model/parse.ts";
import { largeModel } from "./large-model.ts";

const text = largeModel(50, 200);

test("the large model is one, without open questions", () => {
  const { model, complaints } = parseModel(text, "large.yaml");
  expect(complaints).toEqual([]);
  expect(model?.entities.size).toBe(50);
  expect(model?.patterns.size).toBe(200);
  expect(model && openQuestions(model)).toEqual([]);
});

/** What the quickest run takes: the machine may be busy with other things. */
function quickest(work: () => unknown): number {
  const times = Array.from({ length: 10 }, () => {
    const began = process.cpuUsage();
    work();
    return process.cpuUsage(began).user / 1_000;
  });
  return Math.min(...times);
}

test("reading it takes little more than the library needs for YAML", { timeout: 120_000 }, () => {
  const library = quickest(() => parseDocument(text, { prettyErrors: false, uniqueKeys: false }));
  expect(quickest(() => parseModel(text, "large.yaml"))).toBeLessThan(50 + 2 * library);
});
