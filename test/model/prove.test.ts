import { describe, expect, test } from "vitest";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import { readLock } from "../../src/modeller/proof/lock/lock.ts";
import { prove } from "../../src/modeller/proof/prove.ts";
import { proofText } from "../../src/modeller/proof/text.ts";
import {
  failuresIn,
  unchallengedIn,
  undecidedIn,
} from "../../src/modeller/proof/verdict.test-support.ts";
import { getCounterExample } from "../../src/modeller/proof/verdict.ts";
import type { OpenWorld, World } from "../../src/modeller/proof/world.ts";
import {
  getExitCode,
  lockProblemText,
  openWorld,
  proveModel,
  proveText,
} from "../../src/workbench/model-prove.ts";

const now = Date.UTC(2026, 0, 15, 12);

describe.each(examples)("%s", (_, text) => {
  test("is proved, and every mutant is killed or equivalent", { timeout: 400_000 }, async () => {
    const proofs = await proveModel(modelOf(text), { now, doubtReasons: true });
    expect(failuresIn(proofs)).toEqual([]);
    // Each survivor has a reason, each pattern kills a mutant, and no mutant with a reason is killed.
    expect(undecidedIn(proofs)).toEqual([]);
    expect(unchallengedIn(proofs)).toEqual([]);
    expect(
      proofs.flatMap(({ pattern, mutants }) =>
        mutants.flatMap(({ name, killed, reason }) =>
          killed && reason !== undefined ? [`${pattern}: ${name}`] : [],
        ),
      ),
    ).toEqual([]);
  });
});

const shop = (key: string, more = ""): string => `keywright: 1
name: proof
entities:
  Order:
    id: [orderId]
    count: 100
    attributes:
      orderId: { type: S, format: ulid }
      shop: { type: S, values: [north, south] }
      score: { type: N, digits: 3 }
patterns:
  best: { name: The best, read: Order, where: { shop: equals }, order: { score: descending }, limit: 5, rps: { average: 1, peak: 1 } }
  change: { name: Change, update: Order, where: { orderId: equals }, changes: [score], condition: exists, rps: { average: 1, peak: 1 } }
design:
  tables:
    Orders:
      key: { orderId: S }
      entities: { Order: { key: { orderId: "{orderId}" } } }
      indexes:
        Best: { key: { partition: shop, sort: rank }, sets: { Order: { rank: "${key}" } } }
${more}`;

async function failures(text: string): Promise<readonly string[]> {
  const proofs = await proveModel(modelOf(text), { now });
  return proofs.flatMap(({ pattern, verdict }) => (verdict.kind === "wrong" ? [pattern] : []));
}

test("runs no mutants if that is asked for, and gives no fingerprint for the lock file then", async () => {
  const model = modelOf(shop("{score|pad:4}#{orderId}"));
  const proofs = await proveModel(model, { now, mutants: false });
  const verdict = { kind: "proved", killed: 0, equivalent: [], undecided: [] };
  expect(
    proofs.map(({ verdict, mutants, fingerprint }) => ({ verdict, mutants, fingerprint })),
  ).toEqual(proofs.map(() => ({ verdict, mutants: [], fingerprint: undefined })));
});

test("a right design, and its mutants", async () => {
  const [best, change] = await proveModel(modelOf(shop("{score|pad:4}#{orderId}")), { now });
  expect(best?.verdict.kind).toBe("proved");
  expect(change?.verdict.kind).toBe("proved");
  expect(best?.mutants.filter(({ killed }) => !killed)).toEqual([
    {
      name: "more is answered than the limit",
      operator: "limit",
      killed: false,
      reason: "the request itself asks for no more",
    },
  ]);
  expect(best?.mutants.map(({ name }) => name)).toEqual([
    "parts swapped in Best.rank of Order",
    "pad left out in Best.rank of Order",
    "score missing from Best",
    "score of Order is not stored",
    "read in the other direction",
    "more is answered than the limit",
  ]);
  expect(change?.mutants).toContainEqual({
    name: "the key of Best stays as it was",
    operator: "index key",
    killed: true,
  });
});

test("a plan that is stated and wrong is found out", async () => {
  const text = shop("{score|pad:4}#{orderId}", stated("ascending"));
  expect(await failures(text)).toContain("best");
});

const stated = (order: string): string => `  plans:
    best: { steps: [{ operation: Query, table: Orders, index: Best, key: { shop: "{shop}" }, order: ${order}, limit: 5 }] }
`;

