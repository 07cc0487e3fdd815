import type { IndexDocument, TableDocument } from "../../src/model/document-design.ts";
import type { WhereDocument } from "../../src/model/document-parts.ts";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { readDesign } from "../../src/model/read-design.ts";
import { Reading } from "../../src/model/reading.ts";
import type { Predicate } from "../../src/model/requirements.ts";
import type { BillLine } from "../../src/modeller/cost/bill.ts";
import { months } from "../../src/modeller/cost/month.ts";
import { costOf } from "../../src/modeller/cost/report.ts";
import { type Priced, priced } from "../../src/modeller/lint/bills.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { defaultRegion, pricesOf } from "../../src/modeller/prices/book.ts";

/**
 * The cheapest design of one entity by trying all there are: every order of key attributes over what patterns ask
 * about, sort by and identify with, every projection, every set of up to three indexes. It knows nothing of how the
 * designer thinks; an index that no plan reads when it is alone is left out, because the table is always there. One that
 * somebody would read who does not find everything in it is no design by itself, and may be a part of one.
 */
export interface Cheapest {
  readonly total: number;
  readonly table: TableDocument;
  readonly tried: number;
}

export function cheapestOf(document: ModelDocument): Cheapest {
  const { model, complaints } = modelFrom(document);
  if (model === undefined) throw new Error(JSON.stringify(complaints));
  const search = new Search(model);
  let best: Cheapest | undefined;
  for (const table of tableKeys(model)) {
    const found = search.best(table);
    if (found !== undefined && (best === undefined || found.total < best.total)) best = found;
  }
  if (best === undefined) throw new Error("no design can be read");
  // What counts is the price of a whole document.
  const whole = modelFrom({ ...document, design: { tables: { Things: best.table } } });
  const { report } = costOf(whole.model as Model, { region: undefined, month: months["730h"] });
  return { ...best, total: report?.total.average ?? Number.NaN, tried: search.tried };
}

class Search {
  tried = 0;
  private readonly model: Model;

  constructor(model: Model) {
    this.model = model;
  }

  best(table: TableDocument): Cheapest | undefined {
    const alone = this.price(table, []);
    if (alone === undefined) return undefined;
    const used = this.usedAlone(table, alone);
    let best = { total: alone.total, indexes: [] as readonly IndexDocument[] };
    for (const { total, index } of used) {
      if (total !== undefined && total < best.total) best = { total, indexes: [index] };
    }
    const bounds = new Bounds(alone, used);
    const consider = (set: readonly number[]): void => {
      const indexes = set.flatMap((i) => used[i]?.index ?? []);
      const total = this.price(table, indexes)?.total;
      if (total !== undefined && total < best.total) best = { total, indexes };
    };
    const pairs = [...bounds.pairs(best.total)];
    // What may be cheapest comes first, and then most others need not be priced.
    for (const { least, set } of pairs.sort((a, b) => a.least - b.least)) {
      if (least < best.total) consider(set);
    }
    for (const { leastWithAny, set } of pairs) {
      if (leastWithAny >= best.total) continue;
      for (const three of bounds.triplesOf(set, () => best.total)) consider(three);
    }
    return { total: best.total, table: withIndexes(table, best.indexes), tried: 0 };
  }

  private usedAlone(table: TableDocument, alone: Priced): readonly Tried[] {
    const plain = costsOf(alone);
    return indexesOf(this.model, table).flatMap((index) => {
      const bill = this.bill(table, [index]);
      if (bill === undefined || !isRead(bill)) return [];
      const plans = [...bill.plans.values()];
      const through = costsOf(bill);
      const past = through.slice();
      for (const [i, plan] of plans.entries()) {
        if (!readsIndex(plan)) through[i] = Number.POSITIVE_INFINITY;
        else past[i] = plain[i] as number;
        // Who would read it rather than the table, and not find everything, has to find it in another index.
        if (leavesOut(plan)) through[i] = past[i] = Number.POSITIVE_INFINITY;
      }
      return {
        index,
        total: isRight(bill) ? bill.total : undefined,
        upkeep: upkeepOf(bill),
        marks: storageOf(bill) - storageOf(alone),
        through,
        past,
      };
    });
  }

