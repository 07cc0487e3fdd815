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
    case "zipf": {
      const weights = new Float64Array(draw.count);
      for (let i = 0; i < draw.count; i += 1) weights[i] = (i + 1) ** -draw.exponent;
      return weighted(weights);
    }
    case "weights":
      return weighted(Float64Array.from(draw.weights.values()));
  }
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
