import { expect, test } from "vitest";
import { noWeights, weightsOf, weightsText } from "./weighing.ts";

test("weights are dollars for each of something", () => {
  expect(weightsOf("index=2, round-trip=0.5")).toEqual({ index: 2, roundTrip: 0.5, table: 0 });
  expect(weightsOf("table = $1")).toEqual({ ...noWeights, table: 1 });
});

test.each(["index", "index=", "index=-1", "indexes=2", "index=2;table=1", "", "index=2,"])(
  "what means nothing is said in a sentence: %j",
  (text) => {
    expect(weightsOf(text)).toMatch(/^A weight is dollars in a month .*\.$/);
  },
);

test("nothing is weighed twice", () => {
  expect(weightsOf("index=2, index=3")).toBe("The weight of index is said twice.");
});

test("weights in words", () => {
  expect(weightsText({ index: 2, roundTrip: 0.5, table: 0 })).toBe(
    "$2 for each index, $0.5 for each round trip in a second",
  );
});
