import { ServiceError } from "../../src/api/errors/service-error.ts";
import type { Model } from "../../src/model/model.ts";
import type { Pattern } from "../../src/model/requirements.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { type PatternProof, prove } from "../../src/modeller/proof/prove.ts";
import type { Given } from "../../src/modeller/requests/given.ts";
import type { Execute, Run } from "../../src/modeller/requests/run.ts";
import type { Answer, RunPlan } from "../../src/modeller/requests/run-plan.ts";
import { openWorld } from "../../src/workbench/model-prove.ts";
import { type Generated, inputFor, Names } from "../generate/typescript.test-support.ts";
import { answerOf } from "../generate/typescript-answers.test-support.ts";
import { engineClient, withEngine } from "./code-client.ts";
import { comparedWithPlan, type Ending, type Exchange } from "./code-replay.ts";
import { normalise, stackTop } from "./signature.ts";

/** Runs the prover's trials with generated code in place of the plans, and compares the requests of both. */

export interface CodeFinding {
  readonly kind: "wrong" | "crash" | "other requests";
  readonly pattern: string;
  readonly signature: string;
  readonly message: string;
}

/** What became of the patterns of a model, and what is wrong with the code. Each pattern is in one of the lists. */
export interface CodeOutcome {
  /** The function gave the answers and effects of the oracle, and sent the requests of the plan. */
  readonly right: readonly string[];
  /** The function is wrong, or not the same as the plan. */
  readonly findings: readonly CodeFinding[];
  /** The function does what the plan does, and that is wrong. */
  readonly planFailures: readonly CodeFinding[];
  /** No plan, or no input that could be tried. */
  readonly untried: readonly string[];
  /** Calls that were compared with the plan. */
  readonly calls: number;
}

const nothing: Pick<Answer, "items" | "together"> = { items: [], together: new Map() };
const now = Date.UTC(2026, 0, 15, 12);
const refusals = new Set([
  "AlreadyExistsError",
  "ConditionFailedError",
  "NotFoundError",
  "NotUniqueError",
  "VersionConflictError",
]);

export async function runCode(code: Generated, model: Model): Promise<CodeOutcome> {
  const runner = new Runner(Facts.of(model), code);
  const open = (one: Model, tables: ReadonlySet<string>) => openWorld(one, now, tables);
  const options = { now, mutants: false };
  const proofs = await prove(model, open, { ...options, run: runner.run });
  const isBad = ({ verdict: { kind } }: PatternProof): boolean =>
    kind === "wrong" || kind === "defect";
  const bad = proofs.filter((one) => isBad(one) && !runner.differences.has(one.pattern));
  const only = new Set(bad.map(({ pattern }) => pattern));
  const plain = only.size === 0 ? [] : await prove(model, open, { ...options, only });
  const failing = new Set(plain.filter(isBad).map(({ pattern }) => pattern));
  const findings = [
    ...bad.filter(({ pattern }) => !failing.has(pattern)).map((one) => findingOf(model, one)),
    ...[...runner.differences].map(([id, lines]) => differenceOf(model, id, lines)),
  ];
  const isOpen = ({ pattern }: PatternProof): boolean =>
    !findings.some((one) => one.pattern === pattern);
  const idsOf = (kind: string): readonly string[] =>
    proofs.filter((one) => one.verdict.kind === kind && isOpen(one)).map(({ pattern }) => pattern);
  return {
    right: idsOf("proved"),
    findings,
    planFailures: plain.filter(isBad).map((one) => findingOf(model, one)),
    untried: idsOf("not-provable"),
    calls: runner.calls,
  };
}

function differenceOf(model: Model, id: string, lines: readonly string[]): CodeFinding {
  const starts = lines.map((line) => line.split(/[ :]/, 2).join(" "));
  const signature = `other requests ${describe(model.patterns.get(id))}: ${[...new Set(starts)].join(", ")}`;
  const message = `${id}:\n${lines.join("\n")}`;
  return { kind: "other requests", pattern: id, signature, message };
}

