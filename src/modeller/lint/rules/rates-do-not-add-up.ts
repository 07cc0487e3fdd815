import type { LintContext } from "../lint-context.ts";
import type { Finding, Rule } from "../rule.ts";
import { amountText, numberText } from "../words.ts";

/** Rounding in a document is no contradiction. */
const tolerance = 1.05;
const factorMax = 2;

export const ratesDoNotAddUp: Rule = {
  id: "rates-do-not-add-up",
  severity: "warning",
  title: "The rates of workflows or of the whole contradict those of the patterns.",
  topic: "rates",
  *check(context) {
    yield* workflowsAbove(context);
    yield* scale(context);
  },
};

/** A pattern runs at least as often as the workflows that it is a step of. */
function* workflowsAbove({ model }: LintContext): Iterable<Finding> {
  const sums = new Map<string, { rate: number; assumed: boolean; flows: string[] }>();
  for (const { name, steps, rps } of model.workflows.values()) {
    if (rps.average === undefined) continue;
    for (const step of steps) {
      const sum = sums.get(step) ?? { rate: 0, assumed: false, flows: [] };
      sum.rate += rps.average.value;
      sum.assumed ||= rps.average.assumed;
      if (!sum.flows.includes(name)) sum.flows.push(name);
      sums.set(step, sum);
    }
  }
  for (const [id, { rate, assumed, flows }] of sums) {
    const pattern = model.patterns.get(id);
    const own = pattern?.rps.average;
    if (pattern === undefined || own === undefined || rate <= own.value * tolerance) continue;
    yield {
      path: [...pattern.path, "rps"],
      message: `Pattern ${id} runs less often than the workflows that it is a step of.`,
      evidence: `It has ${amountText(own)} requests per second on average; ${flows.join(" and ")} need ${numberText(rate)}${assumed ? " (assumed)" : ""}.`,
      cure: "Raise the pattern's rate or correct the workflow's: prices come from the pattern.",
    };
  }
}

/** The whole lies between all averages and all peaks, within a factor. */
function* scale({ model }: LintContext): Iterable<Finding> {
  const { requests } = model.overview;
  if (requests === undefined) return;
  const rates = [...model.patterns.values()]
    .filter(({ status }) => status !== "declined")
    .map(({ rps }) => rps);
  if (rates.length === 0 || rates.some(({ average }) => average === undefined)) return;
  const averages = rates.reduce((sum, { average }) => sum + (average?.value ?? 0), 0);
  const peaks = rates.reduce((sum, { average, peak }) => sum + (peak ?? average)!.value, 0);
  if (requests.value <= peaks * factorMax && requests.value >= averages / factorMax) return;
  yield {
    path: ["overview", "scale", "requests"],
    message: "The requests of the whole are not those of the patterns together.",
    evidence: `The overview says ${amountText(requests)} requests per second; the patterns make ${numberText(averages)} on average and ${numberText(peaks)} if all have their peak at once.`,
    cure: "Correct the overview, or look for patterns that are missing or counted twice.",
  };
}
