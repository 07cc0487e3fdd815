import { type ClientBase, type ClientConfig, Pool, type PoolClient, type QueryResult } from "pg";
import type { Durability } from "../store.ts";
import { isPassing, StoreConnectionError } from "./errors.ts";

/** No statement waits longer, for locks or anything else. */
export const statementTimeoutMs = 30_000;
/** For a server that does not answer at all, so later than its own timeout. */
const answerTimeoutMs = statementTimeoutMs + 10_000;
const connectTimeoutMs = 10_000;

const attemptsMax = 8;
const firstPauseMs = 10;
const longestPauseMs = 2_000;

export interface ConnectionOptions {
  readonly connectionString: string;
  readonly durability: Durability;
}

export function clientConfig({ connectionString }: ConnectionOptions): ClientConfig {
  return {
    connectionString,
    // Statements that do not depend on each other's answers share a round trip.
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    fallback_application_name: "keywright",
  };
}

export function makePool(options: ConnectionOptions, connectionsMax: number): Pool {
  const settings = sessionSettings(options.durability);
  const pool = new Pool({
    ...clientConfig(options),
    max: connectionsMax,
    idleTimeoutMillis: 60_000,
    onConnect: async (client: ClientBase) => {
      const { rows } = await client.query<{ fsync: string }>(settings);
      if (options.durability === "flush" && rows[0]?.fsync === "off") {
        throw new StoreConnectionError(
          "PostgreSQL is set to fsync = off and may lose what it has acknowledged; " +
            "turn fsync on, or ask for durability relaxed.",
        );
      }
    },
  });
  // A connection that breaks while idle is replaced; one that breaks in use fails what uses it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Resolves when every connection is closed; the pool itself does not wait for that. */
export async function closePool(pool: Pool): Promise<void> {
  let left = pool.totalCount;
  const closed = new Promise<void>((resolve) => {
    if (left === 0) resolve();
    pool.on("remove", () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  await pool.end();
  await closed;
}

/**
 * Every statement finds entries by their index, whatever the parameters, so plans are made once and
 * never by scanning. Whoever set a stronger `synchronous_commit` than ours keeps it.
 */
function sessionSettings(durability: Durability): string {
  const settings = [
    ["statement_timeout", String(statementTimeoutMs)],
    ["idle_in_transaction_session_timeout", String(2 * statementTimeoutMs)],
    ["default_transaction_isolation", "read committed"],
    ["plan_cache_mode", "force_generic_plan"],
    ["enable_seqscan", "off"],
    ["enable_bitmapscan", "off"],
    ["enable_hashjoin", "off"],
    ["enable_mergejoin", "off"],
    ["jit", "off"],
    ["bytea_output", "hex"],
  ].map(([name, value]) => `set_config('${name}', '${value}', false)`);
  settings.push(
    durability === "relaxed"
      ? "set_config('synchronous_commit', 'off', false)"
      : `CASE WHEN current_setting('synchronous_commit') = 'off'
           THEN set_config('synchronous_commit', 'on', false) END`,
  );
  return `SELECT current_setting('fsync') AS fsync, ${settings.join(", ")}`;
}

/** Sends several statements in one packet; all have been answered when it resolves. */
export function inOneTrip(
  client: PoolClient,
  send: () => readonly Promise<QueryResult>[],
): Promise<PromiseSettledResult<QueryResult>[]> {
  const { stream } = client.connection;
  stream.cork();
  try {
    return Promise.allSettled(send());
  } finally {
    stream.uncork();
  }
}

/** Tries again what failed in passing; `work` must be safe to repeat after such a failure. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attemptsMax || !isPassing(error)) throw error;
      const pause = Math.min(longestPauseMs, firstPauseMs * 3 ** (attempt - 1));
      // Those who met in a conflict should not meet again.
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }
}
