import { describe, expect, test } from "vitest";
import type { Model } from "../../model/model.ts";
import { parseModel } from "../../model/parse.ts";
import { Facts } from "../facts.ts";
import type { PlannedRequest } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import { allPages } from "./pages.ts";

// What a page shows must be what Keywright itself would do with its model.

const examples = [...allPages.values()].flatMap((page) =>
  "example" in page ? [[page.id, page.example] as const] : [],
);

describe.each(examples)("%s", (_, { model: text, requests }) => {
  const { model } = parseModel(text, "example.yaml");
  const plans = plansOf(new Facts(model as Model));

  test("every pattern of the example has a plan without a scan and without sorting afterwards", () => {
    for (const [id, { problem, requests: planned }] of plans) {
      expect(problem, id).toBe(undefined);
      expect(planned.length, id).toBeGreaterThan(0);
      for (const request of planned) {
        if (request.kind !== "read") continue;
        expect(request.operation, id).not.toBe("Scan");
        expect(request.sortsInClient, id).toBe(false);
      }
    }
  });

  test.each(requests)(
    "the request of $pattern is the planned one",
    ({ pattern, operation, input }) => {
      const planned = plans.get(pattern)?.requests ?? [];
      expect(planned.map(shapeOf)).toEqual([
        {
          operation,
          table: input.TableName,
          index: input.IndexName,
          backwards: input.ScanIndexForward === false,
          limit: input.Limit,
        },
      ]);
    },
  );
});

function shapeOf(request: PlannedRequest): object {
  if (request.kind === "read") {
    const { operation, table, index, forward, limit } = request;
    return { operation, table: table.name, index: index?.name, backwards: !forward, limit };
  }
  const [first] = request.actions;
  const single = request.operation !== "TransactWriteItems";
  return {
    operation: request.operation,
    table: single ? first?.record.table.name : undefined,
    index: undefined,
    backwards: false,
    limit: undefined,
  };
}
