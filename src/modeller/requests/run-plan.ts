import { compareValues, equalValues } from "../../item/compare.ts";
import type { Action, Entity, Order, Together } from "../../model/requirements.ts";
import type { Plan, PlannedRequest, ReadRequest } from "../plans/plan.ts";
import { embeddedMaps, heldIn, toldOf } from "../values/embedded.ts";
import type { EntityValues } from "../values/render-key.ts";
import { listedIn } from "./combinations.ts";
import { type Given, givenAt, passes } from "./given.ts";
import { completed, runRead, runTogether } from "./read.ts";
import type { Execute, Found, Run } from "./run.ts";
import { runWrite } from "./write.ts";

/** What running a plan gave. */
export interface Answer {
  /** What a read was asked for, in its order. */
  readonly items: readonly EntityValues[];
  /** Other entities that were wanted with it, by name. */
  readonly together: ReadonlyMap<string, readonly EntityValues[]>;
  readonly consumed: ReadonlyMap<string, number>;
  readonly sent: Run["sent"];
}

/** A way to carry out a plan: `runPlan`, or the code that is generated from the plan. */
export type RunPlan = (
  plan: Plan,
  given: Given,
  execute: Execute,
  periods: Run["periods"],
) => Promise<Answer>;

/** Carries out all requests of a plan, one after the other. */
export async function runPlan(
  plan: Plan,
  given: Given,
  execute: Execute,
  periods: Run["periods"] = () => [],
): Promise<Answer> {
  const run: Run = { given, execute, results: [], consumed: new Map(), sent: [], periods };
  for (const step of stepsOf(plan.requests)) {
    const [first] = step;
    if (first === undefined) continue;
    if (first.kind === "write") await runWrite(run, first);
    else {
      const reads = step.flatMap((one) => (one.kind === "read" ? [one] : []));
      const found =
        first.operation === "TransactGetItems"
          ? await runTogether(run, reads)
          : [await runRead(run, first)];
      for (const [i, request] of reads.entries()) {
        const rows = rowsOf(plan, run, request, found[i] ?? []);
        run.results.push(remaining(plan, run, request, rows));
      }
    }
  }
  const { items, together } = answerOf(plan, run);
  return { items, together, consumed: run.consumed, sent: run.sent };
}

/** What is sent one after the other. Reads of a transaction that wait for nothing are one request. */
export function stepsOf(
  requests: readonly PlannedRequest[],
): readonly (readonly PlannedRequest[])[] {
  const steps: PlannedRequest[][] = [];
  for (const request of requests) {
    const last = steps.at(-1);
    const joins =
      isTogether(last?.[0]) &&
      isTogether(request) &&
      ![...request.bindings.values()].some(({ kind }) => kind === "result");
    if (joins && last !== undefined) last.push(request);
    else steps.push([request]);
  }
  return steps;
}

function isTogether(request: PlannedRequest | undefined): request is ReadRequest {
  return request?.kind === "read" && request.operation === "TransactGetItems";
}

/** What a request found, as rows of its part: new ones with their parents, or those of an earlier request with more in them. */
function rowsOf(
  plan: Plan,
  run: Run,
  request: ReadRequest,
  found: readonly Found[],
): readonly Found[] {
  if (request.completes === undefined)
    return found.map((one) => withParent(plan, run, request, one));
  return completed(run, request, sourcesOf(plan, run, request.completes), found);
}

/** The rows of a request with all that the fetches before this one have added to them. */
function sourcesOf(plan: Plan, run: Run, completes: number): readonly Found[] {
  const reads = plan.requests.filter((one) => one.kind === "read");
  const before = reads
    .slice(0, run.results.length)
    .findLastIndex((one) => one.completes === completes);
  const places = run.results[completes] ?? [];
  if (before < 0) return places.map((row, place) => ({ ...row, combination: place }));
  return run.results[before] ?? [];
}

function withParent(plan: Plan, run: Run, request: ReadRequest, row: Found): Found {
  const { parent } = row;
  if (parent === undefined) return row;
  const at = run.results.findIndex((rows) => rows.includes(parent));
  const source = plan.requests.filter(({ kind }) => kind === "read")[at];
  if (source?.kind !== "read" || source.part !== request.part) return row;
  const { parent: _, ...rest } = row;
  return parent.parent === undefined ? rest : { ...rest, parent: parent.parent };
}

/** Joins, filters, sorts and cuts the rows of a request, for each parent separately. */
function remaining(
  plan: Plan,
  run: Run,
  request: ReadRequest,
  rows: readonly Found[],
): readonly Found[] {
  const { remainder, record } = request;
  const isOwn = ({ record: { entity } }: Found): boolean => entity === record.entity;
  const own = rows.filter(isOwn);
  const others = rows.filter((one) => !isOwn(one));
  const limit = limitOf(plan, request);
  const left = joined(run, request, own).flatMap((group) => {
    const merged = request.merges ? group.toSorted(byKey(request)) : group;
    const passing = merged.filter(({ values, at }) =>
      passes(
        at === undefined
          ? run.given
          : givenAt(run.given, listedIn(run.given, request.bindings), at),
        record.entity.attributes,
        remainder.filter,
        values,
      ),
    );
    const { order } = remainder;
    const sorted = passing.toSorted((a, b) => compareBy(order, a.values, b.values));
    return sorted.slice(0, limit);
  });
  return [...left, ...others];
}

/** The limit of the part, as the pattern states it; undefined where the request leaves it to a later one. */
function limitOf({ pattern }: Plan, { remainder, part }: ReadRequest): number | undefined {
  if (remainder.limit === undefined) return undefined;
  const limit = [...pattern.actions, ...pattern.together][part]?.limit;
  return typeof limit === "number" ? limit : undefined;
}

