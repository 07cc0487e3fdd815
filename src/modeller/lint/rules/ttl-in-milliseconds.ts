import type { Rule } from "../rule.ts";

export const ttlInMilliseconds: Rule = {
  id: "ttl-in-milliseconds",
  severity: "error",
  title: "The attribute of a time to live holds milliseconds, so nothing ever expires.",
  topic: "ttl",
  *check({ tables, model }) {
    for (const { name, ttl } of tables) {
      for (const entityName of ttl?.entities ?? []) {
        const attribute = model.entities.get(entityName)?.attributes.get(ttl?.attribute ?? "");
        const thirteen = attribute?.format === undefined && attribute?.digits === 13;
        if (attribute === undefined || (attribute.format !== "epoch-milliseconds" && !thirteen))
          continue;
        yield {
          path: attribute.path,
          message: `${entityName}.${attribute.name} is the expiry of items in ${name} and holds milliseconds.`,
          evidence:
            "DynamoDB reads the number as seconds: 13 digits are a time some 50,000 years from now, so nothing is deleted.",
          cure: "Store whole seconds since 1970 (epoch-seconds).",
          fix: {
            what: `makes ${entityName}.${attribute.name} epoch-seconds`,
            edits: [
              ...(thirteen
                ? [{ kind: "delete" as const, path: [...attribute.path, "digits"] }]
                : []),
              { kind: "set", path: [...attribute.path, "format"], value: "epoch-seconds" },
            ],
          },
        };
      }
    }
  },
};
