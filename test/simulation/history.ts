import { type Answer, Oracle } from "./oracle.ts";
import { checkPages } from "./pages.ts";
import { requestOf } from "./requests.ts";
import type { Step } from "./steps.ts";
import type { Target } from "./target.ts";
import { type Item, same, stable } from "./values.ts";

/** The first answer that differs from the oracle's. */
export class Divergence extends Error {
  /** The kind of step, and how it answered: with this or that error, or none. */
  readonly shape: string;

  constructor(kind: string, what: string, expected: unknown, got: unknown) {
    super(brief(`${what}\n  expected ${stable(expected)}\n  got      ${stable(got)}`));
    this.shape = [kind, errorOf(expected), errorOf(got)].join();
  }
}

/** Padding is shown by its length. */
const brief = (text: string): string =>
  text.replace(/(p{20,}|u{20,})/g, (run) => `${run[0]}×${run.length}`);

const errorOf = (answer: unknown): unknown => (answer as { error?: unknown } | null)?.error;

export type Compare = (what: string, expected: unknown, got: unknown) => void;

/** Carries out steps on the target and the oracle; throws at the first difference. */
export class History {
  readonly oracle = new Oracle();
  readonly steps: Step[] = [];
  /** Requests sent. */
  operations = 0;
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = {
      ...target,
      send: (request) => {
        this.operations += 1;
        return target.send(request);
      },
    };
  }

  async take(step: Step): Promise<void> {
    const at = this.steps.push(step) - 1;
    const compare: Compare = (what, expected, got) => {
      if (!same(expected, got)) {
        const where = `step ${at}: ${stable(step)} ${what}`;
        throw new Divergence(step.step, where, expected, got);
      }
    };
    // A table or index that is being changed cannot be read by index, nor deleted.
    const waits = step.step === "query" || step.step === "scan" || step.step === "deleteTable";
    if (waits && this.oracle.building) await this.take({ step: "idle" });
    if (step.step === "query" || step.step === "scan") {
      await checkPages(this.#target, this.oracle, step, compare);
      return;
    }
    if (step.step === "idle") await this.#target.idle();
    else if (step.step === "reopen") await this.#target.reopen();
    else if (step.step === "advance") this.#target.advance(step.milliseconds);
    else {
      const loose = this.oracle.building;
      const expected = this.oracle.run(step);
      const got = await this.#target.send(requestOf(step));
      compare("", comparable(step, expected, loose), comparable(step, got, loose));
      if (this.oracle.sweeping) await this.take({ step: "idle" });
      return;
    }
    this.oracle.run(step);
    if (this.oracle.sweeping) await this.take({ step: "idle" });
  }

  /** Everything that the store can check of itself. */
  async finish(): Promise<void> {
    await this.take({ step: "idle" });
    for (const table of this.oracle.tables.keys()) {
      await this.take({ step: "scan", table, consistent: true });
      await this.take({ step: "describe", table });
    }
    const problems = await this.#target.verify();
    if (problems.length > 0) throw new Divergence("verify", "verify", [], problems);
  }
}

/** The parts of an answer that the service specifies. */
function comparable(step: Step, answer: Answer, loose: boolean): unknown {
  if ("error" in answer) {
    const { reasons } = answer;
    if (reasons?.some(({ code }) => code === "ValidationError")) return { error: answer.error };
    return answer;
  }
  const body = { ...answer.answer };
  if (loose) delete body.ConsumedCapacity;
  switch (step.step) {
    case "createTable":
    case "deleteTable":
    case "addIndex":
    case "dropIndex":
      return {};
    case "describe":
      return loose ? {} : described(body);
    case "batchGet": {
      const responses = Object.entries(body.Responses as Record<string, Item[]>);
      const sorted = responses.map(([name, items]) => [name, items.map(stable).sort()]);
      return { ...body, Responses: Object.fromEntries(sorted) };
    }
    default:
      return body;
  }
}

function described({ Table }: Record<string, unknown>): unknown {
  const table = Table as Record<string, unknown>;
  if ("indexes" in table) return table;
  const {
    ItemCount,
    TableSizeBytes,
    LocalSecondaryIndexes = [],
    GlobalSecondaryIndexes = [],
  } = table;
  type Described = { IndexName: string; ItemCount: number; IndexSizeBytes: number };
  const all = [
    ...(LocalSecondaryIndexes as Described[]),
    ...(GlobalSecondaryIndexes as Described[]),
  ];
  const indexes = Object.fromEntries(
    all.map(({ IndexName, ItemCount, IndexSizeBytes }) => [
      IndexName,
      { ItemCount, IndexSizeBytes },
    ]),
  );
  return { ItemCount, TableSizeBytes, indexes };
}
