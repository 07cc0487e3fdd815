import type { Action, Comparator, Condition, Operand, Path, Test } from "./steps.ts";
import {
  addNumbers,
  canonical,
  compareBinaries,
  compareNumbers,
  compareScalars,
  compareTexts,
  type Item,
  sameValue,
  typeName,
  type Value,
} from "./values.ts";

/** What conditions, updates and projections of a history mean, evaluated straight from the steps. */

export function valueAt(item: Item, path: Path): Value | undefined {
  const top = item[path[0]];
  if (path.length === 1 || top === undefined) return top;
  const inner = path[1];
  if (typeof inner === "number") return "L" in top ? top.L[inner] : undefined;
  return "M" in top ? top.M[inner] : undefined;
}

export function holds(condition: Condition, item: Item): boolean {
  switch (condition.is) {
    case "and":
      return holds(condition.left, item) && holds(condition.right, item);
    case "or":
      return holds(condition.left, item) || holds(condition.right, item);
    case "not":
      return !holds(condition.inner, item);
    default:
      return test(condition, valueAt(item, condition.path));
  }
}

function test(condition: Test, found: Value | undefined): boolean {
  if (condition.is === "exists") return found !== undefined;
  if (condition.is === "missing") return found === undefined;
  if (condition.is === "compare") return compares(found, condition.op, canonical(condition.value));
  if (found === undefined) return condition.is === "size" && condition.op === "<>";
  switch (condition.is) {
    case "size": {
      const size = sizeFunction(found);
      const value = size === undefined ? undefined : { N: String(size) };
      return compares(value, condition.op, canonical(condition.value));
    }
    case "between":
      return (
        compares(found, ">=", canonical(condition.low)) &&
        compares(found, "<=", canonical(condition.high))
      );
    case "in":
      return condition.values.some((value) => sameValue(found, canonical(value)));
    case "begins":
      return begins(found, condition.value);
    case "contains":
      return contains(found, canonical(condition.value));
    case "type":
      return "S" in condition.value && typeName(found) === condition.value.S;
  }
}

export function begins(found: Value, prefix: Value): boolean {
  if ("S" in found && "S" in prefix) return found.S.startsWith(prefix.S);
  if (!("B" in found && "B" in prefix)) return false;
  const hex = (base64: string) => Buffer.from(base64, "base64").toString("hex");
  return hex(found.B).startsWith(hex(prefix.B));
}

function contains(found: Value, value: Value): boolean {
  if ("L" in found) return found.L.some((element) => sameValue(element, value));
  if ("S" in found && "S" in value) return found.S.includes(value.S);
  if ("B" in found && "B" in value) {
    return Buffer.from(found.B, "base64").includes(Buffer.from(value.B, "base64"));
  }
  if ("SS" in found && "S" in value) return found.SS.includes(value.S);
  return "NS" in found && "N" in value && found.NS.includes(value.N);
}

function sizeFunction(value: Value): number | undefined {
  if ("S" in value) return value.S.length;
  if ("B" in value) return Buffer.from(value.B, "base64").length;
  const members = Object.values(value)[0] as unknown;
  return typeof members === "object" && members !== null ? Object.keys(members).length : undefined;
}

export function compares(found: Value | undefined, op: Comparator, value: Value): boolean {
  if (found === undefined) return op === "<>";
  if (op === "=") return sameValue(found, value);
  if (op === "<>") return !sameValue(found, value);
  const order = compareScalars(found, value);
  if (order === undefined) return false;
  return {
    "<": order < 0,
    "<=": order <= 0,
    ">": order > 0,
    ">=": order >= 0,
  }[op];
}

/** An update that cannot be carried out on the item it found. */
export class BadUpdate extends Error {}

