import type { Model } from "../../model/model.ts";
import { obstacle, strictCopies } from "../plans/copies.ts";
import { attributeBytes } from "../sizes/attribute-size.ts";
import { keyBytesMax } from "../sizes/key-limits.ts";
import type { Layout } from "./drafts.ts";
import { isKeyType, servedPatterns } from "./needs.ts";
import { notForDynamodb } from "./not-dynamodb.ts";
import { unkeepable } from "./numbers.ts";
import type { Refusal } from "./refusal.ts";

/** What no design can be chosen for: numbers that are missing, and requirements that no design can meet. */
export function unsupported(model: Model, kept: readonly Layout[]): readonly Refusal[] {
  const refusals: Refusal[] = [...notForDynamodb(model), ...unkeepable(model, kept)];
  for (const { id, name, path, rps } of servedPatterns(model)) {
    if (rps.average === undefined) {
      refusals.push({
        path,
        text: `Pattern ${id} (${name}) has no average rate, so no design can be priced. State rps.average.`,
      });
    }
  }
  for (const { name, path, count, attributes, id } of model.entities.values()) {
    if (count === undefined) {
      refusals.push({
        path,
        text: `The number of ${name} is unknown, so no design can be priced. State count.`,
      });
    }
    for (const one of attributes.values()) {
      if (one.size === undefined) {
        refusals.push({
          path: one.path,
          text: `The size of ${name}.${one.name} is unknown, so no design can be priced. State bytes.`,
        });
      }
      if (id.includes(one.name) && !isKeyType(one)) {
        refusals.push({
          path: one.path,
          text: `${name}.${one.name} is part of the id and has type ${one.type}, but keys are S, N or B. Choose another id.`,
        });
      }
      if (isKeyType(one) && (id.includes(one.name) || one.unique)) {
        const bytes = attributeBytes(one)?.max ?? 0;
        const what = id.includes(one.name)
          ? "part of the id"
          : "unique, which an item under its value enforces,";
        if (bytes > keyBytesMax.partition) {
          refusals.push({
            path: one.path,
            text: `${name}.${one.name} is ${what} and can have ${bytes.toLocaleString("en-US")} bytes, but a key has at most ${keyBytesMax.partition.toLocaleString("en-US")}. State a smaller size (bytes), or use a hash of it instead.`,
          });
        }
      }
    }
  }
  return [...refusals, ...staleCopies(model)];
}

/** Copies with `staleness: refused` that no transaction can change with their source. */
export function staleCopies(model: Model): readonly Refusal[] {
  return strictCopies(model).flatMap((copy) =>
    servedPatterns(model).flatMap((pattern) => {
      const why = obstacle(model, pattern, copy);
      const { path, name } = copy.attribute;
      const text = `${copy.entity.name}.${name} must not be stale (staleness: refused), but no transaction can change it with its source: ${why}. Change that, or state staleness: accepted.`;
      return why === undefined ? [] : [{ path, text }];
    }),
  );
}
