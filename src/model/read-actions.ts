import type { Path } from "../document/path.ts";
import type { Constant } from "./document-parts.ts";
import type { ActionDocument, StepDocument } from "./document-requirements.ts";
import { quantity } from "./quantities.ts";
import { readOperand, readOrder, readWhere } from "./read-where.ts";
import { entriesOf, type Reading } from "./reading.ts";
import type { Action, ActionKind, Condition, Entity, Predicate } from "./requirements.ts";

const kinds: readonly ActionKind[] = ["read", "create", "update", "delete", "check"];

/** What goes with which kind of action. */
const members: readonly (readonly [keyof ActionDocument, readonly ActionKind[]])[] = [
  ["where", ["read", "update", "delete", "check"]],
  ["order", ["read"]],
  ["limit", ["read"]],
  ["returns", ["read"]],
  ["changes", ["update"]],
  ["adds", ["update"]],
  ["appends", ["update"]],
  ["removes", ["update"]],
  ["condition", ["create", "update", "delete", "check"]],
];

export function kindOf(document: StepDocument): ActionKind | undefined {
  return kinds.find((kind) => document[kind] !== undefined);
}

export function readAction(
  reading: Reading,
  document: StepDocument,
  path: Path,
  entities: ReadonlyMap<string, Entity>,
): Action | undefined {
  const kind = kindOf(document) as ActionKind;
  const entity = reading.find(entities, document[kind] ?? "", "entity", [...path, kind]);
  for (const [member, allowed] of members) {
    if (document[member] !== undefined && !allowed.includes(kind)) {
      reading.say([...path, member], `is not for '${kind}', but for ${allowed.join(", ")}`);
    }
  }
  if (entity === undefined) return undefined;
  if (["update", "delete", "check"].includes(kind) && document.where === undefined) {
    reading.say(path, `needs 'where': which ${entity.name} is meant`);
  }
  const effects = [document.changes, document.adds, document.appends, document.removes];
  if (kind === "update" && effects.every((one) => one === undefined)) {
    reading.say(path, "needs 'changes', 'adds', 'appends' or 'removes'");
  }
  if ((kind === "update" || kind === "delete") && document.condition === "absent") {
    reading.say(
      [...path, "condition"],
      `is never fulfilled: what '${kind}' names is there; use 'exists', or 'create' with 'absent'`,
    );
  }
  if (kind === "check" && document.condition === undefined) {
    reading.say(path, "needs 'condition': what must hold");
  }
  const where = readWhere(reading, entity, document.where, [...path, "where"]);
  const changes = readChanges(reading, entity, document.changes, [...path, "changes"]);
  const condition = readCondition(reading, entity, document.condition, [...path, "condition"]);
  for (const [i, change] of changes.entries()) {
    const { attribute, to } = change;
    if (!isKnownBefore(change, [...where, ...predicatesOf(condition)])) continue;
    const hint =
      to.kind === "parameter" ? `; name another parameter: { ${attribute}: $other }` : "";
    reading.say(
      [...path, "changes", Array.isArray(document.changes) ? i : attribute],
      `is set to the value that it must have before, so nothing changes${hint}`,
    );
  }
  refuseTwoChanges(reading, document, condition, path);
  return {
    kind,
    path,
    entity: entity.name,
    where,
    order: readOrder(reading, entity, document.order, [...path, "order"]),
    limit: document.limit,
    returns: readReturns(reading, entity, document.returns, path),
    changes,
    adds: readAdds(reading, entity, document.adds, [...path, "adds"]),
    appends: readAppends(reading, entity, document.appends ?? [], [...path, "appends"]),
    removes: readRemoves(reading, entity, document.removes ?? [], [...path, "removes"]),
    condition,
    average:
      document.average === undefined ? { value: 1, assumed: false } : quantity(document.average),
  };
}

