import { pageBytesMax } from "../../../api/limits.ts";
import { bytesText, counted, numberText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { patternName } from "../check-context.ts";
import { listsOf } from "../lists.ts";

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
      for (const { entity, limit, items, bytes } of listsOf(context.facts, pattern)) {
        lists += 1;
        const pages = Math.ceil(bytes / pageBytesMax);
        const isOften = (pattern.rps.average?.value ?? 0) >= oftenMin;
        if (typeof limit === "number") paged += 1;
        else if (limit === undefined) {
          findings.open(
            pattern.path,
            `How much of the list of ${entity.name} does ${patternName(pattern).replace("P", "p")} want in one answer? There are ${numberText(items)} items on average. (limit)`,
          );
        } else if (pages > 1 && (isOften || pattern.latencyMs !== undefined)) {
          findings.wrong(
            pattern.path,
            `${patternName(pattern)} wants all ${numberText(items)} ${entity.name} at once, ${bytesText(bytes)}; one answer has at most ${bytesText(pageBytesMax)}. (limit)`,
          );
        } else if (pages > 1) {
          findings.saw(
            `${patternName(pattern)} reads ${numberText(pages)} pages of ${entity.name}, less than once a second.`,
          );
        }
      }
    }
    if (lists === 0) return notApplicable("No pattern reads a list.");
    findings.saw(`${counted(lists, "list")}: ${paged} with a limit, ${lists - paged} without.`);
    return findings.outcome();
  },
};
