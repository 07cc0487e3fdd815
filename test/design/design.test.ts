import { describe, expect, test } from "vitest";
import { printModel } from "../../src/model/print.ts";
import { failuresIn } from "../../src/modeller/proof/verdict.test-support.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing, modelDesignOutput } from "../../src/workbench/model-design.ts";
import { requirementSet } from "./requirement-sets.ts";

const now = Date.UTC(2026, 0, 15, 12);

const orders = (more = ""): string => `# What is asked of orders.
keywright: 1
name: orders
overview: { region: us-east-1 }
entities:
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      customerId: { type: S, format: ulid, distinct: 1_000_000, mutable: false }
      createdAt: { type: S, format: iso-time, mutable: false }
      status: { type: S, values: { open: 0.02, paid: 0.03, shipped: 0.95 } }
      total: { type: N, digits: 7, mutable: false }
      note: { type: S, bytes: 600 }
patterns:
  1: { name: An order, read: Order, where: { orderId: equals }, rps: 200 }
  # The page that customers see first.
  2:
    name: Orders of a customer
    read: Order
    where: { customerId: equals }
    order: { createdAt: descending }
    limit: 20
    returns: [orderId, createdAt, status, total]
    rps: 300
  3: { name: Place, create: Order, condition: absent, rps: 15 }
  4: { name: Ship, update: Order, where: { orderId: equals }, changes: [status], rps: 15 }
${more}`;

describe("a design", { timeout: 60_000 }, () => {
  test("is written into the document, costs what was said, and is proved", async () => {
    const design = await designModel(orders(), "orders.yaml", { now });
    expect(design.refused).toEqual([]);
    expect(isFailing(design)).toBe(false);
    expect(design.text).toContain("# The page that customers see first.");
    expect(design.designed?.design.tables).toMatchObject({
      Orders: {
        key: { orderId: "S" },
        indexes: {
          OrdersByCustomer: {
            purpose: "Orders of a customer",
            key: { partition: "customerId", sort: "createdAt" },
            projection: ["status", "total"],
          },
        },
      },
    });
    const { report } = costModel(design.text ?? "", "orders.yaml");
    expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
    expect(report?.missing).toEqual([]);
  });

  test("says what an index saves, and what other projections cost", async () => {
    const { designed } = await designModel(orders(), "orders.yaml", { now });
    const [, index] = designed?.design.decisions ?? [];
    expect(index).toMatchObject({
      about: "design.tables.Orders.indexes.OrdersByCustomer",
      chosen: "by customerId, sorted by createdAt with status, total",
    });
    expect(index?.rejected?.map(({ perMonth }) => (perMonth ?? 0) > 0)).toEqual([true, true]);
  });

  test("a list that is hardly ever read gets no index", async () => {
    const rare = orders().replace("rps: 300", "rps: 0.000001");
    const { designed } = await designModel(rare, "orders.yaml", { now });
    expect(designed?.design.tables.Orders?.indexes).toBeUndefined();
  });

  test("who does not want to wait for a scan gets an index, although it is dearer", async () => {
    const rare = orders().replace("rps: 300", "rps: 0.000001");
    const names = async (text: string): Promise<readonly string[]> => {
      const { designed } = await designModel(text, "orders.yaml", { now });
      return Object.keys(designed?.design.tables.Orders?.indexes ?? {});
    };
    expect(await names(rare)).toEqual([]);
    const hasty = rare.replace("rps: 0.000001", "rps: 0.000001\n    latency: 1s");
    expect(await names(hasty)).toEqual(["OrdersByCustomer"]);
  });

  test("a list of what its caller is bound to lies under a key of its own, although it is dearer", async () => {
    const rare = orders()
      .replace("rps: 300", "rps: 0.000001\n    scope: [customerId]")
      .replace(/ *order: .*\n *limit: 20\n/, "");
    const { designed, checks } = await designModel(rare, "orders.yaml", { now });
    const { OrdersByCustomer: index } = designed?.design.tables.Orders?.indexes ?? {};
    expect(index?.key.partition).toBe("customerId");
    const told = designed?.design.decisions?.flatMap(({ rejected = [] }) => rejected) ?? [];
    expect(told).toContainEqual({
      what: "without it: pattern 2 by a scan",
      why: "callers would list more than they are bound to",
    });
    expect(checks?.findings.filter((one) => one.includes("scope-not-leading"))).toEqual([]);
  });

  test("another rate is tried without being written", async () => {
    const tried = await designModel(orders(), "orders.yaml", { now, whatIf: "P2.rps.avg=600" });
    expect(tried.before?.change).toBe("pattern 2 comes 600 times a second");
    expect(tried.designed?.total).toBeGreaterThan(tried.before?.total ?? 0);
    expect(modelDesignOutput(tried, "text")).toContain("more than as it is now");
    const wrong = await designModel(orders(), "orders.yaml", { now, whatIf: "9.rps.avg=1" });
    expect(wrong.refused).toEqual([expect.stringContaining("There is no pattern '9'")]);
  });

  test("what cannot be weighed is refused by name", async () => {
    const open = orders().replace("rps: 300", "rps: { peak: 900 }").replace("bytes: 600", "");
    const { refused, text } = await designModel(open, "orders.yaml", { now });
    expect(text).toBeUndefined();
    expect(refused).toEqual([
      expect.stringMatching(
        /^orders\.yaml:\d+:\d+: Pattern 2 \(.*\) has no average rate, so no design can be priced\. State rps\.average\.$/,
      ),
      expect.stringMatching(
        /^orders\.yaml:\d+:\d+: The size of Order\.note is unknown, so no design can be priced\. State bytes\.$/,
      ),
    ]);
  });

  test("a design that is there is only replaced if that is wanted", async () => {
    const first = await designModel(orders(), "orders.yaml", { now });
    const again = await designModel(first.text ?? "", "orders.yaml", { now });
    expect(again.refused).toEqual([expect.stringContaining("has a design already")]);
    const replaced = await designModel(first.text ?? "", "orders.yaml", { now, replace: true });
    expect(replaced.designed?.design).toEqual(first.designed?.design);
  });
});

