import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ManualClock } from "../../src/base/clock.ts";
import { type RunningServer, startServer } from "../../src/index.ts";
import type { Model } from "../../src/model/model.ts";
import { exampleModel, hostileText } from "./examples.test-support.ts";
import {
  type Generated,
  generated,
  generatedFolder,
  notingClient,
} from "./typescript.test-support.ts";
import { awkwardModel, wideModel } from "./typescript-models.test-support.ts";

const now = Date.UTC(2026, 10, 16, 12);
let folder: ReturnType<typeof generatedFolder>;
beforeAll(() => {
  folder = generatedFolder();
});
afterAll(() => folder.remove());

type Functions = ReturnType<Generated["createAccess"]>;

/** Generated code on a server of its own, for as many clients as are asked for. */
function opened(name: string, model: Model) {
  const there = {} as { server: RunningServer; code: Generated; access: Functions };
  const clients: { destroy(): void }[] = [];
  const client = (options: object = {}): Functions => {
    const one = notingClient(there.server.url);
    clients.push(one);
    return there.code.createAccess(one, { now: () => now, ...options });
  };
  beforeAll(async () => {
    there.code = await generated(join(folder.path, name), model);
    there.server = await startServer({
      model: model.document,
      sample: false,
      clock: new ManualClock(now),
      // Deleted days later, as the service may do.
      ttlDelay: 1_000_000,
    });
    there.access = client();
  }, 60_000);
  afterAll(async () => {
    for (const one of clients) one.destroy();
    await there.server.close();
  });
  const call = (of: string, input: object, page?: object): Promise<unknown> =>
    (there.access[of] as Functions[string])(input, page);
  return { call, client, code: () => there.code.exports };
}

