import { describe, expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { SeededRandom } from "../../src/base/random.ts";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import type { Entity } from "../../src/model/requirements.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import { parametersFor } from "../../src/modeller/proof/parameters.ts";
import { type Choose, writeInputs } from "../../src/modeller/proof/write-inputs.ts";
import { runPlan } from "../../src/modeller/requests/run-plan.ts";
import { holds } from "../../src/modeller/values/holds.ts";
import type { EntityValues } from "../../src/modeller/values/render-key.ts";
import type { SampleOptions } from "../../src/modeller/values/sample.ts";
import {
  type Arms,
  type Estimate,
  estimatedReads,
  estimatedWrites,
  measuredArms,
  now,
  realChanges,
  type Served,
  serve,
} from "./measure.ts";

/** Items of a sample. */
const smallSample = 500;
const largeSample = 3_000;
const hugeSample = 10_000;
/** So many samples at most, for what a sample has few of. */
const samplesMax = 40;
/** What is so rare that it needs more runs is dealt out in a whole population, as the document says. */
const runsMax = 2_000;
const runsMin = 60;
/** Estimates may be off by so much where sizes are distributions; where they are fixed, by nothing. */
const tolerance = 0.02;
/** Patterns whose units were those of the estimate in every single run, and how many there were. */
const held = { exact: 0, patterns: 0 };

interface Arm {
  measured: number;
  off: number;
  squares: number;
}

/** What many runs of one pattern have used, beside what was estimated. */
class Comparison {
  readonly #arms = new Map<string, Arm>();
  runs = 0;
  refused = "";
  exact = true;

  add(measured: Arms, { arms, exact }: Estimate): void {
    this.runs += 1;
    this.exact &&= exact;
    for (const name of new Set([...measured.keys(), ...arms.keys()])) {
      const [units, estimate] = [measured.get(name) ?? 0, arms.get(name) ?? 0];
      const arm = this.#arms.get(name) ?? { measured: 0, off: 0, squares: 0 };
      this.#arms.set(name, arm);
      arm.measured += units;
      arm.off += units - estimate;
      arm.squares += (units - estimate) ** 2;
    }
  }

  /** So many runs, that three standard errors are less than what is tolerated. */
  get needed(): number {
    if (this.exact) return runsMin;
    const needs = [...this.#arms.values()].map(({ measured, off, squares }) => {
      const variance = squares / this.runs - (off / this.runs) ** 2;
      return variance <= 0 ? 0 : variance * (3 / (tolerance * (measured / this.runs))) ** 2;
    });
    return Math.max(runsMin, ...needs);
  }

  get isEnough(): boolean {
    return this.runs >= runsMin && this.runs >= this.needed;
  }

  wrong(): string[] {
    return [...this.#arms].flatMap(([name, { measured, off }]) => {
      const allowed = this.exact ? 0 : tolerance * measured;
      if (Math.abs(off) <= allowed + 1e-6) return [];
      return [
        `${name}: ${measured} measured, ${measured - off} estimated in ${this.runs} runs (${Math.round(this.needed)} would be sure)`,
      ];
    });
  }
}

function findable(plan: Plan, all: readonly EntityValues[]): readonly EntityValues[] {
  const [first] = plan.requests;
  if (first?.kind !== "read") return all;
  const only = first.record.memberships
    .filter(({ index }) => index === first.index)
    .flatMap((membership) => membership.only);
  return all.filter((values) => holds(only, first.record.entity, values));
}

async function reads(
  facts: Facts,
  plan: Plan,
  served: Served,
  comparison: Comparison,
): Promise<void> {
  const [action] = plan.pattern.actions;
  const instances = served.sample.entities.get(action?.entity ?? "") ?? [];
  const all = findable(
    plan,
    instances.map(({ values }) => values),
  );
  const asked = new Set<string>();
  for (const [turn, chosen] of all.entries()) {
    if (action === undefined || comparison.isEnough) break;
    const others = [1, 2, 3].map((step) => all[(turn + step) % all.length] as EntityValues);
    const parameters = parametersFor(plan.pattern, action, chosen, others);
    const key = JSON.stringify([...parameters]);
    if (asked.has(key)) continue;
    asked.add(key);
    const given = { parameters, items: () => [], writing: { shard: () => 0, now } };
    await runPlan(plan, given, served.execute, served.periods);
    const sent = served.sent();
    comparison.add(measuredArms(facts, sent, "read"), estimatedReads(facts, plan, sent));
  }
}

