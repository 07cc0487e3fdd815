import type { Entity } from "../../../model/requirements.ts";
import { counted } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

export const relationsBothWays: Check = {
  id: "relations-both-ways",
  title: "Many-to-many relations are read from both ends, or it is said that nobody does",
  run(context) {
    const { model } = context;
    const many = model.relations.filter(({ kind }) => kind === "many-to-many");
    if (many.length === 0) return notApplicable("There are no many-to-many relations.");
    const findings = new Findings();
    for (const { from, to, via, path } of many) {
      const middle = via === undefined ? undefined : model.entities.get(via);
      if (middle === undefined) {
        findings.open(path, `Which entity holds that a ${from} and a ${to} belong together? (via)`);
        continue;
      }
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        if (!isWalked(context, middle, one)) {
          findings.open(
            path,
            `Does nobody ask for the ${other} of one ${one}? (a pattern that reads ${middle.name}; if nobody, declined)`,
          );
        }
      }
    }
    findings.saw(`${counted(many.length, "many-to-many relation")}.`);
    return findings.outcome();
  },
};

/** Whether a pattern, wanted or declined, asks for the middle entity by the id of one end. */
function isWalked({ patterns, facts, model }: CheckContext, middle: Entity, end: string): boolean {
  const id = model.entities.get(end)?.id ?? [];
  const single = [...middle.attributes.keys()].filter(
    (name) => facts.cardinality.parentOf(middle, name)?.name === end,
  );
  return patterns.some(({ actions, together }) => {
    const main = actions.some(({ kind, entity, where }) => {
      if (kind !== "read" || entity !== middle.name) return false;
      const equal = where.flatMap(({ attribute, operator }) =>
        operator === "equals" ? [attribute] : [],
      );
      const isOne = middle.id.every((name) => equal.includes(name));
      const names = single.length > 0 ? single : id;
      return (
        !isOne &&
        (single.length > 0
          ? names.some((name) => equal.includes(name))
          : names.every((name) => equal.includes(name)))
      );
    });
    const beside =
      together.some(({ entity }) => entity === middle.name) &&
      actions.some(({ kind, entity }) => kind === "read" && entity === end);
    return main || beside;
  });
}
