import type { AccessBase } from "./access.ts";
import { type BatchWrite, batchWrite } from "./batch.ts";
import {
  AlreadyExistsError,
  ConditionFailedError,
  failedMembers,
  isConditionFailed,
  NotFoundError,
  NotUniqueError,
  type PatternError,
  VersionConflictError,
} from "./errors.ts";
import { retried, sendTransaction } from "./retry.ts";
import type { TransactMember } from "./transact.ts";
import { keyIdentity, pickAttributes } from "./values.ts";

/** Writes of functions that are generated from a model. */

/** What it means if the condition of a write does not hold. */
export type RefusalKind = "exists" | "missing" | "version" | "unique" | "condition";

/** A write, and how its refusal is told. */
export interface Write {
  readonly member: TransactMember;
  readonly refusal: RefusalKind;
  /** What it is about, in the words of the model: `Customer`. */
  readonly of: string;
}

export function writeOf(member: TransactMember, refusal: RefusalKind, of: string): Write {
  return { member, refusal, of };
}

function refusalError({ refusal, of }: Write, cause: unknown): PatternError {
  switch (refusal) {
    case "exists":
      return new AlreadyExistsError(`${of} is there already`, { cause });
    case "missing":
      return new NotFoundError(`${of} is not there`, { cause });
    case "version":
      return new VersionConflictError(`${of} was changed meanwhile`, { cause });
    case "unique":
      return new NotUniqueError(`${of} belongs to another one already`, { cause });
    case "condition":
      return new ConditionFailedError(`${of} is not in the state that was asked for`, { cause });
  }
}

/** Writes one item. */
export async function writeOne(access: AccessBase, write: Write): Promise<void> {
  const { member } = write;
  try {
    await retried(() => sent(access, member), access.backoff);
  } catch (error) {
    throw isConditionFailed(error) ? refusalError(write, error) : error;
  }
}

function sent({ send }: AccessBase, member: TransactMember): Promise<unknown> {
  if ("Put" in member) return send.put(member.Put);
  if ("Update" in member) return send.update(member.Update);
  if ("Delete" in member) return send.delete(member.Delete);
  throw new TypeError("a check is part of a transaction");
}

/** Writes items one after the other: each for itself, so what was written stays if a later one is refused. */
export async function writeEach(access: AccessBase, writes: readonly Write[]): Promise<void> {
  for (const write of writes) await writeOne(access, write);
}

/**
 * Writes without two of one item, which no transaction may have. An item that is deleted under one key and put under
 * another may come to the same key, for what was set is what it was before: then it is put in place, if what had to
 * hold of the old one does. Of an item that only guards a value nothing is to be done.
 */
function writesOfOnce(writes: readonly Write[]): readonly Write[] {
  return writes.flatMap((write): readonly Write[] => {
    const { member } = write;
    if ("Delete" in member) return writes.some((put) => isPutBack(write, put)) ? [] : [write];
    const gone = writes.find((one) => isPutBack(one, write));
    if (gone === undefined || !("Delete" in gone.member) || !("Put" in member)) return [write];
    if (write.refusal === "unique") return [];
    const { Key: _, ...condition } = gone.member.Delete;
    return [{ ...gone, member: { Put: { ...condition, ...member.Put } } }];
  });
}

function isPutBack({ member: gone }: Write, { member: put }: Write): boolean {
  if (!("Delete" in gone) || !("Put" in put)) return false;
  const { TableName, Key } = gone.Delete;
  const there = pickAttributes(put.Put.Item, Object.keys(Key));
  return TableName === put.Put.TableName && keyIdentity(Key) === keyIdentity(there);
}

/** Writes all items or none. */
export async function writeTogether(access: AccessBase, all: readonly Write[]): Promise<void> {
  const writes = writesOfOnce(all);
  if (writes.length === 0) return;
  const input = { TransactItems: writes.map(({ member }) => member) };
  try {
    await sendTransaction<{ TransactItems: TransactMember[] }, unknown>(
      access.send.transactWrite,
      input,
      access.backoff,
    );
  } catch (error) {
    const [first] = failedMembers(error);
    const refused = first === undefined ? undefined : writes[first];
    throw refused === undefined ? error : refusalError(refused, error);
  }
}

/** Writes many items without conditions. */
export async function writeMany(
  access: AccessBase,
  writes: readonly BatchWrite[],
  keyNames: (table: string) => readonly string[],
): Promise<void> {
  await batchWrite(access.send.batchWrite, writes, {
    ...access.backoff,
    keyNames,
    concurrency: access.concurrency,
  });
}

/** What is made of an item, if there is one. */
export function ifThere<T, R>(item: T | undefined, make: (item: T) => R): readonly R[] {
  return item === undefined ? [] : [make(item)];
}
