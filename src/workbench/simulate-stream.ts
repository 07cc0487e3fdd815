import { SeededRandom } from "../base/random.ts";
import { readUnits, tableWriteUnits, transactionFactor, writeUnits } from "../capacity/metering.ts";
import type { TableThroughput } from "../capacity/table-throughput.ts";
import type { Throttle } from "../capacity/throttling.ts";
import type { Direction } from "../capacity/throughput.ts";
import { hashSpace, noSort } from "../partitions/position.ts";
import { Arrivals } from "./simulate-arrivals.ts";
import { KeySource, SortSource, sortBytes } from "./simulate-keys.ts";
import {
  type Effect,
  isWrite,
  type PartitionKeys,
  type SortKeys,
  type Stream,
} from "./simulate-workload.ts";

/** The places of a request are the same objects for each request of a stream. */
interface MutableCharge {
  readonly index: string | undefined;
  readonly position: { hash: number; readonly sort: Uint8Array };
  units: number;
  readonly bytes: number;
}

/** Sources of keys by what they draw, so that streams share them, and the ranks of prefixes. */
export class Keys {
  readonly #ranks: readonly string[];
  readonly sorts: { readonly index: string | undefined; readonly source: SortSource }[] = [];
  readonly sources: { readonly index: string | undefined; readonly source: KeySource }[] = [];

  constructor(traffic: readonly Stream[]) {
    const all = traffic.flatMap(({ sort, effects }) => [sort, ...effects.map((one) => one.sort)]);
    this.#ranks = [...new Set(all.flatMap((sort) => sort?.prefix ?? []))].sort();
  }

  key(index: string | undefined, keys: PartitionKeys): KeySource {
    const source = new KeySource(keys);
    this.sources.push({ index, source });
    return source;
  }

  sort(index: string | undefined, keys: SortKeys): SortSource {
    const source = new SortSource(keys, 1 + this.#ranks.indexOf(keys.prefix));
    this.sorts.push({ index, source });
    return source;
  }
}

/** One place that a request touches, and how it is drawn. */
class Place {
  readonly charge: MutableCharge;
  readonly key: KeySource | undefined;
  readonly #sort: SortSource | undefined;

  constructor(
    keys: Keys,
    index: string | undefined,
    { key, sort }: { readonly key: PartitionKeys | undefined; readonly sort: SortKeys | undefined },
    units: number,
    bytes: number,
  ) {
    this.key = key && keys.key(index, key);
    this.#sort = sort && keys.sort(index, sort);
    const bytesOfSort = sort === undefined ? noSort : new Uint8Array(sortBytes);
    this.charge = { index, position: { hash: 0, sort: bytesOfSort }, units, bytes };
  }

  draw(random: SeededRandom, now: number): void {
    const { position } = this.charge;
    let sort = 0;
    if (this.#sort !== undefined) {
      sort = this.#sort.draw(random, now);
      this.#sort.write(sort, position.sort);
    }
    if (this.key === undefined) return;
    this.key.draw(random, now);
    position.hash = this.key.hash(this.key.shardOf(random, sort));
  }

  toShard(shard: number): void {
    if (this.key !== undefined) this.charge.position.hash = this.key.hash(shard);
  }
}

/** A stream of the workload while it runs. */
export class RunningStream {
  readonly stream: Stream;
  readonly direction: Direction;
  requests = 0;
  throttled = 0;
  /** When the next request comes, in milliseconds from the beginning. */
  next: number;
  readonly #arrivals: Arrivals;
  readonly #random: SeededRandom;
  readonly #places: readonly Place[];
  readonly #charges: readonly MutableCharge[];
  /** So many places share what a reader looks for without knowing where. */
  readonly #shards: number;
  /** A scan goes through the table page by page. */
  readonly #pageStep: number;

