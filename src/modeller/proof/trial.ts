import type { SeededRandom } from "../../base/random.ts";
import type { Action, Pattern, Together } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Plan } from "../plans/plan.ts";
import type { Given } from "../requests/given.ts";
import type { Execute } from "../requests/run.ts";
import { type Answer, runPlan } from "../requests/run-plan.ts";
import type { EntityValues, Writing } from "../values/render-key.ts";
import { audit, auditStored } from "./audit.ts";
import { difference } from "./compare.ts";
import { Expectations } from "./expectations.ts";
import { findable } from "./findable.ts";
import { type Folded, parametersIn } from "./folding.ts";
import { Measured } from "./measured.ts";
import type { Sent } from "./met.ts";
import type { Caller } from "./mutants/mutant.ts";
import { expectedOf, namesItemTwice } from "./oracle/answers.ts";
import { type Effect, effectOf } from "./oracle/effects.ts";
import type { Parameters, State } from "./oracle/state.ts";
import { parametersFor } from "./parameters.ts";
import { openPeriods } from "./store.ts";
import type { Failure, World } from "./world.ts";

/** What is handed to a pattern that is tried. */
export interface Inputs {
  readonly parameters: Parameters;
  readonly items: ReadonlyMap<string, readonly EntityValues[]>;
}

/** How a write is tried: once, twice the same, or by several clients at once. */
export interface WriteTrial {
  readonly times: 1 | 2;
  readonly clients: number;
}

/** A design that is tried, and what is expected of it. */
export interface TriedDesign {
  /** The design that data is stored by. */
  readonly facts: Facts;
  /** The design as it should be: what is expected follows from it alone. */
  readonly right: Facts;
  readonly tables: ReadonlySet<string>;
  readonly folded: Folded;
  readonly now: number;
}

/** About as many pages has a Scan of a table that is read in small pages. */
const scanPages = 10;

/** One design with data in it, on which patterns are tried. */
export class Trial {
  private readonly design: TriedDesign;
  private readonly world: World;
  private readonly random: SeededRandom;
  private readonly caller: Partial<Caller>;
  private readonly expectations: Expectations;
  /** What the last run sent and got. */
  private log: Sent[] = [];
  /** What the last run sent, with the request that was refused. */
  private tried: Answer["sent"][number][] = [];
  /** What other clients have made of the tables when the first write is sent, if they change them. */
  private worldOfWrites: World | undefined;
  state: State;
  readonly measured = new Measured();
  /** How often a plan ran on this trial. */
  runs = 0;
  /** How many writes came through as they should. */
  accepted = 0;

  constructor(
    design: TriedDesign,
    world: World,
    state: State,
    random: SeededRandom,
    caller: Partial<Caller> = {},
    expectations = new Expectations(),
  ) {
    this.design = design;
    this.world = world;
    this.state = state;
    this.random = random;
    this.caller = caller;
    this.expectations = expectations;
  }

  /** Draws a shard for a write: who sends the same again sends the same shard. */
  private writing(): Writing {
    const drawn = this.random.below(2 ** 16);
    return { shard: (count) => drawn % count, now: this.design.now };
  }

  private readonly periods = (table: string): readonly string[] =>
    openPeriods(this.design.facts, table, this.state, this.design.now);

  private run(plan: Plan, asked: Inputs, writing: Writing, pageSize?: number): Promise<Answer> {
    const { execute, pattern, inputs: heard, run = runPlan } = this.caller;
    const inputs = heard?.(asked) ?? asked;
    const given: Given = {
      parameters: inputs.parameters,
      items: (entity) => inputs.items.get(entity) ?? [],
      writing,
      ...(pageSize !== undefined && { pageSize: this.pageSizeFor(plan, pageSize) }),
    };
    let { world } = this;
    const send: Execute = (operation, request) => world.execute(operation, request);
    const sender = execute?.(send) ?? send;
    const carried = pattern === undefined ? plan : { ...plan, pattern: pattern(plan.pattern) };
    this.log = [];
    this.tried = [];
    this.runs += 1;
    const { log, tried } = this;
    const noting: Execute = async (operation, request) => {
      if (isWrite(operation)) world = this.worldOfWrites ?? world;
      tried.push({ operation, request });
      const answer = await sender(operation, request);
      log.push({ operation, request, answer });
      return answer;
    };
    return run(carried, given, noting, this.periods);
  }

