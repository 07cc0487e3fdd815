import type { Random } from "../random.ts";
import { beginning } from "./oracle-expiry.ts";
import { indexAttributes, keyPool, partitionPool } from "./schemas.ts";
import type { Action, Comparator, Condition, Operand, Path, TableSpec } from "./steps.ts";
import { canonicalItem, compareScalars, type Item, sizeOfItem, type Value } from "./values.ts";

/** Draws keys, items, conditions and updates. */

export function drawKey(random: Random, { hash, range }: TableSpec): Item {
  const key: Record<string, Value> = {};
  for (const [name, type] of hash) key[name] = random.pick(partitionPool[type]);
  for (const [name, type] of range) key[name] = random.pick(keyPool[type]);
  return key;
}

/** Half of the pool only: entries of an index shall often be equal. */
export function drawIndexValue(random: Random, name: string): Value {
  const pool = keyPool[indexAttributes[name] ?? "S"];
  return random.pick(random.chance(0.7) ? pool.slice(0, 3) : pool);
}

const small = (random: Random): Value => ({ N: String(random.between(-3, 12)) });
const word = (random: Random): Value => ({ S: random.pick(["", "x", "xy", "éa", "long word"]) });

/** In the first hours of a history, at some other time, or never. */
function drawExpiry(random: Random): Value {
  const first = beginning / 1_000;
  if (random.chance(0.8)) return { N: String(first + 300 * random.between(-1, 60)) };
  return random.pick<Value>([
    { N: `${first + 1_000}.5` },
    { N: `${first + 2_000}e0` },
    { N: String(first - 6 * 365 * 86_400) },
    { N: `${first + 10}000` },
    { N: "-1" },
    { N: "9.9e125" },
    { S: String(first) },
  ]);
}

const plainValues: Readonly<Record<string, (random: Random) => Value>> = {
  vnum: (random) => (random.chance(0.9) ? small(random) : word(random)),
  vtxt: word,
  vset: (random) =>
    random.chance(0.7)
      ? { SS: random.sample(["a", "b", "c", "～", "😀"], random.between(1, 3)) }
      : { NS: random.sample(["1", "10", "2", "-1.50"], random.between(1, 3)) },
  vdoc: (random) => ({
    M: {
      ...(random.chance(0.7) && { inn: small(random) }),
      ...(random.chance(0.5) && { z: word(random) }),
    },
  }),
  vlst: (random) => ({ L: Array.from({ length: random.between(0, 3) }, () => small(random)) }),
  vbool: (random) => ({ BOOL: random.chance(0.5) }),
  vnull: () => ({ NULL: true }),
  vbin: (random) => random.pick(keyPool.B),
  vexp: drawExpiry,
};

export const plainNames = Object.keys(plainValues);

export const drawPlain = (random: Random, name: string): Value =>
  (plainValues[name] ?? word)(random);

export function drawItem(random: Random, spec: TableSpec, big: boolean): Item {
  const item: Record<string, Value> = { ...drawKey(random, spec) };
  for (const name of Object.keys(indexAttributes)) {
    if (random.chance(0.6)) item[name] = drawIndexValue(random, name);
  }
  for (const name of plainNames) if (random.chance(0.35)) item[name] = drawPlain(random, name);
  const size = paddedSize(random, big);
  if (size === undefined) return item;
  const missing = size - sizeOfItem(canonicalItem(item)) - "vpad".length;
  return missing < 0 ? item : { ...item, vpad: { S: "p".repeat(missing) } };
}

/** One below, at and one above the steps of capacity; or so much that few items fill a page. */
function paddedSize(random: Random, big: boolean): number | undefined {
  if (big && random.chance(0.6)) return random.pick([100_000, 262_144, 350_000, 409_600]);
  if (random.chance(0.7)) return undefined;
  return 1024 * random.pick([1, 1, 2, 4, 4, 8]) + random.between(-1, 1);
}

/** One of the paths that items have. */
export function drawPath(random: Random, names: readonly string[] = plainNames): Path {
  const name = random.pick(names);
  if (name === "vdoc" && random.chance(0.6)) return [name, random.pick(["inn", "z"])];
  if (name === "vlst" && random.chance(0.4)) return [name, random.between(0, 3)];
  return [name];
}

const comparators: readonly Comparator[] = ["=", "<>", "<", "<=", ">", ">="];

