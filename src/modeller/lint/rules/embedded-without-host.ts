import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

export const embeddedWithoutHost: Rule = {
  id: "embedded-without-host",
  severity: "error",
  title: "An entity lies in items of another one, and nothing in it says whose it is.",
  topic: "embedding",
  *check({ facts, tables }) {
    for (const { placements } of tables) {
      for (const { entity: name, embeds, path } of placements.values()) {
        for (const [i, { entity: inner }] of embeds.entries()) {
          const host = facts.hostsOf(inner).find(({ entity }) => entity.name === name);
          const links = host?.attributes.flatMap(({ content }) =>
            content.kind === "embedded" && content.entity.name === inner ? [content.links] : [],
          );
          if (host === undefined || links?.some(({ length }) => length > 0)) continue;
          yield {
            path: [...path, "embeds", i],
            message: `${inner} lies inside of ${name}, and nothing in ${inner} says which ${name} it belongs to.`,
            evidence: `A ${name} is identified by ${listText(host.entity.id)}, and ${inner} has no such attribute.`,
            cure: `Give ${inner} the id of its ${name}, or state the relation between them.`,
          };
        }
      }
    }
  },
};
