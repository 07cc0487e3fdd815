import type { SeededRandom } from "../../base/random.ts";
import type { Model } from "../../model/model.ts";
import type { Facts } from "../facts.ts";
import type { Plan } from "../plans/plan.ts";
import type { Execute } from "../requests/run.ts";
import { type Answer, runPlan } from "../requests/run-plan.ts";
import { tableName } from "../requests/table-requests.ts";
import { holds } from "../values/holds.ts";
import { holdsPart, itemFor } from "../values/item-of.ts";
import type { EntityValues, Writing } from "../values/render-key.ts";
import { currentPeriods, periodName, timeOf } from "../values/time-of.ts";
import { difference } from "./compare.ts";
import { effectOf } from "./effects.ts";
import { expectedOf, type State } from "./oracle.ts";
import { parametersFor } from "./parameters.ts";
import { writeInputs } from "./write-inputs.ts";

/** Tables that are made for a proof and thrown away after it. */
export interface World {
  readonly execute: Execute;
  /** Whether an error is the service's word that a condition did not hold. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly close: () => Promise<void>;
}

export type OpenWorld = (model: Model) => Promise<World>;

/** What went wrong, with what. */
export interface Failure {
  readonly what: string;
  readonly parameters: ReadonlyMap<string, readonly object[]>;
  readonly requests: Answer["sent"];
}

/** One design with data in it, on which patterns are tried. */
export class Trial {
  private readonly facts: Facts;
  private readonly world: World;
  private readonly random: SeededRandom;
  private readonly now: number;
  state: State;
  readonly measured = { calls: 0, units: 0, runs: 0 };

  constructor(facts: Facts, world: World, state: State, random: SeededRandom, now: number) {
    this.facts = facts;
    this.world = world;
    this.state = state;
    this.random = random;
    this.now = now;
  }

  private get writing() {
    return { shard: (count: number) => this.random.below(count), now: this.now };
  }

  /** Writings that all draw the same shards. */
  private repeated(): () => Writing {
    const drawn: number[] = [];
    return () => {
      let next = 0;
      const shard = (count: number): number => {
        drawn[next] ??= this.random.below(count);
        next += 1;
        return drawn[next - 1] as number;
      };
      return { shard, now: this.now };
    };
  }

  /** Stores every entity as the design says. */
  async load(tables: ReadonlySet<string>): Promise<void> {
    const requests = new Map<string, object[]>();
    for (const record of this.facts.records) {
      if (!tables.has(record.table.name)) continue;
      for (const values of this.state.get(record.entity.name) ?? []) {
        if (record.role === "latest" && !this.isLatest(record.entity.name, values)) continue;
        const item = itemFor(record, values, this.writing, (inner) =>
          this.inside(record.entity.name, values, inner),
        );
        if (item === undefined || (record.role === "split" && !holdsPart(record, values))) continue;
        const { periods } = record.table;
        const attribute = periods && record.entity.attributes.get(periods.attribute);
        const time = attribute && timeOf(attribute, values.get(attribute.name));
        const name = tableName(
          record.table,
          periods && time !== undefined ? periodName(periods.every, time) : undefined,
        );
        requests.set(name, [...(requests.get(name) ?? []), { PutRequest: { Item: item } }]);
      }
    }
    for (const [name, list] of requests) {
      for (let at = 0; at < list.length; at += 25) {
        await this.world.execute("BatchWriteItem", {
          RequestItems: { [name]: list.slice(at, at + 25) },
        });
      }
    }
  }

  private isLatest(name: string, values: EntityValues): boolean {
    const entity = this.facts.model.entities.get(name);
    const version = [...(this.facts.model.design?.tables.values() ?? [])].find(
      ({ versioning }) => versioning?.entity === name,
    )?.versioning?.attribute;
    if (entity === undefined || version === undefined) return false;
    const rest = entity.id.filter((one) => one !== version);
    const number = (one: EntityValues): number => {
      const value = one.get(version);
      return value !== undefined && "N" in value ? Number(value.N) : 0;
    };
    return (this.state.get(name) ?? [])
      .filter((one) =>
        rest.every((key) => JSON.stringify(one.get(key)) === JSON.stringify(values.get(key))),
      )
      .every((one) => number(one) <= number(values));
  }

  private inside(host: string, values: EntityValues, inner: string): readonly EntityValues[] {
    const [own, other] = [host, inner].map((name) => this.facts.model.entities.get(name));
    if (own === undefined || other === undefined) return [];
    const link = [...other.attributes.keys()].find(
      (name) => name === own.id[0] || this.facts.cardinality.parentOf(other, name) === own,
    );
    if (link === undefined) return [];
    const id = JSON.stringify(values.get(own.id[0] ?? ""));
    return (this.state.get(inner) ?? [])
      .filter((one) => JSON.stringify(one.get(link)) === id)
      .map((one) => new Map([...one].filter(([name]) => name !== link)));
  }

  private readonly periods = (table: string): readonly string[] => {
    const every = this.facts.model.design?.tables.get(table)?.periods?.every;
    return every === undefined ? [] : currentPeriods(every, this.now);
  };

