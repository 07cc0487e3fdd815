import type { Reading } from "./reading.ts";
import type { Action, Condition, Entity, Operand, Predicate } from "./requirements.ts";

/**
 * The steps of a transaction, each of another item: DynamoDB refuses a transaction that names an item twice. A check of an item
 * that another step writes becomes a part of that step's condition; other steps that always name the same item are refused.
 */
export function mergeSteps(
  reading: Reading,
  actions: readonly Action[],
  entities: ReadonlyMap<string, Entity>,
): readonly Action[] {
  const merged: Action[] = [];
  for (const action of actions) {
    const entity = entities.get(action.entity) as Entity;
    const at = merged.findIndex((other) => isSameItem(entity, other, action));
    const other = merged[at];
    const both = other && mergedAction(entity, other, action);
    if (other === undefined) merged.push(action);
    else if (both !== undefined) merged[at] = both;
    else reading.say(action.path, refusalText(entity, other, action));
  }
  return merged;
}

/** Whether two steps name the same item whatever the caller hands in. */
function isSameItem({ id, name }: Entity, a: Action, b: Action): boolean {
  if (a.entity !== name) return false;
  if (a.kind === "create" || b.kind === "create") return a.kind === b.kind;
  return id.every((attribute) => {
    const [one, other] = [operandFor(a, attribute), operandFor(b, attribute)];
    return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
  });
}

function operandFor({ where }: Action, name: string): Operand | undefined {
  return where.find(({ attribute, operator }) => attribute === name && operator === "equals")
    ?.operands[0];
}

function refusalText(entity: Entity, other: Action, { kind }: Action): string {
  const step = Number(other.path.at(-1)) + 1;
  if (kind === "create") {
    return `creates ${entity.name} again after step ${step}; say how many with 'average' there`;
  }
  const hint =
    kind === "update" && other.kind === "update" ? "make them one step" : "leave one of them out";
  return `names the same ${entity.name} as step ${step}, and a transaction names an item once; ${hint}, or name another one: { ${entity.id.at(-1)}: { equals: $other } }`;
}

/** A check and another step as one action; nothing if DynamoDB has none. */
function mergedAction(entity: Entity, a: Action, b: Action): Action | undefined {
  if (a.kind !== "check" && b.kind !== "check") return undefined;
  if (a.average.value !== b.average.value) return undefined;
  const [main, check] = b.kind === "check" ? [a, b] : [b, a];
  const known = new Set(main.where.map((one) => JSON.stringify(one)));
  const more = check.where.filter((one) => !known.has(JSON.stringify(one)));
  const both = bothConditions(entity, main.condition, check.condition);
  if (both === undefined) return undefined;
  return { ...main, where: [...main.where, ...more, ...both.where], condition: both.condition };
}

/** What both conditions ask for: a condition, and what the item must be found by besides. */
function bothConditions(
  entity: Entity,
  main: Condition | undefined,
  check: Condition | undefined,
): Pick<Action, "where" | "condition"> | undefined {
  if (check === undefined) return { where: [], condition: main };
  if (main === undefined && check.kind !== "version") return { where: [], condition: check };
  if (main?.kind === check.kind && check.kind !== "where") return { where: [], condition: main };
  if (main?.kind === "absent" || check.kind === "absent") return undefined;
  if (main?.kind === "version") return { where: predicatesOf(check), condition: main };
  const predicates = [...predicatesOf(main), ...predicatesOf(check)];
  // A comparison holds of nothing that is not there; that something is missing does.
  const isThere = predicates.some(({ operator, exists }) => operator !== "exists" || exists);
  const id: Predicate = {
    attribute: entity.id[0] ?? "",
    operator: "exists",
    operands: [],
    exists: true,
  };
  const all = isThere ? predicates : [...predicates, id];
  return { where: [], condition: { kind: "where", predicates: all } };
}

function predicatesOf(condition: Condition | undefined): readonly Predicate[] {
  if (condition?.kind === "where") return condition.predicates;
  if (condition?.kind !== "version") return [];
  const { attribute } = condition;
  const operands = [{ kind: "parameter" as const, name: attribute }];
  return [{ attribute, operator: "equals", operands, exists: true }];
}
