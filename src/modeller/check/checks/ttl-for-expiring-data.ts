import type { Entity } from "../../../model/requirements.ts";
import { expiryAttributeOf } from "../../expiry-attribute.ts";
import { counted, listText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

const dayMs = 86_400_000;

export const ttlForExpiringData: Check = {
  id: "ttl-for-expiring-data",
  title:
    "Every entity with a retention expires by TTL, with its table, or by a pattern that deletes it",
  run(context) {
    const expiring = context.entities.filter(({ retentionMs }) => retentionMs !== undefined);
    if (expiring.length === 0) return notApplicable("Everything is kept.");
    const findings = new Findings();
    for (const entity of expiring) {
      const { name } = entity;
      const days = counted((entity.retentionMs ?? 0) / dayMs, "day");
      const tables = context.tables.filter(
        (table) => table.placements.has(name) && !hasExpiry(entity, table),
      );
      const hasDeadline = expiryAttributeOf(entity) !== undefined;
      if (isDeleted(context, entity)) findings.saw(`${name} has a retention of ${days}.`);
      else if (tables.length > 0 && hasDeadline) {
        findings.wrong(
          entity.path,
          `${name} has a retention of ${days}, but ${listText(tables.map((table) => table.name))} never deletes it. (ttl or periods)`,
        );
      } else if (!hasDeadline && (tables.length > 0 || context.design === undefined)) {
        // Without such an attribute, no design can enforce the retention with a TTL.
        findings.open(
          entity.path,
          `${name} has a retention of ${days}. Which attribute holds the second at which it expires, or which pattern deletes it? (type N, format epoch-seconds, such as expiresAt)`,
        );
      } else findings.saw(`${name} has a retention of ${days}.`);
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

/** By TTL, or with the table of its period. */
function hasExpiry({ name }: Entity, { ttl, periods }: Table): boolean {
  return ttl?.entities.includes(name) === true || periods?.keep !== undefined;
}

/** By a pattern. */
function isDeleted({ served }: CheckContext, { name }: Entity): boolean {
  return served.some(({ actions, with: others }) =>
    actions.some(
      ({ kind, entity }) =>
        kind === "delete" && (entity === name || others.some((one) => one.entity === name)),
    ),
  );
}
