import { describe, expect, test } from "vitest";
import { complaintsOf, modelOf, smallModel } from "./model.test-support.ts";

/** Says little, so that much is left to the reader. */
const bare = modelOf(`keywright: 1
name: bare
entities:
  Plan:
    id: [planId]
    count: 3
    growth: { perYear: 24 }
    attributes:
      planId: { type: S, format: uuid }
      label: { type: S, bytes: 9 }
      open: { type: BOOL }
      gone: { type: "NULL" }
      seats: { type: N }
      sizes: { type: NS, elements: { average: 2 } }
  Seat:
    id: [planId, seatId]
    count: 9
    growth: { perDay: 12 }
    attributes:
      planId: { type: S, format: uuid }
      seatId: { type: N, digits: 5 }
      label: { type: S, bytes: 9, copyOf: Plan.label }
      row: { type: N, digits: 2, counter: true, unique: true, personal: true, mutable: false }
relations: [{ from: Plan, to: Seat, kind: one-to-many, average: 3 }]
patterns:
  1: { name: A plan, read: Plan, where: { planId: equals } }
  2: { name: A seat, create: Seat }
workflows: { visit: { steps: [1, 2], rps: 5 } }
design:
  tables:
    Plans:
      key: { planId: S, seatId: N }
      entities: { Seat: { key: { planId: "{planId}", seatId: "{seatId}" } } }
      indexes: { Rows: { key: { partition: row } } }
      stream: new-image
      consumers: [{ name: copies }]
      pitr: true
      dax: { node: dax.t3.small, nodes: 1 }
    Fixed:
      billing:
        provisioned: { read: 5, write: 6, autoScaling: { write: { min: 1, max: 9 } } }
        reserved: { write: 100, years: 3 }
      key: { planId: S }
      entities: { Plan: { key: { planId: "{planId}" } } }
      pitr: { days: 7 }
      dax: { node: dax.t3.small, nodes: 1, itemTtl: 10, queryTtl: 0, hitRate: 0.5 }
  plans: { 1: { steps: [{ operation: GetItem, table: Fixed, key: { planId: "{planId}" } }] } }
`);

const attribute = (entity: string, name: string) => bare.entities.get(entity)?.attributes.get(name);
const fixed = (bytes: number) => ({ kind: "fixed", bytes });

describe("what is not said", () => {
  test("sizes follow from types", () => {
    expect(attribute("Plan", "open")?.size).toEqual({ distribution: fixed(1), from: "derived" });
    expect(attribute("Plan", "gone")?.size).toEqual({ distribution: fixed(1), from: "derived" });
    const ten = { distribution: fixed(6), from: "assumed", why: "numbers of up to 10 digits" };
    expect(attribute("Plan", "seats")?.size).toEqual(ten);
    expect(attribute("Plan", "sizes")?.size).toEqual(ten);
    expect(attribute("Seat", "seatId")?.size).toEqual({ distribution: fixed(4), from: "derived" });
  });

  test("ids and copies do not change, all else may", () => {
    expect(attribute("Seat", "planId")).toMatchObject({ mutable: false, mutableStated: false });
    expect(attribute("Seat", "label")).toMatchObject({ mutable: false, mutableStated: false });
    expect(attribute("Seat", "row")).toMatchObject({ mutable: false, mutableStated: true });
    expect(attribute("Plan", "label")).toMatchObject({ mutable: true, mutableStated: false });
  });

  test("attributes are always there, and nothing special", () => {
    const plain = { unique: false, counter: false, personal: false };
    expect(attribute("Plan", "label")).toMatchObject({
      ...plain,
      present: { value: 1, assumed: false },
      copyOf: undefined,
    });
    expect(attribute("Seat", "row")).toMatchObject({ unique: true, counter: true, personal: true });
    expect(attribute("Seat", "label")?.copyOf).toEqual({ entity: "Plan", attribute: "label" });
  });

  test("growth is by the month", () => {
    expect(bare.entities.get("Plan")?.growthPerMonth).toEqual({ value: 2, assumed: false });
    expect(bare.entities.get("Seat")?.growthPerMonth).toEqual({ value: 365, assumed: false });
  });

  test("relations are not identifying", () => {
    expect(bare.relations[0]).toMatchObject({
      identifying: false,
      together: undefined,
      max: undefined,
      reverse: { average: undefined, max: undefined },
    });
  });

  test("patterns read eventually, everything, by no limit; a rate alone is an average", () => {
    const pattern = bare.patterns.get("1");
    expect(pattern).toMatchObject({
      consistency: "eventual",
      transaction: false,
      status: undefined,
    });
    expect(pattern).toMatchObject({
      requirements: [],
      considerations: [],
      scope: [],
      together: [],
    });
    expect(pattern?.actions[0]).toMatchObject({
      limit: undefined,
      returns: ["planId", "label", "open", "gone", "seats", "sizes"],
      average: { value: 1, assumed: false },
    });
    expect(bare.workflows.get("visit")?.rps).toEqual({
      average: { value: 5, assumed: false },
      peak: undefined,
    });
  });

  test("a table is on-demand, standard, and has no more than it says", () => {
    expect(bare.design).toMatchObject({ style: "natural", decisions: [], tradeoffs: [] });
    const table = bare.design?.tables.get("Plans");
    expect(table).toMatchObject({
      billing: { mode: "on-demand" },
      class: "standard",
      encryption: "owned",
      deletionProtection: false,
      replicas: [],
      pitrDays: 35,
      consumers: [
        {
          name: "copies",
          batch: 100,
          windowMs: 0,
          start: "latest",
          retries: undefined,
          maxAgeMs: undefined,
          bisect: false,
          reportItemFailures: false,
          parallel: 1,
        },
      ],
      dax: { hitRate: undefined, itemTtlMs: 300_000, queryTtlMs: 300_000, patterns: [] },
    });
    expect(table?.indexes.get("Rows")).toMatchObject({ local: false, projection: "all", sort: [] });
  });

  test("what is said in part", () => {
    const table = bare.design?.tables.get("Fixed");
    expect(table).toMatchObject({
      pitrDays: 7,
      dax: { hitRate: { value: 0.5, assumed: false }, itemTtlMs: 10_000, queryTtlMs: 0 },
      billing: {
        mode: "provisioned",
        provisioned: {
          read: 5,
          write: 6,
          autoScaling: { read: undefined, write: { min: 1, max: 9, target: 70 } },
        },
        reserved: { read: 0, write: 100, years: 3 },
      },
    });
    expect(bare.design?.plans.get("1")?.[0]).toMatchObject({
      entity: "Plan",
      order: "ascending",
      index: undefined,
    });
  });
});

