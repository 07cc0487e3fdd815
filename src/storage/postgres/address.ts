import { codeOf, StoreConnectionError } from "./errors.ts";

/** A database as messages name it. */
export interface PostgresPlace {
  readonly server: string;
  readonly user: string;
  readonly database: string;
}

/** A store's URL taken apart. `connectionString` holds the password; nothing else does. */
export interface PostgresAddress extends PostgresPlace {
  readonly connectionString: string;
  readonly schema: string | undefined;
  readonly connectionsMax: number | undefined;
}

/**
 * Takes `postgres://user:password@host:port/database`, with the client's own parameters and two of ours:
 * `schema` and `connections`. Its complaints never repeat the URL, which may hold a password.
 */
export function parseAddress(text: string): PostgresAddress {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    throw new StoreConnectionError(
      "A store is named by a URL such as postgres://user:password@host:5432/database.",
    );
  }
  const url = new URL(text);
  const schema = url.searchParams.get("schema") ?? undefined;
  const connectionsMax = countOf(url.searchParams.get("connections"));
  url.searchParams.delete("schema");
  url.searchParams.delete("connections");
  if (schema !== undefined && (schema === "" || Buffer.byteLength(schema) > 63)) {
    throw new StoreConnectionError("The store's schema is a name of 1 to 63 bytes.");
  }
  const user =
    url.searchParams.get("user") ??
    (decodeURIComponent(url.username) || (process.env.PGUSER ?? process.env.USER ?? ""));
  const database = decodeURIComponent(url.pathname.slice(1)) || (process.env.PGDATABASE ?? user);
  const host =
    url.searchParams.get("host") ?? (url.hostname || (process.env.PGHOST ?? "localhost"));
  const server = `${host}:${url.port || (process.env.PGPORT ?? "5432")}`;
  return { connectionString: url.href, schema, connectionsMax, server, user, database };
}

function countOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const count = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (count < 2) {
    throw new StoreConnectionError("The store's connections are a number from 2 to 9999.");
  }
  return count;
}

/** What keeps a store from being opened, said in a sentence; other errors are passed on as they are. */
export function explainFailure(error: unknown, place: PostgresPlace): unknown {
  const sentence = failureSentence(error, place);
  return sentence === undefined ? error : new StoreConnectionError(sentence, { cause: error });
}

/** A failure of the server or of a connection in a sentence; undefined for all other errors. */
export function failureSentence(
  error: unknown,
  { server, user, database }: PostgresPlace,
): string | undefined {
  const message = error instanceof Error ? error.message : "";
  switch (codeOf(error)) {
    case "ECONNREFUSED":
    case "ENOENT":
      return `PostgreSQL at ${server} cannot be reached: nothing listens there.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `PostgreSQL at ${server} cannot be reached: the name is not known.`;
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ENETDOWN":
      return `PostgreSQL at ${server} cannot be reached: it does not answer.`;
    case "ECONNRESET":
    case "ECONNABORTED":
    case "EPIPE":
      return `PostgreSQL at ${server} closed the connection.`;
    case "28P01":
      return `PostgreSQL at ${server} does not accept the password of user ${user}.`;
    case "28000":
      return `PostgreSQL at ${server} does not let user ${user} in (${message}).`;
    case "3D000":
      return `PostgreSQL at ${server} has no database ${database}.`;
    case "42501":
      return `User ${user} may not make Keywright's tables in database ${database} (${message}).`;
    case "53300":
      return `PostgreSQL at ${server} has no connection left.`;
    case "57P01":
    case "57P02":
      return `PostgreSQL at ${server} closed the connection (${message}).`;
    case "57P03":
      return `PostgreSQL at ${server} is not ready yet (${message}).`;
  }
  if (/password must be a (non-empty )?string|password must not be empty/i.test(message)) {
    return `PostgreSQL at ${server} asks for the password of user ${user}.`;
  }
  if (/does not support SSL/i.test(message)) {
    return `PostgreSQL at ${server} does not offer TLS; leave sslmode out of the URL.`;
  }
  if (/^(timeout e|Query read timeout)|due to connection timeout/i.test(message)) {
    return `PostgreSQL at ${server} cannot be reached: it does not answer.`;
  }
  if (/^(Connection terminated|Client has encountered)/.test(message)) {
    return `PostgreSQL at ${server} closed the connection.`;
  }
  return undefined;
}
