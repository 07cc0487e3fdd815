import { beforeAll, describe, expect, test } from "vitest";
import { modelOf } from "../../src/model/model.test-support.ts";
import type { PatternProof } from "../../src/modeller/proof/prove.ts";
import type { TriedMutant } from "../../src/modeller/proof/verdict.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";

/** Reads whose mutants random data does not tell apart: each has a witness, or a reason why there is none. */
const reads = modelOf(`keywright: 1
name: reads
entities:
  Person:
    id: [tenantId, personId]
    count: 40
    attributes:
      tenantId: { type: S, format: uuid, distinct: 1 }
      personId: { type: S, format: ulid }
      email: { type: S, bytes: 12, unique: true }
      bossId: { type: S, format: ulid, refersTo: Person.personId }
      grade: { type: S, values: [high, low], present: 0.01 }
      score: { type: N, digits: 3 }
  Event:
    id: [eventId]
    count: 400
    attributes:
      eventId: { type: S, format: uuid }
      onDay: { type: S, format: iso-date }
      place: { type: S, bytes: 10 }
  Room:
    id: [roomId]
    version: version
    count: 100
    attributes:
      roomId: { type: S, format: uuid }
      title: { type: S, bytes: 9 }
      floor: { type: N, digits: 2 }
      version: { type: N, digits: 4 }
  Seat:
    id: [roomId, slot]
    count: 300
    attributes:
      roomId: { type: S, format: uuid }
      slot: { type: N, digits: 2 }
      label: { type: S, bytes: 6 }
  Row:
    id: [roomId, place, number]
    count: 300
    attributes:
      roomId: { type: S, format: uuid }
      place: { type: N, digits: 3 }
      number: { type: N, digits: 2 }
  Box:
    id: [roomId, code, part]
    count: 300
    attributes:
      roomId: { type: S, format: uuid }
      code: { type: S, bytes: 9 }
      part: { type: S, bytes: 9 }
  Note:
    id: [roomId, noteId]
    count: 300
    attributes:
      roomId: { type: S, format: uuid, distinct: 10 }
      noteId: { type: S, format: ksuid }
      traceId: { type: S, format: ksuid, present: 0.01 }
  Reply:
    id: [replyId]
    count: 900
    attributes:
      replyId: { type: S, format: uuid }
      roomId: { type: S, format: uuid, distinct: 10 }
      noteId: { type: S, format: ksuid }
relations:
  - { from: Note, to: Reply, kind: one-to-many }
  - { from: Person, to: Person, kind: one-to-many, average: 1, max: 40 }
patterns:
  scored: { name: One with a score, read: Person, where: { score: equals }, limit: 1 }
  graded: { name: Grade, read: Person, where: { tenantId: equals, personId: equals } }
  by-email: { name: By email, read: Person, where: { email: equals } }
  of-tenants: { name: Some of several tenants, read: Person, where: { tenantId: one-of }, limit: 10 }
  two-of-tenants: { name: Two of several tenants, read: Person, where: { tenantId: one-of, score: equals }, limit: 2 }
  seats: { name: Seats of a room, read: Seat, where: { roomId: equals }, order: { label: ascending }, limit: 100 }
  implied: { name: Seats and their room, read: Seat, where: { roomId: { equals: 3f2504e0-4f89-41d3-9a0c-0305e82c3301 } }, together: [{ entity: Room, where: { roomId: { one-of: [3f2504e0-4f89-41d3-9a0c-0305e82c3301] } } }] }
  between: { name: Of a range of tenants, read: Person, where: { tenantId: between, score: { equals: 72 } } }
  ordered: { name: Order that shows, read: Person, where: { tenantId: equals }, order: { personId: descending }, returns: [score] }
  same: { name: Order that does not show, read: Person, where: { tenantId: equals }, order: { personId: ascending }, returns: [tenantId] }
  team: { name: Team, read: Person, where: { tenantId: equals, personId: equals }, together: [{ entity: Person, limit: 25 }] }
  never: { name: No such id, read: Event, where: { onDay: equals, eventId: { contains: red } }, limit: 1 }
  rare: { name: Few such ids, read: Event, where: { onDay: equals, eventId: { contains: a } }, limit: 5 }
  one-of-a-day: { name: One of a day, read: Event, where: { onDay: equals }, limit: 1 }
  late: { name: Late, read: Event, where: { onDay: { greater: 2031-07-12 }, place: equals }, limit: 1 }
  crossed: { name: Crossed bounds, read: Event, where: { onDay: equals, place: { at-least: red, less: "0" } }, limit: 1 }
  never-listed: { name: No such id of several days, read: Event, where: { onDay: one-of, eventId: { contains: red } }, limit: 2 }
  first-row: { name: First row, read: Row, where: { roomId: equals }, order: { place: ascending }, limit: 1 }
  same-rows: { name: Rows that are alike, read: Row, where: { roomId: equals }, order: { place: ascending }, limit: 2, returns: [roomId] }
  most: { name: Most events of a day, read: Event, where: { onDay: equals }, limit: 300 }
  without-version: { name: Order that only a version shows, read: Room, where: { title: equals }, order: { floor: descending }, limit: 1, returns: [title, version] }
  restored: { name: Rooms and their seats, read: Room, where: { title: equals }, order: { title: ascending }, returns: keys, together: [{ entity: Seat, order: { label: descending }, returns: [label] }] }
  boxes: { name: Boxes up to a code, read: Box, where: { roomId: equals, code: { at-most: red } } }
  later-boxes: { name: Boxes after a code, read: Box, where: { roomId: equals, code: { greater: red } } }
  single: { name: Rows of a batch of one, read: Row, where: { roomId: equals }, order: { place: ascending }, limit: 2, batch: 1 }
  traced: { name: Replies with traced notes, read: Reply, where: { roomId: equals }, order: { noteId: descending }, limit: 25, together: [{ entity: Note, where: { traceId: { greater: 2srPM9vdGqLDlGzeJkR8pQ7h1aB } } }] }
design:
  tables:
    People:
      key: { tenantId: S, personId: S }
      entities:
        Person: { key: { tenantId: "{tenantId}", personId: "{personId}" } }
      unique: [{ entity: Person, attribute: email, table: Emails, key: { email: "{email}" } }]
      indexes:
        PeopleByBoss: { key: { partition: bossId }, projection: all }
    Emails:
      key: { email: S }
    Rooms:
      key: { roomId: S }
      entities:
        Room: { key: { roomId: "{roomId}" } }
      indexes:
        RoomsByTitle: { key: { partition: title, sort: floor }, projection: all }
    Seats:
      key: { roomId: S, slot: N }
      entities:
        Seat: { key: { roomId: "{roomId}", slot: "{slot}" } }
    Rows:
      key: { roomId: S, row: S }
      entities:
        Row: { key: { roomId: "{roomId}", row: "{place|pad:3}#{number|pad:2}" } }
    Boxes:
      key: { roomId: S, box: S }
      entities:
        Box: { key: { roomId: "{roomId}", box: "{code}#{part}" } }
    Notes:
      key: { roomId: S, noteId: S }
      entities:
        Note: { key: { roomId: "{roomId}", noteId: "{noteId}" } }
      indexes:
        NotesByTrace: { key: { sort: traceId }, local: true, projection: keys }
    Replies:
      key: { replyId: S }
      entities:
        Reply: { key: { replyId: "{replyId}" } }
      indexes:
        RepliesByRoom: { key: { partition: roomId, sort: noteId }, projection: all }
    Events:
      key: { eventId: S }
      entities:
        Event: { key: { eventId: "{eventId}" } }
      indexes:
        EventsByDay:
          key: { partition: [onDay, dayShard], sort: eventId }
          projection: all
          sets: { Event: { dayShard: "{shard:12:eventId}" } }
`);

