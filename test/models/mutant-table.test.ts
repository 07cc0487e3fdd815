import { expect, test } from "vitest";
import { addTables, countMutants, mutantTableText } from "./mutant-table.ts";

test("counts killed, equivalent and undecided mutants by operator", () => {
  const table = countMutants([
    { name: "a", operator: "filter", killed: true },
    { name: "b", operator: "filter", killed: false },
    { name: "c", operator: "page", killed: false, reason: "there is one match at most" },
  ]);
  expect(table).toEqual({
    filter: { killed: 1, equivalent: 0, undecided: 1 },
    page: { killed: 0, equivalent: 1, undecided: 0 },
  });
});

test("prints the operators with undecided mutants first, and their sum", () => {
  const page = { page: { killed: 1, equivalent: 2, undecided: 0 } };
  const filter = { filter: { killed: 0, equivalent: 0, undecided: 3 } };
  const both = addTables(page, filter);
  expect(mutantTableText({ examples: page, models: both }).trim().split("\n")).toEqual([
    "| operator | examples: killed | examples: equivalent | examples: undecided | models: killed | models: equivalent | models: undecided |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    "| filter | 0 | 0 | 0 | 0 | 0 | 3 |",
    "| page | 1 | 2 | 0 | 1 | 2 | 0 |",
    "| total | 1 | 2 | 0 | 1 | 2 | 3 |",
  ]);
});
