import type { AccessBase } from "./access.ts";
import { type BatchWrite, batchWrite } from "./batch.ts";
import { allOf, type Condition } from "./conditions.ts";
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
import { UpdateBuilder } from "./expression.ts";
import { sameValue } from "./holds.ts";
import { sumNumbers } from "./numbers.ts";
import { retried, sendTransaction } from "./retry.ts";
import {
  type CheckMember,
  checkMember,
  partsOf,
  type TransactMember,
  type UpdateMember,
  updateMember,
} from "./transact.ts";
import { type Attributes, keyIdentity, pickAttributes } from "./values.ts";

/** Writes of functions that are generated from a model. */

/** What it means if the condition of a write does not hold. */
export type RefusalKind = "exists" | "missing" | "version" | "unique" | "condition";

/** A write, and how its refusal is told. */
export interface Write {
  readonly member: TransactMember;
  readonly refusal: RefusalKind;
  /** What it is about, in the words of the model: `Customer`. */
  readonly of: string;
  /** What it adds to aggregates of its item. */
  readonly numbers?: Numbers;
  /** The caller names it: it is never joined with a write of the same item, and the service refuses the two. */
  readonly isStated?: true;
  /** Whose value it releases: the attributes of the unique item beside its key. */
  readonly owner?: Attributes;
}

/** What is added to the numbers of an item, by attribute; what is undefined changes nothing. */
export type Numbers = Readonly<Record<string, number | bigint | undefined>>;

export function writeOf(member: TransactMember, refusal: RefusalKind, of: string): Write {
  return { member, refusal, of };
}

/** The deletion of a unique item, beside the put of such an item for this owner or another one. */
export function releaseOf(member: TransactMember, of: string, owner: Attributes): Write {
  return { member, refusal: "version", of, owner };
}

/** A write beside others of the same kind of item, which the caller names, too. */
export function statedWrite(member: TransactMember, refusal: RefusalKind, of: string): Write {
  return { member, refusal, of, isStated: true };
}

/** Adds to aggregates of an item, because something else is written. */
export function countIn(
  of: string,
  table: string,
  key: Attributes,
  numbers: Numbers,
  condition: Condition | undefined,
): Write {
  const there = Object.entries(numbers).filter(([, number]) => Number(number ?? 0) !== 0);
  // Where nothing is added, the item must be there all the same.
  if (condition !== undefined && there.length === 0) {
    return { member: checkMember(table, key, condition), refusal: "missing", of, numbers: {} };
  }
  const update = new UpdateBuilder();
  for (const [name, number] of there) update.add(name, number);
  return { member: updateMember(table, key, update, condition), refusal: "missing", of, numbers };
}

/** The sum of some numbers without that of others; what is missing counts as nothing. */
export function totalOf(
  added: readonly (number | bigint | undefined)[],
  taken: readonly (number | bigint | undefined)[] = [],
): number | bigint | undefined {
  const values = [
    ...added.filter((one) => one !== undefined),
    ...taken.filter((one) => one !== undefined).map((one) => -one),
  ];
  if (values.length === 0) return undefined;
  const sum = sumNumbers(values);
  return values.every((one) => typeof one === "bigint") ? BigInt(sum) : Number(sum);
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
 * hold of the old one does. Nothing is to be done for a unique item that stays with its owner; one that gets another owner
 * is replaced. What several writes add to the aggregates of one item is one update, also if the item is checked or
 * updated besides.
 */
function writesOfOnce(writes: readonly Write[]): readonly Write[] {
  const all: (Write | undefined)[] = [];
  for (const write of writes) {
    const at = all.findIndex((one) => one !== undefined && isOfOne(one, write));
    const other = all[at];
    if (other === undefined) all.push(write);
    else all[at] = joined(other, write);
  }
  return all.filter((one) => one !== undefined);
}

function isOfOne(a: Write, b: Write): boolean {
  return isCountedWith(a, b) || isPutBack(a, b) || isPutBack(b, a);
}

function joined(a: Write, b: Write): Write | undefined {
  const [gone, put] = "Delete" in a.member ? [a, b] : [b, a];
  if (!("Delete" in gone.member) || !("Put" in put.member)) return together(a, b);
  if (put.refusal === "unique") {
    const { TableName, Item } = put.member.Put;
    const isSame = Object.entries(gone.owner ?? {}).every(([name, value]) =>
      sameValue(value, Item[name]),
    );
    return isSame ? undefined : { ...put, member: { Put: { TableName, Item } } };
  }
  const { Key: _, ...condition } = gone.member.Delete;
  return { ...gone, member: { Put: { ...condition, ...put.member.Put } } };
}

/** Whether two writes update or check one item, and one of them only because it counts something else. */
function isCountedWith(a: Write, b: Write): boolean {
  if (a.numbers === undefined && b.numbers === undefined) return false;
  const [one, other] = [changeOf(a.member), changeOf(b.member)];
  if (one === undefined || other === undefined || one.TableName !== other.TableName) return false;
  return keyIdentity(one.Key) === keyIdentity(other.Key);
}

type Change = UpdateMember["Update"] | CheckMember["ConditionCheck"];

function changeOf(member: TransactMember): Change | undefined {
  if ("Update" in member) return member.Update;
  return "ConditionCheck" in member ? member.ConditionCheck : undefined;
}

function together(a: Write, b: Write): Write {
  const [counted, other] = a.numbers === undefined ? [b, a] : [a, b];
  const { numbers: more = {}, member } = counted;
  const { TableName: table = "", Key: key = {} } = changeOf(member) ?? {};
  const { condition } = partsOf(member);
  if (other.numbers !== undefined) {
    const names = new Set([...Object.keys(more), ...Object.keys(other.numbers)]);
    const sums = [...names].map((name) => [name, totalOf([more[name], other.numbers?.[name]])]);
    return countIn(counted.of, table, key, Object.fromEntries(sums), condition);
  }
  const own = partsOf(other.member);
  const update = own.update ?? new UpdateBuilder();
  for (const [name, number] of Object.entries(more)) {
    if (number !== undefined) update.add(name, number);
  }
  const all = allOf(own.condition, condition);
  const isSame = update.isEmpty && all !== undefined;
  const joined = isSame ? checkMember(table, key, all) : updateMember(table, key, update, all);
  return { ...other, member: joined };
}

function isPutBack(a: Write, b: Write): boolean {
  const [{ member: gone }, { member: put }] = [a, b];
  if (a.isStated || b.isStated) return false;
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
