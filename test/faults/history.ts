import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { InjectedFault } from "../storage/faulty-store.ts";
import type { Answer, Step } from "./steps.ts";
import { Refused, textOf, type World } from "./world.ts";

/** A request and what its client was told. */
export interface Event {
  readonly step: Step;
  readonly told:
    | { readonly answer: Answer }
    | { readonly error: unknown }
    /** Nothing: the process died. */
    | undefined;
  /** An index may still be in the making. */
  readonly unsettled: boolean;
}

/** What says that a table is busy with an index. */
const busy = new Set(["ResourceInUseException", "ValidationException", "LimitExceededException"]);

/** The worlds that a world may have become with an event; none if the event cannot have been. */
export function follow(world: World, { step, told, unsettled }: Event): readonly World[] {
  const meant = meaningOf(step, world);
  if (told === undefined) return "refused" in meant ? [world] : [world, meant.world];
  if ("answer" in told) {
    if ("refused" in meant) return [];
    const same = step.seen === undefined || isDeepStrictEqual(step.seen(told.answer), meant.shown);
    return same ? [meant.world] : [];
  }
  const { error } = told;
  if (error instanceof ServiceError) {
    if ("refused" in meant && meant.refused === error.type) return [world];
    return unsettled && step.waits === true && busy.has(error.type) ? [world] : [];
  }
  if (!(error instanceof InjectedFault)) return [];
  if ("refused" in meant) return [world];
  if (step.single) return [error.applied ? meant.world : world];
  return [world, meant.world];
}

function meaningOf(step: Step, world: World) {
  try {
    return step.meaning(world);
  } catch (error) {
    if (error instanceof Refused) return { refused: error.type };
    throw error;
  }
}

/** The worlds after lanes of events ran at once, in every order that explains what was told. */
export function worldsAfter(
  before: readonly World[],
  lanes: readonly (readonly Event[])[],
): readonly World[] {
  const found = new Map<string, World>();
  const seen = new Set<string>();
  const search = (world: World, at: readonly number[]): void => {
    const name = lanes.length > 1 || before.length > 1 ? `${at} ${textOf(world)}` : "";
    if (name !== "" && seen.has(name)) return;
    seen.add(name);
    let done = true;
    lanes.forEach((events, lane) => {
      const event = events[at[lane] as number];
      if (event === undefined) return;
      done = false;
      const next = at.map((position, i) => (i === lane ? position + 1 : position));
      for (const after of follow(world, event)) search(after, next);
    });
    if (done) found.set(textOf(world), world);
  };
  for (const world of before)
    search(
      world,
      lanes.map(() => 0),
    );
  return [...found.values()];
}