  private price(table: TableDocument, indexes: readonly IndexDocument[]): Priced | undefined {
    const bill = this.bill(table, indexes);
    return bill && isRight(bill) ? bill : undefined;
  }

  /** Nothing if some pattern cannot be carried out. */
  private bill(table: TableDocument, indexes: readonly IndexDocument[]): Priced | undefined {
    this.tried += 1;
    const reading = new Reading();
    const document = { tables: { Things: withIndexes(table, indexes) } };
    const design = readDesign(reading, document, this.model.entities, this.model.patterns);
    const prices = pricesOf(this.model.overview.region ?? defaultRegion);
    if (reading.issues.length > 0 || prices === undefined) return undefined;
    const bill = priced({ ...this.model, design }, prices);
    return [...bill.plans.values()].some(({ problem }) => problem !== undefined) ? undefined : bill;
  }
}

function isRight({ plans }: Priced): boolean {
  return ![...plans.values()].some(leavesOut);
}

/** A plan may read an index that lacks some of what can be asked for, if a user says that nobody does; here somebody does. */
function leavesOut({ requests, pattern }: Plan): boolean {
  const asked = pattern.actions.flatMap(({ where }) => where.map((one) => JSON.stringify(one)));
  return requests.some((request) => {
    if (request.kind !== "read") return false;
    const [member] = request.index?.members.values() ?? [];
    return (
      member?.only?.some((one) => !asked.includes(JSON.stringify(one)) && !isOneOf(pattern, one)) ??
      false
    );
  });
}

/** Whether a pattern asks for one of the values that entries have. */
function isOneOf({ actions }: Plan["pattern"], { attribute, operands }: Predicate): boolean {
  const held = operands.map((one) => JSON.stringify(one));
  return actions.every(({ where }) =>
    where.some(
      (one) =>
        one.attribute === attribute &&
        one.operator === "equals" &&
        one.operands.every((operand) => held.includes(JSON.stringify(operand))),
    ),
  );
}

interface Tried {
  readonly index: IndexDocument;
  /** Nothing if somebody would not find everything. */
  readonly total: number | undefined;
  /** What entries cost other than to be read. */
  readonly upkeep: number;
  /** What the table's items cost more because of attributes that the index is found by: others may be, too. */
  readonly marks: number;
  /** What patterns cost that read the index, if it is the only one. */
  readonly through: Float64Array;
  /** What they cost at least if they do not, where the index is: such attributes make items larger. */
  readonly past: Float64Array;
}

interface Pair {
  readonly set: readonly [number, number];
  readonly least: number;
  /** With any third index besides, if that were there for nothing. */
  readonly leastWithAny: number;
}

/** No set of indexes costs less than each pattern in the cheapest way and what all of them cost to keep. */
class Bounds {
  private readonly used: readonly Tried[];
  private readonly base: number;
  /** What patterns cost at least, with all of them. */
  private readonly any: number;

  constructor(alone: Priced, used: readonly Tried[]) {
    this.used = used;
    this.base = storageOf(alone) - 0.001;
    this.any = leastCosts(
      costsOf(alone),
      used.map(({ through }) => through),
    );
  }

  /** Those that may be cheaper than something, alone or with a third. */
  *pairs(most: number): Iterable<Pair> {
    for (const [i, a] of this.used.entries()) {
      if (this.base + a.upkeep + a.marks + this.any >= most) continue;
      for (let j = i + 1; j < this.used.length; j += 1) {
        const b = this.used[j] as Tried;
        const upkeep = this.base + a.upkeep + b.upkeep + Math.max(a.marks, b.marks);
        const leastWithAny = upkeep + this.any;
        if (leastWithAny >= most) continue;
        const costs = leastCosts(greater(a.past, b.past), [a.through, b.through]);
        yield { set: [i, j], least: upkeep + costs, leastWithAny };
      }
    }
  }

  *triplesOf([i, j]: Pair["set"], most: () => number): Iterable<readonly number[]> {
    const [a, b] = [this.used[i] as Tried, this.used[j] as Tried];
    const upkeep = this.base + a.upkeep + b.upkeep;
    const past = greater(a.past, b.past);
    const through = a.through.map((cost, n) => Math.min(cost, b.through[n] as number));
    for (let k = j + 1; k < this.used.length; k += 1) {
      const c = this.used[k] as Tried;
      let least = upkeep + c.upkeep + Math.max(a.marks, b.marks, c.marks);
      for (let n = 0; n < past.length; n += 1) {
        least += Math.min(
          Math.max(past[n] as number, c.past[n] as number),
          through[n] as number,
          c.through[n] as number,
        );
      }
      if (least < most()) yield [i, j, k];
    }
  }
}

