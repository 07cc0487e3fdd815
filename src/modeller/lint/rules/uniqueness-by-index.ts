import type { KeyPart } from "../../../model/design.ts";
import type { Segment } from "../../../model/key-text.ts";
import type { EntityKey } from "../keys.ts";
import type { Rule } from "../rule.ts";

export const uniquenessByIndex: Rule = {
  id: "uniqueness-by-index",
  severity: "warning",
  title: "A value is to be unique, and nothing but an index or good faith keeps it so.",
  topic: "unique-values",
  *check(context) {
    const { entities, tables, keys } = context;
    const guards = tables.flatMap(({ unique }) => unique);
    for (const entity of entities) {
      const own = keys.filter((key) => key.entity === entity);
      if (own.length === 0) continue;
      for (const attribute of entity.attributes.values()) {
        const { name } = attribute;
        const guard = guards.find((one) => one.entity === entity.name && one.attribute === name);
        if (!attribute.unique || (guard !== undefined && isWholeKey(guard.key, name))) continue;
        if (
          own.some(
            (key) => key.kind === "item" && isWholeKey([...key.partition, ...key.sort], name),
          )
        )
          continue;
        if (guard !== undefined) {
          yield {
            path: [...guard.path, "key"],
            message: `${entity.name}.${name} is to be unique, and the key that keeps it so depends on more than its value.`,
            evidence: `The key is ${guard.key.map(({ attribute: part, text }) => `${part} '${text.text}'`).join(", ")}: two of ${entity.name} with the same ${name} can have different keys.`,
            cure: `Make the key of {${name}} and fixed words only.`,
          };
          continue;
        }
        const writes = context
          .writesOf(entity.name)
          .filter(({ action }) => action.kind !== "delete");
        if (writes.length === 0) continue;
        const index = own.find((key) => key.index !== undefined && holds(key, name))?.index;
        yield {
          path: attribute.path,
          message: `${entity.name}.${name} is to be unique, and ${index === undefined ? "nothing keeps it so" : `index ${index.name} does not keep it so`}.`,
          evidence: `Conditions look at one item of a table: two of ${entity.name} with the same ${name} can be written ${index === undefined ? "at any time" : "both, and the index holds both"}.`,
          cure: `Add ${entity.name}.${name} to 'unique' of its table: an item with the value as its key is written in the same transaction.`,
        };
      }
    }
  },
};

/** The key is made of the value alone, so a second item with it would be the same one. */
function isWholeKey(sides: readonly Pick<KeyPart, "text">[], name: string): boolean {
  const values = sides.flatMap(({ text }) => text.segments.filter(({ kind }) => kind !== "text"));
  const isOfValue = (segment: Segment): boolean => {
    if (segment.kind === "shard") {
      return segment.by.kind === "calculated" && segment.by.attribute === name;
    }
    return segment.kind === "attribute" && segment.attribute === name;
  };
  return values.length > 0 && values.every(isOfValue);
}

function holds({ partition }: EntityKey, name: string): boolean {
  return partition.some(({ text }) =>
    text.segments.some((segment) => segment.kind === "attribute" && segment.attribute === name),
  );
}
