import type { Rule } from "../rule.ts";
import { counted, listText, numberText } from "../words.ts";

/** From here on a workflow is slow by its round trips alone. */
const callsMax = 4;

export const longWorkflow: Rule = {
  id: "long-workflow",
  severity: "hint",
  title: "A workflow waits for five or more requests, one after the other.",
  topic: "workflows",
  *check({ model, plans }) {
    for (const { name, path, steps, rps } of model.workflows.values()) {
      const counts = steps.map((id) => ({ id, count: plans.get(id)?.requests.length ?? 0 }));
      const total = counts.reduce((sum, { count }) => sum + count, 0);
      if (total <= callsMax) continue;
      const several = counts.filter(({ count }) => count > 1);
      const more =
        several.length === 0
          ? ""
          : `; ${listText(several.map(({ id, count }) => `${id} takes ${counted(count, "request")}`))}`;
      const rate =
        rps.average === undefined
          ? ""
          : ` It runs ${numberText(rps.average.value)} times per second.`;
      yield {
        path: [...path, "steps"],
        message: `Workflow ${name} makes ${counted(total, "request")} in a row.`,
        evidence: `${counted(steps.length, "step")} take ${counted(total, "request")}${more}.${rate}`,
        cure: "Store what is read together in one item or one collection, copy what is only shown, or ask at the same time.",
      };
    }
  },
};
