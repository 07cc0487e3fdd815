import type { Action, Pattern } from "../../../model/requirements.ts";
import { amountText, counted } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";

export const conditionsWhereWritersRace: Check = {
  id: "conditions-where-writers-race",
  title: "Writers who meet on one item do so under a condition",
  run(context) {
    const changes = context.served.filter(({ kind }) => kind === "write");
    if (changes.length === 0) return notApplicable("Nothing is written.");
    const findings = new Findings();
    let guarded = 0;
    for (const pattern of changes) {
      const loose = pattern.actions.filter((action) => isLoose(context, pattern, action));
      if (loose.length === 0) guarded += 1;
      const { writers } = pattern;
      for (const action of loose) {
        const { entity } = action;
        const version = context.model.entities.get(entity)?.version;
        if (writers !== undefined && writers.value > 1) {
          findings.wrong(
            action.path,
            `${patternName(pattern)} changes ${entity} without a condition, and ${amountText(writers)} write at once: the last one wins unseen. (condition)`,
          );
        } else if (version !== undefined && action.kind === "update") {
          findings.wrong(
            action.path,
            `${patternName(pattern)} changes ${entity} without a look at ${version}, which every other change raises. (condition: version)`,
          );
        } else if (writers === undefined && others(changes, pattern, action).length > 0) {
          const ids = others(changes, pattern, action).map(({ id }) => id);
          findings.open(
            action.path,
            `${patternName(pattern)} and ${ids.join(", ")} change the same attributes of ${entity}: can they meet? (writers, or a condition)`,
          );
        }
      }
    }
    findings.saw(
      `With conditions, or with nothing to lose: ${guarded} of ${counted(changes.length, "pattern")} that write.`,
    );
    return findings.outcome();
  },
};

/** Sets values over whatever is there. What is added is never lost, and what is new has nothing to lose. */
function isLoose({ model }: CheckContext, _: Pattern, action: Action): boolean {
  if (action.kind !== "update" || action.condition !== undefined) return false;
  if (!model.entities.has(action.entity)) return false;
  return action.changes.length + action.removes.length > 0;
}

/** Other patterns that give the same attributes other values. */
function others(
  patterns: readonly Pattern[],
  pattern: Pattern,
  { entity, changes, removes }: Action,
): readonly Pattern[] {
  const own = new Set([...changes.map(({ attribute }) => attribute), ...removes]);
  return patterns.filter(
    (other) =>
      other !== pattern &&
      other.actions.some(
        (one) =>
          one.kind === "update" &&
          one.entity === entity &&
          [...one.changes, ...one.adds].some(({ attribute }) => own.has(attribute)),
      ),
  );
}
