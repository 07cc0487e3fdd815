import { pathText } from "../../document/path.ts";
import { modelOf, type Swap, swapped } from "../lint/lint.test-support.ts";
import { CheckContext } from "./check-context.ts";
import { allChecks } from "./checks/index.ts";
import { type Fit, fitOf } from "./fit/fit.ts";
import { type CheckedLine, runChecks } from "./run-checks.ts";

export type { Swap } from "../lint/lint.test-support.ts";

/** A design in which every check finds something to look at, and nothing wrong. Tests break it in one place. */
export const soundDesign = `keywright: 1
name: club
overview: { domain: a club and its shop, scale: { users: 1_000_000, requests: 500 }, region: us-east-1 }
entities:
  Member:
    id: [memberId]
    count: 1_000_000
    version: revision
    attributes:
      memberId: { type: S, format: ulid }
      fullName: { type: S, bytes: { min: 5, max: 40 } }
      about: { type: S, bytes: 2 KB, present: 0.5 }
      settings: { type: M, bytes: 300 }
      visits: { type: N, digits: 6, counter: true }
      revision: { type: N, digits: 4 }
  Team:
    id: [teamId]
    count: 20_000
    attributes:
      teamId: { type: S, format: ulid }
      title: { type: S, bytes: 30, mutable: false }
      colours: { type: SS, bytes: 10, elements: { average: 2, max: 5 } }
  Seat:
    id: [teamId, memberId]
    count: 3_000_000
    attributes:
      teamId: { type: S, format: ulid }
      memberId: { type: S, format: ulid }
      teamTitle: { type: S, bytes: 30, copyOf: Team.title, staleness: refused }
      since: { type: S, format: iso-time, mutable: false }
  Order:
    id: [memberId, orderId]
    count: 5_000_000
    attributes:
      memberId: { type: S, format: ulid }
      orderId: { type: S, format: ulid }
      placedAt: { type: S, format: iso-time, mutable: false }
      state: { type: S, values: { open: 0.02, packed: 0.03, sent: 0.95 } }
      buyer: { type: S, bytes: 40, copyOf: Member.fullName, staleness: accepted }
      amount: { type: N, digits: 7, mutable: false }
  Session:
    id: [sessionId]
    count: 200_000
    retention: 1d
    attributes:
      sessionId: { type: S, format: uuid }
      memberId: { type: S, format: ulid, mutable: false }
      expiresAt: { type: N, format: epoch-seconds }
  Product:
    id: [productId]
    count: 1_000
    attributes:
      productId: { type: S, format: uuid }
      title: { type: S, bytes: 40, mutable: false }
      price: { type: N, digits: 6, mutable: false }
      photo: { type: B, bytes: 900 KB, mutable: false }
      photoKey: { type: S, bytes: 40, mutable: false }
relations:
  - { from: Member, to: Order, kind: one-to-many, average: 5, max: 1_000, identifying: true }
  - { from: Team, to: Member, kind: many-to-many, via: Seat, average: 150, max: 1_000, reverse: { average: 3 } }
patterns:
  profile: { name: A member, read: Member, where: { memberId: equals }, latency: 20ms, rps: { average: 40, peak: 200 } }
  join: { name: Join, create: Member, condition: absent, rps: { average: 1, peak: 5 } }
  edit: { name: Change a profile, update: Member, where: { memberId: equals }, changes: [fullName, about, settings], condition: version, writers: 2, rps: { average: 1, peak: 5 } }
  visit: { name: Count a visit, update: Member, where: { memberId: equals }, adds: { visits: 1 }, writers: 3, rps: { average: 5, peak: 20 } }
  several: { name: Several members, read: Member, where: { memberId: equals }, batch: 20, rps: { average: 2, peak: 10 } }
  found: { name: Found a team, create: Team, condition: absent, rps: { average: 0.1, peak: 2 } }
  team: { name: A team, read: Team, where: { teamId: equals }, rps: { average: 10, peak: 40 } }
  enter: { name: Enter a team, create: Seat, condition: absent, rps: { average: 1, peak: 5 } }
  people: { name: The members of a team, read: Seat, where: { teamId: equals }, limit: 50, rps: { average: 10, peak: 40 } }
  teams: { name: The teams of a member, read: Seat, where: { memberId: equals }, limit: 50, rps: { average: 10, peak: 40 } }
  order: { name: Order, transaction: [{ create: Order, condition: absent }, { update: Member, where: { memberId: equals }, adds: { visits: 1 }, condition: exists }], rps: { average: 2, peak: 15 } }
  orders: { name: Orders of a member, read: Order, where: { memberId: equals }, order: { orderId: descending }, limit: 20, rps: { average: 20, peak: 90 } }
  waiting: { name: Orders in a state, read: Order, where: { state: equals }, order: { placedAt: ascending }, limit: 50, considerations: [only open and packed ones are asked for], rps: { average: 1, peak: 5 } }
  pack: { name: Pack, update: Order, where: { memberId: equals, orderId: equals }, changes: { state: packed }, condition: { state: { equals: open } }, rps: { average: 2, peak: 15 } }
  signin: { name: Sign in, create: Session, condition: absent, rps: { average: 3, peak: 20 } }
  session: { name: Who is signed in, read: Session, where: { sessionId: equals, expiresAt: { greater: $now } }, rps: { average: 40, peak: 200 } }
  offer: { name: Offer a product, create: Product, condition: absent, rps: { average: 0.01, peak: 1 } }
  product: { name: A product, read: Product, where: { productId: equals }, rps: { average: 20, peak: 100 } }
  shelf: { name: All products, read: Product, limit: all, returns: [productId, title, price], rps: { average: 0.01, peak: 0.1 }, considerations: [for the printed list] }
  search: { name: Search products, read: Product, where: { title: { contains: $words } }, limit: 20, rps: { average: 5, peak: 30 }, status: alternative, alternative: { service: OpenSearch, via: stream, why: full text } }
  leave: { name: Leave, delete: Member, where: { memberId: equals }, rps: 0, status: declined, declined: members are kept for the tax office }
workflows:
  counter: { steps: [session, profile, product, order], rps: { average: 2, peak: 15 } }
design:
  decisions:
    - { about: design.tables.Orders.indexes.Waiting, chosen: a sparse index in four shards, rejected: [{ what: a filter, why: 95 of 100 would be thrown away }] }
    - { about: design.tables.Members.entities.Member.split, chosen: the text about a member apart, why: a visit would rewrite it }
  tables:
    Members:
      purpose: who belongs to the club
      key: { memberId: S, part: S }
      entities:
        Member: { key: { memberId: "{memberId}", part: MEMBER }, split: [{ name: text, key: { memberId: "{memberId}", part: TEXT }, attributes: [about] }] }
    Teams:
      purpose: teams and who sits in them
      key: { teamId: S, part: S }
      entities:
        Team: { key: { teamId: "{teamId}", part: TEAM } }
        Seat: { key: { teamId: "{teamId}", part: "SEAT#{memberId}" } }
      indexes:
        TeamsOfMember:
          purpose: the other end of the relation
          key: { partition: memberId, sort: since }
          projection: all
    Orders:
      purpose: what members order
      key: { memberId: S, orderId: S }
      entities:
        Order: { key: { memberId: "{memberId}", orderId: "{orderId}" } }
      indexes:
        Waiting:
          purpose: what has to be packed or sent
          key: { partition: waiting, sort: placedAt }
          projection: all
          sets: { Order: { waiting: "{state}#{shard:4:orderId}" } }
          only: { Order: { state: { one-of: [open, packed] } } }
    Sessions:
      purpose: who is signed in
      key: { sessionId: S }
      entities: { Session: { key: { sessionId: "{sessionId}" } } }
      ttl: expiresAt
    Products:
      purpose: what can be bought
      key: { productId: S }
      entities:
        Product: { key: { productId: "{productId}" }, elsewhere: [{ attribute: photo, service: S3, pointer: photoKey }] }
      stream: new-image
      consumers: [{ name: feed, purpose: hands products to the search }]
  services: [{ name: OpenSearch, for: [search], via: stream, why: full text }]
  tradeoffs: [the name of the buyer may be an old one]
`;

export function contextOf(text: string): CheckContext {
  return new CheckContext(modelOf(text));
}

/** One line of the checklist, for the sound design with some changes. */
export function lineOf(id: string, swaps: readonly Swap[], base = soundDesign): CheckedLine {
  const check = allChecks.find((one) => one.id === id);
  if (check === undefined) throw new Error(`there is no check '${id}'`);
  const [line] = runChecks(contextOf(swapped(base, swaps)), [check]);
  return line as CheckedLine;
}

/** What is open or wrong: `open patterns.profile: What …?` */
export function pointsOf({ points }: CheckedLine): readonly string[] {
  return points.map(({ kind, path, text }) => `${kind} ${pathText(path)}: ${text}`);
}

export function fitting(text: string): Fit {
  return fitOf(contextOf(text));
}
