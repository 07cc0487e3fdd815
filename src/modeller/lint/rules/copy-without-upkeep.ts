import type { Attribute, Entity } from "../../../model/requirements.ts";
import type { LintContext } from "../lint-context.ts";
import type { Rule } from "../rule.ts";
import { changedBy, sumOf } from "../traffic.ts";
import { amountText, listText } from "../words.ts";

export const copyWithoutUpkeep: Rule = {
  id: "copy-without-upkeep",
  severity: "warning",
  title: "A copied value may not be behind its source, and nobody keeps it up.",
  topic: "denormalisation",
  *check(context) {
    const { entities, model } = context;
    for (const entity of entities) {
      for (const copy of entity.attributes.values()) {
        const { copyOf, staleness } = copy;
        const source =
          copyOf && model.entities.get(copyOf.entity)?.attributes.get(copyOf.attribute);
        if (copyOf === undefined || source === undefined || staleness === "accepted") continue;
        const changes = context
          .writesOf(copyOf.entity)
          .filter(
            ({ action }) => action.kind === "update" && changedBy(action).includes(source.name),
          );
        // What is never changed is never behind.
        if (changes.length === 0) continue;
        const kept = staleness === "refused" ? keptAtOnce : keptAnyhow;
        const missing = changes.filter(({ pattern }) => !kept(context, entity, copy, pattern.id));
        if (missing.length === 0) continue;
        const ids = missing.map(({ pattern }) => pattern.id);
        yield {
          path: copy.path,
          severity: staleness === "refused" ? "error" : "warning",
          message: `${entity.name}.${copy.name} is a copy of ${copyOf.entity}.${source.name} and is not kept up.`,
          evidence: `${listText(ids)} ${ids.length === 1 ? "changes" : "change"} the source ${amountText(sumOf(missing).average)} times per second${staleness === "refused" ? ", and the copy may not be behind" : ", and nothing says that the copy may be behind"}.`,
          cure:
            staleness === "refused"
              ? `Change ${entity.name}.${copy.name} in the same transaction, or do without the copy and read the source.`
              : "Let a consumer of the source's stream change the copies, or state staleness: accepted.",
        };
      }
    }
  },
};

/** The same transaction changes the source and the copy. */
function keptAtOnce({ plans }: LintContext, entity: Entity, copy: Attribute, id: string): boolean {
  const pattern = plans.get(id)?.pattern;
  return (
    pattern?.transaction === true &&
    pattern.actions.some(
      (action) => action.entity === entity.name && changedBy(action).includes(copy.name),
    )
  );
}

/** Some pattern changes the copy, or somebody reads the stream of the source. */
function keptAnyhow(context: LintContext, entity: Entity, copy: Attribute): boolean {
  const isChanged = context
    .writesOf(entity.name)
    .some(({ action }) => action.kind === "update" && changedBy(action).includes(copy.name));
  return (
    isChanged ||
    context.tables.some(
      ({ placements, consumers }) =>
        placements.has(copy.copyOf?.entity ?? "") && consumers.length > 0,
    )
  );
}