/** Where sizes differ, few runs tell little: whole populations, then others with other dice. */
function* samples(entities: ReadonlySet<string>): Generator<Omit<SampleOptions, "now">> {
  yield { items: largeSample, seed: 2, about: { entities, fanOutMax: 12 } };
  yield { items: largeSample, seed: 3, about: { entities, fanOutMax: 1, fanOutMin: 1 } };
  yield { items: hugeSample, seed: 4, about: { entities, fanOutMax: 1, fanOutMin: 1 } };
  for (let seed = 5; seed < samplesMax; seed += 1) {
    yield { items: smallSample, seed, about: { entities, fanOutMax: 12 } };
  }
}

/** Multiples of these two fill a square evenly: large and small before a change meet large and small after it. */
const steps = [0.7548776662466927, 0.5698402909980532] as const;

const spread = (turn: number, length: number): number =>
  Math.floor((((turn + 0.5) * steps[1]) % 1) * length);

/** Steps of this length come to every place once. */
function strideOf(length: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let stride = Math.max(1, Math.round(length * steps[0]));
  while (divisor(stride, length) !== 1) stride += 1;
  return stride;
}

/** Goes through all sizes of entities, and takes none twice that a pattern has changed. */
class Deck {
  readonly #next = new Map<string, number>();
  readonly #used = new Set<EntityValues>();
  readonly #sorted = new Map<readonly EntityValues[], readonly EntityValues[]>();
  readonly #versioned = new Map<readonly EntityValues[], Entity>();
  /** Those that the last run was about. */
  targets: EntityValues[] = [];

  constructor({ model }: Facts, state: ReadonlyMap<string, readonly EntityValues[]>) {
    for (const { versioning } of model.design?.tables.values() ?? []) {
      const [entity, list] = [versioning?.entity ?? "", state.get(versioning?.entity ?? "")];
      if (list !== undefined) this.#versioned.set(list, model.entities.get(entity) as Entity);
    }
  }

