import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { designOf } from "./designer.ts";

/** Reasons why there is no design: each with what to do. */

const unused = () => {
  throw new Error("no program has to be solved");
};

function refusals(slot: string, part: string): readonly string[] {
  const model = modelOf(`keywright: 1
name: seats
entities:
  Seat:
    id: [hallId, slot, part]
    count: 1000
    attributes:
      hallId: { type: B, bytes: 16 }
      slot: ${slot}
      part: ${part}
patterns:
  1: { name: Get, read: Seat, where: { hallId: equals, slot: equals, part: equals }, rps: 1 }
`);
  return designOf(model, unused).refused.map(({ text }) => text);
}

test("an id of three attributes that no two key attributes hold is refused with a remedy", () => {
  const [text, more] = refusals("{ type: N }", "{ type: B, bytes: 8 }");
  expect(more).toBeUndefined();
  expect(text).toBe(
    "No table design can store Seat: its id has 3 attributes and a table key has at most two, so some have to be joined in one text. For that, use type S for hallId and part.",
  );
});

test("an id of three attributes is a key where two of them can be joined", () => {
  expect(refusals("{ type: N }", "{ type: N }")).toEqual([]);
  expect(refusals("{ type: N, digits: 3 }", "{ type: N, digits: 2 }")).toEqual([]);
});

test("a child of a counted entity is stored if a third entity holds the count", () => {
  const model = modelOf(`keywright: 1
name: teams
entities:
  Team:
    id: [teamId]
    count: 60
    attributes:
      teamId: { type: S, format: ulid }
      accounts: { type: N, digits: 4, keeps: { count: Account }, staleness: accepted }
  Account:
    id: [teamId, revision]
    count: 90
    attributes:
      teamId: { type: S, format: ulid }
      revision: { type: N, digits: 5 }
  Device:
    id: [teamId, revision, code]
    count: 175
    attributes:
      teamId: { type: S, format: ulid }
      revision: { type: N, digits: 5 }
      code: { type: S, bytes: 8 }
relations:
  - { from: Team, to: Account, kind: one-to-many, average: 1.5, max: 15, identifying: true }
  - { from: Account, to: Device, kind: one-to-many, average: 2, max: 6, identifying: true }
patterns:
  1: { name: Account, create: Account, condition: absent, rps: 1 }
  2: { name: Device, create: Device, condition: absent, rps: 1 }
  3: { name: Team, create: Team, condition: absent, rps: 1 }
  4: { name: Total, read: Team, where: { teamId: equals }, rps: 1 }
  5:
    name: A device with its account
    read: Device
    where: { teamId: equals, revision: equals, code: equals }
    together: [Account]
    rps: 1
`);
  expect(designOf(model, unused).refused).toEqual([]);
});

test("an entity without a layout is refused alone, without the patterns that need it", () => {
  const model = modelOf(`keywright: 1
name: seats
entities:
  Hall:
    id: [hallId]
    count: 10
    attributes:
      hallId: { type: B, bytes: 16 }
  Seat:
    id: [hallId, slot, part]
    count: 1000
    attributes:
      hallId: { type: B, bytes: 16 }
      slot: { type: N }
      part: { type: N }
patterns:
  1:
    name: Open
    transaction:
      - { create: Hall, condition: absent }
      - { create: Seat, condition: absent }
    rps: 1
`);
  const { refused } = designOf(model, unused);
  expect(refused.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^No table design can store Seat: .* use type S for hallId\.$/),
  ]);
});

test("a transaction that reads by a part of an id is refused with what is missing", () => {
  const model = modelOf(`keywright: 1
name: seats
entities:
  Seat:
    id: [hallId, slot]
    count: 1000
    attributes:
      hallId: { type: S, format: ulid }
      slot: { type: N, digits: 3 }
patterns:
  1: { name: Look, transaction: [{ read: Seat, where: { hallId: equals } }], rps: 1 }
`);
  const [refused] = designOf(model, unused).refused;
  expect(refused?.path).toEqual(["patterns", "1"]);
  expect(refused?.text).toBe(
    "No table design can serve pattern 1 (Look): a transaction reads Seat by its whole key, and slot is not known: state it with equals, or read Seat outside of the transaction.",
  );
});
