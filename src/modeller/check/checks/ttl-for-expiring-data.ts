import type { Entity } from "../../../model/requirements.ts";
import { counted, listText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

const dayMs = 86_400_000;

export const ttlForExpiringData: Check = {
  id: "ttl-for-expiring-data",
  title: "What is kept only for a time is taken away when that is over",
  run(context) {
    const expiring = context.entities.filter(({ retentionMs }) => retentionMs !== undefined);
    if (expiring.length === 0) return notApplicable("Everything is kept.");
    if (context.design === undefined) return notApplicable("There is no design yet.");
    const findings = new Findings();
    for (const entity of expiring) {
      const placed = context.tables.filter(({ placements }) => placements.has(entity.name));
      const left = placed.filter((table) => !isTakenAway(context, entity, table));
      const days = `${counted((entity.retentionMs ?? 0) / dayMs, "day")}`;
      if (left.length > 0) {
        findings.wrong(
          entity.path,
          `${entity.name} is kept for ${days}, but nothing takes it out of ${listText(left.map(({ name }) => name))}. (ttl or periods)`,
        );
      } else findings.saw(`${entity.name} is kept for ${days}.`);
    }
    for (const { ttl, path, name, placements } of context.tables) {
      if (ttl === undefined) continue;
      for (const one of ttl.entities) {
        const attribute = context.model.entities.get(one)?.attributes.get(ttl.attribute);
        if (!placements.has(one) || attribute === undefined) continue;
        if (attribute.type !== "N" || attribute.format === "epoch-milliseconds") {
          findings.wrong(
            [...path, "ttl"],
            `${one}.${ttl.attribute} is no number of seconds since 1970, so ${name} never lets it expire.`,
          );
        }
      }
    }
    return findings.outcome();
  },
};

type Table = CheckContext["tables"][number];

/** By its time to live, with the table of its period, or by a pattern that deletes it. */
function isTakenAway({ served }: CheckContext, { name }: Entity, { ttl, periods }: Table): boolean {
  if (ttl?.entities.includes(name) || periods?.keep !== undefined) return true;
  return served.some(({ actions, with: others }) =>
    actions.some(
      ({ kind, entity }) =>
        kind === "delete" && (entity === name || others.some((one) => one.entity === name)),
    ),
  );
}
