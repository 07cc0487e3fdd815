import type { OracleTable } from "./oracle.ts";
import { entryOf } from "./oracle-entries.ts";
import { keyNames } from "./steps.ts";
import { type Item, same, sizeOfItem, stable } from "./values.ts";

export type Units = Record<string, unknown>;

interface Images {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

const wcu = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1024));

/** The capacity that one request takes from one table, by the published rules. */
export class UnitSums {
  readonly #name: string;
  #table = 0;
  readonly #arms = { local: new Map<string, number>(), global: new Map<string, number>() };

  constructor(name: string) {
    this.#name = name;
  }

  readBytes(bytes: number, consistent: boolean, factor = 1): this {
    this.#table += factor * readUnits(bytes, consistent);
    return this;
  }

  read(item: Item | undefined, consistent: boolean, factor = 1): this {
    return this.readBytes(item === undefined ? 0 : sizeOfItem(item), consistent, factor);
  }

  readIndex(kind: "local" | "global", name: string, bytes: number, consistent: boolean): this {
    this.#arms[kind].set(name, readUnits(bytes, consistent));
    return this;
  }

  write(table: OracleTable, { before, after }: Images, factor: 1 | 2): this {
    this.#table += factor * Math.max(wcu(sizeOfItem(before ?? {})), wcu(sizeOfItem(after ?? {})));
    for (const index of table.indexes) {
      const old = before && entryOf(table, index, before);
      const now = after && entryOf(table, index, after);
      if (same(old, now)) continue;
      const keys = [...keyNames(index), ...keyNames(table.spec)];
      const place = (entry: Item) => stable(keys.map((name) => entry[name]));
      const [out, into] = [old, now].map((entry) => (entry ? wcu(sizeOfItem(entry)) : 0));
      const stays = old && now && place(old) === place(now);
      const units = stays ? Math.max(out ?? 0, into ?? 0) : (out ?? 0) + (into ?? 0);
      const arms = this.#arms[index.kind];
      arms.set(index.name, (arms.get(index.name) ?? 0) + units);
    }
    return this;
  }

  report(kind?: "ReadCapacityUnits" | "WriteCapacityUnits"): Units {
    const units = (sum: number) => ({ CapacityUnits: sum, ...(kind && { [kind]: sum }) });
    const arms = (map: Map<string, number>) =>
      Object.fromEntries([...map].map(([name, sum]) => [name, units(sum)]));
    const { local, global } = this.#arms;
    const total = [...local.values(), ...global.values()].reduce((a, b) => a + b, this.#table);
    return {
      TableName: this.#name,
      ...units(total),
      Table: units(this.#table),
      ...(local.size > 0 && { LocalSecondaryIndexes: arms(local) }),
      ...(global.size > 0 && { GlobalSecondaryIndexes: arms(global) }),
    };
  }
}

export function readUnits(bytes: number, consistent: boolean): number {
  const units = Math.max(1, Math.ceil(bytes / 4096));
  return consistent ? units : units / 2;
}
