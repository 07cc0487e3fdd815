import type { SeededRandom } from "../base/random.ts";
import type { Draw } from "./simulate-workload.ts";

/** Draws keys by number, from 0. */
export type Drawing = (random: SeededRandom) => number;

export function drawingOf(draw: Draw): Drawing {
  switch (draw.kind) {
    case "fixed":
      return () => 0;
    case "uniform":
      return (random) => random.below(draw.count);
    case "hot": {
      const { count, keys, share } = draw;
      const rest = count - keys;
      return (random) =>
        rest === 0 || random.unit() < share ? random.below(keys) : keys + random.below(rest);
    }
    case "zipf":
      return zipf(draw.count, draw.exponent);
    case "weights":
      return weighted(Float64Array.from(draw.weights.values()));
  }
}

/** So many keys have a weight each; those beyond are drawn from a curve. */
const weightsMax = 1_000_000;

function zipf(count: number, exponent: number): Drawing {
  const head = Math.min(count, weightsMax);
  const weights = new Float64Array(head < count ? head + 1 : head);
  for (let i = 0; i < head; i += 1) weights[i] = (i + 1) ** -exponent;
  if (head === count) return weighted(weights);
  // The sum of many small terms is the area under the curve, from half before the first to half after the last.
  const power = 1 - exponent;
  const [from, to] = [head + 0.5, count + 0.5];
  const area = (x: number): number => (power === 0 ? Math.log(x) : x ** power / power);
  const [low, high] = [area(from), area(to)];
  weights[head] = high - low;
  const first = weighted(weights);
  return (random) => {
    const drawn = first(random);
    if (drawn < head) return drawn;
    const at = low + random.unit() * (high - low);
    const x = power === 0 ? Math.exp(at) : (at * power) ** (1 / power);
    return Math.min(count - 1, Math.max(head, Math.round(x) - 1));
  };
}

/** The names of the keys, if they have names of their own. */
export function namesOf(draw: Draw): readonly string[] | undefined {
  if (draw.kind === "fixed") return [draw.name];
  return draw.kind === "weights" ? [...draw.weights.keys()] : undefined;
}

/**
 * Draws by weight in two steps, however many there are (Walker's alias method): each place holds its own
 * number up to a threshold and another one beyond it. The two lie side by side, to be fetched together.
 */
function weighted(weights: Float64Array): Drawing {
  const count = weights.length;
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / count;
  const places = new Float64Array(2 * count);
  const threshold = (i: number): number => places[2 * i] as number;
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < count; i += 1) {
    places[2 * i] = (weights[i] as number) / mean;
    (threshold(i) < 1 ? small : large).push(i);
  }
  while (small.length > 0 && large.length > 0) {
    const few = small.pop() as number;
    const many = large.at(-1) as number;
    places[2 * few + 1] = many;
    places[2 * many] = threshold(many) - (1 - threshold(few));
    if (threshold(many) < 1) small.push(large.pop() as number);
  }
  // What is left is there because of rounding; its threshold is as good as 1.
  for (const i of [...small, ...large]) places[2 * i] = 1;
  return (random) => {
    const place = random.below(count);
    return random.unit() < threshold(place) ? place : (places[2 * place + 1] as number);
  };
}
