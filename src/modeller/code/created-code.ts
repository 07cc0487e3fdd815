import { defaultsOf } from "./defaults.ts";
import type { Scope } from "./scope.ts";
import { constCode, memberOf } from "./source.ts";

/** The code of an entity that is handed in. */
export function createdCode(
  scope: Scope,
  entity: string,
): { readonly code: string; readonly isList: boolean } | undefined {
  const created = scope.inputs.created.get(entity);
  if (created === undefined) return undefined;
  const isWhole = defaultsOf(scope.facts, created.entity).length > 0;
  const code = isWhole ? scope.names.variable(created.name) : memberOf("input", created.name);
  return { code, isList: created.isList };
}

/** Entities that are made, with what need not be said. */
export function wholeEntities(scope: Scope): readonly string[] {
  return [...scope.inputs.created.values()].flatMap(({ entity, name, isList }) => {
    const defaults = defaultsOf(scope.facts, entity);
    if (defaults.length === 0) return [];
    const isTimed = defaults.some(({ code }) => code((helper) => helper).includes("access.now()"));
    const whole = scope.useItem(`whole${scope.names.entity(entity)}`);
    const given = memberOf("input", name);
    const more = isTimed ? ", access" : "";
    const value = isList
      ? `${given}.map((one) => ${whole}(one${more}))`
      : `${whole}(${given}${more})`;
    return [constCode(scope.names.variable(name), value)];
  });
}