/** Reads that find few entities, one at most, or none; and pages whose end decides what is found. */
const pages = modelOf(`keywright: 1
name: pages
entities:
  Device:
    id: [deviceId]
    count: 3
    attributes:
      deviceId: { type: S, values: [eu, us, ap] }
      city: { type: S, bytes: 9, distinct: 2 }
      label: { type: S, bytes: 8 }
  Room:
    id: [roomId]
    count: 100
    attributes:
      roomId: { type: S, format: uuid }
      code: { type: S, bytes: 8, unique: true }
      floor: { type: N, digits: 2 }
  Seat:
    id: [roomId, slot]
    count: 300
    attributes:
      roomId: { type: S, format: uuid }
      slot: { type: N, digits: 4 }
      label: { type: S, bytes: 9 }
      price: { type: N, digits: 3, present: 0.5 }
      soldOn: { type: S, format: iso-date }
  Note:
    id: [noteId]
    count: 300
    attributes:
      noteId: { type: S, format: uuid }
      roomId: { type: S, format: uuid }
  Lesson:
    id: [lessonId]
    count: 300
    attributes:
      lessonId: { type: S, bytes: 8 }
      ownerId: { type: S, bytes: 8, refersTo: Lesson.lessonId }
      score: { type: N, digits: 2 }
      history: { type: S, bytes: 90 }
  Payment:
    id: [payId, position]
    count: 300
    attributes:
      payId: { type: S, format: ulid }
      position: { type: N, digits: 3 }
      score: { type: N, digits: 4, mutable: false }
      phase: { type: S, bytes: 6 }
relations:
  - { from: Lesson, to: Lesson, kind: one-to-many, average: 1, max: 40 }
  - { from: Room, to: Note, kind: one-to-many, average: 3, max: 300 }
  - { from: Room, to: Seat, kind: one-to-many, average: 3, max: 300, identifying: true }
patterns:
  few: { name: Few ids, read: Device, where: { city: equals, label: { equals: red } }, limit: 100 }
  out-of-index: { name: In an empty index, read: Device, where: { deviceId: { greater: us } } }
  first-kind: { name: The first of two kinds, read: Seat, limit: 1 }
  coded: { name: By a constant that is unique, read: Room, where: { code: { equals: blue }, floor: equals }, batch: 3 }
  one-id: { name: A range of one id, read: Room, where: { floor: equals, roomId: { between: [3f2504e0-4f89-41d3-9a0c-0305e82c3301, 3f2504e0-4f89-41d3-9a0c-0305e82c3301] } }, order: { code: descending }, limit: 2 }
  last-pages: { name: Behind those of another price, read: Seat, where: { roomId: equals, price: equals, label: { at-least: $label } }, limit: 10 }
  all-or-none: { name: A condition on what children repeat, read: Room, where: { roomId: one-of }, batch: 100, together: [{ entity: Seat, where: { roomId: { at-most: $given } }, limit: 2 }] }
  children: { name: Children that look the same, read: Room, where: { roomId: equals }, together: [{ entity: Note, order: { noteId: ascending }, limit: 1, returns: [roomId] }] }
  years: { name: Of a year, read: Seat, where: { roomId: equals, soldOn: { begins-with: $year } }, limit: 2 }
  twice: { name: An index that is read twice, read: Lesson, where: { score: equals }, limit: 10, returns: [lessonId, score], together: [Lesson] }
  priced: { name: By a key that has more than the id, read: Payment, where: { payId: equals, position: equals } }
design:
  tables:
    Devices:
      key: { deviceId: S }
      entities:
        Device: { key: { deviceId: "{deviceId}" } }
      indexes:
        DevicesByCity: { key: { partition: city }, projection: all }
        DevicesAfter:
          key: { partition: marker }
          projection: all
          sets: { Device: { marker: "1" } }
          only: { Device: { deviceId: { greater: us } } }
    Rooms:
      key: { roomId: S, part: S }
      entities:
        Room: { key: { roomId: "{roomId}", part: "#ROOM" } }
        Seat: { key: { roomId: "{roomId}", part: "SEAT#{slot|pad:4}" } }
      indexes:
        RoomsByFloor: { key: { partition: floor, sort: code }, projection: all }
        SeatsByLabel: { key: { partition: roomId, sort: label }, projection: all }
    Notes:
      key: { noteId: S }
      entities:
        Note: { key: { noteId: "{noteId}" } }
      indexes:
        NotesByRoom: { key: { partition: roomId, sort: noteId }, projection: all }
    Lessons:
      key: { lessonId: S }
      entities:
        Lesson: { key: { lessonId: "{lessonId}" } }
      indexes:
        LessonsByOwner: { key: { partition: ownerId }, projection: [score] }
    Payments:
      key: { score: N, payment: S }
      entities:
        Payment: { key: { score: "{score}", payment: "{payId}#{position|pad:3}" } }
      indexes:
        PaymentsById: { key: { partition: payId, sort: position }, projection: keys }
`);

