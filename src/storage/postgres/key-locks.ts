import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import type { Bytes } from "../store.ts";

/**
 * Row locks do not lock missing rows, so keys are locked by name: advisory locks on 64-bit hashes, held
 * until the transaction has ended and is visible. Two keys with one hash only wait needlessly.
 */
export class KeyLocks {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  hashOf(key: Bytes): bigint {
    return createHash("sha256")
      .update(this.#schema)
      .update("\0")
      .update(key)
      .digest()
      .readBigInt64BE();
  }

  /** Waits for the locks in one order for all, so that no two transactions wait for each other. */
  async take(client: PoolClient, hashes: ReadonlySet<bigint>): Promise<void> {
    if (hashes.size === 0) return;
    await client.query({
      name: "take-locks",
      text: "SELECT pg_advisory_xact_lock(hash) FROM unnest($1::bigint[]) AS hash",
      values: [[...hashes].sort((a, b) => (a < b ? -1 : 1)).map(String)],
    });
  }

  /** Never waits: locks that come on top of others could close a circle. False if one is taken. */
  async tryTake(client: PoolClient, hashes: readonly bigint[]): Promise<boolean> {
    if (hashes.length === 0) return true;
    const { rows } = await client.query<{ taken: boolean }>({
      name: "try-locks",
      text: "SELECT bool_and(pg_try_advisory_xact_lock(hash)) AS taken FROM unnest($1::bigint[]) AS hash",
      values: [hashes.map(String)],
    });
    return rows[0]?.taken === true;
  }
}