/** The item after an update; undefined if there was none and the update only takes away. */
export function updated(
  actions: readonly Action[],
  before: Item | undefined,
  key: Item,
): Item | undefined {
  const takes = (action: Action) => action.do === "remove" || action.do === "delete";
  if (before === undefined && actions.length > 0 && actions.every(takes)) return undefined;
  const old = before ?? key;
  const after: Record<string, Value> = { ...old };
  for (const action of actions) {
    const value = result(action, old);
    place(after, action.path, value, old);
  }
  return after;
}

function result(action: Action, old: Item): Value | undefined {
  if (action.do === "set") return operand(action.to, old);
  if (action.do === "remove") return undefined;
  const found = valueAt(old, action.path);
  const value = canonical(action.value);
  if (action.do === "delete") {
    if (found === undefined) return undefined;
    return setOperation(found, value, (members, given) => members.filter((m) => !given.has(m)));
  }
  if (found === undefined) return value;
  if ("N" in found && "N" in value) return { N: addNumbers(found.N, value.N) };
  return setOperation(found, value, (members, given) => [...new Set([...members, ...given])]);
}

function setOperation(
  found: Value,
  value: Value,
  change: (members: readonly string[], given: ReadonlySet<string>) => string[],
): Value | undefined {
  const type = typeName(found);
  if (type !== typeName(value) || !["SS", "NS", "BS"].includes(type)) throw new BadUpdate();
  const given = new Set(Object.values(value)[0] as string[]);
  const members = change(Object.values(found)[0] as string[], given);
  if (members.length === 0) return undefined;
  if (type === "SS") return { SS: members.sort(compareTexts) };
  if (type === "NS") return { NS: members.sort(compareNumbers) };
  return { BS: members.sort(compareBinaries) };
}

function operand(from: Operand, old: Item): Value {
  switch (from.of) {
    case "value":
      return canonical(from.value);
    case "attribute":
      return present(old[from.name]);
    case "default":
      return old[from.name] ?? canonical(from.value);
    case "append": {
      const [left, right] = [operand(from.left, old), operand(from.right, old)];
      if (!("L" in left && "L" in right)) throw new BadUpdate();
      return { L: [...left.L, ...right.L] };
    }
    default: {
      const [left, right] = [operand(from.left, old), operand(from.right, old)];
      if (!("N" in left && "N" in right)) throw new BadUpdate();
      return { N: addNumbers(left.N, right.N, from.of === "plus" ? 1n : -1n) };
    }
  }
}

function present(value: Value | undefined): Value {
  if (value === undefined) throw new BadUpdate();
  return value;
}

/** Puts a value where the path says, or removes what is there. */
function place(
  after: Record<string, Value>,
  path: Path,
  value: Value | undefined,
  old: Item,
): void {
  const [name, inner] = path;
  if (inner === undefined) {
    if (value === undefined) delete after[name];
    else after[name] = value;
    return;
  }
  const parent = old[name];
  if (typeof inner === "number") {
    if (parent === undefined || !("L" in parent)) throw new BadUpdate();
    const list = [...parent.L];
    if (value !== undefined) list[Math.min(inner, list.length)] = value;
    else if (inner < list.length) list.splice(inner, 1);
    after[name] = { L: list };
    return;
  }
  if (parent === undefined || !("M" in parent)) throw new BadUpdate();
  const { [inner]: _, ...rest } = parent.M;
  after[name] = { M: value === undefined ? rest : { ...rest, [inner]: value } };
}

/** Only the attributes, and members of maps, that the paths name. */
export function projected(item: Item, paths: readonly Path[]): Item {
  const result: Record<string, Value> = {};
  for (const path of paths) {
    const value = valueAt(item, path);
    if (value === undefined) continue;
    const [name, inner] = path;
    if (inner === undefined) result[name] = value;
    else if (typeof inner === "string") {
      const so = result[name];
      result[name] = { M: { ...(so !== undefined && "M" in so ? so.M : {}), [inner]: value } };
    } else result[name] = { L: [value] };
  }
  return result;
}
