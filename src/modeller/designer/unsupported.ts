import type { Model } from "../../model/model.ts";
import { obstacle, strictCopies } from "../plans/copies.ts";
import type { Layout } from "./drafts.ts";
import { isKeyType, servedPatterns } from "./needs.ts";
import { notForDynamodb } from "./not-dynamodb.ts";
import { unkeepable } from "./numbers.ts";

/** What a design cannot be chosen for, each in a sentence: numbers that are missing, and what is not thought through. */
export function unsupported(model: Model, kept: readonly Layout[]): readonly string[] {
  const found: string[] = [...notForDynamodb(model), ...unkeepable(model, kept)];
  for (const { id, rps } of servedPatterns(model)) {
    if (rps.average === undefined) {
      found.push(
        `Pattern ${id} has no average rate (rps.average), so nothing about it can be weighed.`,
      );
    }
  }
  for (const { name, count, attributes, id } of model.entities.values()) {
    if (count === undefined) {
      found.push(`How many ${name} there are (count) is not known.`);
    }
    for (const one of attributes.values()) {
      if (one.size === undefined)
        found.push(`The size of ${name}.${one.name} (bytes) is not known.`);
      if (id.includes(one.name) && !isKeyType(one)) {
        found.push(
          `${name}.${one.name} is part of the id and has type ${one.type}; keys have S, N and B.`,
        );
      }
    }
  }
  return [...found, ...behind(model)];
}

/** Copies that must not be behind, and that no transaction can change with their source. */
function behind(model: Model): readonly string[] {
  return strictCopies(model).flatMap((copy) =>
    servedPatterns(model).flatMap((pattern) => {
      const why = obstacle(model, pattern, copy);
      const name = `${copy.entity.name}.${copy.attribute.name}`;
      return why === undefined ? [] : [`${name} is a copy that must not be behind: ${why}.`];
    }),
  );
}
