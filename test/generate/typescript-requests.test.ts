import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { plain } from "../../src/api/response-json.ts";
import { ManualClock } from "../../src/base/clock.ts";
import { SeededRandom } from "../../src/base/random.ts";
import { startServer } from "../../src/index.ts";
import type { Model } from "../../src/model/model.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import { difference } from "../../src/modeller/proof/compare.ts";
import { expectedOf } from "../../src/modeller/proof/oracle/answers.ts";
import { effectOfSteps } from "../../src/modeller/proof/oracle/effects.ts";
import type { State } from "../../src/modeller/proof/oracle/state.ts";
import { parametersFor } from "../../src/modeller/proof/parameters.ts";
import { writeInputs } from "../../src/modeller/proof/write-inputs.ts";
import type { Given } from "../../src/modeller/requests/given.ts";
import { runPlan } from "../../src/modeller/requests/run-plan.ts";
import { tableRequests } from "../../src/modeller/requests/table-requests.ts";
import { holds } from "../../src/modeller/values/holds.ts";
import type { EntityValues } from "../../src/modeller/values/render-key.ts";
import { sampleOf } from "../../src/modeller/values/sample.ts";
import { currentPeriods } from "../../src/modeller/values/time-of.ts";
import { makeModelTables } from "../../src/workbench/model-tables.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";
import { exampleModel, examples } from "./examples.test-support.ts";
import {
  generated,
  generatedFolder,
  inputFor,
  Names,
  notingClient,
  type Sent,
} from "./typescript.test-support.ts";
import { answerOf, canonical, isSpread, sequences } from "./typescript-answers.test-support.ts";
import { nestedModel, wideModel } from "./typescript-models.test-support.ts";

const now = Date.UTC(2026, 10, 16, 12);
const caller = { account: "anybody", region: "us-east-1" };
const sample = { items: 400, seed: 7 };

const ownModels: Readonly<Record<string, () => Model>> = { wide: wideModel, nested: nestedModel };

let folder: ReturnType<typeof generatedFolder>;
beforeAll(() => {
  folder = generatedFolder();
});
afterAll(() => folder.remove());

/** The same data twice: where the plan is carried out, and where the generated code runs. */
async function opened(name: string) {
  const model = ownModels[name]?.() ?? exampleModel(name);
  const facts = Facts.of(model);
  const clock = new ManualClock(now);
  const workbench = await openWorkbench({ clock });
  await makeModelTables(workbench, model, caller, { now, sample });
  const server = await startServer({ model: model.document, sample, clock });
  const sent: Sent[] = [];
  const client = notingClient(server.url, sent);
  const { createAccess } = await generated(join(folder.path, name), model);
  const names = new Names(facts);
  const random = new SeededRandom(11, 1);
  const drawn = { shard: 0, pageSize: undefined as number | undefined };
  const shard = (count: number): number => drawn.shard % count;
  const periods = Object.fromEntries(
    [...(model.design?.tables.values() ?? [])].flatMap((table) =>
      table.periods === undefined
        ? []
        : [[names.table(table.name), () => currentPeriods(table.periods?.every ?? "month", now)]],
    ),
  );
  const access = (pageSize: number | undefined) =>
    createAccess(client, { now: () => now, shard, concurrency: 1, pageSize, periods });
  const execute = async (operation: string, request: object): Promise<object> =>
    plain(await workbench.execute(operation, request, caller));
  let state: State = new Map(
    [...sampleOf(model, { ...sample, now }).entities].map(([entity, list]) => [
      entity,
      list.map(({ values }) => values),
    ]),
  );
  const runs = async (plan: Plan, given: Given) => {
    sent.length = 0;
    const call = access(given.pageSize)[names.pattern(plan.pattern).camel];
    if (call === undefined) throw new Error(`there is no function for ${plan.pattern.id}`);
    const planned = await settled(
      runPlan(plan, given, execute, (table) => {
        const every = model.design?.tables.get(table)?.periods?.every;
        return every === undefined ? [] : currentPeriods(every, now);
      }),
    );
    const called = await settled(call(inputFor(facts, plan, given, names)));
    return { planned, called, sent: [...sent] };
  };
  return {
    facts,
    plans: plansOf(facts),
    random,
    drawn,
    runs,
    execute,
    client,
    tables: tableRequests(model, now).map(({ create }) => create.TableName),
    writing: { shard, now },
    state: () => state,
    become: (after: State) => {
      state = after;
    },
    close: async () => {
      client.destroy();
      await server.close();
      await workbench.close();
    },
  };
}

