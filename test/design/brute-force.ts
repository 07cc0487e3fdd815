import type { IndexDocument, TableDocument } from "../../src/model/document-design.ts";
import type { WhereDocument } from "../../src/model/document-parts.ts";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { readDesign } from "../../src/model/read-design.ts";
import { Reading } from "../../src/model/reading.ts";
import type { Predicate } from "../../src/model/requirements.ts";
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

/** Of more than so many indexes no sets of three are tried, for that takes long; the long run takes that long. */
const triplesMax = process.env.KEYWRIGHT_LONG === undefined ? 150 : 400;

class Search {
  tried = 0;
  private readonly model: Model;

  constructor(model: Model) {
    this.model = model;
  }

  best(table: TableDocument): Cheapest | undefined {
    const alone = this.price(table, []);
    if (alone === undefined) return undefined;
    const used: Tried[] = [];
    for (const index of indexesOf(this.model, table)) {
      const with1 = this.bill(table, [index]);
      if (with1 === undefined || !isRead(with1)) continue;
      const upkeep = dollars(with1) - dollars(alone);
      const total = isRight(with1) ? with1.total : undefined;
      // Who would not find everything in it reads something else in any design that is right.
      const reads = new Map(readsOf(with1));
      for (const [id, plan] of with1.plans) {
        if (leavesOut(plan)) reads.set(id, Number.POSITIVE_INFINITY);
      }
      used.push({ index, total, upkeep, reads });
    }
    let best = { total: alone.total, indexes: [] as readonly IndexDocument[] };
    const consider = (tried: readonly Tried[]): void => {
      if (tried.length > 1 && this.leastOf(alone, tried) >= best.total) return;
      const indexes = tried.map(({ index }) => index);
      const [only] = tried;
      const total = tried.length === 1 ? only?.total : this.price(table, indexes)?.total;
      if (total !== undefined && total < best.total) best = { total, indexes };
    };
    for (const a of used) consider([a]);
    // With whatever else, a set costs no less than if all others were there for nothing.
    const free: Tried = {
      index: {} as IndexDocument,
      total: undefined,
      upkeep: 0,
      reads: leastReads(used),
    };
    const isHopeless = (...tried: readonly Tried[]): boolean =>
      this.leastOf(alone, [...tried, free]) >= best.total;
    for (const [i, a] of used.entries()) {
      if (isHopeless(a)) continue;
      for (const [j, b] of used.slice(i + 1).entries()) {
        if (isHopeless(a, b)) continue;
        consider([a, b]);
        if (used.length > triplesMax) continue;
        for (const c of used.slice(i + j + 2)) consider([a, b, c]);
      }
    }
    return { total: best.total, table: withIndexes(table, best.indexes), tried: 0 };
  }

  /** No set of indexes costs less than each pattern's cheapest read and what all of them cost to keep. */
  private leastOf(alone: Priced, tried: readonly Tried[]): number {
    const plain = readsOf(alone);
    let least = tried.reduce((sum, { upkeep }) => sum + upkeep, dollars(alone)) - 0.001;
    for (const [id, cost] of plain) {
      least += Math.min(cost, ...tried.map(({ reads }) => reads.get(id) ?? 0));
    }
    return least;
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

/** What each pattern reads for at least, with any of some indexes. */
function leastReads(used: readonly Tried[]): ReadonlyMap<string, number> {
  const least = new Map<string, number>();
  for (const { reads } of used) {
    for (const [id, dollars] of reads) least.set(id, Math.min(dollars, least.get(id) ?? dollars));
  }
  return least;
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
  readonly upkeep: number;
  readonly reads: ReadonlyMap<string, number>;
}

/** All but reads. */
function dollars({ lines }: Priced): number {
  return lines
    .filter(({ kind }) => kind !== "reads")
    .reduce((sum, line) => sum + line.dollars.average, 0);
}

function readsOf({ plans, lines }: Priced): ReadonlyMap<string, number> {
  return new Map(
    [...plans.keys()].map((id) => [
      id,
      lines
        .filter(({ kind, pattern }) => kind === "reads" && pattern === id)
        .reduce((sum, line) => sum + line.dollars.average, 0),
    ]),
  );
}

function withIndexes(table: TableDocument, indexes: readonly IndexDocument[]): TableDocument {
  if (indexes.length === 0) return table;
  return {
    ...table,
    indexes: Object.fromEntries(indexes.map((index, i) => [`Index${i}`, index])),
  };
}

function isRead({ plans }: Priced): boolean {
  return [...plans.values()].some(({ requests }) =>
    requests.some((one) => one.kind === "read" && one.index !== undefined),
  );
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
