import { expect, test } from "vitest";
import { complaintsOf } from "./model.test-support.ts";

/** What the reader says of an update with these conditions. */
function complaintsWith(where: string, condition: string): readonly string[] {
  return complaintsOf(
    documentWith(
      `update: Task, where: { taskId: equals${where} }, changes: { note: $text }, condition: { ${condition} }`,
    ),
  );
}

function documentWith(pattern: string): string {
  return `keywright: 1
name: conditions
entities:
  Task:
    id: [taskId]
    attributes:
      taskId: { type: S, format: ulid }
      rank: { type: N, digits: 4 }
      title: { type: S, bytes: 9 }
      note: { type: S, bytes: 9, present: 0.5 }
      state: { type: S, values: [done, open] }
patterns:
  1: { name: p, ${pattern} }
`;
}

test.each([
  ["a value that another one excludes", "rank: { equals: 5, less: 5 }"],
  ["bounds that cross", "rank: { greater: 7, less: 3 }"],
  ["bounds that meet in a value that one excludes", "rank: { greater: 7, at-most: 7 }"],
  ["two values", "title: { equals: a, one-of: [b, c] }"],
  ["a prefix that no listed value has", "title: { begins-with: x, one-of: [b, c] }"],
  ["a prefix that nothing below a bound has", "title: { begins-with: ab, less: a }"],
  ["a prefix that no value of the format has", 'taskId: { begins-with: "x#" }'],
  ["a part that no value of the format has", "taskId: { contains: upper }"],
  ["a bound below all stated values", "state: { less: done }"],
  ["one parameter for both bounds", "rank: { less: $rank, at-least: $rank }"],
  ["a missing attribute that has a value", "note: { exists: false, equals: $note }"],
  ["a missing part of the id", "taskId: { exists: false }"],
])("a write is refused if its condition asks for %s", (_, condition) => {
  expect(complaintsWith("", condition).join()).toContain("never holds");
});

test.each([
  ["bounds with values between them", "", "rank: { greater: 3, less: 7 }"],
  ["bounds that meet in a value", "", "rank: { at-least: 7, at-most: 7 }"],
  ["different parameters", ", rank: equals", "rank: { less: $other }"],
  ["a parameter and a constant", ", rank: equals", "rank: { equals: 5 }"],
  ["one of several values", ", title: { one-of: [a, b] }", "title: { equals: b }"],
  ["a value beside parameters", ", title: { one-of: [a, $title] }", "title: { equals: b }"],
  ["a missing attribute that is optional", "", "note: { exists: false }"],
  ["a prefix that values of the format have", "", "taskId: { begins-with: 01k }"],
  ["a prefix above a bound", "", "title: { begins-with: ab, greater: a }"],
  ["a stated value", ", state: { at-least: done }", "state: { begins-with: o }"],
])("a write is accepted if its conditions ask for %s", (_, where, condition) => {
  expect(complaintsWith(where, condition)).toEqual([]);
});

test.each([
  ["title: { exists: false }", "accepted", []],
  [
    "title: { exists: false }, rank: { equals: 5 }",
    "refused",
    [expect.stringContaining("title never holds")],
  ],
])("a check of { %s } is %s: the item may be missing", (condition, _, expected) => {
  const check = `transaction: [{ create: Task }, { check: Task, where: { taskId: { equals: $other } }, condition: { ${condition} } }]`;
  expect(complaintsOf(documentWith(check))).toEqual(expected);
});
