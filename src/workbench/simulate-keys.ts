import type { SeededRandom } from "../base/random.ts";
import { partitionHash } from "../item/key-encoding.ts";
import { hashOfBytes } from "../partitions/position.ts";
import { type Drawing, drawingOf, namesOf } from "./simulate-draw.ts";
import type { PartitionKeys, SortKeys } from "./simulate-workload.ts";

const hourMs = 3_600_000;
/** Numbers of keys are looked through to find a name, up to so many. */
const searchMax = 4_000_000;

/** Where partition keys lie: draws one, and tells the name of one. */
export class KeySource {
  readonly shards: number;
  readonly #keys: PartitionKeys;
  readonly #drawing: Drawing;
  /** Of keys with a name: by key, then by shard. */
  readonly #named: number[] | undefined;
  readonly #names = new Map<number, string>();
  readonly #salt: number;
  /** When the key that is a date is another one; never if it is none. */
  #dateUntil: number;
  #drawn = 0;

  constructor(keys: PartitionKeys) {
    this.#keys = keys;
    this.shards = keys.shards?.count ?? 1;
    this.#salt = hashOfText(keys.prefix) % 2 ** 32;
    const names = keys.draw.kind === "date" ? undefined : namesOf(keys.draw);
    this.#drawing = keys.draw.kind === "date" ? () => 0 : drawingOf(keys.draw);
    this.#named = keys.draw.kind === "date" ? [] : names && this.#place(names);
    this.#dateUntil = keys.draw.kind === "date" ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Draws a key, which stays until the next draw. */
  draw(random: SeededRandom, now: number): void {
    if (now >= this.#dateUntil) this.#turnPage(now);
    this.#drawn = this.#drawing(random);
  }

  /** A shard for a write: `sort` decides if it is calculated. */
  shardOf(random: SeededRandom, sort: number): number {
    if (this.shards === 1) return 0;
    return this.#keys.shards?.by === "random"
      ? random.below(this.shards)
      : mix(sort, 0) % this.shards;
  }

  /** Whether a reader of one item knows its shard. */
  get isKnown(): boolean {
    return this.#keys.shards?.by !== "random";
  }

  /** The hash of the drawn key. */
  hash(shard: number): number {
    const key = this.#drawn * this.shards + shard;
    return this.#named === undefined ? countedHash(key, this.#salt) : (this.#named[key] as number);
  }

  /** The name of a key, if it is one of these and known by name; `learn` makes it known. */
  name(hash: number): string | undefined {
    return this.#names.get(hash);
  }

  /** Counted keys have no names until somebody asks: looks through them once for all that are wanted. */
  learn(hashes: ReadonlySet<number>): void {
    const { draw, prefix, namesMax = searchMax } = this.#keys;
    if (this.#named !== undefined || !("count" in draw)) return;
    const count = Math.min(draw.count * this.shards, namesMax);
    for (let key = 0; key < count; key += 1) {
      const hash = countedHash(key, this.#salt);
      if (!hashes.has(hash)) continue;
      const name = `${prefix}${Math.floor(key / this.shards)}`;
      this.#names.set(hash, this.shards === 1 ? name : `${name}#${key % this.shards}`);
    }
  }

  /** Keys with names lie where they would in a table. */
  #place(names: readonly string[]): number[] {
    return names.flatMap((name) =>
      Array.from({ length: this.shards }, (_, shard) => {
        const full = this.shards === 1 ? name : `${name}#${shard}`;
        const hash = hashOfText(full);
        this.#names.set(hash, full);
        return hash;
      }),
    );
  }

  /** A new day, or a new hour, is a new key. */
  #turnPage(now: number): void {
    const { draw } = this.#keys;
    const every = draw.kind === "date" && draw.every === "hour" ? hourMs : 24 * hourMs;
    const begin = Math.floor(now / every) * every;
    this.#dateUntil = begin + every;
    const name = new Date(begin).toISOString().slice(0, every === hourMs ? 13 : 10);
    this.#named?.splice(0, this.#named.length, ...this.#place([name]));
  }
}

function hashOfText(text: string): number {
  return hashOfBytes(partitionHash([{ S: text }]));
}

/** Keys that are only counted: 48 bits that look like those of a hash, without making a name. */
function countedHash(key: number, salt: number): number {
  return mix(key, salt) * 65_536 + (mix(key, salt ^ 0x5bd1e995) >>> 16);
}

function mix(number: number, salt: number): number {
  let mixed = (number ^ salt ^ Math.imul(Math.floor(number / 2 ** 32), 0x27d4eb2f)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Eight bytes: the prefix by its rank, then the number. */
export const sortBytes = 8;

/** Sort keys: draws one, writes it down so that bytes order as keys do, tells its name. */
export class SortSource {
  readonly #keys: SortKeys;
  readonly #drawing: Drawing | undefined;
  readonly #names: readonly string[] | undefined;
  readonly #rank: number;
  #last = 0;

  /** `rank`: the place of the prefix among all prefixes. */
  constructor(keys: SortKeys, rank: number) {
    this.#keys = keys;
    this.#rank = rank;
    const { draw } = keys;
    if (draw.kind === "rising" || draw.kind === "falling") return;
    this.#drawing = drawingOf(draw);
    this.#names = namesOf(draw);
  }

  draw(random: SeededRandom, now: number): number {
    if (this.#drawing !== undefined) return this.#drawing(random);
    // As a time stamp with a counter for what happens in the same millisecond.
    this.#last = Math.max(this.#last + 1, now * stampsPerMs);
    return this.#keys.draw.kind === "rising" ? this.#last : 2 ** 53 - this.#last;
  }

  write(number: number, sort: Uint8Array): void {
    const high = Math.floor(number / 2 ** 32);
    const low = number >>> 0;
    sort[0] = this.#rank;
    sort[1] = high >>> 16;
    sort[2] = high >>> 8;
    sort[3] = high;
    sort[4] = low >>> 24;
    sort[5] = low >>> 16;
    sort[6] = low >>> 8;
    sort[7] = low;
  }

  /** Nothing if the sort key is not one of these. */
  name(sort: Uint8Array): string | undefined {
    if (sort[0] !== this.#rank) return undefined;
    let number = 0;
    for (let i = 1; i < sortBytes; i += 1) number = number * 256 + (sort[i] ?? 0);
    if (this.#names !== undefined) return this.#names[number];
    const { draw, prefix } = this.#keys;
    if (draw.kind !== "rising" && draw.kind !== "falling") return `${prefix}${number}`;
    const stamp = draw.kind === "rising" ? number : 2 ** 53 - number;
    return new Date(Math.floor(stamp / stampsPerMs)).toISOString();
  }
}

const stampsPerMs = 4_096;
