import type { DecisionDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import { keepsText } from "../kept-numbers.ts";
import { listText } from "../lint/words.ts";
import type { Layout } from "./drafts.ts";
import { servedPatterns } from "./needs.ts";
import {
  type KeptWay,
  type Mode,
  modes,
  modesOf,
  type NumberToKeep,
  numbersIn,
  numbersOf,
} from "./numbers.ts";
import { componentsOf } from "./options.ts";

/** Dollars in a month of all that hangs together with some numbers, or why there is no design. */
type PriceOf = (ways: readonly KeptWay[], about: readonly NumberToKeep[]) => number | string;

/** How the numbers of a model are kept. */
export interface Keeping {
  readonly ways: readonly KeptWay[];
  /** What could be cheaper and was not tried, in words. */
  readonly untried: readonly string[];
  /** Why, and what other ways would cost; worked out when somebody asks. */
  readonly decisions: () => readonly DecisionDocument[];
  /** If there is no design: what would have to be allowed, in sentences. */
  readonly relief: () => readonly string[];
}

/** Chooses for some entities, or for all; what a choice costs is handed in, by entities that it concerns. */
export function keepingOf(
  model: Model,
  kept: readonly Layout[],
  only: readonly string[] | undefined,
  price: (only: readonly string[], ways: readonly KeptWay[]) => number | string,
): Keeping {
  const numbers = numbersOf(model, kept);
  if (numbers.length === 0) {
    return { ways: [], untried: [], decisions: () => [], relief: () => [] };
  }
  const all = [...numbers, ...numbersIn(model, kept)];
  const groups = componentsOf([...model.entities.keys()], servedPatterns(model), kept, all)
    .filter((group) => group.some((name) => only?.includes(name) ?? true))
    .map((group) => numbers.filter(({ holder }) => group.includes(holder.name)));
  const known = new Map<string, number | string>();
  const priceOf: PriceOf = (ways, about) => {
    const key = JSON.stringify(ways.map(({ number, mode }) => [number.name, mode]));
    const names = about.map(({ holder }) => holder.name);
    const found = known.get(key) ?? price(names, ways);
    known.set(key, found);
    return found;
  };
  const ways = chooseWays(groups, priceOf);
  return {
    ways,
    untried: untriedWays(groups.map((group) => openOf(group))),
    decisions: () => numberDecisions(groups, ways, priceOf),
    relief: () => groups.flatMap((group) => reliefOf(group, ways, priceOf)),
  };
}

/** Numbers that a design could have if they might be behind. */
function reliefOf(
  group: readonly NumberToKeep[],
  ways: readonly KeptWay[],
  priceOf: PriceOf,
): readonly string[] {
  const own = ways.filter(({ number }) => group.includes(number));
  return own.flatMap(({ number, mode }) => {
    if (mode !== "transaction" || number.blocked.has("stream")) return [];
    const then = priceOf(replaced(own, number, "stream"), group);
    return typeof then === "number"
      ? [
          `${number.name} is written with every change of ${number.keeps.of}. If it may be some seconds stale (staleness: accepted), a stream can keep it.`,
        ]
      : [];
  });
}

/** So many numbers of one part of the design are tried in all ways at once; of more, one after the other. */
const togetherMax = 4;

/**
 * The cheapest way for each number. What a way costs depends on where the entities lie, so a part of the design is
 * chosen anew for each; with the ways given, layouts cost what they cost alone.
 */
function chooseWays(
  groups: readonly (readonly NumberToKeep[])[],
  priceOf: PriceOf,
): readonly KeptWay[] {
  return groups.flatMap((numbers) => {
    const first = numbers.map((number) => wayOf(number, modesOf(number, numbers)[0] ?? "stream"));
    const price = (ways: readonly KeptWay[]): number => {
      const found = priceOf(ways, numbers);
      return typeof found === "number" ? found : Number.POSITIVE_INFINITY;
    };
    const open = openOf(numbers);
    if (open.length === 0) return first;
    return open.length <= togetherMax
      ? bestOf(combinations(numbers), price)
      : improved(first, price);
  });
}

/** In words, where there are too many to try all ways at once. */
function untriedWays(groups: readonly (readonly NumberToKeep[])[]): readonly string[] {
  return groups
    .filter(({ length }) => length > togetherMax)
    .map(
      (numbers) =>
        `all ways to keep ${listText(numbers.map(({ name }) => name))} at once: they were chosen one after the other`,
    );
}

/** Numbers that can be kept in more than one way. */
function openOf(numbers: readonly NumberToKeep[]): readonly NumberToKeep[] {
  return numbers.filter((number) => modesOf(number, numbers).length > 1);
}

function wayOf(number: NumberToKeep, mode: Mode): KeptWay {
  return { number, mode };
}

function combinations(numbers: readonly NumberToKeep[]): readonly (readonly KeptWay[])[] {
  return numbers.reduce<readonly (readonly KeptWay[])[]>(
    (all, number) =>
      all.flatMap((ways) => modesOf(number, numbers).map((mode) => [...ways, wayOf(number, mode)])),
    [[]],
  );
}

/** Less than this is no difference: the way that comes first stays. */
const tiny = 1e-9;

function bestOf(
  all: readonly (readonly KeptWay[])[],
  price: (ways: readonly KeptWay[]) => number,
): readonly KeptWay[] {
  let best = { ways: all[0] ?? [], dollars: Number.POSITIVE_INFINITY };
  for (const ways of all) {
    const dollars = price(ways);
    if (dollars < best.dollars - tiny) best = { ways, dollars };
  }
  return best.ways;
}

/** One number after the other gets the way that is cheapest beside those of the others, until nothing changes. */
function improved(
  first: readonly KeptWay[],
  price: (ways: readonly KeptWay[]) => number,
): readonly KeptWay[] {
  const numbers = first.map(({ number }) => number);
  let ways = first;
  for (let round = 0; round < first.length; round += 1) {
    const before = ways;
    for (const { number } of first) {
      ways = bestOf(
        modesOf(number, numbers).map((mode) => replaced(ways, number, mode)),
        price,
      );
    }
    if (before.every(({ mode }, i) => ways[i]?.mode === mode)) break;
  }
  return ways;
}

function replaced(ways: readonly KeptWay[], number: NumberToKeep, mode: Mode): readonly KeptWay[] {
  return ways.map((one) => (one.number === number ? wayOf(number, mode) : one));
}

const words: Readonly<Record<Mode, string>> = {
  stream: "by a stream, some seconds behind",
  schedule: "counted anew every minute where something has changed",
  transaction: "in the transactions that write it",
};

/** Why each number is kept as it is, and what other ways would cost in a month. */
function numberDecisions(
  groups: readonly (readonly NumberToKeep[])[],
  ways: readonly KeptWay[],
  priceOf: PriceOf,
): readonly DecisionDocument[] {
  return groups.flatMap((numbers) => {
    const own = ways.filter(({ number }) => numbers.includes(number));
    const now = priceOf(own, numbers);
    return own.map(({ number, mode }): DecisionDocument => {
      const isRefused = number.attribute.staleness === "refused";
      const rejected = modes
        .filter((other) => other !== mode)
        .map((other) => {
          const what = words[other];
          const blocked = number.blocked.get(other);
          if (blocked !== undefined) return { what, why: blocked };
          if (isRefused) return { what, why: "it must not be behind" };
          const then = priceOf(replaced(own, number, other), numbers);
          if (typeof then === "string" || typeof now === "string") {
            return { what, why: String(then) };
          }
          return { what, perMonth: Math.max(0, Math.round((then - now) * 100) / 100) };
        });
      return {
        about: `entities.${number.holder.name}.attributes.${number.attribute.name}`,
        chosen: `${keepsText(number.keeps)}, ${words[mode]}`,
        rejected,
        why: isRefused ? "it must not be behind" : "it is the cheapest",
      };
    });
  });
}
