import { shareText } from "../../lint/words.ts";
import { structureName } from "../../plans/plan.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { patternName } from "../check-context.ts";

export const sparseIndexesUnderstood: Check = {
  id: "sparse-indexes-understood",
  title: "Nobody expects items from an index that leaves them out",
  run(context) {
    const sparse = context.facts.records.flatMap((record) =>
      record.memberships
        .filter(({ only, optional }) => only.length + optional.length > 0)
        .map((membership) => ({ record, membership })),
    );
    if (sparse.length === 0) return notApplicable("Every index holds all items of its entities.");
    const findings = new Findings();
    for (const { record, membership } of sparse) {
      const { value, assumed } = context.facts.shareIn(record.entity, membership);
      findings.saw(
        `${structureName(record.table, membership.index)} holds ${shareText(value)} of the ${record.name}${assumed ? " (assumed)" : ""}.`,
      );
    }
    for (const pattern of context.served) {
      const { notes, requests } = context.plan(pattern);
      const note = notes.find((one) => / answers only for /.test(one));
      const isDecided = requests.some(
        (one) =>
          one.kind === "read" && one.index !== undefined && context.isDecided(one.index.path),
      );
      if (note === undefined || isDecided) continue;
      if (pattern.considerations.length + pattern.requirements.length > 0) continue;
      findings.open(
        pattern.path,
        `${patternName(pattern)} can ask for any value, but ${note.replace(/\.$/, "")}: is it never asked for others? (considerations)`,
      );
    }
    return findings.outcome();
  },
};
