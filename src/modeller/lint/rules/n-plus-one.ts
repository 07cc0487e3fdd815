import { patternText, readsIn, runsText, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { counted, numberText } from "../words.ts";

/** A step that a workflow repeats so often is a loop. */
const repeatsMin = 3;

export const nPlusOne: Rule = {
  id: "n-plus-one",
  severity: "warning",
  title: "After a list is read, a request is made for each of its items.",
  topic: "workflows",
  *check(context) {
    for (const { pattern, request, estimate } of readsIn(context)) {
      const each = request.times.find(({ why }) => why === "results");
      // Whole keys go into one batch; a Query is made for each.
      if (each === undefined || request.operation !== "Query" || each.count < 2) continue;
      const count = Math.ceil(each.count);
      yield {
        path: pattern.path,
        message: `${patternText(pattern)} makes a Query of ${sourceText(request)} for each item of a list.`,
        evidence: `One run makes ${counted(count, "Query", "Queries")} with ${numberText(estimate.read)} read units after the first request; ${runsText(pattern)}.`,
        cure: "Put both under one partition key so that one Query returns them, or copy into the first what is shown of the second.",
      };
    }
    for (const { name, path, steps } of context.model.workflows.values()) {
      for (const id of new Set(steps)) {
        const times = steps.filter((step) => step === id).length;
        const pattern = context.model.patterns.get(id);
        if (times < repeatsMin || pattern?.kind !== "read") continue;
        yield {
          path: [...path, "steps"],
          message: `Workflow ${name} reads with ${patternText(pattern)} again and again.`,
          evidence: `${id} stands ${times} times among its ${counted(steps.length, "step")}, one request for each.`,
          cure: "Read them with one BatchGetItem (one-of and batch), or store them where one Query returns them.",
        };
      }
    }
  },
};
