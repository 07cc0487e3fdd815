import type { Attribute, Entity } from "../../../model/requirements.ts";
import { unkeepable } from "../../designer/numbers.ts";
import { counted } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

export const copiesKept: Check = {
  id: "copies-kept",
  title: "Every copy may be behind its source, or somebody keeps it",
  run(context) {
    const copies = context.entities.flatMap((entity) =>
      [...entity.attributes.values()]
        .filter(({ copyOf }) => copyOf !== undefined)
        .map((attribute) => ({ entity, attribute })),
    );
    // Before there is a design: numbers that the designer would refuse to keep.
    const refused = context.design === undefined ? unkeepable(context.model, []) : [];
    if (copies.length + refused.length === 0) return notApplicable("Nothing is copied.");
    const findings = new Findings();
    for (const { path, text } of refused) findings.wrong(path, text);
    let accepted = 0;
    for (const { entity, attribute } of copies) {
      const { copyOf, staleness, path } = attribute;
      if (copyOf === undefined) continue;
      const names = `${entity.name}.${attribute.name}`;
      const source = `${copyOf.entity}.${copyOf.attribute}`;
      const changing = changersOf(context, copyOf.entity, copyOf.attribute);
      if (changing.length === 0 || staleness === "accepted") accepted += 1;
      else if (isKept(context, entity, attribute)) continue;
      else if (staleness === undefined) {
        findings.open(
          path,
          `${source} changes by ${changing.join(", ")}: may its copy ${names} be behind? (staleness)`,
        );
      } else {
        findings.wrong(
          path,
          `${names} must not be behind ${source}, but nobody changes it when ${changing.join(", ")} changes ${source}.`,
        );
      }
    }
    findings.saw(
      `${counted(copies.length, "copy", "copies")}; allowed to be behind, or of something that never changes: ${accepted}.`,
    );
    return findings.outcome();
  },
};

/** The patterns that give an attribute another value. */
function changersOf(
  { served }: CheckContext,
  entity: string,
  attribute: string,
): readonly string[] {
  return served
    .filter(({ actions }) =>
      actions.some(
        (one) =>
          one.entity === entity &&
          ([...one.changes, ...one.adds].some((change) => change.attribute === attribute) ||
            one.removes.includes(attribute)),
      ),
    )
    .map(({ id }) => id);
}

/** In the same patterns as the source, by a pattern of its own, or by a reader of the source's stream. */
function isKept(context: CheckContext, entity: Entity, { name, copyOf }: Attribute): boolean {
  if (changersOf(context, entity.name, name).length > 0) return true;
  // Where a transaction can hold them all, copies are changed with their source.
  const followed = [...context.plans.values()].some(({ pattern }) =>
    pattern.actions.some(({ follows, entity: changed }) => follows && changed === entity.name),
  );
  if (followed) return true;
  return context.tables.some(
    ({ placements, stream, consumers }) =>
      placements.has(copyOf?.entity ?? "") && stream !== undefined && consumers.length > 0,
  );
}
