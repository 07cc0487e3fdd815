import type { DesignDocument, IndexDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import { readDesign } from "../../model/read-design.ts";
import { Reading } from "../../model/reading.ts";
import { heatOf, isOver } from "../heat/heat.ts";
import { type Priced, priced } from "../lint/bills.ts";
import { listText, shareText } from "../lint/words.ts";
import { defaultRegion, pricesOf } from "../prices/book.ts";
import { hitRateOf } from "./hit-rate.ts";
import { namedIn } from "./keys.ts";
import { isSafe, record } from "./layouts.ts";
import { servedPatterns, unique } from "./needs.ts";
import { isLate, isOutside, readsOf } from "./read-cost.ts";

/** Why a design that is there costs less than one that is made anew. */
export interface Reason {
  /** It is paid for or expected otherwise, does not do what is asked for, or nobody has looked at what it does. */
  readonly kind: "terms" | "rule" | "unknown";
  readonly text: string;
  /** So many dollars in a month it is cheaper by that. */
  readonly dollars?: number;
}

export interface Compared {
  /** With the requirements, and the design that is there. */
  readonly model: Model;
  readonly there: DesignDocument;
  /** The new one, with all that the document says, and what it costs. */
  readonly next: DesignDocument;
  readonly total: number;
  /** The new one says itself how tables are paid for. */
  readonly billing: boolean;
}

/**
 * What the design that is there has for itself: it is put on the terms of the new one, step by step. What it costs less
 * then is for rules that it does not keep, or because it does something that is not looked at.
 */
export function reasonsFor({ model, there, next, total, billing }: Compared): readonly Reason[] {
  const before = billOf(model, there);
  if (before === undefined || total <= before.total + halfCent) return [];
  const reasons: Reason[] = [];
  let [design, cost] = [there, before.total];
  for (const step of [...(billing ? [] : payments), expectedHits, unaskedNumbers]) {
    const { changed, text } = step(model, design, next);
    const bill = text === undefined ? undefined : billOf(model, changed);
    if (text === undefined || bill === undefined) continue;
    const dollars = bill.total - cost;
    [design, cost] = [changed, bill.total];
    if (dollars >= halfCent) reasons.push({ kind: "terms", text, dollars });
  }
  const left = total - cost;
  if (left <= halfCent) return reasons;
  const rules = brokenRules(model, before).map((text): Reason => ({ kind: "rule", text }));
  if (rules.length > 0) return [...reasons, ...rules];
  const text = "It does something there that is not looked at here";
  return [...reasons, { kind: "unknown", text, dollars: left }];
}

const halfCent = 0.005;

type Step = (
  model: Model,
  there: DesignDocument,
  next: DesignDocument,
) => { readonly changed: DesignDocument; readonly text: string | undefined };

/** A design with its tables changed, and the names of those that are. */
function mapped(
  design: DesignDocument,
  change: (table: TableDocument, name: string) => TableDocument,
): { readonly changed: DesignDocument; readonly names: readonly string[] } {
  const tables = Object.entries(design.tables).map(
    ([name, table]) => [name, change(table, name)] as const,
  );
  const names = tables.flatMap(([name, table]) => (design.tables[name] === table ? [] : [name]));
  return { changed: { ...design, tables: record(tables) }, names };
}

const payments: readonly Step[] = [
  (_model, there) => {
    const { changed, names } = mapped(there, (table) => {
      const { billing = "on-demand", class: held = "standard", indexes = {}, ...rest } = table;
      if (billing === "on-demand" && held === "standard") return table;
      const plain = Object.entries(indexes).map(([name, index]): [string, IndexDocument] => {
        const { throughput: _, ...own } = index;
        return [name, own];
      });
      return { ...rest, billing: "on-demand", indexes: record(plain) };
    });
    if (names.length === 0) return { changed, text: undefined };
    const are = names.length === 1 ? "is" : "are";
    const text = `${listText(names)} ${are} paid for otherwise there than by requests in the standard class, which --billing looks at`;
    return { changed, text };
  },
  (_model, there) => {
    const { changed, names } = mapped(there, (table) => {
      const { periods, ...rest } = table;
      return periods === undefined ? table : rest;
    });
    if (names.length === 0) return { changed, text: undefined };
    const text = `${listText(names)} ${names.length === 1 ? "is" : "are"} in tables of periods there, which --billing looks at`;
    return { changed, text };
  },
];

/** A cache is taken to answer what rates and skews let expect, whatever is said of it. */
const expectedHits: Step = (model, there) => {
  const said: string[] = [];
  const { changed } = mapped(there, (table, name) => {
    const { dax } = table;
    if (dax === undefined) return table;
    const stated = typeof dax.hitRate === "object" ? dax.hitRate.assumed : dax.hitRate;
    const ids = (dax.patterns ?? []).map(String);
    const rates = ids.map((id) => {
      const pattern = model.patterns.get(id);
      return pattern === undefined ? 0 : (hitRateOf(model, pattern) ?? 0);
    });
    const expected = Math.floor(Math.min(...rates) * 100) / 100;
    if (stated === undefined || expected >= stated) return table;
    said.push(
      `a cache of ${name} is said there to answer ${shareText(stated)} of ${listText(ids)}, of which rates and skews let expect ${shareText(expected)}`,
    );
    const why = "so many ask again within five minutes, at the average rate";
    return { ...table, dax: { ...dax, hitRate: { assumed: expected, why } } };
  });
  const text = said.join("; ");
  return { changed, text: text === "" ? undefined : text };
};

/** Numbers that nothing asks to be kept cost something there, and are not kept in the new one. */
const unaskedNumbers: Step = (_model, there, next) => {
  const kept = new Set(
    Object.values(next.tables).flatMap(({ aggregates = [] }) => aggregates.map(({ into }) => into)),
  );
  const { changed, names } = mapped(there, (table) => {
    const { aggregates = [], ...rest } = table;
    const still = aggregates.filter(({ into }) => kept.has(into));
    if (still.length === aggregates.length) return table;
    return { ...rest, ...(still.length > 0 && { aggregates: still }) };
  });
  return { changed, text: names.length === 0 ? undefined : "numbers that nothing asks to be kept" };
};

/** What the requirements ask for and a design does not do, in sentences. */
function brokenRules(model: Model, { plans, model: whole, input }: Priced): readonly string[] {
  const hot = heatOf(whole);
  const hotPlaces = hot.places.flatMap(({ load, keys }) =>
    keys.some(({ read, write, collectionOver }) => read.over || write.over || collectionOver)
      ? [load.name]
      : [],
  );
  const loads = input.tables.flatMap((one) => one.loads);
  const served = servedPatterns(model);
  const those = (isSo: (id: string) => boolean): readonly string[] =>
    served.map(({ id }) => id).filter(isSo);
  const readsBy = (id: string) => {
    const plan = plans.get(id);
    return plan === undefined ? [] : readsOf(plan);
  };
  const late = those((id) => isLate(readsBy(id), model.patterns.get(id)?.latencyMs, loads));
  const outside = those((id) => isOutside(readsBy(id), model.patterns.get(id)?.scope ?? []));
  const unserved = those((id) => plans.get(id)?.problem !== undefined);
  return [
    ...uncertainIds(model, whole),
    ...(isOver(hot) && hotPlaces.length > 0
      ? [`At peak a key of ${listText(hotPlaces)} takes more there than a partition gives`]
      : []),
    ...(late.length > 0 ? [`${listText(late)} takes longer there than its latency allows`] : []),
    ...(outside.length > 0
      ? [`${listText(outside)} lists more there than its scope lets its caller see`]
      : []),
    ...(unserved.length > 0 ? [`${listText(unserved)} cannot be answered there`] : []),
  ];
}

/** Entities of which two may have one id, because their key has more in it and somebody relies on it. */
function uncertainIds(model: Model, whole: Model): readonly string[] {
  const placed = [...(whole.design?.tables.values() ?? [])].flatMap(({ placements }) => [
    ...placements.values(),
  ]);
  return placed.flatMap(({ entity: name, key }) => {
    const entity = model.entities.get(name);
    if (entity === undefined) return [];
    const names = unique(key.flatMap(({ text }) => namedIn(entity, text.text)));
    const added = names.filter((one) => !entity.id.includes(one));
    const isWhole = entity.id.every((one) => names.includes(one));
    if (!isWhole || isSafe(model, entity, names)) return [];
    const makers = servedPatterns(model).filter(({ actions }) =>
      actions.some(
        (one) => one.entity === name && one.kind === "create" && one.condition?.kind === "absent",
      ),
    );
    return [
      `The key of ${name} has ${listText(added)} in it there, so that ${listText(makers.map(({ id }) => id))} cannot tell whether an id is taken`,
    ];
  });
}

function billOf(model: Model, design: DesignDocument): Priced | undefined {
  const prices = pricesOf(model.overview.region ?? defaultRegion);
  const reading = new Reading();
  const read = readDesign(reading, design, model.entities, model.patterns);
  if (reading.issues.length > 0 || prices === undefined) return undefined;
  return priced({ ...model, design: read }, prices);
}
