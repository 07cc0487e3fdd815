import type { Path } from "../../../document/path.ts";
import { contradictionIn } from "../../../model/contradiction.ts";
import type { Pattern, Predicate } from "../../../model/requirements.ts";
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
      for (const { entity: name, where, path } of conditionsOf(pattern)) {
        conditions += where.length;
        for (const attribute of new Set(where.map((one) => one.attribute))) {
          const read = context.model.entities.get(name)?.attributes.get(attribute);
          const own = where.filter((one) => one.attribute === attribute);
          const why = pattern.kind === "read" && read && contradictionIn(read, own);
          if (!why) continue;
          findings.wrong(
            path,
            `${patternName(pattern)} finds no ${name}, for its condition on ${attribute} never holds: ${why}.`,
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
}

/** The conditions of a pattern. The reader refuses a write that can never be fulfilled, so only reads are left to look at. */
function conditionsOf({ actions, together, path }: Pattern): readonly PatternCondition[] {
  return [
    ...actions.flatMap(({ entity, where, condition, path: at }): PatternCondition[] => [
      { entity, where, path: at },
      ...(condition?.kind === "where" ? [{ entity, where: condition.predicates, path: at }] : []),
    ]),
    ...together.map(({ entity, where }) => ({ entity, where, path })),
  ];
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
