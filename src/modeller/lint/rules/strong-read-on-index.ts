import { type Plan, structureName } from "../../plans/plan.ts";
import { planOf } from "../../plans/planner.ts";
import { patternText } from "../requests.ts";
import type { Rule } from "../rule.ts";

export const strongReadOnIndex: Rule = {
  id: "strong-read-on-index",
  severity: "error",
  title: "A strong read is asked for where only a global index answers, which has none.",
  topic: "read-consistency",
  *check({ model, facts, plans }) {
    for (const [id, plan] of plans) {
      const { pattern } = plan;
      if (pattern.consistency !== "strong" || !isUnanswered(plan)) continue;
      const eventual = planOf(facts, { ...pattern, consistency: "eventual" });
      const found = eventual.requests.find(
        (request) => request.kind === "read" && request.index !== undefined && !request.index.local,
      );
      if (found?.kind !== "read") continue;
      const name = structureName(found.table, found.index);
      const isStated = model.design?.plans.has(id);
      yield {
        path: [...pattern.path, "consistency"],
        // A Scan of the table answers it, at its price; a request that the service refuses never does.
        severity: plan.problem === undefined && !isStated ? "warning" : "error",
        message: `${patternText(pattern)} wants a strong read, and only the global index ${name} answers it.`,
        evidence: isStated
          ? `Its plan reads ${name}, and a global index refuses ConsistentRead.`
          : `A global index refuses ConsistentRead, so all of ${found.table.name} would be read by Scan.`,
        cure: "Read with eventual consistency, or make the question answerable by the table's key or a local index.",
      };
    }
  },
};

function isUnanswered({ problem, requests }: Plan): boolean {
  return (
    problem !== undefined ||
    requests.some((request) => request.kind === "read" && request.operation === "Scan")
  );
}