test("the counter-example is the smallest: two items in the wrong order", async () => {
  const model = modelOf(shop("{score|pad:4}#{orderId}", stated("ascending")));
  const [best, change] = await proveModel(model, { now });
  const example = best && getCounterExample(best);
  const after = change && getCounterExample(change);
  expect(example?.what).toBe("an item came at a place where it does not belong");
  const item = (id: string, score: number, place: string) => ({
    table: "Orders",
    item: {
      orderId: { S: id },
      shop: { S: place },
      score: { N: String(score) },
      rank: { S: `${String(score).padStart(4, "0")}#${id}` },
    },
  });
  const scores = example?.stored.map((one) => Number(Object.values(one.item.score ?? {})[0]));
  const [low = 0, high = 0] = (scores ?? []).toSorted((a, b) => a - b);
  const [place = ""] = example?.stored.map((one) => Object.values(one.item.shop ?? {})[0]) ?? [];
  expect(example?.stored).toHaveLength(2);
  expect(example?.stored).toContainEqual(item(scores?.[0] === low ? "a" : "b", low, place));
  expect(example?.expected[0]).toContain(`score = ${high}`);
  expect(example?.got[0]).toContain(`score = ${low}`);
  expect(example?.requests.map(({ operation }) => operation)).toEqual(["Query"]);
  // A change is right by itself, and the read after it is not.
  expect(after?.what).toContain("after it, pattern best");
  expect(after?.stored.length).toBeLessThanOrEqual(2);
  expect(proofText(best === undefined ? [] : [best])).toContain("stored (2 items):");
});

test("the counter-example is the smallest: one item of which something is missing", async () => {
  const wrong = shop("{score|pad:4}#{orderId}", stated("descending")).replace(
    "sort: rank }",
    "sort: rank }, projection: keys",
  );
  const [best] = await proveModel(modelOf(wrong), { now });
  const example = best && getCounterExample(best);
  expect(example?.stored).toHaveLength(1);
  expect(example?.expected[0]).toMatch(/^orderId = "a", shop = "\w+", score = \d+$/);
  expect(example?.got[0]).toMatch(/^orderId = "a", shop = "\w+"$/);
});

test("what was proved is kept, and proved again only if something has changed", async () => {
  const options = { now, seed: 1 };
  const text = shop("{score|pad:4}#{orderId}");
  const first = await proveText(text, "shop.yaml", options);
  const again = await proveText(text, "shop.yaml", { ...options, lock: first.lock ?? "" });
  expect(again.proofs?.map(({ isFromLock }) => isFromLock)).toEqual([true, true]);
  expect(again.lock).toBe(first.lock);
  expect(again.proofs?.map(({ mutants, units }) => [mutants, units])).toEqual(
    first.proofs?.map(({ mutants, units }) => [mutants, units]),
  );
  // Words change nothing, a key changes both patterns, another seed too.
  const told = async (other: string, more = {}) => {
    const proof = await proveText(other, "x", { ...options, lock: first.lock ?? "", ...more });
    return proof.proofs?.map(({ isFromLock }) => isFromLock === true);
  };
  expect(await told(text.replace("name: The best", "name: The very best"))).toEqual([true, true]);
  expect(await told(text.replace("pad:4", "pad:5"))).toEqual([false, false]);
  expect(await told(text.replace("limit: 5", "limit: 4"))).toEqual([false, false]);
  expect(await told(text, { seed: 2 })).toEqual([false, false]);
  expect(await told(text, { all: true })).toEqual([false, false]);
});

test("a failure is not kept, and a lock that is damaged is of no use", async () => {
  const options = { now, seed: 1 };
  const right = await proveText(shop("{score|pad:4}#{orderId}"), "shop.yaml", options);
  expect(readLock(right.lock ?? "").kept.size).toBe(2);
  const text = shop("{score|pad:4}#{orderId}", stated("ascending"));
  const wrong = await proveText(text, "shop.yaml", { ...options, lock: right.lock ?? "" });
  expect(getExitCode(wrong)).toBe(1);
  expect(readLock(wrong.lock ?? "").kept.size).toBe(0);
  const damaged = await proveText(shop("{score|pad:4}#{orderId}"), "shop.yaml", {
    ...options,
    only: new Set(["change"]),
    lock: (right.lock ?? "").slice(0, -20),
  });
  expect(lockProblemText(damaged, "shop.lock.json")).toBe(
    "shop.lock.json was not used: it is no JSON. All is proved again.\n",
  );
  expect(damaged.proofs?.map(({ isFromLock }) => isFromLock)).toEqual([undefined]);
  expect([...readLock(damaged.lock ?? "").kept.keys()]).toEqual(["change"]);
});

