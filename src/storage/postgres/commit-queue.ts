import type { Pool, PoolClient } from "pg";
import type { WriteBatch } from "../write-batch.ts";
import { withRetries } from "./connections.ts";
import { codeOf, isPassing, isStatementError, outOfLocks, UncertainCommitError } from "./errors.ts";
import { type Commit, GroupCommit, type GroupResult } from "./group-commit.ts";
import { KeyLocks, locksMax } from "./key-locks.ts";
import type { Statements } from "./statements.ts";

interface Waiting extends Commit {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitQueueOptions {
  readonly pool: Pool;
  readonly statements: Statements;
  readonly runningMax: number;
  readonly lockSeed: number;
  readonly noticesOf: (written: WriteBatch) => readonly ReturnType<Statements["notify"]>[];
  readonly onWritten: (written: WriteBatch) => void;
}

const groupCommitsMax = 64;
/** A second connection is worth its statements only if the first has so many commits to carry out. */
const groupCommitsFull = 8;

/**
 * Commits that arrive together, or while all connections are busy, are carried out in one transaction:
 * what a transaction costs in round trips, statements and flushes is shared by all of them.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #waiting: Waiting[] = [];
  #running = 0;
  #scheduled = false;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  commit(commit: Commit): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...commit, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#running === this.#options.runningMax) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#waiting.length > 0 && this.#running < this.#options.runningMax) {
        void this.#run(this.#take());
      }
    });
  }

  #take(): Waiting[] {
    const { runningMax } = this.#options;
    const fair = Math.ceil(this.#waiting.length / (runningMax - this.#running));
    const share = Math.min(this.#waiting.length, Math.max(groupCommitsFull, fair));
    let count = 0;
    let keys = 0;
    while (count < share && count < groupCommitsMax) {
      keys += this.#waiting[count]?.readKeys.length ?? 0;
      // One that alone needs more than that is for `KeyLocks` to cope with.
      if (count > 0 && keys > locksMax / 2) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    this.#running += 1;
    try {
      await this.#settle(group);
    } finally {
      this.#running -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  async #settle(group: readonly Waiting[]): Promise<void> {
    try {
      const { answers, written } = await this.#carryOut(group);
      if (!written.empty) this.#options.onWritten(written);
      for (const [n, { resolve, reject }] of group.entries()) {
        const answer = answers[n];
        if (answer?.kind === "decided") resolve(answer.result);
        else reject(answer?.error);
      }
    } catch (error) {
      if (group.length > 1 && isOneCommitsFault(error)) {
        for (const one of group) await this.#settle([one]);
        return;
      }
      for (const { reject } of group) reject(error);
    }
  }

  async #carryOut(group: readonly Waiting[]): Promise<GroupResult> {
    const locks = new KeyLocks(this.#options.lockSeed);
    for (const { readKeys, sharedKeys } of group) {
      for (const [n, key] of readKeys.entries()) locks.want(key, n < sharedKeys);
    }
    for (;;) {
      const result = await withRetries(() => this.#attempt(group, locks));
      if (result !== undefined) return result;
    }
  }

  async #attempt(group: readonly Waiting[], locks: KeyLocks): Promise<GroupResult | undefined> {
    const { pool, statements, noticesOf } = this.#options;
    const client: PoolClient = await pool.connect();
    let broken: Error | undefined;
    const transaction = new GroupCommit(client, statements, locks, noticesOf);
    try {
      return await transaction.run(group);
    } catch (error) {
      if (isStatementError(error)) transaction.rollback();
      else broken = error instanceof Error ? error : new Error(String(error));
      if (!outOfLocks(error)) throw error;
      locks.wantAll();
      return undefined;
    } finally {
      client.release(broken);
    }
  }
}

/** A value that the server cannot take must not fail the commits that happen to share a transaction. */
function isOneCommitsFault(error: unknown): boolean {
  return (
    isStatementError(error) &&
    !(error instanceof UncertainCommitError) &&
    !isPassing(error) &&
    codeOf(error) !== "57014"
  );
}
