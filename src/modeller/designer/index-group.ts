import type { Design, Index, Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import type { Pattern } from "../../model/requirements.ts";
import type { BillLine } from "../cost/bill.ts";
import type { Facts } from "../facts.ts";
import { type Priced, priced } from "../lint/bills.ts";
import type { Plan, WriteRequest } from "../plans/plan.ts";
import { planOf } from "../plans/planner.ts";
import { isLateFetch } from "../plans/read-plan.ts";
import type { RegionPrices } from "../prices/price.ts";
import { recordsIn } from "../records/records.ts";
import { longKeysOf } from "../sizes/key-limits.ts";
import { readUnitsOf } from "../units/read-units.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { leanFacts } from "./lean.ts";
import type { LayoutCost } from "./pricing.ts";
import {
  type ReadCost,
  readCost,
  readsIn,
  readsOf,
  scanRank,
  type Upkeep,
  upkeepDifference,
  upkeepOf,
} from "./read-cost.ts";
import { leastUnits, type User } from "./users.ts";

/** What an index costs by being there, and the patterns that then read it. */
export interface AddedCost {
  readonly upkeep: Upkeep;
  /** What writing and keeping the table's own items costs more, because it puts something on them. */
  readonly grows?: Upkeep;
  readonly reads: ReadonlyMap<string, ReadCost>;
  /** Where it is asked what they cost at least: what would be left of these. */
  readonly left?: ReadonlyMap<string, Left>;
}

/** Shares of what a read costs. */
export interface Left {
  /** If the items that it reads besides the index were as small as can be. */
  readonly small: number;
  /** If it read nothing but the index. */
  readonly bare: number;
}

/** What was seen of the indexes of a layout. */
export interface Searched {
  /** The fewest units that a pattern takes if it finds what it asks for by a key. */
  readonly least: Map<string, number>;
  /** The fewest units that it takes to read all of an entity in an index that holds all of them. */
  readonly smallest: Map<string, number>;
}

/** Indexes of a table that are priced at once, each as if it were the only one. */
export class IndexGroup {
  private readonly base: Priced;
  private readonly indexes: readonly (readonly [IndexDraft, Index])[];
  private readonly model: Model;
  private readonly table: Table;
  /** Indexes that are there anyway. */
  private readonly before: ReadonlySet<Index>;
  private readonly facts: Facts;
  private readonly plans = new Map<string, Plan>();
  private readonly reads = new Map<string, { readonly draft: IndexDraft; readonly plan: Plan }>();
  private readonly wrong = new Set<IndexDraft>();
  /** Patterns that have to fetch each entry before they filter it; in another layout entries may hold what they lack here. */
  private readonly fetched = new Map<IndexDraft, readonly Pattern[]>();
  /** The facts of the table as if it had one of the indexes only. */
  private readonly single = new Map<Index, Facts>();
  private readonly isReference: boolean;

  constructor(
    base: Priced,
    table: Table,
    indexes: readonly (readonly [IndexDraft, Index])[],
    isReference: boolean,
  ) {
    this.base = base;
    this.isReference = isReference;
    this.indexes = indexes;
    const added = indexes.map(([{ id }, index]) => [id, index] as const);
    this.table = { ...table, indexes: new Map([...table.indexes, ...added]) };
    this.before = new Set(table.indexes.values());
    const design = base.model.design as Design;
    const tables = new Map([...design.tables, [table.name, this.table]]);
    this.model = { ...base.model, design: { ...design, tables } };
    const others = base.facts.records.filter((one) => one.table !== table);
    const records = [...recordsIn(this.model, this.table), ...others];
    const facts = base.facts.of(this.model, records);
    this.facts = isReference ? leanFacts(facts, this.table) : facts;
    // How often something is put on them is told by all memberships, of which most do not see all.
    for (const one of this.facts.records) this.facts.sizes.item(one);
    const long = new Set(
      this.facts.records.flatMap((one) => longKeysOf(one).map(({ index }) => index)),
    );
    for (const [draft, { name }] of indexes) if (long.has(name)) this.wrong.add(draft);
    const [[draft, index] = []] = indexes;
    if (draft?.document.only !== undefined && index !== undefined && !isReference) {
      this.checkWrites(index);
    }
  }

  /** What keeps some items out of an index may have to be looked at by those who write. */
  private checkWrites(index: Index): void {
    const facts = this.factsOf(index);
    for (const [id, { kind }] of this.model.patterns) {
      if (kind !== "write") continue;
      const plan = planOf(facts, this.model.patterns.get(id) as Pattern);
      if (plan.problem === undefined && this.writesAlike(plan)) continue;
      for (const [draft] of this.indexes) this.wrong.add(draft);
      return;
    }
  }

  /** Plans for those who know the keys of indexes. */
  find(usersOf: (draft: IndexDraft) => readonly User[], { least, smallest }: Searched): void {
    for (const [draft, index] of this.indexes) {
      if (index.projection === "keys") {
        const all = this.unitsOfAll(index, true);
        smallest.set(draft.entity, Math.min(all, smallest.get(draft.entity) ?? all));
      }
      const finders = usersOf(draft).filter(({ scans }) => !scans);
      if (finders.length === 0) continue;
      for (const { pattern } of finders) {
        const units = this.plan(draft, index, pattern);
        if (units === undefined) continue;
        least.set(pattern.id, Math.min(units, least.get(pattern.id) ?? units));
      }
    }
  }

  /** Plans for those who could only read all of an index, unless that is too much. */
  scan(
    usersOf: (draft: IndexDraft) => readonly User[],
    isTooMuchFor: (pattern: Pattern, units: number) => boolean,
  ): void {
    for (const [draft, index] of this.indexes) {
      const units = this.unitsOfAll(index);
      const scanners = usersOf(draft).filter(
        ({ scans, pattern }) => scans && !isTooMuchFor(pattern, units),
      );
      if (scanners.length === 0) continue;
      for (const { pattern } of scanners) this.plan(draft, index, pattern);
    }
  }

  /** What those would pay at least who need not read all of the table, if they had to read all of an index or fetch its entries. */
  readBy(
    { reads }: LayoutCost,
    usersOf: (draft: IndexDraft) => readonly User[],
    isAsked: (pattern: Pattern) => boolean,
  ): ReadonlyMap<IndexDraft, readonly (readonly [string, ReadCost])[]> {
    const rateOf = ({ rps }: Pattern): number => rps.average?.value ?? 0;
    // What a unit costs in a month at one request in a second, as far as anybody reads.
    const each = [...this.model.patterns.values()].flatMap((pattern) => {
      const units = unitsBefore(this.base, pattern.id) * rateOf(pattern);
      return units > 0 ? [(reads.get(pattern.id)?.dollars ?? 0) / units] : [];
    });
    const perUnit = each.length === 0 ? 0 : Math.min(...each);
    return new Map(
      this.indexes.map(([draft, index]) => {
        const all = this.unitsOfAll(index);
        const users = usersOf(draft).filter(({ scans, pattern }) => scans && isAsked(pattern));
        const found = users.map(({ pattern }) => {
          const trips = rateOf(pattern);
          const units = isWhole(pattern) ? Math.max(leastUnits, all) : leastUnits;
          const dollars = perUnit * trips * units;
          const cost = { dollars, trips, rank: scanRank, uses: [], late: false, outside: false };
          return [pattern.id, cost] as const;
        });
        const fetched = (this.fetched.get(draft) ?? []).map((pattern) => {
          const trips = rateOf(pattern);
          const dollars = perUnit * trips * leastUnits;
          const cost = { dollars, trips, rank: 0, uses: [], late: false, outside: false };
          return [pattern.id, cost] as const;
        });
        return [draft, [...found, ...fetched]] as const;
      }),
    );
  }

  /** The read units of a pattern that takes the index; nothing if whoever plans does not take it. */
  private plan(draft: IndexDraft, index: Index, pattern: Pattern): number | undefined {
    const facts = this.factsOf(index);
    // Where it is asked what an index costs elsewhere, it has to be read: the table is another one there.
    const plan = planOf(facts, pattern, this.isReference ? index : undefined);
    // A read that is impossible is so without the index, too.
    if (plan.problem !== undefined && (this.isReference || pattern.kind === "read"))
      return undefined;
    if (plan.problem !== undefined || !this.writesAlike(plan)) this.wrong.add(draft);
    const own = readsOf(plan);
    if (!own.some((one) => one.index === index)) return undefined;
    if (this.isReference && own.some(isLateFetch)) {
      this.fetched.set(draft, [...(this.fetched.get(draft) ?? []), pattern]);
      return undefined;
    }
    const id = JSON.stringify([draft.id, pattern.id]);
    this.plans.set(id, { ...plan, requests: own });
    this.reads.set(id, { draft, plan });
    return own.reduce((sum, one) => sum + readUnitsOf(facts, one).total, 0);
  }

  /** What it takes at least to read all of an index; also if it held all items. */
  private unitsOfAll(index: Index, isFull = false): number {
    let bytes = 0;
    for (const record of this.facts.records) {
      const membership = record.memberships.find((one) => one.index === index);
      if (record.table !== this.table || membership === undefined) continue;
      const share = isFull ? 1 : this.facts.shareIn(record.entity, membership).value;
      const size = this.facts.sizes.entry(record, membership)?.mean ?? 0;
      bytes += (this.facts.count(record)?.value ?? 0) * share * size;
    }
    return (bytes / 4_096) * 0.5;
  }

  costs(prices: RegionPrices, layout: Layout): ReadonlyMap<IndexDraft, AddedCost> {
    const { reads, wrong } = this;
    const plans = new Map<string, Plan>([...this.writes(), ...this.plans]);
    const names = [...reads].map(([id, { plan }]) => [id, plan.pattern.id] as const);
    const { lines, loads } = priced(this.cachedFor(names), prices, this.facts, plans);
    const grows = this.grows(lines);
    const local = this.localUpkeep(lines, layout);
    const byName = new Map(this.indexes.map(([draft]) => [draft.id, draft]));
    const found = new Map(
      this.indexes.map(([draft]) => [
        draft,
        {
          storage: 0,
          writes: new Map<string, number>(),
          reads: new Map<string, ReadCost>(),
          left: new Map<string, Left>(),
        },
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
      if (this.isReference) found.get(draft)?.left.set(plan.pattern.id, this.leftOf(plan, layout));
    }
    return new Map(
      [...found].flatMap(([draft, { storage, writes, reads: own, left }]) =>
        wrong.has(draft)
          ? []
          : [
              [
                draft,
                {
                  upkeep: local ?? { storage, writes },
                  ...(grows && { grows }),
                  reads: own,
                  left,
                },
              ],
            ],
      ),
    );
  }

  /** A local index is paid for by its table: what that costs more with it; nothing if there is none. */
  private localUpkeep(lines: readonly BillLine[], { tables }: Layout): Upkeep | undefined {
    const [[draft] = []] = this.indexes;
    if (draft?.document.local !== true) return undefined;
    const own = (all: readonly BillLine[]): Upkeep =>
      upkeepOf(all.filter(({ table, kind }) => tables.has(table) && kind !== "reads"));
    return upkeepDifference(own(lines), own(this.base.lines));
  }

  private leftOf(plan: Plan, layout: Layout): Left {
    let [total, small, bare] = [0, 0, 0];
    for (const request of readsIn(plan.requests, layout)) {
      const units = readUnitsOf(this.facts, request).total;
      total += units;
      if (request.index !== undefined) bare += units;
      else if (request.operation !== "Query" && request.operation !== "Scan") {
        small += Math.min(units, request.expected.calls * leastUnits);
      }
    }
    return total === 0
      ? { small: 0, bare: 0 }
      : { small: (bare + small) / total, bare: bare / total };
  }

  /** What the table's own items cost more with what all of these put on them; nothing if they put nothing there. */
  private grows(lines: readonly BillLine[]): Upkeep | undefined {
    if (this.indexes.every(([{ makes }]) => makes === undefined)) return undefined;
    const own = (all: readonly BillLine[]): Upkeep =>
      upkeepOf(
        all.filter(
          ({ table, index, kind }) =>
            table === this.table.name && index === undefined && kind !== "reads",
        ),
      );
    return upkeepDifference(own(lines), own(this.base.lines));
  }

  /** A cache that answers a pattern answers each of its reads, under whatever name that is priced. */
  private cachedFor(names: readonly (readonly [string, string])[]): Model {
    const { table, model } = this;
    const { dax } = table;
    if (dax === undefined) return model;
    const more = names.flatMap(([id, pattern]) => (dax.patterns.includes(pattern) ? [id] : []));
    const cached = { ...table, dax: { ...dax, patterns: [...dax.patterns, ...more] } };
    const design = model.design as Design;
    return {
      ...model,
      design: { ...design, tables: new Map([...design.tables, [table.name, cached]]) },
    };
  }

  /** The same for several patterns. */
  private factsOf(index: Index): Facts {
    const known = this.single.get(index) ?? this.withOnly(index);
    this.single.set(index, known);
    return known;
  }

  private withOnly(index: Index): Facts {
    const records = this.facts.records.map((record) => {
      if (record.table !== this.table) return record;
      const memberships = record.memberships.filter(
        (one) => one.index === index || this.before.has(one.index),
      );
      return { ...record, memberships };
    });
    return this.facts.of(this.model, records);
  }

  /** What patterns write, with the entries of all indexes; what they read on the way is counted elsewhere. */
  private writes(): readonly (readonly [string, Plan])[] {
    const own = new Map(
      this.facts.records.flatMap((one) => (one.table === this.table ? [[one.name, one]] : [])),
    );
    const before = this.base.model.design?.tables.get(this.table.name);
    return [...this.base.plans].flatMap(([id, plan]) => {
      if (plan.pattern.kind !== "write") return [];
      const requests = plan.requests.flatMap((request) => {
        if (request.kind === "read") return [];
        const actions = request.actions.map((action) => {
          const { table, name } = action.record;
          const record = table === before ? own.get(name) : undefined;
          return record === undefined ? action : { ...action, record };
        });
        return [{ ...request, actions }];
      });
      return [[id, { ...plan, requests }]];
    });
  }

  /** Whether as much is written as without the index. */
  private writesAlike(plan: Plan): boolean {
    const before = this.base.plans.get(plan.pattern.id);
    return before !== undefined && writtenBy(before) === writtenBy(plan);
  }
}

/** Whether a scan goes to the end: it need not where any few items will do. */
export function isWhole({ actions }: Pattern): boolean {
  return actions.every(({ limit, order }) => typeof limit !== "number" || order.length > 0);
}

function writtenBy({ requests }: Plan): string {
  const writes = requests.filter((one): one is WriteRequest => one.kind === "write");
  return JSON.stringify(
    writes.map(({ operation, actions }) => [
      operation,
      // The same number comes out a little different by another way.
      actions.map(({ kind, count, record }) => [kind, count.toPrecision(9), record.name]),
    ]),
  );
}

/** What a pattern reads without any index. */
export function unitsBefore({ plans, facts }: Priced, pattern: string): number {
  const plan = plans.get(pattern);
  if (plan === undefined) return 0;
  return readsOf(plan).reduce((sum, one) => sum + readUnitsOf(facts, one).total, 0);
}
