import { describe, expect, test } from "vitest";
import { complaintsOf } from "./model.test-support.ts";

/** Two entities, what links them, and what combines them. */
function documentOf(message: string, rest: string): string {
  return `keywright: 1
name: links
entities:
  Person:
    id: [personId]
    attributes:
      personId: { type: S, format: ulid }
      favourite: { type: S, bytes: 9, present: 0.5 }
      count: { type: N, digits: 4 }
  Message:
    id: [messageId]
    attributes:
      messageId: { type: S, format: uuid }
      length: { type: N, digits: 4 }
${message}
${rest}
`;
}

const sender = "      senderId: { type: S, format: ulid }";
const receiver = "      receiverId: { type: S, format: ulid }";
const relation = "relations: [{ from: Person, to: Message, kind: one-to-many }]";
const read = (more: string): string =>
  `patterns: { 1: { name: p, read: Person, where: { personId: equals }, together: [${more}] } }`;
const remove =
  "patterns: { 1: { name: p, delete: Person, where: { personId: equals }, with: [Message] } }";

describe("patterns that combine two entities", () => {
  test.each<[string, string, string]>([
    ["one attribute that looks like the id", sender, `${relation}\n${read("Message")}`],
    [
      "two of them, and one refers to the id",
      `${sender}\n      receiverId: { type: S, format: ulid, refersTo: Person.personId }`,
      `${relation}\n${read("Message")}`,
    ],
    [
      "no relation, but one refers to the id",
      "      by: { type: S, format: ulid, refersTo: Person.personId }",
      remove,
    ],
    [
      "the name of the id with another type, and one that refers to the id",
      "      personId: { type: N, digits: 4 }\n      by: { type: S, format: ulid, refersTo: Person.personId }",
      `${relation}\n${read("Message")}`,
    ],
    ["the same name without a relation", "      personId: { type: S, format: ulid }", remove],
    [
      "nothing, and a where of its own",
      sender,
      read("{ entity: Message, where: { length: less } }"),
    ],
  ])("are accepted with %s", (_, message, rest) => {
    expect(complaintsOf(documentOf(message, rest))).toEqual([]);
  });

  test.each<[string, string, string, string]>([
    [
      "two attributes could be the foreign key",
      `${sender}\n${receiver}`,
      `${relation}\n${read("Message")}`,
      "m.yaml:18:81: patterns.1.together[0] is ambiguous: senderId and receiverId of Message could hold the personId of Person; add 'refersTo: Person.personId' to the one that is meant",
    ],
    [
      "two attributes could be the foreign key of what is deleted",
      `${sender}\n${receiver}`,
      `${relation}\n${remove}`,
      "patterns.1.with[0] is ambiguous: senderId and receiverId of Message",
    ],
    [
      "nothing links them",
      "",
      read("Message"),
      "patterns.1.together[0] names Message, and nothing tells which Message belongs to a Person; add an attribute with 'refersTo: Person.personId' to Message",
    ],
    [
      "what has the name of the id has another type",
      "      personId: { type: N, digits: 4 }",
      read("Message"),
      "patterns.1.together[0] links Message.personId of type N with Person.personId of type S, which are never equal; rename one of them, or add 'refersTo: Person.personId' to the attribute that holds the id",
    ],
    [
      "a relation has no other attribute",
      "      personId: { type: N, digits: 4 }",
      relation,
      "m.yaml:16:13: relations[0] links Message.personId of type N with Person.personId of type S",
    ],
    [
      "a third entity links them",
      "  Mail:\n    id: [personId, messageId]\n    attributes:\n      personId: { type: S, format: ulid }\n      messageId: { type: S, format: uuid }",
      `relations: [{ from: Person, to: Message, kind: many-to-many, via: Mail }]\n${read("Message")}`,
      "patterns.1.together[0] names Message, which is linked with Person by Mail only; name Mail instead",
    ],
    [
      "an entity is linked with itself by nothing",
      "",
      read("Person"),
      "patterns.1.together[0] names Person, and nothing tells which Person belongs to a Person",
    ],
  ])("are refused if %s", (_, message, rest, expected) => {
    expect(complaintsOf(documentOf(message, rest)).join("\n")).toContain(expected);
  });

  test("are refused if both name each other", () => {
    const text = documentOf(
      "      authorId: { type: S, format: ulid, refersTo: Person.personId }",
      read("Message"),
    ).replace(
      "favourite: { type: S, bytes: 9, present: 0.5 }",
      "favourite: { type: S, format: uuid, refersTo: Message.messageId }",
    );
    expect(complaintsOf(text).join("\n")).toContain(
      "together[0] is ambiguous: Message.authorId names a Person, and Person.favourite names a Message; use patterns of their own",
    );
  });

  test("are refused if a number is kept of what could belong by two attributes", () => {
    const text = documentOf(`${sender}\n${receiver}`, relation).replace(
      "count: { type: N, digits: 4 }",
      "count: { type: N, digits: 4, keeps: { count: Message } }",
    );
    expect(complaintsOf(text).join("\n")).toContain(
      "count.keeps is ambiguous: senderId and receiverId of Message could hold the personId of Person",
    );
  });

  test.each<[string, string]>([
    ["Person.favourite", "which is not in the id of Person"],
    ["Person.nothing", "names 'nothing', which is no attribute of Person"],
    ["Nobody.personId", "names 'Nobody', which is no entity"],
  ])("refersTo: %s %s", (place, expected) => {
    const text = documentOf(`      by: { type: S, format: ulid, refersTo: ${place} }`, "");
    expect(complaintsOf(text).join("\n")).toContain(expected);
  });
});
