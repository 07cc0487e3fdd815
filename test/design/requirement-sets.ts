import type { ModelDocument } from "../../src/model/model-document.ts";
import { Random } from "../random.ts";

/**
 * Small requirement sets of one entity: up to five patterns, few attributes, rates and sizes of all orders. In every
 * other one there may be less than an item for a combination of values.
 */
export function requirementSet(seed: number): ModelDocument {
  const random = new Random(seed * 7_919 + 1);
  const count = 10 ** random.between(2, 7);
  const attributes = attributesOf(random, seed % 2 === 0 ? count : count / 1_000);
  const names = Object.keys(attributes);
  const keys = names.filter((name) => name !== "body" && name !== "extra");
  const known = keys.filter((name) => name !== "id");
  // Where nobody relies on the id being free, there are many more keys to try.
  const isPlain = random.chance(known.length === 1 ? 0.5 : 0.97);
  const patterns: Record<string, unknown> = {
    make: {
      name: "make",
      create: "Thing",
      ...(isPlain && { condition: "absent" }),
      rps: rate(random),
    },
  };
  const more = random.between(1, 4);
  const changing = names.filter(
    (name) => name !== "id" && !("mutable" in (attributes[name] ?? {})),
  );
  for (let i = 0; i < more; i += 1) {
    patterns[`p${i}`] = patternOf(random, names, known, changing);
  }
  return {
    keywright: 1,
    name: "things",
    entities: {
      Thing: { id: ["id"], count, attributes },
    },
    patterns,
  } as unknown as ModelDocument;
}

function rate(random: Random): number {
  return Number((10 ** (random.unit() * 4 - 1)).toPrecision(3));
}

function attributesOf(random: Random, ownersMax: number): Record<string, object> {
  const all: Record<string, object> = {
    id: { type: "S", format: "ulid" },
    body: {
      type: "S",
      bytes: random.pick([50, 800, 1_000, 3_900, 9_000, { min: 100, max: 2_000 }]),
    },
  };
  const firm = (): object => (random.chance(0.5) ? { mutable: false } : {});
  const sometimes = (): object => (random.chance(0.2) ? { present: 0.3 } : {});
  const owner = {
    type: "S",
    bytes: 12,
    distinct: Math.max(1, Math.min(10 ** random.between(1, 5), ownersMax)),
    ...firm(),
    ...sometimes(),
  };
  const kind = { type: "S", values: { red: 0.7, blue: 0.25, gold: 0.05 }, ...firm() };
  const at = { type: "S", format: "iso-time", ...firm() };
  const size = { type: "N", digits: 6, distinct: 10, ...firm(), ...sometimes() };
  const chosen = random.pick([
    { owner },
    { kind },
    { owner, at },
    { owner, kind },
    { kind, size },
    { owner, size },
    { kind, at },
  ]);
  Object.assign(all, chosen);
  if (random.chance(0.3)) all.extra = { type: "M", bytes: random.pick([20, 500, 4_000]) };
  return all;
}

function patternOf(
  random: Random,
  names: readonly string[],
  known: readonly string[],
  changing: readonly string[],
): object {
  const rps = rate(random);
  const byId = { id: "equals" };
  return random.choose<object>([
    [2, () => ({ name: "get", read: "Thing", where: byId, ...returned(random, names), rps })],
    [
      5,
      () => ({
        name: "list",
        read: "Thing",
        ...asked(random, known),
        ...returned(random, names),
        rps,
      }),
    ],
    [
      2,
      () => ({
        name: "change",
        update: "Thing",
        where: byId,
        changes: [random.pick(changing)],
        rps,
      }),
    ],
    [1, () => ({ name: "drop", delete: "Thing", where: byId, rps })],
    [
      1,
      () => ({
        name: "change those",
        update: "Thing",
        where: { [known[0] as string]: "equals" },
        changes: ["body"],
        rps: rps / 100,
      }),
    ],
  ]);
}

function asked(random: Random, known: readonly string[]): object {
  const [first = "", second] = random.chance(0.5) ? known : known.toReversed();
  const where: Record<string, unknown> = { [first]: "equals" };
  if (first === "kind" && random.chance(0.5)) where.kind = { equals: random.pick(["red", "gold"]) };
  const more = second !== undefined && random.chance(0.6);
  const isOrdered = more && random.chance(0.5) && second !== "kind";
  if (more && !isOrdered) {
    const isRange = second === "at" || second === "size";
    where[second] = isRange ? random.pick(["at-least", "less"]) : "equals";
  }
  return {
    where,
    ...(isOrdered && { order: { [second as string]: random.pick(["ascending", "descending"]) } }),
    ...(random.chance(0.5) && { limit: random.pick([1, 10, 100]) }),
    ...(random.chance(0.15) && { consistency: "strong" }),
  };
}

function returned(random: Random, names: readonly string[]): object {
  if (random.chance(0.4)) return {};
  const some = names.filter((name) => name === "id" || random.chance(0.4));
  return { returns: some };
}