async function settled<T>(promise: Promise<T>): Promise<{ value?: T; error?: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** Entities that a plan can find: those that are in the sparse indexes that it uses. */
function findable(plan: Plan, all: readonly EntityValues[]): readonly EntityValues[] {
  const name = plan.pattern.actions[0]?.entity;
  const own = plan.requests.flatMap((one) =>
    one.kind === "read" && one.record.entity.name === name ? [one] : [],
  );
  return all.filter((values) =>
    own.every(({ record, index }) => {
      const membership = record.memberships.find((one) => one.index === index);
      return membership === undefined || holds(membership.only, record.entity, values);
    }),
  );
}

describe.each([...examples, ...Object.keys(ownModels)])("%s", (name) => {
  test("reads send what was proved, and answer what a look at all entities does", async () => {
    const { facts, plans, random, drawn, runs, state, writing, close } = await opened(name);
    const wrong: string[] = [];
    let count = 0;
    for (const [id, plan] of plans) {
      const { pattern } = plan;
      const [action] = pattern.actions;
      if (pattern.kind !== "read" || plan.problem !== undefined || action === undefined) continue;
      const all = findable(plan, state().get(action.entity) ?? []);
      for (let round = 0; round < 6; round += 1) {
        const draw = (): EntityValues => all[random.below(all.length)] ?? new Map();
        drawn.shard = random.below(1_000);
        const given: Given = {
          parameters: new Map(
            pattern.actions.flatMap((one) => {
              const own = one === action ? all : (state().get(one.entity) ?? []);
              const chosen = own[random.below(own.length)] ?? new Map();
              const others = [draw(), draw(), draw()];
              const found = new Map(parametersFor(pattern, one, chosen, others));
              // The parts of a key belong together, so no list of them is shorter than another.
              for (const { attribute, operator, operands } of one.where) {
                const [operand] = operands;
                if (pattern.batch === undefined || operator !== "equals") continue;
                if (operand?.kind !== "parameter") continue;
                found.set(
                  operand.name,
                  [chosen, ...others].flatMap((values) => values.get(attribute) ?? []),
                );
              }
              return [...found];
            }),
          ),
          items: () => [],
          writing,
          ...(round % 2 === 1 && { pageSize: 3 }),
        };
        const { planned, called, sent } = await runs(plan, given);
        if (planned.value === undefined || "error" in called) {
          wrong.push(`${id}: ${String(planned.error)} ${String(called.error)}`);
          continue;
        }
        count += sent.length;
        const [left, right] = sequences(planned.value.sent, sent, isSpread(plan));
        if (canonical(left) !== canonical(right)) {
          wrong.push(`${id}: sent ${right.join("\n")}\ninstead of ${left.join("\n")}`);
        }
        const answer = { ...planned.value, ...answerOf(plan, called.value) };
        const what = difference(
          pattern,
          expectedOf(facts.model, pattern, given.parameters, state()),
          answer,
        );
        if (what !== undefined) wrong.push(`${id}: ${JSON.stringify(what)}`);
      }
    }
    await close();
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(0);
  }, 60_000);

  test("writes send what was proved, and leave the same behind", async () => {
    const {
      facts,
      plans,
      random,
      drawn,
      runs,
      state,
      become,
      writing,
      execute,
      client,
      tables,
      close,
    } = await opened(name);
    const wrong: string[] = [];
    let count = 0;
    for (const [id, plan] of plans) {
      if (plan.pattern.kind !== "write" || plan.problem !== undefined) continue;
      for (let round = 0; round < 4; round += 1) {
        drawn.shard = random.below(1_000);
        const given = writeInputs(facts, plan.pattern, state(), random, writing);
        if (given === undefined) continue;
        const effect = effectOfSteps(facts.model, plan.pattern, given, state());
        const after = effect.kind === "done" ? effect.state : undefined;
        // The same again is refused, or changes what is there.
        for (const attempt of [0, 1]) {
          const { planned, called, sent } = await runs(plan, given);
          // A plan that finds nothing to change sends nothing; the code says so by an error.
          const findsNothing =
            planned.value !== undefined &&
            !planned.value.sent.some(({ operation }) => /Write|Put|Update|Delete/.test(operation));
          if ("error" in planned !== "error" in called && !findsNothing) {
            wrong.push(`${id}: ${String(planned.error)}, and generated ${String(called.error)}`);
          }
          if (planned.error !== undefined && !(planned.error instanceof ServiceError)) {
            wrong.push(`${id}: ${String(planned.error)}`);
          }
          if (planned.value !== undefined) {
            count += sent.length;
            const [left, right] = sequences(planned.value.sent, sent, isSpread(plan));
            if (canonical(left) !== canonical(right)) {
              wrong.push(`${id}: sent ${right.join("\n")}\ninstead of ${left.join("\n")}`);
            }
          }
          if (attempt === 0 && after !== undefined) become(after);
        }
      }
    }
    for (const table of tables) {
      const { Items: left } = (await execute("Scan", { TableName: table })) as { Items: object[] };
      const { ScanCommand } = await import("@aws-sdk/client-dynamodb");
      const { Items: right = [] } = await client.send(new ScanCommand({ TableName: table }));
      const texts = (items: readonly object[]): readonly string[] =>
        items.map((one) => canonical(one)).toSorted();
      const bytes = JSON.parse(
        JSON.stringify(right, (_, one: unknown) =>
          one instanceof Uint8Array ? Buffer.from(one).toString("base64") : one,
        ),
      ) as object[];
      if (canonical(texts(left)) !== canonical(texts(bytes))) wrong.push(`${table} is different`);
    }
    await close();
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(0);
  }, 60_000);
});
