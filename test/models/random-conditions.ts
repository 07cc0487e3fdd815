import type {
  Constant,
  Direction,
  OperatorName,
  OperatorsDocument,
  WhereDocument,
} from "../../src/model/document-parts.ts";
import type { ActionDocument, AttributeDocument } from "../../src/model/document-requirements.ts";
import { attributeOf, type DraftEntity, namesOfType } from "./draft-entity.ts";
import type { ModelRandom } from "./model-random.ts";

/** Draws what patterns say about attributes: conditions, order, what is returned. */

type Comparison = OperatorName | OperatorsDocument;

/** Equal to a parameter, in one of its spellings. */
export function equalTo(random: ModelRandom, name: string): Comparison {
  if (!isWord(name) || random.chance(0.1)) return { equals: parameter(random, name) };
  return "equals";
}

/** Conditions that name one item by its whole id. */
export function idWhere(random: ModelRandom, { id }: DraftEntity): WhereDocument {
  return Object.fromEntries(id.map((name) => [name, equalTo(random, name)]));
}

const weights: Readonly<Record<OperatorName, number>> = {
  equals: 6,
  "one-of": 1.5,
  less: 1,
  "at-most": 1,
  greater: 1,
  "at-least": 1,
  between: 1.5,
  "begins-with": 1.2,
  exists: 1.2,
  contains: 0.8,
};

/** The operators that the reader accepts for a type, without those that hardly anybody asks of it. */
function operatorsFor(
  random: ModelRandom,
  { type }: AttributeDocument,
): Readonly<Partial<Record<OperatorName, number>>> {
  const isOdd = random.chance(0.03);
  const pick = (...names: readonly OperatorName[]): Partial<Record<OperatorName, number>> =>
    Object.fromEntries(names.map((name) => [name, weights[name]]));
  const ranges = ["less", "at-most", "greater", "at-least", "between"] as const;
  switch (type) {
    case "S":
      return weights;
    case "N":
      return pick("equals", "one-of", "exists", ...ranges);
    case "B":
      return isOdd
        ? pick("contains", "one-of", ...ranges)
        : pick("equals", "begins-with", "exists", "between");
    case "BOOL":
      return isOdd ? pick("one-of") : pick("equals", "exists");
    case "NULL":
      return isOdd ? pick("equals") : pick("exists");
    case "M":
      return isOdd ? pick("equals", "one-of") : pick("exists");
    case "L":
    case "SS":
    case "NS":
    case "BS":
      return isOdd ? pick("equals", "one-of") : pick("contains", "exists");
  }
}

/** A condition on an attribute with any operator that goes with its type. */
export function randomComparison(
  random: ModelRandom,
  name: string,
  attribute: AttributeDocument,
): Comparison {
  const operator = random.weighted(operatorsFor(random, attribute) as Record<OperatorName, number>);
  const isRange = ["S", "N"].includes(attribute.type) && random.chance(0.05);
  if (isRange && (operator === "greater" || operator === "at-least")) {
    return {
      [operator]: operand(random, name, attribute, "From"),
      [random.pick(["less", "at-most"])]: operand(random, name, attribute, "To"),
    };
  }
  return comparisonWith(random, name, attribute, operator);
}

function comparisonWith(
  random: ModelRandom,
  name: string,
  attribute: AttributeDocument,
  operator: OperatorName,
): Comparison {
  // A list or an element under the attribute's name is in the way of another step that sets the whole attribute.
  const isUnlike = operator === "one-of" || (operator === "contains" && attribute.type !== "S");
  if (random.chance(isUnlike ? 0.02 : 0.45) && isWord(name)) return operator;
  switch (operator) {
    case "exists":
      return { exists: canBeMissing(random, attribute) ? random.chance(0.3) : true };
    case "between":
      return { between: span(random, name, attribute) };
    case "one-of":
      return { "one-of": oneOf(random, name, attribute) };
    case "begins-with":
      return {
        "begins-with":
          attribute.type === "S" && random.chance(0.4)
            ? prefixFor(random, attribute)
            : parameter(random, name),
      };
    case "contains":
      return { contains: elementFor(random, name, attribute) };
    default:
      return { [operator]: operand(random, name, attribute) };
  }
}

/** Whether `exists: false` may hold; hardly anybody asks for it where it may not. */
function canBeMissing(random: ModelRandom, { present = 1 }: AttributeDocument): boolean {
  return present !== 1 || random.contradicts(0.1);
}

/** An operator alone makes a parameter of the attribute's name, and a hyphen cannot be in one. */
export function isWord(name: string): boolean {
  return /^\w+$/.test(name);
}

function parameter(random: ModelRandom, name: string, suffix = ""): string {
  const own = `$${name.replaceAll("-", "_")}${suffix}`;
  return random.chance(0.8) ? own : `$${random.pick(["wanted", "given", "chosen"])}${suffix}`;
}

function operand(
  random: ModelRandom,
  name: string,
  attribute: AttributeDocument,
  suffix = "",
): Constant {
  const constant = random.chance(0.5) ? constantFor(random, attribute) : undefined;
  return constant ?? parameter(random, name, suffix);
}

function span(
  random: ModelRandom,
  name: string,
  attribute: AttributeDocument,
): readonly [Constant, Constant] {
  const [from, to] = [parameter(random, name, "From"), parameter(random, name, "To")];
  const ends = [constantFor(random, attribute), constantFor(random, attribute)] as const;
  const [first, second] = ends;
  if (first === undefined || second === undefined || random.chance(0.5)) return [from, to];
  if (random.chance(0.3)) return random.chance(0.5) ? [first, to] : [from, second];
  const isTurned = random.contradicts(0.5);
  return first <= second !== isTurned ? [first, second] : [second, first];
}

