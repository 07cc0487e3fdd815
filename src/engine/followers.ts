import type { TableDescriptor } from "./descriptor.ts";

/** Something that a table's followers may want to look at. */
export interface News {
  /** The table was made, changed or removed; or its stream got records. */
  readonly what: "table" | "records";
  /** Undefined: it is not known which one. */
  readonly table: Pick<TableDescriptor, "namespace" | "name"> | undefined;
}

/**
 * Tells who asked that there is something new to read, so that nobody has to look again and again. What
 * other processes write is not told; that they changed tables is.
 */
export class Followers {
  readonly #all = new Set<(news: News) => void>();

  follow(told: (news: News) => void): () => void {
    this.#all.add(told);
    return () => void this.#all.delete(told);
  }

  changed(table: News["table"]): void {
    this.#tell({ what: "table", table });
  }

  /** Called after every commit: mostly nobody follows. */
  written(actions: readonly { readonly table: TableDescriptor }[]): void {
    if (this.#all.size === 0) return;
    for (const { table } of actions) {
      if (table.stream !== undefined) this.#tell({ what: "records", table });
    }
  }

  #tell(news: News): void {
    for (const told of this.#all) told(news);
  }
}
