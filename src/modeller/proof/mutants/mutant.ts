import type { Model } from "../../../model/model.ts";
import type { Plan, PlannedRequest, ReadRequest, WriteAction } from "../../plans/plan.ts";
import type { Execute } from "../../requests/run.ts";
import type { RunPlan } from "../../requests/run-plan.ts";
import type { Inputs } from "../trial.ts";
import type { MutantOperator } from "../witnesses/witness.ts";

/** A design, a plan or a caller that is wrong in one place. */
export interface Mutant {
  readonly name: string;
  /** The kind of mistake, with what its witness needs. */
  readonly operator: MutantOperator;
  /** The design that data is stored by; the requests' keys follow it. */
  readonly model: Model;
  readonly requests: (requests: readonly PlannedRequest[]) => readonly PlannedRequest[];
  /** What the caller does otherwise. */
  readonly caller?: Partial<Caller>;
  /** Why no answer can tell it from what is right, as far as can be known without trying. */
  readonly reason?: string;
}

/** The program that carries a plan out. */
export interface Caller {
  readonly run: RunPlan;
  readonly pattern: (pattern: Plan["pattern"]) => Plan["pattern"];
  readonly inputs: (inputs: Inputs) => Inputs;
  readonly execute: (execute: Execute) => Execute;
}

export const same = (requests: readonly PlannedRequest[]): readonly PlannedRequest[] => requests;

/** Whether one request of a pattern takes a list for each parameter that something equals. */
export function takesLists({ batch }: Plan["pattern"]): boolean {
  return (batch?.value ?? 1) > 1;
}

export function readsIn(plan: Plan): readonly ReadRequest[] {
  return plan.requests.flatMap((request) => (request.kind === "read" ? [request] : []));
}

export function actionsIn(plan: Plan): readonly WriteAction[] {
  return plan.requests.flatMap((request) => (request.kind === "write" ? request.actions : []));
}

/** Changes the reads of a plan. */
export function changingReads(change: (request: ReadRequest) => ReadRequest): Mutant["requests"] {
  return (requests) =>
    requests.map((request) => (request.kind === "read" ? change(request) : request));
}

/** Changes one action of a plan, which is told by its place. */
export function changingAction(
  place: number,
  change: (action: WriteAction) => readonly WriteAction[],
): Mutant["requests"] {
  return (requests) => {
    let at = -1;
    return requests.map((request) => {
      if (request.kind === "read") return request;
      const actions = request.actions.flatMap((action) => {
        at += 1;
        return at === place ? change(action) : [action];
      });
      return { ...request, actions };
    });
  };
}
