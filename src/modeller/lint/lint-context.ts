import type { Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import { type EntityKey, keysOfTable } from "./keys.ts";
import { isServed, type PatternAction } from "./traffic.ts";

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

  /** The patterns that DynamoDB is to answer. */
  get served(): readonly Pattern[] {
    return [...this.model.patterns.values()].filter(isServed);
  }

  /** What the patterns that are served do to an entity, what they bring along with others included. */
  actionsOn(entity: string): readonly PatternAction[] {
    return this.served.flatMap((pattern) => [
      ...pattern.actions
        .filter((action) => action.entity === entity)
        .map((action) => ({ pattern, action })),
      ...pattern.with.flatMap((one) => {
        const [action] = pattern.actions;
        if (one.entity !== entity || action === undefined) return [];
        const average = one.average ?? action.average;
        return [{ pattern, action: { ...action, entity, average } }];
      }),
    ]);
  }

  readsOf(entity: string): readonly PatternAction[] {
    return this.actionsOn(entity).filter(({ action }) => action.kind === "read");
  }

  writesOf(entity: string): readonly PatternAction[] {
    return this.actionsOn(entity).filter(({ action }) =>
      ["create", "update", "delete"].includes(action.kind),
    );
  }

  /** The keys under which an entity's own items lie and their entries in indexes. */
  keysOf(entity: string): readonly EntityKey[] {
    return this.keys.filter(
      ({ entity: one, kind }) => one.name === entity && (kind === "item" || kind === "index"),
    );
  }
}
