import type { Random } from "../random.ts";
import type { Answer } from "./oracle.ts";
import type { Request } from "./requests.ts";
import type { Target } from "./target.ts";
import { type Item, stable } from "./values.ts";

/**
 * Many clients at once. No oracle can foretell their answers, so each kind of client keeps a promise of
 * the service that can be checked soundly from what was acknowledged, and when.
 */
export class Run {
  readonly target: Target;
  readonly problems: string[] = [];
  operations = 0;
  #ticks = 0;

  constructor(target: Target) {
    this.target = target;
  }

  /** Moments in the order in which they were taken. */
  tick(): number {
    this.#ticks += 1;
    return this.#ticks;
  }

  async send(operation: string, body: Record<string, unknown>): Promise<Answer> {
    const request: Request = { operation, body };
    this.operations += 1;
    return this.target.send(request);
  }

  /** The answer of a request that must succeed, or nothing if it failed with an allowed error. */
  async expect(
    operation: string,
    body: Record<string, unknown>,
    ...allowed: readonly string[]
  ): Promise<Record<string, unknown> | undefined> {
    const answer = await this.send(operation, body);
    if ("answer" in answer) return answer.answer;
    if (!allowed.includes(answer.error)) {
      this.problem(`${operation} ${stable(body)} answered ${stable(answer)}`);
    }
    return undefined;
  }

  check(holds: boolean, text: () => string): void {
    if (!holds) this.problem(text());
  }

  problem(text: string): void {
    if (this.problems.length < 20) this.problems.push(text);
  }
}

export interface Interval {
  readonly start: number;
  readonly end: number;
}

export interface Client {
  step(random: Random): Promise<void>;
}

/** What several clients do on the same keys, and what must be true when all stand still. */
export interface Scenario {
  prepare(): Promise<void>;
  client(number: number): Client;
  check(): Promise<void>;
}

/** All items of a table or index, page after page. */
export async function everything(run: Run, body: Record<string, unknown>): Promise<Item[]> {
  const items: Item[] = [];
  let start: unknown;
  do {
    const page = await run.expect("Scan", {
      ...body,
      ...(start !== undefined && { ExclusiveStartKey: start }),
    });
    items.push(...((page?.Items ?? []) as Item[]));
    start = page?.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

export const textOf = (item: Item | undefined, name: string): string => {
  const value = item?.[name];
  return value !== undefined && "S" in value ? value.S : "";
};

export const numberOf = (item: Item | undefined, name: string): number => {
  const value = item?.[name];
  return value !== undefined && "N" in value ? Number(value.N) : 0;
};

export const listOf = (item: Item | undefined, name: string): string[] => {
  const value = item?.[name];
  if (value === undefined || !("L" in value)) return [];
  return value.L.map((element) => ("S" in element ? element.S : ""));
};

export function simpleTable(name: string, indexes: Record<string, unknown> = {}) {
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    ...indexes,
  };
}
