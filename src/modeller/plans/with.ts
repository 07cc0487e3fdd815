import type { Action, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { equalities, linksBetween } from "./links.ts";

/**
 * The pattern as it is carried out: entities that are deleted with another one are found by what links them to it, and
 * deleted by actions of their own. Entities embedded in its item are deleted with it.
 */
export function withChildren(facts: Facts, pattern: Pattern): Pattern {
  const [main] = pattern.actions;
  if (main?.kind !== "delete" || pattern.with.length === 0) return pattern;
  const left: Pattern["with"][number][] = [];
  const added = pattern.with.flatMap((one): readonly Action[] => {
    const action = facts.itemsOf(one.entity).length === 0 ? undefined : deletion(facts, main, one);
    if (action === undefined) left.push(one);
    return action === undefined ? [] : [action];
  });
  return { ...pattern, with: left, actions: [...pattern.actions, ...added] };
}

function deletion(
  facts: Facts,
  main: Action,
  { entity: name, average }: Pattern["with"][number],
): Action | undefined {
  const links = linksBetween({ facts, own: main.entity, other: name }, main.where);
  const where = equalities(links);
  if (name === main.entity || where.length === 0 || where.length < links.size) return undefined;
  return {
    ...main,
    entity: name,
    where,
    limit: "all",
    returns: facts.model.entities.get(name)?.id ?? [],
    condition: undefined,
    average: average === undefined ? main.average : { value: 1, assumed: false },
    follows: true,
  };
}