function leastCosts(past: Float64Array, through: readonly Float64Array[]): number {
  return past.reduce(
    (sum, cost, n) => sum + through.reduce((least, one) => Math.min(least, one[n] ?? least), cost),
    0,
  );
}

function greater(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((one, n) => Math.max(one, b[n] as number));
}

/** What entries of indexes cost other than to be read. */
function upkeepOf(bill: Priced): number {
  return dollarsOf(bill, ({ kind, index }) => kind !== "reads" && index !== undefined);
}

/** What the table costs though nobody does anything. */
function storageOf(bill: Priced): number {
  return dollarsOf(bill, ({ index, pattern }) => index === undefined && pattern === undefined);
}

/** What each pattern costs, but for what it changes in indexes. */
function costsOf(bill: Priced): Float64Array {
  return Float64Array.from(bill.plans.keys(), (id) =>
    dollarsOf(
      bill,
      ({ kind, index, pattern }) => pattern === id && (kind === "reads" || index === undefined),
    ),
  );
}

function dollarsOf({ lines }: Priced, of: (line: BillLine) => boolean): number {
  return lines.filter(of).reduce((sum, line) => sum + line.dollars.average, 0);
}

function withIndexes(table: TableDocument, indexes: readonly IndexDocument[]): TableDocument {
  if (indexes.length === 0) return table;
  return {
    ...table,
    indexes: Object.fromEntries(indexes.map((index, i) => [`Index${i}`, index])),
  };
}

function isRead({ plans }: Priced): boolean {
  return [...plans.values()].some(readsIndex);
}

function readsIndex({ requests }: Plan): boolean {
  return requests.some((one) => one.kind === "read" && one.index !== undefined);
}

/** What patterns ask about and sort by, and the id. */
function keyNames(model: Model): readonly string[] {
  const names = new Set<string>(["id"]);
  for (const { actions } of model.patterns.values()) {
    for (const { where, order } of actions) {
      for (const { attribute } of [...where, ...order]) names.add(attribute);
    }
  }
  return [...names];
}

/** All orders of all subsets. */
function arrangements(names: readonly string[]): readonly (readonly string[])[] {
  return [
    [],
    ...names.flatMap((name) =>
      arrangements(names.filter((one) => one !== name)).map((rest) => [name, ...rest]),
    ),
  ];
}

function subsetsOf(names: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: 2 ** names.length }, (_, set) =>
    names.filter((_name, i) => (set >> i) & 1),
  );
}

/** Keys with the id in them that stay as they are; only the id alone can tell that nothing was there before. */
function tableKeys(model: Model): readonly TableDocument[] {
  const thing = model.entities.get("Thing");
  if (thing === undefined) return [];
  const asksForAbsence = [...model.patterns.values()].some(({ actions }) =>
    actions.some(({ condition }) => condition?.kind === "absent"),
  );
  const firm = keyNames(model).filter((name) => {
    const attribute = thing.attributes.get(name);
    return name === "id" || (attribute?.mutable === false && attribute.present.value === 1);
  });
  const text = (name: string): string => {
    const { type, digits } = thing.attributes.get(name) ?? {};
    return type === "N" ? `{${name}|pad:${digits}}` : `{${name}}`;
  };
  const side = (names: readonly string[]): [string, string, string] => {
    const [only = "", more] = names;
    const type = thing.attributes.get(only)?.type ?? "S";
    if (more === undefined) return [only, type, `{${only}}`];
    return [names.join("_"), "S", names.map(text).join("#")];
  };
  const tables: TableDocument[] = [];
  for (const all of arrangements(firm)) {
    if (!all.includes("id") || (asksForAbsence && all.length > 1)) continue;
    for (let cut = 1; cut <= all.length; cut += 1) {
      const lists = [all.slice(0, cut), all.slice(cut)].filter(({ length }) => length > 0);
      // An owner may have the separator in its name, so nothing can follow it in a text.
      if (lists.some((list) => list.slice(0, -1).includes("owner"))) continue;
      const sides = lists.map(side);
      tables.push({
        key: Object.fromEntries(sides.map(([name, type]) => [name, type])),
        entities: {
          Thing: { key: Object.fromEntries(sides.map(([name, , made]) => [name, made])) },
        },
      } as TableDocument);
    }
  }
  return tables;
}

