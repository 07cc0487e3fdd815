import {
  absent,
  allOf,
  anyOf,
  atMost,
  type Condition,
  equalTo,
  greaterThan,
} from "./conditions.ts";
import { UpdateBuilder } from "./expression.ts";

/**
 * A lease: one owner at a time, for a time. Who pauses for longer than its lease may find another owner, so what
 * the owner writes is to carry the fence, a number that grows with every owner.
 */
export interface LeaseNames {
  /** Who has it. */
  readonly owner: string;
  /** Until when, in milliseconds since 1970. */
  readonly until: string;
  /** The number of the owner's turn. */
  readonly fence: string;
}

export const leaseNames: LeaseNames = {
  owner: "leaseOwner",
  until: "leaseUntil",
  fence: "leaseFence",
};

export interface LeaseWrite {
  readonly update: UpdateBuilder;
  readonly condition: Condition;
}

export interface Lease {
  readonly owner: string;
  readonly now: number;
  /** How long it is to last, in milliseconds. */
  readonly duration: number;
  readonly names?: LeaseNames | undefined;
}

/** Takes the lease if nobody has it, or the time of who had it is over. Ask for the new values: the fence is among them. */
export function acquireLease({ owner, now, duration, names = leaseNames }: Lease): LeaseWrite {
  const update = new UpdateBuilder()
    .set(names.owner, owner)
    .set(names.until, now + duration)
    .add(names.fence, 1);
  const condition = anyOf(absent(names.owner), atMost(names.until, now)) as Condition;
  return { update, condition };
}

/** Makes the lease last longer, if it is still the owner's. */
export function renewLease({ owner, now, duration, names = leaseNames }: Lease): LeaseWrite {
  const update = new UpdateBuilder().set(names.until, now + duration);
  const condition = allOf(equalTo(names.owner, owner), greaterThan(names.until, now));
  return { update, condition };
}

/** Gives the lease back, if it is still the owner's. The fence stays, for it must not be used twice. */
export function releaseLease({
  owner,
  names = leaseNames,
}: Pick<Lease, "owner" | "names">): LeaseWrite {
  const update = new UpdateBuilder().remove(names.owner).remove(names.until);
  return { update, condition: equalTo(names.owner, owner) };
}

/** For what the owner writes elsewhere: nobody with a later turn has written. Set the fence in the same write. */
export function isNotFencedOff(fence: number, name: string = leaseNames.fence): Condition {
  return anyOf(absent(name), atMost(name, fence)) as Condition;
}
