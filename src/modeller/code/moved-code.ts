import type { Entity } from "../../model/requirements.ts";
import { needsItem, touchedBy, type WriteAction } from "../plans/plan.ts";
import { heldBy } from "./items-file.ts";
import type { Brought, Loop, Scope } from "./scope.ts";
import {
  arrowCode,
  callCode,
  constCode,
  literal,
  memberOf,
  objectCode,
  property,
} from "./source.ts";
import { joinedCode } from "./update-code.ts";

/** Items that were read before they are written: that they are there, and what they are after a change of their key. */

/** Items that are put again because their keys change: what they were, with the changes. */
export function movedCode(
  scope: Scope,
  action: WriteAction,
  before: string[],
): { readonly item: string; readonly loops: readonly Loop[] } {
  const { changes } = action;
  const { entity } = action.record;
  const [from] = [...action.bindings.values()].flatMap((one) =>
    one.kind === "result" ? [scope.brought[one.request]] : [],
  );
  const old = from ?? scope.brought.find((one) => one?.record.entity === entity);
  const isOne = old === undefined || old.shape === "one" || old.shape === "entity";
  const variable = old === undefined || old === scope.brought[0] ? "moved" : `${old.variable}Moved`;
  const moved = isOne
    ? { item: variable, loops: [] }
    : { item: "one", loops: [{ over: variable, as: "one" }] };
  if (before.some((one) => one.startsWith(`const ${variable} `))) return moved;
  const told = old && scope.entityIn(old, isOne ? old.variable : "one");
  const sets = changes.sets.map(({ attribute, to }) => {
    const value = scope.resolve(entity, new Map([[attribute, to]]), [attribute]).codeFor(attribute);
    // A literal in an object is widened to its type, which some attributes do not have.
    const isOne = to.kind === "constant" && entity.attributes.get(attribute)?.values !== undefined;
    return property(attribute, isOne ? `${value} as const` : (value ?? "undefined"));
  });
  const adds = changes.adds.map(({ attribute, amount }) =>
    property(
      attribute,
      told === undefined ? String(amount) : `(${memberOf(told, attribute)} ?? 0) + ${amount}`,
    ),
  );
  const kept =
    old === undefined || told === undefined
      ? boundMembers(scope, action)
      : [`...${keptCode(scope, old, told, changes)}`];
  const appends = changes.appends.map((attribute) =>
    property(attribute, joinedCode(action, attribute, told && memberOf(told, attribute))),
  );
  const after = objectCode([...kept, ...sets, ...adds, ...appends]);
  if (old !== undefined) requireThere(scope, old, entity, before);
  before.push(
    old === undefined || isOne
      ? constCode(variable, after)
      : constCode(variable, callCode(`${scope.rows(old)}.map`, arrowCode("one", after))),
  );
  return moved;
}

/** What is known of an item that is not read first, without what changes. */
function boundMembers(scope: Scope, { record, bindings, changes }: WriteAction): readonly string[] {
  const changed = touchedBy(changes);
  const names = [...bindings.keys()].filter((name) => !changed.has(name));
  const { codeFor } = scope.resolve(record.entity, bindings, names);
  return names.map((name) => property(name, codeFor(name) ?? "undefined"));
}

/** What an item tells, without the attributes that a change removes. */
function keptCode(
  scope: Scope,
  { record }: Brought,
  told: string,
  { removes }: WriteAction["changes"],
): string {
  const names = [...new Set(heldBy(record.attributes).map(({ own }) => own))];
  const kept = names.filter((name) => !removes.includes(name));
  return kept.length === names.length
    ? told
    : callCode(scope.use("only"), told, ...kept.map(literal));
}

/** The function ends here if a read has not found what is written. */
export function requireThere(
  scope: Scope,
  { variable, shape }: Brought,
  entity: Entity,
  before: string[],
): void {
  const test =
    shape === "aligned" ? `${variable}.includes(undefined)` : `${variable} === undefined`;
  const guard = `if (${test}) throw new ${scope.use("NotFoundError")}(${literal(`${entity.name} is not there`)});`;
  if (!before.includes(guard)) before.push(guard);
}

/** Whether the item that is read before a write may be missing: what is replaced, or deleted without a condition. */
export function mayBeMissing({ plan, brought }: Scope, read: Brought): boolean {
  const place = brought.findIndex((one) => one?.variable === read.variable);
  const actions = plan.requests.flatMap((one) => (one.kind === "write" ? one.actions : []));
  const own = actions.find(({ asRead }) => asRead?.request === place);
  return (
    own?.kind === "put" ||
    (own?.kind === "delete" && own.condition === undefined && !needsItem(own))
  );
}
