import type { PoolClient } from "pg";
import { StoreFormatError } from "../errors.ts";

/** The quoted names of the tables in their schema. */
export interface Tables {
  readonly entries: string;
  readonly totals: string;
  /** A sequence. */
  readonly logNumbers: string;
  readonly format: string;
}

/** The statements that lead from one format to the next. */
export type Migration = (tables: Tables) => readonly string[];

/**
 * Format n is what the first n steps have made; a step that was released never changes.
 *
 * Entries are found by key, and only by key: the hash depends on it. It is there so that the table can
 * be distributed over servers (with Citus: `create_distributed_table('entries', 'hash')`, and `totals` by
 * counter), for which every unique index has to hold it; behind the key, the index still orders by keys.
 * The sequence then stays on the server where transactions begin.
 */
export const migrations: readonly Migration[] = [
  ({ entries, totals }) => [
    `CREATE TABLE ${entries} (
       hash bigint NOT NULL, key bytea NOT NULL, value bytea NOT NULL, PRIMARY KEY (key, hash))`,
    `CREATE TABLE ${totals} (counter bytea NOT NULL, count bigint NOT NULL, bytes bigint NOT NULL)`,
    `CREATE INDEX totals_by_counter ON ${totals} (counter)`,
  ],
  // Every number is drawn alone, so that they rise in the order of drawing also between processes.
  ({ logNumbers }) => [
    `CREATE SEQUENCE ${logNumbers} AS bigint MAXVALUE ${Number.MAX_SAFE_INTEGER} CACHE 1`,
  ],
];

export function tablesOf(schema: string): Tables {
  const quoted = quote(schema);
  return {
    entries: `${quoted}.entries`,
    totals: `${quoted}.totals`,
    logNumbers: `${quoted}.log_numbers`,
    format: `${quoted}.format`,
  };
}

/**
 * Makes what is missing and brings older tables up to date; several processes may do so at once. Tables
 * of a later format are left alone: throws `StoreFormatError`.
 */
export async function prepareSchema(
  client: PoolClient,
  schema: string,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const tables = tablesOf(schema);
  await client.query("BEGIN");
  try {
    // `IF NOT EXISTS` alone does not save two creators from each other.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [schema]);
    const version = await readVersion(client, schema, tables);
    if (version > steps.length) {
      throw new StoreFormatError(`schema ${schema}`, String(version), String(steps.length));
    }
    if (version === 0) {
      // Whoever may not create schemas can be given one.
      if (!(await exists(client, "SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]))) {
        await client.query(`CREATE SCHEMA ${quote(schema)}`);
      }
      await client.query(`CREATE TABLE ${tables.format} (version integer NOT NULL)`);
      await client.query(`INSERT INTO ${tables.format} VALUES (0)`);
    }
    for (const step of steps.slice(version)) {
      for (const statement of step(tables)) await client.query(statement);
    }
    if (version < steps.length) {
      await client.query(`UPDATE ${tables.format} SET version = $1`, [steps.length]);
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

async function readVersion(client: PoolClient, schema: string, tables: Tables): Promise<number> {
  const found = await exists(
    client,
    "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'format'",
    [schema],
  );
  if (!found) return 0;
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${tables.format}`);
  return rows[0]?.version ?? 0;
}

async function exists(client: PoolClient, text: string, values: unknown[]): Promise<boolean> {
  const { rows } = await client.query(text, values);
  return rows.length > 0;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
