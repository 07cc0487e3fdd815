import { defaultDialect } from "../api/dialect.ts";
import { checkTypes } from "../api/shape-types.ts";
import { ManualClock } from "../base/clock.ts";
import { Database } from "../engine/database.ts";
import { openMemoryStore } from "../storage/memory/memory-store.ts";
import type { Store } from "../storage/store.ts";
import { Metrics } from "../traffic/metrics.ts";
import { Traffic } from "../traffic/traffic.ts";
import { Transfers } from "../transfers/transfers.ts";
import { Insights } from "./insights.ts";
import type { Context, Operation } from "./operation.ts";

export const start = Date.UTC(2026, 0, 15, 12);

export interface Bench {
  readonly context: Context;
  readonly database: Database;
  readonly clock: ManualClock;
  readonly store: Store;
}

export async function openBench(
  options: { readonly store?: Store; readonly transitionMs?: number } = {},
): Promise<Bench> {
  const store = options.store ?? openMemoryStore();
  const clock = new ManualClock(start);
  const database = await Database.open(store, { clock, transitionMs: options.transitionMs ?? 0 });
  const insights = new Insights(() => clock.now());
  const context: Context = {
    database,
    namespace: "main",
    account: "000000000000",
    region: "eu-west-1",
    dialect: defaultDialect,
    insights,
    traffic: new Traffic({
      metrics: new Metrics(),
      keys: insights,
      enforcement: undefined,
      elapsed: () => 0,
    }),
    transfers: new Transfers(database, undefined),
    startedAt: 0,
  };
  return { context, database, clock, store };
}

export type Answer = Record<string, Record<string, unknown>>;

/** Runs the operation on a copy of the request whose types were checked, as the server does. */
export async function run<Request>(
  bench: Bench,
  operation: Operation<Request>,
  request: unknown,
): Promise<Answer> {
  const checked = checkTypes(operation.shape, structuredClone(request));
  return (await operation.run(bench.context, checked)) as Answer;
}

/** The error as one line: `Type: message`. */
export async function failure(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
    throw error;
  }
  return "no error";
}

export const hash = (AttributeName: string) => ({ AttributeName, KeyType: "HASH" });
export const range = (AttributeName: string) => ({ AttributeName, KeyType: "RANGE" });
export const define = (names: string) =>
  names.split(" ").map((text) => {
    const [AttributeName, AttributeType = "S"] = text.split(":");
    return { AttributeName, AttributeType };
  });
export const units = (ReadCapacityUnits: number, WriteCapacityUnits = ReadCapacityUnits) => ({
  ReadCapacityUnits,
  WriteCapacityUnits,
});
