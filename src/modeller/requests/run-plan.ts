import { compareValues, equalValues } from "../../item/compare.ts";
import type { Action, Order, Together } from "../../model/requirements.ts";
import { limitOf } from "../plans/ask.ts";
import { placeIn } from "../plans/inner-writes.ts";
import type { Plan, PlannedRequest, ReadRequest } from "../plans/plan.ts";
import { structureOf } from "../plans/structures.ts";
import { embeddedMaps, heldIn, toldOf } from "../values/embedded.ts";
import type { EntityValues } from "../values/render-key.ts";
import { type Given, passes } from "./given.ts";
import { completed, givenFor, runReads } from "./read.ts";
import type { Execute, Found, Run } from "./run.ts";
import { keyIn, placeOf } from "./stored-names.ts";
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
    if (first?.kind === "write") await runWrite(run, first);
    const reads = readsIn(step);
    for (const [i, found] of (await runReads(run, reads)).entries()) {
      const request = reads[i] as ReadRequest;
      run.results.push(remaining(plan, run, request, rowsOf(plan, run, request, found)));
    }
  }
  const { items, together } = answerOf(plan, run);
  return { items, together, consumed: run.consumed, sent: run.sent };
}

function readsIn(requests: readonly PlannedRequest[]): readonly ReadRequest[] {
  return requests.filter((one) => one.kind === "read");
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
  { requests }: Plan,
  run: Run,
  request: ReadRequest,
  found: readonly Found[],
): readonly Found[] {
  const { completes, part } = request;
  const before = readsIn(requests).slice(0, run.results.length);
  if (completes !== undefined) {
    // The rows with all that other fetches have added to them.
    const latest = before.findLastIndex((one) => one.completes === completes);
    const rows =
      run.results[latest] ??
      run.results[completes]?.map((row, combination) => ({ ...row, combination }));
    return completed(run, request, rows ?? [], found);
  }
  return found.map((row) => {
    const at = run.results.findIndex((rows) => row.parent && rows.includes(row.parent));
    // What a look-up of the same part found is no parent.
    return before[at]?.part === part ? { ...row, parent: row.parent?.parent } : row;
  });
}

/** Joins, filters, sorts and cuts the rows of a request, for each parent separately. */
function remaining(
  plan: Plan,
  run: Run,
  request: ReadRequest,
  rows: readonly Found[],
): readonly Found[] {
  const { merges, remainder, record } = request;
  const { filter, order } = remainder;
  const isOwn = ({ record: { entity } }: Found): boolean => entity === record.entity;
  const limit = remainder.limit === undefined ? undefined : limitOf(askedBy(plan, request));
  const left = joined(run, request, rows.filter(isOwn)).flatMap((group) =>
    (merges ? group.toSorted(byKey(request)) : group)
      .filter(({ values, at }) =>
        passes(givenFor(run, request, at), record.entity.attributes, filter, values),
      )
      .toSorted((a, b) => compareBy(order, a.values, b.values))
      .slice(0, limit),
  );
  return [...left, ...rows.filter((one) => !isOwn(one))];
}

/** The question of the pattern that a request answers. */
function askedBy({ pattern }: Plan, { part }: ReadRequest): Action | Together {
  return [...pattern.actions, ...pattern.together][part] as Action | Together;
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
  const direction = request.forward ? "ascending" : "descending";
  const order = sortNames(request).map((attribute): Order => ({ attribute, direction }));
  const keys = ({ item }: Found): EntityValues => new Map(Object.entries(item));
  return (a, b) => compareBy(order, keys(a), keys(b));
}

/** The attributes that the items of a partition are sorted by, where a request reads. */
export function sortNames(request: ReadRequest): readonly string[] {
  return structureOf(request)?.sort.map(({ attribute }) => attribute.name) ?? [];
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
  const { kind, actions, together: children } = plan.pattern;
  const reads = readsIn(plan.requests);
  const items: EntityValues[] = [];
  const together = new Map<string, EntityValues[]>();
  const add = (entity: string, values: readonly EntityValues[]): void => {
    if (values.length > 0) together.set(entity, [...(together.get(entity) ?? []), ...values]);
  };
  // A child that several parents refer to is in the answer once.
  const seen = new Set<string>();
  const isNew = ({ record, item }: Found): boolean => {
    const { size } = seen;
    return seen.add(placeOf(record.name, keyIn(record, item))).size > size;
  };
  for (const [i, request] of (kind === "read" ? reads : []).entries()) {
    const { part, record } = request;
    const asked = askedBy(plan, request);
    const isLast = !reads.some((one, at) => at > i && one.part === part);
    for (const found of run.results[i] ?? []) {
      const { entity } = found.record;
      if (entity !== record.entity) {
        if (isNew(found)) add(entity.name, [found.values]);
        continue;
      }
      if (!isLast) continue;
      const isHost = entity.name !== asked.entity;
      const rows = isHost ? inner(found, asked, run.given) : [found.values];
      if (part < actions.length) {
        items.push(...rows);
        for (const child of children) add(child.entity, inner(found, child, run.given));
      } else if (isHost || isNew(found)) add(asked.entity, rows);
    }
  }
  // No parent, no children, whatever lies where they would.
  return { items, together: items.length === 0 ? new Map() : together };
}

/** The entities of one kind that are embedded in an item and asked for, in the order that is asked for. */
function inner(
  { record, item, values }: Found,
  asked: Together | Action,
  given: Given,
): readonly EntityValues[] {
  const place = placeIn(record, asked.entity);
  if (place === undefined) return [];
  const { as, content } = place;
  const told = toldOf(content, values);
  return embeddedMaps(content, heldIn(item, as))
    .map((one) => new Map([...told, ...Object.entries(one)]))
    .filter((one) => passes(given, content.entity.attributes, asked.where, one))
    .toSorted((a, b) => compareBy(asked.order, a, b))
    .slice(0, limitOf(asked));
}
