import type { Aggregate, Index } from "../../model/design.ts";
import type { Action, Entity, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { accessPath } from "./access-paths.ts";
import { askFor, askOf } from "./ask.ts";
import { heldBy, partsOf } from "./index-contents.ts";
import { embeddedIn, innerWrite, madeHost, madeInside } from "./inner-writes.ts";
import { linkOf } from "./links.ts";
import {
  type Bindings,
  type Changes,
  needsItem,
  noChanges,
  type Planned,
  type ReadRequest,
  type Rejection,
  resultBindings,
  touchedBy,
  type WriteAction,
} from "./plan.ts";
import { planRead } from "./read-plan.ts";
import {
  changesOf,
  type EntityChange,
  type ItemChange,
  itemChanges,
  keyAttributes,
  linkNames,
  type NumberChange,
  numberChanges,
} from "./stored-changes.ts";
import { tableStructure } from "./structures.ts";
import {
  aggregateChanges,
  becauseOf,
  bothChanges,
  type Guard,
  guarded,
  guardOf,
  guardsOf,
  type Holder,
  holderOf,
  itemBindings,
  keyFrom,
  type ReadBefore,
  transactionalAggregates,
  write,
  writesOf,
} from "./write-actions.ts";

/** The requests of a pattern that writes. */
export function planWrite(facts: Facts, pattern: Pattern, via?: Index): Planned {
  return new Writing(facts, pattern, via).plan();
}

/** A change of one entity, which a pattern states or which follows from another one. */
interface Step extends EntityChange, Guard {
  readonly own: StoredRecord;
  /** What is known of the entity before it; of what is created, its id. */
  readonly before: Bindings;
  /** What the item is found by. */
  readonly action: Action;
  readonly count: number;
  readonly more: Partial<WriteAction>;
}

/** How the item that a step names is found. */
interface Located {
  readonly bindings: Bindings;
  /** What the request must look at besides the key. */
  readonly also: WriteAction["also"];
  readonly count: number;
  /** What it is looked up by; undefined if its key is known. */
  readonly lookedUpBy: Bindings | undefined;
}

class Writing {
  private readonly facts: Facts;
  private readonly pattern: Pattern;
  private readonly via: Index | undefined;
  private readonly reads: ReadRequest[] = [];
  private readonly actions: WriteAction[] = [];
  private readonly notes: string[] = [];
  private readonly rejected: Rejection[] = [];
  private problem: string | undefined;
  /** Some of the items only make sense together. */
  private atomic: boolean;

  constructor(facts: Facts, pattern: Pattern, via: Index | undefined) {
    this.facts = facts;
    this.pattern = pattern;
    this.via = via;
    this.atomic = pattern.transaction;
  }

  plan(): Planned {
    const [main] = this.pattern.actions;
    for (const action of this.pattern.actions) this.add(action);
    for (const other of this.pattern.with) if (main !== undefined) this.withOther(main, other);
    const { reads, notes, rejected } = this;
    const nothing = { requests: [], notes: [], problem: this.problem };
    const sent = this.problem === undefined ? writesOf(this.actions, this.atomic) : nothing;
    const requests = sent.problem === undefined ? [...reads, ...sent.requests] : [];
    return { ...sent, requests, notes: [...notes, ...sent.notes], rejected };
  }

  private add(action: Action): void {
    const times = action.average.value * (this.pattern.batch?.value ?? 1);
    const items = this.facts.itemsOf(action.entity);
    const [host] = items.length > 0 ? [] : this.facts.hostsOf(action.entity);
    if (host !== undefined) this.inside(host, action, times);
    else if (items.length === 0) this.problem = `${action.entity} is in no table`;
    for (const own of items) {
      if (action.kind === "create") this.create(own, action, times);
      else this.alter(own, action, times);
    }
  }

  private create(own: StoredRecord, action: Action, count: number): void {
    const isHost = embeddedIn(own).length > 0;
    if (isHost && action.condition !== undefined && action.condition.kind !== "absent") {
      this.problem = `a create that replaces ${own.name} loses what is embedded in the old item; use 'update'`;
    }
    const condition = isHost ? ({ kind: "absent" } as const) : action.condition;
    const holding = madeInside(this.pattern, own);
    const all = itemBindings(own.entity);
    this.change({
      kind: "create",
      replaces: condition?.kind !== "absent",
      changes: changesOf({ ...action, condition: undefined }),
      own,
      action,
      before: new Map([...all].filter(([name]) => own.entity.id.includes(name))),
      condition,
      also: [],
      count,
      more: { countAssumed: action.average.assumed, ...(holding.length > 0 && { holding }) },
    });
  }

  private alter(own: StoredRecord, action: Action, times: number): void {
    const found = this.locate(own, action);
    if (found === undefined) return;
    const { bindings, also, lookedUpBy } = found;
    const { kind, condition } = action;
    const count = times * found.count;
    const isCounted = kind === "delete" && this.aggregatesOf({ own, more: {} }).length > 0;
    const isRefused = kind === "update" || needsItem({ condition, also: [] });
    const isNeeded = isCounted || (isRefused && action.follows !== true);
    const more = lookedUpBy !== undefined && isNeeded ? { mustBeFound: lookedUpBy } : {};
    if (kind === "update" || kind === "delete") {
      const changes = changesOf(action);
      const step = { kind, replaces: false, changes, own, action, before: bindings } as const;
      this.change({ ...step, condition, also, count, more });
    } else {
      for (const [record, guard] of guardsOf(this.facts, own, { condition, also })) {
        this.actions.push(write("check", record, bindings, { count, ...guard, ...more }));
      }
    }
  }

  /** Plans all that follows from the change of an entity, and reads first what it depends on. */
  private change(step: Step): void {
    const { own, kind, replaces, before, equal = [] } = step;
    const items = itemChanges(this.facts, own, step);
    const numbers = numberChanges(this.facts, this.aggregatesOf(step), step);
    const needs = new Set([...items, ...numbers].flatMap((one) => one.needs));
    const unknown = [...needs].filter((name) => !before.has(name));
    // What is replaced may not be there at all, and then nothing is taken off and no unique value is there.
    const isUnique = items.some(({ record }) => record.role === "unique");
    const isRead = unknown.length > 0 || (replaces && (numbers.length > 0 || isUnique));
    const reads = isRead ? this.readBefore(step, needs) : [];
    const read = new Map(
      reads.flatMap(({ record, request }) => [
        ...resultBindings(heldBy(record.attributes), request),
      ]),
    );
    const old = new Map([...before, ...read]);
    const known = new Map([...before, ...[...read].filter(([name]) => unknown.includes(name))]);
    // An item that an update would make has no old values that the update could depend on.
    const isNeeded = kind === "update" ? isRead : kind === "delete" && numbers.length > 0;
    const planned = items.flatMap((item) => this.written(step, item, { known, old }));
    const moves = items.some(({ record, kind: what }) => record === own && what === "move");
    if (moves && embeddedIn(own).length > 0) {
      this.problem = `the key of ${own.name} changes, and others lie inside of it`;
    }
    const guards = guardsOf(this.facts, own, { ...guardOf(step, isNeeded), equal });
    this.actions.push(...guarded(step, planned, guards, reads));
    this.addToAggregates(step, numbers, old);
  }

  /** The actions that write one stored item. */
  private written(
    { own, kind, replaces, count, more }: Step,
    { record, kind: what, changes }: ItemChange,
    { known, old }: Readonly<Record<"known" | "old", Bindings>>,
  ): readonly WriteAction[] {
    const { holding: _, ...others } = more;
    const share = kind === "update" ? 1 : this.facts.presence(record);
    const isUnique = record.role === "unique";
    const rest =
      record === own
        ? { ...more, count }
        : { ...others, count: count * share, because: more.because ?? becauseOf(record) };
    const isNew = isUnique ? { condition: { kind: "absent" as const } } : {};
    const all = kind === "create" ? itemBindings(own.entity) : old;
    if (what === "move" || isUnique || record.role === "latest") this.atomic = true;
    if (what === "update") return [write(what, record, known, { ...rest, changes })];
    if (what === "delete") return [write(what, record, isUnique ? old : known, rest)];
    if (what === "put") {
      const isPart = record.role === "split" && replaces;
      return [write(what, record, all, { ...rest, ...isNew, ...(isPart && { replaces }) })];
    }
    const because = rest.because ?? "its key changes, so it is deleted and put again";
    return [
      write("delete", record, old, { ...rest, because }),
      write("put", record, all, { ...rest, because, ...isNew, changes }),
    ];
  }

  /** Changes the entities that hold aggregates of the one that a step changes: each of them once. */
  private addToAggregates(step: Step, numbers: readonly NumberChange[], old: Bindings): void {
    const { own, action, kind, count, changes } = step;
    const created = kind === "create" ? itemBindings(own.entity) : old;
    const after = new Map([
      ...created,
      ...changes.sets.map(({ attribute, to }) => [attribute, to] as const),
    ]);
    for (const name of changes.removes) after.delete(name);
    const holders = new Map<string, Holder & { changes: Changes; names: ReadonlySet<string> }>();
    const add = ({ aggregate, amount }: NumberChange, counted: Bindings, sign: 1 | -1): void => {
      const { of, into } = aggregate;
      const holder = holderOf(this.facts, aggregate, counted);
      if (holder === undefined) {
        this.problem = `which ${into.entity} holds ${into.attribute} cannot be told from ${of}`;
        return;
      }
      const key = JSON.stringify([holder.record.name, ...holder.bindings]);
      const there = holders.get(key) ?? { changes: noChanges, names: [] };
      const more = aggregateChanges(aggregate, counted, sign, amount);
      const names = new Set([...there.names, `${into.entity}.${into.attribute}`]);
      holders.set(key, { ...holder, changes: bothChanges(there.changes, more), names });
    };
    for (const number of numbers) {
      if (number.isTakenOff) add(number, old, -1);
      const isLinked = linkNames(this.facts, number.aggregate).every((name) => after.has(name));
      if (number.isAdded && isLinked) add(number, after, 1);
    }
    for (const { record, bindings, equal, changes: added, names } of holders.values()) {
      this.atomic = true;
      this.change({
        kind: "update",
        replaces: false,
        changes: added,
        own: record,
        action,
        before: bindings,
        condition: { kind: "exists" },
        also: [],
        equal,
        count,
        more: { of: own.entity.name, counts: true, because: `keeps ${[...names].join(", ")}` },
      });
    }
  }

  /** The key of what is changed: from the conditions, or looked up first. */
  private locate(record: StoredRecord, action: Action): Located | undefined {
    const key = keyFrom(record, action.where, new Map());
    const { adds, changes, appends, removes } = action;
    const onlyAdds = adds.length > 0 && changes.length + appends.length + removes.length === 0;
    if (key !== undefined && (!key.shards || onlyAdds)) {
      return { bindings: key.bindings, also: key.rest, count: 1, lookedUpBy: undefined };
    }
    const stated = askOf(this.pattern, action, this.via);
    const names = keyAttributes(record);
    const ask = {
      ...stated,
      order: [],
      limit: undefined,
      returns: names,
      transaction: false,
      batch: undefined,
      // Who must not miss one asks for the newest state.
      consistent: stated.consistent || action.follows === true,
    };
    const read = planRead(this.facts, ask, [], this.reads.length);
    const [first] = read.requests;
    if (first === undefined) {
      this.problem = read.problem;
      return undefined;
    }
    this.rejected.push(...read.rejected);
    this.notes.push(`The key of ${record.name} is not known, so it is looked up first.`);
    // An index may tell only where the item is; the last request has the item itself.
    const request = this.reads.length + read.requests.length - 1;
    this.reads.push(...read.requests);
    const bindings = new Map([...first.bindings, ...resultBindings(names, request)]);
    // It may be changed before it is written.
    const isAsked =
      action.follows !== true && action.kind !== "delete" && action.condition?.kind !== "absent";
    const also = isAsked
      ? action.where.filter(({ attribute }) => !record.entity.id.includes(attribute))
      : [];
    return { bindings, also, count: first.expected.returned, lookedUpBy: first.bindings };
  }

  /** Reads the items that hold what a change depends on. */
  private readBefore(
    { own, action, before, more }: Step,
    needs: ReadonlySet<string>,
  ): readonly ReadBefore[] {
    const { entity } = own;
    return [own, ...partsOf(this.facts, own)].flatMap((record): readonly ReadBefore[] => {
      const held = heldBy(record.attributes);
      const attributes = [...needs].filter((name) => held.has(name) && !entity.id.includes(name));
      if (record !== own && attributes.length === 0) return [];
      const ask = askFor(entity.name, {
        part: askOf(this.pattern, action).part,
        known: before,
        returns: [...entity.attributes.keys()].filter((name) => held.has(name)),
        consistent: true,
        matches: { value: 1, assumed: false },
      });
      const read = accessPath(this.facts, tableStructure(record), ask);
      if (typeof read === "string") {
        this.problem = `${record.name} ${read}`;
        return [];
      }
      this.notes.push(`${record.name} is read first, for its old values are needed.`);
      const request = { ...read.request, ...(more.of !== undefined && { of: more.of }) };
      return [{ record, request: this.reads.push(request) - 1, attributes }];
    });
  }

  /** Aggregates that change with an entity, and that the pattern does not see to itself. */
  private aggregatesOf({ own, more }: Pick<Step, "own" | "more">): readonly Aggregate[] {
    if (more.counts === true) return [];
    return transactionalAggregates(this.facts, own.entity.name).filter(
      // A transaction names an item once, and one that it makes begins with the right number.
      ({ into: { entity, attribute } }) =>
        !this.pattern.actions.some(
          (one) =>
            one.entity === entity &&
            (one.kind === "create" ||
              one.kind === "delete" ||
              touchedBy(changesOf(one)).has(attribute)),
        ),
    );
  }

  /** An entity that lies inside another one: that one is put with it, or updated. */
  private inside(host: StoredRecord, action: Action, count: number): void {
    const made = action.kind === "create" ? this.held(action.entity, action) : false;
    if (made) return;
    const found = innerWrite(this.facts, host, action, count);
    if (typeof found === "string") this.problem = found;
    else this.actions.push(found);
  }

  /** Whether an entity lies inside of what the same pattern makes, and is put with it. */
  private held(inner: string, action?: Action): boolean {
    const made = madeHost(this.facts, this.pattern, inner);
    if (made === undefined) return false;
    // Where the host is new, so is all that lies inside of it.
    if (action?.condition !== undefined && made.action.condition?.kind !== "absent") {
      this.problem = `${inner} lies inside of ${made.host.entity.name}, which may be there already`;
    }
    return true;
  }

  /** Entities that are created or deleted with the one that the pattern names. */
  private withOther(main: Action, { entity, average }: Pattern["with"][number]): void {
    const { model, cardinality } = this.facts;
    const own = model.entities.get(main.entity) as Entity;
    const other = model.entities.get(entity) as Entity;
    const links = linkOf(this.facts, own, other, main.where, itemBindings(own), 0);
    const per = cardinality.itemsPer(other, [...links.keys()]);
    const count = average?.value ?? per?.value ?? 1;
    const items = this.facts.itemsOf(entity);
    const [host] = items.length > 0 ? [] : this.facts.hostsOf(entity);
    // It comes and goes with what it lies in.
    if (host !== undefined && !this.held(entity) && host.entity !== own) {
      this.problem = `${entity} lies inside of ${host.entity.name}, which is not written here`;
    }
    if (main.kind === "delete" && items.length > 0) {
      this.problem = `which ${entity} belong to a ${main.entity} cannot be told from what the caller names`;
    }
    const assumed = average === undefined && (per?.assumed ?? true);
    // What is created with something new is new, too.
    const condition = main.condition?.kind === "absent" ? main.condition : undefined;
    const action = { ...main, entity, condition, average: { value: count, assumed } };
    for (const record of main.kind === "delete" ? [] : items) {
      this.create(record, action, count * (this.pattern.batch?.value ?? 1));
    }
  }
}
