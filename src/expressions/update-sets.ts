import type { AttributeValue } from "../item/attribute-value.ts";
import { compareMembers, type SetType } from "../item/set.ts";

/**
 * The members of two sets of the same type, in the service's order; undefined if they are no sets.
 * Both operands are in that order already, so one pass merges them.
 */
export function setUnion(a: AttributeValue, b: AttributeValue): AttributeValue | undefined {
  if ("SS" in a && "SS" in b) return { SS: merged("SS", a.SS, b.SS) };
  if ("NS" in a && "NS" in b) return { NS: merged("NS", a.NS, b.NS) };
  if ("BS" in a && "BS" in b) return { BS: merged("BS", a.BS, b.BS) };
  return undefined;
}

/** The members of `a` that `b` does not have, or "empty"; undefined if they are no sets. */
export function setDifference(
  a: AttributeValue,
  b: AttributeValue,
): AttributeValue | "empty" | undefined {
  if ("SS" in a && "SS" in b) return emptied(without(a.SS, b.SS), (SS) => ({ SS }));
  if ("NS" in a && "NS" in b) return emptied(without(a.NS, b.NS), (NS) => ({ NS }));
  if ("BS" in a && "BS" in b) return emptied(without(a.BS, b.BS), (BS) => ({ BS }));
  return undefined;
}

function merged(type: SetType, a: readonly string[], b: readonly string[]): string[] {
  const result: string[] = [];
  let left = 0;
  let right = 0;
  while (left < a.length && right < b.length) {
    const order = compareMembers(type, a[left] as string, b[right] as string);
    if (order >= 0) {
      result.push(b[right++] as string);
      if (order === 0) left++;
    } else {
      result.push(a[left++] as string);
    }
  }
  while (left < a.length) result.push(a[left++] as string);
  while (right < b.length) result.push(b[right++] as string);
  return result;
}

function without(members: readonly string[], gone: readonly string[]): readonly string[] {
  const removed = new Set(gone);
  return members.filter((member) => !removed.has(member));
}

function emptied(
  members: readonly string[],
  make: (members: readonly string[]) => AttributeValue,
): AttributeValue | "empty" {
  return members.length === 0 ? "empty" : make(members);
}
