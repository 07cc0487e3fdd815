import type { Component } from "./component.ts";
import type { Choice } from "./pricing.ts";
import type { Solver } from "./program.ts";

/** The rate of a pattern at which another design is cheaper. */
export interface Flip {
  readonly pattern: string;
  /** Requests per second: at most this is the design that was chosen, above it another one, or the other way round. */
  readonly rate: number;
  readonly direction: "above" | "below";
  /** What it is then, in words. */
  readonly instead: string;
}

const far = 1_000;
const steps = 24;

/** For each pattern the nearest rates, up and down, at which the cheapest design is another one. */
export function flipsOf(
  component: Component,
  choices: readonly Choice[],
  solver: Solver,
): readonly Flip[] {
  const now = shapeOf(choices);
  return component.patterns.flatMap(({ id, rps }) => {
    const rate = rps.average?.value ?? 0;
    if (rate === 0) return [];
    const at = (factor: number): readonly Choice[] =>
      component.scaled(id, factor).solve(solver)?.choices ?? choices;
    const flip = (end: number, direction: Flip["direction"]): Flip[] => {
      if (shapeOf(at(end)) === now) return [];
      let [same, other] = [1, end];
      for (let i = 0; i < steps && Math.abs(Math.log(other / same)) > 1e-4; i += 1) {
        const middle = Math.sqrt(same * other);
        if (shapeOf(at(middle)) === now) same = middle;
        else other = middle;
      }
      return [
        { pattern: id, rate: rate * other, direction, instead: difference(choices, at(other)) },
      ];
    };
    return [...flip(far, "above"), ...flip(1 / far, "below")];
  });
}

/** What a design is made of: tables by their keys, indexes with what they hold. */
function partsOf(choices: readonly Choice[]): readonly string[] {
  return choices.flatMap(({ layout, indexes }) => [
    `${layout.main} ${layout.words}`,
    ...indexes.map(({ entity, words }) => `${entity} ${words}`),
  ]);
}

function shapeOf(choices: readonly Choice[]): string {
  return JSON.stringify(partsOf(choices).toSorted());
}

/** What another design has and has not. */
export function partsBetween(
  before: readonly Choice[],
  after: readonly Choice[],
): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  const [old, next] = [partsOf(before), partsOf(after)];
  return {
    gone: old.filter((one) => !next.includes(one)),
    come: next.filter((one) => !old.includes(one)),
  };
}

function difference(before: readonly Choice[], after: readonly Choice[]): string {
  const { gone, come } = partsBetween(before, after);
  return [...come, ...gone.map((one) => `without ${one}`)].join("; ");
}
