import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import type { Model } from "../../model/model.ts";
import { parseModel } from "../../model/parse.ts";
import { notForDynamodb } from "./not-dynamodb.ts";

function sentences(
  asked: string,
  { count = 5_000_000, rps = 1, kind = "read" } = {},
): readonly string[] {
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
  1: { name: Find, ${kind}: Note, ${asked}, rps: ${rps} }
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

test("a write of very many items, again and again, is for a job", () => {
  const all = "where: { text: equals }, changes: [owner]";
  expect(sentences(all, { kind: "update" })).toEqual([
    expect.stringMatching(
      /updates 5,000,000 Note items in each request, which is 5,000,000 writes a second, for at least \$8,212,500\.00 a month\. If fewer items match, state distinct of Note\.text/,
    ),
  ]);
  // How many are below something is not known, and cannot be stated.
  const below = "where: { text: less }, changes: [owner]";
  expect(sentences(below, { kind: "update" })).toEqual([]);
  expect(sentences(all, { kind: "update", rps: 0.1 })).toEqual([]);
  expect(sentences(all, { kind: "update", count: 20_000, rps: 100 })).toEqual([]);
  expect(sentences("where: { noteId: equals }, changes: [owner]", { kind: "update" })).toEqual([]);
  // 5,000 notes of each owner.
  expect(sentences("where: { owner: equals }", { kind: "delete" })).toEqual([]);
  const many = { kind: "delete", count: 50_000_000, rps: 21 };
  expect(sentences("where: { owner: equals }", many)).toEqual([
    expect.stringMatching(/deletes 50,000 Note items .* a month\. Let TTL delete the items/),
  ]);
});

test("a write by an id of several attributes is of one item", () => {
  const { model } = parseModel(readFileSync("examples/models/code-hosting.yaml", "utf8"), "m.yaml");
  expect(notForDynamodb(model as Model)).toEqual([]);
});
