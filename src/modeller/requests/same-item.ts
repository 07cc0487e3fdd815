import { addNumbers } from "../../item/number.ts";
import { Placeholders } from "./expression.ts";
import { type CountStep, updateExpression } from "./update.ts";
import type { Member } from "./write.ts";

/**
 * Members of a transaction without two of one item, which no transaction may have. An item that is deleted under one
 * key and put under another may come to the same key, for what was set is what it was before: then it is put in place,
 * if what had to hold of the old one does. Of an item that only guards a value nothing is to be done. What several
 * members add to the aggregates of one item is added by one of them.
 */
export function oneForEachItem(members: readonly Member[]): readonly Member[] {
  return withoutPairs(withCounts(members));
}

function withoutPairs(members: readonly Member[]): readonly Member[] {
  return members.flatMap((member): readonly Member[] => {
    if (member.kind === "Delete") return putFor(members, member) === undefined ? [member] : [];
    const gone = members.find((one) => one.kind === "Delete" && isSame(one, member));
    if (member.kind !== "Put" || gone === undefined) return [member];
    if (member.guards) return [];
    const { Key: _, ...condition } = gone.input;
    return [{ ...member, input: { ...condition, ...member.input } }];
  });
}

function withCounts(members: readonly Member[]): readonly Member[] {
  const counted = new Map<string, Member[]>();
  for (const member of members) {
    if (member.counts === undefined) continue;
    const place = placeOf(member);
    counted.set(place, [...(counted.get(place) ?? []), member]);
  }
  return members.flatMap((member): readonly Member[] => {
    const place = placeOf(member);
    const group = counted.get(place);
    if (group === undefined) return [member];
    const steps = sumsOf(group.flatMap(({ counts = [] }) => counts));
    const written = members.find((one) => one.withCounts !== undefined && placeOf(one) === place);
    if (member.counts !== undefined) {
      if (written !== undefined || member !== group[0] || steps.length === 0) return [];
      return [{ ...member, input: countInput(member, steps) }];
    }
    if (member !== written || steps.length === 0) return [member];
    return [{ ...member, kind: "Update", input: member.withCounts?.(steps) ?? member.input }];
  });
}

/** The sum for each attribute; those that are as they were are left out. */
function sumsOf(steps: readonly CountStep[]): readonly CountStep[] {
  const sums = new Map<string, CountStep>();
  for (const step of steps) {
    const before = sums.get(step.name);
    const sum = before === undefined ? step.value.N : addNumbers(before.value.N, step.value.N);
    sums.set(step.name, { ...step, value: { N: typeof sum === "string" ? sum : step.value.N } });
  }
  return [...sums.values()].filter(({ value }) => Number(value.N) !== 0);
}

function countInput({ input }: Member, steps: readonly CountStep[]): Member["input"] {
  const placeholders = new Placeholders();
  const { TableName, Key } = input;
  const update = updateExpression(steps, placeholders);
  return {
    TableName,
    ...(Key !== undefined && { Key }),
    ...{ UpdateExpression: update, ...placeholders.members() },
  };
}

function placeOf({ input: { TableName, Key } }: Member): string {
  return JSON.stringify([TableName, Key]);
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
