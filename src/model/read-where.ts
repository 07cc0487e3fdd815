import { didYouMean } from "../document/nearest.ts";
import type { Path } from "../document/path.ts";
import type {
  Constant,
  Direction,
  OperatorName,
  OperatorsDocument,
  WhereDocument,
} from "./document-parts.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Attribute, Entity, Operand, Order, Predicate } from "./requirements.ts";

const scalars: readonly string[] = ["S", "N", "B"];

/** The types that an operator can look at; those that are not here take any. */
const typesOf: Readonly<Partial<Record<OperatorName, readonly string[]>>> = {
  less: scalars,
  "at-most": scalars,
  greater: scalars,
  "at-least": scalars,
  between: scalars,
  "begins-with": ["S", "B"],
  contains: ["S", "B", "L", "SS", "NS", "BS"],
};

export function readWhere(
  reading: Reading,
  entity: Entity,
  where: WhereDocument | undefined,
  path: Path,
): readonly Predicate[] {
  return entriesOf(where).flatMap(([name, given]) => {
    const at = [...path, name];
    const attribute = reading.attribute(entity, name, at, { isName: true });
    if (attribute === undefined || given === undefined) return [];
    const operators: OperatorsDocument =
      typeof given === "string" ? { [given]: parametersOf(given, name) } : given;
    const entries = entriesOf(operators as Readonly<Record<string, unknown>>);
    if (entries.length === 0) reading.say(at, "needs an operator");
    return entries.map(([operator, value]) => {
      const place = typeof given === "string" ? at : [...at, operator];
      return predicate(reading, attribute, operator as OperatorName, value, place);
    });
  });
}

/** An operator alone compares with a parameter that has the attribute's name. */
function parametersOf(operator: OperatorName, name: string): OperatorsDocument[OperatorName] {
  if (operator === "exists") return true;
  if (operator === "between") return [`$${name}From`, `$${name}To`];
  return `$${name}`;
}

function predicate(
  reading: Reading,
  attribute: Attribute,
  operator: OperatorName,
  value: unknown,
  path: Path,
): Predicate {
  const types = typesOf[operator];
  if (types !== undefined && !types.includes(attribute.type)) {
    reading.say(path, `cannot be asked of type ${attribute.type}`);
  }
  if (operator === "exists") {
    return { attribute: attribute.name, operator, operands: [], exists: value === true };
  }
  const isList = Array.isArray(value) as boolean;
  const list = (isList ? value : [value]) as readonly Constant[];
  if (operator === "one-of" && !isList && !isParameter(value)) {
    reading.say(path, "must be a list or a parameter such as '$values'");
  }
  const operands = list.map((one, i) =>
    readOperand(reading, attribute, one, isList ? [...path, i] : path, operator),
  );
  if (operator === "between" && isUpsideDown(operands)) {
    reading.say(path, "has a lower bound above its upper bound, so nothing is between them");
  }
  return { attribute: attribute.name, operator, operands, exists: true };
}

/** Whether both bounds are constants, and the first is above the second: DynamoDB refuses that. */
function isUpsideDown([low, high]: readonly Operand[]): boolean {
  if (low?.kind !== "constant" || high?.kind !== "constant") return false;
  const [from, to] = [low.value, high.value];
  if (typeof from === "number" && typeof to === "number") return from > to;
  return Buffer.compare(Buffer.from(String(from)), Buffer.from(String(to))) > 0;
}

const isParameter = (value: unknown): value is string =>
  typeof value === "string" && value.startsWith("$");

export function readOperand(
  reading: Reading,
  { type, values, name }: Attribute,
  value: Constant,
  path: Path,
  operator: OperatorName = "equals",
): Operand {
  if (isParameter(value)) {
    if (!/^\$[A-Za-z_]\w*$/.test(value)) reading.say(path, `is no name of a parameter`);
    return { kind: "parameter", name: value.slice(1) };
  }
  const wanted = { S: "string", N: "number", BOOL: "boolean" }[type as string];
  if (wanted !== undefined && operator !== "contains" && typeof value !== wanted) {
    const kind = { string: "text", number: "a number", boolean: "true or false" }[wanted];
    reading.say(path, `must be ${kind}, for '${name}' has type ${type}`);
  } else if (values !== undefined && (operator === "equals" || operator === "one-of")) {
    const known = values.map((one) => String(one.value));
    if (!known.includes(String(value))) {
      const hint = didYouMean(String(value), known) || `; there are ${known.join(", ")}`;
      reading.say(path, `is '${value}', which is no value of '${name}'${hint}`);
    }
  }
  return { kind: "constant", value };
}

export function readOrder(
  reading: Reading,
  entity: Entity,
  order: Readonly<Record<string, Direction>> | undefined,
  path: Path,
): readonly Order[] {
  return entriesOf(order).flatMap(([name, direction]) => {
    const at = [...path, name];
    const attribute = reading.attribute(entity, name, at, { isName: true });
    if (attribute === undefined) return [];
    if (!scalars.includes(attribute.type)) {
      reading.say(at, `cannot be sorted by: it has type ${attribute.type}`);
    }
    return [{ attribute: name, direction }];
  });
}
