import { hash } from "node:crypto";
import { idempotentParameterMismatch } from "../api/errors/transaction.ts";
import { requestTokenMinutes } from "../api/limits.ts";
import type { Bytes, Store, Write } from "../storage/store.ts";
import { expiredTokens, tokenExpiryKey, tokenKey, tokenOfExpiryKey } from "./layout.ts";
import type { TokenWrites, WriteOutcome } from "./write.ts";

interface TokenRow {
  /** Of the request that used the token first. */
  readonly payload: string;
  readonly expiresAt: number;
  /** Per action the larger image's bytes: what a replay is charged for. */
  readonly bytes: readonly number[];
}

const sweepChunk = 100;

/** Remembers a transaction's client token: the same request again has no further effect. */
export class ReplayedTransaction {
  bytes: readonly number[] | undefined;
  readonly #key: Bytes;
  readonly #payload: string;
  readonly #now: number;

  constructor(namespace: string, token: string, payload: string, now: number) {
    this.#key = tokenKey(namespace, token);
    this.#payload = hash("sha256", payload, "base64");
    this.#now = now;
  }

  writes(): TokenWrites {
    return {
      readKey: this.#key,
      found: (row) => this.#found(row),
      record: (outcomes) => this.#record(outcomes),
    };
  }

  #found(bytes: Bytes | undefined): readonly WriteOutcome[] | undefined {
    this.bytes = undefined;
    if (bytes === undefined) return undefined;
    const row = JSON.parse(Buffer.from(bytes).toString()) as TokenRow;
    if (row.expiresAt <= this.#now) return undefined;
    if (row.payload !== this.#payload) throw idempotentParameterMismatch();
    this.bytes = row.bytes;
    return [];
  }

  #record(outcomes: readonly WriteOutcome[]): readonly Write[] {
    const expiresAt = this.#now + requestTokenMinutes * 60_000;
    const row: TokenRow = {
      payload: this.#payload,
      expiresAt,
      bytes: outcomes.map(({ before, after }) => Math.max(before?.size ?? 0, after?.size ?? 0)),
    };
    return [
      { kind: "put", key: this.#key, value: Buffer.from(JSON.stringify(row)) },
      { kind: "put", key: tokenExpiryKey(expiresAt, this.#key), value: Buffer.alloc(0) },
    ];
  }
}

/** Removes some of the tokens whose window is over. */
export async function sweepTokens(store: Store, now: number): Promise<void> {
  const page = await store.scan(expiredTokens(now), {
    limit: sweepChunk,
    bytesMax: Number.MAX_SAFE_INTEGER,
  });
  if (page.entries.length === 0) return;
  const tokens = page.entries.map(({ key }) => tokenOfExpiryKey(key));
  await store.commit(tokens, (rows) => {
    const writes: Write[] = [];
    page.entries.forEach(({ key }, i) => {
      writes.push({ kind: "delete", key });
      const row = rows[i];
      if (row === undefined) return;
      const { expiresAt } = JSON.parse(Buffer.from(row).toString()) as TokenRow;
      if (expiresAt <= now) writes.push({ kind: "delete", key: tokens[i] as Bytes });
    });
    return { writes, result: undefined };
  });
}