/** How many came through, and how the others were refused. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const names = await Promise.all(
    calls.map((one) =>
      one.then(
        () => "through",
        (error: unknown) => (error as Error).name,
      ),
    ),
  );
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const customer = (n: number, email = `c${n}@example.com`): object => ({
  customerId: `customer-${n}`,
  email,
  name: `Customer ${n}`,
  status: "active",
  createdAt: "2026-11-01T00:00:00.000Z",
});

const order = (n: number, customerId: string, status: string): object => ({
  orderId: `order-${String(n).padStart(3, "0")}`,
  customerId,
  createdAt: new Date(Date.UTC(2026, 9, 1) + ((n * 37) % 50) * 3_600_000).toISOString(),
  status,
  total: 100 + n,
  address: { city: "Bern" },
});

describe("eight clients at once", () => {
  const { call, client } = opened("shop", exampleModel("online-shop"));
  const eight = (run: (access: Functions, n: number) => Promise<unknown> | undefined) =>
    outcomes(Array.from({ length: 8 }, async (_, n) => run(client(), n)));

  test("an address belongs to one of them", async () => {
    const counts = await eight((access, n) =>
      access.signUp?.({
        customer: customer(n, n % 2 === 0 ? "One@example.com" : "one@EXAMPLE.com"),
      }),
    );
    expect(counts).toEqual({ through: 1, NotUniqueError: 7 });
    const found = (await call("customerByEMailAddress", { email: "oNe@example.com" })) as object;
    expect(found).toMatchObject({ orders: 0, version: 1, status: "active" });
  });

  test("a version is changed by one of them", async () => {
    await call("signUp", { customer: customer(20) });
    const change = {
      customerId: "customer-20",
      address: {},
      preferences: { news: true },
      version: 1,
    };
    const counts = await eight((access, n) =>
      access.changeAProfile?.({ ...change, name: `by ${n}` }),
    );
    expect(counts).toEqual({ through: 1, VersionConflictError: 7 });
    expect(await call("customersProfile", { customerId: "customer-20" })).toMatchObject({
      version: 2,
      preferences: { news: true },
      name: expect.stringMatching(/^by \d$/),
    });
  });

  test("no more is sold than there is, and every sale is counted", async () => {
    await call("signUp", { customer: customer(30) });
    const product = { productId: "p", name: "Pen", category: "Desk", price: 3, description: "d" };
    await call("offerAProduct", { product: { ...product, stock: 5 } });
    const counts = await eight((access, n) =>
      access.placeAnOrder?.({
        order: order(900 + n, "customer-30", "open"),
        orderItems: [
          {
            orderId: `order-${900 + n}`,
            position: 1,
            productId: "p",
            productName: "Pen",
            quantity: 1,
            price: 3,
          },
        ],
        productId: ["p"],
        customerId: "customer-30",
      }),
    );
    expect(counts).toEqual({ through: 5, ConditionFailedError: 3 });
    expect(await call("product", { productId: "p" })).toEqual({ ...product, stock: 0 });
    expect(await call("customersProfile", { customerId: "customer-30" })).toMatchObject({
      orders: 5,
    });
    const { items } = (await call("ordersOfACustomer", { customerId: "customer-30" })) as {
      items: { orderId: string }[];
    };
    expect(items).toHaveLength(5);
    const [first] = items;
    expect(await call("orderWithItsItems", { orderId: first?.orderId })).toMatchObject({
      order: { orderId: first?.orderId },
      orderItems: [{ position: 1 }],
    });
  });

  test("what is there is not made again, and what is not is not changed", async () => {
    const product = { productId: "q", name: "Ink", category: "Desk", price: 3, description: "d" };
    expect(await eight((access) => access.offerAProduct?.({ product }))).toEqual({
      through: 1,
      AlreadyExistsError: 7,
    });
    const change = { productId: "none", name: "n", price: 1, description: "d" };
    expect(await eight((access) => access.changeAProduct?.(change))).toEqual({ NotFoundError: 8 });
    expect(await call("product", { productId: "none" })).toBeUndefined();
  });
});

describe("counters", () => {
  const { call, client } = opened("game", exampleModel("game-leaderboard"));

  test("count what eight clients do at once", async () => {
    const player = { playerId: "a", nick: "A", country: "ch", loadout: {} };
    await call("join", { player });
    const accesses = Array.from({ length: 8 }, () => client());
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => accesses[n % 8]?.count?.({ playerId: "a" })),
    );
    expect(await call("stats", { playerId: "a" })).toEqual({
      matches: 40,
      wins: 40,
      playedSeconds: 24_000,
    });
  });
});

describe("lists", () => {
  const { call } = opened("lists", exampleModel("online-shop"));
  const made = Array.from({ length: 45 }, (_, n) =>
    order(n, n < 40 ? "c1" : "c2", n % 3 === 0 ? "open" : "shipped"),
  ) as { orderId: string; customerId: string; createdAt: string; status: string }[];
  beforeAll(async () => {
    for (const id of ["c1", "c2"]) {
      await call("signUp", { customer: { ...customer(1, id), customerId: id } });
    }
    for (const one of made) {
      await call("placeAnOrder", {
        order: one,
        orderItems: [],
        productId: [],
        customerId: one.customerId,
      });
    }
  }, 60_000);

  async function all(of: string, input: object, limit: number): Promise<readonly unknown[][]> {
    const pages: unknown[][] = [];
    let token: string | undefined;
    do {
      const page = (await call(of, input, { limit, token })) as {
        items: unknown[];
        token?: string;
      };
      pages.push(page.items);
      token = page.token;
    } while (token !== undefined && pages.length < 100);
    return pages;
  }

  test("go on where a page ended", async () => {
    const pages = await all("ordersOfACustomer", { customerId: "c1" }, 7);
    expect(pages.slice(0, 5).map((one) => one.length)).toEqual([7, 7, 7, 7, 7]);
    const times = pages.flat().map((one) => (one as { createdAt: string }).createdAt);
    expect(times).toHaveLength(40);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test("of several partitions are one list, in order and without gaps", async () => {
    const open = made.filter(({ status }) => status === "open");
    for (const limit of [1, 4, 50]) {
      const pages = await all("ordersInAState", { status: "open" }, limit);
      const found = pages.flat() as typeof made;
      expect(found.map(({ createdAt }) => createdAt)).toEqual(
        open.map(({ createdAt }) => createdAt).toSorted(),
      );
      expect(new Set(found.map(({ orderId }) => orderId)).size).toBe(open.length);
    }
  });

  test("take no token of another list", async () => {
    const { token } = (await call("ordersOfACustomer", { customerId: "c1" }, { limit: 3 })) as {
      token: string;
    };
    for (const [of, input] of [
      ["ordersOfACustomer", { customerId: "c2" }],
      ["ordersInAState", { status: "open" }],
    ] as const) {
      await expect(call(of, input, { token })).rejects.toMatchObject({ name: "TokenError" });
    }
    await expect(
      call("ordersOfACustomer", { customerId: "c1" }, { token: "made up" }),
    ).rejects.toMatchObject({ name: "TokenError" });
  });
});

describe("items", () => {
  const { call } = opened("wide", wideModel());
  const person = {
    personId: "P",
    email: "p@example.com",
    nick: "p",
    city: "Bern",
    born: "2000-01-01",
    huge: 123456789012345678901234567890n,
    tags: new Set(["a"]),
    photo: new Uint8Array([1, 2, 3]),
    "is-open": true,
  };

  test("that have expired are left out, and those that are made expire when they should", async () => {
    await call("join", { person });
    const visit = { personId: "P", place: "x", seconds: 5 };
    await call("visit", { visit: { ...visit, at: "2026-11-16T11:00:00.000Z" } });
    await call("visit", {
      visit: { ...visit, at: "2026-11-16T10:00:00.000Z", until: now / 1_000 - 1 },
    });
    const span = {
      personId: "P",
      from: "2026-11-16T00:00:00.000Z",
      to: "2026-11-17T00:00:00.000Z",
    };
    expect(await call("recent", span)).toEqual({
      items: [{ ...visit, at: "2026-11-16T11:00:00.000Z", until: now / 1_000 + 30 * 86_400 }],
    });
    // Both were counted: the service has not deleted the other one yet.
    expect(await call("person", { personId: "P" })).toMatchObject({ visits: 2 });
  });

  test("keep their types", async () => {
    expect(await call("person", { personId: "P" })).toEqual({ ...person, revision: 1, visits: 2 });
    await call("tag", { personId: "P", tags: new Set(["b"]), log: [{ n: 1 }, "x"] });
    const { photo: _, ...rest } = person;
    expect(await call("person", { personId: "P" })).toEqual({
      ...rest,
      tags: new Set(["a", "b"]),
      log: [{ n: 1 }, "x"],
      revision: 1,
      visits: 2,
    });
  });

  test("give a unique value back when they change it", async () => {
    await call("move", { personId: "P", email: "new@example.com", city: "Basel", revision: 1 });
    expect(await call("known", { email: "p@example.com" })).toBeUndefined();
    expect(await call("known", { email: "NEW@example.com" })).toMatchObject({ revision: 2 });
    await call("join", { person: { ...person, personId: "Q", nick: "q" } });
    const taken = { personId: "Q", email: "new@example.com", city: "Basel", revision: 1 };
    await expect(call("move", taken)).rejects.toMatchObject({ name: "NotUniqueError" });
  });

  test("come in batches of any length", async () => {
    const notes = Array.from({ length: 130 }, (_, n) => ({
      noteId: `note-${n}`,
      personId: "P",
      text: "t",
      rank: n,
    }));
    await call("write", { notes });
    const best = (await call("notes", { personId: "P" })) as { items: { rank: number }[] };
    expect(best.items.map(({ rank }) => rank)).toEqual([129, 128, 127]);
    await call("forget", { noteId: notes.slice(20).map(({ noteId }) => noteId) });
    const left = (await call("notes", { personId: "P" }, { limit: 50 })) as { items: object[] };
    expect(left.items).toHaveLength(20);
    expect(await call("both", { personId: "P", noteId: "note-3" })).toMatchObject({
      person: { personId: "P" },
      note: notes[3],
    });
  });
});

describe("texts that are no code", () => {
  const { call, code } = opened("awkward", awkwardModel());

  test("are found as they were", async () => {
    const { setKey, tablesOf } = code() as {
      setKey: (values: object) => object;
      tablesOf: () => object;
    };
    expect(setKey({ constructor: "x" })).toEqual({ "p-k": `${hostileText}x` });
    expect(tablesOf()).toEqual({ class1: "class-1" });
    const one = { constructor: "x", "to-String": hostileText };
    await call("delete2", { set2: one });
    await call("delete2", {
      set2: { constructor: "y", "to-String": "plain", toString: hostileText },
    });
    expect(await call("getIt", { constructor: "x" })).toEqual(one);
    expect(await call("access2", {})).toEqual({ items: [one] });
    await call("turn", { constructor: "x", kind: "plain" });
    expect(await call("access2", {})).toEqual({ items: [] });
    await expect(call("turn", { constructor: "x", kind: hostileText })).rejects.toMatchObject({
      name: "ConditionFailedError",
    });
  });
});
