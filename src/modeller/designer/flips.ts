import type { Choice } from "./pricing.ts";
import type { Quantity } from "./quantities.ts";

/** The value of a number at which another design is the best. */
export interface Flip {
  /** As it is tried out: `7.rps.average`. */
  readonly path: string;
  /** At this it is the design that was chosen; at the next number of as many digits it is another one. */
  readonly value: number;
  readonly direction: "above" | "below";
  readonly words: string;
  /** What it is then, in words. */
  readonly instead: string;
}

/** What would be chosen if a number were another one: the choices, or why there is no design. */
export type Retried = (quantity: Quantity, value: number) => readonly Choice[] | string;

/** For each number the nearest values, up and down, at which the best design is another one. */
export function flipsOf(
  quantities: readonly Quantity[],
  choices: readonly Choice[],
  retried: Retried,
): readonly Flip[] {
  const now = shapeOf(choices);
  return quantities.flatMap((quantity) => {
    const known = new Map<number, readonly Choice[] | string>();
    const at = (place: number): readonly Choice[] | string => {
      const found = known.get(place) ?? retried(quantity, valueAt(place, quantity));
      known.set(place, found);
      return found;
    };
    const isSame = (place: number): boolean => shapeOf(at(place)) === now;
    return (["above", "below"] as const).flatMap((direction): Flip[] => {
      const edge = edgeOf(quantity, direction, isSame);
      if (edge === undefined) return [];
      const value = valueAt(edge.same, quantity);
      return [
        {
          path: quantity.path,
          value,
          direction,
          words: quantity.words(String(value), direction),
          instead: difference(choices, at(edge.other)),
        },
      ];
    });
  });
}

/** Two places beside each other: at the one it is the same design, at the other not. */
function edgeOf(
  quantity: Quantity,
  direction: Flip["direction"],
  isSame: (place: number) => boolean,
): { readonly same: number; readonly other: number } | undefined {
  const { value, most, steps } = quantity;
  const side = direction === "above" ? 1 : -1;
  let same = placeOf(value, quantity);
  for (const step of steps) {
    const then = direction === "above" ? Math.min(most, value * step) : value / step;
    let other = placeOf(then, quantity);
    if ((other - same) * side <= 0) continue;
    if (isSame(other)) {
      same = other;
      continue;
    }
    while (Math.abs(other - same) > 1) {
      const middle = Math.floor((same + other) / 2);
      if (isSame(middle)) same = middle;
      else other = middle;
    }
    return { same, other };
  }
  return undefined;
}

/** Values are looked at with so many digits. */
const digits = 4;
const perDecade = 9 * 10 ** (digits - 1);

/** The place of a value among all that have so many digits; of what is whole, the value. */
function placeOf(value: number, { whole }: Quantity): number {
  if (whole) return Math.max(1, Math.round(value));
  const [mantissa = "1", exponent = "0"] = value.toExponential(digits - 1).split("e");
  const figure = Math.round(Number(mantissa) * 10 ** (digits - 1));
  return Number(exponent) * perDecade + figure - 10 ** (digits - 1);
}

function valueAt(place: number, { whole }: Quantity): number {
  if (whole) return place;
  const exponent = Math.floor(place / perDecade);
  const figure = place - exponent * perDecade + 10 ** (digits - 1);
  return Number(`${figure}e${exponent - digits + 1}`);
}

/** What a design is made of: tables by their keys, indexes with what they hold. */
function partsOf(choices: readonly Choice[]): readonly string[] {
  return choices.flatMap(({ layout, indexes }) => [
    `${layout.main} ${layout.words}`,
    ...indexes.map(({ entity, words }) => `${entity} ${words}`),
  ]);
}

function shapeOf(choices: readonly Choice[] | string): string {
  return typeof choices === "string" ? "none" : JSON.stringify(partsOf(choices).toSorted());
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

function difference(before: readonly Choice[], after: readonly Choice[] | string): string {
  if (typeof after === "string") return after;
  const { gone, come } = partsBetween(before, after);
  return [...come, ...gone.map((one) => `without ${one}`)].join("; ");
}
