import { editText } from "../../../src/document/edit.ts";
import type { Model } from "../../../src/model/model.ts";
import { designOf, type Settings } from "../../../src/modeller/designer/designer.ts";
import { Facts } from "../../../src/modeller/facts.ts";
import { plansOf } from "../../../src/modeller/plans/planner.ts";
import { unprovedIn } from "../../../src/modeller/proof/verdict.test-support.ts";
import { integerSolver } from "../../../src/workbench/integer-solver.ts";
import { checkModel } from "../../../src/workbench/model-check.ts";
import { costModel } from "../../../src/workbench/model-cost.ts";
import { parsedModel } from "../../../src/workbench/model-parse.ts";
import { proveModel } from "../../../src/workbench/model-prove.ts";
import type { Fewer } from "./cases.ts";
import { type Mix, requirements, withExpert } from "./mixes.ts";

const now = Date.UTC(2026, 0, 15, 12);

/** A design of a case, looked at by what looks at any design. */
export interface Measured {
  readonly model: Model;
  /** Dollars in a month, as `keywright cost` says. */
  readonly total: number;
  readonly missing: readonly string[];
  readonly tables: number;
  /** One that several entities share is one. */
  readonly indexes: number;
  /** Requests one after the other for one run of a pattern, on average over what comes. */
  readonly roundTrips: number;
  /** Patterns that read all of a table or an index. */
  readonly scans: readonly string[];
  /** What `keywright check` finds wrong in those of its lines that are about limits and filters. */
  readonly wrong: readonly string[];
}

const checked: readonly string[] = [
  "filters-keep-most",
  "hot-partitions",
  "sizes-below-limits",
  "sparse-indexes-understood",
];

function measured(text: string): Measured {
  const { model, complaints } = parsedModel(text, "case.yaml");
  if (model?.design === undefined) throw new Error(JSON.stringify(complaints));
  const { report, why } = costModel(text, "case.yaml");
  if (report === undefined) throw new Error(why);
  const tables = [...model.design.tables.values()];
  const plans = [...plansOf(Facts.of(model)).values()].filter(
    ({ pattern }) => pattern.status !== "alternative" && pattern.status !== "declined",
  );
  const rate = (one: (typeof plans)[number]): number => one.pattern.rps.average?.value ?? 0;
  const requests = plans.reduce((sum, one) => sum + rate(one) * one.requests.length, 0);
  return {
    model,
    total: report.total.average,
    missing: report.missing,
    tables: tables.length,
    indexes: tables.reduce((sum, { indexes }) => sum + indexes.size, 0),
    roundTrips: requests / plans.reduce((sum, one) => sum + rate(one), 0),
    scans: plans
      .filter((one) => one.requests.some(({ operation }) => operation === "Scan"))
      .map(({ pattern }) => pattern.id),
    wrong: (checkModel(text, "case.yaml").checks ?? [])
      .filter(({ id }) => checked.includes(id))
      .flatMap(({ points }) => points)
      .flatMap(({ kind, text: what }) => (kind === "wrong" ? [what] : [])),
  };
}

const known = new Map<string, unknown>();

/** Worked out once, whoever asks. */
function once<T>(key: string, make: () => T): T {
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as T;
}

export function expertOf(name: string, mix: Mix): Measured {
  return once(`expert ${name} ${mix}`, () => measured(withExpert(name, mix)));
}

/** What the designer makes of a case, or why it makes nothing. */
export function designedOf(name: string, mix: Mix, fewer?: Fewer): Promise<Measured> {
  return once(`designed ${name} ${mix} ${fewer ?? ""}`, async () => {
    const text = requirements(name, mix);
    const { model } = parsedModel(text, `${name}.yaml`);
    const solver = await once("solver", integerSolver);
    const asked = fewer === undefined ? {} : settings[fewer];
    const { designed, refused } = designOf(model as Model, solver, asked);
    if (designed === undefined) throw new Error(refused.join(" "));
    const { design } = designed;
    return measured(editText(text, [{ kind: "set", path: ["design"], value: design }]));
  });
}

const settings: Readonly<Record<Fewer, Settings>> = {
  "--weight index=5": { weights: { index: 5, roundTrip: 0, table: 0 } },
  "--style generic": { style: "generic" },
};

/** Patterns that are not proved. Rates do not matter, so the same tables are proved once. */
export function disproved(name: string, { model }: Measured): Promise<readonly string[]> {
  return once(`proof ${name} ${tablesText(model)}`, async () => {
    return unprovedIn(await proveModel(model, { now, mutants: false }));
  });
}

function tablesText({ design }: Model): string {
  return JSON.stringify([...(design?.tables.values() ?? [])], (_, value: unknown) =>
    value instanceof Map ? [...value] : value,
  );
}