const race = `keywright: 1
name: race
entities:
  Page:
    id: [pageId]
    count: 50
    version: revision
    attributes:
      pageId: { type: S, format: ulid }
      title: { type: S, bytes: 20 }
      hits: { type: N, digits: 4, counter: true }
      revision: { type: N, digits: 3 }
patterns:
  page: { name: Read, read: Page, where: { pageId: equals }, rps: { average: 1, peak: 1 } }
  hit: { name: Count, update: Page, where: { pageId: equals }, adds: { hits: 1 }, rps: { average: 1, peak: 1 } }
  edit: { name: Edit, update: Page, where: { pageId: equals }, changes: [title], condition: version, rps: { average: 1, peak: 1 } }
  make: { name: Make, create: Page, condition: absent, rps: { average: 1, peak: 1 } }
design:
  tables:
    Pages:
      key: { pageId: S }
      entities: { Page: { key: { pageId: "{pageId}" } } }
`;

test("clients at once: numbers add up, one change of a version comes through, an id is made once", async () => {
  const proofs = await proveModel(modelOf(race), { now });
  expect(proofs.map(({ verdict }) => verdict.kind)).toEqual([
    "proved",
    "proved",
    "proved",
    "proved",
  ]);
  const killed = (pattern: string) =>
    proofs
      .find((one) => one.pattern === pattern)
      ?.mutants.filter((one) => one.killed)
      .map(({ name }) => name);
  expect(killed("hit")).toEqual([
    "pageId lost in Pages.pageId of Page",
    "hits of Page is not added to",
  ]);
  // Without its condition all eight would come through.
  expect(killed("edit")).toContain("the condition on Page is left out");
  expect(killed("make")).toContain("the condition on Page is left out");
});

/** A client that looks first and writes then: right as long as nobody else does the same. */
const lookFirst: OpenWorld = async (model, tables) =>
  lookFirstOn(await openWorld(model, now, tables));

function lookFirstOn(world: World): World {
  const refused = new Error("refused");
  return {
    ...world,
    fork: async () => lookFirstOn(await world.fork()),
    isRefusal: (error) => error === refused || world.isRefusal(error),
    execute: async (operation, request) => {
      const update = request as {
        readonly TableName: string;
        readonly Key: object;
        readonly ConditionExpression?: string;
        readonly ExpressionAttributeValues?: Readonly<Record<string, object>>;
      };
      const found = /^(#n\d+) = (:v\d+)$/.exec(update.ConditionExpression ?? "");
      if (operation !== "UpdateItem" || found === null) return world.execute(operation, request);
      const { TableName, Key } = update;
      const { Item: item } = (await world.execute("GetItem", { TableName, Key })) as {
        readonly Item?: { readonly revision: object };
      };
      const asked = update.ExpressionAttributeValues?.[found[2] ?? ""];
      if (JSON.stringify(item?.revision) !== JSON.stringify(asked)) throw refused;
      const always = `${update.ConditionExpression} OR attribute_exists(${found[1]})`;
      return world.execute(operation, { ...update, ConditionExpression: always });
    },
  };
}

test("who looks first and writes then is found out by clients at once, and by nothing else", async () => {
  const proofs = await prove(modelOf(race), lookFirst, { now });
  expect(failuresIn(proofs)).toEqual([
    "edit: wrong: of 8 clients at once 8 came through, and 1 should",
  ]);
});

test("whatever is found under a key is deleted, also if that is nothing", async () => {
  const sessions = `keywright: 1
name: sessions
entities:
  Session:
    id: [token]
    count: 100
    attributes: { token: { type: S, format: uuid }, user: { type: S, bytes: 8, distinct: 40, mutable: false } }
patterns:
  out: { name: Log out everywhere, delete: Session, where: { user: equals }, rps: { average: 1, peak: 1 } }
  of: { name: Sessions of a user, read: Session, where: { user: equals }, limit: all, rps: { average: 1, peak: 1 } }
design:
  tables:
    Sessions:
      key: { token: S }
      entities: { Session: { key: { token: "{token}" } } }
      indexes: { ByUser: { key: { partition: user }, projection: keys } }
`;
  expect(await failures(sessions)).toEqual([]);
});
