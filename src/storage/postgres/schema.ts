import type { Pool } from "pg";
import { StoreFormatError } from "../errors.ts";

export const postgresFormat = "keywright-postgres-1";

/** The quoted names of the tables in their schema. */
export interface Tables {
  readonly entries: string;
  readonly totals: string;
  readonly meta: string;
}

/** Makes what is missing; several processes may do so at once. */
export async function prepareSchema(pool: Pool, schema: string): Promise<Tables> {
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  const tables = {
    entries: `${quoted}.entries`,
    totals: `${quoted}.totals`,
    meta: `${quoted}.meta`,
  };
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    // `IF NOT EXISTS` alone does not save two creators from each other.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [schema]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted}`);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${tables.meta} (name text PRIMARY KEY, value text NOT NULL)`,
    );
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${tables.entries} (key bytea PRIMARY KEY, value bytea NOT NULL)`,
    );
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${tables.totals}
         (counter bytea NOT NULL, count bigint NOT NULL, bytes bigint NOT NULL)`,
    );
    await client.query(
      `CREATE INDEX IF NOT EXISTS totals_by_counter ON ${tables.totals} (counter)`,
    );
    await client.query(
      `INSERT INTO ${tables.meta} VALUES ('format', $1) ON CONFLICT (name) DO NOTHING`,
      [postgresFormat],
    );
    const { rows } = await client.query<{ value: string }>(
      `SELECT value FROM ${tables.meta} WHERE name = 'format'`,
    );
    const found = rows[0]?.value ?? "unknown";
    if (found !== postgresFormat) {
      throw new StoreFormatError(`schema ${schema}`, found, postgresFormat);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
  return tables;
}
