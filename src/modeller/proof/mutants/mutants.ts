import type { Facts } from "../../facts.ts";
import type { Plan } from "../../plans/plan.ts";
import { keyMutants } from "./key-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { readMutants } from "./read-mutants.ts";
import { writeMutants } from "./write-mutants.ts";

/** What can be wrong with how a pattern is carried out. */
export function mutantsOf(facts: Facts, plan: Plan): readonly Mutant[] {
  const { model } = facts;
  return [...keyMutants(model, plan), ...readMutants(model, plan), ...writeMutants(facts, plan)];
}