  /** Reads once, for an entity or one by chance. */
  async read(
    plan: Plan,
    pageSize: number | undefined,
    chosen?: EntityValues,
  ): Promise<Failure | undefined> {
    const { pattern } = plan;
    const [action] = pattern.actions;
    const all = this.findable(plan, this.state.get(action?.entity ?? "") ?? []);
    const draw = (): EntityValues => all[this.random.below(all.length)] ?? new Map();
    if (action === undefined || all.length === 0) return undefined;
    const given = {
      parameters: parametersFor(pattern, action, chosen ?? draw(), [draw(), draw(), draw()]),
      items: () => [],
      writing: this.writing,
      ...(pageSize !== undefined && { pageSize }),
    };
    const answer = await runPlan(plan, given, this.world.execute, this.periods);
    if (pageSize === undefined) {
      this.measured.runs += 1;
      this.measured.calls += answer.sent.length;
      this.measured.units += [...answer.consumed.values()].reduce((sum, units) => sum + units, 0);
    }
    const what = difference(pattern, expectedOf(this.facts, pattern, given, this.state), answer);
    return what === undefined
      ? undefined
      : { what, parameters: given.parameters, requests: answer.sent };
  }

  /** Entities that a plan can find: those that are in the sparse indexes that it uses. */
  findable(plan: Plan, all: readonly EntityValues[]): readonly EntityValues[] {
    const reads = plan.requests.flatMap((one) => (one.kind === "read" ? [one] : []));
    const name = plan.pattern.actions[0]?.entity;
    const own = reads.filter(({ record }) => record.entity.name === name);
    return all.filter((values) =>
      own.every(({ record, index }) => {
        const membership = record.memberships.find((one) => one.index === index);
        return membership === undefined || holds(membership.only, record.entity, values);
      }),
    );
  }

  /** Writes once, then reads around what was written. `again` sends the same a second time. */
  async write(plan: Plan, reads: readonly Plan[], again: boolean): Promise<Failure | undefined> {
    const inputs = writeInputs(this.facts, plan.pattern, this.state, this.random, this.writing);
    if (inputs === undefined) return undefined;
    const before = this.state;
    const repeated = this.repeated();
    for (let round = 0; round < (again ? 2 : 1); round += 1) {
      // Who sends the same again sends the same shards.
      const given = { ...inputs, writing: repeated() };
      const after = effectOf(this.facts, plan.pattern, given, this.state);
      const answer = await runPlan(plan, given, this.world.execute, this.periods).catch(
        (error: unknown) => {
          if (!this.world.isRefusal(error)) throw error;
          return undefined;
        },
      );
      const requests = answer?.sent ?? [];
      if ((answer === undefined) !== (after === undefined)) {
        const what =
          answer === undefined
            ? "it was refused, and should not be"
            : "it was not refused, and should be";
        return { what, parameters: given.parameters, requests };
      }
      if (round === 0 && answer !== undefined) {
        this.measured.runs += 1;
        this.measured.calls += answer.sent.length;
        this.measured.units += [...answer.consumed.values()].reduce((sum, units) => sum + units, 0);
      }
      this.state = after ?? this.state;
    }
    return this.around(before, reads);
  }

  /** Several clients send the same at once: as many come through as one after the other, and nothing is lost. */
  async race(plan: Plan, reads: readonly Plan[], clients: number): Promise<Failure | undefined> {
    const given = writeInputs(this.facts, plan.pattern, this.state, this.random, this.writing);
    if (given === undefined) return undefined;
    const before = this.state;
    const repeated = this.repeated();
    let expected = 0;
    for (let client = 0; client < clients; client += 1) {
      const after = effectOf(this.facts, plan.pattern, given, this.state);
      if (after === undefined) continue;
      expected += 1;
      this.state = after;
    }
    const outcomes = await Promise.all(
      Array.from({ length: clients }, () =>
        runPlan(plan, { ...given, writing: repeated() }, this.world.execute, this.periods).then(
          () => true,
          (error: unknown) => {
            if (!this.world.isRefusal(error)) throw error;
            return false;
          },
        ),
      ),
    );
    const through = outcomes.filter((one) => one).length;
    if (through !== expected) {
      const what = `of ${clients} clients at once ${through} came through, and ${expected} should`;
      return { what, parameters: given.parameters, requests: [] };
    }
    const failure = await this.around(before, reads);
    return failure && { ...failure, what: `${clients} clients at once; ${failure.what}` };
  }

  private async around(before: State, reads: readonly Plan[]): Promise<Failure | undefined> {
    for (const plan of reads) {
      const entity = plan.pattern.actions[0]?.entity ?? "";
      const [old, now] = [before.get(entity) ?? [], this.state.get(entity) ?? []];
      const touched = [
        ...now.filter((one) => !old.includes(one)),
        ...old.filter((one) => !now.includes(one)),
      ];
      for (const one of this.findable(plan, touched).slice(0, 3)) {
        const failure = await this.read(plan, 3, one);
        if (failure !== undefined)
          return { ...failure, what: `after it, pattern ${plan.pattern.id}: ${failure.what}` };
      }
    }
    return undefined;
  }
}