test("an e-mail address that must be unique is guarded, and finds its owner", {
  timeout: 60_000,
}, async () => {
  const people = `keywright: 1
name: people
entities:
  Person:
    id: [personId]
    count: 100_000
    attributes:
      personId: { type: S, format: ulid }
      email: { type: S, bytes: 30, unique: true }
      bio: { type: S, bytes: 500 }
patterns:
  join: { name: Join, create: Person, condition: absent, rps: 5 }
  byMail: { name: By mail, read: Person, where: { email: equals }, rps: 50 }
`;
  const design = await designModel(people, "people.yaml", { now });
  expect(isFailing(design)).toBe(false);
  const tables = design.designed?.design.tables ?? {};
  expect(Object.keys(tables)).toEqual(["Persons", "PersonEmails"]);
  expect(tables.Persons?.indexes).toBeUndefined();
});

const votes = (peak: number): string => `keywright: 1
name: votes
entities:
  Vote:
    id: [voteId]
    count: 1_000_000
    attributes:
      voteId: { type: S, format: ulid }
      show: { type: S, values: { final: 1 } }
      at: { type: S, format: iso-time, mutable: false }
patterns:
  1: { name: Vote, create: Vote, condition: absent, rps: { average: 10, peak: ${peak} } }
  2:
    name: The newest votes of a show
    read: Vote
    where: { show: equals }
    order: { at: descending }
    limit: 20
    rps: { average: 20, peak: 50 }
`;

test.each([
  [4_445, ["show", "showShard"], { Vote: { showShard: "{shard:5:voteId}" } }],
  [1_001, ["show", "showShard"], { Vote: { showShard: "{shard:2:voteId}" } }],
  [1_000, "show", undefined],
  [167, "show", undefined],
])("%i writes a second on one key", { timeout: 60_000 }, async (peak, partition, sets) => {
  const design = await designModel(votes(peak), "votes.yaml", { now });
  expect(isFailing(design)).toBe(false);
  const index = design.designed?.design.tables.Votes?.indexes?.VotesByShow;
  expect(index?.key).toEqual({ partition, sort: "at" });
  expect(index?.sets).toEqual(sets);
});

test("a counter that one partition cannot hold is refused by name", {
  timeout: 60_000,
}, async () => {
  const counter = `keywright: 1
name: counter
entities:
  Post:
    id: [postId]
    count: 1_000
    attributes: { postId: { type: S, bytes: 10 }, likes: { type: N, digits: 6, counter: true } }
patterns:
  like:
    name: Like
    update: Post
    where: { postId: equals }
    adds: { likes: 1 }
    skew: { key: postId, hottest: 1 }
    rps: { average: 10, peak: 2_000 }
`;
  const { refused } = await designModel(counter, "counter.yaml", { now });
  expect(refused).toEqual([expect.stringContaining("No table design can store Post: at peak")]);
});

const shop = (together: number): string => `keywright: 1
name: shop
entities:
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      status: { type: S, values: { open: 0.02, paid: 0.03, shipped: 0.95 } }
  Item:
    id: [orderId, position]
    count: 15_000_000
    attributes:
      orderId: { type: S, format: ulid }
      position: { type: N, digits: 3 }
      name: { type: S, bytes: 40 }
relations:
  - { from: Order, to: Item, kind: one-to-many, average: 3, max: 50, identifying: true }
patterns:
  1:
    name: An order with its items
    read: Order
    where: { orderId: equals }
    together: [{ entity: Item, limit: all, order: { position: ascending } }]
    rps: ${together}
  2:
    name: Place
    transaction:
      - { create: Order, condition: absent }
      - { create: Item, condition: absent, average: 3 }
    rps: 15
`;

test("one table or two is what comes out, not what goes in", { timeout: 60_000 }, async () => {
  const often = await designModel(shop(200), "shop.yaml", { now, whole: true });
  expect(isFailing(often)).toBe(false);
  expect(often.designed?.design.tables).toMatchObject({
    Orders: {
      key: { orderId: "S", part: "S" },
      entities: {
        Order: { key: { orderId: "{orderId}", part: "#ORDER" } },
        Item: { key: { orderId: "{orderId}", part: "ITEM#{position|pad:3}" } },
      },
    },
  });
  const seldom = await designModel(shop(0.1), "shop.yaml", { now, whole: true });
  expect(isFailing(seldom)).toBe(false);
  expect(Object.keys(seldom.designed?.design.tables ?? {})).toEqual(["Orders", "Items"]);
});

test("designs of drawn requirements are proved", { timeout: 120_000 }, async () => {
  const failures: string[] = [];
  for (const seed of [1, 5, 8, 13]) {
    const design = await designModel(printModel(requirementSet(seed)), "drawn.yaml", { now });
    failures.push(...failuresIn(design.checks?.proofs ?? []).map((text) => `${seed} ${text}`));
    if (design.checks === undefined) failures.push(`${seed}: ${design.refused.join(" ")}`);
  }
  expect(failures).toEqual([]);
});
