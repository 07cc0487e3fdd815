import { type CancellationReason, transactionCanceled } from "../api/errors/transaction.ts";
import type * as shared from "../api/requests/shared.ts";
import type { MaybePromise } from "../base/maybe-promise.ts";
import { UnitsByTable } from "../capacity/consumed.ts";
import { readUnits, transactionFactor } from "../capacity/metering.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { WriteAction, WriteOutcome } from "../engine/write.ts";
import type { Item } from "../item/attribute-value.ts";
import { throttlingReasons } from "./cancellation.ts";
import type { Context } from "./operation.ts";
import { addWriteUnits, CollectionMetrics } from "./write-answer.ts";

/** One action of a transaction, as far as what is told of it goes. */
export interface TransactionPart {
  /** As the request names it. */
  readonly table: string;
  /** The item to put, or the key. */
  readonly item: Item;
}

/** What TransactWriteItems and ExecuteTransaction have in common. */
export interface TransactionRequest {
  readonly operation: string;
  /** Tokens of different operations know nothing of each other. */
  readonly token: { readonly space: string; readonly value: string } | undefined;
  /** What must be the same if a token is used again. */
  readonly payload: () => string;
  readonly ReturnConsumedCapacity?: shared.ReturnConsumedCapacity | undefined;
  readonly ReturnItemCollectionMetrics?: shared.ReturnItemCollectionMetrics | undefined;
  readonly reasons: (outcomes: readonly WriteOutcome[]) => CancellationReason[] | undefined;
}

/** What is to be done; `parts` are read after `actions` have been planned. */
export interface TransactionPlan {
  readonly parts: () => readonly TransactionPart[];
  readonly actions: () => MaybePromise<readonly WriteAction[]>;
}

/** Carries out all actions, or throws what stands against them. */
export async function writeTogether(
  context: Context,
  request: TransactionRequest,
  plan: TransactionPlan,
): Promise<object> {
  const { database, traffic } = context;
  const token =
    request.token === undefined
      ? undefined
      : database.token(request.token.space, request.token.value, request.payload());
  let actions: readonly WriteAction[] = [];
  const keep = (planned: readonly WriteAction[]): readonly WriteAction[] => {
    actions = planned;
    return actions;
  };
  const admission = traffic.admission(context, true, transactionFactor);
  const outcomes = await database.write(
    () => {
      const planned = plan.actions();
      return planned instanceof Promise ? planned.then(keep) : keep(planned);
    },
    {
      atomic: true,
      ...(token !== undefined && { token: token.writes() }),
      ...(admission !== undefined && { admit: admission.admit }),
    },
  );
  const parts = plan.parts();
  if (token?.bytes !== undefined) {
    tellReplay(context, request.operation, parts, actions, token.bytes);
    return replayAnswer(request, parts, token.bytes);
  }
  tell(context, request.operation, parts, actions, outcomes);
  const reasons = request.reasons(outcomes);
  if (reasons !== undefined) throw transactionCanceled(reasons);
  return answer(request, parts, actions, outcomes);
}

/** Counts what each table has done, or was too busy for. Throws if it was the account. */
function tell(
  context: Context,
  operation: string,
  parts: readonly TransactionPart[],
  actions: readonly WriteAction[],
  outcomes: readonly WriteOutcome[],
): void {
  const { traffic } = context;
  const refused = outcomes.some(({ refusal }) => refusal !== undefined);
  const throttled = new Set<TableDescriptor>();
  outcomes.forEach((outcome, i) => {
    const { table } = actions[i] as WriteAction;
    if (outcome.throttled === true) throttled.add(table);
    else if (!refused) {
      traffic.wrote(table, outcome, (parts[i] as TransactionPart).item, transactionFactor);
    }
  });
  for (const table of throttled) traffic.throttledRequest(table, operation);
  if (throttled.size > 0) {
    const account = outcomes.find(({ refusal }) => refusal?.type === "RequestLimitExceeded");
    if (account !== undefined) throw account.refusal;
  } else if (refused) {
    const items = parts.map(({ item }) => item);
    traffic.failedTogether(actions, outcomes, items);
  } else {
    for (const table of new Set(actions.map((action) => action.table))) {
      traffic.answered(context, operation, table, 0, 0);
    }
  }
}

/** What the first run of the same request has written is read again. */
function tellReplay(
  context: Context,
  operation: string,
  parts: readonly TransactionPart[],
  actions: readonly WriteAction[],
  bytes: readonly number[],
): void {
  const reads = actions.map(({ table, address }, i) => ({
    table,
    index: undefined,
    key: address.key,
    item: (parts[i] as TransactionPart).item,
    units: replayUnits(bytes[i]),
  }));
  const refusals = context.traffic.readTogether(context, reads);
  if (refusals === undefined) return;
  for (const table of new Set(actions.map((action) => action.table))) {
    context.traffic.throttledRequest(table, operation);
  }
  throw transactionCanceled(throttlingReasons(refusals));
}

function replayUnits(bytes: number | undefined): number {
  return transactionFactor * readUnits(bytes ?? 0, true);
}

function answer(
  request: TransactionRequest,
  parts: readonly TransactionPart[],
  actions: readonly WriteAction[],
  outcomes: readonly WriteOutcome[],
): object {
  if (
    request.ReturnConsumedCapacity === undefined &&
    request.ReturnItemCollectionMetrics === undefined
  ) {
    return {};
  }
  const units = new UnitsByTable();
  const metrics = new CollectionMetrics(request.ReturnItemCollectionMetrics);
  outcomes.forEach((outcome, i) => {
    const { table: name, item } = parts[i] as TransactionPart;
    const { table, kind } = actions[i] as WriteAction;
    addWriteUnits(units.of(name), outcome, transactionFactor);
    if (kind !== "check") metrics.add(name, table, item, outcome);
  });
  return { ...units.report(request.ReturnConsumedCapacity, "write"), ...metrics.report() };
}

/** The same token again: nothing is done, and reading what was done costs read units. */
function replayAnswer(
  request: TransactionRequest,
  parts: readonly TransactionPart[],
  bytes: readonly number[],
): object {
  const units = new UnitsByTable();
  parts.forEach(({ table }, i) => {
    units.of(table).table += replayUnits(bytes[i]);
  });
  return units.report(request.ReturnConsumedCapacity, "read");
}
