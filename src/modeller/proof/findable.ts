import type { Predicate } from "../../model/requirements.ts";
import type { Plan, ReadRequest } from "../plans/plan.ts";
import { holds } from "../values/holds.ts";
import type { EntityValues } from "../values/render-key.ts";

/** What holds for all that is in the sparse indexes that a plan uses. */
export function sparseIn(plan: Plan): readonly Predicate[] {
  return ownReads(plan).flatMap(
    ({ record, index }) => record.memberships.find((one) => one.index === index)?.only ?? [],
  );
}

export function ownReads({ requests, pattern }: Plan): readonly ReadRequest[] {
  const name = pattern.actions[0]?.entity;
  return requests.filter(
    (one): one is ReadRequest => one.kind === "read" && one.record.entity.name === name,
  );
}

/** Entities that a plan can find: those that are in the sparse indexes that it uses. */
export function findable(plan: Plan, all: readonly EntityValues[]): readonly EntityValues[] {
  const own = ownReads(plan);
  return all.filter((values) =>
    own.every(({ record, index }) => {
      const membership = record.memberships.find((one) => one.index === index);
      return membership === undefined || holds(membership.only, record.entity, values);
    }),
  );
}
