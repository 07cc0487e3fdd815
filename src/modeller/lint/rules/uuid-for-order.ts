import type { Rule } from "../rule.ts";

export const uuidForOrder: Rule = {
  id: "uuid-for-order",
  severity: "warning",
  title: "Items are sorted by a random id, which is no order at all.",
  topic: "temporal-values",
  *check({ served, model }) {
    for (const pattern of served) {
      for (const { entity: name, order, path } of pattern.actions) {
        for (const { attribute } of order) {
          const found = model.entities.get(name)?.attributes.get(attribute);
          if (found?.format !== "uuid") continue;
          yield {
            path: [...path, "order", attribute],
            message: `Pattern ${pattern.id} sorts ${name} by ${attribute}, which is a random UUID.`,
            evidence:
              "A UUID says nothing of when it was made: the newest item is anywhere among them.",
            cure: `Give ${attribute} a format that sorts by time (ulid or ksuid), or sort by a time.`,
          };
        }
      }
    }
  },
};
