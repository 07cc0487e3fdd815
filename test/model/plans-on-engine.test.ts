import { describe, expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { SeededRandom } from "../../src/base/random.ts";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import type { Model } from "../../src/model/model.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import { difference } from "../../src/modeller/proof/compare.ts";
import { foldedFor, parametersIn } from "../../src/modeller/proof/folding.ts";
import { expectedOf } from "../../src/modeller/proof/oracle/answers.ts";
import { effectOfSteps } from "../../src/modeller/proof/oracle/effects.ts";
import type { State } from "../../src/modeller/proof/oracle/state.ts";
import { parametersFor } from "../../src/modeller/proof/parameters.ts";
import { writeInputs } from "../../src/modeller/proof/write-inputs.ts";
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

/** A model's tables on the engine with sample data, and all entities beside them. */
async function opened(model: Model) {
  const workbench = await openWorkbench({ clock: new ManualClock(now) });
  await makeModelTables(workbench, model, caller, { now, sample: { items: 600, seed: 7 } });
  const sample = sampleOf(model, { items: 600, seed: 7, now });
  let state: State = new Map(
    [...sample.entities].map(([name, list]) => [name, list.map(({ values }) => values)]),
  );
  const facts = new Facts(model);
  const plans = plansOf(facts);
  const random = new SeededRandom(11, 1);
  const writing = { shard: (count: number) => random.below(count), now };
  const execute = async (operation: string, request: object): Promise<object> =>
    plain(await workbench.execute(operation, request, caller));
  const periods = (table: string): readonly string[] => {
    const every = model.design?.tables.get(table)?.periods?.every;
    return every === undefined ? [] : currentPeriods(every, now);
  };
  /** Reads with parameters that find the entity, or one by chance. */
  const ask = async (plan: Plan, chosen?: EntityValues): Promise<string | undefined> => {
    const { pattern } = plan;
    const [action] = pattern.actions;
    const all = findable(plan, action?.entity ?? "", state.get(action?.entity ?? "") ?? []);
    const draw = (): EntityValues => all[random.below(all.length)] ?? new Map();
    if (action === undefined || all.length === 0) return undefined;
    const given = {
      parameters: parametersFor(pattern, action, chosen ?? draw(), [draw(), draw(), draw()]),
      items: () => [],
      writing,
      pageSize: 3,
    };
    const answer = await runPlan(plan, given, execute, periods);
    // The key of an index may keep no case, as the design says.
    const folded = foldedFor(plan);
    const parameters = parametersIn(given.parameters, action.where, folded, "one case");
    const expected = expectedOf(facts.model, pattern, parameters, state, folded);
    return difference(pattern, expected, answer, folded)?.what;
  };
  /** Writes, then reads around what was written. */
  const change = async (plan: Plan): Promise<readonly string[]> => {
    const given = writeInputs(facts, plan.pattern, state, random, writing);
    if (given === undefined) return [];
    const before = state;
    const effect = effectOfSteps(facts.model, plan.pattern, given, state);
    if (effect.kind === "untried") return [];
    const after = effect.kind === "done" ? effect.state : undefined;
    const refused = await runPlan(plan, given, execute, periods).then(
      () => false,
      (error: unknown) => {
        if (isRefusal(error)) return true;
        throw error;
      },
    );
    if (refused !== (after === undefined)) {
      return [refused ? "was refused, and should not be" : "was not refused, and should be"];
    }
    state = after ?? state;
    const wrong: string[] = [];
    for (const [id, other] of plans) {
      const entity = other.pattern.actions[0]?.entity ?? "";
      if (other.pattern.kind !== "read" || other.problem !== undefined) continue;
      const [old, new_] = [before.get(entity) ?? [], state.get(entity) ?? []];
      const touched = [
        ...new_.filter((one) => !old.includes(one)),
        ...old.filter((one) => !new_.includes(one)),
      ];
      for (const one of findable(other, entity, touched).slice(0, 3)) {
        const problem = await ask(other, one);
        if (problem !== undefined) wrong.push(`then ${id}: ${problem}`);
      }
    }
    return wrong;
  };
  return { plans, ask, change, close: () => workbench.close() };
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    ["ConditionalCheckFailedException", "TransactionCanceledException"].includes(error.type)
  );
}

describe.each(examples)("%s", (_, text) => {
  test("every read that has a plan answers what a look at all entities does", {
    timeout: 120_000,
  }, async () => {
    const { plans, ask, close } = await opened(modelOf(text));
    const wrong: string[] = [];
    for (const [id, plan] of plans) {
      if (plan.pattern.kind !== "read" || plan.problem !== undefined) continue;
      for (let round = 0; round < 5; round += 1) {
        const problem = await ask(plan).catch((error: unknown) => String(error));
        if (problem !== undefined) wrong.push(`${id}: ${problem.slice(0, 300)}`);
      }
    }
    await close();
    expect(wrong).toEqual([]);
  });

  test("every write does to all entities what it should, as far as reads can tell", {
    timeout: 120_000,
  }, async () => {
    const { plans, change, close } = await opened(modelOf(text));
    const wrong: string[] = [];
    for (const [id, plan] of plans) {
      if (plan.pattern.kind !== "write" || plan.problem !== undefined) continue;
      for (let round = 0; round < 4; round += 1) {
        const problems = await change(plan).catch((error: unknown) => [String(error)]);
        wrong.push(...problems.map((one) => `${id}: ${one.slice(0, 300)}`));
      }
    }
    await close();
    expect(wrong).toEqual([]);
  });
});
