import type { EntityKey } from "../keys.ts";
import type { Rule } from "../rule.ts";

export const uniquenessByIndex: Rule = {
  id: "uniqueness-by-index",
  severity: "warning",
  title: "A value is to be unique, and nothing but an index or good faith keeps it so.",
  topic: "unique-values",
  *check(context) {
    const { entities, tables, keys } = context;
    const guarded = new Set(
      tables.flatMap(({ unique }) =>
        unique.map(({ entity, attribute }) => JSON.stringify([entity, attribute])),
      ),
    );
    for (const entity of entities) {
      const own = keys.filter((key) => key.entity === entity);
      if (own.length === 0) continue;
      for (const attribute of entity.attributes.values()) {
        const { name } = attribute;
        if (!attribute.unique || guarded.has(JSON.stringify([entity.name, name]))) continue;
        if (own.some((key) => key.kind === "item" && isWholeKey(key, name))) continue;
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

/** The value alone is the table's whole key, so a second item would be the same one. */
function isWholeKey({ partition, sort }: EntityKey, name: string): boolean {
  const named = [...partition, ...sort].flatMap(({ text }) =>
    text.segments.flatMap((segment) => (segment.kind === "text" ? [] : [segment])),
  );
  return (
    named.length > 0 &&
    named.every((segment) => segment.kind === "attribute" && segment.attribute === name)
  );
}

function holds({ partition }: EntityKey, name: string): boolean {
  return partition.some(({ text }) =>
    text.segments.some((segment) => segment.kind === "attribute" && segment.attribute === name),
  );
}
