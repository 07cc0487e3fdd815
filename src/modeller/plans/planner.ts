import { memoized } from "../../base/memoized.ts";
import type { Index } from "../../model/design.ts";
import type { Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { askOf } from "./ask.ts";
import { withCopies } from "./copies.ts";
import type { Plan, Planned } from "./plan.ts";
import { planRead, type ReadPlan } from "./read-plan.ts";
import { statedPlan } from "./stated-plan.ts";
import { withChildren } from "./with.ts";
import { planWrite } from "./write-plan.ts";

/** How each pattern is carried out, in the order of the document. Checks, rules and prices ask for it one after the other. */
export const plansOf = memoized(
  (facts: Facts): ReadonlyMap<string, Plan> =>
    new Map([...facts.model.patterns].map(([id, pattern]) => [id, planOf(facts, pattern)])),
);

/** The plan of one pattern; with `via`, that index alone is read for the entities that are in it. */
export function planOf(facts: Facts, stated: Pattern, via?: Index): Plan {
  const pattern = withChildren(facts, withCopies(facts.model, stated));
  const nothing = { pattern, requests: [], stated: false, notes: [], rejected: [] };
  if (pattern.status === "declined") return { ...nothing, problem: "it is declined" };
  if (pattern.status === "alternative") {
    return { ...nothing, problem: `${pattern.alternative?.service} serves it` };
  }
  if (facts.model.design === undefined) return { ...nothing, problem: "there is no design yet" };
  const steps = facts.model.design.plans.get(pattern.id);
  if (steps !== undefined && steps.length > 0) return statedPlan(facts, pattern, steps);
  const plan = pattern.kind === "read" ? derivedRead : planWrite;
  return { pattern, stated: false, ...plan(facts, pattern, via) };
}

function derivedRead(facts: Facts, pattern: Pattern, via: Index | undefined): Planned {
  const reads: ReadPlan[] = [];
  for (const [i, action] of pattern.actions.entries()) {
    const together = i === 0 ? pattern.together : [];
    const before = reads.flatMap(({ requests }) => requests).length;
    reads.push(planRead(facts, askOf(pattern, action, via), together, before));
  }
  const problem = reads.find((one) => one.problem !== undefined)?.problem;
  return {
    requests: problem === undefined ? reads.flatMap(({ requests }) => requests) : [],
    notes: reads.flatMap(({ notes }) => notes),
    rejected: reads.flatMap(({ rejected }) => rejected),
    problem,
  };
}
