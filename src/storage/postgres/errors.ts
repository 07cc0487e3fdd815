/** The server cannot be used: not reached, not let in, no such database. Never holds a password. */
export class StoreConnectionError extends Error {
  override readonly name = "StoreConnectionError";
}

/** The connection broke between sending a commit and its answer: it may have been applied. */
export class UncertainCommitError extends Error {
  override readonly name = "UncertainCommitError";

  constructor(cause: unknown) {
    super("PostgreSQL closed the connection during a commit, which may have been applied.", {
      cause,
    });
  }
}

/** PostgreSQL could not do its part; named by its code, which is all that a report of a defect shows. */
export class PostgresFailure extends Error {
  override readonly name: string;

  constructor(cause: Error, sentence = cause.message) {
    super(sentence, { cause });
    this.name = `PostgresFailure (${codeOf(cause) ?? cause.message})`;
  }
}

/**
 * The error that callers get: with a sentence as its message if there is one. Errors that do not come
 * from the server or its connection stay as they are.
 */
export function asFailure(error: unknown, sentence: string | undefined): unknown {
  const ours = error instanceof Error && (isServerError(error) || isPassing(error));
  return ours ? new PostgresFailure(error, sentence) : error;
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** An answer of the server, not a broken connection. */
export function isServerError(error: unknown): boolean {
  return error instanceof Error && "severity" in error && error.severity !== undefined;
}

/** An answer of the server after which the connection goes on: the transaction is surely undone. */
export function isStatementError(error: unknown): boolean {
  return error instanceof Error && "severity" in error && error.severity === "ERROR";
}

/** More locks than the server has room for. */
export const outOfLocks = (error: unknown): boolean => codeOf(error) === "53200";

const conflicts = new Set([
  "40001", // serialisation failure
  "40P01", // deadlock
  "55P03", // lock not available
]);
const outages = new Set([
  "57P01", // administrator's command
  "57P02", // crash of another server process
  "57P03", // starting up or shutting down
  "57P05", // idle for too long
  "53300", // too many connections
]);
const brokenSockets = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "ECONNABORTED",
  "ENOENT",
]);

/** Something that trying again may mend, provided that nothing was committed. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) {
    // The client says so without a code when the socket closes under a query.
    return (
      error instanceof Error &&
      /^(Connection terminated|Client has encountered)/.test(error.message)
    );
  }
  return (
    conflicts.has(code) || outages.has(code) || brokenSockets.has(code) || code.startsWith("08")
  );
}