test("what is reserved of one kind is nothing of the other", () => {
  const billing =
    "billing: { provisioned: { read: 9, write: 9 }, reserved: { read: 100, years: 1 } }";
  const { design } = modelOf(smallModel.replace("    Shop:\n", `    Shop:\n      ${billing}\n`));
  expect(design?.tables.get("Shop")?.billing).toMatchObject({
    reserved: { read: 100, write: 0, years: 1 },
  });
});

test("a plan that names no entity is told so, and nothing more is asked of its key", () => {
  const steps =
    '[{ operation: GetItem, entity: Ordr, key: { PK: "C#{customerId}", SK: PROFILE } }]';
  expect(complaintsOf(`${smallModel}  plans: { 1: { steps: ${steps} } }\n`)).toEqual([
    expect.stringContaining(
      "design.plans.1.steps[0].entity names 'Ordr', which is no entity; did you mean 'Order'?",
    ),
  ]);
});

test("what an item stores cannot lie in another one", () => {
  const split =
    'split: [{ name: rest, key: { PK: "C#{customerId}", SK: REST }, attributes: [email] }]';
  const placed = `SK: PROFILE }, stores: [customerId, email], ${split} }`;
  expect(complaintsOf(smallModel.replace("SK: PROFILE } }", placed))).toEqual([
    expect.stringContaining(
      "Customer.stores[1] is 'email', which lies in another item or elsewhere",
    ),
  ]);
});

describe("how many there may be", () => {
  const small = (from: string, to: string) => complaintsOf(smallModel.replace(from, to));
  const customer = "where: { customerId: equals }";
  const ranged = (values: string) =>
    small(customer, `where: { customerId: equals, visits: { between: ${values} } }`);
  const key = "key: { partition: open, sort: [createdAt, orderId] }";
  const names = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`).join(", ");

  test("between has two ends", () => {
    expect(ranged("[1, 2]")).toEqual([]);
    expect(ranged("[1]")).not.toEqual([]);
    expect(ranged("[1, 2, 3]")).not.toEqual([]);
  });

  test("an index has up to four attributes on each side of its key", () => {
    const sorted = "sort: [createdAt, orderId, customerId, total]";
    expect(small(key, `key: { partition: open, ${sorted} }`)).toEqual([]);
    const told = small(key, `key: { partition: open, sort: [${names(5)}] }`);
    expect(told).toEqual([expect.stringContaining("ByStatus.key.sort")]);
  });

  test("a table has one or two key attributes", () => {
    expect(small("key: { PK: S, SK: S }", "key: { PK: S, SK: S, TK: S }")).not.toEqual([]);
    expect(small("key: { PK: S, SK: S }", "key: {}")).not.toEqual([]);
  });

  test("a share is between nothing and all", () => {
    const present = (share: string) => small("present: 0.5", `present: ${share}`);
    expect([present("0"), present("1")]).toEqual([[], []]);
    expect(present("1.1")).not.toEqual([]);
    expect(present("-0.1")).not.toEqual([]);
  });

  test("rates and counts are not below nothing", () => {
    expect(small("count: 10", "count: 0")).toEqual([]);
    expect(small("count: 10", "count: -1")).not.toEqual([]);
    expect(small("average: 5", "average: -5")).not.toEqual([]);
  });

  test("the indexes of a table project a hundred attributes together", () => {
    const made = Array.from({ length: 101 }, (_, i) => `b${i}`);
    const more = made.map((name) => `      ${name}: { type: BOOL }\n`).join("");
    const projecting = (count: number) =>
      complaintsOf(
        smallModel
          .replace("      signature:", `${more}      signature:`)
          .replace(key, `${key}\n          projection: [${made.slice(0, count).join(", ")}]`),
      );
    expect(projecting(100)).toEqual([]);
    expect(projecting(101)).toEqual([expect.stringContaining("project 101 attributes")]);
  });
});
