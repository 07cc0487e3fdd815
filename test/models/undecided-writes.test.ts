import { beforeAll, describe, expect, test } from "vitest";
import { modelOf } from "../../src/model/model.test-support.ts";
import type { PatternProof } from "../../src/modeller/proof/prove.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";

/** Writes whose mutants show only in a race, only in a constructed state, or never. */
const model = modelOf(`keywright: 1
name: writes
entities:
  Room:
    id: [roomId]
    count: 40
    version: version
    attributes:
      roomId: { type: S, format: uuid }
      language: { type: S, bytes: 6 }
      title: { type: S, bytes: 12, present: 0.5 }
      score: { type: N, digits: 3 }
      badge: { type: N, digits: 6, unique: true }
      version: { type: N, digits: 4 }
      bookings: { type: N, digits: 3, keeps: { count: Booking } }
  Booking:
    id: [roomId, slot]
    count: 200
    attributes:
      roomId: { type: S, format: uuid }
      slot: { type: N, digits: 4 }
      label: { type: S, bytes: 8 }
relations:
  - { from: Room, to: Booking, kind: one-to-many, average: 5, max: 50 }
patterns:
  by-language: { name: By language, read: Room, where: { language: equals } }
  looked-up: { name: Looked up, update: Room, where: { language: equals, title: { exists: false } }, condition: exists, changes: [title] }
  gone: { name: Deleted, delete: Room, where: { roomId: equals }, condition: exists }
  same: { name: Both ask the same, update: Room, where: { roomId: equals, language: equals }, condition: { language: equals }, changes: [score] }
  weaker: { name: One asks for more, update: Room, where: { roomId: equals, language: contains }, condition: { language: begins-with }, changes: [score] }
  version: { name: Of a version, update: Room, where: { roomId: equals }, condition: version, changes: [score] }
  constant: { name: A constant that is unique, update: Room, where: { roomId: equals }, condition: exists, changes: { badge: 7 } }
  added: { name: A unique number that is raised, update: Room, where: { roomId: equals }, condition: exists, adds: { badge: 1 } }
  released: { name: A unique value is removed, update: Room, where: { roomId: equals }, changes: [badge] }
  several: { name: Two steps, transaction: [{ update: Room, where: { roomId: equals }, changes: [badge] }, { check: Booking, where: { roomId: { equals: $other }, slot: equals }, condition: exists }] }
  moved: { name: Looked up by a part of its id, update: Booking, where: { roomId: equals }, condition: exists, changes: [label] }
  cancelled: { name: A booking is deleted, delete: Booking, where: { roomId: equals, slot: equals }, condition: exists }
  replaced: { name: A booking is replaced, create: Booking }
design:
  tables:
    Rooms:
      key: { roomId: S }
      entities:
        Room: { key: { roomId: "{roomId}" } }
      unique: [{ entity: Room, attribute: badge, table: Badges, key: { badge: "{badge}" } }]
      indexes:
        RoomsByLanguage: { key: { partition: language }, projection: all }
    Badges:
      key: { badge: N }
    Bookings:
      key: { roomId: S, slot: N }
      entities:
        Booking: { key: { roomId: "{roomId}", slot: "{slot}" } }
      aggregates: [{ of: Booking, into: Room.bookings, by: transaction }]
`);

describe("mutants of writes", () => {
  let proofs: readonly PatternProof[] = [];
  beforeAll(async () => {
    proofs = await proveModel(model, { now: Date.UTC(2026, 0, 15, 12) });
  }, 60_000);

  const mutant = (id: string, name: string) =>
    proofs.find(({ pattern }) => pattern === id)?.mutants.find((one) => one.name === name);

  test.each([...model.patterns.keys()])("are all decided: %s", (id) => {
    const verdict = proofs.find(({ pattern }) => pattern === id)?.verdict;
    expect(verdict).toMatchObject({ kind: "proved", undecided: [] });
  });

  test.each([
    ["moved", "the condition on Booking is left out"],
    ["looked-up", "language, title of Room is not looked at"],
    ["version", "the condition on Room is left out"],
    ["constant", "the condition on Room.badge is left out"],
    ["added", "the condition on Room.badge is left out"],
    ["released", "the condition on Room is left out"],
    ["several", "the condition on Room is left out"],
  ])("are killed: %s, %s", (id, name) => {
    expect(mutant(id, name)).toMatchObject({ killed: true });
  });

  test.each([
    ["same", "the condition on Room is left out", "looks at the same attributes"],
    ["same", "language of Room is not looked at", "looks at the same attributes"],
    ["weaker", "language of Room is not looked at", "looks at the same attributes"],
    ["replaced", "the condition on Room is left out", "the same item of Room is written"],
  ])("are equivalent for a reason: %s, %s", (id, name, reason) => {
    const verdict = proofs.find(({ pattern }) => pattern === id)?.verdict;
    const equivalent = verdict?.kind === "proved" ? verdict.equivalent : [];
    expect(equivalent).toContainEqual({ name, reason: expect.stringContaining(reason) });
  });
});
