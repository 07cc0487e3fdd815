import type { Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Entity } from "../../model/requirements.ts";
import { type EntityKey, keysOfTable } from "./keys.ts";

/** What rules look at. What takes work is done when the first rule asks for it, and once. */
export class LintContext {
  readonly model: Model;
  #keys: readonly EntityKey[] | undefined;

  constructor(model: Model) {
    this.model = model;
  }

  get tables(): readonly Table[] {
    return [...(this.model.design?.tables.values() ?? [])];
  }

  get entities(): readonly Entity[] {
    return [...this.model.entities.values()];
  }

  /** What keys are made of: of tables, their look-up items and their indexes, for each entity. */
  get keys(): readonly EntityKey[] {
    this.#keys ??= this.tables.flatMap((table) => keysOfTable(table, this.model));
    return this.#keys;
  }
}