  /** A Scan reads all items, so pages as small as those of a Query would be hundreds of requests. */
  private pageSizeFor({ requests }: Plan, pageSize: number): number {
    const scanned = requests.flatMap((one) =>
      one.kind === "read" && one.operation === "Scan" ? [[...one.table.placements.keys()]] : [],
    );
    const items = scanned.map((names) =>
      names.reduce((sum, name) => sum + (this.state.get(name)?.length ?? 0), 0),
    );
    return Math.max(pageSize, ...items.map((count) => Math.ceil(count / scanPages)));
  }

  /** What a read is asked for: an entity that is there, with others of which it may ask too. */
  readInputs(plan: Plan, chosen: EntityValues, among: readonly EntityValues[]): Inputs | undefined {
    const [action] = plan.pattern.actions;
    if (action === undefined || among.length === 0) return undefined;
    const draw = (): EntityValues => among[this.random.below(among.length)] ?? chosen;
    const others = [draw(), draw(), draw()];
    const { entities } = this.design.right.model;
    const { attributes } = entities.get(action.entity) ?? {};
    const parameters = new Map(parametersFor(plan.pattern, action, chosen, others, attributes));
    const { actions, together } = plan.pattern;
    const named = [chosen];
    for (const part of [...actions.slice(1), ...together]) {
      for (const [name, values] of this.partParameters(plan, part, named)) {
        if (!parameters.has(name)) parameters.set(name, values);
      }
    }
    return { parameters, items: new Map() };
  }

  /** What is asked of another entity of the same answer: about one of those that there are. */
  private partParameters(plan: Plan, part: Action | Together, named: EntityValues[]): Parameters {
    const all = this.state.get(part.entity) ?? [];
    if (part.where.length === 0) return new Map();
    const drawn = all[this.random.below(all.length)] ?? new Map();
    // A transaction names an item once.
    const one = named.includes(drawn)
      ? (all.find((other) => !named.includes(other)) ?? drawn)
      : drawn;
    named.push(one);
    const draw = (): EntityValues => all[this.random.below(all.length)] ?? new Map();
    const { attributes } = this.design.right.model.entities.get(part.entity) ?? {};
    return parametersFor({ ...plan.pattern, batch: undefined }, part, one, [draw()], attributes);
  }

  /** Reads once and compares the answer with what there is. */
  async read(
    plan: Plan,
    inputs: Inputs,
    pageSize: number | undefined,
  ): Promise<Failure | undefined> {
    const { pattern } = plan;
    const folded = this.design.folded.get(pattern.id) ?? new Set();
    const where = pattern.actions.flatMap((one) => one.where);
    const asked = parametersIn(inputs.parameters, where, folded, "another case");
    const meant = parametersIn(inputs.parameters, where, folded, "one case");
    if (namesItemTwice(this.design.right.model, pattern, meant)) return undefined;
    const writing = this.writing();
    const answer = await this.run(plan, { ...inputs, parameters: asked }, writing, pageSize);
    if (pageSize === undefined) this.measured.add(answer, this.log);
    const expected = this.expectations.answer(this.state, inputs, () =>
      expectedOf(this.design.right.model, this.asWritten(plan), meant, this.state, folded),
    );
    const found = difference(pattern, expected, answer, folded);
    if (found === undefined) return undefined;
    return { ...this.failure(inputs, answer.sent), ...found, parameters: asked };
  }

