import { assert } from "../../base/assert.ts";
import type { Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Action, Entity, Pattern } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { type KeyLoad, keyLoadsOf } from "../heat/key-load.ts";
import type { Plan, ReadRequest } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import type { RegionPrices } from "../prices/price.ts";
import { estimateRun, type RunEstimate } from "../units/estimate.ts";
import { type Priced, priced } from "./bills.ts";
import { type EntityKey, keysOfTable } from "./keys.ts";
import { isServed, type PatternAction } from "./traffic.ts";

/** A query of a pattern, what it asks for, and the key that it goes by. */
export interface PlannedQuery {
  readonly pattern: Pattern;
  readonly action: Action;
  readonly request: ReadRequest;
  readonly key: EntityKey;
}

/** What rules look at. What takes work is done when the first rule asks for it, and once. */
export class LintContext {
  readonly model: Model;
  #keys: readonly EntityKey[] | undefined;
  #facts: Facts | undefined;
  #plans: ReadonlyMap<string, Plan> | undefined;
  #queries: readonly PlannedQuery[] | undefined;
  #design: Priced | undefined;
  #keyLoads: readonly KeyLoad[] | undefined;
  #served: readonly Pattern[] | undefined;
  readonly #actions = new Map<string, readonly PatternAction[]>();
  readonly #estimates = new Map<string, RunEstimate>();

  /** Facts and plans of the model, if they are there already. */
  constructor(model: Model, facts?: Facts, plans?: ReadonlyMap<string, Plan>) {
    this.model = model;
    this.#facts = facts;
    this.#plans = plans;
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

  /** What items there are, how many and how large. */
  get facts(): Facts {
    this.#facts ??= Facts.of(this.model);
    return this.#facts;
  }

  /** How each pattern is carried out, by its id. */
  get plans(): ReadonlyMap<string, Plan> {
    this.#plans ??= plansOf(this.facts);
    return this.#plans;
  }

  /** Of the model's Region; of the first Region in the book if it has none or nobody knows its prices. */
  get prices(): RegionPrices {
    const prices = pricesOf(this.model.overview.region ?? defaultRegion) ?? pricesOf(defaultRegion);
    assert(prices !== undefined, "the default Region has prices");
    return prices;
  }

  /** What all patterns ask of tables and indexes, and what that costs. */
  get design(): Priced {
    this.#design ??= priced(this.model, this.prices, this.facts, this.plans);
    return this.#design;
  }

  /** What the peak does to partition keys, by table and index. */
  get keyLoads(): readonly KeyLoad[] {
    this.#keyLoads ??= keyLoadsOf(this.facts, this.plans);
    return this.#keyLoads;
  }

  /** What one run of a pattern costs; nothing if there are no requests for it. */
  estimate(pattern: string): RunEstimate | undefined {
    const plan = this.plans.get(pattern);
    if (plan === undefined || plan.requests.length === 0) return undefined;
    const known = this.#estimates.get(pattern) ?? estimateRun(this.facts, plan.requests);
    this.#estimates.set(pattern, known);
    return known;
  }

  /** The patterns that DynamoDB is to answer. */
  get served(): readonly Pattern[] {
    this.#served ??= [...this.model.patterns.values()].filter(isServed);
    return this.#served;
  }

  /** What the patterns that are served do to an entity, what they bring along with others included. */
  actionsOn(entity: string): readonly PatternAction[] {
    const known = this.#actions.get(entity) ?? this.#actionsOf(entity);
    this.#actions.set(entity, known);
    return known;
  }

  #actionsOf(entity: string): readonly PatternAction[] {
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

  /** The queries that patterns are answered with, where the plan is ours, and the key that each uses. */
  get queries(): readonly PlannedQuery[] {
    this.#queries ??= this.served.flatMap((pattern) => {
      const plan = this.plans.get(pattern.id);
      if (plan === undefined || plan.stated) return [];
      return plan.requests.flatMap((request) => {
        if (request.kind !== "read" || request.operation !== "Query") return [];
        const { record, table, index } = request;
        const action = pattern.actions.find(({ entity }) => entity === record.entity.name);
        const key = this.keysOf(record.entity.name).find(
          (one) => one.table === table && one.index === index,
        );
        return action === undefined || key === undefined ? [] : [{ pattern, action, request, key }];
      });
    });
    return this.#queries;
  }

  /** The keys under which an entity's own items lie and their entries in indexes. */
  keysOf(entity: string): readonly EntityKey[] {
    return this.keys.filter(
      ({ entity: one, kind }) => one.name === entity && (kind === "item" || kind === "index"),
    );
  }
}
