import type { DesignDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import { readDesign } from "../../model/read-design.ts";
import { Reading } from "../../model/reading.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import type { BillLine } from "../cost/bill.ts";
import { type Priced, priced } from "../lint/bills.ts";
import type { RegionPrices } from "../prices/price.ts";
import type { StoredRecord } from "../records/record.ts";
import { keyBytesMax, type LongKey, longKeysOf } from "../sizes/key-limits.ts";
import { type Overflow, transactionOverflow } from "../units/transaction-limits.ts";
import { addedCosts, scannersOf } from "./added.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import type { AddedCost, Searched } from "./index-group.ts";
import { record } from "./layouts.ts";
import { type Need, needsOf } from "./needs.ts";
import type { Asking } from "./options.ts";
import {
  backgroundCost,
  type ReadCost,
  readCost,
  readsIn,
  type Upkeep,
  upkeepDifference,
  upkeepOf,
} from "./read-cost.ts";
import {
  type Apart,
  awayIn,
  heldBy,
  isKnown,
  keyText,
  leastCosts,
  membersOf,
  type Reference,
} from "./reference.ts";
import { atTheirBest, type User, usersIn } from "./users.ts";

/** A layout with some of its indexes. */
export interface Choice {
  readonly layout: Layout;
  readonly indexes: readonly IndexDraft[];
}

export interface LayoutCost {
  readonly upkeep: Upkeep;
  readonly reads: ReadonlyMap<string, ReadCost>;
  /** Patterns that cannot be carried out. */
  readonly problems: ReadonlyMap<string, string>;
  /** The design reads here by itself, which no pattern asks for. */
  readonly background: boolean;
  readonly bill: Priced;
}

export function designWith(choices: readonly Choice[]): DesignDocument {
  const tables: [string, TableDocument][] = choices.flatMap(({ layout, indexes }) =>
    [...layout.tables].map(([name, table]): [string, TableDocument] => {
      if (name !== layout.main || indexes.length === 0) return [name, table];
      const own = indexes.map(({ id, document }) => [id, document] as const);
      return [
        name,
        { ...table, indexes: record([...Object.entries(table.indexes ?? {}), ...own]) },
      ];
    }),
  );
  return { tables: record(tables) };
}

/** Prices choices by the same plans and prices that `keywright cost` uses. There is no second formula. */
export class Pricing {
  /** How many small designs were priced. */
  priced = 0;
  private readonly model: Model;
  private readonly prices: RegionPrices;
  private readonly needs: readonly Need[];
  private readonly known = new Map<string, LayoutCost | undefined>();
  private readonly reads = new Map<string, ReadCost | undefined>();
  private readonly addedBy = new Map<string, Map<string, AddedCost>>();
  private readonly searchedBy = new Map<string, Searched>();
  private readonly references = new Map<string, Reference>();

  constructor(model: Model, prices: RegionPrices, needs: readonly Need[] = needsOf(model)) {
    this.model = model;
    this.prices = prices;
    this.needs = needs;
  }

  /** The whole bill of a design for some patterns; nothing if the design cannot be read. */
  bill(design: DesignDocument, patterns: ReadonlySet<string>): Priced | undefined {
    const reading = new Reading();
    const { model } = this;
    const read = readDesign(reading, design, model.entities, model.patterns);
    if (reading.issues.length > 0) return undefined;
    const chosen = new Map([...model.patterns].filter(([id]) => patterns.has(id)));
    this.priced += 1;
    return priced({ ...model, patterns: chosen, design: read }, this.prices);
  }

  /** What one of several choices costs: the others are only there to be read from and written to. */
  cost(
    choice: Choice,
    others: readonly Choice[],
    patterns: ReadonlySet<string>,
  ): LayoutCost | undefined {
    const ids = choice.indexes.map(({ id }) => id);
    const key = JSON.stringify([layoutKey(choice.layout, others), ids]);
    if (!this.known.has(key)) this.known.set(key, this.workOut(choice, others, patterns));
    return this.known.get(key);
  }

  /** What a pattern reads with several indexes; the reads of one pattern cost the same whatever else is asked. */
  read(choice: Choice, others: readonly Choice[], pattern: string): ReadCost | undefined {
    const ids = [...choice.indexes.map(({ id }) => id), pattern];
    const key = JSON.stringify([layoutKey(choice.layout, others), ids]);
    const work = () => this.workOut(choice, others, new Set([pattern]))?.reads.get(pattern);
    if (!this.reads.has(key)) this.reads.set(key, work());
    return this.reads.get(key);
  }

  /** What each index adds to a layout that has none; nothing for those that cannot be had, or that nobody would read. */
  added(
    base: LayoutCost,
    layout: Layout,
    drafts: readonly IndexDraft[],
    others: readonly Choice[],
    patterns: readonly Pattern[],
  ): ReadonlyMap<IndexDraft, AddedCost> {
    const key = layoutKey(layout, others);
    const known = this.addedBy.get(key) ?? new Map<string, AddedCost>();
    this.addedBy.set(key, known);
    const { open } = this.openIn(base, patterns);
    const firm = drafts.filter((one) => isFirm(one) && !base.background && !known.has(one.id));
    this.priced += firm.length;
    const usersOf = usersIn(this.needs, base, layout, open);
    const users = new Map(firm.map((one) => [one, usersOf(one)] as const));
    for (const [{ id }, those] of users) if (those.length === 0) known.set(id, unread);
    const read = firm.filter(({ id }) => !known.has(id));
    const searched = this.searched(layout, others);
    for (const some of togetherIn(read)) {
      // Whether it pays to read everything is asked of indexes that hold all items.
      const isWhole = some.every(({ document: { only, local } }) => only === undefined && !local);
      const seen = isWhole ? searched : { least: new Map(searched.least), smallest: new Map() };
      const found = addedCosts(
        base,
        this.prices,
        layout,
        some,
        (one) => users.get(one) ?? [],
        seen,
      );
      for (const [{ id }, cost] of found) known.set(id, cost);
    }
    const ids = new Set(patterns.map(({ id }) => id));
    return new Map(
      drafts.flatMap((draft): readonly (readonly [IndexDraft, AddedCost])[] => {
        const added = known.get(draft.id);
        if (added !== undefined) return [[draft, added]];
        const cost = this.cost({ layout, indexes: [draft] }, others, ids);
        if (cost === undefined || cost.problems.size > 0) return [];
        return [[draft, addedBy(draft, cost, base)]];
      }),
    );
  }

  /** The patterns that may be better off with an index of which they know no key, as far as indexes were priced. */
  scanners(
    base: LayoutCost,
    layout: Layout,
    others: readonly Choice[],
    patterns: readonly Pattern[],
  ): ReadonlySet<string> {
    const own = this.needs.filter(({ entity }) => layout.entities.includes(entity));
    return scannersOf(base, this.searched(layout, others), own, patterns);
  }

  /** What indexes cost at least in layouts of one kind, of which this is one; nothing if that cannot be told. */
  reference(layout: Layout, { draftsFor, others, patterns }: Asking): Reference | undefined {
    const key = layoutKey(layout, others);
    const known = this.references.get(key);
    if (known !== undefined) return known;
    const ids = new Set(patterns.map(({ id }) => id));
    const base = this.cost({ layout, indexes: [] }, others, ids);
    if (base === undefined || base.background || base.problems.size > 0) return undefined;
    const { best, all } = this.openIn(base, patterns);
    const searched: Searched = { least: new Map(), smallest: new Map() };
    const costs = new Map<string, readonly [IndexDraft, AddedCost]>();
    const lost = new Set<string>();
    const users = new Map<IndexDraft, readonly User[]>();
    const everybody = usersIn(this.needs, base, layout, all, true);
    const usersOf = (one: IndexDraft): readonly User[] => {
      const found =
        users.get(one) ??
        everybody(one).filter(
          ({ pattern, scans }) =>
            (scans || !best.has(pattern.id)) && one.readers?.has(pattern.id) !== false,
        );
      users.set(one, found);
      return found;
    };
    const price = (drafts: readonly IndexDraft[]): void => {
      const some = drafts.filter((one) => isKnown(one) && !costs.has(one.id));
      this.priced += some.length;
      for (const [made, those] of byMade(some)) {
        // Whether it pays to read everything is asked of indexes that hold all items.
        const seen = made === undefined ? searched : { ...searched, smallest: new Map() };
        const found = addedCosts(base, this.prices, layout, those, usersOf, seen, true);
        for (const [draft, cost] of found) costs.set(draft.id, [draft, cost]);
        for (const draft of those) if (!found.has(draft)) lost.add(keyText(draft));
      }
    };
    price(draftsFor(new Set()));
    const own = this.needs.filter(({ entity }) => layout.entities.includes(entity));
    const scanners = scannersOf(base, searched, own, patterns);
    if (scanners.size > 0) price(draftsFor(scanners));
    // What is not known of one index is not known of those that hold more or less.
    const byKey = new Map(
      [...membersOf(new Map(costs.values()))].filter(([text]) => !lost.has(text)),
    );
    const made = { layout, reads: base.reads, best, scanners, byKey };
    this.references.set(key, made);
    return made;
  }

  /** What indexes cost at least in a layout of the same kind; nothing of those of which it is not known. */
  least(
    reference: Reference,
    base: LayoutCost,
    layout: Layout,
    drafts: readonly IndexDraft[],
    patterns: readonly Pattern[],
    /** Rather what they cost than what they cost at least, where a part of the items lies apart. */
    isLikely = false,
  ): ReadonlyMap<IndexDraft, AddedCost> {
    const { open } = this.openIn(base, patterns);
    // Who is at its best there, and not here, could read an index here.
    const best = open.filter(({ id }) => reference.best.has(id));
    const usersOf = usersIn(this.needs, base, layout, best);
    const findersOf = (draft: IndexDraft): readonly Pattern[] =>
      best.length === 0
        ? []
        : usersOf(draft).flatMap(({ scans, pattern }) => (scans ? [] : [pattern]));
    const isApart = reference.layout.idea !== layout.idea;
    const apart = isApart ? { ...this.apart(base, layout, open), isLikely } : undefined;
    return leastCosts(reference, layout, drafts, findersOf, apart);
  }

  private apart(
    base: LayoutCost,
    layout: Layout,
    open: readonly Pattern[],
  ): Omit<Apart, "isLikely"> {
    const away = awayIn(layout);
    const wishes = new Map<string, Set<string>>();
    for (const { pattern, entity, asked, order, returns } of this.needs) {
      if (!layout.entities.includes(entity)) continue;
      const known = wishes.get(pattern) ?? new Set<string>();
      wishes.set(pattern, known);
      const names = [...asked, ...order.map(({ attribute }) => attribute), ...returns];
      for (const name of names) known.add(name);
    }
    const usersOf = usersIn(this.needs, base, layout, open);
    return {
      heldBy: (draft) => {
        const { attributes } = this.model.entities.get(draft.entity) as Entity;
        return (heldBy(draft) ?? [...attributes.keys()]).filter((name) => !away.includes(name));
      },
      wishesFor: (draft) =>
        usersOf(draft).map(({ pattern: { id }, scans }) => {
          const wanted = [...(wishes.get(id) ?? [])];
          return {
            pattern: id,
            wanted,
            away: wanted.filter((name) => away.includes(name)),
            scans,
          };
        }),
    };
  }

  /** Patterns that no index can serve better than the table alone, and all others, at the rates that prices are for. */
  private openIn({ bill }: LayoutCost, patterns: readonly Pattern[]) {
    const best = atTheirBest(bill);
    // At the rates that these prices are for, whatever the caller tries out.
    const all = patterns.flatMap(({ id }) => this.model.patterns.get(id) ?? []);
    return { best, all, open: all.filter(({ id }) => !best.has(id)) };
  }

  private searched(layout: Layout, others: readonly Choice[]): Searched {
    const key = layoutKey(layout, others);
    const known = this.searchedBy.get(key) ?? { least: new Map(), smallest: new Map() };
    this.searchedBy.set(key, known);
    return known;
  }

  private workOut(
    { layout, indexes }: Choice,
    others: readonly Choice[],
    patterns: ReadonlySet<string>,
  ): LayoutCost | undefined {
    const bill = this.bill(designWith([{ layout, indexes }, ...others]), patterns);
    if (bill === undefined) return undefined;
    const own = bill.lines.filter(({ table }) => layout.tables.has(table));
    const kept = own.filter(({ kind }) => kind !== "reads");
    const { writes: readDollars } = upkeepOf(own.filter(({ kind }) => kind === "reads"));
    const reads = new Map<string, ReadCost>();
    const problems = new Map<string, string>();
    for (const [id, plan] of bill.plans) {
      if (plan.problem !== undefined) problems.set(id, plan.problem);
      for (const request of plan.requests) {
        const over = transactionOverflow(bill.facts, request);
        if (over !== undefined) problems.set(id, overflowText(over));
      }
      reads.set(id, readCost(plan, layout, bill.loads.loads, readDollars.get(id) ?? 0));
    }
    const records = bill.facts.records.filter(({ table }) => layout.tables.has(table.name));
    for (const record of records) {
      const [long] = longKeysOf(record);
      if (long !== undefined) problems.set("", longKeyText(record, long));
    }
    let background = false;
    for (const one of bill.loads.background) {
      if (one.problem !== undefined) problems.set(one.name, one.problem);
      if (readsIn(one.requests, layout).length === 0) continue;
      background = true;
      reads.set(one.name, backgroundCost(one, layout, readDollarsOf(own, one.name)));
    }
    return { upkeep: upkeepOf(kept), reads, problems, background, bill };
  }
}

/** Why a transaction cannot be sent, as the end of a sentence. */
function overflowText({ what, amount, most }: Overflow): string {
  const cure = "change fewer items in one request, or accept that they change one after the other";
  return `its transaction has ${Math.round(amount).toLocaleString("en-US")} ${what}, and DynamoDB takes ${most.toLocaleString("en-US")}: ${cure}`;
}

/** Why a key cannot be had, as the end of a sentence. */
function longKeyText({ name }: StoredRecord, { role, bytes }: LongKey): string {
  const most = keyBytesMax[role].toLocaleString("en-US");
  return `the ${role} key of ${name} can have ${bytes.toLocaleString("en-US")} bytes, and DynamoDB takes ${most}: state a smaller \`bytes\`, or use a hash or another short value instead`;
}

/** What an index adds to a layout, from what both cost together. */
function addedBy(draft: IndexDraft, cost: LayoutCost, base: LayoutCost): AddedCost {
  const reads = [...cost.reads].filter(([, { uses }]) => uses.includes(draft.id));
  const all = upkeepDifference(cost.upkeep, base.upkeep);
  const own = draft.makes === undefined ? all : upkeepOf(cost.bill.lines.filter(isOf(draft)));
  return { upkeep: own, grows: upkeepDifference(all, own), reads: new Map(reads) };
}

/** Indexes that can be priced at once. */
function togetherIn(drafts: readonly IndexDraft[]): readonly (readonly IndexDraft[])[] {
  const isLocal = ({ document }: IndexDraft): boolean => document.local === true;
  const global = drafts.filter((one) => !isLocal(one));
  return [...byMade(global).values(), ...drafts.filter(isLocal).map((one) => [one])];
}

/** Indexes that put the same on the table's items. */
function byMade(
  drafts: readonly IndexDraft[],
): ReadonlyMap<string | undefined, readonly IndexDraft[]> {
  const found = new Map<string | undefined, IndexDraft[]>();
  for (const draft of drafts) {
    const known = found.get(draft.makes);
    if (known === undefined) found.set(draft.makes, [draft]);
    else known.push(draft);
  }
  return found;
}

/** What nobody would read is not priced. */
const unread: AddedCost = { upkeep: { storage: 0, writes: new Map() }, reads: new Map() };

/** Lines of what an index is by itself, without what it puts on the items of the table. */
function isOf({ id }: IndexDraft): (line: BillLine) => boolean {
  return ({ index, kind }) => index === id && kind !== "reads";
}

/** What work that the design does by itself reads; lines begin with who makes the requests. */
function readDollarsOf(lines: readonly BillLine[], name: string): number {
  return lines
    .filter(
      ({ kind, pattern, how }) =>
        kind === "reads" && pattern === undefined && how().startsWith(`${name}: `),
    )
    .reduce((sum, { dollars }) => sum + dollars.average, 0);
}

/**
 * What is made for an index makes the items larger, for everybody, and what it is made of may change: such indexes are
 * priced one by one, except for marks that always hold the same.
 */
function isFirm({ document: { sets = {} } }: IndexDraft): boolean {
  const texts = Object.values(sets).flatMap((own) => Object.values(own));
  return !texts.some((text) => text.includes("{"));
}

function layoutKey({ id }: Layout, others: readonly Choice[]): string {
  return JSON.stringify([id, ...others.map(({ layout }) => layout.id)]);
}
