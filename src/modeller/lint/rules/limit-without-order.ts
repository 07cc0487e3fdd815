import { patternText, readsIn, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { counted, numberText } from "../words.ts";

export const limitWithoutOrder: Rule = {
  id: "limit-without-order",
  severity: "hint",
  title: "A list is cut off after some items, and nothing says which come first.",
  topic: "paging",
  *check(context) {
    for (const { pattern, request } of readsIn(context)) {
      const [action] = pattern.actions;
      const limit = action?.limit;
      if (action === undefined || typeof limit !== "number" || limit === 1) continue;
      if (action.order.length > 0 || request.record.entity.name !== action.entity) continue;
      if (request.operation !== "Query" && request.operation !== "Scan") continue;
      const { returned } = request.expected;
      // Fewer than the limit: all of them come, and the caller can sort them.
      if (returned < limit) continue;
      const sort = request.index === undefined ? request.table.sort?.name : sortOf(request.index);
      const order =
        request.operation === "Scan" || sort === undefined
          ? "in no order that means anything"
          : `in the order of ${sort}`;
      yield {
        path: [...action.path, "limit"],
        message: `${patternText(pattern)} returns ${counted(limit, "item")} without saying which.`,
        evidence: `There are more than ${numberText(limit)} for one request, and ${sourceText(request)} hands them out ${order}.`,
        cure: "State the order that the caller expects; if any will do, say so in its considerations and ignore this.",
      };
    }
  },
};

function sortOf({
  sort,
}: {
  readonly sort: readonly { readonly name: string }[];
}): string | undefined {
  return sort.length === 0 ? undefined : sort.map(({ name }) => name).join(", ");
}
