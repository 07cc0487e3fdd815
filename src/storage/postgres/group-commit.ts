import type { PoolClient, QueryResult } from "pg";
import { assert } from "../../base/assert.ts";
import { latin1Of } from "../../base/bytes.ts";
import type { Bytes, Decision } from "../store.ts";
import { WriteBatch } from "../write-batch.ts";
import { inOneTrip } from "./connections.ts";
import { isServerError, isStatementError, UncertainCommitError } from "./errors.ts";
import type { KeyLocks } from "./key-locks.ts";
import { placeRows } from "./read-queue.ts";
import type { FoundRow, Statements } from "./statements.ts";

export interface Commit {
  readonly readKeys: readonly Bytes[];
  /** So many of the first keys are only looked at. */
  readonly sharedKeys: number;
  readonly decide: (values: readonly (Bytes | undefined)[]) => Decision<unknown>;
}

/** What one commit of a group came to. */
export type Answer =
  | { readonly kind: "decided"; readonly result: unknown }
  | { readonly kind: "refused"; readonly error: unknown };

export interface GroupResult {
  readonly answers: readonly Answer[];
  readonly written: WriteBatch;
}

/** One transaction that carries out several commits, one after the other, all or none. */
export class GroupCommit {
  readonly #client: PoolClient;
  readonly #statements: Statements;
  readonly #locks: KeyLocks;
  readonly #noticesOf: (written: WriteBatch) => readonly QueryInput[];

  constructor(
    client: PoolClient,
    statements: Statements,
    locks: KeyLocks,
    noticesOf: (written: WriteBatch) => readonly QueryInput[],
  ) {
    this.#client = client;
    this.#statements = statements;
    this.#locks = locks;
    this.#noticesOf = noticesOf;
  }

  /**
   * Locks the keys, reads them in a snapshot taken after that, decides, locks the other keys that are
   * written, writes. All locks are held to the end, which makes commits serialisable, also between
   * processes. The second locks are only tried, because waiting for them could close a circle: if one
   * is taken the answer is undefined, and `locks` holds what has to be locked beforehand next time.
   *
   * Takes two round trips, and one more if keys are written that were not read. When it throws, the
   * transaction is undone, except for `UncertainCommitError`.
   */
  async run(commits: readonly Commit[]): Promise<GroupResult | undefined> {
    const values = await this.#lockAndRead(commits.flatMap(({ readKeys }) => readKeys));
    const written = new WriteBatch();
    const answers = decideAll(commits, values, written);
    if (written.empty) {
      this.rollback();
      return { answers, written };
    }
    const missing = this.#locks.missing(written.keys.values());
    if (missing === undefined) {
      this.#locks.wantAll();
      this.rollback();
      return undefined;
    }
    const statements = [...this.#writesOf(written), ...this.#noticesOf(written)];
    if (missing.length === 0) {
      await this.#finish(statements);
      return { answers, written };
    }
    if (!(await this.#tryLockAndWrite(missing, statements))) {
      this.#locks.wantNames(missing);
      this.rollback();
      return undefined;
    }
    await this.#finish([]);
    return { answers, written };
  }

  /** Nobody waits for it: what uses the connection next is sent behind it. */
  rollback(): void {
    this.#client.query("ROLLBACK").catch(() => {});
  }

  async #lockAndRead(keys: readonly Bytes[]): Promise<readonly (Bytes | undefined)[]> {
    const client = this.#client;
    const { names, exclusive } = this.#locks.inOrder();
    const [, , read] = fulfilled(
      await inOneTrip(client, () => [
        client.query("BEGIN"),
        client.query(this.#statements.lock(names, exclusive)),
        ...(keys.length === 0 ? [] : [client.query(this.#statements.readMany(keys))]),
      ]),
    );
    return read === undefined ? [] : placeRows(read.rows as FoundRow[], keys.length);
  }

  async #tryLockAndWrite(
    names: readonly number[],
    statements: readonly QueryInput[],
  ): Promise<boolean> {
    const client = this.#client;
    const [locked] = fulfilled(
      await inOneTrip(client, () => [
        client.query(this.#statements.tryLock(names)),
        ...statements.map((statement) => client.query(statement)),
      ]),
    );
    return locked?.rows[0]?.[0] === true;
  }

  #writesOf({ keys, counters, appends }: WriteBatch): QueryInput[] {
    const puts: Bytes[] = [];
    const values: Bytes[] = [];
    const deletes: Bytes[] = [];
    for (const { key, value } of keys.values()) {
      if (value === null) {
        deletes.push(key);
      } else {
        puts.push(key);
        values.push(value);
      }
    }
    const statements: QueryInput[] = [];
    if (puts.length > 0) statements.push(this.#statements.put(puts, values));
    if (deletes.length > 0) statements.push(this.#statements.delete(deletes));
    if (appends.length > 0) {
      statements.push(
        this.#statements.append(
          appends.map(({ log }) => log),
          appends.map(({ value }) => value),
        ),
      );
    }
    if (counters.size > 0) {
      const deltas = [...counters.values()];
      statements.push(
        this.#statements.add(
          deltas.map(({ counter }) => counter),
          deltas.map(({ count }) => count),
          deltas.map(({ bytes }) => bytes),
        ),
      );
    }
    return statements;
  }

  /**
   * Writes and commits. The server takes the statements in order, so if it has refused one of them there
   * was no commit. If the connection breaks before the commit is answered, nobody here can know: the
   * commit is neither repeated, which could apply it twice, nor acknowledged. The caller is told, as
   * the service tells its callers with an internal error.
   */
  async #finish(statements: readonly QueryInput[]): Promise<void> {
    const client = this.#client;
    const answers = await inOneTrip(client, () => [
      ...statements.map((statement) => client.query(statement)),
      client.query("COMMIT"),
    ]);
    const last = answers.pop();
    assert(last !== undefined, "a commit was sent");
    for (const answer of answers) {
      if (answer.status === "rejected" && isServerError(answer.reason)) throw answer.reason;
    }
    if (last.status === "fulfilled") {
      assert(last.value.command === "COMMIT", "a commit without a refused statement commits");
      return;
    }
    if (isStatementError(last.reason)) throw last.reason;
    throw new UncertainCommitError(last.reason);
  }
}

type QueryInput = ReturnType<Statements["lock"]>;

/** Each commit sees what those before it have decided. */
function decideAll(
  commits: readonly Commit[],
  values: readonly (Bytes | undefined)[],
  written: WriteBatch,
): Answer[] {
  let at = 0;
  return commits.map(({ readKeys, decide }) => {
    const own = values.slice(at, at + readKeys.length);
    at += readKeys.length;
    if (written.keys.size > 0) {
      for (let i = 0; i < own.length; i++) {
        const change = written.keys.get(latin1Of(readKeys[i] as Bytes));
        if (change !== undefined) own[i] = change.value ?? undefined;
      }
    }
    try {
      const { writes, result } = decide(own);
      written.add(writes);
      return { kind: "decided", result };
    } catch (error) {
      return { kind: "refused", error };
    }
  });
}

function fulfilled(answers: readonly PromiseSettledResult<QueryResult>[]): QueryResult[] {
  return answers.map((answer) => {
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  });
}
