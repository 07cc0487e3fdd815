import { describe, expect, test } from "vitest";
import { complaintText } from "../../document/complaint.ts";
import { pathText } from "../../document/path.ts";
import type { Model } from "../../model/model.ts";
import { parseModel } from "../../model/parse.ts";
import { fixText } from "./fix.ts";
import { type LintFinding, lint } from "./lint.ts";
import type { Price, Rule } from "./rule.ts";

/** A sound design that rules are silent on; tests break it in one place. */
export const soundModel = `keywright: 1
name: shop
overview: { scale: { requests: 120 } }
entities:
  Customer:
    id: [customerId]
    count: 1_000_000
    version: revision
    attributes:
      customerId: { type: S, format: ulid }
      mail: { type: S, bytes: 40, unique: true, personal: true }
      fullName: { type: S, bytes: 30, personal: true }
      tier: { type: S, values: { free: 0.9, paid: 0.1 } }
      visits: { type: N, digits: 6, counter: true }
      about: { type: S, bytes: 500, present: 0.5 }
      revision: { type: N, digits: 4 }
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      customerId: { type: S, format: ulid, mutable: false }
      placedAt: { type: S, format: iso-time, mutable: false }
      state: { type: S, values: { open: 0.05, shipped: 0.95 } }
      amount: { type: N, digits: 7, mutable: false }
      note: { type: S, bytes: { min: 0, max: 200 } }
  Line:
    id: [orderId, position]
    count: 15_000_000
    attributes:
      orderId: { type: S, format: ulid }
      position: { type: N, digits: 3 }
      product: { type: S, bytes: 20, mutable: false }
      price: { type: N, digits: 6, mutable: false }
  Session:
    id: [sessionId]
    count: 200_000
    retention: 1d
    attributes:
      sessionId: { type: S, format: uuid }
      customerId: { type: S, format: ulid, mutable: false }
      expiresAt: { type: N, format: epoch-seconds }
relations:
  - { from: Customer, to: Order, kind: one-to-many, average: 5, max: 1_000, identifying: true }
  - { from: Order, to: Line, kind: one-to-many, average: 3, max: 40, identifying: true }
patterns:
  profile: { name: A customer, read: Customer, where: { customerId: equals }, rps: { average: 20, peak: 90 } }
  join: { name: Sign up, create: Customer, condition: absent, rps: { average: 1, peak: 5 } }
  edit: { name: Change a profile, update: Customer, where: { customerId: equals }, changes: [fullName, tier, about], condition: version, rps: { average: 1, peak: 5 } }
  visit: { name: Count a visit, update: Customer, where: { customerId: equals }, adds: { visits: 1 }, rps: { average: 5, peak: 20 } }
  orders: { name: Orders of a customer, read: Order, where: { customerId: equals }, order: { orderId: descending }, limit: 20, rps: { average: 30, peak: 100 } }
  order: { name: An order and its lines, read: Order, where: { orderId: equals }, together: [{ entity: Line, limit: all, order: { position: ascending } }], rps: { average: 20, peak: 80 } }
  waiting: { name: Open orders, read: Order, where: { state: { equals: open } }, order: { placedAt: ascending }, limit: 50, rps: { average: 1, peak: 5 } }
  place:
    name: Place an order
    transaction: [{ create: Order, condition: absent }, { create: Line, average: 3, condition: absent }]
    rps: { average: 2, peak: 15 }
  ship: { name: Ship, update: Order, where: { orderId: equals }, changes: { state: shipped }, condition: { state: { equals: open } }, rps: { average: 2, peak: 15 } }
  enter: { name: Sign in, create: Session, condition: absent, rps: { average: 3, peak: 20 } }
  session: { name: Is somebody signed in, read: Session, where: { sessionId: equals, expiresAt: { greater: $now } }, rps: { average: 35, peak: 200 } }
design:
  tables:
    Shop:
      key: { owner: S, part: S }
      discriminator: kind
      entities:
        Customer: { key: { owner: "C#{customerId}", part: PROFILE } }
        Order: { key: { owner: "O#{orderId}", part: "#ORDER" } }
        Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }
      indexes:
        OrdersByCustomer:
          purpose: orders of a customer
          key: { partition: customerId, sort: orderId }
          projection: all
        OpenOrders:
          purpose: orders that wait to be shipped
          key: { partition: openShard, sort: [placedAt, orderId] }
          projection: all
          sets: { Order: { openShard: "OPEN#{shard:4:orderId}" } }
          only: { Order: { state: { equals: open } } }
      unique: [{ entity: Customer, attribute: mail, key: { owner: "MAIL#{mail|lower}", part: MAIL } }]
      pitr: true
      deletionProtection: true
    Sessions:
      key: { sessionId: S }
      entities:
        Session: { key: { sessionId: "{sessionId}" } }
      ttl: expiresAt
      pitr: true
      deletionProtection: true
`;

