import { compareBinaries, compareTexts } from "./compare.ts";
import { compareNumbers } from "./number.ts";

export type SetType = "SS" | "NS" | "BS";

const orders: Readonly<Record<SetType, (a: string, b: string) => number>> = {
  SS: compareTexts,
  NS: compareNumbers,
  BS: compareBinaries,
};

/** The order in which the service keeps and returns the members of a set. */
export function compareMembers(type: SetType, a: string, b: string): number {
  return orders[type](a, b);
}

/** Puts canonical members into the service's order, in place. Answers false if one occurs twice. */
export function sortMembers(type: SetType, members: string[]): boolean {
  const order = orders[type];
  if (isAscending(members, order)) return true;
  if (new Set(members).size < members.length) return false;
  members.sort(order);
  return true;
}

function isAscending(members: readonly string[], order: (a: string, b: string) => number): boolean {
  for (let index = 1; index < members.length; index++) {
    if (order(members[index - 1] as string, members[index] as string) >= 0) return false;
  }
  return true;
}
