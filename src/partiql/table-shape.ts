import type { KeyConditionSchema } from "../expressions/key-condition.ts";

/** What a statement has to know of a table to be compiled. */
export interface TableShape {
  readonly key: KeyConditionSchema;
  readonly indexes: readonly IndexShape[];
}

export interface IndexShape {
  readonly name: string;
  readonly kind: "local" | "global";
  readonly key: KeyConditionSchema;
  readonly projection: {
    readonly type: "ALL" | "KEYS_ONLY" | "INCLUDE";
    readonly attributes: readonly string[];
  };
}

/** The attributes that an index holds; undefined: all. */
export function heldBy(table: TableShape, index: IndexShape): ReadonlySet<string> | undefined {
  const { type, attributes } = index.projection;
  if (type === "ALL") return undefined;
  const names = new Set(attributes);
  for (const { hash, range } of [table.key, index.key]) {
    for (const { name } of [...hash, ...range]) names.add(name);
  }
  return names;
}
