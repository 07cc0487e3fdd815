import { expect, test } from "vitest";
import { verdictOf } from "./batch-response.ts";

const sequences = ["100", "200", "300"];
const failures = (...ids: unknown[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

test.each<[unknown]>([
  [null],
  [{}],
  [""],
  [[]],
  [{ batchItemFailures: [] }],
  [{ batchItemFailures: null }],
  [{ statusCode: 200 }],
])("%j is complete success", (response) => {
  expect(verdictOf(JSON.stringify(response), sequences)).toEqual({ kind: "done" });
});

test.each<[unknown, number]>([
  [failures("100"), 0],
  [failures("200"), 1],
  [failures("300"), 2],
  [failures("300", "200"), 1],
  [failures("200", "300"), 1],
  [failures("200", "200"), 1],
])("%j fails from %i on", (response, index) => {
  expect(verdictOf(JSON.stringify(response), sequences)).toEqual({ kind: "failed-from", index });
});

test.each<[unknown]>([
  [failures("")],
  [failures(null)],
  [failures(200)],
  [failures("400")],
  [failures("200", "400")],
  [{ batchItemFailures: [{ id: "200" }] }],
  [{ batchItemFailures: ["200"] }],
  [{ batchItemFailures: [null] }],
  [{ batchItemFailures: "200" }],
  [{ batchItemFailures: { itemIdentifier: "200" } }],
  ["ok"],
  [5],
  [true],
  [["200"]],
])("%j is complete failure", (response) => {
  expect(verdictOf(JSON.stringify(response), sequences)).toEqual({ kind: "failed" });
});
