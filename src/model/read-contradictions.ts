/** Refuses writes that can never be fulfilled: conditions that no item meets, and one unique value for several items. */
import type { Path } from "../document/path.ts";
import { contradictionIn } from "./contradiction.ts";
import type { Reading } from "./reading.ts";
import type { Action, Entity, Pattern, Predicate } from "./requirements.ts";

type Entities = ReadonlyMap<string, Entity>;

export function checkContradictions(
  reading: Reading,
  entities: Entities,
  patterns: Iterable<Pattern>,
): void {
  for (const { kind, actions, batch } of patterns) {
    if (kind === "read") continue;
    for (const action of actions) checkConditions(reading, entities, action);
    checkUniqueValues(reading, entities, actions, batch?.value ?? 1);
  }
}

/** A create has nothing to find, and a check may hold for an item that is missing. */
function checkConditions(reading: Reading, entities: Entities, action: Action): void {
  const { kind, path, where } = action;
  const entity = entities.get(action.entity);
  if (entity === undefined || kind === "create" || mayHoldForMissing(entity, action)) return;
  const all = [...where, ...predicatesOf(action)];
  for (const name of new Set(all.map(({ attribute }) => attribute))) {
    const attribute = entity.attributes.get(name);
    const own = all.filter((one) => one.attribute === name);
    const why = attribute && contradictionIn(attribute, own);
    if (why === undefined) continue;
    const member = where.some((one) => one.attribute === name) ? "where" : "condition";
    reading.say([...path, member, name], `never holds, so this ${kind} never succeeds: ${why}`);
  }
}

/** Whether a check asks for nothing but an item that is missing, or that lacks some attributes. */
function mayHoldForMissing({ id }: Entity, action: Action): boolean {
  if (action.kind !== "check") return false;
  const { condition, where } = action;
  if (condition?.kind !== "where") return condition?.kind === "absent";
  const asked = [
    ...where.filter(({ attribute }) => !id.includes(attribute)),
    ...predicatesOf(action),
  ];
  return asked.every(({ operator, exists }) => operator === "exists" && !exists);
}

function predicatesOf({ condition }: Action): readonly Predicate[] {
  return condition?.kind === "where" ? condition.predicates : [];
}

/** No two items of an entity have the same value in a unique attribute. */
function checkUniqueValues(
  reading: Reading,
  entities: Entities,
  actions: readonly Action[],
  batch: number,
): void {
  const known = new Map<string, Path>();
  for (const { path, entity, changes, average } of actions) {
    for (const { attribute, to } of changes) {
      if (entities.get(entity)?.attributes.get(attribute)?.unique !== true) continue;
      const at = [...path, "changes", attribute];
      const value = JSON.stringify([entity, attribute, to]);
      const other = known.get(value);
      known.set(value, path);
      if (other !== undefined) {
        const hint = to.kind === "parameter" ? `; name another one: { ${attribute}: $other }` : "";
        reading.say(
          at,
          `is unique, and step ${Number(other.at(-1)) + 1} sets it to the same value${hint}`,
        );
      } else if (average.value * batch > 1) {
        reading.say(at, "is unique, and several items would get the same value; update one item");
      }
    }
  }
}
