import type { Design, Index, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import { readIndex } from "../../model/read-indexes.ts";
import { Reading } from "../../model/reading.ts";
import type { Pattern } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { type Priced, priced } from "../lint/bills.ts";
import type { Plan, WriteRequest } from "../plans/plan.ts";
import { planOf } from "../plans/planner.ts";
import type { RegionPrices } from "../prices/price.ts";
import type { StoredRecord } from "../records/record.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { type ReadCost, readCost, type Upkeep } from "./read-cost.ts";

/** What an index costs by being there, and the patterns that then read it. */
export interface AddedCost {
  readonly upkeep: Upkeep;
  /** What writing and keeping the table's own items costs more, because it puts something on them. */
  readonly grows?: Upkeep;
  readonly reads: ReadonlyMap<string, ReadCost>;
}

/** So many indexes are put into one bill. */
const together = 64;

/**
 * What each of many indexes adds to a layout, as if it were the only one. A table with all of them is written to once:
 * entries of an index cost the same whatever else is there. Whoever plans a read sees one of them at a time. Indexes
 * that cannot be read from a document, and those that change how something is written, are not in the answer.
 */
export function addedCosts(
  base: Priced,
  prices: RegionPrices,
  layout: Layout,
  drafts: readonly IndexDraft[],
  usersOf: (draft: IndexDraft) => readonly Pattern[],
): ReadonlyMap<IndexDraft, AddedCost> {
  const found = new Map<IndexDraft, AddedCost>();
  const table = base.model.design?.tables.get(layout.main) as Table;
  const indexes = drafts.flatMap((draft): readonly (readonly [IndexDraft, Index])[] => {
    const reading = new Reading();
    const path = [...table.path, "indexes", draft.id];
    const { entities } = base.model;
    const index = readIndex(reading, draft.id, draft.document, table, entities, path);
    return reading.issues.length > 0 ? [] : [[draft, index]];
  });
  for (let i = 0; i < indexes.length; i += together) {
    const some = new Some(base, table, indexes.slice(i, i + together));
    for (const [draft, cost] of some.costs(prices, layout, usersOf)) found.set(draft, cost);
  }
  return found;
}

class Some {
  private readonly base: Priced;
  private readonly indexes: readonly (readonly [IndexDraft, Index])[];
  private readonly model: Model;
  private readonly table: Table;
  /** Indexes that are there anyway. */
  private readonly before: ReadonlySet<Index>;
  private readonly facts: Facts;

  constructor(base: Priced, table: Table, indexes: readonly (readonly [IndexDraft, Index])[]) {
    this.base = base;
    this.indexes = indexes;
    const added = indexes.map(([{ id }, index]) => [id, index] as const);
    this.table = { ...table, indexes: new Map([...table.indexes, ...added]) };
    this.before = new Set(table.indexes.values());
    const design = base.model.design as Design;
    const tables = new Map([...design.tables, [table.name, this.table]]);
    this.model = { ...base.model, design: { ...design, tables } };
    this.facts = new Facts(this.model);
  }

  costs(
    prices: RegionPrices,
    layout: Layout,
    usersOf: (draft: IndexDraft) => readonly Pattern[],
  ): ReadonlyMap<IndexDraft, AddedCost> {
    const plans = new Map<string, Plan>(this.writes());
    const reads = new Map<string, { draft: IndexDraft; plan: Plan }>();
    const wrong = new Set<IndexDraft>();
    for (const [draft, index] of this.indexes) {
      const { facts } = this.seeing(index);
      for (const pattern of usersOf(draft)) {
        const plan = planOf(facts, pattern);
        if (plan.problem !== undefined || !this.writesAlike(plan)) wrong.add(draft);
        const own = plan.requests.filter(({ kind }) => kind === "read");
        if (!own.some((one) => one.kind === "read" && one.index === index)) continue;
        const id = JSON.stringify([draft.id, pattern.id]);
        plans.set(id, { ...plan, requests: own });
        reads.set(id, { draft, plan });
      }
    }
    const { lines, loads } = priced(this.model, prices, this.facts, plans);
    const byName = new Map(this.indexes.map(([draft]) => [draft.id, draft]));
    const found = new Map(
      this.indexes.map(([draft]) => [
        draft,
        { storage: 0, writes: new Map<string, number>(), reads: new Map<string, ReadCost>() },
      ]),
    );
    const dollarsRead = new Map<string, number>();
    for (const { kind, pattern, dollars, table, index } of lines) {
      if (kind === "reads") {
        if (pattern === undefined || !layout.tables.has(table)) continue;
        dollarsRead.set(pattern, (dollarsRead.get(pattern) ?? 0) + dollars.average);
        continue;
      }
      const draft = table === layout.main ? byName.get(index ?? "") : undefined;
      const cost = draft && found.get(draft);
      if (cost === undefined) continue;
      if (pattern === undefined) cost.storage += dollars.average;
      else cost.writes.set(pattern, (cost.writes.get(pattern) ?? 0) + dollars.average);
    }
    for (const [id, { draft, plan }] of reads) {
      const cost = readCost(plan, layout, loads.loads, dollarsRead.get(id) ?? 0);
      found.get(draft)?.reads.set(plan.pattern.id, cost);
    }
    return new Map(
      [...found].flatMap(([draft, { storage, writes, reads: own }]) =>
        wrong.has(draft) ? [] : [[draft, { upkeep: { storage, writes }, reads: own }]],
      ),
    );
  }

  /** The records of the table as if there were one index, or none; and what each of them is with all. */
  private seeing(index: Index | undefined): {
    readonly facts: Facts;
    readonly whole: ReadonlyMap<StoredRecord, StoredRecord>;
  } {
    const whole = new Map<StoredRecord, StoredRecord>();
    const records = this.facts.records.map((record) => {
      if (record.table !== this.table) return record;
      const memberships = record.memberships.filter(
        (one) => one.index === index || this.before.has(one.index),
      );
      const seen = { ...record, memberships };
      whole.set(seen, record);
      return seen;
    });
    return { facts: this.facts.seeing(records), whole };
  }

  /** What patterns write, with the entries of all indexes; what they read on the way is counted elsewhere. */
  private writes(): readonly (readonly [string, Plan])[] {
    const { facts, whole } = this.seeing(undefined);
    return [...this.model.patterns.values()]
      .filter(({ kind }) => kind === "write")
      .map((pattern) => {
        const plan = planOf(facts, pattern);
        const requests = plan.requests.flatMap((request) => {
          if (request.kind === "read") return [];
          const actions = request.actions.map((action) => ({
            ...action,
            record: whole.get(action.record) ?? action.record,
          }));
          return [{ ...request, actions }];
        });
        return [pattern.id, { ...plan, requests }];
      });
  }

  /** Whether as much is written as without the index. */
  private writesAlike(plan: Plan): boolean {
    const before = this.base.plans.get(plan.pattern.id);
    return before !== undefined && writtenBy(before) === writtenBy(plan);
  }
}

function writtenBy({ requests }: Plan): string {
  const writes = requests.filter((one): one is WriteRequest => one.kind === "write");
  return JSON.stringify(
    writes.map(({ operation, actions }) => [
      operation,
      actions.map(({ kind, count, record }) => [kind, count, record.name]),
    ]),
  );
}
