import { comparePositions, noSort, type Position } from "./position.ts";

const sampleSize = 256;

interface Slot {
  hash: number;
  sort: Uint8Array;
}

/**
 * The latest accesses to a partition, thinned out: where its load lies, in the order of time. Positions
 * are copied, so that callers may use theirs again.
 */
export class AccessSample {
  readonly #slots: Slot[] = [];
  #next = 0;
  #stride = 1;
  /** So many more accesses until one is kept. */
  #skip = 1;
  #kept = 0;
  #jitter = 1;

  add(position: Position): void {
    this.#skip -= 1;
    if (this.#skip > 0) return;
    this.#keep(position);
    this.#skip = this.#stride === 1 ? 1 : this.#nextSkip();
  }

  /** A minute ends: from now on the sample covers about as many requests as came in it. */
  endMinute(requests: number): void {
    this.#stride = Math.max(1, Math.floor(requests / sampleSize));
    this.#kept = 0;
  }

  get size(): number {
    return this.#slots.length;
  }

  /** The oldest first. */
  inOrder(): readonly Position[] {
    const oldest = this.#slots.length < sampleSize ? 0 : this.#next;
    const slots = [...this.#slots.slice(oldest), ...this.#slots.slice(0, oldest)];
    return slots.map(({ hash, sort }) => ({ hash, sort }));
  }

  #keep({ hash, sort }: Position): void {
    const copy = sort.length === 0 ? noSort : sort.slice();
    const slot = this.#slots[this.#next];
    if (slot === undefined) this.#slots.push({ hash, sort: copy });
    else {
      slot.hash = hash;
      slot.sort = copy;
    }
    this.#next = (this.#next + 1) % sampleSize;
    this.#kept += 1;
    // More came within the minute than was foreseen: keep fewer of them.
    if (this.#kept % sampleSize === 0) this.#stride *= 2;
  }

  /**
   * From 1 to twice the stride, without a pattern: accesses that take turns among keys would otherwise
   * always be met at the same key.
   */
  #nextSkip(): number {
    this.#jitter = (Math.imul(this.#jitter, 1_664_525) + 1_013_904_223) >>> 0;
    return 1 + Math.floor((this.#jitter / 2 ** 32) * (2 * this.#stride - 1));
  }
}

export interface Frequency {
  readonly position: Position;
  readonly count: number;
}

/** The positions by how often they occur, the most frequent first. */
export function mostFrequent(
  positions: readonly Position[],
  same: (a: Position, b: Position) => boolean = (a, b) => comparePositions(a, b) === 0,
): readonly Frequency[] {
  const found: { position: Position; count: number }[] = [];
  for (const position of [...positions].sort(comparePositions)) {
    const last = found.at(-1);
    if (last !== undefined && same(last.position, position)) last.count += 1;
    else found.push({ position, count: 1 });
  }
  return found.sort((a, b) => b.count - a.count);
}