function findingOf(model: Model, { pattern: id, verdict }: PatternProof): CodeFinding {
  const about = describe(model.patterns.get(id));
  if (verdict.kind === "defect") {
    const { message, stack } = verdict.defect;
    const what = `${normalise(message.split("\n")[0] ?? "", [])} @ ${stackTop(stack)}`;
    const signature = `crash ${about}: ${what}`;
    return { kind: "crash", pattern: id, signature, message: `${id}: ${stack ?? message}` };
  }
  if (verdict.kind !== "wrong") throw new Error(`${id} is ${verdict.kind}`);
  const { what, requests, expected, got, parameters, stored } = verdict.counterExample;
  const operations = [...new Set(requests.map(({ operation }) => operation))].join(", ");
  const lines = [
    `${id}: ${what}`,
    ...stored.map(({ table, item }) => `  stored in ${table}: ${JSON.stringify(item)}`),
    ...[...parameters].map(([name, values]) => `  with ${name} = ${JSON.stringify(values)}`),
    ...requests.map(({ operation, request }) => `  ${operation} ${JSON.stringify(request)}`),
    ...expected.map((line) => `  expected: ${line}`),
    ...got.map((line) => `  got: ${line}`),
  ];
  const signature = `wrong ${about} by ${operations || "nothing"}: ${normalise(what, [])}`;
  return { kind: "wrong", pattern: id, signature, message: lines.join("\n") };
}

function describe(pattern: Pattern | undefined): string {
  if (pattern === undefined) return "pattern";
  const kinds = [...new Set(pattern.actions.map(({ kind }) => kind))].join("+");
  return `${kinds}${pattern.transaction ? " transaction" : ""}${pattern.together.length > 0 ? " together" : ""}`;
}

class Runner {
  private readonly facts: Facts;
  private readonly code: Generated;
  private readonly names: Names;
  /** The first difference between the code and the plan, by pattern. */
  readonly differences = new Map<string, readonly string[]>();
  /** Calls of the code that were compared with the plan. */
  calls = 0;

  constructor(facts: Facts, code: Generated) {
    this.facts = facts;
    this.code = code;
    this.names = new Names(facts);
  }

  readonly run: RunPlan = async (plan, given, execute, periods) => {
    const { id, kind } = plan.pattern;
    const exchanges: Exchange[] = [];
    const compare = async (ending: Ending): Promise<Ending> => {
      this.calls += 1;
      const compared = await comparedWithPlan(plan, given, periods, exchanges, ending);
      const { lines, planned } = compared;
      if (lines.length > 0 && !this.differences.has(id)) this.differences.set(id, lines);
      return lines.length > 0 ? ending : planned;
    };
    try {
      const value = await this.call(plan, given, execute, periods, exchanges);
      const answer = kind === "read" ? answerOf(plan, value) : nothing;
      const ending = await compare({ kind: "answer", answer });
      // The plan's answer is that of the code with all attributes of the items: where a limit leaves a choice, they tell what was chosen.
      const known = ending.kind === "answer" ? ending.answer : answer;
      return { ...known, consumed: new Map(), sent: exchanges };
    } catch (error) {
      const { name, message } = error as Error;
      const refusal = exchanges.flatMap(({ result }) =>
        result.kind === "error" ? [result.error] : [],
      )[0];
      const isEngines = refusal instanceof ServiceError && refusal.type === name;
      if (!isEngines && !refusals.has(name)) {
        await compare({ kind: "error", message: `${name}: ${message}` });
        throw error;
      }
      await compare({ kind: "refused" });
      // Without an error of the engine the code has read first, and refuses without a write.
      throw refusal ?? new ServiceError("ConditionalCheckFailedException", String(error));
    }
  };

  private async call(
    plan: Plan,
    given: Given,
    execute: Execute,
    periods: Run["periods"],
    exchanges: Exchange[],
  ): Promise<unknown> {
    const access = this.code.createAccess(engineClient, {
      now: () => given.writing.now,
      shard: given.writing.shard,
      concurrency: 1,
      pageSize: given.pageSize,
      sleep: async () => {},
      periods: Object.fromEntries(
        [...(this.facts.model.design?.tables.values() ?? [])].flatMap((table) =>
          table.periods === undefined
            ? []
            : [[this.names.table(table.name), () => periods(table.name)]],
        ),
      ),
    });
    const { camel } = this.names.pattern(plan.pattern);
    const run = Object.hasOwn(access, camel) ? access[camel] : undefined;
    if (run === undefined) throw new Error(`There is no function ${camel}.`);
    const noting: Execute = async (operation, request) => {
      try {
        const answer = await execute(operation, request);
        exchanges.push({ operation, request, result: { kind: "answer", answer } });
        return answer;
      } catch (error) {
        exchanges.push({ operation, request, result: { kind: "error", error } });
        throw error;
      }
    };
    const input = inputFor(this.facts, plan, given, this.names);
    return withEngine(noting, () => run(input));
  }
}