  readonly choose: Choose = (list, purpose, fits) => {
    const [first] = list;
    if (first === undefined) return undefined;
    const key = `${purpose} ${[...first.keys()].join(" ")}`;
    const turn = this.#next.get(key) ?? 0;
    this.#next.set(key, turn + 1);
    const sorted = this.#bySize(list);
    if (purpose === "value") {
      const fitting = sorted.filter(fits);
      return fitting[spread(turn, fitting.length)];
    }
    const stride = strideOf(list.length);
    for (let i = 0; i < list.length; i += 1) {
      const one = sorted[((turn + i) * stride) % list.length] as EntityValues;
      if ((purpose === "target" && this.#used.has(one)) || !fits(one)) continue;
      if (purpose === "target") this.targets.push(one);
      const versioned = purpose === "like" ? this.#versioned.get(list) : undefined;
      if (versioned === undefined) return one;
      // A new version is not like the one before.
      const other = sorted[spread(turn, list.length)] as EntityValues;
      const ids = versioned.id.flatMap((name) => [[name, one.get(name)] as const]);
      return new Map([...other, ...ids]) as EntityValues;
    }
    return undefined;
  };

  #bySize(list: readonly EntityValues[]): readonly EntityValues[] {
    const size = (values: EntityValues): number => JSON.stringify([...values]).length;
    const sorted =
      this.#sorted.get(list) ??
      list
        .map((values) => ({ values, bytes: size(values) }))
        .sort((a, b) => a.bytes - b.bytes)
        .map(({ values }) => values);
    this.#sorted.set(list, sorted);
    return sorted;
  }

  /** What was changed or deleted is no longer as the sample has it. */
  discard(): void {
    for (const one of this.targets) this.#used.add(one);
  }
}

async function writes(
  facts: Facts,
  plan: Plan,
  served: Served,
  comparison: Comparison,
): Promise<void> {
  const random = new SeededRandom(5, 5);
  const state = new Map(
    [...served.sample.entities].map(([name, list]) => [name, list.map(({ values }) => values)]),
  );
  // What is changed is used up; of what is created there are as many as of what it is like.
  const population = Math.max(
    ...plan.pattern.actions.map(({ entity }) => state.get(entity)?.length ?? 0),
  );
  const writing = { shard: (count: number) => random.below(count), now };
  const changes = plan.pattern.actions.some(
    (action) =>
      action.kind === "delete" ||
      action.changes.length + action.appends.length + action.removes.length > 0,
  );
  const deck = new Deck(facts, state);
  for (let run = 0; run < population && !comparison.isEnough; run += 1) {
    deck.targets = [];
    const drawn = writeInputs(facts, plan.pattern, state, random, writing, deck.choose);
    if (drawn === undefined) break;
    const given = { ...drawn, parameters: realChanges(plan, facts, drawn, deck.targets, random) };
    try {
      await runPlan(plan, given, served.execute, served.periods);
      const sent = served.sent();
      comparison.add(
        measuredArms(facts, sent, "write"),
        estimatedWrites(facts, plan, sent, given, deck.targets),
      );
    } catch (error) {
      // What is refused writes nothing: two of the drawn entities cannot be there together.
      if (!(error instanceof ServiceError) || error.status !== 400) throw error;
      comparison.refused = error.message;
      served.sent();
    }
    if (changes) deck.discard();
  }
}

/** Sizes at the edges of units: 4,096 and 4,097 bytes, and three times 1,366, which is 4,098. */
const edges = `keywright: 1
name: edges
entities:
  Full:
    id: [fullId]
    count: 40
    attributes: { fullId: { type: S, format: uuid }, text: { type: S, bytes: 4050 } }
  Over:
    id: [overId]
    count: 40
    attributes: { overId: { type: S, format: uuid }, text: { type: S, bytes: 4051 } }
  Child:
    id: [fullId, n]
    count: 120
    attributes: { fullId: { type: S, format: uuid }, n: { type: N, digits: 2 }, text: { type: S, bytes: 1317 } }
relations: [{ from: Full, to: Child, kind: one-to-many, average: 3, identifying: true }]
patterns:
  full: { name: full, read: Full, where: { fullId: equals }, rps: 1 }
  over: { name: over, read: Over, where: { overId: equals }, consistency: strong, rps: 1 }
  children: { name: children, read: Child, where: { fullId: equals }, rps: 1 }
  make: { name: make, create: Full, condition: absent, rps: 1 }
  more: { name: more, create: Over, condition: absent, rps: 1 }
design:
  tables:
    Fulls: { key: { fullId: S }, entities: { Full: { key: { fullId: "{fullId}" } } } }
    Overs: { key: { overId: S }, entities: { Over: { key: { overId: "{overId}" } } } }
    Children: { key: { fullId: S, n: N }, entities: { Child: { key: { fullId: "{fullId}", n: "{n}" } } } }
`;

/** Compares the units of all patterns of one kind with their estimates, and tells what is wrong. */
export function unitTests(kind: "read" | "write", least: typeof held): void {
  describe.each([...examples, ["sizes at the edges", edges] as const])(
    "the units of %s",
    (_, text) => {
      const model = modelOf(text);
      const facts = new Facts(model);
      const plans = [...plansOf(facts)].filter(([, { problem }]) => problem === undefined);

      test(`that patterns which ${kind} use are those of the estimate`, {
        timeout: 400_000,
      }, async () => {
        const wrong: string[] = [];
        const check = kind === "read" ? reads : writes;
        let small: Served | undefined;
        for (const [id, plan] of plans.filter((one) => one[1].pattern.kind === kind)) {
          const comparison = new Comparison();
          small ??= await serve(model, { items: smallSample });
          await check(facts, plan, small, comparison);
          if (kind === "write") {
            await small.close();
            small = undefined;
          }
          const entities = new Set(plan.pattern.actions.map(({ entity }) => entity));
          for (const sample of samples(entities)) {
            if (comparison.exact || comparison.isEnough) break;
            const { needed, runs } = comparison;
            if (sample.items === smallSample && needed > runsMax) break;
            if (sample.items === hugeSample && (needed <= runsMax || runs > runsMax * 0.6))
              continue;
            const served = await serve(model, sample);
            await check(facts, plan, served, comparison);
            await served.close();
          }
          if (comparison.runs === 0) {
            wrong.push(`${id}: never ran, ${comparison.refused}`);
          }
          held.patterns += 1;
          if (comparison.exact) held.exact += 1;
          wrong.push(...comparison.wrong().map((one) => `${id}: ${one}`));
        }
        await small?.close();
        expect(wrong).toEqual([]);
      });
    },
  );

  test("most patterns are held to the unit, in every run", () => {
    expect(held.patterns).toBeGreaterThan(least.patterns);
    expect(held.exact).toBeGreaterThan(least.exact);
  });
}
