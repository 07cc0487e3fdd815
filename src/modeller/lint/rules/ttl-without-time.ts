import { isExpiryName } from "../../expiry-attribute.ts";
import type { Rule } from "../rule.ts";

export const ttlWithoutTime: Rule = {
  id: "ttl-without-time",
  severity: "error",
  title: "The attribute of a time to live is a number that is no time.",
  topic: "ttl",
  *check({ tables, model }) {
    for (const { name, path, ttl } of tables) {
      if (ttl === undefined) continue;
      for (const entityName of ttl.entities) {
        const attribute = model.entities.get(entityName)?.attributes.get(ttl.attribute);
        if (attribute === undefined || attribute.format !== undefined) continue;
        // Thirteen digits are milliseconds, which is a finding of its own.
        if (isExpiryName(attribute.name) || attribute.digits === 13) continue;
        yield {
          path: [...path, "ttl"],
          message: `${entityName}.${attribute.name} is the expiry of items in ${name} and is not stated to be a time.`,
          evidence:
            "DynamoDB reads the number as seconds since 1970. It deletes items whose number is a time of the last five years, and no others.",
          cure: `Choose the attribute that has the second at which a ${entityName} expires, and give it the format epoch-seconds.`,
        };
      }
    }
  },
};