/** What is written instead of what; the first must be there exactly once. */
export type Swap = readonly [before: string, after: string];

export function swapped(text: string, swaps: readonly Swap[]): string {
  return swaps.reduce((current, [before, after]) => {
    const [head, tail, more] = current.split(before);
    if (tail === undefined || more !== undefined) {
      throw new Error(`'${before}' is there ${tail === undefined ? "never" : "more than once"}`);
    }
    return `${head}${after}${tail}`;
  }, text);
}

export function modelOf(text: string): Model {
  const { model, complaints } = parseModel(text, "m.yaml");
  if (model === undefined) throw new Error(complaints.map(complaintText).join("\n"));
  return model;
}

/** What one rule finds in a text. */
export function findingsOf(rule: Rule, text: string): readonly LintFinding[] {
  return lint(modelOf(text), {}, [rule]).findings;
}

export interface RuleCase {
  /** Changes of the sound model that make the rule speak. */
  readonly bad: readonly Swap[];
  /** Close neighbours on which it is silent; the sound model itself is always one. */
  readonly good?: Readonly<Record<string, readonly Swap[]>>;
  /** The path of each finding, in the order of the findings. */
  readonly at: readonly string[];
  /** In the line that the first finding points to. */
  readonly line: string;
  /** In the first finding's message and evidence. */
  readonly says: readonly string[];
  /** Of the first finding: dollars in a month to the cent, or the share that is throttled to a thousandth. */
  readonly price?: number | { readonly throttled: number };
  /** In the text after --fix; nothing if there is no fix. */
  readonly fixed?: string;
  readonly base?: string;
}

/** The tests that every rule has. */
export function testRule(rule: Rule, cases: Readonly<Record<string, RuleCase>>): void {
  describe(rule.id, () => {
    for (const [name, one] of Object.entries(cases)) {
      const base = one.base ?? soundModel;
      const text = swapped(base, one.bad);
      test(`speaks: ${name}`, () => {
        const findings = findingsOf(rule, text);
        expect(findings.map(({ path }) => pathText(path))).toEqual(one.at);
        const [first] = findings;
        expect(text.split("\n")[(first?.place?.line ?? 0) - 1]).toContain(one.line);
        for (const said of one.says)
          expect(`${first?.message}\n${first?.evidence}`).toContain(said);
        if (one.price !== undefined) expectPrice(first?.price, one.price);
        for (const finding of findings) expectWellSaid(finding);
      });
      test(`${one.fixed === undefined ? "has no fix" : "is fixed"}: ${name}`, () => {
        const { text: after, changes, refused } = fixText(text, "m.yaml", {}, [rule]);
        expect(refused).toEqual([]);
        if (one.fixed === undefined) {
          expect(changes).toEqual([]);
          return;
        }
        expect(after).toContain(one.fixed);
        expect(findingsOf(rule, after)).toEqual([]);
      });
      const neighbours = { "the sound design": [], ...one.good };
      test.each(Object.entries(neighbours))(`is silent beside ${name}: %s`, (_, swaps) => {
        const findings = findingsOf(rule, swapped(base, swaps));
        expect(findings.map(({ message }) => message)).toEqual([]);
      });
    }
  });
}

function expectPrice(price: Price | undefined, expected: Exclude<RuleCase["price"], undefined>) {
  if (typeof expected === "number") {
    expect(price?.kind === "money" ? price.perMonth : undefined).toBeCloseTo(expected, 2);
  } else {
    expect(price?.kind === "throttled" ? price.share : undefined).toBeCloseTo(
      expected.throttled,
      3,
    );
  }
}

function expectWellSaid({ message, evidence, cure, fix }: LintFinding): void {
  for (const said of [message, evidence, cure]) expect(said).toMatch(/^[^\n]+\.$/);
  expect(message).not.toMatch(/NaN|undefined|\[object/);
  expect(evidence).not.toMatch(/NaN|undefined|\[object/);
  if (fix !== undefined) expect(fix.what).toMatch(/^[a-z].*[^.]$/);
}
