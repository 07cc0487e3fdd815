import type { DesignDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import { readDesign } from "../../model/read-design.ts";
import { Reading } from "../../model/reading.ts";
import { type Priced, priced } from "../lint/bills.ts";
import type { ReadRequest } from "../plans/plan.ts";
import type { RegionPrices } from "../prices/price.ts";
import type { IndexDraft, Layout } from "./drafts.ts";
import { record } from "./layouts.ts";

/** A layout with some of its indexes. */
export interface Choice {
  readonly layout: Layout;
  readonly indexes: readonly IndexDraft[];
}

/** What a pattern's reads cost in the tables of one layout. */
export interface ReadCost {
  readonly dollars: number;
  readonly trips: number;
  /** Whoever plans prefers what is sorted by a key to what the caller sorts, and both to a scan. */
  readonly rank: number;
  /** The indexes that it reads. */
  readonly uses: readonly string[];
}

/** What tables and indexes cost by being there, in dollars a month. */
export interface Upkeep {
  readonly storage: number;
  /** By the pattern that writes. */
  readonly writes: ReadonlyMap<string, number>;
}

export function upkeepSum({ storage, writes }: Upkeep): number {
  return [...writes.values()].reduce((sum, one) => sum + one, storage);
}

export function upkeepDifference(a: Upkeep, b: Upkeep): Upkeep {
  return {
    storage: a.storage - b.storage,
    writes: new Map([...a.writes].map(([id, one]) => [id, one - (b.writes.get(id) ?? 0)])),
  };
}

export interface LayoutCost {
  readonly upkeep: Upkeep;
  readonly reads: ReadonlyMap<string, ReadCost>;
  /** Patterns that cannot be carried out. */
  readonly problems: ReadonlyMap<string, string>;
}

export function designWith(choices: readonly Choice[]): DesignDocument {
  const tables: [string, TableDocument][] = choices.flatMap(({ layout, indexes }) =>
    [...layout.tables].map(([name, table]): [string, TableDocument] => {
      if (name !== layout.main || indexes.length === 0) return [name, table];
      const own = record(indexes.map(({ id, document }) => [id, document] as const));
      return [name, { ...table, indexes: own }];
    }),
  );
  return { tables: record(tables) };
}

/** Prices choices by the same plans and prices that `keywright cost` uses. There is no second formula. */
export class Pricing {
  private readonly model: Model;
  private readonly prices: RegionPrices;
  private readonly known = new Map<string, LayoutCost | undefined>();

  constructor(model: Model, prices: RegionPrices) {
    this.model = model;
    this.prices = prices;
  }

  /** The whole bill of a design for some patterns; nothing if the design cannot be read. */
  bill(design: DesignDocument, patterns: ReadonlySet<string>): Priced | undefined {
    const reading = new Reading();
    const { model } = this;
    const read = readDesign(reading, design, model.entities, model.patterns);
    if (reading.issues.length > 0) return undefined;
    const chosen = new Map([...model.patterns].filter(([id]) => patterns.has(id)));
    return priced({ ...model, patterns: chosen, design: read }, this.prices);
  }

  /** What one of several choices costs: the others are only there to be read from and written to. */
  cost(
    choice: Choice,
    others: readonly Choice[],
    patterns: ReadonlySet<string>,
  ): LayoutCost | undefined {
    const key = JSON.stringify([
      choice.layout.id,
      choice.indexes.map(({ id }) => id),
      others.map(({ layout }) => layout.id),
    ]);
    if (!this.known.has(key)) this.known.set(key, this.workOut(choice, others, patterns));
    return this.known.get(key);
  }

  private workOut(
    { layout, indexes }: Choice,
    others: readonly Choice[],
    patterns: ReadonlySet<string>,
  ): LayoutCost | undefined {
    const bill = this.bill(designWith([{ layout, indexes }, ...others]), patterns);
    if (bill === undefined) return undefined;
    const own = bill.lines.filter(({ table }) => layout.tables.has(table));
    let storage = 0;
    const writes = new Map<string, number>();
    for (const { kind, pattern, dollars } of own) {
      if (kind === "reads") continue;
      if (pattern === undefined) storage += dollars.average;
      else writes.set(pattern, (writes.get(pattern) ?? 0) + dollars.average);
    }
    const reads = new Map<string, ReadCost>();
    const problems = new Map<string, string>();
    for (const [id, { requests, problem, pattern }] of bill.plans) {
      if (problem !== undefined) problems.set(id, problem);
      const here = requests.filter(
        (one): one is ReadRequest => one.kind === "read" && layout.tables.has(one.table.name),
      );
      const dollars = own
        .filter((line) => line.kind === "reads" && line.pattern === id)
        .reduce((sum, line) => sum + line.dollars.average, 0);
      reads.set(id, {
        dollars,
        trips: (here.length + rankOf(here) * sortingTrips) * (pattern.rps.average?.value ?? 0),
        rank: rankOf(here),
        uses: here.flatMap(({ index }) => (index === undefined ? [] : [index.name])),
      });
    }
    return { upkeep: { storage, writes }, reads, problems };
  }
}

/** Sorting what was read is work for the caller; it counts as a part of a round trip. */
const sortingTrips = 0.01;

function rankOf(requests: readonly ReadRequest[]): number {
  if (requests.some(({ operation }) => operation === "Scan")) return 2;
  return requests.some(({ sortsInClient }) => sortsInClient) ? 1 : 0;
}