/** DynamoDB refuses an update that changes an attribute in two ways. */
function refuseTwoChanges(
  reading: Reading,
  { changes = [], adds = {}, appends = [], removes = [] }: ActionDocument,
  condition: Condition | undefined,
  path: Path,
): void {
  const known = new Map<string, string>();
  const add = (name: string, member: string, at: number | string): void => {
    const other = known.get(name);
    if (other !== undefined) {
      reading.say(
        [...path, member, at],
        `is changed by '${other}', too; an update changes it once`,
      );
    }
    known.set(name, member);
  };
  const isList = Array.isArray(changes);
  const changed = isList ? (changes as readonly string[]) : Object.keys(changes);
  for (const [i, name] of changed.entries()) add(name, "changes", isList ? i : name);
  for (const name of Object.keys(adds)) add(name, "adds", name);
  // A condition on the version raises it, unless the update states another change of it.
  if (condition?.kind === "version" && !known.has(condition.attribute)) {
    known.set(condition.attribute, "condition: version");
  }
  for (const [i, name] of appends.entries()) add(name, "appends", i);
  for (const [i, name] of removes.entries()) add(name, "removes", i);
}

/** Whether an update sets an attribute to what it equals already. */
function isKnownBefore(
  { attribute, to }: Action["changes"][number],
  predicates: readonly Predicate[],
): boolean {
  return predicates.some(
    (one) =>
      one.attribute === attribute &&
      one.operator === "equals" &&
      JSON.stringify(one.operands[0]) === JSON.stringify(to),
  );
}

function predicatesOf(condition: Condition | undefined): readonly Predicate[] {
  return condition?.kind === "where" ? condition.predicates : [];
}

export function readReturns(
  reading: Reading,
  entity: Entity,
  returns: ActionDocument["returns"],
  path: Path,
): readonly string[] {
  if (returns === undefined || returns === "all") return [...entity.attributes.keys()];
  if (returns === "keys") return entity.id;
  return reading
    .attributes(entity, returns as readonly string[], [...path, "returns"])
    .map(({ name }) => name);
}

function readChanges(
  reading: Reading,
  entity: Entity,
  changes: ActionDocument["changes"],
  path: Path,
): Action["changes"] {
  const isList = Array.isArray(changes) as boolean;
  const entries: readonly (readonly [string, Constant, number | string])[] = isList
    ? (changes as readonly string[]).map((name, i) => [name, `$${name}`, i])
    : entriesOf(changes as Readonly<Record<string, Constant>> | undefined).map(([name, value]) => [
        name,
        value,
        name,
      ]);
  return entries.flatMap(([name, value, step]) => {
    const at = [...path, step];
    const attribute = reading.attribute(entity, name, at, { isName: !isList });
    if (attribute === undefined) return [];
    if (entity.id.includes(name)) reading.say(at, "is in the id, which never changes");
    else if (!attribute.mutable && attribute.mutableStated) {
      reading.say(at, "is said to be not mutable");
    }
    return [{ attribute: name, to: readOperand(reading, attribute, value, at) }];
  });
}

function readAdds(
  reading: Reading,
  entity: Entity,
  adds: ActionDocument["adds"],
  path: Path,
): Action["adds"] {
  return entriesOf(adds).flatMap(([name, amount]) => {
    const at = [...path, name];
    const attribute = reading.attribute(entity, name, at, { isName: true });
    if (attribute === undefined) return [];
    if (attribute.type !== "N") reading.say(at, `is no number: it has type ${attribute.type}`);
    if (entity.id.includes(name)) reading.say(at, "is in the id, which never changes");
    return [{ attribute: name, amount }];
  });
}

function readAppends(
  reading: Reading,
  entity: Entity,
  names: readonly string[],
  path: Path,
): readonly string[] {
  return reading.attributes(entity, names, path).map(({ name, type }) => {
    if (!["L", "SS", "NS", "BS"].includes(type)) {
      reading.say([...path, names.indexOf(name)], `is no list or set: it has type ${type}`);
    }
    return name;
  });
}

function readRemoves(
  reading: Reading,
  entity: Entity,
  names: readonly string[],
  path: Path,
): readonly string[] {
  return reading.attributes(entity, names, path).map(({ name }) => {
    if (entity.id.includes(name)) {
      reading.say([...path, names.indexOf(name)], "is in the id, which is always there");
    }
    return name;
  });
}

function readCondition(
  reading: Reading,
  entity: Entity,
  condition: ActionDocument["condition"],
  path: Path,
): Condition | undefined {
  if (condition === undefined) return undefined;
  if (condition === "version") {
    if (entity.version === undefined) {
      reading.say(
        path,
        `needs 'version' in ${entity.name}: the attribute that every change raises`,
      );
    }
    return { kind: "version", attribute: entity.version ?? "" };
  }
  if (typeof condition === "string") return { kind: condition as "exists" | "absent" };
  return { kind: "where", predicates: readWhere(reading, entity, condition, path) };
}
