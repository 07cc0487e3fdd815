import { describe, expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import type { Entity } from "../../model/requirements.ts";
import { ownLayouts } from "./layouts.ts";
import { markedDrafts, markersOf } from "./markers.ts";
import { needsOf } from "./needs.ts";

function asked(patterns: string) {
  const model = modelOf(`keywright: 1
name: jobs
entities:
  Job:
    id: [jobId]
    count: 1_000
    attributes:
      jobId: { type: S, format: ulid }
      owner: { type: S, bytes: 10, distinct: 20, mutable: false }
      state: { type: S, values: { "on hold": 0.1, open: 0.2, done: 0.7 } }
      late: { type: BOOL }
      due: { type: S, format: iso-time }
      openJob: { type: S, bytes: 3 }
patterns:
${patterns}`);
  const entity = model.entities.get("Job") as Entity;
  const needs = needsOf(model);
  const taken = new Set(entity.attributes.keys());
  const [layout] = ownLayouts(model, entity, needs);
  return {
    markers: markersOf(entity, needs, taken),
    drafts: layout === undefined ? [] : markedDrafts(entity, layout, needs, new Set(), taken),
  };
}

describe("marks", () => {
  test("one for each set of constants, and for each of several by itself", () => {
    const { markers } = asked(
      `  1: { name: A, read: Job, where: { state: { equals: done }, late: { equals: true } }, rps: 1 }
  2: { name: B, read: Job, where: { state: { one-of: [done, open] } }, rps: 1 }`,
    );
    expect(markers.map(({ attribute, only }) => [attribute, only.length])).toEqual([
      ["markedJob", 2],
      ["doneJob", 1],
      ["markedJob2", 1],
      ["doneOrOpenJob", 1],
    ]);
  });

  test("a name that is taken is no name, nor is a value that makes none", () => {
    const { markers } = asked(
      `  1: { name: A, read: Job, where: { state: { equals: open } }, rps: 1 }
  2: { name: B, read: Job, where: { state: { equals: on hold } }, rps: 1 }`,
    );
    expect(markers.map(({ attribute }) => attribute)).toEqual(["openJob2", "markedJob"]);
  });

  test("all are marked only for a part of all: a page in an order, or a range", () => {
    const all = (more: string): number =>
      asked(`  1: { name: A, read: Job, ${more}, rps: 1 }`).markers.length;
    expect(all("order: { due: ascending }, limit: 5")).toBe(1);
    expect(all("where: { due: less }")).toBe(1);
    expect(all("order: { due: ascending }")).toBe(0);
    expect(all("limit: 5")).toBe(0);
    expect(all("where: { owner: equals }, order: { due: ascending }, limit: 5")).toBe(0);
  });

  test("behind a mark stands what those ask who ask for it, and nobody else reads it", () => {
    const { drafts } = asked(
      `  1: { name: A, read: Job, where: { state: { equals: done }, owner: equals }, order: { due: ascending }, rps: 1 }
  2: { name: B, read: Job, where: { state: equals }, order: { due: ascending }, rps: 1 }`,
    );
    const keys = new Set(drafts.map(({ document }) => JSON.stringify(document.key)));
    expect([...keys]).toEqual([
      '{"partition":["owner","doneJob"]}',
      '{"partition":["owner","doneJob"],"sort":"due"}',
      // All of them, for who does not look for something in it.
      '{"partition":["jobId","doneJob"]}',
    ]);
    expect(drafts.every(({ readers }) => readers?.has("1") && !readers.has("2"))).toBe(true);
  });
});
