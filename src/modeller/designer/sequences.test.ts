import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import { needsOf } from "./needs.ts";
import { commonKnown, sortSequences } from "./sequences.ts";

const model = modelOf(`keywright: 1
name: sequences
entities:
  Task:
    id: [taskId]
    count: 1000
    attributes:
      taskId: { type: S, format: ulid }
      owner: { type: S, bytes: 10 }
      state: { type: S, bytes: 4 }
      due: { type: S, format: iso-time }
      done: { type: BOOL }
patterns:
  1: { name: a, read: Task, where: { owner: equals, state: equals }, order: { due: ascending }, rps: 1 }
  2: { name: b, read: Task, where: { owner: equals, done: equals }, order: { due: ascending }, rps: 1 }
  3: { name: c, update: Task, where: { taskId: equals }, changes: [state], rps: 1 }
`);
const task = model.entities.get("Task") as Entity;
const needs = needsOf(model);

test("what several know alike is a partition key, and what is no key is not", () => {
  expect(commonKnown(task, needs, new Set())).toEqual([
    ["owner", "state"],
    ["owner"],
    ["taskId"],
    ["state"],
  ]);
});

test("of many only what changes is left out", () => {
  const many = ["a", "b", "c", "d"];
  const wide = { ...task, attributes: new Map(many.map((name) => [name, attribute(name)])) };
  const asked = needs.slice(0, 1).map((need) => ({ ...need, equal: many }));
  expect(commonKnown(wide, asked, new Set())).toEqual([many]);
  expect(commonKnown(wide, asked, new Set(["b"]))).toContainEqual(["a", "c", "d"]);
});

function attribute(name: string): Attribute {
  return { ...(task.attributes.get("owner") as Attribute), name };
}

test("sort keys are known values, then an order; each beginning counts", () => {
  expect(sortSequences(task, ["owner"], needs)).toEqual([[], ["state"], ["state", "due"], ["due"]]);
  expect(sortSequences(task, ["taskId"], needs)).toEqual([[]]);
});

test("each of two orders is a sort key, though no condition names either", () => {
  const [need] = needs;
  if (need === undefined) throw new Error("there is no need");
  const orders = ["due", "taskId"].map((name) => ({
    ...need,
    equal: ["owner"],
    asked: ["owner"],
    order: [{ attribute: name, direction: "ascending" as const }],
  }));
  expect(sortSequences(task, ["owner"], orders)).toEqual([[], ["due"], ["taskId"]]);
});
