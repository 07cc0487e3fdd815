import type { Item } from "../../item/attribute-value.ts";
import { addNumbers } from "../../item/number.ts";
import { allOf, Placeholders, type UpdateStep, updateExpression } from "./expression.ts";
import { placeOf } from "./stored-names.ts";

/** What a request does to one item. The service's expressions are made of it at the end, when it is joined with others. */
export interface Member {
  readonly kind: "Put" | "Update" | "Delete" | "ConditionCheck";
  readonly table: string;
  readonly key: Item;
  /** The item that is put, or the unique item that is deleted. */
  readonly item?: Item;
  /** What an update does. */
  readonly steps: readonly UpdateStep[];
  readonly condition: (placeholders: Placeholders) => string | undefined;
  /** The item must be there, and a read before has not found it. */
  readonly isGone?: boolean;
  /** It is only there so that no other item has a value. */
  readonly guards: boolean;
  /** The pattern states it; otherwise it follows from another write. */
  readonly isStated: boolean;
  /** What it adds to aggregates, because another entity is written, and the steps that this takes. */
  readonly counts?: {
    readonly added: Added;
    readonly steps: (added: Added) => readonly UpdateStep[];
  };
}

/** What is added to numbers, by attribute. */
export type Added = ReadonlyMap<string, string>;

/** The input of a request for one item, or of a member of a transaction. */
export function inputOf(member: Member): object {
  const { kind, table, key, item, condition } = member;
  const placeholders = new Placeholders();
  const update = kind === "Update" ? updateExpression(stepsOf(member), placeholders) : undefined;
  const text = condition(placeholders);
  return {
    TableName: table,
    ...(kind === "Put" ? { Item: item } : { Key: key }),
    ...(update !== undefined && { UpdateExpression: update }),
    ...(text !== undefined && { ConditionExpression: text }),
    ...placeholders.members(),
  };
}

function stepsOf({ steps, counts }: Member): readonly UpdateStep[] {
  return counts === undefined ? steps : [...steps, ...counts.steps(counts.added)];
}

/** An update that changes nothing only asks for what must hold. */
export function checkedOnly(member: Member): Member {
  const isCheck = member.kind === "Update" && stepsOf(member).length === 0;
  return isCheck ? { ...member, kind: "ConditionCheck" } : member;
}

/**
 * Members of a transaction without two of one item, which no transaction may have. What follows from other writes is joined:
 * a key that is deleted and put again, an item that is checked and counted in, and several additions to one item. Two
 * writes that the caller names are not joined, and the service refuses them.
 */
export function oneForEachItem(members: readonly Member[]): readonly Member[] {
  const all: { readonly place: string; readonly member: Member }[] = [];
  for (const member of members) {
    const place = placeOf(member.table, member.key);
    const at = all.findIndex((one) => one.place === place && canJoin(one.member, member));
    const other = all[at];
    if (other === undefined) all.push({ place, member });
    else all[at] = { place, member: join(other.member, member) };
  }
  return all.map(({ member }) => member).filter(isNeeded);
}

function canJoin(a: Member, b: Member): boolean {
  const kinds = new Set([a.kind, b.kind]);
  if (kinds.has("Delete") && kinds.has("Put")) return !a.isStated && !b.isStated;
  const isChange = (kind: Member["kind"]): boolean =>
    kind === "Update" || kind === "ConditionCheck";
  const isCounted = a.counts !== undefined || b.counts !== undefined;
  return isCounted && isChange(a.kind) && isChange(b.kind);
}

function join(a: Member, b: Member): Member {
  const put = [a, b].find(({ kind }) => kind === "Put");
  const gone = [a, b].find(({ kind }) => kind === "Delete");
  if (put !== undefined && gone !== undefined) {
    // An item is put in its own place, if what had to hold of the old one does.
    if (!put.guards) return { ...put, condition: gone.condition };
    // A unique item that is given to another owner is replaced; one that stays is there already.
    const isSame = JSON.stringify(put.item) === JSON.stringify(gone.item);
    return { ...put, kind: isSame ? "ConditionCheck" : "Put", condition: () => undefined };
  }
  const condition = (placeholders: Placeholders): string | undefined => {
    const texts = [a, b].flatMap((one) => one.condition(placeholders) ?? []);
    return allOf([...new Set(texts)]);
  };
  const steps = [...a.steps, ...b.steps];
  const one = a.counts ?? b.counts;
  const isBoth = a.counts !== undefined && b.counts !== undefined;
  const added = isBoth ? summed(a.counts.added, b.counts.added) : one?.added;
  const counts = one && added && { added, steps: one.steps };
  return checkedOnly({ ...a, ...(counts && { counts }), kind: "Update", steps, condition });
}

/** The sum of what is added to each attribute; what adds up to nothing is left out. */
export function summed(a: Added, b: Added = new Map()): Added {
  const sums = new Map(a);
  for (const [name, number] of b) {
    const sum = addNumbers(sums.get(name) ?? "0", number);
    if (typeof sum === "string") sums.set(name, sum);
  }
  return new Map([...sums].filter(([, number]) => Number(number) !== 0));
}

/** A check of nothing is left out. */
function isNeeded({ kind, condition }: Member): boolean {
  return kind !== "ConditionCheck" || condition(new Placeholders()) !== undefined;
}
