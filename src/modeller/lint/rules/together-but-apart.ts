import { skeleton } from "../key-fit.ts";
import type { LintContext } from "../lint-context.ts";
import type { Rule } from "../rule.ts";
import { shareText } from "../words.ts";

const together = 0.8;

export const togetherButApart: Rule = {
  id: "together-but-apart",
  severity: "warning",
  title: "Entities that are nearly always wanted together take several requests.",
  topic: "item-collection",
  *check(context) {
    for (const relation of context.model.relations) {
      const { from, to, via, path, together: share } = relation;
      const child = via ?? to;
      if (share === undefined || share.value < together || from === child) continue;
      if (!isPlaced(context, from) || !isPlaced(context, child)) continue;
      if (haveCollection(context, from, child)) continue;
      yield {
        path,
        message: `${from} and ${child} are wanted together and lie apart.`,
        evidence: `Both are wanted in ${shareText(share.value)}${share.assumed ? " (assumed)" : ""} of the cases, and no table or index has them under one partition key.`,
        cure: `Give both the same partition key, so that one query reads them, or put a few ${child} into the item of ${from} (embeds).`,
      };
    }
  },
};

function isPlaced({ facts }: LintContext, entity: string): boolean {
  return facts.itemsOf(entity).length > 0 || facts.hostsOf(entity).length > 0;
}

/** Some table or index can have both under one key, or the one lies in the other. */
function haveCollection(context: LintContext, parent: string, child: string): boolean {
  if (context.facts.hostsOf(child).some(({ entity }) => entity.name === parent)) return true;
  return context
    .keysOf(parent)
    .some((key) =>
      context
        .keysOf(child)
        .some(
          (other) =>
            other.table === key.table &&
            other.index === key.index &&
            skeleton(other.partition) === skeleton(key.partition),
        ),
    );
}