  constructor(stream: Stream, number: number, keys: Keys, seed: number, tableBytes: number) {
    this.stream = stream;
    this.direction = isWrite(stream.operation) ? "write" : "read";
    this.#random = new SeededRandom(seed, 2 * number);
    const poisson = stream.arrivals === "poisson";
    this.#arrivals = new Arrivals(
      stream.rate,
      poisson ? new SeededRandom(seed, 2 * number + 1) : undefined,
    );
    this.#places = isWrite(stream.operation)
      ? writePlaces(stream, keys)
      : [readPlace(stream, keys)];
    this.#charges = this.#places.map(({ charge }) => charge);
    const [first] = this.#places;
    const scatters =
      stream.operation === "query" || (stream.operation === "get" && first?.key?.isKnown === false);
    this.#shards = scatters ? (first?.key?.shards ?? 1) : 1;
    const pageBytes = Math.max(1, stream.items * stream.size);
    this.#pageStep = hashSpace / Math.max(1, Math.ceil(tableBytes / pageBytes));
    this.next = this.#arrivals.next();
  }

  /** Makes the request that is due; answers the limit that refused it, if one did. */
  request(table: TableThroughput, now: number): Throttle | undefined {
    this.next = this.#arrivals.next();
    this.requests += 1;
    for (let i = 0; i < this.#places.length; i += 1) {
      (this.#places[i] as Place).draw(this.#random, now);
    }
    if (this.stream.operation === "scan") this.#turnPage();
    const throttle =
      this.#shards === 1
        ? table.admit(this.direction, this.#charges, now)
        : this.#scatter(table, now);
    if (throttle !== undefined) this.throttled += 1;
    return throttle;
  }

  #scatter(table: TableThroughput, now: number): Throttle | undefined {
    let refused: Throttle | undefined;
    for (let shard = 0; shard < this.#shards; shard += 1) {
      (this.#places[0] as Place).toShard(shard);
      refused = table.admit(this.direction, this.#charges, now) ?? refused;
    }
    return refused;
  }

  #turnPage(): void {
    const { position } = (this.#places[0] as Place).charge;
    position.hash = (position.hash + this.#pageStep) % hashSpace;
  }
}

function readPlace(stream: Stream, keys: Keys): Place {
  const { operation, size, items, strong, transaction, index } = stream;
  const bytes = operation === "get" ? size : items * size;
  const own = transaction ? transactionFactor * readUnits(bytes, true) : readUnits(bytes, strong);
  const units = stream.units ?? own;
  // A local index lies with its table.
  return new Place(keys, index?.kind === "global" ? index.name : undefined, stream, units, 0);
}

function writePlaces(stream: Stream, keys: Keys): readonly Place[] {
  const { operation, size, sizeBefore, transaction, effects } = stream;
  const after = operation === "delete" ? 0 : size;
  const factor = transaction ? transactionFactor : 1;
  const units = stream.units ?? factor * tableWriteUnits(sizeBefore, after);
  const table = new Place(keys, undefined, stream, units, after - sizeBefore);
  const places = [table];
  for (const effect of effects) {
    const parts = entryParts(effect);
    // A local index lies with its table and uses its throughput.
    if (effect.index.kind === "local") {
      for (const part of parts) table.charge.units += part.units;
    } else {
      for (const part of parts) {
        places.push(new Place(keys, effect.index.name, effect, part.units, part.bytes));
      }
    }
  }
  return places;
}

/** An entry that moves is deleted in one place and inserted in another. */
function entryParts({ change, size, sizeBefore, units: own }: Effect): readonly {
  readonly units: number;
  readonly bytes: number;
}[] {
  if (own !== undefined) return [{ units: own, bytes: size - sizeBefore }];
  switch (change) {
    case "insert":
      return [{ units: writeUnits(size), bytes: size }];
    case "remove":
      return [{ units: writeUnits(size), bytes: -size }];
    case "update":
      return [{ units: tableWriteUnits(sizeBefore, size), bytes: size - sizeBefore }];
    case "move":
      return [
        { units: writeUnits(sizeBefore), bytes: -sizeBefore },
        { units: writeUnits(size), bytes: size },
      ];
  }
}
