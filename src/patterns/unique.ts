import { absent, allOf, type Condition, equalTo } from "./conditions.ts";
import { ValueError } from "./numbers.ts";
import { type DeleteMember, deleteMember, type PutMember, putMember } from "./transact.ts";
import { type Attributes, keyIdentity } from "./values.ts";

/**
 * Values that only one item may have, such as an email address. Each is an item of its own whose key is the value:
 * whoever puts it first has it. Send these members in one transaction with the item that has the value.
 */
export interface UniqueValue {
  readonly table: string;
  /** The key that is made of the value; its first attribute is the partition key. */
  readonly key: Attributes;
  /** Whose value it is: the id of the item, for those who look it up. Only the owner gives it back. */
  readonly owner: Attributes;
}

/** Takes the value, if nobody has it. */
export function claimUnique({ table, key, owner }: UniqueValue): PutMember {
  return putMember(table, { ...owner, ...key }, absent(partitionName(key)));
}

/** Gives the value back, if it is the owner's. */
export function releaseUnique({ table, key, owner }: UniqueValue): DeleteMember {
  const isOwned = Object.entries(owner)
    .filter(([name]) => !Object.hasOwn(key, name))
    .map(([name, value]) => equalTo(name, value));
  const condition: Condition | undefined = allOf(...isOwned);
  return condition === undefined ? deleteMember(table, key) : deleteMember(table, key, condition);
}

/** Gives one value back and takes another. Nothing is to be done if they are the same: a transaction has no two writes to one item. */
export function moveUnique(
  from: UniqueValue,
  to: UniqueValue,
): readonly (PutMember | DeleteMember)[] {
  if (from.table === to.table && keyIdentity(from.key) === keyIdentity(to.key)) return [];
  return [releaseUnique(from), claimUnique(to)];
}

/** What must be done when a value changes that may be missing before or after. */
export function changeUnique(
  from: UniqueValue | undefined,
  to: UniqueValue | undefined,
): readonly (PutMember | DeleteMember)[] {
  if (from !== undefined && to !== undefined) return moveUnique(from, to);
  if (from !== undefined) return [releaseUnique(from)];
  return to === undefined ? [] : [claimUnique(to)];
}

function partitionName(key: Attributes): string {
  const [name] = Object.keys(key);
  if (name === undefined) throw new ValueError("a key has one attribute at least");
  return name;
}