interface Rare {
  readonly mark: string;
  readonly text: string;
  readonly where: WhereDocument;
}

/** What patterns ask for by constants, and all of it together: then the mark holds the value. */
function raresOf(model: Model): readonly Rare[] {
  const found = new Map<string, Rare>();
  const values = new Map<string, Set<string | number | boolean>>();
  for (const { actions } of model.patterns.values()) {
    for (const { attribute, operator, operands } of actions.flatMap(({ where }) => where)) {
      const [value] = operands;
      if (operator !== "equals" || value?.kind !== "constant") continue;
      const where = { [attribute]: { equals: value.value } };
      // A name is paid for, too.
      found.set(String(value.value), { mark: `${value.value}Thing`, text: "1", where });
      values.set(attribute, (values.get(attribute) ?? new Set()).add(value.value));
    }
  }
  const joined = [...values].flatMap(([attribute, some]): readonly Rare[] => {
    if (some.size < 2) return [];
    const [first, ...rest] = [...some].map(String);
    const words = rest.map((one) => `Or${one.slice(0, 1).toUpperCase()}${one.slice(1)}`);
    const mark = `${first}${words.join("")}Thing`;
    return [{ mark, text: `{${attribute}}`, where: { [attribute]: { "one-of": [...some] } } }];
  });
  return [...found.values(), ...joined];
}

function indexesOf(model: Model, table: TableDocument): readonly IndexDocument[] {
  const names = keyNames(model);
  const keys: IndexDocument["key"][] = [];
  for (const partition of subsetsOf(names)) {
    if (partition.length === 0) continue;
    for (const sort of arrangements(names.filter((name) => !partition.includes(name)))) {
      keys.push({ partition, ...(sort.length > 0 && { sort }) });
    }
  }
  const inTable = Object.keys(table.key);
  const all = [...(model.entities.get("Thing")?.attributes.keys() ?? [])];
  const held = (key: IndexDocument["key"]): readonly IndexDocument["projection"][] => {
    const used = new Set([key.partition ?? [], key.sort ?? [], inTable].flat());
    const rest = all.filter((name) => !used.has(name));
    // By name: what is made for another index is no part of it.
    return subsetsOf(rest).map((set) => (set.length === 0 ? "keys" : set));
  };
  const globals = keys.flatMap((key) =>
    held(key).map((projection): IndexDocument => ({ key, ...(projection && { projection }) })),
  );
  // A key attribute of its own that only items with certain values have.
  const rare = raresOf(model).flatMap(({ mark, text, where }) => {
    const more = { sets: { Thing: { [mark]: text } }, only: { Thing: where } };
    const plain = [{ partition: [] as readonly string[] }, ...keys];
    return plain.flatMap(({ partition = [], ...rest }) => {
      const key = { ...rest, partition: [...partition, mark] };
      if (key.partition.length > 4) return [];
      const sorts = partition.length > 0 ? [rest] : arrangements(names).map((sort) => ({ sort }));
      // A mark under another name does not stand for the attribute that it holds.
      const isWhole = (projection: IndexDocument["projection"]): boolean =>
        text === "1" || Object.keys(where).every((name) => projection?.includes(name));
      return sorts.flatMap(({ sort = [] }) =>
        held({ partition, sort })
          .filter(isWhole)
          .map(
            (projection): IndexDocument => ({
              key: { partition: key.partition, ...(sort.length > 0 && { sort }) },
              ...(projection && { projection }),
              ...more,
            }),
          ),
      );
    });
  });
  globals.push(...rare);
  if (inTable.length < 2) return globals;
  const locals = names
    .filter((name) => !inTable.includes(name))
    .flatMap((sort) =>
      held({ sort }).map(
        (projection): IndexDocument => ({
          key: { sort },
          local: true,
          ...(projection && { projection }),
        }),
      ),
    );
  return [...globals, ...locals];
}