const reasons: readonly (readonly [string, string, string])[] = [
  ["same", "read in the other direction", "all that is returned, tenantId, is the same"],
  ["one-of-a-day", "more is answered than the limit", "the request itself asks for no more"],
  ["implied", "the filter on roomId is left out", "roomId equals one of the values"],
  ["crossed", "only the first page is read", "on place: no value meets all"],
  ["never-listed", "only the first of several values is asked for", "no uuid has this text"],
  ["same-rows", "parts swapped in Rows.row of Row", "all that is returned, roomId, is the same"],
  ["never", "only the first page is read", "on eventId: no uuid has this text"],
  ["few", "only the first page is read", "at most 3 different ids of Device"],
  ["out-of-index", "label of Device is not stored", "on deviceId: no value meets all"],
  ["one-id", "read in the other direction", "state the whole id of Room"],
  ["all-or-none", "only the first page is read", "meet all conditions or none of them does"],
  ["children", "read in the other direction", "all that is returned, roomId, is the same"],
];

describe.each([
  ["reads", reads],
  ["pages", pages],
])("mutants of %s", (_name, model) => {
  let proofs: readonly PatternProof[] = [];
  beforeAll(async () => {
    const now = Date.UTC(2026, 0, 15, 12);
    proofs = await proveModel(model, { now, doubtReasons: true });
  }, 60_000);

  test.each([...model.patterns.keys()])("are all decided: %s", (id) => {
    const verdict = proofs.find(({ pattern }) => pattern === id)?.verdict;
    expect(verdict).toMatchObject({ kind: "proved", undecided: [] });
  });

  test("with a reason are not killed", () => {
    const isFalse = ({ killed, reason }: TriedMutant): boolean => killed && reason !== undefined;
    expect(proofs.flatMap(({ mutants }) => mutants.filter(isFalse))).toEqual([]);
  });

  test("of pages are killed where a condition on a part of the id leaves items out", () => {
    const tried = proofs.filter(({ pattern }) => pattern === "one-id");
    const page = tried.flatMap(({ mutants }) =>
      mutants.filter(({ operator }) => operator === "page"),
    );
    expect(page.map(({ killed }) => killed)).toEqual(tried.map(() => true));
  });

  test.each(reasons.filter(([id]) => model.patterns.has(id)))(
    "are equivalent for a reason: %s, %s",
    (id, name, reason) => {
      const verdict = proofs.find(({ pattern }) => pattern === id)?.verdict;
      const equivalent = verdict?.kind === "proved" ? verdict.equivalent : [];
      expect(equivalent).toContainEqual({ name, reason: expect.stringContaining(reason) });
    },
  );
});
