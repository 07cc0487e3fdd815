import { describe, expect, test } from "vitest";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { SeededRandom } from "../../src/base/random.ts";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import type { Model } from "../../src/model/model.ts";
import type { Pattern } from "../../src/model/requirements.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import { difference } from "../../src/modeller/proof/compare.ts";
import { expectedOf, type State } from "../../src/modeller/proof/oracle.ts";
import { parametersFor } from "../../src/modeller/proof/parameters.ts";
import { runPlan } from "../../src/modeller/requests/run-plan.ts";
import { holds } from "../../src/modeller/values/holds.ts";
import type { EntityValues } from "../../src/modeller/values/render-key.ts";
import { sampleOf } from "../../src/modeller/values/sample.ts";
import { currentPeriods } from "../../src/modeller/values/time-of.ts";
import { makeModelTables } from "../../src/workbench/model-tables.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";

const now = Date.UTC(2026, 10, 16, 12);
const caller = { account: "anybody", region: "eu-central-1" };

/** Entities that a plan can find: those that are in the sparse indexes that it uses. */
function findable(
  plan: Plan,
  entity: string,
  all: readonly EntityValues[],
): readonly EntityValues[] {
  const memberships = plan.requests.flatMap((request) =>
    request.kind === "read" && request.record.entity.name === entity
      ? request.record.memberships.filter(({ index }) => index === request.index)
      : [],
  );
  const [record] = plan.requests.flatMap((one) => (one.kind === "read" ? [one.record] : []));
  return all.filter((values) =>
    memberships.every(({ only }) => record !== undefined && holds(only, record.entity, values)),
  );
}

async function answers(model: Model) {
  const workbench = await openWorkbench({ clock: new ManualClock(now) });
  await makeModelTables(workbench, model, caller, { now, sample: { items: 600, seed: 7 } });
  const sample = sampleOf(model, { items: 600, seed: 7, now });
  const state: State = new Map(
    [...sample.entities].map(([name, list]) => [name, list.map(({ values }) => values)]),
  );
  const facts = new Facts(model);
  const random = new SeededRandom(11, 1);
  const execute = async (operation: string, request: object): Promise<object> =>
    plain(await workbench.execute(operation, request, caller));
  const periods = (table: string): readonly string[] => {
    const every = model.design?.tables.get(table)?.periods?.every;
    return every === undefined ? [] : currentPeriods(every, now);
  };
  const ask = async (pattern: Pattern, plan: Plan): Promise<string | undefined> => {
    const [action] = pattern.actions;
    const all = findable(plan, action?.entity ?? "", state.get(action?.entity ?? "") ?? []);
    const draw = (): EntityValues => all[random.below(all.length)] ?? new Map();
    if (action === undefined || all.length === 0) return undefined;
    const given = {
      parameters: parametersFor(pattern, action, draw(), [draw(), draw(), draw()]),
      items: () => [],
      writing: { shard: (count: number) => random.below(count), now },
      pageSize: 3,
    };
    const answer = await runPlan(plan, given, execute, periods);
    return difference(pattern, expectedOf(facts, pattern, given, state), answer);
  };
  return { facts, ask, close: () => workbench.close() };
}

describe.each(examples)("%s", (_, text) => {
  test("every read that has a plan answers what a look at all entities does", async () => {
    const { facts, ask, close } = await answers(modelOf(text));
    const wrong: string[] = [];
    for (const [id, plan] of plansOf(facts)) {
      if (plan.pattern.kind !== "read" || plan.problem !== undefined) continue;
      for (let round = 0; round < 5; round += 1) {
        const problem = await ask(plan.pattern, plan).catch((error: unknown) => String(error));
        if (problem !== undefined) wrong.push(`${id}: ${problem.slice(0, 300)}`);
      }
    }
    await close();
    expect(wrong).toEqual([]);
  });
});
