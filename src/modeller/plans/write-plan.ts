import { transactionActionsMax } from "../../api/limits.ts";
import type { Aggregate } from "../../model/design.ts";
import type { Action, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { askOf } from "./ask.ts";
import { remadeFrom } from "./index-keys.ts";
import { heldBy, innerWrite, madeHost } from "./inner-writes.ts";
import { linkOf } from "./links.ts";
import {
  type Binding,
  type Bindings,
  type Changes,
  noChanges,
  type PlannedRequest,
  type ReadRequest,
  type Rejection,
  touchedBy,
  type WriteAction,
  type WriteRequest,
} from "./plan.ts";
import { attributeName, candidateOf } from "./read-candidate.ts";
import { planRead } from "./read-plan.ts";
import { tableStructure } from "./structures.ts";
import {
  aggregateUpdate,
  changesIn,
  changesOf,
  companionShare,
  companionsOf,
  countedNames,
  itemBindings,
  keyFrom,
  transactionalAggregates,
  write,
} from "./write-actions.ts";
import {
  becauseOf,
  bothOf,
  guarded,
  isSameTarget,
  keyAttributes,
  resultBindings,
  stillOwned,
} from "./write-parts.ts";

export interface WritePlan {
  readonly requests: readonly PlannedRequest[];
  readonly notes: readonly string[];
  readonly rejected: readonly Rejection[];
  readonly problem: string | undefined;
}

/** The requests of a pattern that writes. */
export function planWrite(facts: Facts, pattern: Pattern): WritePlan {
  return new Writing(facts, pattern).plan();
}

class Writing {
  private readonly facts: Facts;
  private readonly pattern: Pattern;
  private readonly reads: ReadRequest[] = [];
  private readonly actions: WriteAction[] = [];
  private readonly notes: string[] = [];
  private readonly rejected: Rejection[] = [];
  private problem: string | undefined;
  /** Some of the items only make sense together. */
  private atomic: boolean;

  constructor(facts: Facts, pattern: Pattern) {
    this.facts = facts;
    this.pattern = pattern;
    this.atomic = pattern.transaction;
  }

  plan(): WritePlan {
    for (const action of this.pattern.actions) this.add(action);
    const [main] = this.pattern.actions;
    for (const { entity, average } of this.pattern.with) {
      if (main === undefined) continue;
      const kind = main.kind === "delete" ? "delete" : "create";
      this.withOther(kind, main, entity, average?.value);
    }
    const requests = this.problem === undefined ? [...this.reads, ...this.requests()] : [];
    const { notes, rejected, problem } = this;
    return { requests: problem === undefined ? requests : [], notes, rejected, problem };
  }

  private add(action: Action): void {
    const times = action.average.value * (this.pattern.batch?.value ?? 1);
    const items = this.facts.itemsOf(action.entity);
    if (items.length === 0) {
      const [host] = this.facts.hostsOf(action.entity);
      if (host === undefined) this.problem = `${action.entity} is in no table`;
      else this.inside(host, action, times);
      return;
    }
    for (const record of items) {
      if (action.kind === "create") this.create(record, action, times);
      else this.change(record, action, times);
    }
  }

  private create(record: StoredRecord, action: Action, count: number): void {
    const bindings = itemBindings(record.entity);
    const countAssumed = action.average.assumed;
    const companions = companionsOf(this.facts, record);
    const condition = this.createCondition(record, action, companions);
    const holding = heldBy(this.pattern, record);
    this.actions.push(
      write("put", record, bindings, {
        count,
        countAssumed,
        condition,
        ...(holding.length > 0 && { holding }),
      }),
    );
    for (const one of companions) {
      const share = companionShare(this.facts, one);
      if (one.role !== "split") this.atomic = true;
      this.actions.push(
        write("put", one, bindings, {
          count: count * share,
          countAssumed,
          condition: one.role === "unique" ? { kind: "absent" } : undefined,
          because: becauseOf(one),
          ...(one.role === "split" && condition?.kind !== "absent" && { replaces: true as const }),
        }),
      );
    }
    this.aggregates(action, bindings, 1, count);
  }

  /**
   * What must hold for a create. What replaces an item does not know the unique values and aggregates of the old one, nor
   * what is embedded in it.
   */
  private createCondition(
    { name, attributes }: StoredRecord,
    action: Action,
    companions: readonly StoredRecord[],
  ): Action["condition"] {
    const { condition } = action;
    const isGuarded = companions.some(({ role }) => role === "unique");
    const isHost = attributes.some(({ content }) => content.kind === "embedded");
    if (condition?.kind === "absent" || !(isGuarded || isHost || this.kept(action).length > 0)) {
      return condition;
    }
    if (condition !== undefined) {
      const kept = isGuarded ? "unique values" : isHost ? "embedded entities" : "aggregates";
      this.problem = `a create that replaces ${name} does not know the ${kept} of the old item; use 'update'`;
    }
    return { kind: "absent" };
  }

  private change(record: StoredRecord, action: Action, times: number): void {
    const found = this.locate(record, action);
    if (found === undefined) return;
    const { bindings, also } = found;
    const count = times * found.count;
    const changes = changesOf(action);
    const touched = touchedBy(changes);
    const { condition, kind } = action;
    if (kind === "check") {
      this.actions.push(write("check", record, bindings, { count, condition, also }));
      return;
    }
    const companions = companionsOf(this.facts, record);
    const guards = companions.filter(
      (one) => one.role === "unique" && (kind === "delete" || touched.has(guarded(one))),
    );
    const moves = kind === "update" && keyAttributes(record).some((name) => touched.has(name));
    const known = guards.some((one) => keyFrom(one, action.where, new Map()) === undefined);
    const unknown = [...(kind === "update" ? remadeFrom(record, changes) : [])].filter(
      (name) => !bindings.has(name),
    );
    const counts = this.kept(action).filter(
      (one) => kind === "delete" || countedNames(this.facts, one).some((name) => touched.has(name)),
    );
    const uncounted = counts.some((one) =>
      countedNames(this.facts, one).some(
        (name) => !bindings.has(name) && !changes.adds.some(({ attribute }) => attribute === name),
      ),
    );
    const before =
      (guards.length > 0 && known) || moves || unknown.length > 0 || uncounted
        ? this.readBefore(record, action, bindings)
        : undefined;
    const old: Bindings = before === undefined ? bindings : resultBindings(record.entity, before);
    const remade: Bindings =
      before === undefined
        ? bindings
        : new Map([
            ...bindings,
            ...unknown.map((name): [string, Binding] => [
              name,
              { kind: "result", request: before, attribute: name },
            ]),
          ]);
    const used = moves
      ? [...record.entity.attributes.keys()]
      : [
          ...guards.map(guarded),
          ...unknown,
          ...counts.flatMap((one) => countedNames(this.facts, one)),
        ];
    const asRead = before === undefined ? {} : this.asRead(record, before, used, condition);
    // The value may have changed since it was read: then another item guards it, and this one may be of another entity.
    const isRead = before !== undefined && asRead.asRead === undefined;
    const guarding = isRead ? stillOwned(action, record.entity) : {};
    if (kind === "delete") {
      // What is not there any more has been taken off the number by somebody else.
      const still = condition ?? (counts.length > 0 ? { kind: "exists" as const } : undefined);
      this.actions.push(
        write("delete", record, bindings, { count, condition: still, also, ...asRead }),
      );
      for (const one of companions) {
        if (one.role !== "split") this.atomic = true;
        const share = companionShare(this.facts, one);
        this.actions.push(
          write("delete", one, one.role === "unique" ? old : bindings, {
            count: count * share,
            because: becauseOf(one),
            ...(one.role === "unique" && guarding),
          }),
        );
      }
      this.aggregates(action, old, -1, count);
      return;
    }
    if (moves && record.attributes.some(({ content }) => content.kind === "embedded")) {
      this.problem = `the key of ${record.name} changes, and others lie inside of it`;
    }
    if (moves) {
      this.atomic = true;
      const because = "its key changes, so it is deleted and put again";
      this.actions.push(
        write("delete", record, old, { count, condition, also, because, ...asRead }),
        write("put", record, old, { count, because, changes }),
      );
    } else {
      const own = changesIn(record, changes);
      const ownTouched = touchedBy(own).size > 0;
      // What is asked of the item holds for its parts, too.
      if (ownTouched || condition !== undefined || also.length > 0) {
        this.actions.push(
          ownTouched
            ? write("update", record, remade, { count, condition, also, changes: own, ...asRead })
            : write("check", record, bindings, { count, condition, also }),
        );
      }
    }
    for (const one of companions) {
      const part = changesIn(one, changes);
      if (one.role === "unique") continue;
      if (touchedBy(part).size === 0) continue;
      if (one.role === "latest") this.atomic = true;
      this.actions.push(
        write("update", one, bindings, { count, changes: part, because: becauseOf(one) }),
      );
    }
    for (const one of guards) {
      this.atomic = true;
      const because = becauseOf(one);
      this.actions.push(
        write("delete", one, old, { count, because, ...guarding }),
        write("put", one, old, { count, condition: { kind: "absent" }, because, changes }),
      );
    }
    for (const aggregate of counts) this.recount(aggregate, changes, old, count);
  }

  /** What an update means for a number: less by what the item counted before, and more by what it counts then. */
  private recount(aggregate: Aggregate, changes: Changes, old: Bindings, count: number): void {
    const { attribute = "", into } = aggregate;
    const added = changes.adds.find((one) => one.attribute === attribute);
    if (added !== undefined) {
      const adds = [{ attribute: into.attribute, amount: added.amount }];
      this.aggregate(aggregate, old, 1, count, { ...noChanges, adds });
      return;
    }
    const after = new Map([...old, ...changes.sets.map((one) => [one.attribute, one.to] as const)]);
    for (const name of changes.removes) after.delete(name);
    const names = countedNames(this.facts, aggregate);
    if (["count", "sum"].includes(aggregate.what)) this.aggregate(aggregate, old, -1, count);
    if (names.every((name) => after.has(name))) this.aggregate(aggregate, after, 1, count);
  }

  /** The key of what is changed: from the conditions, or looked up first. */
  private locate(
    record: StoredRecord,
    action: Action,
  ):
    | { readonly bindings: Bindings; readonly also: WriteAction["also"]; readonly count: number }
    | undefined {
    const key = keyFrom(record, action.where, new Map());
    const { adds, changes, appends, removes } = action;
    const onlyAdds = adds.length > 0 && changes.length + appends.length + removes.length === 0;
    if (key !== undefined && (!key.shards || onlyAdds)) {
      return { bindings: key.bindings, also: key.rest, count: 1 };
    }
    const ask = askOf(this.pattern, action);
    const names = keyAttributes(record);
    const read = planRead(
      this.facts,
      {
        ...ask,
        order: [],
        limit: undefined,
        returns: names,
        transaction: false,
        batch: undefined,
        // Who must not miss one asks for the newest state.
        consistent: ask.consistent || action.follows === true,
      },
      [],
      this.reads.length,
    );
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
    const bindings = new Map<string, Binding>(first.bindings);
    for (const attribute of names) bindings.set(attribute, { kind: "result", request, attribute });
    return { bindings, also: [], count: first.expected.returned };
  }

  /** Reads an item before it is changed, for values that are needed and not known. */
  private readBefore(record: StoredRecord, action: Action, bindings: Bindings): number {
    const held = new Set(record.attributes.flatMap(attributeName));
    const read = candidateOf(this.facts, tableStructure(record), {
      ...askOf(this.pattern, action),
      where: [],
      order: [],
      limit: undefined,
      known: bindings,
      returns: [...record.entity.attributes.keys()].filter((name) => held.has(name)),
      consistent: true,
      transaction: false,
      batch: undefined,
      matches: { value: 1, assumed: false },
    });
    if (typeof read === "string") this.problem = `${record.name} ${read}`;
    else this.reads.push(read.request);
    this.notes.push(`${record.name} is read first, for its old values are needed.`);
    return this.reads.length - 1;
  }

  /** What was read and can change must be the same when it is written, or what follows from it is wrong. */
  private asRead(
    record: StoredRecord,
    request: number,
    names: readonly string[],
    condition: Action["condition"],
  ): Pick<WriteAction, "asRead"> {
    const { attributes, id } = record.entity;
    const held = new Set(record.attributes.flatMap(attributeName));
    const changing = [...new Set(names)].filter(
      (name) => held.has(name) && !id.includes(name) && attributes.get(name)?.mutable === true,
    );
    // An item of the version that the caller has seen is as it was read.
    if (changing.length === 0 || condition?.kind === "version") return {};
    return { asRead: { request, attributes: changing } };
  }

  private aggregates(action: Action, known: Bindings, sign: 1 | -1, count: number): void {
    for (const aggregate of this.kept(action)) this.aggregate(aggregate, known, sign, count);
  }

  /** Numbers that change with an action, and that the pattern does not see to itself. */
  private kept(action: Action): readonly Aggregate[] {
    return transactionalAggregates(this.facts, action.entity).filter(
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

  private aggregate(
    aggregate: Aggregate,
    known: Bindings,
    sign: 1 | -1,
    count: number,
    changes?: Changes,
  ): void {
    const kept = aggregateUpdate(this.facts, aggregate, known, sign, count);
    const update = kept && changes ? { ...kept, changes } : kept;
    const { into } = aggregate;
    if (update === undefined) {
      this.problem = `which ${into.entity} holds ${into.attribute} cannot be told from ${aggregate.of}`;
      return;
    }
    this.atomic = true;
    // A transaction names an item once: several numbers of one are changed at once.
    const same = this.actions.findIndex((one) => isSameTarget(one, update));
    const there = this.actions[same];
    if (there === undefined) this.actions.push(update);
    else this.actions[same] = bothOf(there, update);
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

  private withOther(
    kind: "create" | "delete",
    main: Action,
    entity: string,
    average: number | undefined,
  ): void {
    const [own, other] = [main.entity, entity].map((name) => this.facts.model.entities.get(name));
    if (own === undefined || other === undefined) return;
    const links = linkOf(this.facts, own, other, main.where, itemBindings(own), 0);
    const per = this.facts.cardinality.itemsPer(other, [...links.keys()]);
    const count = average ?? per?.value ?? 1;
    const [host] = this.facts.itemsOf(entity).length > 0 ? [] : this.facts.hostsOf(entity);
    // It comes and goes with what it lies in.
    if (host !== undefined && !this.held(entity) && host.entity !== own) {
      this.problem = `${entity} lies inside of ${host.entity.name}, which is not written here`;
    }
    const times = count * (this.pattern.batch?.value ?? 1);
    const assumed = average === undefined && (per?.assumed ?? true);
    for (const record of this.facts.itemsOf(entity)) {
      if (kind === "delete") {
        this.problem = `which ${entity} belong to a ${main.entity} cannot be told from what the caller names`;
        continue;
      }
      const action = { ...main, entity, condition: undefined, average: { value: count, assumed } };
      this.create(record, action, times);
    }
  }

  private requests(): readonly WriteRequest[] {
    const { actions } = this;
    const total = actions.reduce((sum, { count }) => sum + count, 0);
    const [only] = actions;
    const isConditional = actions.some(
      ({ condition, also }) => condition !== undefined || also.length > 0,
    );
    const isPlain = actions.every(({ kind }) => kind === "put" || kind === "delete");
    if (only === undefined) return [];
    // What lies inside of an item needs no transaction to be written with it.
    const isOne = actions.length === 1 && total <= 1;
    if (isOne && (!this.atomic || only.holding !== undefined)) return [single(only)];
    if (!this.atomic && isPlain && !isConditional) {
      return [{ kind: "write", operation: "BatchWriteItem", actions }];
    }
    if (!this.atomic && actions.length === 1) {
      this.notes.push("Each item is written by a request of its own.");
      return [single(only)];
    }
    if (total > transactionActionsMax) {
      this.notes.push(`A transaction has at most ${transactionActionsMax} actions.`);
    }
    const hosts = actions.flatMap(({ inner, record }) => (inner === undefined ? [] : [record]));
    const [twice] = hosts.filter(
      (one) => actions.filter(({ record }) => record === one).length > 1,
    );
    if (twice !== undefined) this.problem = `a transaction writes ${twice.name} once`;
    return [{ kind: "write", operation: "TransactWriteItems", actions }];
  }
}

function single(action: WriteAction): WriteRequest {
  const operation =
    action.kind === "put" ? "PutItem" : action.kind === "delete" ? "DeleteItem" : "UpdateItem";
  return { kind: "write", operation, actions: [action] };
}
