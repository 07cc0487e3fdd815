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
 * about, sort by and identify with, every projection, every set of up to four indexes. It knows nothing of how the
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

/** So many indexes are tried together, and one less where there are very many, for that takes long. */
const indexesMax = 4;
const manyIndexes = 120;

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
    const look = (set: readonly number[]): readonly number[] => {
      const indexes = set.flatMap((i) => used[i]?.index ?? []);
      const bill = this.bill(table, indexes);
      if (bill === undefined) return [];
      const wrong = [...bill.plans.values()].flatMap((plan, n) => (leavesOut(plan) ? [n] : []));
      if (wrong.length === 0 && bill.total < best.total) best = { total: bill.total, indexes };
      return wrong;
    };
    const most = (): number => best.total;
    // What may be cheapest comes first, and then most others need not be priced.
    const pairs: Bounded[] = [];
    bounds.visit(2, most, (set, least) => {
      pairs.push({ set, least });
      return [];
    });
    for (const { set, least } of pairs.sort((x, y) => x.least - y.least)) {
      if (least < best.total) look(set);
    }
    bounds.visit(used.length > manyIndexes ? indexesMax - 1 : indexesMax, most, look);
    return { total: best.total, table: withIndexes(table, best.indexes), tried: 0 };
  }

  private usedAlone(table: TableDocument, alone: Priced): readonly Tried[] {
    const plain = costsOf(alone);
    const others = marksIn(this.model);
    return indexesOf(this.model, table).flatMap((index) => {
      const bill = this.bill(table, [index]);
      if (bill === undefined) return [];
      const plans = [...bill.plans.values()];
      const through = costsOf(bill);
      const past = through.slice();
      for (const [i, plan] of plans.entries()) {
        if (!readsFirst(plan)) through[i] = Number.POSITIVE_INFINITY;
        else past[i] = plain[i] as number;
        // Who would read it rather than the table, and not find everything, has to find it in another index.
        if (leavesOut(plan)) through[i] = past[i] = Number.POSITIVE_INFINITY;
      }
      // Where others put something on the table's items, the table may be dearer than the index.
      for (const other of others) {
        const both = this.bill(table, [index, other]);
        if (both === undefined) continue;
        const costs = costsOf(both);
        for (const [i, plan] of [...both.plans.values()].entries()) {
          const isNew = through[i] === Number.POSITIVE_INFINITY && past[i] !== through[i];
          if (isNew && readsFirst(plan) && !leavesOut(plan)) through[i] = costs[i] as number;
        }
      }
      if (!plans.some(readsFirst) && !through.some(Number.isFinite)) return [];
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

/** By the place of a pattern. */
type Costs = Float64Array<ArrayBuffer>;

interface Tried {
  readonly index: IndexDocument;
  /** Nothing if somebody would not find everything. */
  readonly total: number | undefined;
  /** What entries cost other than to be read. */
  readonly upkeep: number;
  /** What the table's items cost more because of attributes that the index is found by: others may be, too. */
  readonly marks: number;
  /** What patterns cost that read the index, if it is the only one. */
  readonly through: Costs;
  /** What they cost at least if they do not, where the index is: such attributes make items larger. */
  readonly past: Costs;
}

/** Some of the indexes, by their places. */
interface Bounded {
  readonly set: readonly number[];
  /** It costs no less. */
  readonly least: number;
}

interface Together {
  readonly upkeep: number;
  readonly marks: number;
  readonly through: Costs;
  readonly past: Costs;
}

/** No set of indexes costs less than each pattern in the cheapest way and what all of them cost to keep. */
class Bounds {
  private readonly used: readonly Tried[];
  private readonly none: Together;
  /** What patterns cost at least that read one of the indexes from a place on. */
  private readonly from: readonly Costs[];

  constructor(alone: Priced, used: readonly Tried[]) {
    this.used = used;
    const past = costsOf(alone);
    const through = past.map(() => Number.POSITIVE_INFINITY);
    this.none = { upkeep: storageOf(alone) - 0.001, marks: 0, through, past };
    const from = [through];
    for (const one of used.toReversed()) from.unshift(lesser(from[0] as Costs, one.through));
    this.from = from;
  }

  /**
   * Goes through all sets of up to so many that may cost less than the most that anybody wants to pay. Patterns that are
   * told to read something wrong with a set do so with whatever is added, unless that is of use to them.
   */
  visit(size: number, most: () => number, look: Look): void {
    this.more([], this.none, size, most, look);
  }

  private more(
    set: readonly number[],
    before: Together,
    size: number,
    most: () => number,
    look: Look,
  ): void {
    for (let k = (set.at(-1) ?? -1) + 1; k < this.used.length; k += 1) {
      const one = this.used[k] as Tried;
      const upkeep = before.upkeep + one.upkeep;
      const marks = Math.max(before.marks, one.marks);
      // Others that come later may be there for nothing.
      const later = this.from[k + 1] as Costs;
      let least = upkeep + marks;
      let leastWithMore = least;
      for (let n = 0; n < later.length; n += 1) {
        const cost = Math.min(
          Math.min(before.through[n] as number, one.through[n] as number),
          Math.max(before.past[n] as number, one.past[n] as number),
        );
        least += cost;
        leastWithMore += Math.min(cost, later[n] as number);
      }
      if (leastWithMore >= most()) continue;
      const now = [...set, k];
      const through = lesser(before.through, one.through);
      const past = before.past.map((cost, n) => Math.max(cost, one.past[n] as number));
      const wrong = now.length > 1 && least < most() ? look(now, least) : [];
      for (const n of wrong) through[n] = past[n] = Number.POSITIVE_INFINITY;
      if (now.length < size) this.more(now, { upkeep, marks, through, past }, size, most, look);
    }
  }
}

/** Answers which patterns would read something wrong. */
type Look = (set: readonly number[], least: number) => readonly number[];

function lesser(a: Costs, b: Costs): Costs {
  return a.map((one, n) => Math.min(one, b[n] as number));
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
function costsOf(bill: Priced): Costs {
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

/** Whether a plan reads the first of the indexes that are tried. */
function readsFirst({ requests }: Plan): boolean {
  return requests.some((one) => one.kind === "read" && one.index?.name === "Index0");
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
    const [first = "", ...rest] = names;
    return [[first, ...rest.map(capital)].join(""), "S", names.map(text).join("#")];
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

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
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
    const words = rest.map((one) => `Or${capital(one)}`);
    const mark = `${first}${words.join("")}Thing`;
    return [{ mark, text: `{${attribute}}`, where: { [attribute]: { "one-of": [...some] } } }];
  });
  return [...found.values(), ...joined];
}

/** An index for each mark, which nobody is likely to read. */
function marksIn(model: Model): readonly IndexDocument[] {
  return raresOf(model).map(({ mark, text, where }) => ({
    key: { partition: ["id", mark] },
    projection: "all",
    sets: { Thing: { [mark]: text } },
    only: { Thing: where },
  }));
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
