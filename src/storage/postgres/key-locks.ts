import type { Bytes } from "../store.ts";
import { lockName } from "./key-hash.ts";

/** The server's table of locks is shared by all; by default it has room for some 6,400. */
export const locksMax = 500;

/**
 * The advisory locks of one transaction. Row locks do not lock missing rows, so keys are locked by name,
 * until the transaction has ended and is visible. All wait in one order, so no two wait for each other.
 *
 * One lock stands for all keys. Everybody shares it, but whoever needs more than `locksMax` others takes
 * it alone instead.
 */
export class KeyLocks {
  readonly #seed: number;
  readonly #exclusive = new Map<number, boolean>();
  #all = false;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** A shared key is only looked at: others may do so too. */
  want(key: Bytes, shared: boolean): void {
    this.#want(lockName(key, this.#seed), shared);
  }

  wantNames(names: readonly number[]): void {
    for (const name of names) this.#want(name, false);
  }

  wantAll(): void {
    this.#all = true;
  }

  #want(name: number, shared: boolean): void {
    if (!shared) this.#exclusive.set(name, true);
    else if (!this.#exclusive.has(name)) this.#exclusive.set(name, false);
    if (this.#exclusive.size > locksMax) this.#all = true;
  }

  /** In the order in which everybody takes them. */
  inOrder(): { readonly names: readonly number[]; readonly exclusive: readonly boolean[] } {
    const all = lockName(allKeys, this.#seed);
    if (this.#all) return { names: [all], exclusive: [true] };
    const names = [...this.#exclusive.keys()].sort((a, b) => a - b);
    const exclusive = names.map((name) => this.#exclusive.get(name) === true);
    return { names: [all, ...names], exclusive: [false, ...exclusive] };
  }

  /** What is still to be locked before these keys may be written; undefined if it is too much. */
  missing(keys: Iterable<{ readonly key: Bytes }>): readonly number[] | undefined {
    if (this.#all) return [];
    const names: number[] = [];
    for (const { key } of keys) {
      const name = lockName(key, this.#seed);
      if (this.#exclusive.get(name) !== true) names.push(name);
    }
    return names.length + this.#exclusive.size > locksMax ? undefined : names;
  }
}

/** Keys are not empty, so this is none. */
const allKeys = new Uint8Array();
