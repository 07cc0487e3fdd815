import { expect, test } from "vitest";
import { examples, modelOf } from "./model.test-support.ts";
import { printModel } from "./print.ts";

test.each(examples)("%s reads back the same when it is printed", (_, text) => {
  const { document } = modelOf(text);
  expect(JSON.stringify(modelOf(printModel(document)).document)).toBe(JSON.stringify(document));
});
