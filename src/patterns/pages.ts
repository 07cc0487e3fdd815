import { ValueError } from "./numbers.ts";
import { decodeToken, encodeToken, type TokenOptions } from "./token.ts";
import type { Attributes } from "./values.ts";

/** Lists in pages: Query and Scan answer a megabyte at most, and less if asked to. */

/** What differs from page to page. */
export interface PageInput {
  ExclusiveStartKey?: Record<string, unknown>;
  Limit?: number;
}

export interface PageOutput<T> {
  readonly Items?: readonly T[] | undefined;
  readonly LastEvaluatedKey?: Attributes | undefined;
}

/** Sends a request with what differs put into it: `(page) => client.send(new QueryCommand({ ...input, ...page }))`. */
export type PageSend<T> = (page: PageInput) => Promise<PageOutput<T>>;

export interface PagesOptions {
  /** After which key to begin. */
  readonly start?: Attributes | undefined;
  /** The most items that the service looks at for a page. */
  readonly pageSize?: number | undefined;
}

function pageInput(start: Attributes | undefined, limit: number | undefined): PageInput {
  return {
    ...(start !== undefined && { ExclusiveStartKey: { ...start } }),
    ...(limit !== undefined && { Limit: limit }),
  };
}

/** All pages, one after the other; the next is asked for when it is wanted. */
export async function* eachPage<T>(
  send: PageSend<T>,
  { start, pageSize }: PagesOptions = {},
): AsyncGenerator<PageOutput<T>, void, undefined> {
  let next = start;
  do {
    const page = await send(pageInput(next, pageSize));
    yield page;
    next = page.LastEvaluatedKey;
  } while (next !== undefined);
}

/** All items of all pages, or the first `limit` of them. */
export async function* eachItem<T>(
  send: PageSend<T>,
  { limit = Number.POSITIVE_INFINITY, ...options }: PagesOptions & { readonly limit?: number } = {},
): AsyncGenerator<T, void, undefined> {
  let count = 0;
  if (limit <= 0) return;
  for await (const { Items: items = [] } of eachPage(send, options)) {
    for (const item of items) {
      yield item;
      count += 1;
      if (count >= limit) return;
    }
  }
}

/** All items in a list. For collections of which it is known that they are small. */
export async function allItems<T>(send: PageSend<T>, options: PagesOptions = {}): Promise<T[]> {
  const found: T[] = [];
  for await (const item of eachItem(send, options)) found.push(item);
  return found;
}

export interface ListPageOptions<T> extends TokenOptions {
  /** How many items are wanted. */
  readonly limit: number;
  /** What is listed and for whom: a token is good for this alone. */
  readonly scope: string;
  /** Where the page before ended. */
  readonly token?: string | undefined;
  /**
   * The whole key of an item, of the table and of the index. With it the service may look at more items at once
   * than are wanted, which saves requests where a filter drops many.
   */
  readonly keyOf?: ((item: T) => Attributes) | undefined;
  readonly pageSize?: number | undefined;
}

export interface ListPage<T> {
  readonly items: T[];
  /** For the page after; nothing if this is the last. A page after the last item can be empty, as in the service. */
  readonly token?: string;
}

/** Limits often come from outside, and the service would read the whole list for a limit that is none. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new ValueError(`a page of ${limit} items cannot be`);
  }
}

/**
 * A page of so many items, however many requests it takes: a filter can leave a page of the service with a few
 * items, or none, though there are more to come.
 */
export async function listPage<T>(
  send: PageSend<T>,
  options: ListPageOptions<T>,
): Promise<ListPage<T>> {
  const { limit, scope, token, keyOf, pageSize = 0 } = options;
  checkLimit(limit);
  const items: T[] = [];
  let next: Attributes | undefined =
    token === undefined ? undefined : decodeToken(token, scope, options);
  do {
    const rest = limit - items.length;
    const size = keyOf === undefined ? rest : Math.max(rest, pageSize);
    const page = await send(pageInput(next, size));
    const found = page.Items ?? [];
    next = page.LastEvaluatedKey;
    items.push(...found.slice(0, rest));
    const last = items.at(-1);
    if (found.length > rest && keyOf !== undefined && last !== undefined) next = keyOf(last);
  } while (next !== undefined && items.length < limit);
  return next === undefined ? { items } : { items, token: encodeToken(next, scope) };
}
