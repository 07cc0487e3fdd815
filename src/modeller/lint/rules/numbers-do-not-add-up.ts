import type { Model } from "../../../model/model.ts";
import type { Quantity } from "../../../model/quantities.ts";
import type { Finding, Rule } from "../rule.ts";
import { amountText, numberText } from "../words.ts";

const factorMax = 2;

export const numbersDoNotAddUp: Rule = {
  id: "numbers-do-not-add-up",
  severity: "warning",
  title: "The counts of entities and the averages of their relations contradict each other.",
  topic: "access-patterns-first",
  *check({ model }) {
    for (const relation of model.relations) {
      const { from, to, via, kind, average, reverse, path } = relation;
      if (kind === "one-to-one" || (kind === "many-to-many" && via === undefined)) continue;
      const child = via ?? to;
      yield* contradiction(model, from, average, child, [...path, "average"]);
      if (via !== undefined) {
        yield* contradiction(model, to, reverse.average, via, [...path, "reverse", "average"]);
      }
    }
  },
};

function* contradiction(
  { entities }: Model,
  parent: string,
  average: Quantity | undefined,
  child: string,
  path: Finding["path"],
): Iterable<Finding> {
  const [parents, children] = [entities.get(parent)?.count, entities.get(child)?.count];
  if (average === undefined || parents === undefined || children === undefined) return;
  const made = average.value * parents.value;
  const factor = Math.max(made, children.value) / Math.min(made, children.value);
  if (!(factor > factorMax)) return;
  yield {
    path,
    message: `${parent} times their ${child} make another number than there are ${child}.`,
    evidence: `${amountText(parents)} ${parent} with ${amountText(average)} each make ${numberText(made)}, and the count is ${amountText(children)}: ${Number.isFinite(factor) ? `${numberText(factor)} times as much` : "one of them is 0"}.`,
    cure: "Correct the count or the average: sizes, heat and prices are worked out from both.",
  };
}
