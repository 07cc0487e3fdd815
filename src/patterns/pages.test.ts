import { describe, expect, test } from "vitest";
import { allItems, eachItem, eachPage, listPage, type PageInput } from "./pages.ts";

interface Row {
  readonly id: number;
}

/** A list of so many rows, of which a filter keeps some. A page is of 10 rows, or fewer if asked for. */
function list(count: number, keeps: (id: number) => boolean = () => true) {
  const inputs: PageInput[] = [];
  const send = async (page: PageInput) => {
    inputs.push(page);
    const start = page.ExclusiveStartKey === undefined ? 0 : Number(page.ExclusiveStartKey.id) + 1;
    const end = Math.min(count, start + Math.min(page.Limit ?? 10, 10));
    const Items: Row[] = [];
    for (let id = start; id < end; id += 1) if (keeps(id)) Items.push({ id });
    return end - start < Math.min(page.Limit ?? 10, 10)
      ? { Items }
      : { Items, LastEvaluatedKey: { id: end - 1 } };
  };
  return { send, inputs };
}

const ids = (items: readonly Row[]): number[] => items.map(({ id }) => id);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

describe("pages", () => {
  test("come one after the other", async () => {
    const { send, inputs } = list(25);
    expect(ids(await allItems(send))).toEqual(upTo(25));
    expect(inputs).toEqual([
      {},
      { ExclusiveStartKey: { id: 9 } },
      { ExclusiveStartKey: { id: 19 } },
    ]);
  });

  test("begin where they are told to, and are as small", async () => {
    const { send, inputs } = list(10);
    expect(ids(await allItems(send, { start: { id: 6 }, pageSize: 2 }))).toEqual([7, 8, 9]);
    expect(inputs[0]).toEqual({ ExclusiveStartKey: { id: 6 }, Limit: 2 });
  });

  test("are not asked for before they are wanted", async () => {
    const { send, inputs } = list(100);
    for await (const page of eachPage(send)) {
      expect(page.Items).toHaveLength(10);
      break;
    }
    expect(inputs).toHaveLength(1);
    const found: Row[] = [];
    for await (const item of eachItem(send, { limit: 20 })) found.push(item);
    expect(found).toHaveLength(20);
    expect(inputs).toHaveLength(3);
    for await (const item of eachItem(send, { limit: 0 })) expect.unreachable(String(item));
    expect(inputs).toHaveLength(3);
  });
});

describe("a page of a list", () => {
  const scope = "rows";

  test("is as long as asked, and its token leads on to the end", async () => {
    const { send } = list(25);
    const found: number[] = [];
    let token: string | undefined;
    let pages = 0;
    do {
      const page = await listPage(send, { limit: 7, scope, token });
      found.push(...ids(page.items));
      token = page.token;
      pages += 1;
    } while (token !== undefined);
    expect(found).toEqual(upTo(25));
    expect(pages).toBe(4);
  });

  test("is filled up where a filter drops most", async () => {
    const { send, inputs } = list(100, (id) => id % 10 === 9);
    const page = await listPage(send, { limit: 3, scope });
    expect(ids(page.items)).toEqual([9, 19, 29]);
    expect(inputs.length).toBeGreaterThan(10);
    const next = await listPage(send, { limit: 3, scope, token: page.token });
    expect(ids(next.items)).toEqual([39, 49, 59]);
  });

  test("takes fewer requests if it knows the keys of items, and loses none", async () => {
    const { send, inputs } = list(100, (id) => id % 2 === 1);
    const options = { scope, keyOf: ({ id }: Row) => ({ id }), pageSize: 10 };
    const page = await listPage(send, { ...options, limit: 3 });
    expect(ids(page.items)).toEqual([1, 3, 5]);
    expect(inputs).toEqual([{ Limit: 10 }]);
    const next = await listPage(send, { ...options, limit: 3, token: page.token });
    expect(ids(next.items)).toEqual([7, 9, 11]);
    const rest = await listPage(send, { ...options, limit: 1_000, token: next.token });
    expect(ids(rest.items)).toHaveLength(44);
    expect(rest.token).toBeUndefined();
  });

  test("has one item at least", async () => {
    const { send, inputs } = list(25);
    for (const limit of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(listPage(send, { limit, scope })).rejects.toThrow("cannot be");
    }
    expect(inputs).toEqual([]);
  });

  test("keeps a token to its scope", async () => {
    const { send } = list(25);
    const { token } = await listPage(send, { limit: 7, scope });
    await expect(listPage(send, { limit: 7, scope: "others", token })).rejects.toThrow("else");
    await expect(listPage(send, { limit: 7, scope, token, fixed: { id: 5 } })).rejects.toThrow(
      "else",
    );
  });
});
