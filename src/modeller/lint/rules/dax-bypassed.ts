import type { Table } from "../../../model/design.ts";
import { type LoadLine, sumOfLines } from "../../cost/load.ts";
import { moneyPrice, savedBy } from "../bills.ts";
import type { LintContext } from "../lint-context.ts";
import { patternText, runsText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { numberText } from "../words.ts";

export const daxBypassed: Rule = {
  id: "dax-bypassed",
  severity: "warning",
  title: "A cache is paid for that most of its requests pass by.",
  topic: "dax",
  *check(context) {
    for (const table of context.tables) {
      const { name, path, dax } = table;
      if (dax === undefined) continue;
      const strong = dax.patterns.flatMap((id, i) => {
        const pattern = context.model.patterns.get(id);
        const isPassed =
          pattern?.kind === "read" && (pattern.consistency === "strong" || pattern.transaction);
        return pattern !== undefined && isPassed ? [{ pattern, i }] : [];
      });
      for (const { pattern, i } of strong) {
        yield {
          path: [...path, "dax", "patterns", i],
          message: `${patternText(pattern)} reads ${pattern.transaction ? "in a transaction" : "strongly"}, so the cache of ${name} never answers it.`,
          evidence: `Strong and transactional reads go through DAX to the table and are not kept; ${runsText(pattern)}.`,
          cure: "Read eventually, or take the pattern out of the cache's list.",
          ...(pattern.transaction
            ? {}
            : {
                fix: {
                  what: `takes ${pattern.id} out of the cache of ${name}`,
                  edits: [{ kind: "delete" as const, path: [...path, "dax", "patterns", i] }],
                },
              }),
        };
      }
      const { reads, writes } = trafficOf(context, table);
      if (writes <= reads) continue;
      yield {
        path: [...path, "dax"],
        message: `${name} is written more than the cache answers reads.`,
        evidence: `${numberText(reads)} read units per second could come from the cache, and ${numberText(writes)} write units per second go through it and make what it holds old.`,
        price: moneyPrice(
          savedBy(context.design, (one) => (one.name === name ? { ...one, dax: undefined } : one)),
          dax.hitRate?.assumed ?? true,
        ),
        cure: "Do without the cache, or keep it for a table that is read much more than it is written.",
      };
    }
  },
};

/** Reads that the cache could answer, and writes, both of the table and its indexes. */
function trafficOf({ design }: LintContext, { name, dax }: Table) {
  const loads = design.loads.loads.filter((load) => load.table === name);
  const through = ({ pattern, cacheable }: LoadLine): boolean =>
    cacheable &&
    pattern !== undefined &&
    (dax?.patterns.length === 0 || (dax?.patterns.includes(pattern) ?? false));
  const lines = loads.flatMap((load) => load.lines);
  return {
    reads: sumOfLines(lines.filter(through), (line) => line.reads).average,
    writes: sumOfLines(
      loads.filter(({ index }) => index === undefined).flatMap((load) => load.lines),
      (line) => line.writes,
    ).average,
  };
}
