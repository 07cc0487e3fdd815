import { attributesOf } from "../../model/key-text.ts";
import type { Action, Entity } from "../../model/requirements.ts";
import type { StoredRecord } from "../records/record.ts";
import type { Binding, Bindings, WriteAction } from "./plan.ts";

export function becauseOf(record: StoredRecord): string {
  if (record.role === "unique") return `keeps ${record.name} unique`;
  return record.role === "latest" ? "the copy of the newest" : `a part of ${record.entity.name}`;
}

/** The attribute that an item guards. */
export function guarded(record: StoredRecord): string {
  return record.name.slice(record.entity.name.length + 1);
}

/** The attributes that an item's key is made of. */
export function keyAttributes(record: StoredRecord): readonly string[] {
  const names = record.key.flatMap(({ text }) =>
    attributesOf(text).map(({ attribute }) => attribute),
  );
  return [...new Set(names)];
}

export function keyOperands(action: Action): readonly (readonly [string, Binding])[] {
  return action.where.flatMap(({ attribute, operator, operands }) =>
    operator === "equals" && operands[0] !== undefined ? [[attribute, operands[0]] as const] : [],
  );
}

export function resultBindings(entity: Entity, request: number): Bindings {
  return new Map(
    [...entity.attributes.keys()].map((attribute): [string, Binding] => [
      attribute,
      { kind: "result", request, attribute },
    ]),
  );
}

/** What must hold of an item that guards a value, if it is given up because of what was read before. */
export function stillOwned(
  { where }: Action,
  { id }: Entity,
): Pick<WriteAction, "condition" | "also"> {
  const also = where.filter(
    ({ attribute, operator }) => operator === "equals" && id.includes(attribute),
  );
  return { condition: { kind: "exists" }, also };
}

/** Whether two updates keep numbers of one item. */
export function isSameTarget(a: WriteAction, b: WriteAction): boolean {
  const bound = ({ bindings }: WriteAction): string => JSON.stringify([...bindings]);
  return (
    a.counts === true &&
    b.counts === true &&
    a.of === b.of &&
    a.record === b.record &&
    bound(a) === bound(b)
  );
}

export function bothOf(a: WriteAction, b: WriteAction): WriteAction {
  const because = `${a.because}, ${b.because?.replace(/^keeps /, "")}`;
  const [sets, adds] = [
    [...a.changes.sets, ...b.changes.sets],
    [...a.changes.adds, ...b.changes.adds],
  ];
  return { ...a, because, changes: { ...a.changes, sets, adds } };
}
