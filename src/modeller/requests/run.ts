import type { Item } from "../../item/attribute-value.ts";
import type { StoredRecord } from "../records/record.ts";
import type { EntityValues } from "../values/render-key.ts";
import type { Given } from "./given.ts";

/** Carries a request out. The modeller opens no table: it is handed this. */
export type Execute = (operation: string, request: object) => Promise<object>;

/** An item that a request brought. */
export interface Found {
  readonly record: StoredRecord;
  readonly item: Item;
  readonly values: EntityValues;
  /** Which of the request's combinations of values brought it. */
  readonly combination: number;
  /** Which of several things that the pattern names it belongs to: the place in the lists of values. */
  readonly at?: number | undefined;
  /** The row of another part of the pattern that it was looked for with. */
  readonly parent?: Found | undefined;
}

/** What is known while a plan runs. */
export interface Run {
  readonly given: Given;
  readonly execute: Execute;
  /** What earlier requests brought, by request. */
  readonly results: (readonly Found[])[];
  /** Units by table or index: `Shop`, `Shop.GSI1`. */
  readonly consumed: Map<string, number>;
  /** Requests that were sent, in their order. */
  readonly sent: { readonly operation: string; readonly request: object }[];
  /** The periods of a table that there are, newest first. */
  readonly periods: (table: string) => readonly string[];
}

interface Consumed {
  readonly TableName?: string;
  readonly CapacityUnits?: number;
  readonly Table?: { readonly CapacityUnits?: number };
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
  readonly LocalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
}

/** Sends a request and notes the units that it took. */
export async function send<T extends object>(
  run: Run,
  operation: string,
  request: object,
): Promise<T> {
  const whole = { ...request, ReturnConsumedCapacity: "INDEXES" };
  run.sent.push({ operation, request: whole });
  const answer = (await run.execute(operation, whole)) as T & {
    readonly ConsumedCapacity?: Consumed | readonly Consumed[];
  };
  for (const one of [answer.ConsumedCapacity ?? []].flat()) note(run, one);
  return answer;
}

/** Sends what a batch asks of each table, and what of it was not processed again, until nothing is left. */
export async function sendAll<T extends object>(
  run: Run,
  operation: "BatchGetItem" | "BatchWriteItem",
  requests: Readonly<Record<string, object>>,
): Promise<readonly T[]> {
  const answers: T[] = [];
  let left: typeof requests | undefined = requests;
  while (left !== undefined && Object.keys(left).length > 0) {
    const answer: T & Partial<Record<"UnprocessedKeys" | "UnprocessedItems", typeof requests>> =
      await send(run, operation, { RequestItems: left });
    answers.push(answer);
    left = answer.UnprocessedKeys ?? answer.UnprocessedItems;
  }
  return answers;
}

function note({ consumed }: Run, one: Consumed): void {
  const { TableName: table = "" } = one;
  const add = (name: string, units = 0): void => {
    if (units > 0) consumed.set(name, (consumed.get(name) ?? 0) + units);
  };
  add(table, one.Table?.CapacityUnits ?? one.CapacityUnits);
  for (const indexes of [one.GlobalSecondaryIndexes, one.LocalSecondaryIndexes]) {
    for (const [index, { CapacityUnits: units }] of Object.entries(indexes ?? {})) {
      add(`${table}.${index}`, units);
    }
  }
}
