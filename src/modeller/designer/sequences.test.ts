import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import type { Entity } from "../../model/requirements.ts";
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
  expect(commonKnown(task, needs, new Set())).toEqual([["owner", "state"], ["owner"], ["taskId"]]);
});

test("what changes may be left out of a partition key", () => {
  expect(commonKnown(task, needs, new Set(["owner"]))).toContainEqual(["state"]);
});

test("sort keys are known values, then an order; each beginning counts", () => {
  expect(sortSequences(task, ["owner"], needs)).toEqual([[], ["state"], ["state", "due"], ["due"]]);
  expect(sortSequences(task, ["taskId"], needs)).toEqual([[]]);
});
