import type { Path } from "../../../document/path.ts";
import type { Action, Entity, Pattern, Predicate } from "../../../model/requirements.ts";
import { counted, listText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";

/** Conditions of the requirements, whatever the design: whether they can hold, and for how many items. */
export const conditionsCanHold: Check = {
  id: "conditions-can-hold",
  title: "Every condition can hold, and the number of matching items is known",
  run(context) {
    const findings = new Findings();
    let conditions = 0;
    for (const pattern of context.served) {
      for (const { entity: name, where, path, what } of conditionsOf(pattern)) {
        const entity = context.model.entities.get(name);
        if (entity === undefined) continue;
        conditions += where.length;
        for (const predicate of where) {
          if (!isImpossible(context, entity, predicate)) continue;
          findings.wrong(
            path,
            `${patternName(pattern)} ${what} ${name} without ${predicate.attribute} (exists: false), but every ${name} has it: this never holds. (present, if some have none)`,
          );
        }
      }
      const unknown = unknownMatches(context, pattern);
      if (unknown.length > 0) {
        findings.open(
          pattern.path,
          `How many items does ${patternName(pattern).replace("P", "p")} match? The condition on ${listText(unknown)} is estimated to hold for every item. (matches)`,
        );
      }
    }
    if (conditions === 0) return notApplicable("No pattern has a condition.");
    findings.saw(
      `${counted(conditions, "condition")} of ${counted(context.served.length, "pattern")}.`,
    );
    return findings.outcome();
  },
};

interface PatternCondition {
  readonly entity: string;
  readonly where: readonly Predicate[];
  readonly path: Path;
  readonly what: "asks for" | "requires";
}

function conditionsOf({ actions, together, path }: Pattern): readonly PatternCondition[] {
  return [
    ...actions.flatMap((action): PatternCondition[] => [
      { entity: action.entity, where: action.where, path: action.path, what: "asks for" },
      { entity: action.entity, where: requiredOf(action), path: action.path, what: "requires" },
    ]),
    ...together.map(({ entity, where }) => ({ entity, where, path, what: "asks for" as const })),
  ];
}

/** What must hold of an item that is there. A created item has nothing yet, so a condition on it may hold. */
function requiredOf({ kind, condition }: Action): readonly Predicate[] {
  return kind !== "create" && condition?.kind === "where" ? condition.predicates : [];
}

/** `exists: false` of an attribute that every item has and no pattern removes. */
function isImpossible(
  { served }: CheckContext,
  { name, attributes }: Entity,
  { operator, exists, attribute }: Predicate,
): boolean {
  if (operator !== "exists" || exists || attributes.get(attribute)?.present.value !== 1)
    return false;
  return !served.some(({ actions }) =>
    actions.some(({ entity, removes }) => entity === name && removes.includes(attribute)),
  );
}

/** Attributes whose conditions decide how many items an unlimited read returns, where nothing states how many. */
function unknownMatches(
  { facts, model }: CheckContext,
  { actions, matches, kind }: Pattern,
): readonly string[] {
  if (kind !== "read" || matches !== undefined) return [];
  return actions.flatMap(({ entity: name, where, limit }) => {
    const entity = model.entities.get(name);
    if (entity === undefined || typeof limit === "number") return [];
    // A whole id names one item, whatever else is asked of it.
    const equal = where.flatMap(({ operator, attribute }) =>
      operator === "equals" ? [attribute] : [],
    );
    if (entity.id.every((one) => equal.includes(one))) return [];
    return where
      .filter(({ operator }) => operator !== "equals" && operator !== "exists")
      .filter((predicate) => facts.share(entity, [predicate]).assumed)
      .map(({ attribute }) => attribute);
  });
}
