import { checkLimit, type PageOutput, type PageSend } from "./pages.ts";
import { mapBounded } from "./parallel.ts";
import {
  checkFixed,
  decodeContent,
  encodeContent,
  TokenError,
  type TokenOptions,
} from "./token.ts";
import type { Attributes } from "./values.ts";

/** Many partitions read as if they were one: those of all shards, of several tenants, of each day. */

export interface GatherSource<T> {
  /** Tells it from the others in tokens: the shard's number, or the key of the partition. */
  readonly name: string;
  readonly send: PageSend<T>;
  /** What its positions must hold: its partition key. Tokens with another one are refused. */
  readonly fixed?: Attributes | undefined;
}

export interface GatherOptions<T> {
  /**
   * The order of the whole, in which every source is sorted already. Without it the sources are read
   * one after the other, in the order that they are handed in.
   */
  readonly compare?: ((a: T, b: T) => number) | undefined;
  /** How many sources are asked at once; 8 if nothing is said. */
  readonly concurrency?: number | undefined;
  /** The most items that the service looks at for a page of a source. */
  readonly pageSize?: number | undefined;
}

/** Where the reading of one source is. */
class SourceReader<T> {
  readonly source: GatherSource<T>;
  readonly #pageSize: number | undefined;
  #items: readonly T[] = [];
  #at = 0;
  /** Where the page that is held began, and where the next one does; null if there is none. */
  #start: Attributes | undefined;
  #next: Attributes | null | undefined;

  constructor(
    source: GatherSource<T>,
    start: Attributes | null | undefined,
    pageSize: number | undefined,
  ) {
    this.source = source;
    this.#start = start ?? undefined;
    this.#next = start;
    this.#pageSize = pageSize;
  }

  /** The item that comes next, if its page is there. */
  get head(): T | undefined {
    return this.#items[this.#at];
  }

  /** Nothing is held, and nothing more will come. */
  get isDone(): boolean {
    return this.#at >= this.#items.length && this.#next === null;
  }

