import type { AttributeValue } from "../../item/attribute-value.ts";
import { compareValues } from "../../item/compare.ts";
import type { Action, Entity, Order, Together } from "../../model/requirements.ts";
import type { Plan, PlannedRequest, ReadRequest } from "../plans/plan.ts";
import { embeddedMaps, heldIn, toldOf } from "../values/embedded.ts";
import type { EntityValues } from "../values/render-key.ts";
import { type Given, passes } from "./given.ts";
import { runRead, runTogether } from "./read.ts";
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
      for (const [i, request] of reads.entries())
        run.results.push(arranged(plan, request, found[i] ?? []));
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

/** Results in the order that is asked for, and no more than are. */
function arranged(plan: Plan, request: ReadRequest, found: readonly Found[]): readonly Found[] {
  const isOwn = ({ entity }: { readonly entity: string }): boolean =>
    entity === request.record.entity.name;
  const action = plan.pattern.actions.find(isOwn) ?? plan.pattern.together.find(isOwn);
  if (action === undefined || request.together.length > 0) return found;
  const isMany = request.times.some(({ why }) => why !== "results" && why !== "batch");
  const sorted = request.sortsInClient
    ? found.toSorted((a, b) => compareBy(action.order, a.values, b.values))
    : request.merges && isMany
      ? found.toSorted(byKey(request))
      : found;
  // What is read for each result has a limit for each of them, which the request itself keeps.
  const isWhole = !request.times.some(({ why }) => why === "results");
  return typeof action.limit === "number" && request.operation !== "BatchGetItem" && isWhole
    ? sorted.slice(0, action.limit)
    : sorted;
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
  const reads = plan.requests.filter((request) => request.kind === "read");
  const together = new Map<string, EntityValues[]>();
  const [action] = plan.pattern.actions;
  if (plan.pattern.kind !== "read" || action === undefined) return { items: [], together };
  const own: Collected[] = [];
  const seen = new Set<string>();
  for (const [i, request] of reads.entries()) {
    const found = run.results[i] ?? [];
    for (const one of found) {
      const { entity } = one.record;
      if (one.record.role === "unique") continue;
      if (plan.pattern.transaction || entity.name === action.entity || hosts(one, action)) {
        collect(own, one, request, i, action, reads, run.given);
        for (const [name, list] of embeddedIn(one, plan.pattern.together, run.given)) {
          together.set(name, [...(together.get(name) ?? []), ...list]);
        }
      } else {
        // One that several refer to is in the answer once.
        const place = JSON.stringify([one.record.name, placeOf(request, one)]);
        if (seen.has(place)) continue;
        seen.add(place);
        const list = together.get(entity.name) ?? [];
        together.set(entity.name, [...list, one.values]);
      }
    }
  }
  // To what is not there belongs nothing, whatever lies where it would.
  if (own.length === 0) together.clear();
  return { items: own.map(({ values }) => values), together };
}

interface Collected {
  readonly values: Map<string, AttributeValue>;
  readonly request: number;
  readonly place: string;
  readonly combination: number;
}

const hosts = ({ record }: Found, action: Action): boolean =>
  record.attributes.some(
    ({ content }) => content.kind === "embedded" && content.entity.name === action.entity,
  );

/** Puts what one request brought to what is there: a new item, or more of one that an earlier request has told of. */
function collect(
  own: Collected[],
  found: Found,
  request: ReadRequest,
  i: number,
  action: Action,
  reads: readonly ReadRequest[],
  given: Given,
): void {
  if (found.record.entity.name !== action.entity && hosts(found, action)) {
    own.push(...inner(found, action, i, given));
    return;
  }
  const place = placeOf(request, found);
  const isMore = reads
    .slice(0, i)
    .some(({ record }) => record.entity === found.record.entity && record.role !== "unique");
  const known = isMore
    ? (own.find((one) => one.place === place) ??
      own.find((one) => isSameEntity(found.record.entity, one.values, found.values)) ??
      own.filter((one) => one.combination === found.combination)[0])
    : undefined;
  if (known !== undefined) for (const [name, value] of found.values) known.values.set(name, value);
  else if (!isMore) {
    own.push({ values: new Map(found.values), request: i, place, combination: found.combination });
  }
}

/** A part of an item lies under a key of its own, and tells whose it is. */
function isSameEntity({ id }: Entity, one: EntityValues, other: EntityValues): boolean {
  return id.every((name) => {
    const [a, b] = [one.get(name), other.get(name)];
    return a !== undefined && b !== undefined && compareValues(a, b) === 0;
  });
}

/** The table's key of an item, which an index entry has too. */
function placeOf({ table }: ReadRequest, { item }: Found): string {
  const names = [table.partition.name, table.sort?.name ?? ""];
  return JSON.stringify(names.map((name) => (Object.hasOwn(item, name) ? item[name] : undefined)));
}

/** Entities that lie inside an item. */
function inner(
  { record, item, values, combination }: Found,
  action: Action,
  request: number,
  given: Given,
): Collected[] {
  const stored = record.attributes.find(
    ({ content }) => content.kind === "embedded" && content.entity.name === action.entity,
  );
  if (stored?.content.kind !== "embedded") return [];
  const { content } = stored;
  const told = toldOf(record.entity, content.entity, values);
  const all = embeddedMaps(content, heldIn(item, stored.name)).map(
    (one) => new Map([...told, ...Object.entries(one)]),
  );
  return wantedOf(content.entity, action, given, all).map((one, i) => ({
    values: one,
    request,
    place: `inside ${i}`,
    combination,
  }));
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

/** What lies inside an item, by entity. */
function embeddedIn(
  { record, item, values }: Found,
  together: readonly Together[],
  given: Given,
): readonly (readonly [string, readonly EntityValues[]])[] {
  return record.attributes.flatMap(({ name, content }) => {
    if (content.kind !== "embedded") return [];
    const { entity } = content;
    const wanted = together.find((one) => one.entity === entity.name);
    if (wanted === undefined) return [];
    const told = toldOf(record.entity, entity, values);
    const all = embeddedMaps(content, heldIn(item, name)).map(
      (one) => new Map([...told, ...Object.entries(one)]),
    );
    return [[entity.name, wantedOf(entity, wanted, given, all)] as const];
  });
}
