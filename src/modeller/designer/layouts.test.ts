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

test("of two texts that something could be in, the one that nobody gives out comes last in a key", () => {
  const model = modelOf(`keywright: 1
name: reactions
entities:
  Reaction:
    id: [showId, reactionId]
    count: 1_000
    attributes:
      showId: { type: S, bytes: 10 }
      reactionId: { type: S, format: ulid }
      inMinute: { type: S, bytes: 16, mutable: false }
patterns:
  1: { name: A, read: Reaction, where: { showId: equals, inMinute: equals }, rps: 1 }
`);
  const entity = model.entities.get("Reaction") as Entity;
  const found = ownLayouts(model, entity, needsOf(model)).map(({ words }) => words);
  expect(found).toContain("by showIdInMinute, then reactionId (no # may be in showId)");
  expect(found).not.toContainEqual(expect.stringContaining("in inMinute"));
});