  private failure(inputs: Inputs, requests: Answer["sent"]) {
    const written = new Map(
      [...inputs.items].map(([name, list]) => [name, list.map((one) => Object.fromEntries(one))]),
    );
    return { parameters: inputs.parameters, written, requests, stored: [] };
  }

  /** Whether entities that were loaded are there: none has taken the place of another one. */
  async isStored(
    watched: ReadonlyMap<string, readonly EntityValues[]>,
  ): Promise<Failure | undefined> {
    const { execute } = this.world;
    // Of an example that was made smaller some are not there any more.
    const there = new Map(
      [...watched].map(([name, list]) => {
        const all = new Set(this.state.get(name));
        return [name, list.filter((one) => all.has(one))];
      }),
    );
    const found = await auditStored(this.design, this.state, there, execute);
    return found && { ...this.failure({ parameters: new Map(), items: new Map() }, []), ...found };
  }

  /** Writes, looks at what is stored then, and reads around it. */
  async write(
    plan: Plan,
    reads: readonly Plan[],
    inputs: Inputs,
    { times, clients }: WriteTrial,
  ): Promise<Failure | undefined> {
    const before = this.state;
    const writing = this.writing();
    let sent: Answer["sent"] = [];
    for (let round = 0; round < times; round += 1) {
      const expected = this.effects(plan, inputs, clients);
      // The model reference leaves open what happens.
      if (expected === undefined) return undefined;
      const answers = await Promise.all(
        Array.from({ length: clients }, () => this.tryWrites(plan, inputs, writing, clients)),
      );
      const through = answers.filter((one) => one !== undefined);
      sent = through[0]?.sent ?? this.tried;
      if (expected === "unchanged") return this.isStored(this.state);
      if (through.length !== expected) {
        return {
          ...this.failure(inputs, sent),
          what: refusalText(clients, through.length, expected),
          expected: [expected === 0 ? "a refusal" : `${expected} of ${clients} come through`],
          got: [
            through.length === 0 ? "a refusal" : `${through.length} of ${clients} came through`,
          ],
        };
      }
      this.accepted += expected;
      if (round === 0 && clients === 1 && through[0] !== undefined) {
        this.measured.add(through[0], this.log);
      }
    }
    const { execute } = this.world;
    const own = this.failure(inputs, sent);
    const left = await audit(this.design, before, this.state, execute);
    const found = left === undefined ? await this.around(before, reads) : { ...own, ...left };
    if (found === undefined) return undefined;
    const what = clients === 1 ? found.what : `${clients} clients at once; ${found.what}`;
    const requests = left === undefined ? [...sent, ...found.requests] : sent;
    return { ...found, ...own, what, requests };
  }

  /** Writes while other clients change what is there between the reads of a pattern and its first write. */
  async race(
    plan: Plan,
    inputs: Inputs,
    state: State,
    open: () => Promise<World>,
  ): Promise<Failure | undefined> {
    const changed = await open();
    try {
      this.worldOfWrites = changed;
      this.state = state;
      const answer = await this.tryWrite(plan, inputs, this.writing());
      const isSent = answer?.sent.some(({ operation }) => isWrite(operation));
      const after = this.effect(plan, inputs);
      // A client that is refused may try again. What a client found nothing for is as it was before the others.
      if (answer === undefined || !isSent || after.kind === "untried" || after.kind === "unchanged")
        return undefined;
      const own = this.failure(inputs, answer.sent);
      const between = "another client writes in between";
      if (after.kind === "refused") {
        const what = `${between}; ${refusalText(1, 1, 0)}`;
        return { ...own, what, expected: ["a refusal"], got: ["it came through"] };
      }
      this.state = after.state;
      const left = await audit(this.design, state, this.state, changed.execute);
      return left && { ...own, ...left, what: `${between}; ${left.what}` };
    } finally {
      await changed.close();
    }
  }

