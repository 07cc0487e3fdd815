import { beforeAll, describe, expect, test } from "vitest";
import { modelOf } from "../../src/model/model.test-support.ts";
import type { PatternProof } from "../../src/modeller/proof/prove.ts";
import type { TriedMutant } from "../../src/modeller/proof/verdict.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";

/** Writes whose mutants show only in a race, only in a constructed state, or never. */
const writes = modelOf(`keywright: 1
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

/** Writes whose mutants show beside entities that nearly look alike, one at a time, or under one id, or never. */
const neighbours = modelOf(`keywright: 1
name: neighbours
entities:
  Lesson:
    id: [mapId, slot]
    count: 70
    attributes:
      mapId: { type: S, format: ksuid }
      slot: { type: N }
      grade: { type: S, values: [active, suspended] }
      seenAt: { type: S, format: iso-time, present: 0.1 }
  Map:
    id: [placeId]
    count: 40
    attributes:
      placeId: { type: S, format: ulid }
      category: { type: S, bytes: 9 }
  Reading:
    id: [placeId]
    count: 40
    attributes:
      placeId: { type: S, format: ulid }
      isPublic: { type: BOOL }
  Ticket:
    id: [ticketId]
    count: 100
    attributes:
      ticketId: { type: S, format: uuid }
      authorCode: { type: S, bytes: 9, mutable: false }
      loginName: { type: S, bytes: 12, unique: true }
      note: { type: S, bytes: 9 }
      total: { type: N, digits: 2 }
      nickname: { type: S, bytes: 9, present: 0.7 }
  Invoice:
    id: [invoiceId]
    count: 100
    attributes:
      invoiceId: { type: S, format: ksuid }
      batchRef: { type: S, format: uuid, unique: true, mutable: false }
      phase: { type: S, bytes: 5 }
  Booking:
    id: [code]
    count: 90
    attributes:
      code: { type: S, bytes: 9 }
      stock: { type: N, digits: 2 }
      likes: { type: N, digits: 38 }
  Seat:
    id: [seatId]
    count: 90
    attributes:
      seatId: { type: S, format: uuid }
      code: { type: S, bytes: 9, mutable: false }
relations:
  - { from: Map, to: Reading, kind: one-to-one }
  - { from: Booking, to: Seat, kind: one-to-many, average: 1, max: 10 }
patterns:
  lessons: { name: Replaces some lessons, create: Lesson, condition: { seenAt: { equals: 2026-05-19T08:30:00.000Z } } }
  embedded: { name: In its map, create: Reading, condition: absent }
  fixed: { name: Looked up by what never changes, update: Ticket, where: { authorCode: equals }, changes: [note], condition: exists }
  taken: { name: A value that a stranger has, update: Ticket, where: { authorCode: equals }, changes: [loginName] }
  batch: { name: Ten at a time, create: Ticket, condition: absent, batch: 10 }
  invoice: { name: Unique for ever, transaction: [{ create: Invoice, condition: absent }, { create: Booking }] }
  one-key: { name: The only one in an index, create: Booking, condition: exists }
  children: { name: With children in an index, create: Booking, condition: absent, with: [{ entity: Seat, average: 2 }] }
  raised: { name: A number with all its digits, update: Booking, where: { code: equals }, adds: { likes: 0.5 } }
  never-in: { name: Removed where no index has it, update: Ticket, where: { ticketId: equals, total: { equals: 14 } }, removes: [total], condition: exists }
  as-read: { name: Added to what is there, update: Ticket, where: { ticketId: equals }, adds: { total: -1 } }
  stays: { name: Its part of the key stays, update: Ticket, where: { ticketId: equals }, changes: { nickname: "true" }, condition: { nickname: { one-of: ["0"] } } }
design:
  tables:
    Lessons:
      key: { mapId: S, slot: N }
      entities:
        Lesson: { key: { mapId: "{mapId}", slot: "{slot}" } }
    Maps:
      key: { placeId: S }
      entities:
        Map: { key: { placeId: "{placeId}" }, embeds: [{ entity: Reading, as: reading, one: true }] }
    Tickets:
      key: { ticketId: S }
      entities:
        Ticket: { key: { ticketId: "{ticketId}" } }
      unique: [{ entity: Ticket, attribute: loginName, table: LoginNames, key: { loginName: "{loginName}" } }]
      indexes:
        TicketsByAuthor: { key: { partition: authorCode }, projection: keys }
        TicketsByTotal:
          key: { partition: [ticketId, marker] }
          projection: all
          sets: { Ticket: { marker: "1" } }
          only: { Ticket: { total: { one-of: [40, 0, 12] } } }
        TicketsByNickname:
          key: { partition: [authorCode, shard], sort: nickname }
          projection: keys
          sets: { Ticket: { shard: "{shard:2:ticketId}" } }
    LoginNames:
      key: { loginName: S }
    Invoices:
      key: { invoiceId: S }
      entities:
        Invoice: { key: { invoiceId: "{invoiceId}" } }
      unique: [{ entity: Invoice, attribute: batchRef, table: BatchRefs, key: { batchRef: "{batchRef}" } }]
    BatchRefs:
      key: { batchRef: S }
    Bookings:
      key: { code: S }
      entities:
        Booking: { key: { code: "{code}" } }
      indexes:
        OneBooking:
          key: { partition: bookingMarker }
          projection: all
          sets: { Booking: { bookingMarker: "1" } }
          only: { Booking: { code: { equals: first } } }
    Seats:
      key: { seatId: S }
      entities:
        Seat: { key: { seatId: "{seatId}" } }
      indexes:
        RedSeats:
          key: { partition: seatMarker }
          projection: all
          sets: { Seat: { seatMarker: "1" } }
          only: { Seat: { code: { equals: red } } }
`);

const kills: readonly (readonly [string, string])[] = [
  ["moved", "the condition on Booking is left out"],
  ["looked-up", "language, title of Room is not looked at"],
  ["version", "the condition on Room is left out"],
  ["constant", "the condition on Room.badge is left out"],
  ["added", "the condition on Room.badge is left out"],
  ["released", "the condition on Room is left out"],
  ["several", "the condition on Room is left out"],
  ["lessons", "mapId lost in Lessons.mapId of Lesson"],
  ["embedded", "placeId lost in Maps.placeId of Map"],
  ["taken", "the condition on Ticket.loginName is left out"],
  ["batch", "the condition on Ticket.loginName is left out"],
  ["invoice", "the condition on Invoice is left out"],
  ["one-key", "the key of OneBooking is not set"],
  ["children", "the key of RedSeats is not set"],
];

const reasons: readonly (readonly [string, string, string])[] = [
  ["same", "the condition on Room is left out", "looks at the same attributes"],
  ["same", "language of Room is not looked at", "looks at the same attributes"],
  ["weaker", "language of Room is not looked at", "looks at the same attributes"],
  ["replaced", "the condition on Room is left out", "the same item of Room is written"],
  ["fixed", "authorCode of Ticket is not looked at", "which no Ticket ever changes"],
  ["never-in", "the key of TicketsByTotal stays as it was", "before the write or after it"],
  ["as-read", "the condition on Ticket is left out", "is compared with what was read"],
  ["stays", "the key of TicketsByNickname stays as it was", "changes nothing that the key"],
];

describe.each([
  ["writes", writes],
  ["neighbours", neighbours],
])("mutants of %s", (_name, model) => {
  let proofs: readonly PatternProof[] = [];
  beforeAll(async () => {
    proofs = await proveModel(model, { now: Date.UTC(2026, 0, 15, 12), doubtReasons: true });
  }, 60_000);

  const mutants = (id: string) => proofs.find(({ pattern }) => pattern === id)?.mutants ?? [];
  const isHere = ([id]: readonly [string, ...unknown[]]): boolean => model.patterns.has(id);

  test.each([...model.patterns.keys()])("are all decided: %s", (id) => {
    const verdict = proofs.find(({ pattern }) => pattern === id)?.verdict;
    expect(verdict).toMatchObject({ kind: "proved", undecided: [] });
  });

  test("with a reason are not killed", () => {
    const isFalse = ({ killed, reason }: TriedMutant): boolean => killed && reason !== undefined;
    expect(proofs.flatMap((one) => one.mutants.filter(isFalse))).toEqual([]);
  });

  test("have a name of their own", () => {
    for (const { mutants: list } of proofs) {
      expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
    }
  });

  test.each(kills.filter(isHere))("are killed: %s, %s", (id, name) => {
    expect(mutants(id).find((one) => one.name.startsWith(name))).toMatchObject({ killed: true });
  });

  test.each(reasons.filter(isHere))("are equivalent for a reason: %s, %s", (id, name, reason) => {
    const found = mutants(id).filter((one) => one.name.startsWith(name));
    expect(found).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining(reason) }),
    );
  });
});
