import type { Aggregate, Table } from "../../model/design.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { type Ask, askFor } from "./ask.ts";
import { changeOf, type StrictCopy, strictCopies } from "./copies.ts";
import { equalities, linkOf } from "./links.ts";
import {
  type Binding,
  type Bindings,
  noChanges,
  type Plan,
  type PlannedRequest,
  resultBindings,
  touchedBy,
} from "./plan.ts";
import { planRead } from "./read-plan.ts";
import { scheduleSeconds } from "./schedule.ts";
import { aggregateUpdate, itemBindings, keyFrom, write } from "./write-actions.ts";

/** Work that a design does by itself, because of what patterns write: numbers and copies are kept up. */
export interface Background {
  /** `Person.followers by stream`. */
  readonly name: string;
  readonly why: string;
  /** Runs in a second; nothing if the rates that it follows are open questions. */
  readonly rate: Rates | undefined;
  /** The patterns that cause each run of it; on a schedule a run takes everybody once, whoever was busiest. */
  readonly patterns: readonly Pattern[];
  /** Of a number that is kept: where what is counted lies, and what holds the number. */
  readonly kept: { readonly from: Table; readonly holder: Entity } | undefined;
  readonly requests: readonly PlannedRequest[];
  readonly problem: string | undefined;
}

export interface Rates {
  readonly average: number;
  readonly peak: number;
  readonly assumed: boolean;
}

export function backgroundOf(
  facts: Facts,
  plans: ReadonlyMap<string, Plan>,
): readonly Background[] {
  const tables = [...(facts.model.design?.tables.values() ?? [])];
  return [
    ...tables.flatMap((table) =>
      table.aggregates.flatMap((one) =>
        one.by === "transaction" ? [] : [keptUp(facts, plans, table, one)],
      ),
    ),
    ...strictCopies(facts.model).flatMap((copy) => copied(facts, plans, copy)),
  ];
}

/** How often something happens to the items of an entity, over all patterns that make it happen. */
function causesOf(
  plans: ReadonlyMap<string, Plan>,
  happens: (action: ReturnType<typeof write>) => boolean,
): { readonly rate: Rates | undefined; readonly patterns: readonly Pattern[] } {
  let rate: Rates | undefined = { average: 0, peak: 0, assumed: false };
  const patterns: Pattern[] = [];
  for (const { pattern, requests } of plans.values()) {
    const count = requests
      .flatMap((request) => (request.kind === "write" ? request.actions : []))
      .filter((action) => isOfEntity(action) && happens(action))
      .reduce((sum, action) => sum + action.count, 0);
    if (count === 0) continue;
    patterns.push(pattern);
    const { average, peak } = pattern.rps;
    rate = rate &&
      average && {
        average: rate.average + count * average.value,
        peak: rate.peak + count * (peak ?? average).value,
        assumed: rate.assumed || average.assumed || (peak?.assumed ?? true),
      };
  }
  return { rate, patterns };
}

/** Whether an action writes an entity itself: its own item, or an update of what is split out of it. */
function isOfEntity({ kind, record }: ReturnType<typeof write>): boolean {
  return record.role === "item" || (record.role === "split" && kind === "update");
}

function keptUp(
  facts: Facts,
  plans: ReadonlyMap<string, Plan>,
  from: Table,
  aggregate: Aggregate,
): Background {
  const { of, into, by, attribute, what } = aggregate;
  const { rate: events, patterns } = causesOf(
    plans,
    ({ kind, record, changes }) =>
      record.entity.name === of &&
      (kind === "put" ||
        kind === "delete" ||
        (attribute !== undefined && touchedBy(changes).has(attribute))),
  );
  const own = facts.model.entities.get(of) as Entity;
  const holder = facts.model.entities.get(into.entity) as Entity;
  const schedule = typeof by === "object" ? by.schedule : undefined;
  const name = `${into.entity}.${into.attribute} by ${schedule ?? "stream"}`;
  const why = `keeps the ${what} of ${of} in ${into.entity}.${into.attribute}`;
  const kept = { from, holder };
  const work = { name, why, rate: events, patterns, kept, requests: [], problem: undefined };
  const update = aggregateUpdate(facts, aggregate, itemBindings(own));
  if (update === undefined) {
    const problem = `which ${into.entity} holds ${into.attribute} cannot be told from ${of}`;
    return { ...work, problem };
  }
  const single: PlannedRequest = { kind: "write", operation: "UpdateItem", actions: [update] };
  if (schedule === undefined) return { ...work, requests: [single] };
  // On a schedule, whoever changed since the last time is counted anew: their items are read, and one number is written.
  const seconds = scheduleSeconds(schedule);
  const links = linkOf(facts, holder, own, [], itemBindings(holder), 0);
  const read = planRead(facts, askAll(own, links, attribute === undefined ? own.id : [attribute]));
  const all = facts.cardinality.count(holder)?.value ?? Number.POSITIVE_INFINITY;
  const each = facts.cardinality.itemsPer(own, [...links.keys()])?.value ?? 1;
  // If all that happens between two runs on average can belong to one holder, what belongs together comes
  // together: what is counted by the minute comes in minutes. Else everything that happens is another one's.
  const isDense = events !== undefined && events.average * seconds <= each;
  const runs = (perSecond: number): number =>
    isDense
      ? Math.min(perSecond, Math.max(1, (perSecond * seconds) / each) / seconds)
      : Math.min(perSecond, all / seconds);
  const rate = events && { average: runs(events.average), peak: runs(events.peak), assumed: true };
  const requests = [...read.requests, single];
  return { ...work, rate, patterns: [], requests, problem: read.problem };
}

/** All items of an entity that go with something that is known. */
function askAll({ name: entity }: Entity, known: Bindings, returns: readonly string[]): Ask {
  const parameters = [...known.keys()].map((name) => [name, { kind: "parameter", name }] as const);
  return askFor(entity, { where: equalities(new Map(parameters)), returns });
}

/** Copies that must not be behind are updated when their source changes, if that is not in the same transaction. */
function copied(
  facts: Facts,
  plans: ReadonlyMap<string, Plan>,
  copy: StrictCopy,
): readonly Background[] {
  const { entity, attribute, source, of } = copy;
  const left = [...plans].filter(([, { pattern }]) => changeOf(pattern, copy) !== undefined);
  const { rate, patterns } = causesOf(
    new Map(left),
    ({ record, changes }) => record.entity === source && touchedBy(changes).has(of),
  );
  if (rate?.average === 0) return [];
  const name = `${entity.name}.${attribute.name} after ${source.name}.${of}`;
  const why = `copies ${source.name}.${of} into ${entity.name}`;
  const links = linkOf(facts, source, entity, [], itemBindings(source), 0);
  const read = planRead(facts, askAll(entity, links, entity.id));
  const count = read.requests.at(-1)?.expected.returned ?? 0;
  const to: Binding = { kind: "item", attribute: of };
  const changes = { ...noChanges, sets: [{ attribute: attribute.name, to }] };
  const updates = facts.itemsOf(entity.name).flatMap((record): readonly PlannedRequest[] => {
    const key = keyFrom(record, [], resultBindings(entity.attributes.keys(), 0));
    if (key === undefined) return [];
    const update = write("update", record, key.bindings, { count, changes, because: why });
    return [{ kind: "write", operation: "UpdateItem", actions: [update] }];
  });
  const requests = [...read.requests, ...updates];
  return [{ name, why, rate, patterns, kept: undefined, requests, problem: read.problem }];
}
