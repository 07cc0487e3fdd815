import { describe, expect, test } from "vitest";
import { complaintsOf, modelOf } from "./model.test-support.ts";

const votes = (candidate: string, vote: string, relations = ""): string => `keywright: 1
name: votes
entities:
  Candidate:
    id: [${candidate}]
    attributes:
      candidateId: { type: S, format: ulid }
      day: { type: S, format: iso-date }
      votes: { type: N, digits: 6, keeps: { count: Vote }, staleness: accepted }
      weight: { type: N, digits: 6, keeps: { sum: Vote.weight } }
  Vote:
    id: [voteId]
    attributes:
      voteId: { type: S, format: ulid }
      weight: { type: N, digits: 2 }
      ${vote}
${relations}`;

describe("numbers that are kept", () => {
  test("say what they are worked out from", () => {
    const text = votes("candidateId", "candidateId: { type: S, format: ulid }");
    const attributes = modelOf(text).entities.get("Candidate")?.attributes;
    expect(attributes?.get("votes")).toMatchObject({
      keeps: { what: "count", of: "Vote", attribute: undefined },
      staleness: "accepted",
      mutable: true,
    });
    expect(attributes?.get("weight")?.keeps).toEqual({
      what: "sum",
      of: "Vote",
      attribute: "weight",
    });
    expect(attributes?.get("day")?.keeps).toBeUndefined();
  });

  test.each([
    ["the id is there", "candidateId", "candidateId: { type: S, format: ulid }", ""],
    [
      "a relation says so",
      "candidateId",
      "forId: { type: S, format: ulid }",
      "relations: [{ from: Candidate, to: Vote, kind: one-to-many }]",
    ],
    [
      "the rest of the id is the only day that there is",
      "candidateId, day",
      "candidateId: { type: S, format: ulid }\n      onDay: { type: S, format: iso-date }",
      "",
    ],
  ])("belong to somebody, for %s", (_, candidate, vote, relations) => {
    expect(complaintsOf(votes(candidate, vote, relations))).toEqual([]);
  });

  test.each([
    ["nothing leads there", "candidateId", "forId: { type: S, format: ulid }", ""],
    [
      "there are two days",
      "candidateId, day",
      "candidateId: { type: S, format: ulid }\n      one: { type: S, format: iso-date }\n      two: { type: S, format: iso-date }",
      "",
    ],
    [
      "a relation goes elsewhere",
      "candidateId",
      "forId: { type: S, format: ulid }",
      "relations: [{ from: Vote, to: Vote, kind: one-to-many }]",
    ],
  ])("are refused where %s", (_, candidate, vote, relations) => {
    const complaints = complaintsOf(votes(candidate, vote, relations));
    expect(complaints).toHaveLength(2);
    expect(complaints[0]).toContain(
      "votes.keeps.count names Vote, and no relation says which Candidate it belongs to",
    );
  });

  test("cannot be an id", () => {
    const text = votes("candidateId", "candidateId: { type: S, format: ulid }").replace(
      "id: [candidateId]",
      "id: [candidateId, votes]",
    );
    expect(complaintsOf(text)[0]).toContain("votes.keeps cannot be of an id, which stays");
  });
});
