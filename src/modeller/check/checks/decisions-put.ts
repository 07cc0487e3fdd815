import type { Path } from "../../../document/path.ts";
import { keepsText } from "../../kept-numbers.ts";
import { counted } from "../../lint/words.ts";
import { structureName } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

export const decisionsPut: Check = {
  id: "decisions-put",
  title: "Copies, projections, shards and parts of items were decided, not just done",
  run(context) {
    if (context.design === undefined) return notApplicable("There is no design yet.");
    const matters = mattersOf(context);
    if (matters.length === 0) return notApplicable("There is nothing of the kind.");
    const findings = new Findings();
    let decided = 0;
    for (const { path, question, isAnswered } of matters) {
      if (isAnswered || context.isDecided(path) || context.isDecidedWithin(path)) decided += 1;
      else findings.open(path, question);
    }
    findings.saw(
      `Decided: ${decided} of ${counted(matters.length, "matter")}; ${counted(context.design.decisions.length, "decision")} in all.`,
    );
    return findings.outcome();
  },
};

interface Matter {
  readonly path: Path;
  readonly question: string;
  /** The part itself says what was decided. */
  readonly isAnswered: boolean;
}

function mattersOf(context: CheckContext): readonly Matter[] {
  const matters: Matter[] = [];
  for (const { name, attributes } of context.entities) {
    for (const { copyOf, keeps, staleness, path, name: own } of attributes.values()) {
      if (keeps !== undefined) {
        matters.push({
          path,
          isAnswered: staleness !== undefined,
          question: `${name}.${own} is ${keepsText(keeps)}: may it be behind? (staleness)`,
        });
      }
      if (copyOf === undefined) continue;
      matters.push({
        path,
        isAnswered: staleness !== undefined,
        question: `${name}.${own} copies ${copyOf.entity}.${copyOf.attribute}: may it be behind? (staleness)`,
      });
    }
  }
  for (const table of context.tables) {
    for (const index of table.indexes.values()) {
      const isStated = statedProjection(context, table.name, index.name);
      matters.push({
        path: index.path,
        isAnswered: isStated,
        question: `What of an item does ${structureName(table, index)} hold? Everything, unless it is said. (projection)`,
      });
    }
    for (const { entity, path, embeds, splits } of table.placements.values()) {
      if (embeds.length + splits.length === 0) continue;
      matters.push({
        path,
        isAnswered: false,
        question: `Why does ${entity} in ${table.name} ${embeds.length > 0 ? "hold other entities inside" : "lie in several items"}? (decisions)`,
      });
    }
  }
  return matters;
}

/** Whether the document itself says what an index holds. */
function statedProjection({ model }: CheckContext, table: string, index: string): boolean {
  const tables = new Map(Object.entries(model.document.design?.tables ?? {}));
  const indexes = new Map(Object.entries(tables.get(table)?.indexes ?? {}));
  return indexes.get(index)?.projection !== undefined;
}
