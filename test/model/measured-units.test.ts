import { describe, expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { SeededRandom } from "../../src/base/random.ts";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import { parametersFor } from "../../src/modeller/proof/parameters.ts";
import { writeInputs } from "../../src/modeller/proof/write-inputs.ts";
import { runPlan } from "../../src/modeller/requests/run-plan.ts";
import { holds } from "../../src/modeller/values/holds.ts";
import type { EntityValues } from "../../src/modeller/values/render-key.ts";
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
  targetsOf,
} from "./measure.ts";

const readsMax = 100;
const writesMax = 60;
/** Patterns whose units were those of the estimate in every single run, and how many there were. */
const held = { exact: 0, patterns: 0 };

/** A certificate for who has none cannot be drawn from those who have one. */
const hopeless = new Set(["learning 21"]);

/** What many runs of one pattern have used, beside what was estimated. */
class Comparison {
  readonly #differences = new Map<string, number[]>();
  readonly #measured = new Map<string, number>();
  runs = 0;
  refused = "";
  exact = true;

  readonly #population: number;
  readonly #sparse = new Set<string>();

  /** Of so many entities the runs are. */
  constructor(population: number) {
    this.#population = population;
  }

  add(measured: Arms, { arms, exact, open, sparse }: Estimate): void {
    for (const name of sparse) this.#sparse.add(name);
    this.runs += 1;
    this.exact &&= exact;
    for (const name of new Set([...measured.keys(), ...arms.keys()])) {
      if (open.has(name)) continue;
      const [units, estimate] = [measured.get(name) ?? 0, arms.get(name) ?? 0];
      const list = this.#differences.get(name) ?? [];
      this.#differences.set(name, [...list, units - estimate]);
      this.#measured.set(name, (this.#measured.get(name) ?? 0) + units);
    }
  }

  /** Arms that are off by more than 2 %, and by more than so few draws can tell: three standard errors. */
  wrong(): string[] {
    return [...this.#differences].flatMap(([name, differences]) => {
      const measured = this.#measured.get(name) ?? 0;
      const off = differences.reduce((sum, one) => sum + one, 0);
      // Runs with the same entity tell nothing new, and what is rare may not happen at all.
      const again = Math.sqrt(Math.max(1, this.runs / this.#population));
      const spread = Math.sqrt(differences.reduce((sum, one) => sum + one ** 2, 0)) * again;
      const rare = this.#sparse.has(name) ? Math.sqrt(Math.max(0, measured - off)) : 0;
      const allowed = this.exact ? 0 : Math.max(0.02 * measured, 3 * Math.max(spread, rare));
      if (Math.abs(off) <= allowed + 1e-6) return [];
      return [`${name}: ${measured} measured, ${measured - off} estimated in ${this.runs} runs`];
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

async function reads(facts: Facts, plan: Plan, served: Served): Promise<Comparison> {
  const [action] = plan.pattern.actions;
  const instances = served.sample.entities.get(action?.entity ?? "") ?? [];
  const comparison = new Comparison(instances.length);
  const all = findable(
    plan,
    instances.map(({ values }) => values),
  );
  const asked = new Set<string>();
  for (const [turn, chosen] of all.entries()) {
    if (action === undefined || asked.size >= readsMax) break;
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
  return comparison;
}

async function writes(facts: Facts, plan: Plan, served: Served): Promise<Comparison> {
  const populations = plan.pattern.actions.map(
    ({ entity }) => served.sample.entities.get(entity)?.length ?? 1,
  );
  const comparison = new Comparison(Math.min(...populations));
  const random = new SeededRandom(5, 5);
  const state = new Map(
    [...served.sample.entities].map(([name, list]) => [name, list.map(({ values }) => values)]),
  );
  const writing = { shard: (count: number) => random.below(count), now };
  // What is appended to stays longer, so that few runs are like the first.
  const grows = plan.requests.some(
    (one) => one.kind === "write" && one.actions.some(({ changes }) => changes.appends.length > 0),
  );
  for (let run = 0; run < (grows ? 10 : writesMax); run += 1) {
    const drawn = writeInputs(facts, plan.pattern, state, random, writing);
    if (drawn === undefined) break;
    const given = { ...drawn, parameters: realChanges(plan, facts, drawn, state, random) };
    try {
      await runPlan(plan, given, served.execute, served.periods);
      const sent = served.sent();
      comparison.add(measuredArms(facts, sent, "write"), estimatedWrites(facts, plan, sent));
    } catch (error) {
      // What is refused writes nothing: two of the drawn entities cannot be there together.
      if (!(error instanceof ServiceError) || error.status !== 400) throw error;
      comparison.refused = error.message;
      served.sent();
    }
    // What was changed or deleted is no longer as the sample has it.
    for (const action of plan.pattern.actions) {
      const { kind, changes, appends, removes, entity } = action;
      if (kind !== "delete" && changes.length + appends.length + removes.length === 0) continue;
      const used = targetsOf(facts, action, drawn, state);
      state.set(
        entity,
        (state.get(entity) ?? []).filter((one) => !used.includes(one)),
      );
    }
  }
  return comparison;
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

describe.each([...examples, ["sizes at the edges", edges] as const])(
  "the units of %s",
  (_, text) => {
    const model = modelOf(text);
    const facts = new Facts(model);
    const plans = [...plansOf(facts)].filter(([, { problem }]) => problem === undefined);

    test.each(["read", "write"] as const)(
      "that patterns which %s use are those of the estimate",
      { timeout: 240_000 },
      async (kind) => {
        const wrong: string[] = [];
        let served = await serve(model, 800);
        for (const [id, plan] of plans.filter((one) => one[1].pattern.kind === kind)) {
          if (kind === "write") {
            await served.close();
            served = await serve(model, 500);
          }
          const comparison = await (kind === "read" ? reads : writes)(facts, plan, served);
          if (comparison.runs === 0 && !hopeless.has(`${model.name} ${id}`)) {
            wrong.push(`${id}: never ran, ${comparison.refused}`);
          }
          held.patterns += 1;
          if (comparison.exact) held.exact += 1;
          wrong.push(...comparison.wrong().map((one) => `${id}: ${one}`));
        }
        await served.close();
        expect(wrong).toEqual([]);
      },
    );
  },
);

test("most patterns are held to the unit, in every run", () => {
  expect(held.patterns).toBeGreaterThan(150);
  expect(held.exact).toBeGreaterThan(70);
});