/** Rows by parent; where no key has seen to it, each parent gets the rows that are linked to it. */
function joined(
  run: Run,
  { remainder: { links } }: ReadRequest,
  rows: readonly Found[],
): readonly (readonly Found[])[] {
  const isLinked = (row: Found, parent: Found): boolean =>
    links.every(({ attribute, of }) => {
      const [theirs, own] = [row.values.get(attribute), parent.values.get(of)];
      return theirs !== undefined && own !== undefined && equalValues(theirs, own);
    });
  const [link] = links;
  if (link !== undefined && rows.every(({ parent }) => parent === undefined)) {
    const parents = run.results[link.request] ?? [];
    return parents.map((parent) =>
      rows.filter((row) => isLinked(row, parent)).map((row) => ({ ...row, parent })),
    );
  }
  const groups = new Map<Found | undefined, Found[]>();
  for (const row of rows) {
    const group = groups.get(row.parent);
    if (group === undefined) groups.set(row.parent, [row]);
    else group.push(row);
  }
  return [...groups].map(([parent, group]) =>
    parent === undefined ? group : group.filter((row) => isLinked(row, parent)),
  );
}

/** The order of the key that was read by, which an index entry has even if it has nothing else. */
function byKey(request: ReadRequest): (a: Found, b: Found) => number {
  const order = sortNames(request).map(
    (attribute): Order => ({
      attribute,
      direction: request.forward ? "ascending" : "descending",
    }),
  );
  const keys = ({ item }: Found): EntityValues => new Map(Object.entries(item));
  return (a, b) => compareBy(order, keys(a), keys(b));
}

/** The attributes that the items of a partition are sorted by, where a request reads. */
export function sortNames({ table, index, record }: ReadRequest): readonly string[] {
  if (index === undefined) return table.sort === undefined ? [] : [table.sort.name];
  const membership = record.memberships.find((one) => one.index === index);
  return (membership?.sort ?? []).map(({ attribute }) => attribute.name);
}

export function compareBy(order: readonly Order[], a: EntityValues, b: EntityValues): number {
  for (const { attribute, direction } of order) {
    const [one, other] = [a.get(attribute), b.get(attribute)];
    if (one === undefined || other === undefined) {
      if (one === other) continue;
      return one === undefined ? -1 : 1;
    }
    const compared = compareValues(one, other) ?? 0;
    if (compared !== 0) return direction === "ascending" ? compared : -compared;
  }
  return 0;
}

function answerOf(plan: Plan, run: Run): Pick<Answer, "items" | "together"> {
  const { pattern } = plan;
  const reads = plan.requests.filter((request) => request.kind === "read");
  const together = new Map<string, EntityValues[]>();
  const [action] = pattern.actions;
  if (pattern.kind !== "read" || action === undefined) return { items: [], together };
  const own: EntityValues[] = [];
  const seen = new Set<string>();
  const add = (entity: string, request: ReadRequest, found: Found): void => {
    // A child that several parents refer to is in the answer once.
    const place = JSON.stringify([found.record.name, placeOf(request, found)]);
    if (seen.has(place)) return;
    seen.add(place);
    together.set(entity, [...(together.get(entity) ?? []), found.values]);
  };
  for (const [i, request] of reads.entries()) {
    const isLast = !reads.some(({ part }, at) => at > i && part === request.part);
    for (const found of run.results[i] ?? []) {
      const { entity } = found.record;
      const asked = [...pattern.actions, ...pattern.together][request.part];
      if (entity !== request.record.entity) add(entity.name, request, found);
      else if (!isLast || asked === undefined) continue;
      else if (request.part >= pattern.actions.length) {
        if (entity.name === asked.entity) add(entity.name, request, found);
        else addInner(together, found, asked, run.given);
      } else {
        own.push(
          ...(entity.name === asked.entity ? [found.values] : inner(found, asked, run.given)),
        );
        for (const one of pattern.together) addInner(together, found, one, run.given);
      }
    }
  }
  // No parent, no children, whatever lies where they would.
  if (own.length === 0) together.clear();
  return { items: own, together };
}

/** Adds the children that are embedded in an item. */
function addInner(
  together: Map<string, EntityValues[]>,
  found: Found,
  child: Together | Action,
  given: Given,
): void {
  const children = inner(found, child, given);
  if (children.length === 0) return;
  together.set(child.entity, [...(together.get(child.entity) ?? []), ...children]);
}

/** The table's key of an item, which an index entry has too. */
function placeOf({ table }: ReadRequest, { item }: Found): string {
  const names = [table.partition.name, table.sort?.name ?? ""];
  return JSON.stringify(names.map((name) => (Object.hasOwn(item, name) ? item[name] : undefined)));
}

/** The entities of one kind that are embedded in an item and asked for. */
function inner(
  { record, item, values }: Found,
  asked: Together | Action,
  given: Given,
): readonly EntityValues[] {
  const stored = record.attributes.find(
    ({ content }) => content.kind === "embedded" && content.entity.name === asked.entity,
  );
  if (stored?.content.kind !== "embedded") return [];
  const { content } = stored;
  const told = toldOf(content, values);
  const all = embeddedMaps(content, heldIn(item, stored.name)).map(
    (one) => new Map([...told, ...Object.entries(one)]),
  );
  return wantedOf(content.entity, asked, given, all);
}

/** Of what lies inside of one item that which is asked for, in its order. */
function wantedOf<Values extends EntityValues>(
  entity: Entity,
  { where, order, limit }: Pick<Action, "where" | "order" | "limit">,
  given: Given,
  all: readonly Values[],
): readonly Values[] {
  const found = all
    .filter((one) => passes(given, entity.attributes, where, one))
    .toSorted((a, b) => compareBy(order, a, b));
  return typeof limit === "number" ? found.slice(0, limit) : found;
}
