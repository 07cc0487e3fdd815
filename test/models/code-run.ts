import { ServiceError } from "../../src/api/errors/service-error.ts";
import type { Model } from "../../src/model/model.ts";
import type { Pattern } from "../../src/model/requirements.ts";
import { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import { type PatternProof, prove } from "../../src/modeller/proof/prove.ts";
import type { Given } from "../../src/modeller/requests/given.ts";
import type { Execute, Run } from "../../src/modeller/requests/run.ts";
import { type Answer, type RunPlan, runPlan } from "../../src/modeller/requests/run-plan.ts";
import { openWorld } from "../../src/workbench/model-prove.ts";
import { type Generated, generated, inputFor, Names } from "../generate/typescript.test-support.ts";
import {
  answerOf,
  canonical,
  isSpread,
  sequences,
} from "../generate/typescript-answers.test-support.ts";
import { engineClient, withEngine } from "./code-client.ts";
import { normalise, stackTop } from "./signature.ts";

/** Runs the prover's trials with generated code in place of the plans, and compares the requests of both. */

export interface CodeFinding {
  readonly kind: "wrong" | "crash" | "other requests";
  readonly signature: string;
  readonly message: string;
}

export interface CodeOutcome {
  readonly findings: readonly CodeFinding[];
  /** Patterns that ran as generated code and were right. */
  readonly right: number;
  /** Patterns that fail when their plan runs, too: the code is not at fault. */
  readonly planFailures: readonly CodeFinding[];
}

const now = Date.UTC(2026, 0, 15, 12);
const refusals = new Set([
  "AlreadyExistsError",
  "ConditionFailedError",
  "NotFoundError",
  "NotUniqueError",
  "VersionConflictError",
]);

export async function runCode(folder: string, model: Model): Promise<CodeOutcome> {
  const facts = Facts.of(model);
  const runner = new Runner(facts, await generated(folder, model));
  const open = (one: Model, tables: ReadonlySet<string>) => openWorld(one, now, tables);
  const options = { now, mutants: false };
  const proofs = await prove(model, open, { ...options, run: runner.run });
  const bad = proofs.filter(({ verdict: { kind } }) => kind === "wrong" || kind === "defect");
  const only = new Set(bad.map(({ pattern }) => pattern));
  const plain = only.size === 0 ? [] : await prove(model, open, { ...options, only });
  const kinds = new Map(plain.map(({ pattern, verdict }) => [pattern, verdict.kind]));
  const own = bad.filter(({ pattern }) => kinds.get(pattern) === "proved");
  const sendsOther = new Map(runner.others);
  for (const { pattern } of bad) sendsOther.delete(pattern);
  return {
    findings: [
      ...own.map((proof) => findingOf(model, proof)),
      ...[...sendsOther].map(([id, message]): CodeFinding => {
        const pattern = model.patterns.get(id);
        const operations = [...message.matchAll(/^([-+] [A-Z]\w+) /gm)].map(([, one]) => one);
        const signature = `other requests ${describe(pattern)}: ${[...new Set(operations)].join(", ")}`;
        return { kind: "other requests", signature, message };
      }),
    ],
    right: proofs.filter(({ verdict: { kind } }) => kind === "proved").length - sendsOther.size,
    planFailures: plain
      .filter(({ verdict: { kind } }) => kind === "wrong" || kind === "defect")
      .map((proof) => findingOf(model, proof)),
  };
}

function findingOf(model: Model, { pattern: id, verdict }: PatternProof): CodeFinding {
  const about = describe(model.patterns.get(id));
  if (verdict.kind === "defect") {
    const { message, stack } = verdict.defect;
    const what = `${normalise(message.split("\n")[0] ?? "", [])} @ ${stackTop(stack)}`;
    const signature = `crash ${about}: ${what}`;
    return { kind: "crash", signature, message: `${id}: ${stack ?? message}` };
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
  return { kind: "wrong", signature, message: lines.join("\n") };
}

function describe(pattern: Pattern | undefined): string {
  if (pattern === undefined) return "pattern";
  const kinds = [...new Set(pattern.actions.map(({ kind }) => kind))].join("+");
  return `${kinds}${pattern.transaction ? " transaction" : ""}${pattern.together.length > 0 ? " together" : ""}`;
}

/** Thrown where a plan would write: the trial run of a plan beside the code changes nothing. */
class WouldWrite extends Error {}

class Runner {
  private readonly facts: Facts;
  private readonly code: Generated;
  private readonly names: Names;
  private running = 0;
  private calls = 0;
  /** The first difference between the requests of the code and those of the plan, by pattern. */
  readonly others = new Map<string, string>();

  constructor(facts: Facts, code: Generated) {
    this.facts = facts;
    this.code = code;
    this.names = new Names(facts);
  }

  readonly run: RunPlan = async (plan, given, execute, periods) => {
    this.calls += 1;
    const call = this.calls;
    const isAlone = this.running === 0;
    this.running += 1;
    try {
      const planned = isAlone ? await plannedRequests(plan, given, execute, periods) : undefined;
      const answer = await this.call(plan, given, execute, periods);
      if (planned !== undefined && this.calls === call) this.compare(plan, planned, answer.sent);
      return answer;
    } finally {
      this.running -= 1;
    }
  };

  private async call(
    plan: Plan,
    given: Given,
    execute: Execute,
    periods: Run["periods"],
  ): Promise<Answer> {
    const { pattern } = plan;
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
    const { camel } = this.names.pattern(pattern);
    const run = Object.hasOwn(access, camel) ? access[camel] : undefined;
    if (run === undefined) throw new Error(`There is no function ${camel}.`);
    const sent: { operation: string; request: object }[] = [];
    let refusal: unknown;
    const noting: Execute = async (operation, request) => {
      sent.push({ operation, request });
      try {
        return await execute(operation, request);
      } catch (error) {
        refusal = error;
        throw error;
      }
    };
    const input = inputFor(this.facts, plan, given, this.names);
    try {
      const value = await withEngine(noting, () => run(input));
      const answer =
        pattern.kind === "read" ? answerOf(plan, value) : { items: [], together: new Map() };
      return { ...answer, consumed: new Map(), sent };
    } catch (error) {
      const { name } = error as Error;
      const isEngines = refusal instanceof ServiceError && refusal.type === name;
      if (refusal !== undefined && (isEngines || refusals.has(name))) throw refusal;
      // The code has read first, and refuses without a write.
      if (refusals.has(name))
        throw new ServiceError("ConditionalCheckFailedException", String(error));
      throw error;
    }
  }

  private compare(plan: Plan, planned: Answer["sent"], sent: Answer["sent"]): void {
    const { id } = plan.pattern;
    if (this.others.has(id)) return;
    const isWrite = plan.pattern.kind === "write";
    const first = sent.findIndex(({ operation }) => changes(operation));
    const own = isWrite && first >= 0 ? sent.slice(0, first + 1) : sent;
    const inputs = own.map(({ operation, request }) => ({
      operation,
      input: request as Record<string, unknown>,
    }));
    const [left, right] = sequences(planned, inputs, isSpread(plan));
    if (canonical(left) === canonical(right)) return;
    const lines = [
      ...left.filter((one) => !right.includes(one)).map((one) => `- ${one}`),
      ...right.filter((one) => !left.includes(one)).map((one) => `+ ${one}`),
    ];
    const text =
      lines.length > 0
        ? lines
        : [...left.map((one) => `- ${one}`), ...right.map((one) => `+ ${one}`)];
    this.others.set(id, `${id}:\n${text.join("\n")}`);
  }
}

function changes(operation: string): boolean {
  return /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(operation);
}

/** What the plan sends up to its first write, which is not carried out; undefined if it fails before. */
async function plannedRequests(
  plan: Plan,
  given: Given,
  execute: Execute,
  periods: Run["periods"],
): Promise<Answer["sent"] | undefined> {
  const sent: { operation: string; request: object }[] = [];
  try {
    await runPlan(
      plan,
      given,
      async (operation, request) => {
        sent.push({ operation, request });
        if (changes(operation)) throw new WouldWrite();
        return execute(operation, request);
      },
      periods,
    );
  } catch (error) {
    if (!(error instanceof WouldWrite)) return undefined;
  }
  return sent;
}
