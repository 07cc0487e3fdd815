import type { Path } from "../../../document/path.ts";
import type { Pattern } from "../../../model/requirements.ts";
import type { ReadRequest } from "../../plans/plan.ts";
import { patternText, readsIn, runsText, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { bytesText, counted, numberText } from "../words.ts";

const pageBytes = 1_024 ** 2;
/** Below this nobody waits for the answer: it is a job. */
const waitedFor = 0.1;

export const unlimitedList: Rule = {
  id: "unlimited-list",
  severity: "warning",
  title: "A list is read without a limit.",
  topic: "paging",
  *check(context) {
    for (const { pattern, request, estimate } of readsIn(context)) {
      if (pattern.kind !== "read") continue;
      if (request.operation !== "Query" && request.operation !== "Scan") continue;
      const long = longOf(pattern, request);
      if (long === undefined) continue;
      const { asked, entity, count } = long;
      const isAll = asked.limit === "all";
      const bytes = estimate.bytes;
      const isSlow = bytes > pageBytes && (pattern.rps.average?.value ?? 0) >= waitedFor;
      // Who says 'all' has thought of it, as long as it fits into a page.
      if (isAll && !isSlow) continue;
      yield {
        path: asked.path,
        message: `${patternText(pattern)} reads ${isAll ? "all" : "a list"} of ${entity}${isAll ? ", which is more than a page" : " and says no limit"}.`,
        evidence: `On average ${counted(Math.round(count), "item")} with ${bytesText(bytes)} are read from ${sourceText(request)} in ${counted(Math.ceil(estimate.calls), "call")}, ${numberText(estimate.read)} read units; ${runsText(pattern)}.`,
        cure: isAll
          ? "Read page by page with a limit, and let the caller ask for the next one."
          : "State a limit and read page by page, or state 'limit: all' if all of them are always wanted and stay few.",
      };
    }
  },
};

interface Asked {
  readonly limit: number | "all" | undefined;
  readonly path: Path;
}

/** What of a read has no limit, and is more than one item. */
function longOf(
  pattern: Pattern,
  request: ReadRequest,
): { readonly asked: Asked; readonly entity: string; readonly count: number } | undefined {
  const wanted = [request.record, ...request.together];
  for (const { record, count: all } of request.expected.evaluated) {
    const count = all / eachOf(request);
    const asked = askedOf(pattern, record.entity.name);
    if (asked === undefined || typeof asked.limit === "number") continue;
    if (wanted.includes(record) && count > 1) return { asked, entity: record.entity.name, count };
  }
  return undefined;
}

function askedOf({ actions, together, path }: Pattern, entity: string): Asked | undefined {
  const action = actions.find((one) => one.entity === entity);
  if (action !== undefined) return action;
  const i = together.findIndex((one) => one.entity === entity);
  return i < 0 ? undefined : { limit: together[i]?.limit, path: [...path, "together", i] };
}

/** How many items of a list before it one run makes such a read for. */
function eachOf({ times }: ReadRequest): number {
  return Math.max(1, times.find(({ why }) => why === "results")?.count ?? 1);
}
