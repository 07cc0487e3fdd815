import { textSize } from "../../../item/size.ts";
import { attributeMean } from "../weights.ts";
import type { Member, Unit } from "./units.ts";

/** Indexes of different entities that become one. */
export type Slot = readonly Unit[];

/** A table says by name what an index holds of so many attributes at most. */
const namedMax = 20;

/** What a shared index holds besides its keys: all that anybody wants of it. */
export function projectionOf(slot: Slot): "all" | "keys" | readonly string[] {
  const names = new Set(slot.flatMap(({ members }) => members.flatMap(({ wanted }) => wanted)));
  if (names.size === 0) return "keys";
  return names.size > namedMax ? "all" : [...names];
}

/**
 * As few indexes as the entity with the most of them has. Who wants much is put where much is held, so that little is
 * repeated that nobody reads. What is read as a whole shares with nobody.
 */
export function slotsOf(units: readonly Unit[]): readonly Slot[] {
  const slots: Unit[][] = [];
  const order = units
    .filter(({ scanned }) => !scanned)
    .map((unit) => ({ unit, rivals: units.filter((one) => meets(one, unit)).length }))
    .toSorted((a, b) => b.rivals - a.rivals || wantedBytes(b.unit) - wantedBytes(a.unit));
  for (const { unit } of order) {
    const free = slots.filter((slot) => !slot.some((one) => meets(one, unit)));
    const [best] = free
      .map((slot) => ({ slot, more: wasteOf([...slot, unit]) - wasteOf(slot) }))
      .toSorted((a, b) => a.more - b.more);
    if (best === undefined) slots.push([unit]);
    else best.slot.push(unit);
  }
  return [...slots, ...units.filter(({ scanned }) => scanned).map((unit) => [unit])];
}

/** Other choices that are one step away: two indexes of the same entities change places, or one goes where there is room. */
export function* neighboursOf(slots: readonly Slot[]): Generator<readonly Slot[]> {
  for (const [a, from] of slots.entries()) {
    for (const [b, to] of slots.entries()) {
      if (a === b || [...from, ...to].some(({ scanned }) => scanned)) continue;
      for (const unit of from) {
        const rivals = to.filter((one) => meets(one, unit));
        const left = [...from.filter((one) => one !== unit), ...rivals];
        const fits = rivals.every((one) => !from.some((x) => x !== unit && meets(x, one)));
        if (!fits || left.length === 0 || (rivals.length > 0 && b < a)) continue;
        const there = [...to.filter((one) => !rivals.includes(one)), unit];
        yield slots.map((slot, i) => (i === a ? left : i === b ? there : slot));
      }
    }
  }
}

/** Whether two are of the same entity, so that it would need two keys in one index. */
function meets(one: Unit, other: Unit): boolean {
  return one.members.some(({ entity }) => other.members.some((theirs) => theirs.entity === entity));
}

/** What entries hold of attributes that their own readers do not want, over all items. */
function wasteOf(slot: Slot): number {
  const held = projectionOf(slot);
  const bytesOf = ({ entity, wanted }: Member): number =>
    [...entity.attributes.values()].reduce((sum, attribute) => {
      const { name } = attribute;
      const isHeld = held === "all" || (held !== "keys" && held.includes(name));
      return isHeld && !wanted.includes(name) ? sum + attributeMean(attribute) : sum;
    }, 0);
  return slot
    .flatMap(({ members }) => members)
    .reduce((sum, member) => sum + bytesOf(member) * (member.entity.count?.value ?? 1), 0);
}

function wantedBytes({ members }: Unit): number {
  return members.flatMap(({ wanted }) => wanted).reduce((sum, name) => sum + textSize(name) + 1, 0);
}