function drawOrdered(random: Random, path: Path): Value {
  if (path.length === 1 && path[0] in indexAttributes) return drawIndexValue(random, path[0]);
  return path[0] === "vtxt"
    ? word(random)
    : path[0] === "vbin"
      ? drawPlain(random, "vbin")
      : small(random);
}

export function drawCondition(
  random: Random,
  names: readonly string[] = [...plainNames, ...Object.keys(indexAttributes)],
  depth = 0,
): Condition {
  if (depth < 2 && random.chance(0.3)) {
    const left = drawCondition(random, names, depth + 1);
    if (random.chance(0.3)) return { is: "not", inner: left };
    return {
      is: random.chance(0.5) ? "and" : "or",
      left,
      right: drawCondition(random, names, depth + 1),
    };
  }
  const path = drawPath(random, names);
  const value = drawOrdered(random, path);
  switch (random.between(0, 9)) {
    case 0:
      return { is: "exists", path };
    case 1:
      return { is: "missing", path };
    case 2:
      return {
        is: "size",
        path,
        op: random.pick(comparators),
        value: { N: String(random.between(0, 3)) },
      };
    case 3: {
      const ends = [value, drawOrdered(random, path)] as const;
      const [low, high] = (compareScalars(ends[0], ends[1]) ?? 0) <= 0 ? ends : [ends[1], ends[0]];
      return { is: "between", path, low, high };
    }
    case 4:
      return { is: "in", path, values: [value, drawOrdered(random, path)] };
    case 5:
      return { is: "begins", path, value: "S" in value || "B" in value ? value : word(random) };
    case 6:
      return { is: "contains", path, value: random.chance(0.5) ? value : { S: "a" } };
    case 7:
      return { is: "type", path, value: { S: random.pick(["S", "N", "SS", "M", "L", "NULL"]) } };
    case 8:
      return {
        is: "compare",
        path,
        op: random.pick(["=", "<>"]),
        value: drawPlain(random, path[0]),
      };
    default:
      return { is: "compare", path, op: random.pick(comparators), value };
  }
}

/** One to three actions, no two on the same attribute. */
export function drawActions(random: Random): readonly Action[] {
  if (random.chance(0.04)) return [];
  const names = [...plainNames, "vctr", "vpad", ...Object.keys(indexAttributes)];
  return random.sample(names, random.between(1, 3)).map((name) => drawAction(random, name));
}

const literal = (value: Value): Operand => ({ of: "value", value });

function drawAction(random: Random, name: string): Action {
  const path: Path = [name];
  const one = { N: random.pick(["1", "-1", "0.5", "1e1"]) };
  if (name in indexAttributes) {
    if (random.chance(0.3)) return { do: "remove", path };
    return { do: "set", path, to: literal(drawIndexValue(random, name)) };
  }
  if (name === "vpad") {
    return { do: "set", path, to: literal({ S: "u".repeat(random.between(0, 2500)) }) };
  }
  if (random.chance(0.15)) return { do: "remove", path };
  if (name === "vctr") return { do: "add", path, value: one };
  if (name === "vnum" && random.chance(0.8)) {
    const left: Operand = random.chance(0.6)
      ? { of: "default", name, value: { N: "0" } }
      : { of: "attribute", name };
    return {
      do: "set",
      path,
      to: { of: random.pick(["plus", "minus"]), left, right: literal(one) },
    };
  }
  if (name === "vset" && random.chance(0.8)) {
    return { do: random.pick(["add", "delete"]), path, value: drawPlain(random, name) };
  }
  if (name === "vlst" && random.chance(0.8)) {
    if (random.chance(0.3))
      return { do: "set", path: [name, random.between(0, 4)], to: literal(one) };
    const left: Operand = { of: "default", name, value: { L: [] } };
    return { do: "set", path, to: { of: "append", left, right: literal({ L: [one] }) } };
  }
  if (name === "vdoc" && random.chance(0.6)) {
    return { do: "set", path: [name, "inn"], to: literal(drawPlain(random, "vset")) };
  }
  if (name === "vtxt" && random.chance(0.3)) {
    return { do: "set", path, to: { of: "attribute", name: random.pick(["vnum", "vbool"]) } };
  }
  return { do: "set", path, to: literal(drawPlain(random, name)) };
}
