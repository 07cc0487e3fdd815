import { patternText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { amountText } from "../words.ts";

export const conditionInBatch: Rule = {
  id: "condition-in-batch",
  severity: "error",
  title: "A condition is asked for in a batch, which takes none.",
  topic: "batches",
  *check({ served, model }) {
    for (const pattern of served) {
      const conditional = pattern.actions.find(
        ({ kind, condition }) => condition !== undefined && kind !== "check",
      );
      if (conditional === undefined || pattern.transaction) continue;
      const stated = model.design?.plans
        .get(pattern.id)
        ?.find(({ operation }) => operation === "BatchWriteItem");
      const { batch } = pattern;
      const isBatch = batch !== undefined && batch.value > 1;
      if (stated === undefined && !isBatch) continue;
      yield {
        path: stated?.path ?? [...pattern.path, "batch"],
        message: `${patternText(pattern)} has a condition and is written as a batch.`,
        evidence: `BatchWriteItem takes puts and deletes without conditions${isBatch ? `: ${amountText(batch)} items need as many requests, or a transaction at twice the units` : ""}.`,
        cure: "Make it a transaction of at most 100 actions, write the items one by one, or do without the condition.",
      };
    }
  },
};