  /** Reads on until there is an item or the end: pages can be empty where a filter is. */
  async fill(): Promise<void> {
    while (this.#at >= this.#items.length && this.#next !== null) {
      const start = this.#next;
      const page: PageOutput<T> = await this.source.send({
        ...(start !== undefined && { ExclusiveStartKey: { ...start } }),
        ...(this.#pageSize !== undefined && { Limit: this.#pageSize }),
      });
      this.#start = start;
      this.#items = page.Items ?? [];
      this.#at = 0;
      this.#next = page.LastEvaluatedKey ?? null;
    }
  }

  /** All items that are held. */
  takeAll(): readonly T[] {
    const items = this.#items.slice(this.#at);
    this.#at = this.#items.length;
    return items;
  }

  take(): T {
    const item = this.#items[this.#at] as T;
    this.#at += 1;
    return item;
  }

  /** After which key to go on: the last item that was taken, or where the page began if none was. */
  position(keyOf: (item: T) => Attributes): Attributes | null | undefined {
    if (this.#at >= this.#items.length) return this.#next;
    return this.#at === 0 ? this.#start : keyOf(this.#items[this.#at - 1] as T);
  }
}

/** All items of all sources in their common order. A source is asked for more when its items are used up. */
export async function* gatherItems<T>(
  sources: readonly GatherSource<T>[],
  options: GatherOptions<T> = {},
): AsyncGenerator<T, void, undefined> {
  const { pageSize } = options;
  yield* merged(
    sources.map((source) => new SourceReader(source, undefined, pageSize)),
    options,
  );
}

/**
 * All items of all sources as they come, in no order: a parallel scan, whose sources are its segments. While the items
 * of a page are used, the next pages are under way.
 */
export async function* gatherUnordered<T>(
  sources: readonly GatherSource<T>[],
  { concurrency = 8, pageSize }: Omit<GatherOptions<T>, "compare"> = {},
): AsyncGenerator<T, void, undefined> {
  const waiting = sources.map((source) => new SourceReader(source, undefined, pageSize));
  const running = new Map<SourceReader<T>, Promise<SourceReader<T>>>();
  const start = (reader: SourceReader<T>): void => {
    const filled = reader.fill().then(() => reader);
    // Whoever waits hears of a failure; nobody may be waiting yet, or any more.
    filled.catch(() => {});
    running.set(reader, filled);
  };
  for (;;) {
    for (const reader of waiting.splice(0, Math.max(1, concurrency) - running.size)) start(reader);
    if (running.size === 0) return;
    const reader = await Promise.race(running.values());
    running.delete(reader);
    const items = reader.takeAll();
    if (!reader.isDone) start(reader);
    yield* items;
  }
}

async function* merged<T>(
  readers: readonly SourceReader<T>[],
  options: GatherOptions<T>,
): AsyncGenerator<T, void, undefined> {
  const { compare, concurrency = 8 } = options;
  if (compare === undefined) {
    for (const reader of readers) {
      for (await reader.fill(); !reader.isDone; await reader.fill()) yield reader.take();
    }
    return;
  }
  await mapBounded(readers, concurrency, (reader) => reader.fill());
  let open = readers.filter((reader) => !reader.isDone);
  while (open.length > 0) {
    const first = firstOf(open, compare);
    yield first.take();
    await first.fill();
    if (first.isDone) open = open.filter((reader) => reader !== first);
  }
}

/** The one whose item comes first; of equals the one that was handed in first. */
function firstOf<T>(
  readers: readonly SourceReader<T>[],
  compare: (a: T, b: T) => number,
): SourceReader<T> {
  return readers.reduce((best, reader) =>
    compare(reader.head as T, best.head as T) < 0 ? reader : best,
  );
}

export interface GatherPageOptions<T> extends GatherOptions<T>, Omit<TokenOptions, "fixed"> {
  readonly limit: number;
  /** What is gathered and for whom: a token is good for this alone. */
  readonly scope: string;
  readonly token?: string | undefined;
  /** The whole key of an item, of the table and of the index: a position inside a page. */
  readonly keyOf: (item: T) => Attributes;
}

/**
 * A page over all sources, with a token that holds where each of them is. Items that were read and
 * not taken are read again for the next page, so the page size is best not far above the limit.
 */
export async function gatherPage<T>(
  sources: readonly GatherSource<T>[],
  options: GatherPageOptions<T>,
): Promise<{ readonly items: T[]; readonly token?: string }> {
  const { limit, scope, token, keyOf, pageSize = limit } = options;
  checkLimit(limit);
  const positions = token === undefined ? undefined : positionsIn(token, sources, options);
  const readers = sources.map(
    (source) => new SourceReader(source, positions?.get(source.name), pageSize),
  );
  const items: T[] = [];
  for await (const item of merged(readers, options)) {
    items.push(item);
    if (items.length >= limit) break;
  }
  if (readers.every((reader) => reader.isDone)) return { items };
  const reached = new Map<string, Attributes | null>();
  for (const reader of readers) {
    const position = reader.position(keyOf);
    if (position !== undefined) reached.set(reader.source.name, position);
  }
  return { items, token: encodeContent({ kind: "sources", sources: reached }, scope) };
}

function positionsIn<T>(
  token: string,
  sources: readonly GatherSource<T>[],
  options: GatherPageOptions<T>,
): ReadonlyMap<string, Attributes | null> {
  const content = decodeContent(token, options.scope, { wrapNumber: options.wrapNumber });
  if (content.kind !== "sources") {
    throw new TokenError("this is the token of another kind of list");
  }
  const known = new Map(sources.map((source) => [source.name, source]));
  for (const [name, position] of content.sources) {
    const source = known.get(name);
    if (source === undefined) throw new TokenError("this is a token of other sources");
    if (position !== null && source.fixed !== undefined) checkFixed(position, source.fixed);
  }
  return content.sources;
}
