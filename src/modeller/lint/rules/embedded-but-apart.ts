import { relationTo } from "../largest.ts";
import type { Rule } from "../rule.ts";
import { shareText } from "../words.ts";

const apart = 0.2;

export const embeddedButApart: Rule = {
  id: "embedded-but-apart",
  severity: "warning",
  title: "Entities that are seldom wanted together lie in one item.",
  topic: "embedding",
  *check({ model, tables }) {
    for (const { placements } of tables) {
      for (const { entity: name, embeds, path } of placements.values()) {
        for (const [i, { entity: innerName }] of embeds.entries()) {
          const [host, inner] = [model.entities.get(name), model.entities.get(innerName)];
          const together = host && inner && relationTo(model, host, inner)?.together;
          if (together === undefined || together.value > apart) continue;
          yield {
            path: [...path, "embeds", i],
            message: `${innerName} lies inside of ${name}, and the two are seldom wanted together.`,
            evidence: `Both are wanted in ${shareText(together.value)}${together.assumed ? " (assumed)" : ""} of the cases; in all others every read and write of ${name} pays for its ${innerName} too.`,
            cure: `Give ${innerName} items of its own, in the same collection if it is listed by ${name}.`,
          };
        }
      }
    }
  },
};
