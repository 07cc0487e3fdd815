import type { Aggregate, Table } from "../../model/design.ts";
import type { Attribute, Entity, Pattern, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Ask } from "./ask.ts";
import { changeOf } from "./copies.ts";
import { linkOf } from "./links.ts";
import type { Binding, Bindings, Plan, PlannedRequest } from "./plan.ts";
import { noChanges, touchedBy } from "./plan.ts";
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
    ...[...facts.model.entities.values()].flatMap((entity) =>
      [...entity.attributes.values()].flatMap((attribute) =>
        copies(facts, plans, entity, attribute),
      ),
    ),
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
  const { of, into, by, attribute } = aggregate;
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
  const way = typeof by === "object" ? by.schedule : "stream";
  const name = `${into.entity}.${into.attribute} by ${way}`;
  const kept = { from, holder };
  const why = `keeps the ${aggregate.what} of ${of} in ${into.entity}.${into.attribute}`;
  const update = aggregateUpdate(facts, aggregate, itemBindings(own));
  if (update === undefined) {
    const problem = `which ${into.entity} holds ${into.attribute} cannot be told from ${of}`;
    return { name, why, rate: events, patterns, kept, requests: [], problem };
  }
  const single: PlannedRequest = { kind: "write", operation: "UpdateItem", actions: [update] };
  if (typeof by !== "object")
    return { name, why, rate: events, patterns, kept, requests: [single], problem: undefined };
  // On a schedule, whoever changed since the last time is counted anew: their items are read, and one number is written.
  const seconds = scheduleSeconds(by.schedule);
  const links = linkOf(facts, holder, own, [], itemBindings(holder), 0);
  const read = planRead(facts, askFor(own, links, attribute === undefined ? own.id : [attribute]));
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
  return {
    name,
    why,
    rate,
    patterns: [],
    kept,
    requests: [...read.requests, single],
    problem: read.problem,
  };
}

/** All items of an entity that go with something that is known. */
function askFor(entity: Entity, known: Bindings, returns: readonly string[]): Ask {
  const where = [...known].map(
    ([attribute]): Predicate => ({
      attribute,
      operator: "equals",
      operands: [{ kind: "parameter", name: attribute }],
      exists: true,
    }),
  );
  return {
    part: 0,
    childPart: 1,
    entity: entity.name,
    where,
    order: [],
    limit: undefined,
    returns,
    consistent: false,
    known: new Map(),
    matches: undefined,
    batch: undefined,
    transaction: false,
    via: undefined,
  };
}

/** Copies that must not be behind are updated when their source changes, if that is not in the same transaction. */
function copies(
  facts: Facts,
  plans: ReadonlyMap<string, Plan>,
  entity: Entity,
  attribute: Attribute,
): readonly Background[] {
  const { copyOf, staleness } = attribute;
  const source = copyOf && facts.model.entities.get(copyOf.entity);
  if (copyOf === undefined || source === undefined || staleness !== "refused") return [];
  const copy = { entity, attribute, source, of: copyOf.attribute };
  const left = [...plans].filter(([, { pattern }]) => changeOf(pattern, copy) !== undefined);
  const { rate, patterns } = causesOf(
    new Map(left),
    ({ record, changes }) => record.entity === source && touchedBy(changes).has(copyOf.attribute),
  );
  if (rate?.average === 0) return [];
  const name = `${entity.name}.${attribute.name} after ${copyOf.entity}.${copyOf.attribute}`;
  const why = `copies ${copyOf.entity}.${copyOf.attribute} into ${entity.name}`;
  const links = linkOf(facts, source, entity, [], itemBindings(source), 0);
  const read = planRead(facts, askFor(entity, links, entity.id));
  const count = read.requests.at(-1)?.expected.returned ?? 0;
  const to: Binding = { kind: "item", attribute: copyOf.attribute };
  const updates = facts.itemsOf(entity.name).flatMap((record) => {
    const found = new Map<string, Binding>(
      [...entity.attributes.keys()].map((one) => [
        one,
        { kind: "result", request: 0, attribute: one },
      ]),
    );
    const key = keyFrom(record, [], found);
    if (key === undefined) return [];
    const changes = { ...noChanges, sets: [{ attribute: attribute.name, to }] };
    return [write("update", record, key.bindings, { count, changes, because: why })];
  });
  const requests = updates.map(
    (action): PlannedRequest => ({ kind: "write", operation: "UpdateItem", actions: [action] }),
  );
  const all = [...read.requests, ...requests];
  return [{ name, why, rate, patterns, kept: undefined, requests: all, problem: read.problem }];
}