function oneOf(
  random: ModelRandom,
  name: string,
  attribute: AttributeDocument,
): readonly Constant[] | string {
  const wanted = random.between(1, 3);
  const constants = new Set(random.times(wanted, () => constantFor(random, attribute)));
  if (constants.has(undefined) || random.chance(0.4)) return parameter(random, name, "List");
  const list = [...constants].flatMap((one) => one ?? []);
  return random.chance(0.1) ? [...list, parameter(random, name, "List")] : list;
}

/** A value that an attribute may be compared with or set to; nothing for types without constants. */
export function constantFor(
  random: ModelRandom,
  { type, format, values }: AttributeDocument,
): Constant | undefined {
  if (values !== undefined) {
    const all = Array.isArray(values)
      ? (values as readonly (string | number)[])
      : Object.keys(values).map((one) => (type === "N" ? Number(one) : one));
    return random.pick(all);
  }
  switch (type) {
    case "S":
      return textFor(random, format);
    case "N":
      return numberFor(random, format);
    case "BOOL":
      return random.chance(0.5);
    case "B":
      return random.chance(0.05) ? "c2FtcGxl" : undefined;
    default:
      return undefined;
  }
}

function textFor(random: ModelRandom, format: AttributeDocument["format"]): string {
  const day = `2026-0${random.between(1, 9)}-1${random.between(0, 9)}`;
  switch (random.contradicts(0.1) ? undefined : format) {
    case "iso-date":
      return day;
    case "iso-time":
      return `${day}T08:30:00.000Z`;
    case "ulid":
      return `01KEXZ4J3M8V2Q7T5N9R6W1Y${random.pick(["A0", "B1"])}`;
    case "ksuid":
      return "2srPM9vdGqLDlGzeJkR8pQ7h1aB";
    case "uuid":
      return "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    default:
      return random.pick(["red", "blue", "a b", "x#y", "Zoë", "0", "true"]);
  }
}

function numberFor(random: ModelRandom, format: AttributeDocument["format"]): number {
  if (format === "epoch-seconds") return 1_767_225_600 + random.between(0, 999_999);
  if (format === "epoch-milliseconds") return 1_767_225_600_000 + random.between(0, 999_999);
  return random.choose([
    [5, () => random.between(0, 100)],
    [1, () => 0],
    [1, () => -random.between(1, 50)],
    [1, () => random.between(1, 100) / 4],
  ]);
}

function prefixFor(random: ModelRandom, { format, values }: AttributeDocument): string {
  if (format === "iso-date" || format === "iso-time") return random.pick(["2026", "2026-01"]);
  if (values !== undefined) return random.pick(["a", "s", "o"]);
  return random.pick(["a", "red", "x#"]);
}

function elementFor(random: ModelRandom, name: string, { type }: AttributeDocument): Constant {
  const element = parameter(random, name, type === "S" || type === "B" ? "" : `Of${type}`);
  if (random.chance(0.5)) return element;
  if (type === "NS") return random.between(0, 100);
  if (type === "L") return random.pick<Constant>(["red", 7, true]);
  return type === "BS" || type === "B" ? element : random.pick(["red", "a"]);
}

/** Conditions that a stored item must meet for a write. */
export function writeConditions(
  random: ModelRandom,
  entity: DraftEntity,
  /** What the write asks for already; a second condition on an attribute easily contradicts the first one. */
  where: WhereDocument = {},
): WhereDocument {
  const names = [...entity.attributes.keys()].filter(
    (name) => (!entity.id.includes(name) && !(name in where)) || random.contradicts(0.2),
  );
  const chosen = random.sample(names, random.chance(0.8) ? 1 : 2);
  return Object.fromEntries(
    chosen.map((name) => {
      const attribute = attributeOf(entity, name);
      // Few ranges and prefixes hold for one of some stated values.
      const isState = attribute.values !== undefined && !random.contradicts(0.2);
      return isState
        ? [name, comparisonWith(random, name, attribute, random.pick(["equals", "one-of"]))]
        : [name, randomComparison(random, name, attribute)];
    }),
  );
}

export function randomOrder(
  random: ModelRandom,
  entity: DraftEntity,
): Readonly<Record<string, Direction>> {
  const sortable = namesOfType(entity, ["S", "N", "B"]);
  const first = random.pick<Direction>(["ascending", "descending"]);
  const chosen = random.sample(sortable, random.weighted({ 1: 75, 2: 20, 3: 5 }) === "1" ? 1 : 2);
  return Object.fromEntries(
    chosen.map((name): [string, Direction] => [
      name,
      random.chance(0.7) ? first : random.pick(["ascending", "descending"]),
    ]),
  );
}

export function randomLimit(random: ModelRandom): number | "all" {
  return random.chance(0.2) ? "all" : random.pick([1, 2, 10, 25, 100]);
}

export function randomReturns(
  random: ModelRandom,
  { attributes }: DraftEntity,
): NonNullable<ActionDocument["returns"]> {
  const names = [...attributes.keys()];
  return random.choose<NonNullable<ActionDocument["returns"]>>([
    [1, () => "all"],
    [1, () => "keys"],
    [5, () => random.sample(names, random.between(1, Math.min(5, names.length)))],
  ]);
}
