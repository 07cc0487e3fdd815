import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { notForDynamodb } from "./not-dynamodb.ts";

function sentences(asked: string, { count = 5_000_000, rps = 1 } = {}): readonly string[] {
  return notForDynamodb(
    modelOf(`keywright: 1
name: notes
entities:
  Note:
    id: [noteId]
    count: ${count}
    attributes:
      noteId: { type: S, format: ulid }
      owner: { type: S, bytes: 10, distinct: 1_000 }
      text: { type: S, bytes: 600 }
patterns:
  1: { name: Find, read: Note, ${asked}, rps: ${rps} }
`),
  ).map(({ text }) => text);
}

test("a word in everything is for a search engine", () => {
  expect(sentences("where: { text: contains }")).toEqual([
    expect.stringContaining("Pattern 1 (Find) searches inside Note.text"),
  ]);
  expect(sentences("where: { text: contains }", { count: 1_000 })).toEqual([]);
  expect(sentences("where: { owner: equals, text: contains }")).toEqual([]);
  const served =
    "where: { text: contains }, status: alternative, alternative: { service: OpenSearch, why: words }";
  expect(sentences(served)).toEqual([]);
});

test("all of much, again and again, is a report", () => {
  expect(sentences("returns: [noteId, owner]")).toEqual([
    expect.stringContaining("reads all Note items (3.03 GB) more than once a minute"),
  ]);
  expect(sentences("returns: [noteId, owner]", { rps: 0.001 })).toEqual([]);
  expect(sentences("returns: [noteId, owner]", { count: 100_000 })).toEqual([]);
  expect(sentences("limit: 20")).toEqual([]);
});
