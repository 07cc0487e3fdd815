import { mainTable, writeName } from "./tables.ts";

/** What one request does if it is carried out. */
export type Effect =
  /** The whole item afterwards, as text; null: there is none. */
  | { readonly kind: "write"; readonly key: string; readonly value: string | null }
  /** One is added to the number kept under the key. */
  | { readonly kind: "add"; readonly key: string };

export interface Sent {
  readonly what: "sent";
  readonly id: number;
  readonly operation: string;
  readonly effects: readonly Effect[];
}

/** Told by the writer: `sent` before it sends, the others when it has the answer. */
export type Note = Sent | { readonly what: "acknowledged" | "refused"; readonly id: number };

interface Attempt {
  readonly value: string | null;
  readonly sent: number;
  /** Infinity as long as there is no answer. */
  acknowledged: number;
}

interface Sum {
  /** As many as were acknowledged. */
  least: number;
  /** Those without an answer too. */
  most: number;
}

interface Open {
  readonly sent: Sent;
  readonly attempts: ReadonlyMap<string, Attempt>;
}

/**
 * What was asked of the server and what it has acknowledged, kept where no crash reaches it. Requests
 * may run at the same time, so there can be several values that a key may have: a value is out of the
 * question once another write was acknowledged that began after the value's own acknowledgement.
 */
export class Ledger {
  acknowledged = 0;
  acknowledgedWrites = 0;
  readonly #values = new Map<string, Attempt[]>();
  readonly #sums = new Map<string, Sum>();
  readonly #open = new Map<number, Open>();
  /** What this life has tried to write, by key and value, and what of it was refused. */
  readonly #made = new Map<string, Attempt>();
  readonly #refused = new Set<string>();
  #now = 0;

  note(note: Note): void {
    this.#now += 1;
    if (note.what === "sent") this.#send(note);
    else if (note.what === "refused") this.#refuse(note.id);
    else this.#acknowledge(note.id);
  }

  /** The values that the key may have. */
  possible(key: string): readonly (string | null)[] {
    return [...new Set(this.#attempts(key).map(({ value }) => value))];
  }

  sumOf(key: string): Readonly<Sum> {
    return this.#sum(key);
  }

  /** Requests that nobody has answered. */
  open(): readonly Sent[] {
    return [...this.#open.values()].map(({ sent }) => sent);
  }

  /** The attempt of this life to write a value under a key. */
  made(keyAndValue: string): Readonly<Attempt> | undefined {
    return this.#made.get(keyAndValue);
  }

  allMade(): Iterable<readonly [keyAndValue: string, attempt: Readonly<Attempt>]> {
    return this.#made;
  }

  allRefused(): Iterable<string> {
    return this.#refused;
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  sums(): readonly string[] {
    return [...this.#sums.keys()];
  }

  /** From now on the key has this value, whatever was attempted before. */
  settle(key: string, value: string | null): void {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, [{ value, sent: this.#now, acknowledged: this.#now }]);
  }

  settleSum(key: string, value: number): void {
    this.#sums.set(key, { least: value, most: value });
  }

  /** All that was open has been decided, and the keys were settled. */
  endLife(): void {
    this.#open.clear();
    this.#made.clear();
    this.#refused.clear();
  }

  #send(sent: Sent): void {
    const attempts = new Map<string, Attempt>();
    for (const effect of sent.effects) {
      if (effect.kind === "add") {
        this.#sum(effect.key).most += 1;
        continue;
      }
      const attempt = {
        value: effect.value,
        sent: this.#now,
        acknowledged: Number.POSITIVE_INFINITY,
      };
      this.#attempts(effect.key).push(attempt);
      attempts.set(effect.key, attempt);
      const made = nameOf(effect);
      if (made !== undefined) this.#made.set(made, attempt);
    }
    this.#open.set(sent.id, { sent, attempts });
  }

  #acknowledge(id: number): void {
    const { sent, attempts } = this.#take(id);
    this.acknowledged += 1;
    this.acknowledgedWrites += sent.effects.length;
    for (const effect of sent.effects) {
      if (effect.kind === "add") this.#sum(effect.key).least += 1;
    }
    for (const [key, attempt] of attempts) {
      attempt.acknowledged = this.#now;
      this.#values.set(
        key,
        this.#attempts(key).filter((other) => other.acknowledged >= attempt.sent),
      );
    }
  }

  #refuse(id: number): void {
    const { sent, attempts } = this.#take(id);
    for (const effect of sent.effects) {
      if (effect.kind === "add") this.#sum(effect.key).most -= 1;
      const made = nameOf(effect);
      if (made !== undefined && this.#made.delete(made)) this.#refused.add(made);
    }
    for (const [key, attempt] of attempts) {
      this.#values.set(
        key,
        this.#attempts(key).filter((other) => other !== attempt),
      );
    }
  }

  #take(id: number): Open {
    const open = this.#open.get(id);
    if (open === undefined) throw new Error(`an answer to request ${id}, which is not open`);
    this.#open.delete(id);
    return open;
  }

  #attempts(key: string): Attempt[] {
    let attempts = this.#values.get(key);
    if (attempts === undefined) {
      attempts = [{ value: null, sent: 0, acknowledged: 0 }];
      this.#values.set(key, attempts);
    }
    return attempts;
  }

  #sum(key: string): Sum {
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { least: 0, most: 0 };
      this.#sums.set(key, sum);
    }
    return sum;
  }
}

/** A write to the table that has a stream, as its records are looked up. */
function nameOf(effect: Effect): string | undefined {
  if (effect.kind !== "write" || effect.value === null) return undefined;
  return effect.key.startsWith(`${mainTable}/`) ? writeName(effect.key, effect.value) : undefined;
}
