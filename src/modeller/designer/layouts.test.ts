import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import type { Entity } from "../../model/requirements.ts";
import { ownLayouts } from "./layouts.ts";
import { needsOf } from "./needs.ts";

function words(attributes: string, where: string): readonly string[] {
  const model = modelOf(`keywright: 1
name: issues
entities:
  Issue: { id: [owner, repo, number], count: 10, attributes: { ${attributes} } }
patterns:
  1: { name: Some, read: Issue, where: { ${where} }, rps: 1 }
`);
  const entity = model.entities.get("Issue") as Entity;
  return ownLayouts(model, entity, needsOf(model)).map((one) => one.words);
}

const id =
  "owner: { type: S, bytes: 9 }, repo: { type: S, bytes: 9 }, number: { type: N, digits: 4 }";

test("texts of an id are put together, and what must not be in them is said", () => {
  const found = words(id, "owner: equals, repo: equals");
  expect(found).toContain("by ownerRepo, then number (no # may be in owner)");
  expect(words(id.replaceAll("bytes: 9", "format: ulid"), "owner: equals, repo: equals")).toContain(
    "by ownerRepo, then number",
  );
});

test("other texts are not, for anything may be in them", () => {
  const more = `${id}, label: { type: S, bytes: 5, mutable: false }, tone: { type: S, bytes: 5, mutable: false }`;
  const found = words(more, "label: equals, tone: equals");
  expect(found.filter((one) => one.includes("labelTone"))).toEqual([]);
});
