import { type ReadCode, tableKeyNames } from "./read-shared.ts";
import type { Brought, Scope } from "./scope.ts";
import { arrayCode, callCode, literal } from "./source.ts";

/** Rows of other entities that are wanted with one: which of them repeat, and which have a parent. */

/** An attribute of an earlier request's rows by which a part finds its own. */
interface Reference {
  readonly request: number;
  readonly attribute: string;
}

function referencesIn(part: readonly ReadCode[]): readonly Reference[] {
  return part.flatMap(({ brought: { request } }) => {
    if (request.completes !== undefined) return [];
    const bound = [...request.bindings.values()].flatMap((one) =>
      one.kind === "result" ? [one] : [],
    );
    const { links } = request.remainder;
    return [...bound, ...links.map((one) => ({ request: one.request, attribute: one.of }))];
  });
}

/** Whether a part is read by what an earlier request brought, so that nothing comes where that brought nothing. */
export function isLinked(part: readonly ReadCode[]): boolean {
  return referencesIn(part).length > 0;
}

/** Whether several rows of a part may refer to one entity: they name it by something else than their own id. */
export function mayRepeat(scope: Scope, part: readonly ReadCode[]): boolean {
  const references = referencesIn(part);
  const [first] = references;
  const parents = first === undefined ? undefined : scope.brought[first.request];
  if (parents === undefined || parents.shape === "one" || parents.shape === "entity") return false;
  const { id } = parents.record.entity;
  return !id.every((name) => references.some(({ attribute }) => attribute === name));
}

/** The rows of a part, each once. */
export function distinctCode(scope: Scope, brought: Brought): string {
  const { record, request, shape } = brought;
  const names = shape === "entities" ? record.entity.id : tableKeyNames(request.table);
  return callCode(scope.use("distinct"), scope.rows(brought), arrayCode(names.map(literal)));
}