  /** How many of several clients come through one after the other; the state is what they make of it. */
  private effects(plan: Plan, inputs: Inputs, clients: number): number | "unchanged" | undefined {
    let through = 0;
    for (let client = 0; client < clients; client += 1) {
      const after = this.effect(plan, inputs);
      if (after.kind === "untried") return undefined;
      if (after.kind === "unchanged") return "unchanged";
      if (after.kind === "refused") continue;
      through += 1;
      this.state = after.state;
    }
    return through;
  }

  /** What a write makes of the state. */
  effect(plan: Plan, inputs: Inputs, state: State = this.state): Effect {
    const { parameters, items } = inputs;
    const given = { parameters, items: (entity: string) => items.get(entity) ?? [] };
    return this.expectations.effect(state, inputs, () =>
      effectOf(this.design.right.model, this.asWritten(plan), given, state),
    );
  }

  /** The pattern of the document: the oracle does not see what the planner made of it. */
  private asWritten({ pattern }: Plan): Pattern {
    return this.design.right.model.patterns.get(pattern.id) ?? pattern;
  }

  /** Who has looked before writing looks again if others were faster. */
  private async tryWrites(
    plan: Plan,
    inputs: Inputs,
    writing: Writing,
    most: number,
  ): Promise<Answer | undefined> {
    const tries = plan.requests.some(({ kind }) => kind === "read") ? most : 1;
    for (let i = 0; i < tries; i += 1) {
      const answer = await this.tryWrite(plan, inputs, writing);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  private async tryWrite(
    plan: Plan,
    inputs: Inputs,
    writing: Writing,
  ): Promise<Answer | undefined> {
    try {
      const answer = await this.run(plan, inputs, writing);
      if (answer.sent.some(({ operation }) => isWrite(operation))) return answer;
      // Who looks first and finds nothing has nothing to write; what should be gone is gone then.
      return this.mayFindNothing(plan, inputs) ? answer : undefined;
    } catch (error) {
      if (!this.world.isRefusal(error)) throw error;
      return undefined;
    }
  }

  /** Whether all that is done can be done to nothing. */
  private mayFindNothing(plan: Plan, inputs: Inputs): boolean {
    const nothing: State = new Map([...this.state.keys()].map((name) => [name, []]));
    return (
      plan.pattern.actions.every(({ kind }) => kind === "delete") &&
      this.effect(plan, inputs, nothing).kind === "done"
    );
  }

  private async around(before: State, reads: readonly Plan[]): Promise<Failure | undefined> {
    for (const plan of reads) {
      const drawn = this.expectations.inputsAfterWrite(this.state, plan.pattern.id, () =>
        this.inputsAbout(plan, before),
      );
      for (const inputs of drawn) {
        const failure = await this.read(plan, inputs, 3);
        if (failure !== undefined)
          return { ...failure, what: `after it, pattern ${plan.pattern.id}: ${failure.what}` };
      }
    }
    return undefined;
  }

  /** What a read is asked about entities that a write has changed. */
  private inputsAbout(plan: Plan, before: State): readonly Inputs[] {
    const entity = plan.pattern.actions[0]?.entity ?? "";
    const old = new Set(before.get(entity));
    const now = new Set(this.state.get(entity));
    const touched = [
      ...[...now].filter((one) => !old.has(one)),
      ...[...old].filter((one) => !now.has(one)),
    ];
    const asked = findable(plan, touched).slice(0, 3);
    const among = asked.length === 0 ? [] : findable(plan, [...now]);
    return asked.flatMap((one) => this.readInputs(plan, one, among) ?? []);
  }
}

function isWrite(operation: string): boolean {
  return /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(operation);
}

function refusalText(clients: number, through: number, expected: number): string {
  if (clients > 1) {
    return `of ${clients} clients at once ${through} came through, and ${expected} should`;
  }
  return expected > through
    ? "it was refused, and should not be"
    : "it was not refused, and should be";
}
