import type { Member } from "./write.ts";

/**
 * Members of a transaction without two of one item, which no transaction may have. An item that is deleted under one
 * key and put under another may come to the same key, for what was set is what it was before: then it is put in place,
 * if what had to hold of the old one does. Of an item that only guards a value nothing is to be done.
 */
export function withoutPairs(members: readonly Member[]): readonly Member[] {
  return members.flatMap((member): readonly Member[] => {
    if (member.kind === "Delete") return putFor(members, member) === undefined ? [member] : [];
    const gone = members.find((one) => one.kind === "Delete" && isSame(one, member));
    if (member.kind !== "Put" || gone === undefined) return [member];
    if (member.guards) return [];
    const { Key: _, ...condition } = gone.input;
    return [{ ...member, input: { ...condition, ...member.input } }];
  });
}

function putFor(members: readonly Member[], gone: Member): Member | undefined {
  return members.find((one) => one.kind === "Put" && isSame(gone, one));
}

/** Whether an item that is put has the key that is deleted. */
function isSame(gone: Member, put: Member): boolean {
  if (gone.input.TableName !== put.input.TableName) return false;
  const { Item: item } = put.input;
  return (
    item !== undefined &&
    Object.entries(gone.input.Key ?? {}).every(
      ([name, value]) => JSON.stringify(item[name]) === JSON.stringify(value),
    )
  );
}
