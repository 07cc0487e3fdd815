import { pageBytesMax } from "../../../api/limits.ts";
import type { Pattern } from "../../../model/requirements.ts";
import { bytesText, counted, numberText } from "../../lint/words.ts";
import type { ReadRequest } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { patternName } from "../check-context.ts";

/** Who asks less often is a job that has the time to walk through pages. */
const oftenMin = 1;

export const pagingOnLists: Check = {
  id: "paging-on-lists",
  title: "Lists are read in pages, or are short enough to be read at once",
  run(context) {
    const findings = new Findings();
    let lists = 0;
    let paged = 0;
    for (const pattern of context.served) {
      if (pattern.kind !== "read") continue;
      for (const { request, bytes } of context.run(pattern).requests) {
        if (request.kind !== "read") continue;
        const limits = limitsOf(pattern, request);
        if (limits.length === 0) continue;
        lists += 1;
        const { returned } = request.expected;
        const names = request.record.name;
        const pages = Math.ceil(bytes / pageBytesMax);
        if (limits.every((limit) => typeof limit === "number")) paged += 1;
        else if (limits.includes(undefined)) {
          findings.open(
            pattern.path,
            `How much of the list of ${names} does ${patternName(pattern).replace("P", "p")} want in one answer? There are ${numberText(returned)} items on average. (limit)`,
          );
        } else if (pages <= 1) continue;
        else if ((pattern.rps.average?.value ?? 0) >= oftenMin || pattern.latencyMs !== undefined) {
          findings.wrong(
            pattern.path,
            `${patternName(pattern)} wants all ${numberText(returned)} ${names} at once, ${bytesText(bytes)}; one answer has at most ${bytesText(pageBytesMax)}. (limit)`,
          );
        } else {
          findings.saw(
            `${patternName(pattern)} walks through ${numberText(pages)} pages of ${names}, and seldom.`,
          );
        }
      }
    }
    if (lists === 0) return notApplicable("No pattern reads a list.");
    findings.saw(`${counted(lists, "list")}: ${paged} with a limit, ${lists - paged} without.`);
    return findings.outcome();
  },
};

/** What is said of each list in an answer. One item for one question is no list. */
function limitsOf(
  { actions, together }: Pattern,
  { operation, expected, record, together: others }: ReadRequest,
): readonly (number | "all" | undefined)[] {
  if (operation !== "Query" && operation !== "Scan") return [];
  const stated = (entity: string): number | "all" | undefined =>
    (actions.find((one) => one.entity === entity) ?? together.find((one) => one.entity === entity))
      ?.limit;
  // The first of a collection is one item by its key; the lists are those that come with it.
  if (others.length > 0) return others.map(({ entity }) => stated(entity.name));
  const limit = stated(record.entity.name);
  return expected.returned <= 1 && typeof limit !== "number" ? [] : [limit];
}
