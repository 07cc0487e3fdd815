import { describe, expect, test } from "vitest";
import type { Pattern } from "../../src/model/requirements.ts";
import { Facts } from "../../src/modeller/facts.ts";
import { planOf } from "../../src/modeller/plans/planner.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing, modelDesignOutput } from "../../src/workbench/model-design.ts";
import { generateFiles } from "../../src/workbench/model-generate.ts";
import { parsedModel } from "../../src/workbench/model-parse.ts";

const now = Date.UTC(2026, 0, 15, 12);

interface Asked {
  readonly relation?: string;
  readonly rename?: string;
  readonly staleness?: string;
  readonly more?: string;
}

/** Subscriptions of plans, each with the name of its plan. */
const plans = ({
  relation = "average: 20, max: 90",
  rename = "where: { planId: equals }, changes: [name], condition: exists",
  staleness = "refused",
  more = "",
}: Asked): string => `keywright: 1
name: plans
entities:
  Plan:
    id: [planId]
    count: 1000
    attributes:
      planId: { type: S, format: ulid }
      name: { type: S, bytes: 40 }
      currency: { type: S, bytes: 3 }
  Subscription:
    id: [subscriptionId]
    count: 20_000
    attributes:
      subscriptionId: { type: S, format: ulid }
      planId: { type: S, format: ulid, mutable: false }
      planName: { type: S, bytes: 40, copyOf: Plan.name, staleness: ${staleness} }
      currency: { type: S, bytes: 3, copyOf: Plan.currency, staleness: ${staleness} }
relations: [{ from: Plan, to: Subscription, kind: one-to-many, identifying: true, ${relation} }]
patterns:
  plan: { name: A plan, read: Plan, where: { planId: equals }, rps: 50 }
  one: { name: A subscription, read: Subscription, where: { subscriptionId: equals }, rps: 50 }
  start: { name: Subscribe, create: Subscription, condition: absent, rps: 5 }
  rename: { name: Rename, update: Plan, ${rename}, rps: 0.1 }
${more}`;

async function refusal(asked: Asked): Promise<readonly string[]> {
  const { refused, designed } = await designModel(plans(asked), "plans.yaml", { now });
  expect(designed).toBeUndefined();
  return refused;
}

describe("a copy that must not be behind", { timeout: 120_000 }, () => {
  test("is changed in the same transaction as its source, which is proved", async () => {
    const design = await designModel(plans({}), "plans.yaml", { now });
    expect(design.refused).toEqual([]);
    expect(isFailing(design)).toBe(false);
    const { report } = costModel(design.text ?? "", "plans.yaml");
    expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
    // An index is a moment behind, and would miss the newest: the table itself tells which ones there are.
    expect(Object.keys(design.designed?.design.tables.Subscriptions?.key ?? {})).toEqual([
      "planId",
      "subscriptionId",
    ]);
    const { model } = parsedModel(design.text ?? "", "plans.yaml");
    const plan = model && planOf(Facts.of(model), model.patterns.get("rename") as Pattern);
    expect(plan?.requests).toMatchObject([
      { kind: "read", operation: "Query", consistent: true },
      {
        operation: "TransactWriteItems",
        actions: [
          { kind: "update", record: { name: "Plan" }, count: 1 },
          { kind: "update", record: { name: "Subscription" }, count: 20 },
        ],
      },
    ]);
    expect(modelDesignOutput(design, "text")).toContain(
      "Decide: Subscription.planName repeats Plan.name and has to follow it: rename changes both in one transaction",
    );
    const { files = [] } = generateFiles(design.text ?? "", "plans.yaml", "typescript");
    const code = files.find(({ path }) => path === "patterns/plan.ts")?.text;
    expect(code).toContain("export async function rename(");
    expect(code).toContain('new UpdateBuilder().set("planName", input.name)');
    expect(design.checks?.findings.filter((one) => one.startsWith("copy"))).toEqual([]);
    expect(design.checks?.wrong).not.toContain("copies-kept");
  });

  test("with another one in the same item is changed by the same update", async () => {
    const both = "where: { planId: equals }, changes: [name, currency], condition: exists";
    const design = await designModel(plans({ rename: both }), "plans.yaml", { now });
    expect(isFailing(design)).toBe(false);
    const { model } = parsedModel(design.text ?? "", "plans.yaml");
    const plan = model && planOf(Facts.of(model), model.patterns.get("rename") as Pattern);
    const write = plan?.requests.at(-1);
    expect(
      write?.kind === "write" && write.actions.map(({ changes }) => changes.sets),
    ).toMatchObject([
      [{ attribute: "name" }, { attribute: "currency" }],
      [{ attribute: "planName" }, { attribute: "currency" }],
    ]);
  });

  test("is refused with the numbers where a transaction cannot hold all of them", async () => {
    expect(await refusal({ relation: "average: 20, max: 4_000" })).toEqual([
      expect.stringContaining(
        "pattern rename changes Plan.name, and up to 4,000 Subscription repeat it; a transaction writes 100 items.",
      ),
    ]);
    const { designed } = await designModel(
      plans({ relation: "average: 20, max: 99" }),
      "plans.yaml",
      { now },
    );
    expect(designed).toBeDefined();
    expect(await refusal({ relation: "average: 20, max: 100" })).toHaveLength(1);
    expect(await refusal({ relation: "average: 20" })).toEqual([
      expect.stringContaining(
        "Subscription.planName must not be stale (staleness: refused), but no transaction can change it with its source: pattern rename changes Plan.name, and their relation states no max of Subscription for one Plan.",
      ),
    ]);
    const byName = "where: { currency: equals }, changes: [name]";
    expect(await refusal({ rename: byName })).toEqual([
      expect.stringContaining("pattern rename changes Plan.name and does not name its planId."),
    ]);
  });

  test("of something that never changes, or that may be behind, needs nobody", async () => {
    const unchanged = "where: { planId: equals }, changes: [currency]";
    for (const asked of [
      { staleness: "accepted", relation: "average: 20" },
      { rename: unchanged, relation: "average: 20, max: 90" },
    ]) {
      const design = await designModel(plans(asked), "plans.yaml", { now });
      expect(design.refused).toEqual([]);
      expect(isFailing(design)).toBe(false);
    }
  });
});
